"""torch's core operators in ONNX, for kernels of operators that have no form of their own."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.core.dtype import DType, bool_, float32, from_torch, int32, int64
from mindspore.eager.tensor import wrap
from mindspore.ir import Aval
from mindspore.operators.exported import Exported

FORMS: dict[str, Callable[..., Any]] = {}
# Those that ask for extents, which must be known then.
SIZED = {"view", "_unsafe_view", "reshape", "unsqueeze", "squeeze", "expand", "copy", "split", "split_with_sizes",
         "repeat", "slice_scatter", "diagonal", "as_strided", "full_like", "zeros_like", "ones_like", "new_zeros",
         "new_ones", "new_full", "var", "sort", "native_group_norm", "native_layer_norm", "index", "_unsafe_index",
         "index_put", "_unsafe_index_put", "scatter", "scatter_add", "scatter_reduce", "cat", "as_strided_scatter",
         "cumprod", "cummax", "cummin", "logcumsumexp"}


class Values:
    """Names of the values of torch's nodes, which may have to hold for any sizes."""

    def __init__(self, g: Exported, any_size: bool = False):
        self.g, self.any_size, self.names = g, any_size, {}
        self.add = g.add

    def constant(self, value: torch.Tensor) -> str:
        """The name of a constant."""
        dtype = from_torch(value.dtype)
        name = self.g.constant(wrap(value.detach().contiguous()).asnumpy(), dtype)
        self.g.avals[name] = Aval(tuple(value.shape), dtype)
        return name

    def name(self, x: Any, dtype: DType | None = None) -> str:
        """The name of a node's value or of a number, in a dtype."""
        if isinstance(x, torch.fx.Node):
            return self.names[x] if dtype is None else self.cast(self.names[x], dtype)
        return self.g.constant(x, dtype or (int64 if isinstance(x, int) else float32))

    def cast(self, name: str, dtype: DType) -> str:
        """The name of a value in a dtype."""
        found = self.g.cast(name, dtype)
        if found != name:
            self.g.avals[found] = Aval(self.g.avals[name].shape, dtype)
        return found

    def shape(self, x: Any) -> tuple[int, ...]:
        """The shape of a node's value."""
        return self.g.avals[self.names[x]].shape


