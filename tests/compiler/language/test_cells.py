# ruff: noqa  # programs as users write them
"""Cells: methods, inheritance, containers, state in attributes."""

from __future__ import annotations

import numpy as np

from mindspore import Parameter, Tensor, nn, ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


class Block(nn.Cell):
    def __init__(self, k=2.0):
        super().__init__()
        self.k = k
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def scaled(self, x):
        return x * self.k * self.w

    def construct(self, x, *, bias=0.0):
        return self.scaled(x) + bias


class Residual(Block):
    def construct(self, x, **kwargs):
        return super().construct(x, **kwargs) + x


class Mixin:
    def construct(self, x, *args, **kwargs):
        return super().construct(x, *args, **kwargs) * 2


class Mixed(Mixin, Residual):
    @property
    def double(self):
        return self.k * 2

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return self.w[i]


def program_cell_keyword(net=Residual, x=V):
    return net(x, bias=x)


def program_cell_mixin(net=Mixed, x=V):
    return net(x) * net.double + len(net) + net[1]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = nn.CellList([Block(1.0), Residual(2.0)])
        self.by_name = nn.CellDict({"a": Block(3.0)}) if hasattr(nn, "CellDict") else None
        self.seq = nn.SequentialCell(Block(), nn.ReLU())
        self.table = {"f": self.blocks[0]}
        self.steps = 0
        self.history = []
        self.cache = None

    def construct(self, x):
        for i, block in enumerate(self.blocks):
            x = block(x) if i else block(x, bias=1.0)
        if self.by_name is not None:
            for name, cell in self.by_name.items():
                x = cell(x) * len(name)
        x = self.seq(x) + self.table["f"](x) + self.blocks[-1](x)
        return x + sum(b.k for b in self.blocks) + len(self.blocks)


def program_containers_of_cells(net=Net, x=V):
    return net(x)


class Counts(nn.Cell):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.history = []
        self.cache = None
        self.best = {"loss": 100.0}

    def construct(self, x):
        self.steps += 1
        self.history.append(self.steps)
        if self.cache is None:
            self.cache = x * 2
        else:
            self.cache = self.cache + x
        if self.cache.sum() < self.best["loss"]:
            self.best["loss"] = self.cache.sum()
        return self.cache * self.steps + len(self.history)


def program_counters_and_caches(net=Counts, x=V):
    return net(x)


class Functional(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = ops.relu
        self.fns = [ops.tanh, lambda v: v * 2]
        self.op = ops.ReduceSum(keep_dims=True)
        self.cfg = {"axis": 0, "p": (1, 2)}
        self.shape = (3,)

    def construct(self, x):
        for f in self.fns:
            x = f(x)
        return self.act(x) + self.op(x, self.cfg["axis"]) * self.cfg["p"][1] + ops.zeros(self.shape)


def program_functions_as_attributes(net=Functional, x=V):
    return net(x)
