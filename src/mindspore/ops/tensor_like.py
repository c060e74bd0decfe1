"""Tensors in the shape of another one, and methods that make new ones."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import as_dtype, bfloat16, float16, float32, float64
from mindspore.eager.tensor import is_tensor
from mindspore.operators import structure

from .arguments import tensor
from .creation import _full, _lengths
from .primitive import composed


def zeros_like(input: Any, *, dtype: Any = None) -> Any:
    """Zeros of the shape of a tensor, in its dtype or another.

    Args:
        input: A tensor.
        dtype: The element type. Default: that of `input`.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.zeros_like(Tensor([1.0, 2.0])).tolist()
        [0.0, 0.0]
    """
    tensor("zeros_like", "input", input)
    return structure.full(shape=tuple(input.shape), value=0,
                          dtype=input.dtype if dtype is None else as_dtype(dtype))


def ones_like(input: Any, *, dtype: Any = None) -> Any:
    """Ones of the shape of a tensor, in its dtype or another.

    Args:
        input: A tensor.
        dtype: The element type. Default: that of `input`.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.ones_like(Tensor([5.0, 2.0])).tolist()
        [1.0, 1.0]
    """
    tensor("ones_like", "input", input)
    return structure.full(shape=tuple(input.shape), value=1,
                          dtype=input.dtype if dtype is None else as_dtype(dtype))


@composed("ZerosLike()(x)")
def _zeros_like(x: Any) -> Any:
    """Zeros of the shape and dtype of a tensor.  TypeError for what is no tensor.

    Examples:
        >>> ops.ZerosLike()(Tensor([1.5, 2.5])).tolist()
        [0.0, 0.0]
    """
    return zeros_like(x)


@composed("OnesLike()(x)")
def _ones_like(x: Any) -> Any:
    """Ones of the shape and dtype of a tensor.  TypeError for what is no tensor.

    Examples:
        >>> ops.OnesLike()(Tensor([[3, 4]])).tolist()
        [[1, 1]]
    """
    return ones_like(x)


def full_like(input: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """A number in every place of the shape of a tensor, in its dtype or another.

    Args:
        input: A tensor.
        fill_value: The number, or a tensor without dimensions.
        dtype: The element type. Default: that of `input`.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.full_like(Tensor([1.0, 2.0]), 7).tolist()
        [7.0, 7.0]
    """
    tensor("full_like", "input", input)
    return _full("full_like", tuple(input.shape), fill_value, input.dtype if dtype is None else dtype)


@composed("Fills()(x, value)")
def fills(x: Any, value: Any) -> Any:
    """A number in every place of the shape and in the dtype of a tensor.

    Args:
        x: A tensor.
        value: The number, or a tensor without dimensions.

    Returns:
        A tensor.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> ops.fills(Tensor([1.0, 2.0]), 7).tolist()
        [7.0, 7.0]
    """
    return _full("Fills", tuple(tensor("Fills", "x", x).shape), value, x.dtype)


_PRECISION = {float16: 10, bfloat16: 7, float32: 23, float64: 52}      # bits of the fraction (IEEE 754)


def eps(x: Any) -> Any:
    """For every element the distance from 1 to the next number of the dtype.

    Args:
        x: A floating-point tensor.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        TypeError: If `x` is not floating point.

    Examples:
        >>> ops.eps(Tensor([5.0])).item() == 2.0 ** -23
        True
    """
    if tensor("eps", "x", x).dtype not in _PRECISION:
        raise TypeError(f"For 'eps', the input must be floating point, but got {x.dtype}.")
    return full_like(x, 2.0 ** -_PRECISION[x.dtype])


@composed("Eps()(x)")
def _eps(x: Any) -> Any:
    """For every element the distance from 1 to the next number of the dtype."""
    return eps(x)


def _new(self: Any, owner: str, size: Any, value: Any, dtype: Any) -> Any:
    """A number in every place of another shape, in the dtype of the tensor or another."""
    return _full(owner, _lengths(owner, "size", size), value, self.dtype if dtype is None else dtype)


def _filled(self: Any, value: Any) -> Any:
    """A number in every place of the tensor's shape; zeros for None.

    Args:
        value: A number, or None.

    Returns:
        A tensor of the shape and dtype of the tensor, which stays unchanged.

    Raises:
        TypeError: If `value` is something else.

    Examples:
        >>> Tensor([1.0, 2.0]).fill(7).tolist()
        [7.0, 7.0]
    """
    if value is None:
        value = 0
    if not isinstance(value, (int, float, bool)) and not is_tensor(value):
        raise TypeError(f"For 'Tensor.fill', the 'value' must be a number, but got {value!r}.")
    return _full("Tensor.fill", tuple(self.shape), value, self.dtype)


def _new_empty(self: Any, size: Any, *, dtype: Any = None) -> Any:
    """A tensor of a shape in the dtype of the tensor, with zeros.

    Args:
        size: The shape, an int or a tuple of ints.
        dtype: The element type. Default: that of the tensor.

    Returns:
        A tensor of the dtype of the tensor, or `dtype`.

    Examples:
        >>> Tensor([1.0, 2.0]).new_empty((1, 2)).shape
        (1, 2)
    """
    return _new(self, "new_empty", size, 0, dtype)


def _new_full(self: Any, size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """A tensor of a shape in the dtype of the tensor, with a number in every place.

    Args:
        size: The shape, an int or a tuple of ints.
        fill_value: The number, or a tensor without dimensions.
        dtype: The element type. Default: that of the tensor.

    Returns:
        A tensor of the dtype of the tensor, or `dtype`.

    Examples:
        >>> Tensor([1.0, 2.0]).new_full((1, 2), 7).tolist()
        [[7.0, 7.0]]
    """
    return _new(self, "new_full", size, fill_value, dtype)


def _new_ones(self: Any, size: Any, dtype: Any = None) -> Any:
    """A tensor of a shape in the dtype of the tensor, with ones.

    Args:
        size: The shape, an int or a tuple of ints.
        dtype: The element type. Default: that of the tensor.

    Returns:
        A tensor of the dtype of the tensor, or `dtype`.

    Examples:
        >>> Tensor([1.0, 2.0]).new_ones((1, 2)).tolist()
        [[1.0, 1.0]]
    """
    return _new(self, "new_ones", size, 1, dtype)


def _new_zeros(self: Any, size: Any, dtype: Any = None) -> Any:
    """A tensor of a shape in the dtype of the tensor, with zeros.

    Args:
        size: The shape, an int or a tuple of ints.
        dtype: The element type. Default: that of the tensor.

    Returns:
        A tensor of the dtype of the tensor, or `dtype`.

    Examples:
        >>> Tensor([1.0, 2.0]).new_zeros((1, 2)).tolist()
        [[0.0, 0.0]]
    """
    return _new(self, "new_zeros", size, 0, dtype)


__all__ = [
    "eps", "fills", "full_like", "ones_like", "zeros_like",
]

METHODS = {
    "fill": _filled, "fills": fills, "new_empty": _new_empty, "new_full": _new_full, "new_ones": _new_ones,
    "new_zeros": _new_zeros,
}
