"""torch's core operators in ONNX that few networks have."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.core.dtype import float64

from .onnx_aten import FORMS, Values, dtype_of, form
from .onnx_aten_sums import coordinates


def _where(v: Values, test: str, x: str, y: str) -> str:
    return v.add("Where", test, x, y)


@form("signbit")
def _(v: Values, out: Any, x: Any) -> str:
    """Below zero, or the zero whose reciprocal is."""
    a, zero = v.name(x), v.name(0, v.g.avals[v.name(x)].dtype)
    below = v.add("Less", a, zero)
    if not v.g.avals[a].dtype.is_floating:
        return below
    return v.add("Or", below, v.add("Less", v.add("Reciprocal", a), zero))


@form("copysign")
def _(v: Values, out: Any, x: Any, y: Any) -> str:
    size, sign = v.add("Abs", v.name(x, dtype_of(out))), v.name(y, dtype_of(out))
    zero = v.name(0, dtype_of(out))
    below = v.add("Or", v.add("Less", sign, zero), v.add("Less", v.add("Reciprocal", sign), zero))
    return _where(v, below, v.add("Neg", size), size)


@form("angle")
def _(v: Values, out: Any, x: Any) -> str:
    a, dtype = v.name(x, dtype_of(out)), dtype_of(out)
    found = _where(v, v.add("Less", a, v.name(0, dtype)), v.name(math.pi, dtype), v.name(0, dtype))
    return _where(v, v.add("IsNaN", a), a, found)


@form("atan2")
def _(v: Values, out: Any, y: Any, x: Any) -> str:
    """The arc tangent of a quotient, moved by half a turn where x is negative."""
    dtype = dtype_of(out)
    a, b, zero = v.name(y, dtype), v.name(x, dtype), v.name(0, dtype)
    quotient = v.add("Atan", v.add("Div", a, b))
    half = _where(v, v.add("Less", a, zero), v.name(-math.pi, dtype), v.name(math.pi, dtype))
    turned = _where(v, v.add("Less", b, zero), v.add("Add", quotient, half), quotient)
    upright = v.add("Mul", v.add("Sign", a), v.name(math.pi / 2, dtype))
    return _where(v, v.add("Equal", b, zero), upright, turned)


@form("searchsorted", "bucketize")
def _(v: Values, out: Any, line: Any, x: Any, *, out_int32: bool = False, right: bool = False, **more: Any) -> str:
    """How many elements of a sorted line lie before each value."""
    right = right or more.get("side") == "right"
    if len(v.shape(line)) != 1:
        raise NotImplementedError("it searches in several lines")
    column = v.add("Unsqueeze", v.name(x), v.g.integers((-1,)))
    kinds = {v.g.avals[v.name(n)].dtype for n in (line, x)}
    if len(kinds) > 1:
        raise NotImplementedError("it compares values of two types")
    before = v.add("LessOrEqual" if right else "Less", v.name(line), column)
    count = v.add("ReduceSum", v.add("Cast", before, to=7), v.g.integers((-1,)), keepdims=0)
    return v.add("Cast", count, to=6 if out_int32 else 7)


FORMS["bucketize"] = lambda v, out, x, line, **more: FORMS["searchsorted"](v, out, line, x, **more)


@form("index_put", "_unsafe_index_put")
def _(v: Values, out: Any, x: Any, indices: Sequence[Any], value: Any, accumulate: bool = False) -> str:
    axes = [k for k, i in enumerate(indices) if i is not None]
    if axes != list(range(axes[0], axes[0] + len(axes))) or any(
            [indices[k].meta["val"].dtype is torch.bool for k in axes]):
        raise NotImplementedError("it writes to places that ONNX cannot name")
    own, before = v.shape(x), axes[0]
    picked = [indices[k] for k in axes]
    shape = torch.broadcast_shapes(*[v.shape(p) for p in picked])
    count, rest = len(shape), [k for k in range(len(own)) if k not in axes]
    whole = v.g.integers((*own[:before], *shape, *own[before + len(axes):]))
    updates, target = v.add("Expand", v.name(value, dtype_of(out)), whole), v.name(x)
    order = [*axes, *rest]
    if before:
        places = list(range(before + count + len(rest) - before))
        target = v.add("Transpose", target, perm=order)
        updates = v.add("Transpose", updates, perm=[*places[before:before + count], *places[:before],
                                                    *places[before + count:]])
    found = v.add("ScatterND", target, coordinates(v, picked, shape), updates,
                  reduction="add" if accumulate else "none")
    return v.add("Transpose", found, perm=[order.index(k) for k in range(len(own))]) if before else found


@form("as_strided_scatter")
def _(v: Values, out: Any, x: Any, y: Any, shape: Sequence[int], stride: Sequence[int], at: int = 0) -> str:
    count = math.prod(v.shape(x))
    places = torch.as_strided(torch.arange(count), tuple(shape), tuple(stride), at or 0).reshape(-1, 1)
    flat = [v.add("Reshape", v.name(n), v.g.integers((-1,))) for n in (x, y)]
    found = v.add("ScatterND", flat[0], v.constant(places), flat[1])
    return v.add("Reshape", found, v.g.integers(v.shape(x)))


# ---------------------------------------------------------------------- running results

def _until(v: Values, x: Any, axis: int, other: float) -> tuple[str, int]:
    """For each place along an axis all elements up to it along a further axis, `other` behind; and that axis."""
    shape = v.shape(x)
    axis %= max(len(shape), 1)
    n = shape[axis] if shape else 1
    mask = torch.tril(torch.ones(n, n, dtype=torch.bool)).reshape(n, n, *[1] * (len(shape) - 1 - axis))
    rows = v.add("Unsqueeze", v.name(x), v.g.integers((axis,)))
    return v.add("Where", v.constant(mask), rows, v.name(other, v.g.avals[v.name(x)].dtype)), axis + 1


@form("cumprod")
def _(v: Values, out: Any, x: Any, axis: int, *, dtype: Any = None) -> str:
    rows, at = _until(v, x, axis, 1)
    return v.add("ReduceProd", rows, v.g.integers((at,)), keepdims=0)


@form("logcumsumexp")
def _(v: Values, out: Any, x: Any, axis: int) -> str:
    rows, at = _until(v, x, axis, -math.inf)
    return v.add("ReduceLogSumExp", rows, v.g.integers((at,)), keepdims=0)


def _running(values: str, places: str, other: float) -> Any:
    """Running extremes and their places, of equal ones the last."""
    def written(v: Values, out: Any, x: Any, axis: int) -> Any:
        rows, at = _until(v, x, axis, other)
        return (v.add(values, rows, v.g.integers((at,)), keepdims=0),
                v.add(places, rows, axis=at, keepdims=0, select_last_index=1))
    return written


FORMS |= {"cummax": _running("ReduceMax", "ArgMax", -math.inf), "cummin": _running("ReduceMin", "ArgMin", math.inf)}


@form("_cdist_forward")
def _(v: Values, out: Any, x: Any, y: Any, p: float, mode: Any = None) -> str:
    """The p-norms of all differences of rows."""
    dtype = dtype_of(out)
    rows = [v.add("Unsqueeze", v.name(n), v.g.integers((axis,))) for n, axis in ((x, -2), (y, -3))]
    gaps, last = v.add("Abs", v.add("Sub", *rows)), v.g.integers((-1,))
    if math.isinf(p):
        return v.add("ReduceMax", gaps, last, keepdims=0)
    if p == 0:
        raise NotImplementedError("it counts the elements that differ")
    total = v.add("ReduceSum", v.add("Pow", gaps, v.name(p, dtype)), last, keepdims=0)
    return v.add("Pow", total, v.name(1 / p, dtype))


# ---------------------------------------------------------------------- integers, and functions by approximation

@form("bitwise_left_shift", "__lshift__")
def _(v: Values, out: Any, x: Any, y: Any) -> str:
    """A product with a power of two, exact for what the type holds."""
    power = v.add("Pow", v.name(2, dtype_of(out)), v.name(y, dtype_of(out)))
    return v.add("Mul", v.name(x, dtype_of(out)), power)


@form("bitwise_right_shift", "__rshift__")
def _(v: Values, out: Any, x: Any, y: Any) -> str:
    """A quotient by a power of two, rounded down."""
    a, power = v.name(x, dtype_of(out)), v.add("Pow", v.name(2, dtype_of(out)), v.name(y, dtype_of(out)))
    return v.add("Div", v.add("Sub", a, v.add("Mod", a, power)), power)


# Lanczos's approximation of the logarithm of the gamma function, g = 7, of nine terms (Godfrey's coefficients)
_LANCZOS = (676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
            -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7)


def _lanczos(v: Values, x: str) -> str:
    """log gamma(x) of doubles above 1/2."""
    z = v.add("Sub", x, v.name(1.0, float64))
    total = v.name(0.99999999999980993, float64)
    for k, c in enumerate(_LANCZOS, 1):
        total = v.add("Add", total, v.add("Div", v.name(c, float64), v.add("Add", z, v.name(float(k), float64))))
    t = v.add("Add", z, v.name(7.5, float64))
    power = v.add("Mul", v.add("Add", z, v.name(0.5, float64)), v.add("Log", t))
    head = v.add("Sub", v.add("Add", power, v.name(0.5 * math.log(2 * math.pi), float64)), t)
    return v.add("Add", head, v.add("Log", total))


@form("lgamma")
def _(v: Values, out: Any, x: Any) -> str:
    """By Lanczos's approximation, and Euler's reflection below 1/2."""
    a, half, one = v.name(x, float64), v.name(0.5, float64), v.name(1.0, float64)
    low = v.add("Less", a, half)
    mirrored = v.add("Where", low, v.add("Sub", one, a), a)
    found = _lanczos(v, mirrored)
    fraction = v.add("Sub", a, v.add("Floor", a))
    sine = v.add("Sin", v.add("Cast", v.add("Mul", fraction, v.name(math.pi, float64)), to=1))
    reflected = v.add("Sub", v.name(math.log(math.pi), float64), v.add("Add", v.add("Log", v.add(
        "Cast", v.add("Abs", sine), to=11)), found))
    return v.add("Cast", v.add("Where", low, reflected, found), to={torch.float32: 1, torch.float64: 11}[out.dtype])


@form("erfinv")
def _(v: Values, out: Any, x: Any) -> str:
    """By Giles's polynomials (2010), for single precision."""
    dtype = dtype_of(out)
    a, one = v.name(x, dtype), v.name(1.0, dtype)
    w = v.add("Neg", v.add("Log", v.add("Mul", v.add("Sub", one, a), v.add("Add", one, a))))
    near = _polynomial(v, v.add("Sub", w, v.name(2.5, dtype)), _NEAR, dtype)
    far = _polynomial(v, v.add("Sub", v.add("Sqrt", w), v.name(3.0, dtype)), _FAR, dtype)
    found = v.add("Mul", _where(v, v.add("Less", w, v.name(5.0, dtype)), near, far), a)
    ends = v.add("Mul", a, v.name(math.inf, dtype))
    return _where(v, v.add("Equal", v.add("Abs", a), one), ends, found)


_NEAR = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
         -0.00417768164, 0.246640727, 1.50140941)
_FAR = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
        1.00167406, 2.83297682)


def _polynomial(v: Values, x: str, factors: Sequence[float], dtype: Any) -> str:
    """A polynomial by Horner's scheme, the highest power first."""
    found = v.name(factors[0], dtype)
    for factor in factors[1:]:
        found = v.add("Add", v.add("Mul", found, x), v.name(factor, dtype))
    return found

