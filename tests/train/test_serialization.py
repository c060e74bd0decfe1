from __future__ import annotations

import gc
import os
import threading
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore.core import log
from mindspore.core.errors import CheckpointError
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.formats import checkpoint
from mindspore.formats.array import CHECKPOINT_NAME, StoredArray
from mindspore.nn.cell import Cell
from mindspore.train import serialization
from mindspore.train.serialization import (
    load_checkpoint,
    load_checkpoint_async,
    save_checkpoint,
)

KEY = b"0123456789abcdef"
W, B = np.arange(6, dtype="float32").reshape(2, 3), np.array([1, -1, 0.5], "float32")


class Net(Cell):
    def __init__(self, dtype="float32", shape=(2, 3)):
        super().__init__()
        self.w = Parameter(np.zeros(shape, dtype), name="w")
        self.b = Parameter(np.zeros(3, "float32"), name="b")


def filled():
    net = Net()
    net.w.set_data(Tensor(W))
    net.b.set_data(Tensor(B))
    return net


def parameter(value, name="p"):
    return Parameter(Tensor(value), name=name)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def warnings(monkeypatch):
    found = []
    monkeypatch.setattr(log, "warning", lambda text, *args: found.append(text % args))
    return found


def same(got, want):
    return got.asnumpy().dtype == want.dtype and np.array_equal(got.asnumpy(), want)


# ---- what can be saved
def test_a_network_comes_back_with_names_values_and_types():
    save_checkpoint(filled(), "net.ckpt")
    loaded = load_checkpoint("net.ckpt")
    assert [(name, p.name, p.requires_grad) for name, p in loaded.items()] == [("w", "w", True), ("b", "b", True)]
    assert all(isinstance(p, Parameter) for p in loaded.values())
    assert same(loaded["w"], W)
    assert same(loaded["b"], B)


def test_the_suffix_is_added_and_the_file_is_read_only():
    save_checkpoint(filled(), "net")
    save_checkpoint(filled(), "net", format="safetensors")
    assert sorted(os.listdir()) == ["net.ckpt", "net.safetensors"]
    assert os.stat("net.ckpt").st_mode & 0o777 == 0o400


def test_lists_and_dicts_of_parameters_come_back_in_order():
    net = filled()
    save_checkpoint(net.trainable_params(), "list.ckpt")
    assert list(load_checkpoint("list.ckpt")) == ["w", "b"]
    save_checkpoint([{"name": "x", "data": net.b}, {"name": "a", "data": Tensor(W)}], "dicts.ckpt")
    assert list(load_checkpoint("dicts.ckpt")) == ["x", "a"]
    save_checkpoint({"z": net.b, "y": Tensor(W), "array": W, "text": "häl lo"}, "dict.ckpt")
    loaded = load_checkpoint("dict.ckpt")
    assert list(loaded) == ["z", "y", "array", "text"]
    assert loaded["z"].name == "z"
    assert loaded["text"] == "häl lo"


@pytest.mark.parametrize("dtype", [name for name in CHECKPOINT_NAME if name != "qint4x2" and "complex" not in name])
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_every_type_and_rank_comes_back(dtype, format):
    tensors = {f"r{len(shape)}": Tensor(np.ones(shape), getattr(ms, dtype)) for shape in ((), (2,), (2, 1, 3))}
    save_checkpoint(tensors, "all", format=format)
    for name, got in load_checkpoint(f"all.{format}", format=format).items():
        want = tensors[name]
        assert (str(got.dtype), got.shape) == (str(want.dtype), want.shape)
        assert np.array_equal(got.asnumpy(), want.asnumpy())


def test_further_entries_have_the_types_of_the_original():
    # observed: MindSpore 2.10, CPU
    more = {"epoch": 3, "rate": 0.1, "done": True, "note": "x", "none": "", "t": Tensor(B), "w": Tensor(B)}
    save_checkpoint(filled(), "more.ckpt", append_dict=more)
    loaded = load_checkpoint("more.ckpt")
    assert list(loaded) == ["w", "b", "epoch", "rate", "done", "note", "none", "t"]
    assert [str(loaded[n].dtype) for n in ("epoch", "rate", "done")] == ["Int64", "Float32", "Bool"]
    assert loaded["epoch"].shape == ()
    assert loaded["rate"].asnumpy() == np.float32(0.1)
    assert (loaded["note"], loaded["none"]) == ("x", "")
    assert loaded["w"].shape == (3,)


