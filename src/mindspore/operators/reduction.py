"""Reductions over some or all dimensions, and running sums."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import DType, bool_, int32, int64, uint8
from mindspore.core.errors import show
from mindspore.ir import Aval

from . import loops
from .arithmetic import mul
from .comparison import equal
from .exported import reduction
from .labels import along, partial_axes, rank_of, whole_axes
from .powers import exp
from .registry import operator
from .rules import axes_of, check_axis, kept, lifted, reduced, stated
from .structure import broadcast_to, cast, reshape
from .torch_reverse import also_of_integers
from .traits import ORDERED, STREAMING, SUM, WIDEN_UNSIGNED
from .values import Axes, Ints, Value

_REDUCED: list[Any] = [((2, 3, 4),), ((2, 3, 4), {"axis": 1}), ((2, 3), {"axis": 0}),
                       ((2, 3, 4), {"axis": (0, -1), "keep_dims": True})]
_ONE_AXIS: list[Any] = [((2, 3),), ((2, 3, 4), {"axis": 1, "keep_dims": True})]


def _all(axis: Any) -> bool:
    return axis is None or axis == ()


def _whole_twice(x: Any, **attrs: Any) -> str:
    left, out = whole_axes(x, **attrs).split("->")
    return f"{left} -> {out}, {out}"


def _placed(rank: int, axis: int) -> tuple[str, str]:
    """Labels of a tensor and of an index of the same rank for places along an axis."""
    left = along(axis, rank).split(" -> ")[0]
    return left, left.replace("!", "").replace(f"d{axis % rank if rank else 0}", "i")


def spread(d: Any, x: Any, axis: Any, keep_dims: bool) -> Any:
    """A cotangent of a reduction, repeated along the reduced dimensions of `x`."""
    return broadcast_to(with_axes(d, x, axis, keep_dims), shape=tuple(x.shape))


def with_axes(d: Any, x: Any, axis: Any, keep_dims: bool) -> Any:
    """A result of a reduction with the reduced dimensions of `x` back in place, of extent 1."""
    if keep_dims or not x.shape:
        return d
    axes = axes_of(axis, len(x.shape))
    return reshape(d, shape=tuple([1 if i in axes else e for i, e in enumerate(x.shape)]))


def count(x: Any, axis: Any) -> int:
    """How many elements of `x` go into one element of the result."""
    n = 1
    for a in axes_of(axis, len(x.shape)):
        n *= x.shape[a]
    return n


# ---------------------------------------------------------------------- sum, mean, product

@operator(primitive="ReduceSum(keep_dims=False, skip_mode=False)(x, axis=())",
          function="reduce_sum(x, axis=())", dims=partial_axes("sum"), samples=_REDUCED,
          traits={STREAMING, SUM, WIDEN_UNSIGNED})
def reduce_sum(x: Tensor, *, axis: Axes = (), keep_dims: bool = False, skip_mode: bool = False):
    """The sum over `axis`; over all dimensions for (), unless `skip_mode`.

    Input: any shape and dtype; `axis` an int or a tuple of ints within the rank, else TypeError or ValueError.
    Output: dtype of `x`; without those dimensions, or with extent 1 there for `keep_dims`.

    Examples:
        >>> ops.ReduceSum()(Tensor([[1.0, 2.0], [3.0, 6.0]]), 0).tolist()
        [4.0, 8.0]
    """
    if axis == () and skip_mode:
        return x
    if x.dtype is torch.bool:
        return _any(x, axis, keep_dims)
    return torch.sum(x, None if _all(axis) else axis, keep_dims, dtype=None if x.is_floating_point() else x.dtype)


reduce_sum.loop(lambda x, axis, keep_dims, skip_mode: None if axis == () and skip_mode else (
    loops.reduced(loops.total, x, axes_of(axis, len(x.shape)), keep_dims)))


@reduce_sum.shape
def _(x: Aval, *, axis: Axes = (), keep_dims: bool = False, skip_mode: bool = False) -> Aval:
    if axis == () and skip_mode:
        return x
    return Aval(reduced(x, axis, keep_dims, "ReduceSum"), x.dtype)


@reduce_sum.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, axis: Axes = (), keep_dims: bool = False, skip_mode: bool = False):
    if axis == () and skip_mode:
        return dout,
    return spread(dout, x, axis, keep_dims),


@operator(primitive="ReduceMean(keep_dims=False)(x, axis=())",
          function="reduce_mean(x, axis=()); mean(x, axis=None, keep_dims=False)", dims=partial_axes("mean"),
          samples=_REDUCED, traits={STREAMING, SUM})
def reduce_mean(x: Tensor, *, axis: Axes = (), keep_dims: bool = False):
    """The mean over `axis`; over all dimensions for () and None.

    Input: any shape and dtype; `axis` an int or a tuple of ints within the rank, else TypeError or ValueError.
    Output: dtype of `x`; without those dimensions, or with extent 1 there for `keep_dims`.

    Examples:
        >>> ops.ReduceMean(keep_dims=True)(Tensor([[1.0, 2.0], [3.0, 6.0]]), 1).tolist()
        [[1.5], [4.5]]
    """
    if x.is_floating_point() or x.is_complex():
        return torch.mean(x, None if _all(axis) else axis, keep_dims)
    return torch.mean(x.double(), None if _all(axis) else axis, keep_dims).to(x.dtype)


@reduce_mean.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, axis: Axes = (), keep_dims: bool = False):
    return kept(spread(dout * (1.0 / max(count(x, axis), 1)), x, axis, keep_dims), x),


reduce_mean.loop(lambda x, axis, keep_dims: loops.reduced(loops.mean, x, axes_of(axis, len(x.shape)), keep_dims))


@operator(primitive="ReduceProd(keep_dims=False)(x, axis=())", dims=partial_axes("prod"),
          samples=_REDUCED, grad="torch", traits={WIDEN_UNSIGNED})
def reduce_prod(x: Tensor, *, axis: Axes = (), keep_dims: bool = False):
    """The product over `axis`; over all dimensions for () and None."""
    if x.dtype is torch.bool:
        return _every(x, axis, keep_dims)
    dtype = None if x.is_floating_point() else x.dtype
    axes = sorted(axes_of(axis, x.dim()), reverse=True)
    for a in axes:
        x = torch.prod(x, a, keep_dims, dtype=dtype)
    return x if axes else x.clone()


# ---------------------------------------------------------------------- extremes

@operator(primitive="ReduceMax(keep_dims=False)(x, axis=())", dims=partial_axes("max"),
          function="reduce_max(x, axis=())", samples=_REDUCED, traits={STREAMING, ORDERED, WIDEN_UNSIGNED})
def reduce_max(x: Tensor, *, axis: Axes = (), keep_dims: bool = False):
    """The largest element over `axis`; over all dimensions for () and None.

    Input: any shape, real; `axis` an int or a tuple of ints within the rank, else TypeError or ValueError.
    Output: dtype of `x`; without those dimensions, or with extent 1 there for `keep_dims`.

    Examples:
        >>> ops.ReduceMax(keep_dims=True)(Tensor([[1, 5], [3, 2]]), 1).tolist()
        [[5], [3]]
    """
    return torch.amax(x, () if axis is None else axis, keep_dims)


@operator(primitive="ReduceMin(keep_dims=False)(x, axis=())", dims=partial_axes("min"),
          function="reduce_min(x, axis=())", samples=_REDUCED, traits={STREAMING, ORDERED, WIDEN_UNSIGNED})
def reduce_min(x: Tensor, *, axis: Axes = (), keep_dims: bool = False):
    """The smallest element over `axis`; over all dimensions for () and None.

    Input: any shape, real; `axis` an int or a tuple of ints within the rank, else TypeError or ValueError.
    Output: dtype of `x`; without those dimensions, or with extent 1 there for `keep_dims`.
    """
    return torch.amin(x, () if axis is None else axis, keep_dims)


def _shared(x: Value, out: Value, dout: Value, *, axis: Axes = (), keep_dims: bool = False):
    """Elements that attain the extreme share the cotangent equally."""
    at = cast(equal(x, with_axes(out, x, axis, keep_dims)), dtype=dout.dtype)
    if not x.shape:
        return dout,
    ties = reduce_sum(at, axis=() if axis is None else axis, keep_dims=True)
    return kept(mul(at, with_axes(dout, x, axis, keep_dims) / ties), x),


reduce_max.grad(needs="x out")(_shared)
reduce_min.grad(needs="x out")(_shared)


# ---------------------------------------------------------------------- truth

def _any(x: torch.Tensor, axis: Any, keep_dims: bool) -> torch.Tensor:
    axes = axes_of(axis, x.dim())
    return torch.any(x, axes, keep_dims) if axes else x.to(torch.bool, copy=True)


def _every(x: torch.Tensor, axis: Any, keep_dims: bool) -> torch.Tensor:
    axes = axes_of(axis, x.dim())
    return torch.all(x, axes, keep_dims) if axes else x.to(torch.bool, copy=True)


@operator(primitive="ReduceAll(keep_dims=False)(input, axis=None)", dims=partial_axes("all"), samples=_REDUCED,
          function="all(input, axis=None, keep_dims=False)")
def reduce_all(x: Tensor, *, axis: Axes = (), keep_dims: bool = False):
    """Whether all elements over `axis` are true (not zero)."""
    return _every(x.bool(), axis, keep_dims)


@operator(primitive="ReduceAny(keep_dims=False)(x, axis=())", dims=partial_axes("any"), samples=_REDUCED,
          function="any(input, axis=None, keep_dims=False)")
def reduce_any(x: Tensor, *, axis: Axes = (), keep_dims: bool = False):
    """Whether an element over `axis` is true (not zero); uint8 for uint8."""
    out = _any(x.bool(), axis, keep_dims)
    return out.to(x.dtype) if x.dtype is torch.uint8 else out


def _keeps(name: str, dtype: Any = None) -> Any:
    def rule(x: Aval, *, axis: Axes = (), keep_dims: bool = False) -> Aval:
        return Aval(reduced(x, axis, keep_dims, name), dtype or x.dtype)
    return rule


for _op in (reduce_mean, reduce_prod, reduce_max, reduce_min):
    _op.shape(_keeps(_op.name))
also_of_integers(reduce_prod)
reduce_all.shape(_keeps("ReduceAll", bool_))


@reduce_any.shape
def _(x: Aval, *, axis: Axes = (), keep_dims: bool = False) -> Aval:
    return Aval(reduced(x, axis, keep_dims, "ReduceAny"), uint8 if x.dtype is uint8 else bool_)


# ---------------------------------------------------------------------- places of extremes

def _place(argument: Any, owner: str) -> Any:
    def rule(x: Aval, *, axis: Axes = -1, output_type: DType = int32, keep_dims: bool = False) -> Aval:
        check_axis(x, axis, owner)
        if output_type not in (int32, int64):
            raise TypeError(f"For '{owner}', the 'output_type' must be int32 or int64, but got {output_type}.")
        return Aval(reduced(x, axis, keep_dims, owner), output_type)
    argument.shape(rule)


@operator(primitive="Argmax(axis=-1, output_type=int32)(input_x)", dims=whole_axes,
          samples=_ONE_AXIS, traits={ORDERED, WIDEN_UNSIGNED})
def argmax(x: Tensor, *, axis: int = -1, output_type: DType = int32, keep_dims: bool = False):
    """The index of the largest element along `axis`.

    Input: any shape, real; `axis` an int within the rank, else TypeError or ValueError.
    Output: the shape without that dimension, `output_type` (int32 or int64).

    Examples:
        >>> ops.Argmax(axis=0)(Tensor([[1.0, 5.0], [3.0, 2.0]])).tolist()
        [1, 0]
    """
    return torch.argmax(_ordered(x), axis, keep_dims).to(output_type.torch)


@operator(primitive="Argmin(axis=-1, output_type=int32)(x)", dims=whole_axes,
          samples=_ONE_AXIS, traits={ORDERED, WIDEN_UNSIGNED})
def argmin(x: Tensor, *, axis: int = -1, output_type: DType = int32, keep_dims: bool = False):
    """The index of the smallest element along `axis`."""
    return torch.argmin(_ordered(x), axis, keep_dims).to(output_type.torch)


def _ordered(x: torch.Tensor) -> torch.Tensor:
    """x in a type that torch can order."""
    return x.to(torch.uint8) if x.dtype is torch.bool else x


_place(argmax, "Argmax")
_place(argmin, "Argmin")


@operator(primitive="ArgMaxWithValue(axis=0, keep_dims=False)(input)", samples=_ONE_AXIS, dims=_whole_twice,
          traits={ORDERED, WIDEN_UNSIGNED})
def arg_max_with_value(x: Tensor, *, axis: int = 0, keep_dims: bool = False):
    """The index of the largest element along `axis`, int64, and that element.

    Input: any shape, real; `axis` an int within the rank, else TypeError or ValueError.
    Outputs: two of the shape without that dimension (with extent 1 there for `keep_dims`), int64 and dtype of `x`.

    Examples:
        >>> index, value = ops.ArgMaxWithValue(axis=1)(Tensor([[1, 5], [3, 2]]))
        >>> index.tolist(), value.tolist()
        ([1, 0], [5, 3])
    """
    found = torch.max(x, axis, keep_dims)
    return found[1], found[0]


@operator(primitive="ArgMinWithValue(axis=0, keep_dims=False)(input)", samples=_ONE_AXIS, dims=_whole_twice,
          traits={ORDERED, WIDEN_UNSIGNED})
def arg_min_with_value(x: Tensor, *, axis: int = 0, keep_dims: bool = False):
    """The index of the smallest element along `axis`, int64, and that element."""
    found = torch.min(x, axis, keep_dims)
    return found[1], found[0]


def _with_value(name: str) -> Any:
    def rule(x: Aval, *, axis: Axes = 0, keep_dims: bool = False) -> tuple[Aval, Aval]:
        check_axis(x, axis, name)
        shape = reduced(x, axis, keep_dims, name)
        return Aval(shape, int64), Aval(shape, x.dtype)
    return rule


@operator(hidden=True, samples=[],
          dims=lambda d, index, shape, axis: "{1}, {1}; shape={0} -> {0}".format(*_placed(len(shape), axis)))
def put_along(d: Tensor, index: Tensor, *, shape: Ints, axis: int):
    """Zeros of `shape` with `d` at the indices along one axis."""
    out = torch.zeros(shape, dtype=d.dtype, device=d.device)
    if not shape:
        return d.clone()
    return out.scatter(axis, index.to(torch.int64), d)


put_along.shape(stated)


@put_along.grad(needs="index")
def _(index: Value, dout: Value, *, shape: Ints, axis: int):
    return take_along(dout, index, axis=axis), None


@operator(hidden=True, samples=[],
          dims=lambda x, index, axis: "{0}, {1} -> {1}".format(*_placed(rank_of(x), axis)))
def take_along(x: Tensor, index: Tensor, *, axis: int):
    """The elements of `x` at the indices along one axis."""
    return x.gather(axis, index.to(torch.int64)) if x.dim() else x.clone()


@take_along.shape
def _(x: Aval, index: Aval, *, axis: int) -> Aval:
    return Aval(index.shape, x.dtype)


@take_along.grad(needs="x.aval index")
def _(x: Aval, index: Value, dout: Value, *, axis: int):
    return put_along(dout, index, shape=tuple(x.shape), axis=axis), None


def _at_index(x: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, axis: int = 0,
              keep_dims: bool = False):
    if dout[1] is None:
        return None,
    index = with_axes(out[0], x, axis, keep_dims)
    return put_along(with_axes(dout[1], x, axis, keep_dims), index, shape=tuple(x.shape),
                     axis=axis),


for _op in (arg_max_with_value, arg_min_with_value):
    _op.shape(_with_value(_op.name))
    _op.grad(needs="x out")(_at_index)


# ---------------------------------------------------------------------- spread

@operator(hidden=True, dims=whole_axes,
          samples=[((3, 4),), ((3, 4), {"axis": 1, "ddof": 1}),
                   ((2, 3, 4), {"axis": (0, 2), "keep_dims": True})])
def variance(x: Tensor, *, axis: Ints = (), ddof: int = 0, keep_dims: bool = False):
    """The mean squared distance from the mean, with `ddof` less in the divisor."""
    return torch.var(x, None if _all(axis) else axis, correction=ddof, keepdim=keep_dims)


@variance.shape
def _(x: Aval, *, axis: Ints = (), ddof: int = 0, keep_dims: bool = False) -> Aval:
    if not x.dtype.is_differentiable:
        raise TypeError(f"For 'var', the input must be floating point, but got {show(x)}.")
    return Aval(reduced(x, axis, keep_dims, "var"), x.dtype)


@variance.grad(needs="x")
def _(x: Value, dout: Value, *, axis: Ints = (), ddof: int = 0, keep_dims: bool = False):
    centred = x - reduce_mean(x, axis=axis, keep_dims=True)
    n = max(count(x, axis) - ddof, 0)
    factor = 2.0 / n if n else float("nan")
    return mul(centred, with_axes(dout * factor, x, axis, keep_dims)),


@operator(hidden=True, dims=whole_axes,
          samples=[((3, 4), {"axis": 1}), ((2, 3, 4), {"axis": (0, 2), "keep_dims": True})])
def log_sum_exp(x: Tensor, *, axis: Axes = (), keep_dims: bool = False):
    """log(sum(exp(x))) over `axis`, without overflow."""
    axes = axes_of(axis, x.dim())
    return torch.logsumexp(x, axes, keep_dims) if axes else x * 1.0


@log_sum_exp.shape
def _(x: Aval, *, axis: Axes = (), keep_dims: bool = False) -> Aval:
    return Aval(reduced(x, axis, keep_dims, "logsumexp"), lifted(x).dtype)


@log_sum_exp.grad(needs="x out")
def _(x: Value, out: Value, dout: Value, *, axis: Axes = (), keep_dims: bool = False):
    weight = exp(x - with_axes(out, x, axis, keep_dims))
    return mul(with_axes(dout, x, axis, keep_dims), weight),


for _op in (reduce_sum, reduce_mean, reduce_max, reduce_min, reduce_prod):
    _op.onnx(reduction(_op.name))
