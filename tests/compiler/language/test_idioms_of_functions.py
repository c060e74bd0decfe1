# ruff: noqa  # programs as users write them
"""What people use of Python around a network: globals, closures, generators, texts, enumerations."""

from __future__ import annotations

import functools
import itertools
from enum import Enum, IntEnum
from typing import NamedTuple

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from inputs import W


def test_both_modes_agree(program, alike):
    alike(program)


# globals
FACTOR = 2.0
TABLE = [1, 2, 3]
MODE = "train"
COUNT = 0


@ms.jit
def use_globals(x):
    return x * FACTOR + TABLE[-1] if MODE == "train" else x - len(TABLE)


def program_globals():
    global FACTOR, MODE
    out = [use_globals(W(2))]
    FACTOR = 3.0
    out.append(use_globals(W(2)))
    TABLE.append(9)
    out.append(use_globals(W(2)))
    MODE = "eval"
    out.append(use_globals(W(2)))
    FACTOR, MODE = 2.0, "train"
    TABLE.pop()
    return out


@ms.jit
def inc_global(x):
    global COUNT
    COUNT += 1
    return x * COUNT


def program_global_write():
    global COUNT
    COUNT = 0
    r = [inc_global(W(2)) for _ in range(3)]
    return r, COUNT


# closures
def make(n):
    fs = []
    for i in range(n):
        fs.append(lambda x, i=i: x * i)
    for i in range(n):
        fs.append(lambda x: x + i)
    return fs


@ms.jit
def closures(x):
    return sum(f(x) for f in make(3))


def program_closures():
    return closures(W(2)), ms.grad(lambda x: closures(x).sum())(W(2))


def program_counter_closure():
    def counter():
        c = 0

        def step(x):
            nonlocal c
            c += 1
            return x * c

        return step

    @ms.jit
    def f(x):
        s = counter()
        return s(x) + s(x) + s(x)

    return f(W(2))


def compose(*fs):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), fs)


def program_compose():
    f = ms.jit(compose(ops.relu, lambda x: x * 2, functools.partial(ops.clamp, max=1.5), ops.exp))
    return f(W(3)), ms.grad(lambda x: f(x).sum())(W(3))


def logged(tag):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a, **k):
            r = fn(*a, **k)
            return r + len(tag) if not isinstance(r, tuple) else r

        inner.tag = tag
        return inner

    return deco


class Deco(nn.Cell):
    @logged("abc")
    @logged("x")
    def construct(self, x, y=2):
        return x * y


def program_deco():
    return Deco()(W(2)), Deco()(W(2), y=3), Deco.construct.tag


# generators
def windows(x, k):
    for i in range(x.shape[0] - k + 1):
        yield i, x[i : i + k]


@ms.jit
def conv_gen(x, w):
    return ops.stack([(win * w).sum() for _, win in windows(x, w.shape[0])])


def program_gen():
    return conv_gen(W(6), W(3, k=1)), ms.grad(lambda x, w: conv_gen(x, w).sum(), (0, 1))(W(6), W(3, k=1))


@ms.jit
def gens(x):
    it = (v * 2 for v in x if True)
    first = next(it)
    rest = list(it)
    e = itertools.chain([first], rest)
    pairs = list(zip(itertools.count(1), e))
    acc = list(itertools.accumulate([p[1] for p in pairs], lambda a, b: a * 0.5 + b))
    return (
        acc[-1],
        pairs[-1],
        [a for a, _ in itertools.groupby([1, 1, 2, 3, 3])],
        list(itertools.islice(itertools.cycle([x[0], x[1]]), 3)),
        next(iter([]), x),
    )


def program_gens():
    return gens(W(3, 2))


@ms.jit
def yf(x):
    def inner():
        r = yield x
        yield x * 2 if r is None else x * r
        return "done"

    def outer():
        res = yield from inner()
        yield res

    g = outer()
    a = next(g)
    b = g.send(5)
    c = next(g)
    return a, b, c


def program_yield_from():
    return yf(W(2))


# strings
@ms.jit
def strs(x, name="net"):
    d = {"shape": x.shape, "n": x.ndim}
    s = f"{name!r:>8}|{x.shape[0]:03d}|{3.14159:.2f}|{x.dtype}"
    t = "%s-%d-%5.1f" % (name, x.ndim, 2.5)
    u = "{0}/{shape}/{1:>4}".format(name, 7, **d)
    key = "_".join(["w", str(x.shape[1]), name.upper()])
    return (
        x * len(s),
        s,
        t,
        u,
        key,
        name.startswith("n"),
        name.split("e"),
        name[::-1],
        "a" in name,
        name.replace("n", "m"),
        key.partition("_")[2],
    )


def program_strs():
    return strs(W(2, 3)), strs(W(2, 3), name="other")


# enums, namedtuple
class Kind(Enum):
    A = "a"
    B = "b"


class Lv(IntEnum):
    LO = 1
    HI = 5


class Out(NamedTuple):
    loss: object
    logits: object = None

    def scaled(self, k):
        return self._replace(loss=self.loss * k)


@ms.jit
def enums(x, kind=Kind.A, lv=Lv.HI):
    y = x * lv if kind is Kind.A else x + lv.value
    o = Out(y.sum(), y)
    return o.scaled(2), o, kind == Kind("a"), lv > Lv.LO, kind.name, o._asdict()["loss"]


def program_enums():
    r = enums(W(2))
    return r[0].loss, r[1], r[2:], type(r[0]).__name__, enums(W(2), Kind.B, Lv.LO)[0][0]


def program_out_grad():
    return ms.grad(lambda x: enums(x)[0].loss)(W(2)), ms.value_and_grad(
        lambda x: (enums(x)[1].loss, enums(x)[1].logits), has_aux=True
    )(W(2))