def test_only_chosen_names_are_saved():
    save_checkpoint(filled(), "chosen.ckpt", choice_func=lambda name: name == "b", append_dict={"epoch": 1})
    assert list(load_checkpoint("chosen.ckpt")) == ["b", "epoch"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"save_obj": 1}, TypeError), ({"save_obj": [1]}, TypeError), ({"save_obj": [{"name": "a"}]}, TypeError),
        ({"save_obj": [{"name": "a", "data": 1}]}, TypeError), ({"save_obj": {1: W}}, TypeError),
        ({"save_obj": {"k": [1]}}, TypeError), ({"ckpt_file_name": 1}, TypeError),
        ({"ckpt_file_name": ""}, IsADirectoryError), ({"ckpt_file_name": "no/folder"}, FileNotFoundError),
        ({"integrated_save": 1}, TypeError), ({"async_save": 2}, TypeError), ({"async_save": "x"}, ValueError),
        ({"append_dict": 1}, TypeError), ({"append_dict": {"a": [1]}}, TypeError), ({"append_dict": {1: 1}}, TypeError),
        ({"append_dict": {"a": None}}, TypeError), ({"append_dict": {"a": 2**70}}, ValueError),
        ({"enc_key": "text"}, ValueError), ({"enc_key": b"short"}, ValueError), ({"enc_key": b""}, ValueError),
        ({"enc_key": KEY, "enc_mode": "X"}, ValueError), ({"choice_func": 1}, TypeError),
        ({"crc_check": 1}, ValueError), ({"format": "foo"}, ValueError),
        ({"remove_redundancy": 1}, ValueError), ({"no_such_option": 1}, TypeError), ({"incremental": 3}, ValueError),
        ({"global_step_num": 3}, ValueError),
        ({"format": "safetensors", "enc_key": KEY}, ValueError),
        ({"format": "safetensors", "incremental": True}, ValueError),
        ({"format": "safetensors", "append_dict": {"text": "x"}}, ValueError),
    ],
)
def test_what_cannot_be_saved_is_refused_and_leaves_nothing(arguments, error):
    # observed: MindSpore 2.10, CPU: the classes, except for options that it ignores
    with pytest.raises(error):
        save_checkpoint(**{"save_obj": filled(), "ckpt_file_name": "x"} | arguments)
    assert os.listdir() == []


def test_a_checksum_is_written_and_compared():
    for format in ("ckpt", "safetensors"):
        save_checkpoint(filled(), "sum", crc_check=True, format=format)
        path = Path(f"sum.{format}")
        assert set(load_checkpoint(str(path), crc_check=True, format=format)) == {"w", "b"}
        data = bytearray(path.read_bytes())
        data[-1 if format == "safetensors" else -18] ^= 1
        path.chmod(0o600)
        path.write_bytes(data)
        with pytest.raises(ValueError, match="changed"):
            load_checkpoint(str(path), crc_check=True, format=format)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_a_file_without_the_checksum_that_was_asked_for_is_an_error(format):
    save_checkpoint(filled(), "plain", format=format)
    assert set(load_checkpoint(f"plain.{format}", format=format)) == {"w", "b"}
    with pytest.raises(ValueError, match=rf"plain\.{format} has no checksum"):
        load_checkpoint(f"plain.{format}", crc_check=True, format=format)


@pytest.mark.parametrize("check", [False, True])
def test_a_part_of_a_checksum_is_an_error_whether_or_not_it_is_asked_for(check):
    save_checkpoint(filled(), "sum", crc_check=True)
    whole = Path("sum.ckpt").read_bytes()
    for cut in range(1, 17):
        Path("cut.ckpt").write_bytes(whole[:-cut])
        with pytest.raises(ValueError, match=r"cut\.ckpt"):
            load_checkpoint("cut.ckpt", crc_check=check)


