# ruff: noqa  # programs as users write them
"""Losses of pairs and triplets, with their gradients."""

from __future__ import annotations

from collections import OrderedDict

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import D, W
from mindspore import Tensor


def test_both_modes_agree(program, alike):
    alike(program)


class Siamese(nn.Cell):
    def __init__(self, margin=1.0):
        super().__init__()
        self.enc = nn.SequentialCell(OrderedDict([("fc", D(3, 4)), ("act", nn.Tanh())]))
        self.m = margin

    def construct(self, a, b, y):
        d = ops.norm(self.enc(a) - self.enc(b), dim=-1)
        return (y * d**2 + (1 - y) * ops.relu(self.m - d) ** 2).mean()


def program_siamese():
    n = Siamese()
    return ms.value_and_grad(n, None, n.trainable_params())(W(2, 3), W(2, 3, k=1), Tensor([1.0, 0.0]))


def triplet(e, y, m=0.2):
    d = ops.cdist(e, e)
    same = y[:, None] == y[None]
    inf = Tensor(1e9)
    hp = ops.where(same, d, -inf).max(1)[0]
    hn = ops.where(same, inf, d).min(1)[0]
    return ops.relu(hp - hn + m).mean()


def program_triplet():
    f = ms.jit(triplet)
    return f(W(4, 3), Tensor([0, 0, 1, 1])), ms.grad(f)(W(4, 3), Tensor([0, 0, 1, 1]))


def nt_xent(a, b, t=0.5):
    z = ops.cat((a, b))
    z = z / ops.norm(z, dim=1, keepdim=True)
    n = z.shape[0]
    s = z @ z.T / t
    s = s.masked_fill(ops.eye(n).astype(ms.bool_), -1e9)
    return ops.cross_entropy(s, ops.cat((ops.arange(n // 2, n), ops.arange(0, n // 2))).astype(ms.int32))


def program_ntxent():
    f = ms.jit(nt_xent)
    return f(W(3, 4), W(3, 4, k=1)), ms.grad(f, (0, 1))(W(3, 4), W(3, 4, k=1))
