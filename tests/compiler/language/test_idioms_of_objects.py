# ruff: noqa  # programs as users write them
"""What people use of Python inside of a network: containers, contexts, patterns, operators of their own classes."""

from __future__ import annotations

import contextlib
import copy
import math
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from inputs import Cfg, T, W
from mindspore import Parameter, ParameterTuple, Tensor


def test_both_modes_agree(program, alike):
    alike(program)


# containers
@ms.jit
def cont(x, cfgs={"a": 1, "b": (2, 3)}):
    d = defaultdict(list)
    od = OrderedDict()
    c = Counter("aab")
    for k, v in cfgs.items():
        d[k].append(x * (v if isinstance(v, int) else sum(v)))
    od["z"] = x
    od["a"] = x + 1
    od.move_to_end("z")
    s = {1, 2} | {2, 3}
    fs = frozenset(s) - {1}
    l = [x] * 2
    l[1:] = [x + 1, x + 2]
    l.insert(0, x - 1)
    m = l.pop()
    l.extend(d["a"])
    l.reverse()
    a, *b, e = l
    nested = {**od, "n": {"k": [v for v in b]}}
    nested["n"]["k"][0] = nested["n"]["k"][0] * 10
    return (
        list(od),
        c.most_common(1),
        sorted(fs),
        l,
        nested,
        m,
        (a, e),
        d["b"],
        list(reversed([1, 2])),
        dict(zip("ab", (x, x))),
        any([False, True]),
        max([1, 5, 3], key=lambda v: -v),
        sorted([3, 1, 2], reverse=True),
        [*map(lambda p: p[0] * p[1], enumerate([x, x]))],
    )


def program_cont():
    return cont(W(2)), cont(W(2), {"a": 4, "b": (1,)})


# state/ctx/try
class Scope:
    level = 0

    def __enter__(self):
        Scope.level += 1
        return self

    def __exit__(self, *a):
        Scope.level -= 1
        return False


@ms.jit
def ctx(x):
    with Scope() as s, contextlib.suppress(KeyError), contextlib.nullcontext(3) as k:
        x = x * Scope.level + k
        {}["a"]
    try:
        v = {"a": x}["b"]
    except KeyError as e:
        v = x + len(str(e))
    else:
        v = x
    finally:
        v = v * 2
    for i in range(5):
        if i == 3:
            break
    else:
        v = v * 100
    while i > 0:
        i -= 1
        if i == 1:
            continue
        v = v + i
    else:
        v = v - 1
    return v, Scope.level


def program_ctx2():
    return ctx(W(2))


@ms.jit
def mat(x, cmd):
    match cmd:
        case {"op": "scale", "by": by}:
            return x * by
        case ["add", n] | ("plus", n):
            return x + n
        case int(n) if n > 3:
            return x - n
        case Cfg(d=4, act=a):
            return x * len(a)
        case None:
            return x
        case _:
            return -x


def program_match():
    return [mat(W(2), c) for c in ({"op": "scale", "by": 3}, ["add", 2], ("plus", 1), 5, 2, Cfg(), None, "q")]


@ms.jit
def walrus(x):
    if (n := x.shape[0]) > 1 and (m := x.sum()) > -100:
        x = x * n + m
    r = [y for v in x if (y := v * 2).shape == (3,)]
    z = 1 < n <= 5 != 7
    q = x if not z else (x, n)[0]
    return (
        q,
        r,
        z,
        [*range(3)],
        (lambda *a, k=2, **kw: sum(a) * k + kw["z"])(x, x, z=1),
        x[..., None].shape,
        x[::-1] if False else x[1:, ::2],
        -(x**2),
        ~(x > 0),
        x @ x.T,
    )


def program_walrus():
    return walrus(W(2, 3))


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __matmul__(self, o):
        return (self.x * o.x + self.y * o.y).sum()

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __iter__(self):
        return iter((self.x, self.y))

    def __len__(self):
        return 2

    def __bool__(self):
        return True

    def __eq__(self, o):
        return isinstance(o, Vec)

    def __call__(self, k):
        return self * k

    def __contains__(self, v):
        return v is self.x

    def __neg__(self):
        return Vec(-self.x, -self.y)


@ms.jit
def vecs(x):
    a = Vec(x, x + 1)
    b = 2 * a + a(3) + -a
    p, q = b
    a += b
    return a @ b, p, q[0], len(a), a == b, x in a, a[1], bool(a), sum(v.sum() for v in b)


