"""Order statistics, histograms and counts."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core import check
from mindspore.core.dtype import DType, float32, float64, from_torch, int32, int64
from mindspore.core.errors import show
from mindspore.ir import Aval

from .exported import Exported
from .indexing import gather, unknown_extent
from .joining import tensors_of
from .labels import partial_axes, whole, whole_axes
from .reduction import count, put_along, spread, with_axes
from .registry import operator
from .rules import axes_of, floating, reduced
from .samples import Values
from .structure import reshape
from .traits import STRICT
from .values import Axes, Value

_ALONG: list[Any] = [((3, 5), {"axis": 1}), ((2, 3, 4), {"axis": 0, "keep_dims": True})]


def _middle(x: Any, *, global_median: bool = False, axis: int = 0, keep_dims: bool = False, **_: Any) -> str:
    left, out = whole_axes(x, () if global_median else axis, keep_dims and not global_median).split("->")
    return f"{left} -> {out}, {out}"


def _between(x: Any, q: Any, *, axis: Any = None, keep_dims: bool = False, **_: Any) -> str:
    left, out = whole_axes(x, axis, keep_dims).split("->")
    return f"{left}, ... -> ... {out}"


def _subscripts(*operands: Any, equation: str) -> str:
    """Labels of a sum of products as its equation names them; what an operand has twice stays whole."""
    left, arrow, right = equation.replace(" ", "").replace("...", ".").partition("->")
    twice = {c for part in left.split(",") for c in part if part.count(c) > 1}
    if not arrow:
        right = "." * ("." in left) + "".join(sorted([c for c in set(left) - {",", "."} if left.count(c) == 1]))

    def line(part: str) -> str:
        return " ".join(["..." if c == "." else c + "!" * (c in twice) for c in part])
    return f"{', '.join(map(line, left.split(',')))} -> {line(right)}"


@operator(primitive="Median(global_median=False, axis=0, keep_dims=False, ignore_nan=False)(x)",
          samples=_ALONG, dims=_middle)
def median(x: Tensor, *, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False):
    """The middle element along `axis`, of two the smaller, and its index; or that of all elements."""
    if global_median or not x.dim():
        values, index = (torch.nanmedian if ignore_nan else torch.median)(x.reshape(-1), 0)
        return values, index
    return tuple((torch.nanmedian if ignore_nan else torch.median)(x, axis, keep_dims))


@median.shape
def _(x: Aval, *, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False):
    if global_median or not x.shape:
        return Aval((), x.dtype), Aval((), int64)
    shape = reduced(x, axis, keep_dims, "Median")
    return Aval(shape, x.dtype), Aval(shape, int64)


@median.grad(needs="x out")
def _(x: Value, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, global_median: bool = False, axis: int = 0,
      keep_dims: bool = False, ignore_nan: bool = False):
    if dout[0] is None:
        return None,
    if global_median or not x.shape:
        flat = put_along(reshape(dout[0], shape=(1,)), reshape(out[1], shape=(1,)), shape=(x.size,), axis=0)
        return reshape(flat, shape=tuple(x.shape)),
    index, d = [with_axes(v, x, axis, keep_dims) for v in (out[1], dout[0])]
    return put_along(d, index, shape=tuple(x.shape), axis=axis),


@operator(hidden=True, grad="torch", samples=[((3, 5), (2,), {"axis": 1})], dims=_between)
def quantile(x: Tensor, q: Tensor, *, axis: int | None = None, keep_dims: bool = False, ignore_nan: bool = False):
    """The elements along `axis` below which the fraction `q` of the others lies, interpolated."""
    run = torch.nanquantile if ignore_nan else torch.quantile
    return run(x, q.clamp(0, 1), axis, keep_dims)


@quantile.shape
def _(x: Aval, q: Aval, *, axis: int | None = None, keep_dims: bool = False, ignore_nan: bool = False) -> Aval:
    if not x.dtype.is_floating or x.dtype is not q.dtype:
        raise TypeError(f"For 'quantile', the input and 'q' must have the same floating-point type, "
                        f"but got {show(x)} and {show(q)}.")
    return Aval((*q.shape, *reduced(x, axis, keep_dims, "quantile")), x.dtype)


@operator(primitive="Histogram(bins=100, min=0.0, max=0.0)(x)", method="histc(bins=100, min=0, max=0)",
          function="histc(input, bins=100, min=0.0, max=0.0)", samples=[((20,), {"bins": 4})],
          dims=lambda x, bins=100, min=0.0, max=0.0: "... -> n!" if min != max else "...! -> n!")
def histogram(x: Tensor, *, bins: int = 100, min: float = 0.0, max: float = 0.0):
    """How many elements lie in each of `bins` intervals between `min` and `max`, or the extremes.

    Input: real numbers, else TypeError.  Output: int32 for integers (int64 for int64), float32 for floats (float64
    for float64).
    """
    if bins <= 0:
        raise ValueError(f"For 'Histogram', the 'bins' must be greater than 0, but got {bins}.")
    if min > max:
        raise ValueError(f"For 'Histogram', the 'min' {min} must not be greater than the 'max' {max}.")
    exact = x.dtype is torch.float64 or (x.dtype is torch.float32 and x.numel() < 2**24)      # numbers of elements
    counts = torch.histc(x if exact else x.double(), bins, min, max)
    return counts.to(_counting(from_torch(x.dtype)).torch)


def _counting(dtype: DType) -> DType:
    """The type of numbers of elements: one that holds them, as the original's where it has a kernel."""
    if dtype.kind in "bc":
        raise TypeError(f"For 'Histogram', the input must hold real numbers, but got {dtype}.")
    if dtype.kind in "iu":
        return int64 if dtype is int64 else int32
    return float64 if dtype is float64 else float32


