# ruff: noqa  # programs as users write them
"""Inputs whose shapes are declared in part."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import W
from mindspore import Tensor


def test_both_modes_agree(program, alike):
    alike(program)


# dynamic shapes
class Dyn(nn.Cell):
    def construct(self, x):
        b, s = x.shape
        pos = ops.arange(s)
        return (x * pos).sum(1) / s, x.reshape(b * s), ops.zeros((s, b)), x.shape


def program_dyn():
    n = Dyn()
    n.set_inputs(Tensor(shape=(None, None), dtype=ms.float32))
    return n(W(2, 3)), n(W(4, 5)), n(W(1, 7))


def program_input_sig():
    @ms.jit(input_signature=(Tensor(shape=(None, 3), dtype=ms.float32), Tensor(shape=(), dtype=ms.float32)))
    def f(x, s):
        if x.shape[0] > 2:
            return x * s
        return x + s

    return f(W(2, 3), Tensor(2.0)), f(W(4, 3), Tensor(2.0))


def program_dyn_loop():
    n = type("N", (nn.Cell,), {"construct": lambda self, x: _dyn_loop(x)})()
    n.set_inputs(Tensor(shape=(None, 2), dtype=ms.float32))
    return n(W(3, 2)), n(W(5, 2))


def _dyn_loop(x):
    h = ops.zeros((2,))
    for row in x:
        h = ops.tanh(h + row)
    return h
