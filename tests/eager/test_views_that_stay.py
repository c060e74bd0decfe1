"""Views that objects keep from call to call: the values are those of torch, whether or not gradients are taken."""
from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_parameters import Held
from view_programs import START

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -2.0]], np.float32)


class Kept:
    """An object that a cell calls with its input; `w` is a parameter of that cell, or a tensor of torch."""

    def __init__(self, w, zeros):
        self.w, self.zeros = w, zeros


class RowBeforeTheChange(Kept):
    def __call__(self, x):
        self.row = self.w[0]
        self.w.add_(x)
        return (self.row * x[0]).sum()


class RowFromTheStart(Kept):
    def __init__(self, w, zeros):
        super().__init__(w, zeros)
        self.row = w[1]

    def __call__(self, x):
        self.w.copy_(self.w + x)
        return (self.row * 2.0).sum()


class PartOfABuffer(Kept):
    def __init__(self, w, zeros):
        super().__init__(w, zeros)
        self.part = zeros[1]

    def __call__(self, x):
        self.zeros.add_(x * self.w)
        return (self.part * x[0]).sum()


class RowsOfEveryCall(Kept):
    def __init__(self, w, zeros):
        super().__init__(w, zeros)
        self.rows = []

    def __call__(self, x):
        self.rows.append(self.w[1])
        self.w[1] = x[1] * 2
        return sum([row.sum() for row in self.rows]) + (self.w * x).sum()


class FlatInADict(Kept):
    def __init__(self, w, zeros):
        super().__init__(w, zeros)
        self.held = {"flat": w.reshape((6,))}

    def __call__(self, x):
        self.held["flat"][2:4].mul_(3.0)
        return (self.w * x).sum()


class TurnedByACondition(Kept):
    def __call__(self, x):
        turned = self.w.T
        if x.sum() > 0:
            turned[0] = x[:, 0]
        else:
            turned[1].mul_(2.0)
        return (self.w * x).sum() + turned.sum()


class WrittenRowByRow(Kept):
    def __init__(self, w, zeros):
        super().__init__(w, zeros)
        self.calls = 0

    def __call__(self, x):
        self.zeros[self.calls % 2] = x[0] * self.w[0]
        self.calls = self.calls + 1
        return self.zeros.sum()


KINDS = [RowBeforeTheChange, RowFromTheStart, PartOfABuffer, RowsOfEveryCall, FlatInADict, TurnedByACondition,
         WrittenRowByRow]
WAYS = {
    "plain": lambda net, x: net(x),
    "weights": lambda net, x: ms.value_and_grad(net, None, [net.w])(x)[0],
    "input": lambda net, x: ms.value_and_grad(net)(x)[0],
    "vjp": lambda net, x: ops.vjp(net, x)[0],
    "compiled": lambda net, x: ms.jit(ms.value_and_grad(net, 0, [net.w]))(x)[0],
}


class Net(nn.Cell):
    """Calls an object that keeps views of the parameter."""

    def __init__(self, kind):
        super().__init__()
        self.w = Parameter(Tensor(START), name="w")
        self.called = kind(self.w, Tensor(np.zeros((2, 3), np.float32)))

    def construct(self, x):
        """What the object gives."""
        return self.called(x)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_values_of_several_calls(kind, way, mode):
    w = torch.tensor(START)
    theirs = kind(w, torch.zeros(2, 3))
    ms.set_context(mode=mode)
    try:
        net = Net(kind)
        for factor in (1.0, -1.0, 0.5):
            expected = theirs(torch.tensor(X * factor))
            found = WAYS[way](net, Tensor(X * factor))
            np.testing.assert_allclose(found.asnumpy(), expected.item(), rtol=1e-5)
            np.testing.assert_allclose(net.w.asnumpy(), w.numpy(), rtol=1e-6)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["pynative", "graph"])
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_of_the_first_call(kind, mode):
    leaves = [torch.tensor(v, requires_grad=True) for v in (START, X)]
    out = kind(Held(leaves[0] * 1), torch.zeros(2, 3))(leaves[1])
    expected = [np.zeros((2, 3)) if d is None else d.numpy()
                for d in torch.autograd.grad(out, leaves, allow_unused=True)]
    ms.set_context(mode=mode)
    try:
        net = Net(kind)
        of_x, of_w = ms.grad(net, 0, [net.w])(Tensor(X))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(of_x.asnumpy(), expected[1], rtol=1e-5)
    if kind is FlatInADict:       # a view from before the gradient is a constant, until something changes its memory
        expected[0] = np.where(np.arange(6).reshape(2, 3) // 2 == 1, 0.0, X)
    np.testing.assert_allclose(of_w[0].asnumpy(), expected[0], rtol=1e-5)