@histogram.shape
def _(x: Aval, *, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Aval:
    return Aval((bins,), _counting(x.dtype))


@operator(primitive="HistogramFixedWidth(nbins, dtype='int32')(x, range)", samples=[],
          dims="..., two! -> n!")
def histogram_fixed_width(x: Tensor, limits: Tensor, *, nbins: int, dtype: str = "int32"):
    """How many elements lie in each of `nbins` intervals; outer elements count in the first and last."""
    _check_counts(dtype)
    low, high = limits.to(x.dtype)
    place = ((x - low) / (high - low) * nbins).floor().clamp(0, nbins - 1).long()
    return torch.bincount(place.reshape(-1), minlength=nbins).to(torch.int32)


@histogram_fixed_width.shape
def _(x: Aval, limits: Aval, *, nbins: int, dtype: str = "int32") -> Aval:
    _check_counts(dtype)
    return Aval((nbins,), int32)


def _check_counts(dtype: str):
    if dtype != "int32":
        raise ValueError(f"For 'HistogramFixedWidth', the 'dtype' must be 'int32', but got {dtype!r}; cast the counts.")


@operator(hidden=True, samples=[], dims=whole("the greatest number says how many are counted"))
def count_values(x: Tensor, weights: Tensor | None = None, *, minlength: int = 0):
    """How often each of the numbers 0, 1, ... occurs, float32; or the sums of their weights, of their type."""
    return torch.bincount(x.long(), weights, minlength).to(torch.float32 if weights is None else weights.dtype)


@count_values.grad(needs="x weights")
def _(x: Value, weights: Value | None, dout: Value, *, minlength: int = 0):
    """A weight has the cotangent of the number that it is counted for."""
    return None, None if weights is None else lambda: gather(dout, x, axis=0)


@count_values.shape
def _(x: Aval, weights: Any = None, *, minlength: int = 0) -> Aval:
    raise unknown_extent("bincount")


count_values.dynamic_shape(lambda x, weights=None, minlength=0: [("count",)])


@operator(hidden=True, dims=partial_axes("mean"), samples=[((2, 3, 4),), ((2, 3), {"axis": (1,), "keep_dims": True})])
def mean_of_whole(x: Tensor, *, axis: Axes = (), keep_dims: bool = False):
    """The mean of whole numbers, cut off; its derivative is that of the mean before that."""
    return torch.mean(x.double(), tuple(axes_of(axis, x.ndim)), keep_dims).to(x.dtype)


@mean_of_whole.shape
def _(x: Aval, *, axis: Axes = (), keep_dims: bool = False) -> Aval:
    return Aval(reduced(x, axis, keep_dims, "ReduceMean"), x.dtype)


@mean_of_whole.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, axis: Axes = (), keep_dims: bool = False):
    return spread(dout * (1.0 / max(count(x, axis), 1)), x, axis, keep_dims),


@operator(primitive="Bincount()(array, size, weights)", samples=[],
          dims=whole("how many numbers are counted is known only at run time"))
