"""torch's core operators, computed by operators that have forms in files.

A form takes the meta tensor of the result (or several) and the arguments, tensors being values of a graph.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.core.dtype import DType, bool_, from_torch, int64
from mindspore.ir import Node
from mindspore.operators.registry import REGISTRY

FORMS: dict[str, Callable[..., Any]] = {}
# Those that state extents, which must be known then.
SIZED = {"view", "_unsafe_view", "reshape", "unsqueeze", "squeeze", "expand", "copy", "split", "split_with_sizes",
         "as_strided", "full_like", "zeros_like", "ones_like", "new_zeros", "new_ones", "new_full", "full", "zeros",
         "ones", "arange", "var", "sort", "index", "_unsafe_index", "index_put", "_unsafe_index_put", "scatter",
         "scatter_add", "slice_scatter", "select_scatter", "diagonal", "slice", "constant_pad_nd", "as_strided_scatter",
         "argmax", "argmin", "max", "min", "mv", "select", "var_mean", "native_group_norm", "native_layer_norm",
         "avg_pool2d", "repeat", "cat", "empty", "empty_like", "empty_strided", "empty_permuted", "new_empty",
         "new_empty_strided", "fill"}


def apply(name: str, *inputs: Any, **attrs: Any) -> Any:
    """An operator, by its name."""
    op: Any = REGISTRY[name]
    return op(*inputs, **attrs)


def form(*kinds: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register how operators of torch are computed."""
    def register(fn: Callable[..., Any]) -> Callable[..., Any]:
        FORMS.update(dict.fromkeys(kinds, fn))
        return fn
    return register


def dtype_of(out: Any) -> DType:
    """The dtype of a meta tensor."""
    return from_torch(out.dtype)


def cast(x: Any, dtype: DType) -> Any:
    """A value in a dtype; a number unchanged."""
    if type(x) is not Node:
        return x if not isinstance(x, bool) else number(x, dtype)
    return x if x.aval.dtype is dtype else apply("Cast", x, dtype=dtype)


def number(x: Any, dtype: DType) -> Node:
    """A number as a tensor."""
    return apply("Constant", values=(x,), shape=(), dtype=dtype)


def tensor(x: Any, dtype: DType) -> Node:
    """A value in a dtype, a number as a tensor."""
    return cast(x, dtype) if type(x) is Node else number(x, dtype)


def shaped(x: Any, shape: Sequence[Any]) -> Any:
    """The same elements in another shape."""
    return x if tuple(x.aval.shape) == tuple(shape) else apply("Reshape", x, shape=tuple(shape))


def spread(x: Any, shape: Sequence[Any]) -> Any:
    """A value, repeated to a shape."""
    return x if tuple(x.aval.shape) == tuple(shape) else apply("BroadcastTo", x, shape=tuple(shape))


# ---------------------------------------------------------------------- elements

def _unary(kind: str) -> Callable[..., Any]:
    return lambda out, x: apply(kind, cast(x, dtype_of(out)) if out.dtype.is_floating_point else x)


def _binary(kind: str, of_bools: str = "") -> Callable[..., Any]:
    def made(out: Any, x: Any, y: Any) -> Any:
        name = of_bools if of_bools and out.dtype is torch.bool else kind
        return apply(name, tensor(x, dtype_of(out)), tensor(y, dtype_of(out)))
    return made


def _comparing(kind: str) -> Callable[..., Any]:
    def made(out: Any, x: Any, y: Any) -> Any:
        kinds = [torch.empty((0,) * bool(n.aval.shape), dtype=n.aval.dtype.torch) if type(n) is Node else n
                 for n in (x, y)]
        dtype = from_torch(torch.result_type(*kinds))
        return apply(kind, tensor(x, dtype), tensor(y, dtype))
    return made


