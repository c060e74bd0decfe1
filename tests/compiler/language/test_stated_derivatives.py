# ruff: noqa  # programs as users write them
"""Compiled functions under gradients of PyNative mode, cells that state their derivative, and hooks."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import D, W
from mindspore import Parameter


def test_both_modes_agree(program, alike):
    alike(program)


# jit inside pynative gradient
@ms.jit
def scaled(x, w, k=2):
    return (x @ w) * k


def program_jit_in_grad():
    def loss(x, w):
        return (scaled(x, w) ** 2).mean() + scaled(x, w, k=3).sum()

    return ms.value_and_grad(loss, (0, 1))(W(2, 3), W(3, 2)), ms.grad(
        ms.grad(lambda x: (scaled(x, W(3, 2)) ** 3).sum() if True else 0)
    )(W(2, 3)).shape


# custom bprop
class StraightThrough(nn.Cell):
    def construct(self, x):
        return ops.round(x)

    def bprop(self, x, out, dout):
        return (dout * 2,)


class UseST(nn.Cell):
    def __init__(self):
        super().__init__()
        self.st = StraightThrough()
        self.w = Parameter(W(3), name="w")

    def construct(self, x):
        return (self.st(x * self.w) * x).sum()


def program_bprop():
    n = UseST()
    return n(W(3)), ms.value_and_grad(n, 0, n.trainable_params())(W(3))


class GradReverse(nn.Cell):
    def __init__(self, lam):
        super().__init__()
        self.lam = lam

    def construct(self, x):
        return x

    def bprop(self, x, out, dout):
        return (-self.lam * dout,)


def program_grl():
    n = nn.SequentialCell(D(3, 2), GradReverse(0.5), nn.ReLU())
    return n(W(2, 3)), ms.grad(lambda x: n(x).sum(), 0, n.trainable_params())(W(2, 3))


class Hooked(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = D(3, 2)
        self.log = []
        self.a.register_forward_hook(lambda c, i, o: o * 2)
        self.a.register_forward_pre_hook(lambda c, i: (i[0] + 1,))

    def construct(self, x):
        return self.a(x)


def program_hooks():
    n = Hooked()
    return n(W(2, 3)), ms.grad(lambda x: n(x).sum())(W(2, 3))
