"""Functions of the program applied along axes, or where conditions hold."""

from __future__ import annotations

from typing import Any

from mindspore import ops

from .arguments import axes_of, tensor


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of every vector along an axis."""
    arr = tensor(arr)
    axis = axes_of("apply_along_axis", axis, arr.ndim)[0]
    last = ops.movedim(arr, axis, -1)
    rows = last.reshape((-1, last.shape[-1]))
    results = [tensor(func1d(rows[i], *args, **kwargs)) for i in range(rows.shape[0])]
    result = ops.stack(results).reshape(tuple(last.shape[:-1]) + tuple(results[0].shape))
    return ops.movedim(result, -1, axis) if results[0].ndim == 1 else result


def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """A function along one axis after the other."""
    a = tensor(a)
    for axis in axes_of("apply_over_axes", axes, a.ndim):
        result = func(a, axis)
        a = ops.expand_dims(result, axis) if result.ndim < a.ndim else result
    return a


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Of each element the function (or value) of the last condition that holds; one more function for the rest."""
    x = tensor(x)
    values = [f(x, *args, **kw) if callable(f) else ops.full_like(x, f) for f in funclist]
    result = values[len(condlist)] if len(values) > len(condlist) else x * 0
    for condition, value in zip(condlist, values, strict=False):
        result = ops.where(tensor(condition), value, result)
    return result


__all__ = ["apply_along_axis", "apply_over_axes", "piecewise"]