FORMS |= {name: _unary(kind) for name, kind in {
    "neg": "Neg", "abs": "Abs", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "sin": "Sin", "cos": "Cos", "tan": "Tan",
    "asin": "Asin", "acos": "ACos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "asinh": "Asinh", "acosh": "Acosh",
    "atanh": "Atanh", "tanh": "Tanh", "sigmoid": "Sigmoid", "relu": "ReLU", "reciprocal": "Reciprocal", "erf": "Erf",
    "erfc": "Erfc", "ceil": "Ceil", "floor": "Floor", "sign": "Sign", "rsqrt": "Rsqrt", "log1p": "Log1p",
    "expm1": "Expm1", "trunc": "Trunc", "isnan": "IsNan", "isinf": "IsInf", "isfinite": "IsFinite",
    "lgamma": "Lgamma", "digamma": "Digamma"}.items()}
FORMS |= {name: _binary(kind, of_bools) for name, kind, of_bools in (
    ("mul", "Mul", "LogicalAnd"), ("maximum", "Maximum", "LogicalOr"), ("minimum", "Minimum", "LogicalAnd"),
    ("pow", "Pow", ""), ("atan2", "Atan2", ""), ("remainder", "FloorMod", ""), ("hypot", "Hypot", ""),
    ("fmod", "TruncateMod", ""), ("logical_and", "LogicalAnd", ""), ("logical_or", "LogicalOr", ""),
    ("logical_xor", "LogicalXor", ""), ("bitwise_and", "BitwiseAnd", "LogicalAnd"),
    ("bitwise_or", "BitwiseOr", "LogicalOr"), ("bitwise_xor", "BitwiseXor", "LogicalXor"))}
FORMS |= {name: _comparing(kind) for name, kind in {
    "eq": "Equal", "ne": "NotEqual", "lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual"}.items()}


def _sum(kind: str) -> Callable[..., Any]:
    def made(out: Any, x: Any, y: Any, *, alpha: Any = 1) -> Any:
        y = tensor(y, dtype_of(out))
        return apply(kind, tensor(x, dtype_of(out)), y if alpha == 1 else apply("Mul", y, number(alpha, dtype_of(out))))
    return made


def _scaled(kind: str, factor: float) -> Callable[..., Any]:
    return lambda out, x: apply("Mul", apply(kind, cast(x, dtype_of(out))), number(factor, dtype_of(out)))


FORMS |= {"add": _sum("Add"), "sub": _sum("Sub"), "log2": _scaled("Log", 1 / math.log(2)),
          "log10": _scaled("Log", 1 / math.log(10)),
          "exp2": lambda out, x: apply("Exp", apply("Mul", cast(x, dtype_of(out)), number(math.log(2), dtype_of(out)))),
          "round": lambda out, x, *, decimals=0: apply("Round", x, decimals=decimals)}


@form("clone", "alias", "detach", "lift_fresh_copy", "contiguous")
def _(out: Any, x: Any, **_: Any) -> Any:
    return x


@form("_to_copy", "to")
def _(out: Any, x: Any, *_: Any, **__: Any) -> Any:
    return cast(x, dtype_of(out))


@form("div")
def _(out: Any, x: Any, y: Any, *, rounding_mode: str | None = None) -> Any:
    kind = {None: "Div", "floor": "FloorDiv", "trunc": "TruncateDiv"}[rounding_mode]
    return apply(kind, tensor(x, dtype_of(out)), tensor(y, dtype_of(out)))


@form("logical_not", "bitwise_not")
def _(out: Any, x: Any) -> Any:
    return apply("LogicalNot", cast(x, bool_)) if out.dtype is torch.bool else apply("Invert", x)


@form("where")
def _(out: Any, test: Any, x: Any, y: Any) -> Any:
    return apply("Select", cast(test, bool_), tensor(x, dtype_of(out)), tensor(y, dtype_of(out)))


