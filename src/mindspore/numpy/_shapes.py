"""Tensors in other shapes and orders, and as text."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.eager.tensor import Tensor

from .arguments import axes_of, tensor


def reshape(x: Any, new_shape: Any) -> Any:
    """The elements in another shape."""
    return tensor(x).reshape(new_shape)


def ravel(x: Any) -> Any:
    """The elements in one axis."""
    return tensor(x).reshape((-1,))


def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order, turned round by default."""
    a = tensor(a)
    return a.permute(tuple(range(a.ndim))[::-1] if axes is None else tuple(axes))


def expand_dims(a: Any, axis: int) -> Any:
    """One more axis, of length 1."""
    return ops.expand_dims(tensor(a), axis)


def squeeze(a: Any, axis: Any = None) -> Any:
    """Without the axes of length 1, or some of them."""
    a = tensor(a)
    return a.squeeze() if axis is None else a.squeeze(axis)


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """Two axes in each other's place."""
    return ops.swapaxes(tensor(x), axis1, axis2)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Axes at other places."""
    return ops.movedim(tensor(a), source, destination)


def rollaxis(x: Any, axis: int, start: int = 0) -> Any:
    """An axis moved before axis `start`."""
    x = tensor(x)
    axis = axes_of("rollaxis", axis, x.ndim)[0]
    start = start + x.ndim if start < 0 else start
    return ops.movedim(x, axis, start - 1 if start > axis else start)


def atleast_1d(*arys: Any) -> Any:
    """Tensors with one axis or more."""
    return _atleast(arys, lambda a: a.reshape((1,)) if a.ndim < 1 else a)


def atleast_2d(*arys: Any) -> Any:
    """Tensors with two axes or more."""
    return _atleast(arys, lambda a: a.reshape((1, -1)) if a.ndim < 2 else a)


def atleast_3d(*arys: Any) -> Any:
    """Tensors with three axes or more."""
    return _atleast(arys, _deep)


def _deep(a: Any) -> Any:
    if a.ndim < 2:
        return a.reshape((1, -1, 1))
    return ops.expand_dims(a, -1) if a.ndim == 2 else a


def _atleast(arrays: Any, function: Any) -> Any:
    result = [function(tensor(a)) for a in arrays]
    return result[0] if len(result) == 1 else result


def tile(a: Any, reps: Any) -> Any:
    """The tensor repeated along each axis."""
    a, reps = tensor(a), (reps,) if isinstance(reps, int) else tuple(reps)
    return ops.tile(a, (1,) * (a.ndim - len(reps)) + reps)


def repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    """Each element repeated along an axis, of the flattened tensor if it is None."""
    a, axis = (ravel(a), 0) if axis is None else (tensor(a), axis)
    if isinstance(repeats, (list, tuple)):
        repeats = repeats[0] if len(repeats) == 1 else list(repeats)
    return ops.repeat_interleave(a, repeats, axis)


def broadcast_to(array: Any, shape: Any) -> Any:
    """The tensor repeated to a shape."""
    return ops.broadcast_to(tensor(array), shape)


def broadcast_arrays(*args: Any) -> Any:
    """Tensors repeated to a common shape."""
    total = tensor(args[0])
    for array in args[1:]:
        total = ops.where(tensor(True), total, total) + tensor(array) * 0
    return [ops.broadcast_to(tensor(a), total.shape) for a in args]


def flip(m: Any, axis: Any = None) -> Any:
    """Axes turned round, all by default."""
    m = tensor(m)
    return ops.flip(m, axes_of("flip", axis, m.ndim))


def fliplr(m: Any) -> Any:
    """Axis 1 turned round."""
    return flip(m, 1)


def flipud(m: Any) -> Any:
    """Axis 0 turned round."""
    return flip(m, 0)


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Elements moved along axes, those at the end to the beginning; of the flattened tensor by default."""
    a = tensor(a)
    if axis is None:
        return ops.roll(ravel(a), shift, 0).reshape(a.shape)
    return ops.roll(a, shift, axis)


def rot90(a: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Turned by 90 degrees `k` times."""
    return ops.rot90(tensor(a), k, tuple(axes))


def size(a: Any, axis: int | None = None) -> int:
    """Number of elements, or the length of an axis."""
    shape = tensor(a).shape
    return math.prod(shape) if axis is None else shape[axis]


def array_str(a: Any) -> str:
    """The elements as text."""
    return str(Tensor(a).asnumpy() if not isinstance(a, Tensor) else a.asnumpy())


__all__ = [
    "array_str",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_to",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "moveaxis",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "rollaxis",
    "rot90",
    "size",
    "squeeze",
    "swapaxes",
    "tile",
    "transpose",
]
