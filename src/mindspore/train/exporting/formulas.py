"""Operators whose kernels hide what they compute, as formulas of operators that have forms in files.

A formula takes the operator's inputs and attributes and gives its results; None in place of one that has no form.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.core.dtype import float32

from .core_operators import FORMS, apply, cast, full, number, part, shaped

FORMULAS: dict[str, Callable[..., Any]] = {}


def formula(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Register a formula, by the name of its operator."""
    FORMULAS[fn.__name__.removeprefix("_")] = fn
    return fn


def _add(x: Any, y: Any) -> Any:
    return apply("Add", x, y)


def _mul(x: Any, y: Any) -> Any:
    return apply("Mul", x, y)


def _times(x: Any, factor: float) -> Any:
    return apply("Mul", x, number(factor, x.aval.dtype))


# ---------------------------------------------------------------------- norms over the batch

def _over_batch(x: Any) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The axes beside the channels, the shape of a vector of channels beside `x`, and the elements of a channel."""
    shape = x.aval.shape
    axes = tuple([k for k in range(len(shape)) if k != 1])
    return axes, tuple([n if k == 1 else 1 for k, n in enumerate(shape)]), math.prod([shape[k] for k in axes])


@formula
def _BatchNormTrain(x: Any, gamma: Any, beta: Any, mean: Any, variance: Any, *, momentum: float = 0.1,
                    epsilon: float = 1e-5) -> Any:
    axes, row, count = _over_batch(x)
    wide = cast(x, float32) if x.aval.dtype.itemsize < 4 else x
    own = apply("ReduceMean", wide, axis=axes, keep_dims=True)
    centred = apply("Sub", wide, own)
    spread = apply("ReduceMean", apply("Square", centred), axis=axes, keep_dims=True)
    scale = apply("Rsqrt", _add(spread, number(epsilon, wide.aval.dtype)))
    y = _add(_mul(_mul(centred, scale), shaped(gamma, row)), shaped(beta, row))
    vector = mean.aval.shape
    kept = [_add(_times(old, 1 - momentum), _times(shaped(cast(new, old.aval.dtype), vector), momentum * factor))
            for old, new, factor in ((mean, own, 1.0), (variance, spread, count / max(count - 1, 1)))]
    own, scale = [shaped(cast(v, gamma.aval.dtype), vector) for v in (own, scale)]
    return cast(y, x.aval.dtype), own, scale, *kept


@formula
def _BatchNormGrad(dout: Any, x: Any, gamma: Any, mean: Any, scale: Any, *, epsilon: float = 1e-5) -> Any:
    axes, row, count = _over_batch(x)
    dtype = x.aval.dtype
    x, dout = [cast(v, float32) if dtype.itemsize < 4 else v for v in (x, dout)]
    normal = _mul(apply("Sub", x, shaped(mean, row)), shaped(scale, row))
    dgamma = apply("ReduceSum", _mul(dout, normal), axis=axes, keep_dims=True)
    dbeta = apply("ReduceSum", dout, axis=axes, keep_dims=True)
    rest = _times(_add(dbeta, _mul(normal, dgamma)), 1 / count)
    dx = _mul(apply("Sub", dout, rest), shaped(_mul(gamma, scale), row))
    return cast(dx, dtype), *[shaped(cast(v, gamma.aval.dtype), gamma.aval.shape) for v in (dgamma, dbeta)]


# ---------------------------------------------------------------------- windows

def padded(x: Any, out: Sequence[int], window: Sequence[int], stride: Sequence[int], padding: Sequence[int],
           value: float) -> Any:
    """`x` with `value` around it, so that windows without padding give the shape `out`."""
    pads: list[int] = []
    for n, k, w, s, p in zip(x.aval.shape[2:], out[2:], window, stride, padding, strict=False):
        pads = [p, max((k - 1) * s + w - n - p, 0), *pads]
    return FORMS["constant_pad_nd"](torch.empty(x.aval.shape, dtype=x.aval.dtype.torch, device="meta"), x, pads, value)


def _counts(shape: Sequence[int], out: Sequence[int], window: Sequence[int], stride: Sequence[int],
            padding: Sequence[int], include_pad: bool, divisor: Any) -> Any:
    """What each window's sum is divided by, as a constant of the shape (1, 1, *)."""
    if divisor is not None:
        return torch.full((1, 1, *out[2:]), float(divisor))
    lines = []
    for n, k, w, s, p in zip(shape[2:], out[2:], window, stride, padding, strict=False):
        first = torch.arange(k) * s - p
        end = torch.clamp(first + w, max=n + (p if include_pad else 0))
        lines.append(end - (first if include_pad else torch.clamp(first, min=0)))
    found = lines[0]
    for line in lines[1:]:
        found = found.unsqueeze(-1) * line
    return found.reshape(1, 1, *out[2:]).double()


