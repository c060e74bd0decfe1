"""Functions that make tensors from numbers."""
from __future__ import annotations

import builtins
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, as_dtype, float32, int64
from mindspore.core.errors import GraphValueError, kind
from mindspore.eager.tensor import is_tensor
from mindspore.ir import INTS, Node
from mindspore.operators import creation, extents, structure

from .array import reshape
from .primitive import composed
from .signatures import plain

span = builtins.range      # the name is taken by a public function below


def _lengths(owner: str, name: str, shape: Any) -> tuple[int, ...]:
    shape = plain(shape)
    shape = (shape,) if type(shape) in INTS else shape
    if not isinstance(shape, tuple) or any(type(n) not in INTS for n in shape):
        raise TypeError(f"For '{owner}', the '{name}' must be an int or a tuple of ints, but got "
                        f"{shape!r}.")
    if any([n < 0 for n in shape]):
        raise ValueError(f"For '{owner}', no extent of the '{name}' can be negative, but got {shape}.")
    return shape


@composed("Zeros()(size, dtype=None)")
def zeros(size: Any, dtype: Any = None) -> Any:
    """Zeros of a shape; float32 without `dtype`.

    Args:
        size: The shape, an int or a tuple, list or tensor of ints.
        dtype: The element type.

    Raises:
        TypeError: If `size` holds anything but ints, or `dtype` names no type.
        ValueError: If an extent is negative.

    Examples:
        >>> ops.zeros((1, 2), mindspore.int32).tolist()
        [[0, 0]]
    """
    return structure.full(shape=_lengths("Zeros", "size", size), value=0,
                          dtype=float32 if dtype is None else as_dtype(dtype))


@composed("Ones()(shape, dtype=None)")
def ones(shape: Any, dtype: Any = None) -> Any:
    """Ones of a shape.

    Args:
        shape: An int, or a tuple or list of ints.
        dtype: The element type. Default: float32.

    Returns:
        A tensor.

    Raises:
        ValueError: If an extent is negative.

    Examples:
        >>> ops.ones((1, 2), mindspore.int32).tolist()
        [[1, 1]]
    """
    return structure.full(shape=_lengths("Ones", "shape", shape), value=1,
                          dtype=float32 if dtype is None else as_dtype(dtype))


def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """A number in every place of a shape.

    Args:
        size: The shape, a tuple or a list.
        fill_value: The number, or a tensor without dimensions.
        dtype: Default: int64 for an int, float32 for a float, bool for a bool.

    Returns:
        A tensor.

    Raises:
        TypeError: If `size` is no tuple or list.

    Examples:
        >>> ops.full((2, 2), 7).tolist()
        [[7, 7], [7, 7]]
    """
    if not isinstance(size, (tuple, list)) and not is_tensor(size):
        raise TypeError(f"For 'full', the 'size' must be a tuple or a list of ints, but got "
                        f"{kind(size)}.")
    return _full("full", _lengths("full", "size", size), fill_value, dtype)


def _full(owner: str, shape: tuple[int, ...], value: Any, dtype: Any) -> Any:
    if is_tensor(value):
        value = value if dtype is None else structure.cast(value, dtype=as_dtype(dtype))
        return structure.broadcast_to(reshape(value, ()), shape=shape)
    if not isinstance(value, (bool, int, float, complex)):
        raise TypeError(f"For '{owner}', the value must be a number or a tensor, but got {value!r}.")
    if dtype is None:
        dtype = as_dtype(type(value))
    return structure.full(shape=shape, value=value, dtype=as_dtype(dtype))


def fill(type: Any, shape: Any, value: Any) -> Any:
    """A number in every place of a shape, in the dtype `type`.

    Args:
        type: The element type.
        shape: An int or a tuple of ints.
        value: A number, or a tensor without dimensions.

    Raises:
        TypeError: If `shape` holds anything but ints, `value` is neither, or `type` names no type.
        ValueError: If an extent is negative.

    Examples:
        >>> ops.fill(mindspore.float16, (2, 2), 0.5).tolist()
        [[0.5, 0.5], [0.5, 0.5]]
    """
    return _full("Fill", _lengths("Fill", "shape", shape), value,
                 as_dtype(plain(type)) if not isinstance(type, DType) else type)


