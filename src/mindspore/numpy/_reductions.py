"""Sums, means, extremes and their places: functions that take axes away."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import (
    bool_,
    float32,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

from .arguments import axes_of, cast, floating, tensor

_WIDE = uint16, uint32, uint64          # what is summed in its own type


def sum(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None
) -> Any:
    """Sum over axes; integers as int64, unsigned ones of 16 bits and more in their type."""
    a = tensor(a)
    a = a if a.dtype.is_floating or a.dtype.is_complex or a.dtype in _WIDE else a.astype(int64)
    result = ops.sum(a, dim=axes_of("sum", axis, a.ndim), keepdim=keepdims) if a.ndim else a
    return cast(result if initial is None else result + initial, dtype)


def _real(a: Any) -> Any:
    return a if a.dtype.is_floating or a.dtype.is_complex else a.astype(float32)


def mean(a: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    """Mean over axes, in the type of the input."""
    a = tensor(a)
    if not a.ndim:
        return cast(a, dtype)
    result = ops.mean(_real(a), axes_of("mean", axis, a.ndim), keepdims)
    return cast(result, a.dtype if dtype is None else dtype)


def var(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Mean square distance from the mean; the divisor is the number less `ddof`."""
    x = _real(tensor(x))
    if not x.ndim:
        return x * 0
    axes = axes_of("var", axis, x.ndim)
    number = math.prod([x.shape[a] for a in axes])
    distance = x - ops.mean(x, axes, True)
    if x.dtype.is_complex:
        distance = ops.abs(distance)
    return ops.sum(distance * distance, dim=axes, keepdim=keepdims) / (number - ddof)


def std(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Standard deviation: square root of `var`."""
    return ops.sqrt(var(x, axis, ddof, keepdims))


def amax(
    a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """Maximum over axes; with `where` only of some elements, with `initial` at least that."""
    return _extreme("amax", a, axis, keepdims, initial, where)


def amin(
    a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """Minimum over axes; with `where` only of some elements, with `initial` at most that."""
    return _extreme("amin", a, axis, keepdims, initial, where)


max, min = amax, amin


def _extreme(owner: str, a: Any, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    a = tensor(a)
    if where is not True:
        if initial is None:
            raise ValueError(f"For '{owner}', the 'initial' must be given where 'where' is.")
        a = ops.where(tensor(where), a, ops.full_like(a, initial))
    axes = axes_of(owner, axis, a.ndim)
    reduced = {"amax": ops.amax, "amin": ops.amin}[owner]
    result = reduced(a, axes, keepdims) if axes else a
    if initial is not None:
        limit = {"amax": ops.maximum, "amin": ops.minimum}[owner]
        result = limit(result, initial).astype(a.dtype)
    return result


def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Maximum less minimum over axes."""
    return amax(x, axis, keepdims) - amin(x, axis, keepdims)


def argmax(a: Any, axis: int | None = None) -> Any:
    """Place of the first maximum."""
    return ops.argmax(tensor(a), dim=axis)


def argmin(a: Any, axis: int | None = None) -> Any:
    """Place of the first minimum, int32."""
    return ops.argmax(-tensor(a).astype(float32), dim=axis).astype(int32)


def average(x: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """Mean over axes, weighted; with `returned` also the sum of weights."""
    x = tensor(x)
    axes = axes_of("average", axis, x.ndim)
    if weights is None:
        result = mean(x, axes)
        total = ops.full_like(result, math.prod([x.shape[a] for a in axes]))
        return (result, total) if returned else result
    weights = tensor(weights)
    if weights.shape != x.shape:
        if len(axes) != 1 or weights.ndim != 1 or weights.shape[0] != x.shape[axes[0]]:
            raise ValueError(
                f"For 'average', the 'weights' must have the shape of 'x', {x.shape}, or of one axis, but "
                f"have {weights.shape}."
            )
        weights = weights.reshape([-1 if a == axes[0] else 1 for a in range(x.ndim)])
    weights = ops.broadcast_to(weights, x.shape)
    total = ops.sum(weights, dim=axes)
    result = ops.sum(x * weights, dim=axes) / total
    return (result, total) if returned else result


def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Sums of all elements so far, of the flattened tensor by default."""
    return _running(ops.cumsum, a, axis, dtype)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Products of all elements so far, of the flattened tensor by default."""
    return _running(lambda x, along: ops.cumprod(x, along, x.dtype), a, axis, dtype)


def _running(function: Any, a: Any, axis: int | None, dtype: Any) -> Any:
    a = tensor(a)
    a = a.astype(int32) if a.dtype in (bool_, int8, uint8, int16) else a       # uint16 stays, as in the original
    a, axis = (a.reshape((-1,)), 0) if axis is None else (a, axis)
    return function(cast(a, dtype), axis)


def _without_nan(a: Any, value: Any) -> tuple[Any, Any]:
    """The tensor with another value instead of nan, and where there was none."""
    a = tensor(a)
    valid = ops.logical_not(ops.isnan(a))
    return ops.where(valid, a, ops.full_like(a, value)), valid


def nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Sum over axes, nan counted as 0."""
    a, _ = _without_nan(a, 0)
    return cast(ops.sum(a, dim=axes_of("nansum", axis, a.ndim), keepdim=keepdims), dtype or a.dtype)


def nancumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Sums of all elements so far, nan counted as 0."""
    return cumsum(_without_nan(a, 0)[0], axis, dtype)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Mean over axes of what is not nan."""
    a, valid = _without_nan(floating(a), 0)
    axes = axes_of("nanmean", axis, a.ndim)
    number = ops.sum(valid.astype(a.dtype), dim=axes, keepdim=keepdims)
    return cast(ops.sum(a, dim=axes, keepdim=keepdims) / number, dtype)


def nanvar(
    a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False
) -> Any:
    """Variance over axes of what is not nan."""
    a, valid = _without_nan(floating(a), 0)
    axes, counted = axes_of("nanvar", axis, a.ndim), valid.astype(a.dtype)
    number = ops.sum(counted, dim=axes, keepdim=True)
    distance = (a - ops.sum(a, dim=axes, keepdim=True) / number) * counted
    total = ops.sum(distance * distance, dim=axes, keepdim=keepdims)
    return cast(total / (ops.sum(counted, dim=axes, keepdim=keepdims) - ddof), dtype)


def nanstd(
    a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False
) -> Any:
    """Standard deviation over axes of what is not nan."""
    return ops.sqrt(nanvar(a, axis, dtype, ddof, keepdims))


def nanmax(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Maximum over axes of what is not nan."""
    a = tensor(a)
    a = _without_nan(a, -math.inf)[0] if a.dtype.is_floating else a
    return cast(amax(a, axis, keepdims), dtype)


def nanmin(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Minimum over axes of what is not nan."""
    a = tensor(a)
    a = _without_nan(a, math.inf)[0] if a.dtype.is_floating else a
    return cast(amin(a, axis, keepdims), dtype)


def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Number of elements other than 0 over axes, int32."""
    x = tensor(x)
    axes = axes_of("count_nonzero", axis, x.ndim)
    return ops.sum((x != 0).astype(int32), dim=axes, keepdim=keepdims).astype(int32)


__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "average",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "max",
    "mean",
    "min",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanstd",
    "nansum",
    "nanvar",
    "ptp",
    "std",
    "sum",
    "var",
]
