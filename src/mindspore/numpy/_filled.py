"""Tensors of values, and of numbers in a row."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32, int32
from mindspore.core.kinds import is_sequence
from mindspore.eager.tensor import is_tensor

from .arguments import cast, holds_text, tensor


def array(obj: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """A tensor of what `obj` holds, with `ndmin` axes or more.

    Args:
        obj: A tensor, a NumPy array, a number, or lists of these.
        dtype: Type of the elements; by default float32 of floats and int32 of ints of Python.
        copy: A tensor is copied.
        ndmin: The least number of axes; new ones stand in front.

    Examples:
        >>> print(mnp.array([1, 2.5]), mnp.array(3, ndmin=2))
        [1.  2.5] [[3]]
    """
    result = asarray(obj, dtype)
    if ndmin > result.ndim:
        result = result.reshape((1,) * (ndmin - result.ndim) + tuple(result.shape))
    return ops.deepcopy(result) if copy and result is obj else result


def asarray(a: Any, dtype: Any = None) -> Any:
    """A tensor of what `a` holds; a tensor unchanged.

    Args:
        a: A tensor, a NumPy array, a number, or lists of these.
        dtype: Type of the elements; by default that of `a`.

    Examples:
        >>> mnp.asarray([1, 2]).dtype
        mindspore.int32
    """
    return cast(_held(a), dtype)


def _held(a: Any) -> Any:
    """A tensor of what `a` holds; ValueError, as NumPy's, for lists of unequal lengths."""
    try:
        return tensor(a)
    except TypeError as error:
        if is_sequence(a) and not holds_text(a):
            raise ValueError(str(error)) from None
        raise


def asfarray(a: Any, dtype: Any = float32) -> Any:
    """A tensor of floats of what `a` holds.

    Args:
        a: A tensor, a NumPy array, a number, or lists of these.
        dtype: Type of the elements; anything but floats means float32.

    Examples:
        >>> print(mnp.asfarray([1, 2]))
        [1. 2.]
    """
    result = _held(a)
    dtype = as_dtype(float32 if dtype is None else dtype)
    return result.astype(dtype if dtype.is_floating else float32)


def copy(a: Any) -> Any:
    """A copy of a tensor.

    Args:
        a: A tensor, or numbers that make one.

    Examples:
        >>> x = mnp.array([1, 2])
        >>> y = mnp.copy(x)
        >>> y[0] = 9
        >>> print(x, y)
        [1 2] [9 2]
    """
    return ops.deepcopy(tensor(a))


def zeros(shape: Any, dtype: Any = float32) -> Any:
    """Zeros of a shape.

    Args:
        shape: The shape, an int or a tuple of ints.
        dtype: Type of the elements.

    Examples:
        >>> print(mnp.zeros((2, 3)))
        [[0. 0. 0.]
         [0. 0. 0.]]
    """
    return ops.zeros(shape, dtype)


def ones(shape: Any, dtype: Any = float32) -> Any:
    """Ones of a shape.

    Args:
        shape: The shape, an int or a tuple of ints.
        dtype: Type of the elements.

    Examples:
        >>> print(mnp.ones(3, mnp.int32))
        [1 1 1]
    """
    return ops.ones(shape, dtype)


