"""Tensors in other shapes and orders, and as text."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.eager.tensor import Tensor

from .arguments import axes_of, first, tensor


def reshape(x: Any, new_shape: Any) -> Any:
    """The elements in another shape.

    Args:
        x: A tensor, or numbers that make one.
        new_shape: The shape; one length may be -1 and follows from the others.

    Examples:
        >>> print(mnp.reshape([1, 2, 3, 4], (2, -1)))
        [[1 2]
         [3 4]]
    """
    return tensor(x).reshape(new_shape)


def ravel(x: Any) -> Any:
    """The elements in one axis.

    Args:
        x: A tensor, or numbers that make one.

    Examples:
        >>> print(mnp.ravel([[1, 2], [3, 4]]))
        [1 2 3 4]
    """
    return tensor(x).reshape((-1,))


def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order, turned round by default.

    Args:
        a: A tensor, or numbers that make one.
        axes: The axes of `a` in their new order.

    Examples:
        >>> mnp.transpose(mnp.ones((2, 3, 4)), (1, 0, 2)).shape
        (3, 2, 4)
    """
    a = tensor(a)
    return a.permute(tuple(range(a.ndim))[::-1] if axes is None else tuple(axes))


def expand_dims(a: Any, axis: Any) -> Any:
    """One more axis, of length 1, or some.

    Args:
        a: A tensor, or numbers that make one.
        axis: Where it stands in the result, an int or a tuple of ints.

    Examples:
        >>> mnp.expand_dims([1, 2, 3], 0).shape
        (1, 3)
    """
    a = tensor(a)
    for at in sorted(axes_of("expand_dims", axis, a.ndim + (len(axis) if isinstance(axis, (list, tuple)) else 1))):
        a = ops.expand_dims(a, at)
    return a


