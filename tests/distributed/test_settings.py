from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import mindspore as ms
from mindspore import nn, ops
from mindspore.core import context
from mindspore.distributed import auto_parallel_context, settings
from mindspore.parallel import running


@pytest.fixture(autouse=True)
def _reset():
    context.reset_auto_parallel_context()
    yield
    context.reset_auto_parallel_context()


def test_the_number_of_processes_is_what_the_program_set_else_what_was_started():
    # observed: MindSpore 2.10, CPU
    assert (settings._get_device_num(), settings._get_global_rank()) == (1, 0)
    context.set_auto_parallel_context(device_num=8, global_rank=3)
    assert (settings._get_device_num(), settings._get_global_rank()) == (8, 3)


def test_every_key_is_a_method():
    found = auto_parallel_context()
    assert not found.get_device_num_is_set()
    found.set_device_num(4)
    assert (found.get_device_num(), found.get_device_num_is_set()) == (4, True)
    assert context.parallel.device_num == 4
    found.reset()
    assert not found.get_device_num_is_set()
    with pytest.raises(AttributeError, match="get_no_such_key"):
        found.get_no_such_key()


def test_the_split_of_gradients_is_the_one_of_the_context():
    found = auto_parallel_context()
    found.set_all_reduce_fusion_split_indices([85, 160])
    assert context.get_auto_parallel_context("all_reduce_fusion_config") == [85, 160]
    assert found.get_all_reduce_fusion_split_indices() == [85, 160]
    assert found.get_all_reduce_fusion_split_indices("other") == []
    with pytest.raises(ValueError, match="group"):
        found.set_all_reduce_fusion_split_indices([1], "other")


def test_short_readers_follow_the_context():
    context.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, parameter_broadcast=True,
                                      enable_parallel_optimizer=True, pipeline_stages=2)
    assert settings._get_parallel_mode() == "data_parallel"
    assert settings._get_gradients_mean()
    assert settings._get_parameter_broadcast()
    assert settings._get_enable_parallel_optimizer()
    assert settings._get_pipeline_stages() == 2
    assert not settings._is_in_auto_parallel_mode()
    assert not settings._is_sharding_propagation()
    context.set_auto_parallel_context(parallel_mode="auto_parallel", search_mode="sharding_propagation")
    assert settings._is_in_auto_parallel_mode()
    assert settings._is_sharding_propagation()


def test_groups_of_messages_and_pieces_of_optimizers_are_checked():
    # observed: MindSpore 2.10, CPU
    for how, error, said in (({"mode": "autox", "config": None}, KeyError, "autox"),
                             ({"mode": "size"}, KeyError, "config"), (3, TypeError, "dict"),
                             ({"mode": "size", "config": -3}, ValueError, "positive int of MB"),
                             ({"mode": "index", "config": [5, 2]}, ValueError, "ascend")):
        with pytest.raises(error, match=said):
            context.set_auto_parallel_context(comm_fusion={"allreduce": how})
    with pytest.raises(KeyError, match="index"):
        context.set_auto_parallel_context(comm_fusion={"allgather": {"mode": "index", "config": [1]}})
    for key, value, error in (("parallel_optimizer_threshold", -4, ValueError),
                              ("parallel_optimizer_threshold", "x", TypeError),
                              ("optimizer_weight_shard_size", 0, ValueError),
                              ("optimizer_weight_shard_size", "x", TypeError)):
        with pytest.raises(error, match=key):
            context.set_auto_parallel_context(parallel_optimizer_config={key: value})


def test_one_of_several_processes_must_meet_the_others_and_says_no_other_numbers(monkeypatch):
    monkeypatch.setenv("RANK_SIZE", "2")
    monkeypatch.setenv("RANK_ID", "1")
    for key, value in (("device_num", 16), ("global_rank", 0)):
        with pytest.raises(ValueError, match=f"the '{key}' must be the number of .*get_"):
            context.set_auto_parallel_context(**{key: value})
    context.set_auto_parallel_context(parallel_mode="data_parallel", device_num=2, global_rank=1)
    net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
    with pytest.raises(RuntimeError, match=r"one of 2 processes, but it has not met the others.*init\(\)"):
        nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    context.set_auto_parallel_context(parallel_mode="auto_parallel")
    with pytest.raises(RuntimeError, match="it has not met the others"):
        nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))(ops.ones((3, 2)), ops.ones((3, 1)))


def test_batches_that_are_cut_by_rows_or_not_at_all_have_names(monkeypatch):
    monkeypatch.setenv("RANK_SIZE", "2")
    monkeypatch.setenv("RANK_ID", "0")
    for strategy, name in ((((2, 1), (2,)), "data_parallel"), (((1, 1), (1,), ()), "full_batch")):
        context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy=strategy)
        assert context.parallel.dataset_strategy == name
        assert context.parallel.full_batch == (name == "full_batch")
    for strategy in (((1, 2), (1,)), ((2, 1), (1,)), ((4, 1), (4,))):
        with pytest.raises(RuntimeError, match="into 2 parts, or nothing"):
            context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy=strategy)


@pytest.mark.parametrize("key", ["dump_local_norm", "dump_device_local_norm"])
def test_norms_of_single_processes_are_refused(key):
    with pytest.raises(RuntimeError, match=f"For '{key}'.*ops.norm"):
        context.set_auto_parallel_context(**{key: True})


def test_gradients_of_a_loss_that_several_compute_cannot_be_multiplied(capfd):
    context.set_auto_parallel_context(loss_repeated_mean=False)
    assert "'loss_repeated_mean' has no effect here: gradients are those of one device" in capfd.readouterr().err