def test_a_file_that_lost_just_its_checksum_is_an_error():
    save_checkpoint(filled(), "sum", crc_check=True)
    Path("cut.ckpt").write_bytes(Path("sum.ckpt").read_bytes()[:-17])
    with pytest.raises(ValueError, match="no checksum"):
        load_checkpoint("cut.ckpt", crc_check=True)


@pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC", "SM4-CBC"])
def test_an_encrypted_file_needs_its_key(mode):
    pytest.importorskip("cryptography", reason="needs the extra 'crypto'")
    save_checkpoint(filled(), "secret", enc_key=KEY, enc_mode=mode)
    assert same(load_checkpoint("secret.ckpt", dec_key=KEY, dec_mode=mode)["w"], W)
    for key in (KEY[::-1], None):
        with pytest.raises(CheckpointError, match=r"secret\.ckpt"):
            load_checkpoint("secret.ckpt", dec_key=key, dec_mode=mode)


# ---- beside the training
@pytest.mark.parametrize("kind", [True, "thread", "process"])
def test_a_file_that_is_written_beside_the_program_holds_the_values_of_the_call(kind, monkeypatch):
    started, go = threading.Event(), threading.Event()
    write = checkpoint.write

    def slow(*arguments, **options):
        started.set()
        assert go.wait(10)
        write(*arguments, **options)

    monkeypatch.setattr(checkpoint, "write", slow)
    net = filled()
    save_checkpoint(net, "later", async_save=kind)
    assert started.wait(10)
    net.w.set_data(Tensor(W * 100))
    assert serialization.async_ckpt_thread_status()
    go.set()
    save_checkpoint(net, "after")  # waits for the one before
    assert not serialization.async_ckpt_thread_status()
    assert same(load_checkpoint("later.ckpt")["w"], W)
    assert same(load_checkpoint("after.ckpt")["w"], W * 100)


def test_a_file_that_could_not_be_written_beside_the_program_is_told(monkeypatch):
    found = []
    monkeypatch.setattr(log, "critical", lambda text, *args: found.append(text % args))
    save_checkpoint(filled(), "no/folder", async_save=True)
    serialization.finish_saving()
    assert "was not written: FileNotFoundError" in found[0]


def test_a_checkpoint_is_read_beside_the_program():
    save_checkpoint(filled(), "net")
    assert same(load_checkpoint_async("net.ckpt").result()["w"], W)
    with pytest.raises(ValueError, match="does not exist"):
        load_checkpoint_async("none.ckpt").result()


# ---- what can be loaded
@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"filter_prefix": "w"}, ["x.w", "net.w.k"]),
        ({"filter_prefix": ["w", "net."]}, ["x.w"]),
        ({"specify_prefix": "w"}, ["w", "wide.b"]),
        ({"specify_prefix": ("x", "net")}, ["x.w", "net.w.k"]),
        ({"specify_prefix": "w", "filter_prefix": "wide"}, ["w"]),
        ({"choice_func": lambda name: name.endswith("w")}, ["w", "x.w"]),
    ],
)
def test_names_are_chosen_by_prefix_or_function(options, names):
    # observed: MindSpore 2.10, CPU
    save_checkpoint([parameter(B, name) for name in ("w", "wide.b", "x.w", "net.w.k")], "names")
    assert list(load_checkpoint("names.ckpt", **options)) == names


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"filter_prefix": 1}, TypeError), ({"filter_prefix": ""}, ValueError), ({"filter_prefix": []}, ValueError),
        ({"specify_prefix": [1]}, TypeError), ({"filter_prefix": ["w", "b"]}, ValueError),
        ({"specify_prefix": "zz"}, ValueError), ({"choice_func": lambda name: False}, ValueError),
        ({"choice_func": 3}, ValueError), ({"net": 1}, TypeError), ({"dec_key": "x"}, ValueError),
        ({"dec_key": KEY}, ValueError), ({"dec_mode": 1}, ValueError), ({"crc_check": 1}, ValueError),
        ({"format": "safetensors"}, ValueError), ({"format": "x"}, ValueError), ({"remove_redundancy": 1}, ValueError),
        ({"ckpt_file_name": "none.ckpt"}, ValueError), ({"ckpt_file_name": "net"}, ValueError),
        ({"ckpt_file_name": 1}, TypeError), ({"ckpt_file_name": "folder.ckpt"}, ValueError),
    ],
)
def test_a_wrong_request_is_refused(options, error):
    # observed: MindSpore 2.10, CPU
    if "dec_key" in options:
        pytest.importorskip("cryptography", reason="needs the extra 'crypto'")
    os.mkdir("folder.ckpt")
    save_checkpoint(filled(), "net")
    with pytest.raises(error):
        load_checkpoint(**{"ckpt_file_name": "net.ckpt"} | options)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_a_damaged_file_is_refused_with_its_name(format):
    save_checkpoint(filled(), "net", format=format)
    data = Path(f"net.{format}").read_bytes()
    for broken in (data[:-7], b"hello world", b""):
        Path(f"bad.{format}").write_bytes(broken)
        with pytest.raises(ValueError, match=rf"bad\.{format}"):
            load_checkpoint(f"bad.{format}", format=format)