def _constant(values: torch.Tensor, dtype: Any) -> Any:
    return apply("Constant", values=tuple(values.reshape(-1).tolist()), shape=tuple(values.shape), dtype=dtype)


@formula
def _AvgPool(x: Any, *, window: Any, stride: Any, padding: Any = (0, 0, 0), ceil_mode: bool = False,
             include_pad: bool = True, divisor: Any = None) -> Any:
    if len(window) != 2 or len(x.aval.shape) != 4:
        raise NotImplementedError("means of windows of other than 2 dimensions have no form")
    dtype = x.aval.dtype
    out = _pooled(x.aval.shape, window, stride, padding, ceil_mode)
    whole = padded(x, out, window, stride, padding, 0.0)
    y = apply("AvgPool", whole, window=tuple(window), stride=tuple(stride))
    factor = math.prod(window) / _counts(x.aval.shape, out, window, stride, padding, include_pad, divisor)
    return y if bool((factor == 1).all()) else _mul(y, _constant(factor, dtype))


def _pooled(shape: Sequence[int], window: Any, stride: Any, padding: Any, ceil_mode: bool) -> tuple[int, ...]:
    image = torch.empty(tuple(shape), device="meta")
    return tuple(torch.nn.functional.avg_pool2d(image, window, stride, tuple(padding[:2]), ceil_mode).shape)


@formula
def _AvgPoolGrad(dout: Any, *, shape: Any, window: Any, stride: Any, padding: Any = (0, 0, 0),
                 ceil_mode: bool = False, include_pad: bool = True, divisor: Any = None) -> Any:
    """Each share is spread over its window: a transposed convolution with ones, plane by plane."""
    if len(window) != 2:
        raise NotImplementedError("means of windows of other than 2 dimensions have no form")
    n, c, h, w = shape
    own, dtype = dout.aval.shape, dout.aval.dtype
    share = _mul(dout, _constant(1 / _counts(shape, own, window, stride, padding, include_pad, divisor), dtype))
    planes = shaped(share, (n * c, 1, *own[2:]))
    found = apply("Convolution", planes, full((1, 1, *window), 1.0, dtype), stride=(*stride[:2], 1), transposed=True)
    for axis, extent, before in ((2, h, padding[0]), (3, w, padding[1])):
        most = found.aval.shape[axis]
        found = part(found, axis, before, min(before + extent, most))
        if found.aval.shape[axis] < extent:        # no window reaches the end
            rest = [extent - found.aval.shape[axis] if k == axis else m for k, m in enumerate(found.aval.shape)]
            found = apply("Concat", found, full(rest, 0.0, dtype), axis=axis)
    return shaped(found, tuple(shape))


@formula
def _AdaptiveAvgPoolGrad(dout: Any, *, shape: Any, size: Any) -> Any:
    """Shares are spread over cells by products with the matrices that take the means."""
    if len(size) != 2:
        raise NotImplementedError("means of cells of other than 2 dimensions have no form")
    dtype, lead = dout.aval.dtype, math.prod(shape[:-2])
    rows, columns = [_constant(_means(n, m), dtype) for n, m in zip(shape[-2:], size, strict=True)]
    (h, w), (m, n) = shape[-2:], size
    wide = apply("MatMul", shaped(dout, (lead * m, n)), columns)
    turned = apply("Transpose", shaped(wide, (lead, m, w)), perm=(0, 2, 1))
    tall = apply("MatMul", shaped(turned, (lead * w, m)), rows)
    return shaped(apply("Transpose", shaped(tall, (lead, w, h)), perm=(0, 2, 1)), tuple(shape))