@form("clamp", "clamp_min", "hardtanh")
def _(out: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    found = cast(x, dtype_of(out))
    for bound, kind in ((low, "Maximum"), (high, "Minimum")):
        if bound is not None:
            found = apply(kind, found, tensor(bound, dtype_of(out)))
    return found


FORMS["clamp_max"] = lambda out, x, high: FORMS["clamp"](out, x, None, high)


@form("gelu")
def _(out: Any, x: Any, *, approximate: str = "none") -> Any:
    dtype = dtype_of(out)
    if approximate == "tanh":
        return apply("GeLU", x)
    slope = apply("Erf", apply("Mul", x, number(math.sqrt(0.5), dtype)))
    return apply("Mul", apply("Mul", x, number(0.5, dtype)), apply("Add", slope, number(1.0, dtype)))


@form("elu")
def _(out: Any, x: Any, alpha: float = 1.0, scale: float = 1.0, rate: float = 1.0) -> Any:
    dtype = dtype_of(out)
    below = apply("Mul", apply("Expm1", apply("Mul", x, number(rate, dtype))), number(alpha * scale, dtype))
    return apply("Select", apply("Greater", x, number(0.0, dtype)), apply("Mul", x, number(scale, dtype)), below)


@form("leaky_relu")
def _(out: Any, x: Any, slope: float = 0.01) -> Any:
    dtype = dtype_of(out)
    return apply("Select", apply("Greater", x, number(0.0, dtype)), x, apply("Mul", x, number(float(slope), dtype)))


@form("signbit")
def _(out: Any, x: Any) -> Any:
    """Below zero, or the zero whose reciprocal is."""
    zero = number(0.0, x.aval.dtype)
    return apply("LogicalOr", apply("Less", x, zero), apply("Less", apply("Reciprocal", x), zero))


def _known_of(kind: str) -> Callable[..., Any]:
    """The larger or smaller one; the other one where one is not a number."""
    def made(out: Any, x: Any, y: Any) -> Any:
        x, y = tensor(x, dtype_of(out)), tensor(y, dtype_of(out))
        found = apply(kind, x, y)
        if out.dtype.is_floating_point:
            found = apply("Select", apply("IsNan", x), y, apply("Select", apply("IsNan", y), x, found))
        return found
    return made


FORMS |= {"fmax": _known_of("Maximum"), "fmin": _known_of("Minimum")}


@form("angle")
def _(out: Any, x: Any) -> Any:
    dtype = dtype_of(out)
    sure = apply("Select", FORMS["signbit"](out, x), number(math.pi, dtype), number(0.0, dtype))
    return apply("Select", apply("IsNan", x), x, spread(sure, x.aval.shape))


@form("copysign")
def _(out: Any, x: Any, y: Any) -> Any:
    dtype = dtype_of(out)
    size = apply("Abs", tensor(x, dtype))
    return apply("Select", FORMS["signbit"](out, tensor(y, dtype)), apply("Neg", size), size)


# ---------------------------------------------------------------------- shapes

@form("view", "_unsafe_view", "reshape", "unsqueeze", "squeeze")
def _(out: Any, x: Any, *_: Any) -> Any:
    return shaped(x, tuple(out.shape))


@form("expand")
def _(out: Any, x: Any, *_: Any, **__: Any) -> Any:
    return spread(x, tuple(out.shape))


@form("copy")
def _(out: Any, x: Any, y: Any, *_: Any) -> Any:
    return spread(cast(y, dtype_of(out)), tuple(out.shape))


@form("permute")
def _(out: Any, x: Any, order: Sequence[int]) -> Any:
    return apply("Transpose", x, perm=tuple([p % out.dim() for p in order]))


@form("slice")
def _(out: Any, x: Any, axis: int = 0, start: int | None = None, stop: int | None = None, step: int = 1) -> Any:
    first, last, _ = slice(start, stop, step).indices(x.aval.shape[axis])
    return part(x, axis, first, max(first, last), step)


def part(x: Any, axis: int, start: int, stop: int, step: int = 1) -> Any:
    """A slice along an axis."""
    shape = x.aval.shape
    axis %= len(shape)
    if (start, stop, step) == (0, shape[axis], 1):
        return x
    spec = [(0, n, 1) for n in shape[:axis]]
    return apply("GetItem", x, spec=(*spec, (start, stop, step)))


@form("select")
def _(out: Any, x: Any, axis: int, index: int) -> Any:
    index %= x.aval.shape[axis]
    return shaped(part(x, axis, index, index + 1), tuple(out.shape))


@form("cat")
def _(out: Any, xs: Sequence[Any], axis: int = 0) -> Any:
    held = [cast(x, dtype_of(out)) for x in xs if 0 not in x.aval.shape]
    return held[0] if len(held) == 1 else apply("Concat", *held, axis=axis)


@form("split", "split_with_sizes")
def _(out: Any, x: Any, sizes: Any, axis: int = 0) -> Any:
    found, at = [], 0
    for one in out:
        found.append(part(x, axis, at, at + one.shape[axis]))
        at += one.shape[axis]
    return found


@form("constant_pad_nd")
def _(out: Any, x: Any, pads: Sequence[int], value: Any = 0.0) -> Any:
    rank, dtype = out.dim(), dtype_of(out)
    for k, (before, after) in enumerate(zip(pads[::2], pads[1::2], strict=True)):
        axis = rank - 1 - k
        x = part(x, axis, max(-before, 0), x.aval.shape[axis] - max(-after, 0))
        rows = [None if n <= 0 else full((*x.aval.shape[:axis], n, *x.aval.shape[axis + 1:]), value, dtype)
                for n in (before, after)]
        parts = [v for v in (rows[0], x, rows[1]) if v is not None]
        x = apply("Concat", *parts, axis=axis) if len(parts) > 1 else x
    return x


@form("flip")
def _(out: Any, x: Any, axes: Sequence[int]) -> Any:
    return apply("ReverseV2", x, axis=tuple([a % out.dim() for a in axes]))


@form("repeat")
def _(out: Any, x: Any, counts: Sequence[int]) -> Any:
    shape = x.aval.shape
    return apply("Tile", shaped(x, ((1,) * (len(counts) - len(shape)) + tuple(shape))), dims=tuple(counts))


# ---------------------------------------------------------------------- constants

def full(shape: Sequence[int], value: Any, dtype: DType) -> Any:
    """A tensor of one number."""
    return apply("Full", shape=tuple(shape), value=value, dtype=dtype)


def _filled(value: Any) -> Callable[..., Any]:
    def made(out: Any, *args: Any, **_: Any) -> Any:
        given = args[-1] if value is None else value
        if type(given) is Node:
            return spread(cast(given, dtype_of(out)), tuple(out.shape))
        return full(tuple(out.shape), given, dtype_of(out))
    return made


FORMS |= {"full_like": _filled(None), "zeros_like": _filled(0), "ones_like": _filled(1), "new_zeros": _filled(0),
          "new_ones": _filled(1), "new_full": _filled(None), "full": _filled(None), "zeros": _filled(0),
          "ones": _filled(1), "scalar_tensor": lambda out, x, **_: number(x, dtype_of(out)),
          "fill": _filled(None), "empty": _filled(0), "empty_like": _filled(0), "empty_strided": _filled(0),
          "empty_permuted": _filled(0), "new_empty": _filled(0), "new_empty_strided": _filled(0)}


@form("arange")
def _(out: Any, *args: Any, **_: Any) -> Any:
    numbers = torch.arange(*args, dtype=out.dtype).tolist()
    return apply("Constant", values=tuple(numbers), shape=tuple(out.shape), dtype=dtype_of(out))


def integers(values: Any) -> Any:
    """A tensor of integers from nested lists."""
    held = torch.as_tensor(values, dtype=torch.int64)
    return apply("Constant", values=tuple(held.reshape(-1).tolist()), shape=tuple(held.shape), dtype=int64)

