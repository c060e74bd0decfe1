"""Types by family, and devices within a `with`."""
from __future__ import annotations

import copy
import pickle

import pytest

import mindspore as ms


def test_integers_are_made_and_recognised_by_their_class():
    assert [ms.Int(n) for n in (8, 16, 32, 64)] == [ms.int8, ms.int16, ms.int32, ms.int64]
    assert isinstance(ms.Int(), ms.Int)
    assert [isinstance(x, ms.Int) for x in (ms.int8, ms.uint8, ms.float32, 3, ms.Tensor([1]))] == [True] + [False] * 4
    assert ms.dtype.issubclass_(ms.int16, ms.Int())
    assert pickle.loads(pickle.dumps(ms.Int())) is ms.Int()
    with pytest.raises(ValueError, match="8, 16, 32 or 64"):
        ms.Int(7)


def test_types_of_tensors_tell_their_elements():
    kind = ms.TensorType(ms.float16)
    assert (str(kind), kind.element_type(), str(ms.TensorType())) == ("Tensor[Float16]", ms.float16, "Tensor")
    assert kind == copy.deepcopy(kind) != ms.TensorType(ms.int8)
    assert ms.TensorType() == ms.dtype.tensor_type
    assert len({ms.TensorType(), ms.dtype.tensor_type, kind}) == 2
    with pytest.raises(TypeError, match="must be a type"):
        ms.TensorType(3)


def test_the_device_is_another_one_within_a_scope_only(monkeypatch):
    before = ms.get_context("device_id")
    with ms.DeviceCtx("CPU", 2), ms.DeviceCtx("CPU", 3):
        assert (ms.get_context("device_id"), ms.Tensor([1.0]).device) == (3, "CPU")
    assert ms.get_context("device_id") == before
    scope = ms.DeviceCtx("CPU", 5)
    with pytest.raises(RuntimeError, match="stop"), scope:
        raise RuntimeError("stop")
    assert ms.get_context("device_id") == before


@pytest.mark.parametrize(("name", "number", "error", "says"), [
    ("cpu", None, ValueError, "'CPU', 'GPU', 'Ascend'"), ("CPU", "a", TypeError, "device_id"),
    ("CPU", -1, ValueError, "device_id")])
def test_what_is_no_device_is_refused_and_leaves_the_context(name, number, error, says):
    before = ms.get_current_device()
    with pytest.raises(error, match=says), ms.DeviceCtx(name, number):
        pass
    assert ms.get_current_device() == before


def test_a_device_that_cannot_be_reached_leaves_the_context(monkeypatch):
    import torch
    monkeypatch.setenv("ANYSPORE_DEVICE", "strict")
    if torch.cuda.is_available():
        with ms.DeviceCtx("GPU"):
            assert ms.Tensor([1.0]).device.startswith("GPU")
    else:
        with pytest.raises(RuntimeError, match="no CUDA device"), ms.DeviceCtx("GPU"):
            pass
    assert ms.Tensor([1.0]).device == "CPU"
