"""Numbers, tuples and tensors made of each other: spellings of 1.x."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore.core.dtype import as_dtype, float32, int64
from mindspore.core.errors import kind
from mindspore.eager.tensor import Tensor

from .arguments import only


def tuple_to_array(input_x: Any) -> Tensor:
    """A tuple of numbers, or a range, as a tensor: float32 if one of them is a float, else int32.

    Args:
        input_x: A tuple of numbers, or a range.

    Returns:
        A tensor with one dimension.

    Raises:
        TypeError: If the input is anything else.

    Examples:
        >>> ops.tuple_to_array((1, 2.5)).tolist()
        [1.0, 2.5]
    """
    if isinstance(input_x, range):                   # programs of 1.x ran in graph mode, where it was a tuple
        input_x = tuple(input_x)
    if not isinstance(input_x, tuple):
        raise TypeError(f"For 'tuple_to_array', the input must be a tuple, but got {kind(input_x)}.")
    whole = all(isinstance(v, (int, np.integer)) for v in input_x)
    return Tensor(np.array(input_x, np.int32 if whole else np.float32))


def scalar_to_tensor(input_x: Any, dtype: Any = float32) -> Tensor:
    """A number as a tensor without dimensions.

    Args:
        input_x: An int, a float or a bool.
        dtype: The element type.

    Returns:
        A tensor of shape ().

    Raises:
        TypeError: If `input_x` is no number.

    Examples:
        >>> ops.scalar_to_tensor(2, mindspore.float16)
        Tensor(shape=[], dtype=Float16, value= 2)
    """
    if not isinstance(input_x, (bool, int, float)):
        raise TypeError(f"For 'scalar_to_tensor', the 'input_x' must be a number, but got {kind(input_x)}.")
    return Tensor(input_x, as_dtype(dtype))


def scalar_to_array(input_x: Any) -> Tensor:
    """A number as a tensor without dimensions: float32 for a float, int64 for an int.

    Args:
        input_x: An int or a float.

    Returns:
        A tensor of shape ().

    Examples:
        >>> ops.scalar_to_array(2.5)
        Tensor(shape=[], dtype=Float32, value= 2.5)
    """
    return Tensor(input_x, float32 if isinstance(input_x, float) else int64)


def scalar_cast(input_x: Any, input_y: Any) -> Any:
    """A number as a Python number of the type of `input_y`.

    Args:
        input_x: A number.
        input_y: A type of MindSpore's, such as `mindspore.int32`.

    Returns:
        A bool, an int or a float.

    Examples:
        >>> ops.scalar_cast(2.7, mindspore.int32)
        2
    """
    return {"b": bool, "i": int, "u": int, "f": float}[as_dtype(input_y).kind](input_x)


def array_to_scalar(input_x: Any) -> Any:
    """The only element of a tensor as a number.

    Args:
        input_x: A tensor with one element.

    Returns:
        A number.

    Raises:
        TypeError: If it is no tensor.
        ValueError: If there are more elements.

    Examples:
        >>> ops.array_to_scalar(Tensor([2.5]))
        2.5
    """
    return only("array_to_scalar", input_x).item()


def make_tuple(*elements: Any) -> tuple[Any, ...]:
    """The elements as a tuple.

    Args:
        elements: Any values.

    Returns:
        A tuple.

    Examples:
        >>> ops.make_tuple(1, "a")
        (1, 'a')
    """
    return elements


def tuple_getitem(x: Any, index: int) -> Any:
    """The element of a tuple at an index.

    Args:
        x: A tuple.
        index: An int; negative ones count from the end.

    Returns:
        The element.

    Raises:
        IndexError: If there is none.

    Examples:
        >>> ops.tuple_getitem((1, 2, 3), -1)
        3
    """
    return x[index]


def tuple_len(x: Any) -> int:
    """The length of a tuple.

    Args:
        x: A tuple.

    Returns:
        An int.

    Examples:
        >>> ops.tuple_len((1, 2, 3))
        3
    """
    return len(x)


def shape_mul(input_data: tuple[int, ...]) -> int:
    """The product of the extents.

    Args:
        input_data: A tuple of ints.

    Returns:
        An int, 1 for the empty tuple.

    Examples:
        >>> ops.shape_mul((2, 3, 4))
        24
    """
    return math.prod(input_data)


__all__ = [
    "array_to_scalar", "make_tuple", "scalar_cast", "scalar_to_array", "scalar_to_tensor", "shape_mul",
    "tuple_getitem", "tuple_len", "tuple_to_array",
]