def bincount(array: Tensor, size: Tensor, weights: Tensor):
    """The sums of the weights of each of the numbers 0 to size - 1."""
    n = int(size)
    kept = (array >= 0) & (array < n)
    known = weights if weights.numel() else torch.ones_like(array, dtype=weights.dtype)
    out = torch.zeros(n, dtype=known.dtype, device=array.device)
    return out.index_add(0, array[kept].long(), known[kept])


@bincount.shape
def _(array: Aval, size: Any, weights: Aval) -> Aval:
    raise unknown_extent("Bincount")


bincount.dynamic_shape(lambda array, size, weights: [("size",)])


@operator(hidden=True, grad="torch", samples=[],
          dims=lambda array, size, weights, dout: (
              "..., , ..., n! -> ..." if weights.shape == array.shape else "...!, , w!, n! -> w!"))
def bincount_grad(array: Tensor, size: int, weights: Tensor, dout: Tensor):
    """The cotangent of the weights of `bincount`: zero for numbers that are not counted."""
    n = int(size)
    if not weights.numel():
        return torch.zeros_like(weights)
    kept = (array >= 0) & (array < n)
    return torch.where(kept, dout[array.long().clamp(0, n - 1)], 0)


@bincount_grad.shape
def _(array: Aval, size: Any, weights: Aval, dout: Aval) -> Aval:
    return weights


@bincount.grad(needs="array size weights")
def _(array: Value, size: Value, weights: Value, dout: Value):
    return None, None, lambda: bincount_grad(array, size, weights, dout)


@operator(primitive="Bucketize(boundaries)(input)", function="bucketize(input, boundaries, *, "
                                                             "right=False)",
          samples=[(Values((2, 3), 0, 9, "int32"), {"boundaries": (2.0, 5.0)})], dims="... -> ...")
def bucketize(x: Tensor, *, boundaries: tuple[float, ...], right: bool = True):
    """The index of the interval between the boundaries in which each element lies, int32."""
    edges = torch.tensor(boundaries, dtype=torch.float64, device=x.device)
    return torch.bucketize(check.real("Bucketize", "input", x).double(), edges, out_int32=True, right=right)


@bucketize.shape
def _(x: Aval, *, boundaries: tuple[float, ...], right: bool = True) -> Aval:
    return Aval(x.shape, int32)


@operator(hidden=True, grad="torch", samples=[((3, 4), (4, 2), {"equation": "ij,jk->ik"})])
def einsum(*operands: Tensor, equation: str):
    """The sum of products over the labels that the result lacks."""
    found = torch.einsum(equation, *operands)
    return found.clone() if len(operands) == 1 else found          # a diagonal or a transposed form is a view


einsum.layout(_subscripts)


@einsum.onnx
def _(g: Exported, *operands: str, equation: str):
    return g.add("Einsum", *operands, equation=equation)


@operator(primitive="Betainc()(a, b, x)", samples=[], dims="..., ..., ... -> ...", traits={STRICT})
def betainc(a: Tensor, b: Tensor, x: Tensor):
    """The regularised incomplete beta function, by its continued fraction."""
    swap = x > (a + 1) / (a + b + 2)
    p, q, y = torch.where(swap, b, a), torch.where(swap, a, b), torch.where(swap, 1 - x, x)
    front = torch.exp(torch.lgamma(p + q) - torch.lgamma(p) - torch.lgamma(q)
                      + torch.xlogy(p, y) + torch.xlogy(q, 1 - y))
    out = front * _beta_fraction(p.double(), q.double(), y.double()).to(x.dtype) / p
    return torch.where(swap, 1 - out, out)


def _beta_fraction(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    tiny = 1e-30
    c = torch.ones_like(x)
    d = 1 / _nonzero(1 - (a + b) * x / (a + 1), tiny)
    out = d
    for m in range(1, 200):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / _nonzero(1 + term * d, tiny)
            c = _nonzero(1 + term / c, tiny)
            out = out * d * c
    return out


def _nonzero(x: torch.Tensor, tiny: float) -> torch.Tensor:
    return torch.where(x.abs() < tiny, tiny, x)


@betainc.shape
def _(a: Any, b: Any, x: Any) -> Aval:
    given = tensors_of((a, b, x), "Betainc")
    for what, error in (("dtype", TypeError), ("shape", ValueError)):
        if any([getattr(v, what) != getattr(x, what) for v in given]):
            raise error(f"For 'Betainc', the {what} of the three tensors must be the same, but got "
                        f"{', '.join(map(show, given))}.")
    floating("Betainc")(x)
    return x
