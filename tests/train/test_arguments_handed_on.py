"""What functions hand on to others: every argument, under its name; and checkpoints that are written in order."""
from __future__ import annotations

import inspect
import threading

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, train
from mindspore.train import _background, distributed_loading, serialization
from mindspore.train.callback import checkpoint as checkpoints


def taken(monkeypatch, module, name, answer=None):
    """What a function of a module is given from now on, by the names of its arguments."""
    signature, seen = inspect.signature(getattr(module, name)), []

    def instead(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        seen.append(dict(bound.arguments))
        return answer
    monkeypatch.setattr(module, name, instead)
    return seen


def test_a_checkpoint_is_read_beside_the_program_with_all_arguments(monkeypatch):
    seen = taken(monkeypatch, serialization, "load_checkpoint", {"w": 1})
    names = [n for n in inspect.signature(serialization.load_checkpoint_async).parameters if n != "ckpt_file_name"]
    given = {name: f"the {name}" for name in names}
    assert serialization.load_checkpoint_async("a.ckpt", **given).result() == {"w": 1}
    assert {name: seen[0][name] for name in names} == given
    assert seen[0]["ckpt_file_name"] == "a.ckpt"


@pytest.mark.parametrize("strict", [False, True])
def test_loading_of_pieces_is_as_strict_as_it_is_told(monkeypatch, tmp_path, strict):
    net = nn.Dense(2, 1)
    path = str(tmp_path / "a.safetensors")
    ms.save_checkpoint(net, path, format="safetensors")
    seen = taken(monkeypatch, distributed_loading, "load_param_into_net", ([], []))
    monkeypatch.setattr(distributed_loading, "read_plan", lambda path: distributed_loading.Plan(None))
    ms.load_distributed_checkpoint(net, [path], strict_load=strict, format="safetensors")
    assert [one["strict_load"] for one in seen] == [strict]


def test_the_callback_writes_as_its_configuration_says(monkeypatch, tmp_path):
    seen = taken(monkeypatch, checkpoints, "save_checkpoint")
    given = {"integrated_save": False, "async_save": "thread", "enc_key": b"0" * 16, "enc_mode": "AES-CBC",
             "crc_check": True}
    config = train.CheckpointConfig(1, append_info=[{"a": 1}, {"b": 2.0}], **given)
    saves = train.ModelCheckpoint("N", tmp_path, config)
    net = nn.Dense(1, 1)
    now = train.callback._InternalCallbackParam(cur_step_num=1, cur_epoch_num=1, batch_num=1, train_network=net)
    run = train.RunContext(now)
    saves.begin(run)
    saves.step_end(run)
    assert {**seen[0], **given, "append_dict": {"a": 1, "b": 2.0}} == seen[0]
    assert seen[0]["save_obj"] is net


def test_files_that_are_written_beside_the_program_do_not_overtake_each_other():
    order, go = [], threading.Event()

    def slow(value):
        go.wait(5)
        order.append(value)
    _background.start_saving("a", slow, ["first"])
    assert _background.async_ckpt_thread_status()
    threading.Timer(0.05, go.set).start()
    _background.start_saving("a", order.append, ["second"])
    _background.finish_saving()
    assert order == [["first"], ["second"]]
    assert not _background.async_ckpt_thread_status()
    _background.start_saving("a", lambda stored: 1 / 0, [])          # an error is told, and does not stay
    _background.finish_saving()
    assert not _background.async_ckpt_thread_status()


@pytest.mark.parametrize(("value", "error"), [
    (2**31, ValueError), (-2**31 - 1, ValueError), (True, TypeError), (None, TypeError), (2**31 - 1, None),
    (-2**31, None), (1e30, None), ("x", None)])
def test_what_a_lineage_may_hold(tmp_path, value, error):
    if error is None:
        assert train.SummaryCollector(str(tmp_path), custom_lineage_data={"a": value})._custom == {"a": value}
    else:
        with pytest.raises(error, match="custom_lineage_data"):
            train.SummaryCollector(str(tmp_path), custom_lineage_data={"a": value})


def test_every_value_of_a_graph_has_its_type():
    from mindspore.train.summary import graph as summaries

    class Two(nn.Cell):
        def construct(self, x, y):
            return x + 1, (x * y).astype(ms.float16)
    net = Two()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        given = Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((3,), np.float32))
        net.compile(*given)
        program = next(kept[-1] for kept in vars(net)["_compiled"].programs.values() if kept)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    message = summaries._Drawn(net).graph(program.graph, ["x", "y"])

    def shape(kind):
        return [d.size for d in kind.tensor_type.shape.dim]
    assert [shape(p.type) for p in message.parameters] == [[2, 3], [3]]
    assert [shape(o.type) for o in message.outputs] == [[2, 3], [2, 3]]
    assert len({o.type.tensor_type.elem_type for o in message.outputs}) == 2
