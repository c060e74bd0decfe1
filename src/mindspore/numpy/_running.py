"""Sums and products so far, and functions that take axes away and pass over nan."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import bool_, int8, int16, int32, uint8

from ._reductions import amax, amin
from .arguments import axes_of, cast, floating, tensor


def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Sums of all elements so far, of the flattened tensor by default.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axis.
        dtype: Type in which they are added; small ints and bools become int32 by default.

    Examples:
        >>> print(mnp.cumsum([[1, 2], [3, 4]]), mnp.cumsum([[1, 2], [3, 4]], axis=0))
        [ 1  3  6 10] [[1 2]
         [4 6]]
    """
    return _running(ops.cumsum, a, axis, dtype)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Products of all elements so far, of the flattened tensor by default.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axis.
        dtype: Type in which they are multiplied; small ints and bools become int32 by default.

    Examples:
        >>> print(mnp.cumprod([1, 2, 3, 4]))
        [ 1  2  6 24]
    """
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
    """Sum over axes, nan counted as 0.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        dtype: Type of the result.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.nansum([1.0, mnp.nan, 3.0]))
        4.0
    """
    a, _ = _without_nan(a, 0)
    return cast(ops.sum(a, dim=axes_of("nansum", axis, a.ndim), keepdim=keepdims), dtype or a.dtype)


def nancumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Sums of all elements so far, nan counted as 0.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axis; None for the flattened tensor.
        dtype: Type in which they are added.

    Examples:
        >>> print(mnp.nancumsum([1.0, mnp.nan, 3.0]))
        [1. 1. 4.]
    """
    return cumsum(_without_nan(a, 0)[0], axis, dtype)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Mean over axes of what is not nan.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        dtype: Type of the result.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.nanmean([1.0, mnp.nan, 3.0]))
        2.0
    """
    a, valid = _without_nan(floating(a), 0)
    axes = axes_of("nanmean", axis, a.ndim)
    number = ops.sum(valid.astype(a.dtype), dim=axes, keepdim=keepdims)
    return cast(ops.sum(a, dim=axes, keepdim=keepdims) / number, dtype)


def nanvar(
    a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False
) -> Any:
    """Variance over axes of what is not nan.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        dtype: Type of the result.
        ddof: What is taken off the number of elements.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.nanvar([1.0, mnp.nan, 3.0]))
        1.0
    """
    a, valid = _without_nan(floating(a), 0)
    axes, counted = axes_of("nanvar", axis, a.ndim), valid.astype(a.dtype)
    number = ops.sum(counted, dim=axes, keepdim=True)
    distance = (a - ops.sum(a, dim=axes, keepdim=True) / number) * counted
    total = ops.sum(distance * distance, dim=axes, keepdim=keepdims)
    return cast(total / (ops.sum(counted, dim=axes, keepdim=keepdims) - ddof), dtype)


def nanstd(
    a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False
) -> Any:
    """Standard deviation over axes of what is not nan.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        dtype: Type of the result.
        ddof: What is taken off the number of elements.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.nanstd([1.0, mnp.nan, 5.0]))
        2.0
    """
    return ops.sqrt(nanvar(a, axis, dtype, ddof, keepdims))


def nanmax(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Maximum over axes of what is not nan.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        dtype: Type of the result.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.nanmax([[1.0, mnp.nan], [3.0, 2.0]], axis=1))
        [1. 3.]
    """
    a = tensor(a)
    a = _without_nan(a, -math.inf)[0] if a.dtype.is_floating else a
    return cast(amax(a, axis, keepdims), dtype)


def nanmin(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Minimum over axes of what is not nan.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        dtype: Type of the result.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.nanmin([[1.0, mnp.nan], [3.0, 2.0]], axis=1))
        [1. 2.]
    """
    a = tensor(a)
    a = _without_nan(a, math.inf)[0] if a.dtype.is_floating else a
    return cast(amin(a, axis, keepdims), dtype)


__all__ = [
    "cumprod",
    "cumsum",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanstd",
    "nansum",
    "nanvar",
]
