"""torch's core operators that combine elements: reductions, products, indexing, layers."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.core.dtype import bool_, int64

from .core_operators import (
    FORMS,
    apply,
    cast,
    dtype_of,
    form,
    full,
    integers,
    number,
    shaped,
    spread,
    tensor,
)

# ---------------------------------------------------------------------- reductions


def _axes(axes: Any, rank: int) -> tuple[int, ...]:
    axes = () if axes is None else (axes,) if isinstance(axes, int) else tuple(axes)
    return tuple([a % rank for a in axes]) or tuple(range(rank))


def _reduction(kind: str) -> Callable[..., Any]:
    def made(out: Any, x: Any, axes: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
        x = cast(x, dtype_of(out))
        return apply(kind, x, axis=_axes(axes, len(x.aval.shape)), keep_dims=keepdim) if x.aval.shape else x
    return made


FORMS |= {"sum": _reduction("ReduceSum"), "mean": _reduction("ReduceMean"), "amax": _reduction("ReduceMax"),
          "amin": _reduction("ReduceMin"), "prod": _reduction("ReduceProd")}


def _quantifier(kind: str) -> Callable[..., Any]:
    def made(out: Any, x: Any, axes: Any = None, keepdim: bool = False) -> Any:
        x = cast(x, bool_)
        return apply(kind, x, axis=_axes(axes, len(x.aval.shape)), keep_dims=keepdim) if x.aval.shape else x
    return made


FORMS |= {"any": _quantifier("ReduceAny"), "all": _quantifier("ReduceAll")}


def _place(kind: str) -> Callable[..., Any]:
    def made(out: Any, x: Any, axis: int | None = None, keepdim: bool = False) -> Any:
        if axis is None:
            x, axis = shaped(x, (math.prod(x.aval.shape),)), 0
        found = apply(kind, x, axis=axis, output_type=int64)
        return shaped(found, tuple(out.shape))
    return made


FORMS |= {"argmax": _place("Argmax"), "argmin": _place("Argmin")}


def _extreme(values: str, places: str) -> Callable[..., Any]:
    def made(out: Any, x: Any, axis: int | None = None, keepdim: bool = False) -> Any:
        if axis is None:
            return apply(values, x, axis=tuple(range(len(x.aval.shape))), keep_dims=False)
        found = apply(places, x, axis=axis, output_type=int64)
        return apply(values, x, axis=(axis,), keep_dims=keepdim), shaped(found, tuple(out[1].shape))
    return made


FORMS |= {"max": _extreme("ReduceMax", "Argmax"), "min": _extreme("ReduceMin", "Argmin")}


@form("var")
def _(out: Any, x: Any, axes: Any = None, correction: Any = 1, keepdim: bool = False) -> Any:
    shape = x.aval.shape
    axes = _axes(axes, len(shape))
    centred = apply("Sub", x, apply("ReduceMean", x, axis=axes, keep_dims=True))
    total = apply("ReduceSum", apply("Square", centred), axis=axes, keep_dims=keepdim)
    count = math.prod([shape[a] for a in axes]) - (1 if correction is None else correction)
    return apply("Div", total, number(float(count), dtype_of(out)))


@form("var_mean")
def _(out: Any, x: Any, axes: Any = None, *, correction: Any = 1, keepdim: bool = False) -> Any:
    return (FORMS["var"](out[0], x, axes, correction, keepdim),
            apply("ReduceMean", x, axis=_axes(axes, len(x.aval.shape)), keep_dims=keepdim))


@form("cumsum")
def _(out: Any, x: Any, axis: int, *, dtype: Any = None) -> Any:
    return apply("CumSum", cast(x, dtype_of(out)), axis=axis)


@form("sort")
def _(out: Any, x: Any, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Any:
    values, places = apply("Sort", x, axis=dim, descending=descending)
    return values, cast(places, int64)


# ---------------------------------------------------------------------- products and layers

@form("mm", "bmm", "matmul")
def _(out: Any, x: Any, y: Any) -> Any:
    return apply("MatMul" if out.dim() == 2 else "BatchMatMul", x, y)


@form("mv")
def _(out: Any, x: Any, y: Any) -> Any:
    return shaped(apply("MatMul", x, shaped(y, (*y.aval.shape, 1))), tuple(out.shape))


@form("dot")
def _(out: Any, x: Any, y: Any) -> Any:
    return apply("ReduceSum", apply("Mul", x, y), axis=(0,))


@form("addmm")
def _(out: Any, c: Any, x: Any, y: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    product = apply("MatMul", x, y)
    terms = [v if n == 1 else apply("Mul", v, number(n, dtype_of(out))) for v, n in ((product, alpha), (c, beta))]
    return apply("Add", *terms)


@form("convolution")
def _(out: Any, x: Any, w: Any, b: Any, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
      transposed: bool, output_padding: Sequence[int], groups: int) -> Any:
    return apply("Convolution", x, w, *[b] * (b is not None), stride=tuple(stride), padding=tuple(padding),
                 dilation=tuple(dilation), transposed=transposed, output_padding=tuple(output_padding), groups=groups)


@form("native_layer_norm")
def _(out: Any, x: Any, shape: Sequence[int], w: Any, b: Any, epsilon: float) -> Any:
    dtype = dtype_of(out[0])
    return apply("LayerNorm", x, full(shape, 1.0, dtype) if w is None else w,
                 full(shape, 0.0, dtype) if b is None else b, epsilon=epsilon)


@form("native_group_norm")
def _(out: Any, x: Any, w: Any, b: Any, n: int, c: int, size: int, groups: int, epsilon: float) -> Any:
    dtype, shape = dtype_of(out[0]), x.aval.shape
    rows = shaped(x, (n, groups, c // groups * size))
    mean = apply("ReduceMean", rows, axis=(2,), keep_dims=True)
    centred = apply("Sub", rows, mean)
    variance = apply("ReduceMean", apply("Square", centred), axis=(2,), keep_dims=True)
    scale = apply("Rsqrt", apply("Add", variance, number(epsilon, dtype)))
    y = shaped(apply("Mul", centred, scale), shape)
    for kind, given in (("Mul", w), ("Add", b)):
        if given is not None:
            y = apply(kind, y, shaped(given, (c, *[1] * (len(shape) - 2))))
    return y, shaped(mean, (n, groups)), shaped(scale, (n, groups))


FORMS["mkldnn_rnn_layer"] = lambda out, x, w_ih, w_hh, b_ih, b_hh, h, c, reverse, *_: apply(
    "LstmLayer", x, w_ih, w_hh, b_ih, b_hh, h, c, reverse=reverse)
FORMS |= {"_softmax": lambda out, x, axis, half: apply("Softmax", x, axis=axis),
          "_log_softmax": lambda out, x, axis, half: apply("LogSoftmax", x, axis=axis)}


@form("avg_pool2d")
def _(out: Any, x: Any, window: Sequence[int], stride: Sequence[int] = (), padding: Sequence[int] = (0,),
      ceil_mode: bool = False, include_pad: bool = True, divisor: int | None = None) -> Any:
    pair = [tuple(v) * (2 if len(v) == 1 else 1) for v in (window, stride or window, padding)]
    return apply("AvgPool", x, window=pair[0], stride=pair[1], padding=pair[2], ceil_mode=ceil_mode,
                 include_pad=include_pad, divisor=divisor)


# ---------------------------------------------------------------------- indexing

@form("embedding")
def _(out: Any, w: Any, index: Any, *_: Any) -> Any:
    return apply("Gather", w, index, axis=0)


@form("index_select")
def _(out: Any, x: Any, axis: int, index: Any) -> Any:
    return apply("Gather", x, index, axis=axis % len(x.aval.shape))


@form("gather")
def _(out: Any, x: Any, axis: int, index: Any, **_: Any) -> Any:
    return apply("GatherD", x, index, dim=axis)


def _coordinates(picked: Sequence[Any], shape: Sequence[int]) -> Any:
    """Index tensors of one shape as the coordinates of elements."""
    parts = [shaped(spread(cast(p, int64), shape), (*shape, 1)) for p in picked]
    return parts[0] if len(parts) == 1 else apply("Concat", *parts, axis=len(shape))


@form("index", "_unsafe_index")
def _(out: Any, x: Any, indices: Sequence[Any]) -> Any:
    own = x.aval.shape
    axes = [k for k, index in enumerate(indices) if index is not None]
    picked = [from_start(indices[k], own[k]) for k in axes]
    rest = [k for k in range(len(own)) if k not in axes]
    shape = torch.broadcast_shapes(*[tuple(p.aval.shape) for p in picked])
    turned = x if axes == list(range(len(axes))) else apply("Transpose", x, perm=(*axes, *rest))
    found = apply("GatherNd", turned, _coordinates(picked, shape))
    if axes != list(range(axes[0], axes[0] + len(axes))) or not axes[0]:
        return found
    count, before = len(shape), axes[0]
    order = [*range(count, count + before), *range(count), *range(count + before, count + len(rest))]
    return apply("Transpose", found, perm=tuple(order))


def from_start(index: Any, extent: int) -> Any:
    """An index tensor, counted from the start.

    Raises:
        NotImplementedError: It is a mask.
    """
    if index.aval.dtype is bool_:
        raise NotImplementedError("its result has a shape that depends on elements")
    index = cast(index, int64)
    ends = apply("Add", index, number(extent, int64))
    return apply("Select", apply("Less", index, number(0, int64)), ends, index)


@form("index_put", "_unsafe_index_put")
def _(out: Any, x: Any, indices: Sequence[Any], value: Any, accumulate: bool = False) -> Any:
    own = x.aval.shape
    axes = [k for k, index in enumerate(indices) if index is not None]
    if axes != list(range(axes[0], axes[0] + len(axes))):
        raise NotImplementedError("it writes to places along axes that are apart")
    rest = [k for k in range(len(own)) if k not in axes]
    picked = [from_start(indices[k], own[k]) for k in axes]
    shape = torch.broadcast_shapes(*[tuple(p.aval.shape) for p in picked])
    before, count = axes[0], len(shape)
    updates = spread(tensor(value, dtype_of(out)), (*own[:before], *shape, *own[before + len(axes):]))
    order = (*axes, *rest)
    if before:
        x = apply("Transpose", x, perm=order)
        places = range(len(updates.aval.shape))
        updates = apply("Transpose", updates, perm=(*places[before:before + count], *places[:before],
                                                    *places[before + count:]))
    kind = "TensorScatterAdd" if accumulate else "TensorScatterUpdate"
    found = apply(kind, x, _coordinates(picked, shape), updates)
    return apply("Transpose", found, perm=tuple([order.index(k) for k in range(len(own))])) if before else found


@form("scatter", "scatter_add")
def _(out: Any, x: Any, axis: int, index: Any, value: Any) -> Any:
    return _scattered(out, x, axis, index, value, "TensorScatterUpdate")


FORMS["scatter_add"] = lambda out, x, axis, index, value: _scattered(out, x, axis, index, value, "TensorScatterAdd")


def _scattered(out: Any, x: Any, axis: int, index: Any, value: Any, kind: str) -> Any:
    """Each update written to its own place, but there along `axis`."""
    shape, rank = tuple(index.aval.shape), len(index.aval.shape)
    if 0 in shape:
        return x
    updates = tensor(value, dtype_of(out))
    for k, n in enumerate(shape if updates.aval.shape else ()):
        updates = FORMS["slice"](None, updates, k, 0, n)
    grid = torch.meshgrid(*[torch.arange(n) for n in shape], indexing="ij")
    places = [from_start(index, x.aval.shape[axis]) if k == axis % rank else integers(grid[k]) for k in range(rank)]
    return apply(kind, x, _coordinates(places, shape), spread(updates, shape))


@form("slice_scatter")
def _(out: Any, x: Any, y: Any, axis: int = 0, start: int | None = None, stop: int | None = None, step: int = 1) -> Any:
    return _rows_written(x, y, axis, list(range(*slice(start, stop, step).indices(out.shape[axis]))))


@form("select_scatter")
def _(out: Any, x: Any, y: Any, axis: int, index: int) -> Any:
    shape = list(out.shape)
    shape[axis] = 1
    return _rows_written(x, shaped(y, shape), axis, [index % out.shape[axis]])


def _rows_written(x: Any, y: Any, axis: int, places: Sequence[int]) -> Any:
    """`y` in place of the slices of `x` at these places along an axis."""
    rank = len(x.aval.shape)
    order = [axis % rank, *[k for k in range(rank) if k != axis % rank]]
    if not places:
        return x
    turned = [v if order[0] == 0 else apply("Transpose", v, perm=tuple(order)) for v in (x, y)]
    found = apply("TensorScatterUpdate", turned[0], integers([[p] for p in places]), turned[1])
    back = tuple([order.index(k) for k in range(rank)])
    return found if order[0] == 0 else apply("Transpose", found, perm=back)


@form("as_strided")
def _(out: Any, x: Any, shape: Sequence[int], stride: Sequence[int], at: int = 0) -> Any:
    count = math.prod(x.aval.shape)
    places = torch.as_strided(torch.arange(count), tuple(shape), tuple(stride), at or 0)
    return apply("Gather", shaped(x, (count,)), integers(places), axis=0)


@form("as_strided_scatter")
def _(out: Any, x: Any, y: Any, shape: Sequence[int], stride: Sequence[int], at: int = 0) -> Any:
    count = math.prod(x.aval.shape)
    places = torch.as_strided(torch.arange(count), tuple(shape), tuple(stride), at or 0).reshape(-1, 1)
    flat = apply("TensorScatterUpdate", shaped(x, (count,)), integers(places), shaped(y, (len(places),)))
    return shaped(flat, x.aval.shape)


@form("diagonal")
def _(out: Any, x: Any, offset: int = 0, first: int = 0, second: int = 1) -> Any:
    rank = len(x.aval.shape)
    first, second = first % rank, second % rank
    rest = [k for k in range(rank) if k not in (first, second)]
    places = [[k - min(offset, 0), k + max(offset, 0)] for k in range(out.shape[-1])]
    found = apply("GatherNd", apply("Transpose", x, perm=(first, second, *rest)), integers(places))
    return apply("Transpose", found, perm=(*range(1, out.dim()), 0)) if out.dim() > 1 else found
