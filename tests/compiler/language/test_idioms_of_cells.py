# ruff: noqa  # programs as users write them
"""What people use of Python to build networks: configurations, inheritance, wrappers, properties."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import Cfg, W
from mindspore import Parameter


def test_both_modes_agree(program, alike):
    alike(program)


# dataclass configs
ACTS = {"relu": ops.relu, "gelu": lambda x: ops.gelu(x), "tanh": nn.Tanh()}


class MLP(nn.Cell):
    def __init__(self, c):
        super().__init__()
        self.c = c
        dims = [c.d] + [c.width(i) for i in range(c.depth)]
        self.fcs = nn.CellList(
            [nn.Dense(a, b, weight_init=W(b, a), bias_init="zeros") for a, b in zip(dims[:-1], dims[1:])]
        )

    def construct(self, x):
        for i, fc in enumerate(self.fcs):
            x = fc(x)
            if i + 1 < self.c.depth:
                x = ACTS[self.c.act](x)
        return x if not self.c.drop else ops.dropout(x, self.c.drop)


def program_cfg():
    return [MLP(c)(W(2, 4)) for c in (Cfg(), Cfg(act="gelu"), Cfg.big(), Cfg(act="tanh", layers=[2]))]


def program_cfg_change():
    c = Cfg()
    n = MLP(c)
    a = n(W(2, 4))
    c.act = "tanh"
    b = n(W(2, 4))
    ACTS["tanh"] = ops.sigmoid
    d = n(W(2, 4))
    ACTS["tanh"] = nn.Tanh()
    return a, b, d


# inheritance
class Base(nn.Cell, ABC):
    registry = {}

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Base.registry[cls.__name__] = cls

    def __init__(self, k=2):
        super().__init__()
        self.k = k

    @abstractmethod
    def feature(self, x): ...
    def construct(self, x):
        return self.post(self.feature(self.pre(x)))

    def pre(self, x):
        return x

    def post(self, x):
        return x * self.k


class A(Base):
    def feature(self, x):
        return x + 1


class B(A):
    def feature(self, x):
        return super().feature(x) * 3

    def post(self, x):
        return super(B, self).post(x) - 1


class LogMixin:
    def log(self, name, v):
        if not hasattr(self, "_logged"):
            self._logged = {}
        self._logged[name] = v
        return v


class NormMixin:
    scale = 10.0

    def pre(self, x):
        return super().pre(x) / self.scale


class Cc(LogMixin, NormMixin, B):
    scale = 5.0

    def construct(self, x):
        y = super().construct(x)
        return self.log("y", y) + self.log("s", y.sum())


def program_inherit():
    c = Cc()
    return (
        A()(W(2)),
        B(3)(W(2)),
        c(W(2)),
        c._logged,
        sorted(Base.registry),
        ms.grad(lambda x: c(x).sum())(W(2)),
    )


class WithCall(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = 0

    def __call__(self, *a, **k):
        self.n += 1
        return super().__call__(*a, **k)

    def construct(self, x, *, s=1):
        return x * s


class UsesCall(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = WithCall()

    def construct(self, x):
        return self.w(x, s=2) + self.w(x)


def program_call_override():
    n = WithCall()
    a = n(W(2)), n(W(2), s=3)
    u = UsesCall()
    return a, n.n, u(W(2)), u(W(2)), u.w.n


class Wrapper(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("net"), name)

    def construct(self, x):
        return self.net(x) * self.k + self.pre(x)


def program_delegate():
    return Wrapper(A(3))(W(2))


class Prop(nn.Cell):
    def __init__(self):
        super().__init__()
        self._s = 1.0
        self.w = Parameter(W(2), name="w")

    @property
    def s(self):
        return self._s * 2

    @s.setter
    def s(self, v):
        self._s = v

    @staticmethod
    def f(x, s):
        return x * s

    @classmethod
    def g(cls, x):
        return cls.f(x, 3)

    @functools.cached_property
    def table(self):
        return ops.arange(2).astype(ms.float32)

    def construct(self, x):
        self.s = self.s + 1
        return self.f(x, self.s) + self.g(x) + self.w + self.table


def program_prop():
    n = Prop()
    return n(W(2)), n(W(2)), n.s, n._s
