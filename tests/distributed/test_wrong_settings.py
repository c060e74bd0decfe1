"""What users set wrongly is refused where it stands, with the error of 2.10 where that refuses it, too."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Layout, Tensor, nn, ops
from mindspore.communication import init, release
from mindspore.core import context
from mindspore.parallel.auto_parallel import AutoParallel


@pytest.fixture(autouse=True)
def _reset():
    context.reset_auto_parallel_context()
    yield
    context.reset_auto_parallel_context()


# observed: MindSpore 2.10, CPU
@pytest.mark.parametrize(("setting", "error", "said"), [
    ({"strategy_ckpt_config": {"load_file": 1}}, TypeError, "'load_file'.*path of a file"),
    ({"strategy_ckpt_config": {"only_trainable_params": "yes"}}, TypeError, "'only_trainable_params'.*bool"),
    ({"parallel_optimizer_config": {"gradient_accumulation_shard": 1}}, TypeError, "must be a bool, but got 1"),
    ({"parallel_optimizer_config": {"gradient_accumulation_shard": True, "optimizer_level": "level1"}}, ValueError,
     "level2"),
    ({"pipeline_config": {"pipeline_interleave": "x", "pipeline_scheduler": "1f1b"}}, TypeError, "must be a bool"),
    ({"comm_fusion": {"openstate": 1}}, TypeError, "'openstate'.*bool"),
    ({"dump_local_norm_path": 3}, TypeError, "dump_local_norm_path")])
def test_settings_of_another_kind_are_refused(setting, error, said):
    with pytest.raises(error, match=said):
        context.set_auto_parallel_context(**setting)


@pytest.mark.parametrize(("strategy", "error", "said"), [
    (((2.0, 1), (1, 1)), TypeError, "must hold ints"), ((("2", 1), (1, 1)), TypeError, "must hold ints"),
    (((0, 1), (1, 1)), ValueError, "at least 1"), (((-1, 1), (1, 1)), ValueError, "at least 1"),
    ((2, 1), TypeError, "must be a tuple or a layout"),
    ((Layout((2,), ("a",)), (1, 1)), ValueError, "call the layout")])
def test_strategies_hold_numbers_of_parts_or_layouts(strategy, error, said):
    with pytest.raises(error, match=said):
        ops.MatMul().shard(strategy)
    with pytest.raises(error, match=said):
        ms.shard(nn.Dense(4, 4), strategy)
    with pytest.raises(error, match=said):
        nn.Dense(4, 4).shard(((1, 1),), parameter_plan={"weight": strategy[0] if strategy != (2, 1) else 2})


@pytest.mark.parametrize(("arguments", "error", "said"), [
    (((2, 2), ("a", "")), ValueError, "can not be empty"),
    (((2, 2), ("a", "b"), [0, 0, 1, 2]), ValueError, "different"),
    (((2, 2), ("a", "b"), [0, 1, 2, -3]), ValueError, "from 0"),
    (((2, 2), ("a", "b"), [0, 1, 2, "3"]), TypeError, "must be int")])
def test_layouts_name_each_axis_and_each_device_once(arguments, error, said):
    with pytest.raises(error, match=said):
        Layout(*arguments)


def test_devices_in_another_order_are_told(capfd):
    Layout((2, 2), ("a", "b"), [3, 2, 1, 0])
    assert "[3, 2, 1, 0] are taken in ascending order" in capfd.readouterr().err


# observed: MindSpore 2.10, CPU
@pytest.mark.parametrize("make", [
    lambda: ops.AllReduce(1), lambda: ops.AllReduce(group=1), lambda: ops.AllGather(group=None),
    lambda: ops.Broadcast("0"), lambda: ops.Broadcast(True), lambda: ops.Receive(0, 0, [1], 3),
    lambda: ops.Send(0, "1"), lambda: ops.Reduce("0")])
def test_collectives_of_another_kind_are_refused_when_they_are_made(make):
    with pytest.raises(TypeError, match=r"must be an? (str|int|dtype)"):
        make()


# observed: MindSpore 2.10, CPU
@pytest.mark.parametrize(("make", "error", "said"), [
    (lambda: nn.PipelineCell(3, 2), TypeError, "network"),
    (lambda: nn.PipelineCell(nn.Dense(1, 1), 2, stage_config=[1]), TypeError, "stage_config"),
    (lambda: nn.PipelineCell(nn.Dense(1, 1), 2, stage_config={"x": 0}), KeyError, "names 'x'"),
    (lambda: nn.MicroBatchInterleaved(3, 2), TypeError, "network"),
    (lambda: AutoParallel(nn.Dense(1, 1)).load_param_strategy_file(2), TypeError, "load_file"),
    (lambda: AutoParallel(nn.Dense(1, 1)).save_param_strategy_file(None), TypeError, "save_file")])
def test_cells_around_networks_are_for_networks(make, error, said):
    with pytest.raises(error, match=said):
        make()


@pytest.mark.parametrize(("call", "said"), [
    (lambda: ops.AlltoAll(3, 0, 0)(ops.ones((6, 2))), "must be the number of processes, 1, but got 3"),
    (lambda: ops.AllGather()(Tensor(1.0)), "must have at least one dimension"),
    (lambda: ops.ReduceScatter()(Tensor(1.0)), "must have at least one dimension")])
def test_collectives_look_at_their_inputs_before_anything_travels(call, said):
    init()
    before = ms.get_context("mode")
    try:
        for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
            ms.set_context(mode=mode)
            with pytest.raises(ValueError, match=said):
                call()
    finally:
        ms.set_context(mode=before)
        release()