def test_a_deduplicated_file_is_told_when_it_is_not_expected(warnings):
    save_checkpoint(filled(), "part", format="safetensors", remove_redundancy=True)
    load_checkpoint("part.safetensors", format="safetensors", remove_redundancy=True)
    assert not warnings
    load_checkpoint("part.safetensors", format="safetensors")
    assert "remove_redundancy=True" in warnings[0]


def test_a_type_that_no_tensor_has_is_told():
    checkpoint.write("i4.ckpt", [("w", StoredArray("qint4x2", (2, 3), bytes(6)))])
    with pytest.raises(ValueError, match=r"i4\.ckpt: the entry 'w' is of the type Int4"):
        load_checkpoint("i4.ckpt")


def memory(field):
    """A line of the kernel's record of this process, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak of memory is read as Linux tells it")
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
@pytest.mark.parametrize("crc", [False, True])
def test_loading_needs_hardly_more_memory_than_the_model(format, crc, monkeypatch):
    monkeypatch.setattr(checkpoint, "SLICE_BYTES", 8 * 2**20)   # large tensors lie in several pieces
    values = [np.full(length * 2**18, length, np.float32) for length in (64, 32, 1)]
    save_checkpoint([parameter(value, f"w{i}") for i, value in enumerate(values)], "net", crc_check=crc, format=format)
    size = sum(value.nbytes for value in values)
    del values
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")   # the peak begins anew
    before = memory("VmRSS")
    loaded = load_checkpoint(f"net.{format}", crc_check=crc, format=format)
    assert memory("VmHWM") - before <= 1.1 * size
    assert memory("RssAnon") >= size
    for i, length in enumerate((64, 32, 1)):
        assert (loaded[f"w{i}"].asnumpy() == length).all()


def test_loaded_parameters_can_be_changed_and_leave_the_file_alone():
    save_checkpoint(filled(), "net")
    before = Path("net.ckpt").read_bytes()
    loaded = load_checkpoint("net.ckpt")
    loaded["w"].set_data(loaded["w"] * 2)
    loaded["b"][0] = 5
    assert same(loaded["w"], W * 2)
    assert loaded["b"].tolist() == [5.0, -1.0, 0.5]
    assert Path("net.ckpt").read_bytes() == before


def test_names_that_end_with_the_name_of_the_format_are_kept(tmp_path):
    # observed: MindSpore 2.10
    weight = ms.Parameter(ms.Tensor([1.0, 2.0]), name="weight")
    for format in ("ckpt", "safetensors"):
        for name in ("ckpt", "model_ckpt", "model_safetensors", "model"):
            ms.save_checkpoint([{"name": "weight", "data": weight}], str(tmp_path / name), format=format)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "ckpt", "ckpt.safetensors", "model.ckpt", "model.safetensors", "model_ckpt", "model_ckpt.safetensors",
        "model_safetensors", "model_safetensors.ckpt"]
    assert ms.load_checkpoint(str(tmp_path / "model_ckpt"))["weight"].tolist() == [1, 2]
    assert ms.load_checkpoint(str(tmp_path / "model_safetensors"), format="safetensors")["weight"].tolist() == [1, 2]