@pytest.mark.parametrize("how", [{"optimizer_weight_shard_size": 4},
                                 {"parallel_optimizer_config": {"optimizer_weight_shard_size": 4}}])
def test_pieces_of_optimizers_must_divide_the_processes(how):
    context.set_auto_parallel_context(enable_parallel_optimizer=True, **how)
    with pytest.raises(ValueError, match=r"4 must divide the number.*6.*\[1, 2, 3, 6\]"):
        running.spreading(6)
    context.set_auto_parallel_context(parallel_optimizer_config={"optimizer_weight_shard_size": 3})
    assert running.spreading(6).most == 3


def test_every_key_is_looked_at_or_says_why_not():
    """No key is accepted and ignored: some file of the package reads it, or its row says that it has no effect."""
    package = Path(context.__file__).parents[1]
    source = "".join([p.read_text(encoding="utf-8") for p in package.rglob("*.py")
                      if p.parent.name != "_names" and p.name != "context_options.py"])
    for key, option in context.parallel.table.items():
        assert option.effect or re.search(rf"parallel\.{key}\b|settings\.{key}\b|\"{key}\"", source), key


# observed: MindSpore 2.10, CPU
def test_both_keys_of_a_schedule_are_given_and_numbers_are_no_bools():
    for config in ({}, {"pipeline_interleave": True}, {"pipeline_scheduler": "1f1b"}):
        with pytest.raises(KeyError, match="both keys"):
            context.set_auto_parallel_context(pipeline_config=config)
    for key in ("pipeline_stages", "pipeline_segments", "optimizer_weight_shard_size", "grad_accumulation_step"):
        with pytest.raises(TypeError, match=f"'{key}' must be int, but got bool"):
            context.set_auto_parallel_context(**{key: True})
    for parts in (0, 1):
        context.set_auto_parallel_context(optimizer_weight_shard_size=parts)
        assert context.get_auto_parallel_context("optimizer_weight_shard_size") == -1
    for key in ("gradients_mean", "gradient_fp32_sync", "parameter_broadcast", "full_batch"):
        context.set_auto_parallel_context(**{key: None})
        assert context.get_auto_parallel_context(key) is False


def test_batches_are_cut_by_layouts_too(monkeypatch):
    grid = ms.Layout((2, 3), ("a", "b"))
    context.set_auto_parallel_context(dataset_strategy=(grid("a", "b"), grid(("a", "b"))))
    assert context.get_auto_parallel_context("dataset_strategy") == [[2, 3], [6]]
    with pytest.raises(ValueError, match="call the layout"):
        context.set_auto_parallel_context(dataset_strategy=(grid,))
    monkeypatch.setenv("RANK_SIZE", "2")
    monkeypatch.setenv("RANK_ID", "0")
    rows = ms.Layout((2,), ("rows",))
    context.set_auto_parallel_context(parallel_mode="semi_auto_parallel",
                                      dataset_strategy=(rows("rows", "None"), rows("rows")))
    assert context.parallel.dataset_strategy == "data_parallel"


def test_a_parameter_server_is_no_process_that_is_counted(monkeypatch):
    """Programs say the number of workers by `get_group_size()`, which is 1 in a server."""
    for name, value in (("MS_ROLE", "MS_PSERVER"), ("MS_SERVER_NUM", "1"), ("MS_WORKER_NUM", "2"),
                        ("MS_SCHED_HOST", "127.0.0.1"), ("MS_SCHED_PORT", "8134")):
        monkeypatch.setenv(name, value)
    context.set_auto_parallel_context(parallel_mode="data_parallel", device_num=1, global_rank=0)
    monkeypatch.setenv("MS_ROLE", "MS_WORKER")
    with pytest.raises(ValueError, match="'device_num' must be the number of processes, 2"):
        context.set_auto_parallel_context(device_num=1)


def test_strategies_of_programs_that_are_not_split_are_told(monkeypatch, capfd):
    angle = ops.Atan2().shard(((2, 1), (2, 1)))                         # a warning once in a process
    assert "'Atan2' is noted in graphs, but nothing splits a program over devices in one" in capfd.readouterr().err
    for where in (running, sys.modules["mindspore.ops._noted"]):
        monkeypatch.setattr(where, "get_group_size", lambda: 2)
    ops.Xdivy().shard(((2, 1), (2, 1)))                                 # the mode may be set later
    assert not capfd.readouterr().err

    def unsplit_angles(x):
        return angle(x, x)
    ms.jit(unsplit_angles)(ops.ones((2, 2)))
    assert "'unsplit_angles' has operators with strategies (`shard`)" in capfd.readouterr().err


def test_a_call_that_is_refused_changes_nothing():
    before = {key: context.get_auto_parallel_context(key) for key in context.parallel.table}
    for wrong in ({"dump_local_norm": True}, {"grad_accumulation_step": 2}, {"device_num": 0}, {"pipeline_stages": 0}):
        with pytest.raises((RuntimeError, ValueError, TypeError)):
            context.set_auto_parallel_context(full_batch=True, parallel_mode="data_parallel", pipeline_config={
                "pipeline_interleave": True, "pipeline_scheduler": "gpipe"}, **wrong)
        assert {key: context.get_auto_parallel_context(key) for key in context.parallel.table} == before
    context.set_auto_parallel_context(full_batch=False)
    assert context.get_auto_parallel_context("full_batch_is_set")