def _means(extent: int, cells: int) -> torch.Tensor:
    """The matrix (cells, extent) that takes the mean of each cell."""
    found = torch.zeros(cells, extent, dtype=torch.float64)
    for k in range(cells):
        first, end = k * extent // cells, -(-(k + 1) * extent // cells)
        found[k, first:end] = 1 / (end - first)
    return found


# ---------------------------------------------------------------------- determinants

@formula
def _Cofactors(x: Any) -> Any:
    """Determinants of what is left without a row and a column, with alternating signs; also of singular matrices."""
    *lead, n, _ = x.aval.shape
    if n == 1:
        return full(x.aval.shape, 1, x.aval.dtype)
    rows = [shaped(_without(x, len(lead), i), (*lead, 1, n - 1, n)) for i in range(n)]
    some = apply("Concat", *rows, axis=len(lead))
    both = [shaped(_without(some, len(lead) + 2, j), (*lead, n, 1, n - 1, n - 1)) for j in range(n)]
    signs = _constant(torch.tensor([[(-1.0) ** (i + j) for j in range(n)] for i in range(n)]), x.aval.dtype)
    found = _mul(apply("MatrixDeterminant", apply("Concat", *both, axis=len(lead) + 1)), signs)
    return apply("Conj", found) if x.aval.dtype.is_complex else found


def _without(x: Any, axis: int, k: int) -> Any:
    """A tensor without its row `k` along an axis."""
    ends = [part(x, axis, *between) for between in ((0, k), (k + 1, x.aval.shape[axis])) if between[0] < between[1]]
    return ends[0] if len(ends) == 1 else apply("Concat", *ends, axis=axis)


# ---------------------------------------------------------------------- recurrent layers

@formula
def _LstmLayer(x: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any, h: Any, c: Any, *, reverse: bool = False) -> Any:
    """Step by step, without what the reverse needs."""
    steps, rows, inputs = x.aval.shape
    size = h.aval.shape[1]
    given = apply("MatMul", shaped(x, (steps * rows, inputs)), w_ih, transpose_b=True)
    given = shaped(_add(given, _add(b_ih, b_hh)), (steps, rows, 4 * size))
    ys: list[Any] = []
    for t in reversed(range(steps)) if reverse else range(steps):
        gates = _add(shaped(part(given, 0, t, t + 1), (rows, 4 * size)), apply("MatMul", h, w_hh, transpose_b=True))
        i, f, g, o = [part(gates, 1, k * size, (k + 1) * size) for k in range(4)]
        i, f, o = [apply("Sigmoid", v) for v in (i, f, o)]
        c = _add(_mul(f, c), _mul(i, apply("Tanh", g)))
        h = _mul(o, apply("Tanh", c))
        ys.append(shaped(h, (1, rows, size)))
    ys = ys[::-1] if reverse else ys
    return apply("Concat", *ys, axis=0) if len(ys) > 1 else ys[0], h, c, None


# ---------------------------------------------------------------------- convolutions of one dimension

def _flat(kind: str) -> Callable[..., Any]:
    """Lines as images of one row."""
    def made(*tensors: Any, stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), output_padding: Any = (0,),
             **attrs: Any) -> Any:
        if any([t is not None and len(t.aval.shape) > 3 for t in tensors]):
            raise NotImplementedError("a convolution of these dimensions has no form")
        planes = [t if t is None or len(t.aval.shape) < 3 else shaped(t, (*t.aval.shape[:2], 1, t.aval.shape[2]))
                  for t in tensors]
        ends = tuple(padding) if len(padding) == 2 else (padding[0],) * 2
        found = apply(kind, *planes, stride=(1, stride[0]), padding=(0, 0, *ends), dilation=(1, dilation[0]),
                      output_padding=(0, output_padding[0]), **attrs)
        several = found if isinstance(found, tuple) else (found,)
        return tuple([v if len(v.aval.shape) < 4 else shaped(v, (*v.aval.shape[:2], v.aval.shape[3]))
                      for v in several])
    return made


FORMULAS |= {kind: _flat(kind) for kind in ("Convolution", "ConvolutionInputGrad", "ConvolutionWeightGrad",
                                            "ConvolutionAffineGrad")}