def empty(shape: Any, dtype: Any = float32) -> Any:
    """A tensor of a shape; its elements are 0.

    Args:
        shape: The shape, an int or a tuple of ints.
        dtype: Type of the elements.

    Examples:
        >>> mnp.empty((2, 3)).shape
        (2, 3)
    """
    return ops.zeros(shape, dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """A shape filled with a value.

    Args:
        shape: The shape, an int or a tuple of ints.
        fill_value: A number, or a tensor that is broadcast to the shape.
        dtype: Type of the elements; by default that of the value.

    Examples:
        >>> print(mnp.full((2, 2), 7), mnp.full((2, 2), [1, 2]))
        [[7 7]
         [7 7]] [[1 2]
         [1 2]]
    """
    value = tensor(fill_value)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return cast(ops.broadcast_to(value, shape), dtype)


def _like(a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    a = tensor(a)
    return full(a.shape if shape is None else shape, value, a.dtype if dtype is None else dtype)


def zeros_like(a: Any, dtype: Any = None, shape: Any = None) -> Any:
    """Zeros of the shape and type of a tensor, or others.

    Args:
        a: A tensor, or numbers that make one.
        dtype: Type of the elements.
        shape: The shape, an int or a tuple of ints.

    Examples:
        >>> print(mnp.zeros_like([[1, 2], [3, 4]]))
        [[0 0]
         [0 0]]
    """
    return _like(a, 0, dtype, shape)


def ones_like(a: Any, dtype: Any = None, shape: Any = None) -> Any:
    """Ones of the shape and type of a tensor, or others.

    Args:
        a: A tensor, or numbers that make one.
        dtype: Type of the elements.
        shape: The shape, an int or a tuple of ints.

    Examples:
        >>> print(mnp.ones_like([1.5, 2.5], shape=(3,)))
        [1. 1. 1.]
    """
    return _like(a, 1, dtype, shape)


def empty_like(prototype: Any, dtype: Any = None, shape: Any = None) -> Any:
    """A tensor of the shape and type of another; its elements are 0.

    Args:
        prototype: A tensor, or numbers that make one.
        dtype: Type of the elements.
        shape: The shape, an int or a tuple of ints.

    Examples:
        >>> mnp.empty_like([[1, 2], [3, 4]]).shape
        (2, 2)
    """
    return _like(prototype, 0, dtype, shape)


def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Any:
    """A value in the shape and type of a tensor, or others.

    Args:
        a: A tensor, or numbers that make one.
        fill_value: A number, or a tensor that is broadcast to the shape.
        dtype: Type of the elements.
        shape: The shape, an int or a tuple of ints.

    Examples:
        >>> print(mnp.full_like([1.5, 2.5], 7))
        [7. 7.]
    """
    return _like(a, fill_value, dtype, shape)


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """Numbers from `start` (0) up to `stop`: int32 of ints, float32 of floats and tensors.

    Args:
        start, stop, step: The first number (0), where they end (it is not among them), and their distance
            (1).
        dtype: Type of the numbers.

    Examples:
        >>> print(mnp.arange(4), mnp.arange(1, 2, 0.25))
        [0 1 2 3] [1.   1.25 1.5  1.75]
    """
    start, stop = (0, start) if stop is None else (start, stop)
    step = 1 if step is None else step
    floats = any([isinstance(v, float) or is_tensor(v) for v in (start, stop, step)])
    start, stop, step = [float(v) if is_tensor(v) else v for v in (start, stop, step)]
    count = max(math.ceil((stop - start) / step), 0)
    if not floats:
        return ops.arange(start, start + count * step, step).astype(as_dtype(dtype or int32))
    return (start + ops.arange(count).astype(float32) * step).astype(as_dtype(dtype or float32))


def _real(owner: str, start: Any, stop: Any) -> tuple[Any, Any]:
    """The ends of a range, as float32."""
    first, last = [check.real(owner, name, tensor(x)) for name, x in (("start", start), ("stop", stop))]
    return first.astype(float32), last.astype(float32)


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """`num` numbers at equal distances from `start` to `stop`.

    Args:
        start, stop: The first and the last number: numbers or tensors, which are broadcast.
        num: How many.
        endpoint: `stop` is the last number; False: one step behind it.
        retstep: Give also the distance.
        dtype: Type of the numbers, float32 by default.
        axis: The axis of the numbers in the result.

    Raises:
        TypeError: If `endpoint` or `retstep` is no bool, or an end is complex.

    Examples:
        >>> print(mnp.linspace(0, 1, 5), mnp.linspace(0, 1, 4, endpoint=False))
        [0.   0.25 0.5  0.75 1.  ] [0.   0.25 0.5  0.75]
    """
    check.boolean("linspace", "endpoint", endpoint)
    check.boolean("linspace", "retstep", retstep)
    start, stop = _real("linspace", start, stop)
    gaps = num - 1 if endpoint else num
    step = (stop - start) / gaps if gaps else stop - start
    shape = [num] + [1] * max(start.ndim, stop.ndim)
    result = start + step * ops.arange(num).astype(float32).reshape(shape)
    if endpoint and num > 1:  # the last one exactly
        last = ops.arange(num).reshape(shape) == num - 1
        result = ops.where(last, ops.broadcast_to(stop, result.shape), result)
    result = cast(ops.movedim(result, 0, axis) if axis else result, dtype)
    return (result, step) if retstep else result


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """`base` to the power of `linspace`.

    Args:
        start, stop, num, endpoint, axis: As for linspace, of the exponents.
        base: The base.
        dtype: Type of the numbers, float32 by default.

    Examples:
        >>> print(mnp.logspace(0, 3, 4, base=2.0))
        [1. 2. 4. 8.]
    """
    return cast(ops.pow(base, linspace(start, stop, num, endpoint, axis=axis)), dtype)


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """`num` numbers from `start` to `stop` with equal ratios.

    Args:
        start, stop: The first and the last number, of equal sign: numbers or tensors, which are broadcast.
        num: How many.
        endpoint: `stop` is the last number; False: one step behind it.
        dtype: Type of the numbers, float32 by default.
        axis: The axis of the numbers in the result.

    Examples:
        >>> print(mnp.geomspace(1, 16, 3))
        [ 1.  4. 16.]
    """
    start, stop = _real("geomspace", start, stop)
    exponents = linspace(0, 1, num, endpoint)
    shape = [num] + [1] * max(start.ndim, stop.ndim)
    result = start * ops.pow(stop / start, exponents.reshape(shape))
    return cast(ops.movedim(result, 0, axis) if axis else result, dtype)


__all__ = [
    "arange",
    "array",
    "asarray",
    "asfarray",
    "copy",
    "empty",
    "empty_like",
    "full",
    "full_like",
    "geomspace",
    "linspace",
    "logspace",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]
