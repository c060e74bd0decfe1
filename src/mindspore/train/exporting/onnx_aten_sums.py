"""torch's core operators in ONNX that combine elements: reductions, products, indexing, layers."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.core.dtype import bool_, int64

from .onnx_aten import FORMS, Values, dtype_of, form

# ---------------------------------------------------------------------- reductions

def _reduction(kind: str) -> Any:
    def written(v: Values, out: Any, x: Any, axes: Any = None, keepdim: bool = False, *, dtype: Any = None) -> str:
        axes = () if axes is None else (axes,) if isinstance(axes, int) else tuple(axes)
        return v.add(kind, v.name(x, dtype_of(out)), *[v.g.integers(axes)] if axes else [], keepdims=int(keepdim))
    return written


FORMS |= {"sum": _reduction("ReduceSum"), "mean": _reduction("ReduceMean"), "amax": _reduction("ReduceMax"),
          "amin": _reduction("ReduceMin"), "prod": _reduction("ReduceProd")}


def _quantifier(negated: bool) -> Any:
    """Whether any is true: the sum of ones is not 0, also that over none.  All are, unless any is not."""
    def written(v: Values, out: Any, x: Any, axes: Any = None, keepdim: bool = False) -> str:
        axes = () if axes is None else (axes,) if isinstance(axes, int) else tuple(axes)
        test = v.cast(v.name(x), bool_)
        ones = v.add("Cast", v.add("Not", test) if negated else test, to=7)
        found = v.add("ReduceSum", ones, *[v.g.integers(axes)] if axes else [], keepdims=int(keepdim))
        found = v.add("Greater", found, v.name(0, int64))
        return v.add("Not", found) if negated else found
    return written


FORMS |= {"any": _quantifier(False), "all": _quantifier(True)}


def _place(kind: str) -> Any:
    def written(v: Values, out: Any, x: Any, axis: int | None = None, keepdim: bool = False) -> str:
        name = v.name(x)
        if axis is None:
            return v.add("Squeeze", v.add(kind, v.add("Reshape", name, v.g.integers((-1,))), axis=0, keepdims=0))
        return v.add(kind, name, axis=axis, keepdims=int(keepdim))
    return written


FORMS |= {"argmax": _place("ArgMax"), "argmin": _place("ArgMin")}


def _extreme(values: str, places: str) -> Any:
    def written(v: Values, out: Any, x: Any, axis: int | None = None, keepdim: bool = False) -> Any:
        if axis is None:
            return v.add(values, v.name(x), keepdims=0)
        return (v.add(values, v.name(x), v.g.integers((axis,)), keepdims=int(keepdim)),
                v.add(places, v.name(x), axis=axis, keepdims=int(keepdim)))
    return written


FORMS |= {"max": _extreme("ReduceMax", "ArgMax"), "min": _extreme("ReduceMin", "ArgMin")}


@form("var")
def _(v: Values, out: Any, x: Any, axes: Any = None, correction: Any = 1, keepdim: bool = False) -> str:
    shape = v.shape(x)
    axes = [a % len(shape) for a in (range(len(shape)) if axes is None else axes)]
    count = math.prod([shape[a] for a in axes])
    names = v.g.integers(axes)
    centred = v.add("Sub", v.name(x), v.add("ReduceMean", v.name(x), names, keepdims=1))
    total = v.add("ReduceSum", v.add("Mul", centred, centred), names, keepdims=int(keepdim))
    return v.add("Div", total, v.name(count - (1 if correction is None else correction), dtype_of(out)))


@form("cumsum")
def _(v: Values, out: Any, x: Any, axis: int, *, dtype: Any = None) -> str:
    return v.add("CumSum", v.name(x, dtype_of(out)), v.name(axis))


@form("topk")
def _(v: Values, out: Any, x: Any, k: int, axis: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    return v.add("TopK", v.name(x), v.g.integers((k,)), axis=axis, largest=int(largest), sorted=int(sorted), results=2)


@form("sort")
def _(v: Values, out: Any, x: Any, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Any:
    k = v.shape(x)[dim]
    return v.add("TopK", v.name(x), v.g.integers((k,)), axis=dim, largest=int(descending), results=2)


# ---------------------------------------------------------------------- products and layers

@form("mm", "bmm", "matmul")
def _(v: Values, out: Any, x: Any, y: Any) -> str:
    return v.add("MatMul", v.name(x), v.name(y))


@form("addmm")
def _(v: Values, out: Any, c: Any, x: Any, y: Any, *, beta: Any = 1, alpha: Any = 1) -> str:
    return v.add("Gemm", v.name(x), v.name(y), v.name(c), alpha=float(alpha), beta=float(beta))


@form("convolution")
def _(v: Values, out: Any, x: Any, w: Any, b: Any, stride: Sequence[int], padding: Sequence[int],
      dilation: Sequence[int], transposed: bool, output_padding: Sequence[int], groups: int) -> str:
    settings: dict[str, Any] = {"strides": stride, "pads": [*padding, *padding], "dilations": dilation,
                                "group": groups}
    bias = None if b is None else v.name(b)
    if transposed:
        return v.add("ConvTranspose", v.name(x), v.name(w), bias, output_padding=output_padding, **settings)
    return v.add("Conv", v.name(x), v.name(w), bias, **settings)


@form("native_layer_norm")
def _(v: Values, out: Any, x: Any, shape: Sequence[int], w: Any, b: Any, epsilon: float) -> Any:
    dtype = dtype_of(out[0])
    scale = v.name(w) if w is not None else v.add("Expand", v.name(1, dtype), v.g.integers(shape))
    return v.add("LayerNormalization", v.name(x), scale, None if b is None else v.name(b), axis=-len(shape),
                 epsilon=epsilon, results=3)


@form("native_group_norm")
def _(v: Values, out: Any, x: Any, w: Any, b: Any, n: int, c: int, size: int, groups: int, epsilon: float) -> Any:
    dtype, shape = dtype_of(out[0]), v.shape(x)
    rows, axes = v.add("Reshape", v.name(x), v.g.integers((n, groups, -1))), v.g.integers((2,))
    mean = v.add("ReduceMean", rows, axes, keepdims=1)
    centred = v.add("Sub", rows, mean)
    variance = v.add("ReduceMean", v.add("Mul", centred, centred), axes, keepdims=1)
    scale = v.add("Reciprocal", v.add("Sqrt", v.add("Add", variance, v.name(epsilon, dtype))))
    y = v.add("Reshape", v.add("Mul", centred, scale), v.g.integers(shape))
    channels = v.g.integers((c, *[1] * (len(shape) - 2)))
    for kind, given in (("Mul", w), ("Add", b)):
        if given is not None:
            y = v.add(kind, y, v.add("Reshape", v.name(given), channels))
    flat = v.g.integers((n, groups))
    return y, v.add("Reshape", mean, flat), v.add("Reshape", scale, flat)


@form("_softmax", "_log_softmax")
def _(v: Values, out: Any, x: Any, axis: int, half: bool) -> str:
    return v.add("Softmax", v.name(x), axis=axis)


FORMS["_log_softmax"] = lambda v, out, x, axis, half: v.add("LogSoftmax", v.name(x), axis=axis)


# ---------------------------------------------------------------------- indexing

@form("embedding")
def _(v: Values, out: Any, w: Any, index: Any, *_: Any) -> str:
    return v.add("Gather", v.name(w), v.name(index), axis=0)


@form("index_select")
def _(v: Values, out: Any, x: Any, axis: int, index: Any) -> str:
    return v.add("Gather", v.name(x), v.name(index), axis=axis)


@form("gather")
def _(v: Values, out: Any, x: Any, axis: int, index: Any, **_: Any) -> str:
    return v.add("GatherElements", v.name(x), v.name(index), axis=axis)


@form("avg_pool2d", "avg_pool3d")
def _(v: Values, out: Any, x: Any, window: Sequence[int], stride: Sequence[int] = (), padding: Sequence[int] = (0,),
      ceil_mode: bool = False, include_pad: bool = True, divisor: int | None = None) -> str:
    n = len(window)
    if ceil_mode:
        raise NotImplementedError("windows reach over the border")
    pads = list(padding) * (n if len(padding) == 1 else 1)
    y = v.add("AveragePool", v.name(x), kernel_shape=window, strides=stride or window, pads=[*pads, *pads],
              count_include_pad=int(include_pad or divisor is not None))
    return y if divisor is None else v.add("Mul", y, v.name(math.prod(window) / divisor, dtype_of(out)))


@form("index", "_unsafe_index")
def _(v: Values, out: Any, x: Any, indices: Sequence[Any]) -> str:
    rank = len(v.shape(x))
    axes = [k for k, index in enumerate(indices) if index is not None]
    picked = [indices[k] for k in axes]
    if any([p.meta["val"].dtype is torch.bool for p in picked]):
        raise NotImplementedError("its result has a shape that depends on elements")
    rest = [k for k in range(rank) if k not in axes]
    shape = torch.broadcast_shapes(*[v.shape(p) for p in picked])
    found = v.add("GatherND", v.add("Transpose", v.name(x), perm=[*axes, *rest]), coordinates(v, picked, shape))
    if axes != list(range(axes[0], axes[0] + len(axes))) or not axes[0]:
        return found
    count, before = len(shape), axes[0]
    order = [*range(count, count + before), *range(count), *range(count + before, count + len(rest))]
    return v.add("Transpose", found, perm=order)


def coordinates(v: Values, picked: Sequence[Any], shape: Sequence[int]) -> str:
    """Index tensors of one shape as the coordinates that ONNX takes."""
    parts = [v.add("Unsqueeze", v.add("Expand", v.name(p, int64), v.g.integers(shape)), v.g.integers((-1,)))
             for p in picked]
    return v.add("Concat", *parts, axis=-1)


@form("scatter", "scatter_add", "scatter_reduce")
def _(v: Values, out: Any, x: Any, axis: int, index: Any, src: Any, reduce: str = "none", *,
      include_self: bool = True) -> str:
    if not include_self:
        raise NotImplementedError("it leaves out what stood at a place before")
    if not isinstance(src, torch.fx.Node):
        updates = v.add("Expand", v.name(src, dtype_of(out)), v.g.integers(v.shape(index)))
    else:
        if v.shape(src) != v.shape(index):
            raise NotImplementedError("it takes a part of the values")
        updates = v.name(src, dtype_of(out))
    kinds = {"none": "none", "sum": "add", "prod": "mul", "amax": "max", "amin": "min"}
    if reduce not in kinds:
        raise NotImplementedError(f"it reduces by '{reduce}'")
    return v.add("ScatterElements", v.name(x), v.name(index), updates, axis=axis, reduction=kinds[reduce])


FORMS["scatter_add"] = lambda v, out, x, axis, index, src: FORMS["scatter"](v, out, x, axis, index, src, "sum")
