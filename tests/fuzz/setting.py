# ruff: noqa  # it is prepended to every drawn program, which uses what is imported here
"""What every drawn program finds around it."""

import contextlib
import copy
import dataclasses
import functools
import math
import operator
from collections import Counter, deque, namedtuple

import numpy as np

from mindspore import ops

Pair = namedtuple("Pair", ["u", "v"])
COUNT = 0


class Box:
    def __init__(self, v):
        self.v = v
        self.parts = [v]

    @property
    def twice(self):
        return self.v * 2

    def add(self, amount):
        self.v = self.v + amount
        return self

    def __enter__(self):
        self.v = self.v * 0.5
        return self

    def __exit__(self, kind, error, trace):
        self.v = self.v + 1
        return kind is KeyError


def rows(v, count):
    for k in range(count):
        yield v * k


def strict(v, limit):
    if v.sum() > limit:
        raise KeyError(limit)
    return v * 0.5


def until(v):
    return v if not v.sum() < 3 else until(abs(v) + 1)


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


@dataclasses.dataclass
class Point:
    u: object
    k: int = 2
    parts: list = dataclasses.field(default_factory=list)

    def moved(self, by):
        self.parts.append(by)
        self.u = self.u + by * self.k
        return self


class Wide(Box):
    def __init__(self, v, factor=2):
        super().__init__(v * factor)
        self.factor = factor

    @property
    def twice(self):
        return super().twice + self.factor

    @property
    def half_of(self):
        return self.v * 0.5

    @half_of.setter
    def half_of(self, v):
        self.v = v * 2

    @classmethod
    def of(cls, *parts):
        return cls(sum(parts))

    @staticmethod
    def half(v):
        return v * 0.5

    def add(self, amount):
        super().add(amount * self.factor)
        return self

    def __call__(self, v):
        return v * self.factor - self.v

    def __getitem__(self, k):
        return [self.v, *self.parts][k]

    def __len__(self):
        return 1 + len(self.parts)

    def __add__(self, other):
        return Wide(self.v + other.v, self.factor)

    def __bool__(self):
        return bool(self.v.sum() > 0)


class Named:
    kind = "plain"

    def add(self, amount):
        self.late = amount
        return super().add(amount * 0.5)

    def label(self):
        return f"{self.kind}-{type(self).__name__}"


class Both(Named, Wide):
    kind = "both"

    @functools.cached_property
    def once(self):
        return self.v * self.factor

    def __eq__(self, other):
        return isinstance(other, Both) and self.factor == other.factor

    def __hash__(self):
        return self.factor

    def __contains__(self, k):
        return k == self.factor


class Slotted:
    __slots__ = ("k", "v")

    def __init__(self, v, k=1):
        self.v, self.k = v, k

    def __mul__(self, other):
        return Slotted(self.v * other, self.k + 1)

    def __rmul__(self, other):
        return self * other

    def __iter__(self):
        yield self.v
        yield self.v * self.k


class Table(dict):
    def __missing__(self, key):
        return self["k"] * 0.5


class Refused(KeyError):
    def __init__(self, v, k):
        super().__init__(k)
        self.v, self.k = v, k


@contextlib.contextmanager
def halved(box):
    before, box.v = box.v, box.v * 0.5
    try:
        yield box
    finally:
        box.v = before


def twice_over(fn):
    @functools.wraps(fn)
    def run(v, **more):
        return fn(fn(v, **more), **more)

    return run


def scaled(by=0.5):
    return lambda fn: lambda *args: fn(*args) * by


def even(v, k):
    return v if k == 0 else odd(v * 0.5, k - 1)


def odd(v, k):
    return -v if k == 0 else even(v + 1, k - 1)


def down(v):
    return v if not v.sum() > 1 else up(ops.tanh(v) - 0.5)


def up(v):
    return v if not v.sum() > 0.5 else down(v - 0.25)


def counted(v):
    global COUNT
    COUNT += 1
    return v * COUNT


def grown(v, k, into=None):
    into = [] if into is None else into
    into.append(v)
    return sum(into) if k == 0 else grown(v * 0.5, k - 1, into)


# ---------------------------------------------------------------- in MindSpore only
import mindspore
from mindspore import Parameter, Tensor, grad, jit, jit_class, nn, value_and_grad, vmap

P = Parameter(Tensor([0.5, -1.0, 2.0], mindspore.float64), name="P")
SEEN = []


class Half(nn.Cell):
    def construct(self, v):
        return v * 0.5


class Kept(nn.Cell):
    def __init__(self):
        super().__init__()
        self.last = Tensor([1.0, 0.0, -1.0], mindspore.float64)
        self.count = 0

    def construct(self, v):
        out = v - self.last
        self.last = v * 0.25
        self.count += 1
        return out


class Branching(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale = Parameter(Tensor([1.5, 0.5, -1.0], mindspore.float64), name="scale")
        self.count = Parameter(Tensor(0, mindspore.int64), name="count")
        self.layers = nn.SequentialCell(Half(), nn.Tanh())

    def construct(self, v, limit=0):
        self.count += 1
        if v.sum() > limit:
            self.scale = self.scale * 0.5
            return v * self.scale
        for layer in self.layers:
            v = layer(v)
            if v[0] > 0.2:
                break
        return v + self.scale


class Bent(nn.Cell):
    def construct(self, v):
        return v * v if v[1] > 0 else v * 2

    def bprop(self, v, out, dout):
        return (dout * out * 0.5,)


@jit_class
class Scaled:
    def __init__(self, k):
        self.k = k
        self.last = None

    def times(self, v):
        if self.last is None or v.sum() > 0:
            self.last = v
        return self.last * self.k


@jit
def doubled(v, k=1):
    for _ in range(k):
        if v.sum() > 2:
            return v
        v = v * 2
    return v


PAIRED = ops.MultitypeFuncGraph("paired")


@PAIRED.register("Tensor", "Tensor")
def paired_tensors(u, v):
    return u * v + 1


@PAIRED.register("Number", "Tensor")
def paired_number(k, v):
    return v * k


class Again(nn.Cell):
    def construct(self, v):
        return ops.tanh(v) * v


AGAIN = Again()
AGAIN.recompute()
NET, BENT, SCALED = Branching(), Bent(), Scaled(2)
SCALE = NET.scale
CELLS = nn.CellList([Half(), nn.Tanh(), Half()])
KEPT = Kept()


def reset():
    global COUNT
    mindspore.set_seed(7)
    P.set_data(Tensor([0.5, -1.0, 2.0], mindspore.float64))
    NET.scale = SCALE                   # a program may have put another parameter there
    SCALE.set_data(Tensor([1.5, 0.5, -1.0], mindspore.float64))
    NET.count.set_data(Tensor(0, mindspore.int64))
    del KEPT.last                       # a parameter there would take over the elements of what is assigned
    KEPT.last, KEPT.count = Tensor([1.0, 0.0, -1.0], mindspore.float64), 0
    SCALED.last, COUNT = None, 0
    SEEN.clear()


def state():
    last = () if SCALED.last is None else SCALED.last
    return [P, KEPT.last, KEPT.count, len(SEEN), NET.scale, NET.count, last, COUNT]
