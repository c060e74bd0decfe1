"""`Cell.to`: other dtypes, and the device."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn


class Leaf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")


def test_to_casts_the_parameters():
    net = Leaf().to(ms.float16)
    assert net.w.dtype is ms.float16
    assert Leaf().to("CPU", ms.float16).w.dtype is ms.float16
    assert Leaf().to(device="CPU", dtype=ms.float64).w.dtype is ms.float64
    assert Leaf().to(Tensor([1.0], ms.float16)).w.dtype is ms.float16
    assert Leaf().to("CPU").w.dtype is ms.float32
    for wrong in ((), (ms.int32,), (1,), (ms.float16, ms.float32), ("CPU", "CPU")):
        with pytest.raises(TypeError, match="dtype and a device"):
            net.to(*wrong)
    with pytest.raises(TypeError, match="dtype and a device"):
        net.to(ms.float16, copy=True)


def test_to_refuses_another_device_than_the_one_in_use(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    with pytest.raises(ValueError, match="set_device"):
        Leaf().to("GPU:1")
