"""Functions of the program applied along axes, or where conditions hold."""

from __future__ import annotations

from typing import Any

from mindspore import ops

from .arguments import axes_of, tensor


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of every vector along an axis.

    Args:
        func1d: A function of a vector; gives a number or a vector, always of one length.
        axis: The axis of `arr` whose vectors it takes.
        arr: A tensor, or numbers that make one.
        args, kwargs: More arguments of `func1d`.

    Returns:
        A tensor with the shape of `arr`, in which the results stand in place of the axis.

    Examples:
        >>> print(mnp.apply_along_axis(lambda row: row.max() - row.min(), 1, mnp.array([[1, 5, 2], [4, 4, 9]])))
        [4 5]
    """
    arr = tensor(arr)
    axis = axes_of("apply_along_axis", axis, arr.ndim)[0]
    last = ops.movedim(arr, axis, -1)
    rows = last.reshape((-1, last.shape[-1]))
    results = [tensor(func1d(rows[i], *args, **kwargs)) for i in range(rows.shape[0])]
    result = ops.stack(results).reshape(tuple(last.shape[:-1]) + tuple(results[0].shape))
    return ops.movedim(result, -1, axis) if results[0].ndim == 1 else result


def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """A function along one axis after the other.

    Args:
        func: A function (tensor, axis) that keeps the axis with length 1, or takes it away.
        a: A tensor, or numbers that make one.
        axes: The axes, one after the other: an int or a tuple of ints.

    Returns:
        A tensor with as many axes as `a`.

    Examples:
        >>> mnp.apply_over_axes(mnp.sum, mnp.ones((2, 3, 4)), (0, 2)).shape
        (1, 3, 1)
    """
    a = tensor(a)
    for axis in axes_of("apply_over_axes", axes, a.ndim):
        result = func(a, axis)
        a = ops.expand_dims(result, axis) if result.ndim < a.ndim else result
    return a


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Of each element the function (or value) of the last condition that holds; one more function for the rest.

    Args:
        x: A tensor, or numbers that make one.
        condlist: Conditions: tensors of bools in the shape of `x`.
        funclist: A function or a number for each condition; one more is for the elements where none holds
            (0 without it).
        args, kw: More arguments of the functions.

    Examples:
        >>> x = mnp.array([-2.0, -1.0, 0.0, 3.0])
        >>> print(mnp.piecewise(x, [x < 0, x > 0], [lambda v: -v, 10, 5]))
        [ 2.  1.  5. 10.]
    """
    x = tensor(x)
    values = [f(x, *args, **kw) if callable(f) else ops.full_like(x, f) for f in funclist]
    result = values[len(condlist)] if len(values) > len(condlist) else x * 0
    for condition, value in zip(condlist, values, strict=False):
        result = ops.where(tensor(condition), value, result)
    return result


__all__ = ["apply_along_axis", "apply_over_axes", "piecewise"]
