"""Sums, means, extremes and their places: functions that take axes away."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import (
    float32,
    int32,
    int64,
    uint16,
    uint32,
    uint64,
)

from .arguments import axes_of, cast, tensor

_WIDE = uint16, uint32, uint64          # what is summed in its own type


def sum(
    a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None
) -> Any:
    """Sum over axes; integers as int64, unsigned ones of 16 bits and more in their type.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        dtype: Type of the result.
        keepdims: Keep these axes with length 1.
        initial: A number that is added.

    Examples:
        >>> print(mnp.sum([[1, 2], [3, 4]], axis=0), mnp.sum([0.5, 1.5], initial=10))
        [4 6] 12.0
    """
    a = tensor(a)
    a = a if a.dtype.is_floating or a.dtype.is_complex or a.dtype in _WIDE else a.astype(int64)
    axes = axes_of("sum", axis, a.ndim or 1)
    result = ops.sum(a, dim=axes, keepdim=keepdims) if a.ndim else a
    return cast(result if initial is None else result + initial, dtype)


def _real(a: Any) -> Any:
    return a if a.dtype.is_floating or a.dtype.is_complex else a.astype(float32)


def mean(a: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    """Mean over axes, in the type of the input.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        keepdims: Keep these axes with length 1.
        dtype: Type of the result.

    Examples:
        >>> print(mnp.mean([[1.0, 2.0], [3.0, 6.0]], axis=1))
        [1.5 4.5]
    """
    a = tensor(a)
    axes = axes_of("mean", axis, a.ndim or 1)
    if not a.ndim:
        return cast(a, dtype)
    result = ops.mean(_real(a), axes, keepdims)
    return cast(result, a.dtype if dtype is None else dtype)


def var(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Mean square distance from the mean; the divisor is the number less `ddof`.

    Args:
        x: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None or () for all.
        ddof: What is taken off the number.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.var([1.0, 2.0, 3.0, 4.0]), mnp.var([1.0, 3.0], ddof=1))
        1.25 2.0
    """
    x = _real(tensor(x))
    axes = axes_of("var", axis, x.ndim or 1) or tuple(range(x.ndim))
    if not x.ndim:
        return x * 0
    number = math.prod([x.shape[a] for a in axes])
    distance = x - ops.mean(x, axes, True)
    if x.dtype.is_complex:
        distance = ops.abs(distance)
    return ops.sum(distance * distance, dim=axes, keepdim=keepdims) / (number - ddof)


def std(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Standard deviation: square root of `var`.

    Args:
        x: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None or () for all.
        ddof: What is taken off the number.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.std([[1.0, 3.0], [4.0, 4.0]], axis=1))
        [1. 0.]
    """
    return ops.sqrt(var(x, axis, ddof, keepdims))


def amax(
    a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """Maximum over axes; with `where` only of some elements, with `initial` at least that.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        keepdims: Keep these axes with length 1.
        initial: The least value of the result; needed with `where`.
        where: The elements that count: a tensor of bools that is broadcast with `a`.

    Raises:
        ValueError: If there is `where` without `initial`.

    Examples:
        >>> x = mnp.array([[1, 7], [5, 2]])
        >>> print(mnp.amax(x, axis=0), mnp.amax(x, initial=0, where=x < 6))
        [5 7] 5
    """
    return _extreme("amax", a, axis, keepdims, initial, where)


def amin(
    a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """Minimum over axes; with `where` only of some elements, with `initial` at most that.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        keepdims: Keep these axes with length 1.
        initial: The greatest value of the result; needed with `where`.
        where: The elements that count: a tensor of bools that is broadcast with `a`.

    Raises:
        ValueError: If there is `where` without `initial`.

    Examples:
        >>> x = mnp.array([[1, 7], [5, 2]])
        >>> print(mnp.amin(x, axis=0), mnp.amin(x, initial=9, where=x > 3))
        [1 2] 5
    """
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
    """Maximum less minimum over axes.

    Args:
        x: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.ptp([[1, 7], [5, 2]], axis=1))
        [6 3]
    """
    return amax(x, axis, keepdims) - amin(x, axis, keepdims)


def argmax(a: Any, axis: int | None = None) -> Any:
    """Place of the first maximum.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axis; None for the flattened tensor.

    Examples:
        >>> print(mnp.argmax([[1, 7], [5, 2]]), mnp.argmax([[1, 7], [5, 2]], axis=1))
        1 [1 0]
    """
    return ops.argmax(tensor(a), dim=axis)


def argmin(a: Any, axis: int | None = None) -> Any:
    """Place of the first minimum, int32.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axis; None for the flattened tensor.

    Examples:
        >>> print(mnp.argmin([[3, 7], [5, 2]]), mnp.argmin([[3, 7], [5, 2]], axis=1))
        3 [0 1]
    """
    return ops.argmin(tensor(a), axis=axis).astype(int32)


def average(x: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """Mean over axes, weighted; with `returned` also the sum of weights.

    Args:
        x: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        weights: Weights of the elements, in the shape of `x`, or of the vector along the one axis.
        returned: Give also the sum of weights.

    Raises:
        ValueError: If `weights` has another shape.

    Examples:
        >>> print(mnp.average([1.0, 2.0, 6.0], weights=[1.0, 1.0, 2.0]))
        3.75
    """
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


def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Number of elements other than 0 over axes, int32.

    Args:
        x: A tensor, or numbers that make one.
        axis: The axes: an int or a tuple of ints; None for all.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.count_nonzero([[0, 7], [5, 2]], axis=0))
        [1 2]
    """
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
    "max",
    "mean",
    "min",
    "ptp",
    "std",
    "sum",
    "var",
]
