"""The scalar functions that kernels may use: what each computes on NumPy's scalars, and its derivative.

A derivative takes a `Writer`, the value itself, its operands and its cotangent, and gives the cotangents of the
operands (None for none).  It is written in words again, so that it has a derivative, too.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)


class Word(NamedTuple):
    """A scalar function.

    Attributes:
        numpy: The same of NumPy's scalars.
        arity: How many operands it takes.
        grad: Its derivative; None if that is 0 wherever it exists.
        result: "same" (a type of the operands) or "bool".
        floats: Whether the operands must be floats.
    """

    numpy: Callable[..., Any]
    arity: int
    grad: Callable[..., Any] | None = None
    result: str = "same"
    floats: bool = True


def _like(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function of Python's floats, for NumPy's, in their type."""
    return lambda x: x.dtype.type(f(x)) if isinstance(x, np.generic) else f(x)


def _power_grad(w: Any, y: Any, a: Any, b: Any, d: Any) -> tuple[Any, ...]:
    base = w.op("mul", d, w.op("mul", b, w.op("power", a, w.op("sub", b, w.like(1, b)))))
    positive = w.op("gt", a, w.like(0, a))
    log = w.op("log", w.op("where", positive, a, w.like(1, a)))
    return base, w.op("mul", d, w.op("mul", y, log))


def _max_grad(w: Any, y: Any, a: Any, b: Any, d: Any) -> tuple[Any, ...]:
    return _picked(w, w.op("lt", a, b), d)


def _min_grad(w: Any, y: Any, a: Any, b: Any, d: Any) -> tuple[Any, ...]:
    return _picked(w, w.op("gt", a, b), d)


def _picked(w: Any, second: Any, d: Any) -> tuple[Any, ...]:
    zero = w.like(0, d)
    return w.op("where", second, zero, d), w.op("where", second, d, zero)


def _atan2_grad(w: Any, y: Any, a: Any, b: Any, d: Any) -> tuple[Any, ...]:
    scaled = w.op("div", d, w.op("add", w.op("mul", a, a), w.op("mul", b, b)))
    return w.op("mul", scaled, b), w.op("neg", w.op("mul", scaled, a))


def _times(f: Callable[..., Any]) -> Callable[..., Any]:
    """The derivative d * f(w, y, x)."""
    return lambda w, y, x, d: (w.op("mul", d, f(w, y, x)),)


def _erf_slope(w: Any, y: Any, x: Any) -> Any:
    return w.op("mul", w.like(_TWO_OVER_ROOT_PI, x), w.op("exp", w.op("neg", w.op("mul", x, x))))


WORDS: dict[str, Word] = {
    # arithmetic
    "add": Word(lambda a, b: a + b, 2, lambda w, y, a, b, d: (d, d), floats=False),
    "sub": Word(lambda a, b: a - b, 2, lambda w, y, a, b, d: (d, w.op("neg", d)), floats=False),
    "mul": Word(lambda a, b: a * b, 2, lambda w, y, a, b, d: (w.op("mul", d, b), w.op("mul", d, a)), floats=False),
    "div": Word(np.divide, 2, lambda w, y, a, b, d: (
        w.op("div", d, b), w.op("neg", w.op("div", w.op("mul", d, y), b)))),
    "neg": Word(lambda a: -a, 1, lambda w, y, a, d: (w.op("neg", d),), floats=False),
    "floordiv": Word(lambda a, b: a // b, 2, floats=False),
    "mod": Word(lambda a, b: a % b, 2, lambda w, y, a, b, d: (
        d, w.op("neg", w.op("mul", d, w.op("floordiv", a, b)))), floats=False),
    "power": Word(np.power, 2, _power_grad),
    "max": Word(lambda a, b: b if a < b else a, 2, _max_grad, floats=False),
    "min": Word(lambda a, b: b if a > b else a, 2, _min_grad, floats=False),
    "abs": Word(abs, 1, lambda w, y, a, d: (w.op("mul", d, w.op("sign", a)),), floats=False),
    "sign": Word(np.sign, 1, floats=False),
    # comparisons, logic, choice
    **{name: Word(f, 2, result="bool", floats=False) for name, f in {
        "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
        "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
        "and": lambda a, b: a and b, "or": lambda a, b: a or b}.items()},
    "not": Word(lambda a: not a, 1, result="bool", floats=False),
    "where": Word(lambda c, a, b: a if c else b, 3, lambda w, y, c, a, b, d: (
        None, w.op("where", c, d, w.like(0, d)), w.op("where", c, w.like(0, d), d)), floats=False),
    "isnan": Word(np.isnan, 1, result="bool"), "isinf": Word(np.isinf, 1, result="bool"),
    "isfinite": Word(np.isfinite, 1, result="bool"),
    # functions
    "exp": Word(np.exp, 1, _times(lambda w, y, x: y)),
    "expm1": Word(np.expm1, 1, _times(lambda w, y, x: w.op("add", y, w.like(1, y)))),
    "log": Word(np.log, 1, lambda w, y, x, d: (w.op("div", d, x),)),
    "sqrt": Word(np.sqrt, 1, lambda w, y, x, d: (w.op("div", w.op("mul", w.like(0.5, d), d), y),)),
    "rsqrt": Word(lambda x: 1 / np.sqrt(x), 1, _times(
        lambda w, y, x: w.op("mul", w.like(-0.5, y), w.op("mul", y, w.op("mul", y, y))))),
    "tanh": Word(np.tanh, 1, _times(lambda w, y, x: w.op("sub", w.like(1, y), w.op("mul", y, y)))),
    "sigmoid": Word(lambda x: 1 / (1 + np.exp(-x)), 1, _times(
        lambda w, y, x: w.op("mul", y, w.op("sub", w.like(1, y), y)))),
    "erf": Word(_like(math.erf), 1, _times(_erf_slope)),
    "sin": Word(np.sin, 1, _times(lambda w, y, x: w.op("cos", x))),
    "cos": Word(np.cos, 1, _times(lambda w, y, x: w.op("neg", w.op("sin", x)))),
    "atan": Word(np.arctan, 1, lambda w, y, x, d: (
        w.op("div", d, w.op("add", w.like(1, x), w.op("mul", x, x))),)),
    "atan2": Word(np.arctan2, 2, _atan2_grad),
    "floor": Word(np.floor, 1), "ceil": Word(np.ceil, 1), "trunc": Word(np.trunc, 1), "round": Word(np.round, 1),
}

# What the language calls by these names beside its operators.
CALLED = ("power", "max", "min", "abs", "sign", "isnan", "isinf", "isfinite", "exp", "expm1", "log", "sqrt", "rsqrt",
          "tanh", "sigmoid", "erf", "sin", "cos", "atan", "atan2", "floor", "ceil", "trunc", "round")
