# ruff: noqa  # programs as users write them
"""Cells that keep lists, dicts and buffers, that raise and that print."""

from __future__ import annotations

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import W
from mindspore import Tensor
from mindspore.ops import operations as P


def test_both_modes_agree(program, alike):
    alike(program)


# state in lists & dicts
class Stateful(nn.Cell):
    def __init__(self):
        super().__init__()
        self.history, self.stats, self.n = [], {"calls": 0, "last": None}, 0

    def construct(self, x):
        self.n += 1
        self.stats["calls"] += 1
        self.stats["last"] = x.mean()
        if len(self.history) < 2:
            self.history.append(x.sum())
        return x * self.n


def program_stateful():
    n = Stateful()
    return [n(W(2, k=i)) for i in range(4)], n.history, n.stats, n.n


class Memo(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def mask(self, n):
        if n not in self.cache:
            self.cache[n] = ops.tril(ops.ones((n, n)))
        return self.cache[n]

    def construct(self, x):
        return x * self.mask(x.shape[0])


def program_memo():
    n = Memo()
    return n(W(2, 2)), n(W(3, 3)), n(W(2, 2)), sorted(n.cache), n.cache[2]


class Buffers(nn.Cell):
    def __init__(self):
        super().__init__()
        self.mean = Tensor(np.zeros(2, np.float32))
        self.steps = 0

    def construct(self, x):
        if self.training:
            self.mean = self.mean * 0.9 + x.mean(0) * 0.1
            self.steps += 1
        return x - self.mean


def program_buffers():
    n = Buffers()
    n.set_train()
    a = [n(W(3, 2, k=i)) for i in range(3)]
    n.set_train(False)
    return a, n(W(3, 2)), n.mean, n.steps


# exceptions with messages
class Checked(nn.Cell):
    def construct(self, x, mode="a"):
        if x.ndim != 2:
            raise ValueError("Checked: expected 2 dims, got {} ({})".format(x.ndim, x.shape))
        if mode not in ("a", "b"):
            raise KeyError(mode)
        return x if mode == "a" else -x


def program_exc():
    n = Checked()
    out = []
    for a in ((W(2),), (W(2, 2), "c"), (W(2, 2), "b"), (W(2, 2, 2),)):
        try:
            out.append(n(*a))
        except (ValueError, KeyError) as e:
            out.append((type(e).__name__, str(e)))
    return out


def program_value_raise():
    @ms.jit
    def f(x):
        if x.sum() > 0:
            raise ValueError(f"sum is {x.sum()} for {x.shape}")
        return x

    out = []
    for v in (1.0, -1.0):
        try:
            out.append(f(Tensor([v, v])))
        except ValueError as e:
            out.append(str(e))
    return out


def program_prints():
    @ms.jit
    def f(x, n):
        print("x is", x, "shape", x.shape)
        for i in range(2):
            print(f"{i}: {x[i]}")
        P.Print()("op", x)
        if x.sum() > n:
            print("big", x.sum(), sep="|")
        else:
            print("small")
        return x

    f(Tensor([1.0, 2.0]), Tensor(2.0))
    return f(Tensor([1.0, -2.0]), Tensor(2.0))