def form(*kinds: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register how operators of torch are written: from values, the result's meta tensor, and arguments."""
    def register(fn: Callable[..., Any]) -> Callable[..., Any]:
        FORMS.update(dict.fromkeys(kinds, fn))
        return fn
    return register


def dtype_of(out: Any) -> DType:
    """The dtype of a meta tensor."""
    return from_torch(out.dtype)


# ---------------------------------------------------------------------- elements

def _unary(kind: str) -> Callable[..., str]:
    def written(v: Values, out: Any, x: Any) -> str:
        return v.add(kind, v.name(x, dtype_of(out) if out.dtype.is_floating_point else None))
    return written


def _binary(kind: str, **attributes: Any) -> Callable[..., str]:
    def written(v: Values, out: Any, x: Any, y: Any) -> str:
        if out.dtype is torch.bool:
            return v.add({"Mul": "And", "Min": "And", "Max": "Or"}[kind], v.name(x, bool_), v.name(y, bool_))
        return v.add(kind, v.name(x, dtype_of(out)), v.name(y, dtype_of(out)), **attributes)
    return written


def _comparing(kind: str) -> Callable[..., str]:
    def written(v: Values, out: Any, x: Any, y: Any) -> str:
        kinds = [n.meta["val"] if isinstance(n, torch.fx.Node) else n for n in (x, y)]
        dtype = from_torch(torch.result_type(*kinds))
        names = [v.name(n, int32 if dtype is bool_ else dtype) for n in (x, y)]
        found = v.add({"NotEqual": "Equal"}.get(kind, kind), *names)
        return v.add("Not", found) if kind == "NotEqual" else found
    return written


def _logical(of_bools: str, of_integers: str | None = None) -> Callable[..., str]:
    def written(v: Values, out: Any, x: Any, y: Any) -> str:
        if out.dtype is torch.bool:
            return v.add(of_bools, v.name(x, bool_), v.name(y, bool_))
        return v.add(of_integers or "", v.name(x, dtype_of(out)), v.name(y, dtype_of(out)))
    return written


FORMS |= {name: _unary(kind) for name, kind in {
    "neg": "Neg", "abs": "Abs", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "sin": "Sin", "cos": "Cos", "tan": "Tan",
    "asin": "Asin", "acos": "Acos", "atan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "asinh": "Asinh", "acosh": "Acosh",
    "atanh": "Atanh", "tanh": "Tanh", "sigmoid": "Sigmoid", "relu": "Relu", "reciprocal": "Reciprocal", "erf": "Erf",
    "ceil": "Ceil", "floor": "Floor", "sign": "Sign", "isnan": "IsNaN", "isinf": "IsInf"}.items()}
FORMS |= {name: _binary(kind) for name, kind in {
    "mul": "Mul", "maximum": "Max", "minimum": "Min", "pow": "Pow"}.items()}
FORMS |= {name: _comparing(kind) for name, kind in {
    "eq": "Equal", "ne": "NotEqual", "lt": "Less", "le": "LessOrEqual", "gt": "Greater",
    "ge": "GreaterOrEqual"}.items()}
FORMS |= {"fmod": _binary("Mod", fmod=1), "logical_and": _logical("And"), "logical_or": _logical("Or"),
          "logical_xor": _logical("Xor"), "bitwise_and": _logical("And", "BitwiseAnd"),
          "bitwise_or": _logical("Or", "BitwiseOr"), "bitwise_xor": _logical("Xor", "BitwiseXor")}


def _sum(kind: str) -> Callable[..., str]:
    def written(v: Values, out: Any, x: Any, y: Any, *, alpha: Any = 1) -> str:
        y = v.name(y, dtype_of(out))
        if alpha != 1:
            y = v.add("Mul", y, v.name(alpha, dtype_of(out)))
        return v.add(kind, v.name(x, dtype_of(out)), y)
    return written


FORMS |= {"add": _sum("Add"), "sub": _sum("Sub")}


@form("clone", "alias", "detach", "lift_fresh_copy", "contiguous")
def _(v: Values, out: Any, x: Any, **_: Any) -> str:
    return v.add("Identity", v.name(x))


@form("round")
def _(v: Values, out: Any, x: Any, *, decimals: int = 0) -> str:
    if not decimals or not out.dtype.is_floating_point:
        return v.add("Round", v.name(x)) if out.dtype.is_floating_point else v.add("Identity", v.name(x))
    factor = v.name(10.0 ** decimals, dtype_of(out))
    return v.add("Div", v.add("Round", v.add("Mul", v.name(x), factor)), factor)


@form("exp2")
def _(v: Values, out: Any, x: Any) -> str:
    return v.add("Pow", v.name(2.0, dtype_of(out)), v.name(x, dtype_of(out)))


@form("erfc")
def _(v: Values, out: Any, x: Any) -> str:
    return v.add("Sub", v.name(1.0, dtype_of(out)), v.add("Erf", v.name(x, dtype_of(out))))


@form("hypot")
def _(v: Values, out: Any, x: Any, y: Any) -> str:
    squares = [v.add("Mul", n, n) for n in (v.name(x, dtype_of(out)), v.name(y, dtype_of(out)))]
    return v.add("Sqrt", v.add("Add", *squares))


def _known_of(kind: str) -> Callable[..., str]:
    """The larger or smaller one; the other one where one is not a number."""
    def written(v: Values, out: Any, x: Any, y: Any) -> str:
        a, b = v.name(x, dtype_of(out)), v.name(y, dtype_of(out))
        if not out.dtype.is_floating_point:
            return v.add(kind, a, b)
        return v.add("Where", v.add("IsNaN", a), b, v.add("Where", v.add("IsNaN", b), a, v.add(kind, a, b)))
    return written


FORMS |= {"fmax": _known_of("Max"), "fmin": _known_of("Min")}


@form("rsqrt")
def _(v: Values, out: Any, x: Any) -> str:
    return v.add("Reciprocal", v.add("Sqrt", v.name(x, dtype_of(out))))


@form("log1p")
def _(v: Values, out: Any, x: Any) -> str:
    return v.add("Log", v.add("Add", v.name(x, dtype_of(out)), v.name(1, dtype_of(out))))


@form("expm1")
def _(v: Values, out: Any, x: Any) -> str:
    return v.add("Sub", v.add("Exp", v.name(x, dtype_of(out))), v.name(1, dtype_of(out)))


def _logarithm(base: float) -> Callable[..., str]:
    def written(v: Values, out: Any, x: Any) -> str:
        return v.add("Mul", v.add("Log", v.name(x, dtype_of(out))), v.name(1 / math.log(base), dtype_of(out)))
    return written


FORMS |= {"log2": _logarithm(2.0), "log10": _logarithm(10.0)}


@form("trunc")
def _(v: Values, out: Any, x: Any) -> str:
    return v.add("Mul", v.add("Sign", v.name(x)), v.add("Floor", v.add("Abs", v.name(x))))


@form("div")
def _(v: Values, out: Any, x: Any, y: Any, *, rounding_mode: str | None = None) -> str:
    if not out.dtype.is_floating_point:
        whole = v.name(x, dtype_of(out)), v.name(y, dtype_of(out))
        if rounding_mode == "trunc":
            return v.add("Div", *whole)
        return v.add("Div", v.add("Sub", whole[0], v.add("Mod", *whole)), whole[1])
    found = v.add("Div", v.name(x, dtype_of(out)), v.name(y, dtype_of(out)))
    if rounding_mode == "trunc":
        return v.add("Mul", v.add("Sign", found), v.add("Floor", v.add("Abs", found)))
    return v.add("Floor", found) if rounding_mode else found


@form("remainder")
def _(v: Values, out: Any, x: Any, y: Any) -> str:
    a, b = v.name(x, dtype_of(out)), v.name(y, dtype_of(out))
    if not out.dtype.is_floating_point:
        return v.add("Mod", a, b)
    return v.add("Sub", a, v.add("Mul", v.add("Floor", v.add("Div", a, b)), b))


@form("logical_not", "bitwise_not")
def _(v: Values, out: Any, x: Any) -> str:
    return v.add("Not", v.name(x, bool_)) if out.dtype is torch.bool else v.add("BitwiseNot", v.name(x))


@form("where")
def _(v: Values, out: Any, test: Any, x: Any, y: Any) -> str:
    return v.add("Where", v.name(test, bool_), v.name(x, dtype_of(out)), v.name(y, dtype_of(out)))


@form("clamp", "clamp_min")
def _(v: Values, out: Any, x: Any, low: Any = None, high: Any = None) -> str:
    found = v.name(x, dtype_of(out))
    for bound, kind in ((low, "Max"), (high, "Min")):
        if bound is not None:
            found = v.add(kind, found, v.name(bound, dtype_of(out)))
    return found


FORMS["clamp_max"] = lambda v, out, x, high: FORMS["clamp"](v, out, x, None, high)
FORMS["hardtanh"] = lambda v, out, x, low=-1.0, high=1.0: FORMS["clamp"](v, out, x, low, high)


@form("gelu")
def _(v: Values, out: Any, x: Any, *, approximate: str = "none") -> str:
    a = v.name(x)
    if approximate == "tanh":
        cube = v.add("Mul", v.add("Mul", a, a), a)
        inner = v.add("Add", a, v.add("Mul", cube, v.name(0.044715, dtype_of(out))))
        slope = v.add("Tanh", v.add("Mul", inner, v.name(math.sqrt(2 / math.pi), dtype_of(out))))
    else:
        slope = v.add("Erf", v.add("Mul", a, v.name(math.sqrt(0.5), dtype_of(out))))
    half = v.add("Mul", a, v.name(0.5, dtype_of(out)))
    return v.add("Mul", half, v.add("Add", slope, v.name(1, dtype_of(out))))


@form("elu")
def _(v: Values, out: Any, x: Any, alpha: float = 1.0, scale: float = 1.0, rate: float = 1.0) -> str:
    a, one = v.name(x), v.name(1, dtype_of(out))
    below = v.add("Sub", v.add("Exp", v.add("Mul", a, v.name(rate, dtype_of(out)))), one)
    below = v.add("Mul", below, v.name(alpha * scale, dtype_of(out)))
    above = v.add("Mul", a, v.name(scale, dtype_of(out)))
    return v.add("Where", v.add("Greater", a, v.name(0, dtype_of(out))), above, below)


@form("leaky_relu")
def _(v: Values, out: Any, x: Any, slope: float = 0.01) -> str:
    return v.add("LeakyRelu", v.name(x), alpha=float(slope))


@form("_to_copy", "to")
def _(v: Values, out: Any, x: Any, **_: Any) -> str:
    found = v.cast(v.name(x), dtype_of(out))
    return v.add("Identity", found) if found == v.name(x) else found


# ---------------------------------------------------------------------- shapes

@form("view", "_unsafe_view", "reshape", "unsqueeze", "squeeze")
def _(v: Values, out: Any, x: Any, *_: Any) -> str:
    return v.add("Reshape", v.name(x), v.g.integers(tuple(out.shape)), allowzero=1)


@form("expand", "copy")
def _(v: Values, out: Any, x: Any, *rest: Any, **_: Any) -> str:
    source = rest[0] if rest and isinstance(rest[0], torch.fx.Node) else x
    return v.add("Expand", v.name(source, dtype_of(out)), v.g.integers(tuple(out.shape)))


@form("permute")
def _(v: Values, out: Any, x: Any, order: Sequence[int]) -> str:
    return v.add("Transpose", v.name(x), perm=[p % out.dim() for p in order])


@form("slice")
def _(v: Values, out: Any, x: Any, axis: int = 0, start: int | None = None, stop: int | None = None,
      step: int = 1) -> str:
    parts = [v.g.integers((n,)) for n in (start or 0, 2 ** 62 if stop is None else stop, axis, step)]
    return v.add("Slice", v.name(x), *parts)


@form("select")
def _(v: Values, out: Any, x: Any, axis: int, index: int) -> str:
    return v.add("Gather", v.name(x), v.name(index), axis=axis)


@form("cat")
def _(v: Values, out: Any, xs: Sequence[Any], axis: int = 0) -> str:
    held = [x for x in xs if v.shape(x) != (0,)]
    return v.add("Concat", *[v.name(x, dtype_of(out)) for x in held], axis=axis)


@form("split", "split_with_sizes")
def _(v: Values, out: Any, x: Any, sizes: Any, axis: int = 0) -> Any:
    found = v.add("Split", v.name(x), v.g.integers([o.shape[axis] for o in out]), axis=axis, results=len(out))
    return (found,) if isinstance(found, str) else found


@form("constant_pad_nd")
def _(v: Values, out: Any, x: Any, pads: Sequence[int], value: Any = 0.0) -> str:
    count = len(pads) // 2
    axes = [out.dim() - 1 - k for k in range(count)]
    return v.add("Pad", v.name(x), v.g.integers([*pads[::2], *pads[1::2]]), v.name(value, dtype_of(out)),
                 v.g.integers(axes))


@form("slice_scatter")
def _(v: Values, out: Any, x: Any, y: Any, axis: int = 0, start: int | None = None, stop: int | None = None,
      step: int = 1) -> str:
    rank = out.dim()
    order = [axis % rank, *[k for k in range(rank) if k != axis % rank]]
    places = range(*slice(start, stop, step).indices(out.shape[axis]))
    turned = [v.add("Transpose", v.name(n), perm=order) for n in (x, y)]
    written = v.add("ScatterND", turned[0], v.g.constant([[p] for p in places], int64), turned[1])
    return v.add("Transpose", written, perm=[order.index(k) for k in range(rank)])


@form("diagonal")
def _(v: Values, out: Any, x: Any, offset: int = 0, first: int = 0, second: int = 1) -> str:
    shape = v.shape(x)
    rank = len(shape)
    first, second = first % rank, second % rank
    rest = [k for k in range(rank) if k not in (first, second)]
    places = [[k - min(offset, 0), k + max(offset, 0)] for k in range(out.shape[-1])]
    turned = v.add("Transpose", v.name(x), perm=[first, second, *rest])
    found = v.add("GatherND", turned, v.g.constant(places, int64))
    return v.add("Transpose", found, perm=[*range(1, out.dim()), 0])


@form("as_strided")
def _(v: Values, out: Any, x: Any, shape: Sequence[int], stride: Sequence[int], at: int = 0) -> str:
    if not x.meta["val"].is_contiguous():
        raise NotImplementedError("it counts elements in memory")
    places = torch.as_strided(torch.arange(x.meta["val"].numel()), tuple(shape), tuple(stride), at or 0)
    return v.add("Gather", v.add("Reshape", v.name(x), v.g.integers((-1,))), v.constant(places), axis=0)


@form("flip")
def _(v: Values, out: Any, x: Any, axes: Sequence[int]) -> str:
    count = len(axes)
    return v.add("Slice", v.name(x), v.g.integers([-1] * count), v.g.integers([-2 ** 62] * count),
                 v.g.integers(axes), v.g.integers([-1] * count))


@form("repeat")
def _(v: Values, out: Any, x: Any, counts: Sequence[int]) -> str:
    shape = (1,) * (len(counts) - len(v.shape(x))) + v.shape(x)
    return v.add("Tile", v.add("Reshape", v.name(x), v.g.integers(shape), allowzero=1), v.g.integers(counts))


def _filled(value: Any) -> Callable[..., str]:
    def written(v: Values, out: Any, *args: Any, **_: Any) -> str:
        number = args[-1] if value is None else value
        return v.add("Expand", v.name(number, dtype_of(out)), v.g.integers(tuple(out.shape)))
    return written


FORMS |= {"full_like": _filled(None), "zeros_like": _filled(0), "ones_like": _filled(1), "new_zeros": _filled(0),
          "new_ones": _filled(1), "new_full": _filled(None)}
