"""Reverse operators of activations whose tensors lie differently in memory: the result lies as the activation does."""
import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.eager.tensor import wrap
from mindspore.operators.registry import REGISTRY

LAST = torch.channels_last
CASES = [("ReluGrad", {}, lambda d, y: np.where(y > 0, d, 0)),
         ("LeakyReluGrad", {"alpha": 0.25}, lambda d, y: np.where(y > 0, d, 0.25 * d)),
         ("HardtanhGrad", {"low": -0.5, "high": 0.5}, lambda d, y: np.where((y > -0.5) & (y < 0.5), d, 0)),
         ("ThresholdGrad", {"threshold": 0.5}, lambda d, y: np.where(y > 0.5, d, 0))]


def pair():
    draw = np.random.default_rng(2)
    return (torch.from_numpy(draw.standard_normal((3, 4, 5, 6), np.float32)),
            torch.from_numpy(draw.standard_normal((3, 4, 5, 6), np.float32)))


@pytest.mark.parametrize(("name", "attrs", "formula"), CASES, ids=[name for name, *_ in CASES])
@pytest.mark.parametrize("rows", [True, False], ids=["cotangent by rows", "activation by rows"])
def test_the_result_lies_as_the_activation(name, attrs, formula, rows):
    d, y = pair()
    want = formula(d.numpy(), y.numpy())
    if rows:
        y = y.contiguous(memory_format=LAST)
    else:
        d = d.contiguous(memory_format=LAST)
    kept = d.clone()
    out = REGISTRY[name](wrap(d), wrap(y), **attrs)._data
    assert out.stride() == y.stride()
    np.testing.assert_array_equal(out.numpy(), want)
    assert torch.equal(d, kept)


@pytest.mark.parametrize("last", [(False, False), (False, True), (True, False), (True, True)])
def test_a_program_that_overwrites_the_cotangent(last):
    made = [t.contiguous(memory_format=LAST) if one else t for t, one in zip(pair(), last, strict=True)]

    @ms.jit
    def program(d, y):
        return ops.grad(lambda x: (ops.relu(x) * (d * 3)).sum())(y)
    found = program(*map(wrap, made))
    d, y = [t.numpy() for t in made]
    np.testing.assert_array_equal(found.asnumpy(), np.where(y > 0, d * np.float32(3), 0))
    np.testing.assert_array_equal(made[0].numpy(), pair()[0].numpy())


def test_of_slices():
    d, y = map(wrap, pair())
    last = wrap(y._data.contiguous(memory_format=LAST))
    found = ops.vmap(lambda a, b: ops.grad(lambda x: (ops.relu(x) * a).sum())(b), in_axes=(0, 0))(d, last)
    np.testing.assert_array_equal(found.asnumpy(), np.where(y.asnumpy() > 0, d.asnumpy(), 0))
    shared = ops.vmap(lambda a: REGISTRY["ReluGrad"](a, wrap(last._data[0])))(d)
    np.testing.assert_array_equal(shared.asnumpy(), np.where(y.asnumpy()[:1] > 0, d.asnumpy(), 0))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def test_cotangents_of_convolutions_have_the_format_of_their_images(mode, monkeypatch):
    before, seen = ms.get_context("mode"), []
    op = REGISTRY["ConvolutionInputGrad"]
    kernel = op.kernel

    def noted(dout, *args, **kwargs):
        seen.append(dout)
        return kernel(dout, *args, **kwargs)
    monkeypatch.setattr(op, "kernel", noted)
    ms.set_context(mode=mode)
    try:
        net = nn.SequentialCell(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(),
                                nn.Flatten(), nn.Dense(32 * 64, 8))
        x = Tensor(np.random.default_rng(0).standard_normal((16, 3, 16, 16), np.float32))
        ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())(x)
    finally:
        ms.set_context(mode=before)
    assert seen
    assert all(d.is_contiguous(memory_format=LAST) for d in seen)