@composed("Fill()(dtype, dims, x)")
def _fill(dtype: Any, dims: Any, x: Any) -> Any:
    """A number in every place of a shape.

    Args:
        dtype: The element type.
        dims: The extents.
        x: The number.

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> ops.Fill()(mindspore.float32, (1, 2), 3).tolist()
        [[3.0, 3.0]]
    """
    return fill(dtype, dims, x)


@composed("FillV2()(shape, value)")
def _fill_v2(shape: Any, value: Any) -> Any:
    """A number, given as a tensor without dimensions, in every place of a shape."""
    return _full("FillV2", _lengths("FillV2", "shape", shape), value, None)


def eye(n: int, m: int | None = None, dtype: Any = None) -> Any:
    """An n x m matrix with ones on its diagonal.

    Args:
        n: The number of rows, an int.
        m: The number of columns. Default: `n`.
        dtype: The element type. Default: float32.

    Returns:
        A tensor (n, m).

    Raises:
        ValueError: If an extent is negative.

    Examples:
        >>> ops.eye(2, 3).tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    n = check.non_negative_int("Eye", "n", plain(n))
    m = n if m is None else check.non_negative_int("Eye", "m", plain(m))
    return creation.eye(n=n, m=m, dtype=float32 if dtype is None else as_dtype(dtype))


@composed("Eye()(n, m, dtype)")
def _eye(n: int, m: int, dtype: Any) -> Any:
    """An n x m matrix with ones on its diagonal."""
    return eye(n, m, dtype)


# ---------------------------------------------------------------------- ranges

def _number(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, Node) and value.dtype.kind in "iu":
        return extents.number(value)
    if isinstance(value, Node):
        raise GraphValueError(f"For '{owner}', the '{name}' is computed in the graph, but the length "
                              f"of the result must be known while it is compiled.")
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"For '{owner}', the '{name}' must be a number, but got {value!r}.")
    return value


def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """The numbers from `start` to before `end` in steps of `step`; with one argument from 0 to it.

    Args:
        start, end, step: Numbers, or tensors with one element.
        dtype: The element type. Default: int64 for ints, float32 if one of the three is a float.

    Returns:
        A vector.

    Raises:
        ValueError: If `step` is 0 or leads away from `end`.

    Examples:
        >>> ops.arange(1, 7, 2).tolist()
        [1, 3, 5]
    """
    if end is None:
        start, end = 0, start
    floats = [v.dtype for v in (start, end, step) if is_tensor(v) and v.dtype.is_floating]
    values = [_number("arange", n, v) for n, v in (("start", start), ("end", end), ("step", step))]
    if values[2] == 0:
        raise ValueError("For 'arange', the 'step' cannot be 0.")
    if (values[1] - values[0]) * values[2] < 0:
        raise ValueError(f"For 'arange', 'end' must lie in the direction of 'step' from 'start', but "
                         f"got start {values[0]}, end {values[1]} and step {values[2]}.")
    if dtype is None:
        real = any(isinstance(v, float) for v in values)
        dtype = floats[0] if floats else float32 if real else int64
    return creation.arange(start=values[0], stop=values[1], step=values[2], dtype=as_dtype(dtype))


def range_(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Any:
    """The numbers from `start` to before `end` in steps of `step`.

    Args:
        start, end, step: Numbers, or tensors with one element.
        maxlen: The greatest length that is allowed.

    Returns:
        A vector of integers, or of float32.

    Raises:
        ValueError: If `step` is 0 or leads away from `end`, or the result would be longer.

    Examples:
        >>> ops.range(1, 7, 2).tolist()
        [1, 3, 5]
    """
    found = arange(start, end, step)
    if found.dtype.is_floating:
        found = found.astype(float32)
    if found.size > maxlen:
        raise ValueError(f"For 'Range', the result would have {found.size} elements, more than the "
                         f"'maxlen' of {maxlen}.")
    return found


@composed("Range(maxlen=1000000)(start, end, step)")
def _range(start: Any, end: Any, step: Any, *, maxlen: int = 1000000) -> Any:
    """The numbers from `start` to before `end` in steps of `step`."""
    return range_(start, end, step, maxlen)


# ---------------------------------------------------------------------- methods


globals()["range"] = range_
__all__ = [
    "arange", "eye", "fill", "full", "ones", "range", "zeros",
]
