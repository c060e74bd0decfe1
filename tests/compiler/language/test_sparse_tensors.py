# ruff: noqa  # programs as users write them
"""Sparse tensors as arguments, results, attributes and within loops of compiled functions."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import T
from mindspore import Parameter, Tensor


def test_both_modes_agree(program, alike):
    alike(program)


from mindspore import COOTensor

sx = lambda: Tensor([[1.0, 0, 2], [0, 3, 0]])


def program_coo_out():
    r = ms.jit(lambda x: x.to_coo())(sx())
    return r.indices, r.values, r.shape


def program_coo_in():
    f = ms.jit(lambda c: COOTensor(c.indices, c.values * 2, c.shape))
    r = f(sx().to_coo())
    q = f((sx() * 3).to_coo())
    return r.values, q.values, q.shape


def program_csr_mm():
    f = ms.jit(lambda c, y: (c.mm(y), c.to_dense(), (c + c).values))
    return f(sx().to_csr(), T(3, 2)), f((2 * sx()).to_csr(), T(3, 2))


class SpNet(nn.Cell):
    def __init__(self, a):
        super().__init__()
        self.a = a
        self.w = Parameter(T(3, 2), name="w")

    def construct(self, x):
        return self.a.mm(ops.relu(x @ self.w.T)) if False else self.a.mm(self.w) * x


def program_spnet():
    n = SpNet(sx().to_csr())
    return n(Tensor(2.0)), ms.value_and_grad(n, 0, n.trainable_params())(Tensor(2.0))


def program_coo_grad():
    def f(v, i):
        c = COOTensor(i, v, (2, 3))
        return (c.to_dense() ** 2).sum()

    i = Tensor([[0, 1], [1, 2]], ms.int32)
    return ms.jit(ms.grad(f))(T(2), i), ms.grad(ms.jit(f))(T(2), i)


def program_coo_loop():
    @ms.jit
    def f(x, n):
        c = COOTensor(Tensor([[0, 1], [1, 2]], ms.int32), x, (2, 3))
        i = 0
        while i < n:
            c = COOTensor(c.indices, c.values * 2, c.shape)
            i += 1
        return c

    r = f(T(2), Tensor(3))
    return r.values, r.indices


def program_coo_attr():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.last = None

        def construct(self, x):
            self.last = x.to_csr()
            return x * 2

    n = N()
    n(sx())
    a = n.last.values
    n(sx() * 3)
    return a, n.last.values, n.last.indptr


def program_row():
    from mindspore import RowTensor

    f = ms.jit(lambda i, v: RowTensor(i, v, (4, 2)))
    r = f(Tensor([1, 3], ms.int32), T(2, 2))
    return r.indices, r.values, r.shape


def program_coo_dict():
    f = ms.jit(lambda x: {"a": [x.to_coo(), x], "b": (x.to_csr(),)})
    r = f(sx())
    return r["a"][0].values, r["b"][0].indices