def squeeze(a: Any, axis: Any = None) -> Any:
    """Without the axes of length 1, or some of them.

    Args:
        a: A tensor, or numbers that make one.
        axis: Those to take away, an int or a tuple; their length must be 1.

    Examples:
        >>> mnp.squeeze(mnp.ones((1, 3, 1)), 0).shape
        (3, 1)
    """
    a = tensor(a)
    return a.squeeze() if axis is None else a.squeeze(axis)


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """Two axes in each other's place.

    Args:
        x: A tensor, or numbers that make one.
        axis1, axis2: The two.

    Examples:
        >>> mnp.swapaxes(mnp.ones((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """
    return ops.swapaxes(tensor(x), axis1, axis2)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Axes at other places.

    Args:
        a: A tensor, or numbers that make one.
        source, destination: Where they are, and where they shall be: ints, or tuples of equal length.

    Examples:
        >>> mnp.moveaxis(mnp.ones((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    """
    return ops.movedim(tensor(a), source, destination)


def rollaxis(x: Any, axis: int, start: int = 0) -> Any:
    """An axis moved before axis `start`.

    Args:
        x: A tensor, or numbers that make one.
        axis: The axis.
        start: The axis before which it shall stand.

    Examples:
        >>> mnp.rollaxis(mnp.ones((2, 3, 4)), 2).shape
        (4, 2, 3)
    """
    x = tensor(x)
    axis = axes_of("rollaxis", axis, x.ndim)[0]
    start = start + x.ndim if start < 0 else start
    return ops.movedim(x, axis, start - 1 if start > axis else start)


def atleast_1d(*arys: Any) -> Any:
    """Tensors with one axis or more.

    Args:
        arys: Tensors, or numbers that make some.

    Returns:
        A tensor; a list of them if there are several arguments.

    Examples:
        >>> print(mnp.atleast_1d(7))
        [7]
    """
    return _atleast(arys, lambda a: a.reshape((1,)) if a.ndim < 1 else a)


def atleast_2d(*arys: Any) -> Any:
    """Tensors with two axes or more.

    Args:
        arys: Tensors, or numbers that make some; a vector becomes a row.

    Returns:
        A tensor; a list of them if there are several arguments.

    Examples:
        >>> print(mnp.atleast_2d([1, 2]))
        [[1 2]]
    """
    return _atleast(arys, lambda a: a.reshape((1, -1)) if a.ndim < 2 else a)


def atleast_3d(*arys: Any) -> Any:
    """Tensors with three axes or more.

    Args:
        arys: Tensors, or numbers that make some; a matrix (M, N) becomes (M, N, 1), a vector (N,) becomes
            (1, N, 1).

    Returns:
        A tensor; a list of them if there are several arguments.

    Examples:
        >>> mnp.atleast_3d([1, 2]).shape
        (1, 2, 1)
    """
    return _atleast(arys, _deep)


def _deep(a: Any) -> Any:
    if a.ndim < 2:
        return a.reshape((1, -1, 1))
    return ops.expand_dims(a, -1) if a.ndim == 2 else a


def _atleast(arrays: Any, function: Any) -> Any:
    result = [function(tensor(a)) for a in arrays]
    return result[0] if len(result) == 1 else result


def tile(a: Any, reps: Any) -> Any:
    """The tensor repeated along each axis.

    Args:
        a: A tensor, or numbers that make one.
        reps: How often along each axis: an int for the last axis, or a tuple for the last axes.

    Examples:
        >>> print(mnp.tile([1, 2], 2))
        [1 2 1 2]
    """
    a, reps = tensor(a), (reps,) if isinstance(reps, int) else tuple(reps)
    return ops.tile(a, (1,) * (a.ndim - len(reps)) + reps)


def repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    """Each element repeated along an axis, of the flattened tensor if it is None.

    Args:
        a: A tensor, or numbers that make one.
        repeats: How often: an int, or a list with one for each element of the axis.
        axis: The axis.

    Examples:
        >>> print(mnp.repeat([1, 2], 3), mnp.repeat([[1, 2], [3, 4]], [1, 2], axis=0))
        [1 1 1 2 2 2] [[1 2]
         [3 4]
         [3 4]]
    """
    a, axis = (ravel(a), 0) if axis is None else (tensor(a), axis)
    if isinstance(repeats, (list, tuple)):
        repeats = repeats[0] if len(repeats) == 1 else list(repeats)
    return ops.repeat_interleave(a, repeats, axis)


def broadcast_to(array: Any, shape: Any) -> Any:
    """The tensor repeated to a shape.

    Args:
        array: A tensor, or numbers that make one.
        shape: The shape.

    Examples:
        >>> print(mnp.broadcast_to([1, 2], (2, 2)))
        [[1 2]
         [1 2]]
    """
    return ops.broadcast_to(tensor(array), shape)


def broadcast_arrays(*args: Any) -> Any:
    r"""Tensors repeated to a common shape.

    Args:
        args: Tensors, or numbers that make some.

    Returns:
        A list of tensors.

    Examples:
        >>> print(*mnp.broadcast_arrays([1, 2], [[3], [4]]), sep="\n")
        [[1 2]
         [1 2]]
        [[3 3]
         [4 4]]
    """
    total = first("broadcast_arrays", args)
    for array in args[1:]:
        total = ops.where(tensor(True), total, total) + tensor(array) * 0
    return [ops.broadcast_to(tensor(a), total.shape) for a in args]


def flip(m: Any, axis: Any = None) -> Any:
    """Axes turned round, all by default.

    Args:
        m: A tensor, or numbers that make one.
        axis: An int or a tuple of ints.

    Examples:
        >>> print(mnp.flip([[1, 2], [3, 4]]), mnp.flip([[1, 2], [3, 4]], 0))
        [[4 3]
         [2 1]] [[3 4]
         [1 2]]
    """
    m = tensor(m)
    return ops.flip(m, axes_of("flip", axis, m.ndim))


def fliplr(m: Any) -> Any:
    """Axis 1 turned round.

    Args:
        m: A tensor, or numbers that make one.

    Examples:
        >>> print(mnp.fliplr([[1, 2], [3, 4]]))
        [[2 1]
         [4 3]]
    """
    return flip(m, 1)


def flipud(m: Any) -> Any:
    """Axis 0 turned round.

    Args:
        m: A tensor, or numbers that make one.

    Examples:
        >>> print(mnp.flipud([[1, 2], [3, 4]]))
        [[3 4]
         [1 2]]
    """
    return flip(m, 0)


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Elements moved along axes, those at the end to the beginning; of the flattened tensor by default.

    Args:
        a: A tensor, or numbers that make one.
        shift: By how many places, an int or a tuple; one shift holds for all axes, several for one axis.
        axis: An int or a tuple of ints.

    Examples:
        >>> print(mnp.roll([1, 2, 3, 4], 1), mnp.roll([[1, 2], [3, 4]], 1, axis=1))
        [4 1 2 3] [[2 1]
         [4 3]]
    """
    a = tensor(a)
    shifts = tuple(shift) if isinstance(shift, (list, tuple)) else (shift,)
    axes = tuple(axis) if isinstance(axis, (list, tuple)) else (0 if axis is None else axis,)
    count = max(len(shifts), len(axes))
    shifts, axes = [v * count if len(v) == 1 else v for v in (shifts, axes)]
    return ops.roll(ravel(a) if axis is None else a, shifts, axes).reshape(a.shape)


def rot90(a: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Turned by 90 degrees `k` times.

    Args:
        a: A tensor, or numbers that make one.
        k: How often; against the clock.
        axes: The plane, from the first axis towards the second.

    Examples:
        >>> print(mnp.rot90([[1, 2], [3, 4]]))
        [[2 4]
         [1 3]]
    """
    return ops.rot90(tensor(a), k, tuple(axes))


def size(a: Any, axis: int | None = None) -> int:
    """Number of elements, or the length of an axis.

    Args:
        a: A tensor, or numbers that make one.
        axis: The axis; None for all.

    Examples:
        >>> mnp.size([[1, 2, 3], [4, 5, 6]]), mnp.size([[1, 2, 3], [4, 5, 6]], 0)
        (6, 2)
    """
    shape = tensor(a).shape
    return math.prod(shape) if axis is None else shape[axes_of("size", axis, len(shape))[0]]


def array_str(a: Any) -> str:
    """The elements as text.

    Args:
        a: A tensor, or numbers that make one.

    Examples:
        >>> mnp.array_str(mnp.array([1, 2]))
        '[1 2]'
    """
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