def program_vecs():
    return vecs(W(2)), ms.grad(lambda x: vecs(x)[0])(W(2))


class Tree:
    def __init__(self, v, l=None, r=None):
        self.v, self.l, self.r = v, l, r


@ms.jit
def tree_sum(x):
    def build(d):
        return None if d == 0 else Tree(x * d, build(d - 1), build(d - 1))

    def total(t):
        return 0 if t is None else t.v + total(t.l) + total(t.r)

    def depth(t):
        return 0 if not t else 1 + max(depth(t.l), depth(t.r))

    t = build(3)
    return total(t), depth(t)


def program_tree():
    return tree_sum(W(2)), ms.grad(lambda x: tree_sum(x)[0].sum())(W(2))


def program_while_queue():
    @ms.jit
    def f(x):
        q = [(x, 0)]
        out = []
        while q:
            v, d = q.pop(0)
            if d < 2:
                q += [(v * 2, d + 1), (v + 1, d + 1)]
            else:
                out.append(v)
        return ops.stack(out)

    return f(W(2))


def program_sets_of_params():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.ps = {"a": Parameter(W(2), name="pa"), "b": Parameter(W(2, k=1), name="pb")}
            self.pl = ParameterTuple([Parameter(W(2, k=2), name="pc")])

        def construct(self, x):
            for k, p in sorted(self.ps.items()):
                x = x * p + len(k)
            for p in self.pl:
                x = x + p
            return x

    n = N()
    return n(W(2)), ms.grad(lambda x: n(x).sum(), None, tuple(n.ps.values()) + tuple(n.pl))(W(2))


def program_cell_in_dict():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.heads = nn.CellDict(
                {"a": nn.Dense(2, 1, weight_init=W(1, 2), bias_init="zeros"), "b": nn.ReLU()}
            )
            self.plain = {"t": ops.tanh, "s": nn.Sigmoid()}
            setattr(self, "extra_0", nn.Dense(2, 2, weight_init=W(2, 2), bias_init="ones"))

        def construct(self, x, which=None):
            r = {k: h(x) for k, h in self.heads.items() if which is None or k == which}
            r["p"] = self.plain["t"](x) + self.plain["s"](x)
            r["e"] = getattr(self, f"extra_{0}")(x)
            r["h"] = hasattr(self, "nothing")
            return r

    n = N()
    return n(W(3, 2)), n(W(3, 2), which="b"), n(W(3, 2), "a")


def program_kwargs():
    class N(nn.Cell):
        def construct(self, *xs, scale=1, **kw):
            t = sum(xs) * scale
            for k in sorted(kw):
                t = t + kw[k] * len(k)
            return t

    n = N()
    return n(W(2), W(2)), n(W(2), scale=3, ab=W(2)), n(*[W(2)] * 3, **{"c": 1.5})


def program_copy():
    @ms.jit
    def f(x):
        l = [x, [x + 1]]
        a = copy.copy(l)
        b = copy.deepcopy(l)
        a[1].append(x)
        b[1].append(x * 2)
        d = {"k": l}
        e = d.copy()
        e["j"] = 1
        f2 = dict(d, z=2)
        return l, len(a), b, sorted(e), sorted(f2), l[1] is a[1], l[1] is b[1]

    return f(W(2))


def program_math():
    @ms.jit
    def f(x):
        n = x.shape[0]
        k = math.sqrt(n) + math.pi
        m = np.sqrt(4.0) + np.prod(x.shape)
        a = np.arange(n).tolist()
        return (
            x * k,
            x / m,
            [v * x for v in a],
            int(np.log2(8)),
            divmod(n, 2),
            round(2.567, 1),
            abs(-3),
            pow(2, 3, 5),
            math.ceil(n / 2),
            sum(x.shape),
            min(n, 2),
            float("inf") > n,
            bin(n),
            isinstance(n, int),
            x * np.float32(2),
            x + np.array([1.0, 2.0], np.float32),
            n.__class__.__name__,
        )

    return f(W(2))


class WithCall2(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = 0
        self.w = Parameter(T(2), name="w")

    def __call__(self, x, twice=False):
        y = nn.Cell.__call__(self, x * 2)
        self.n += 1
        if twice:
            y = super().__call__(y)
        return y

    def construct(self, x):
        return x * self.w


def program_call_override2():
    n = WithCall2()
    return (
        n(W(2)),
        n(W(2), True),
        n.n,
        ms.grad(lambda x: n(x).sum(), 0, n.trainable_params())(W(2)),
        ms.jit(n)(W(2)),
        n.n,
    )
