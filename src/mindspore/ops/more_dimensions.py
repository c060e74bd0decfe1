"""Tensors with one, two or three dimensions at least."""
from __future__ import annotations

from typing import Any

from .arguments import tensor
from .array import reshape, unsqueeze


def atleast_1d(inputs: Any) -> Any:
    """The tensor, or each of several, with one dimension at least.

    Args:
        inputs: A tensor, or a list or tuple of tensors.

    Returns:
        A tensor, or a tuple of tensors.

    Raises:
        TypeError: If there is something else.

    Examples:
        >>> ops.atleast_1d(Tensor(3)).shape
        (1,)
    """
    return _each("atleast_1d", inputs, lambda x: x if x.ndim else reshape(x, (1,)))


def atleast_2d(inputs: Any) -> Any:
    """The tensor, or each of several, with two dimensions at least; new ones come first.

    Args:
        inputs: A tensor, or a list or tuple of tensors.

    Returns:
        A tensor, or a tuple of tensors.

    Raises:
        TypeError: If there is something else.

    Examples:
        >>> ops.atleast_2d(Tensor([1, 2])).shape
        (1, 2)
    """
    return _each("atleast_2d", inputs, lambda x: x if x.ndim > 1 else reshape(x, (1, -1)))


def atleast_3d(inputs: Any) -> Any:
    """The tensor, or each of several, with three dimensions at least: (n,) becomes (1, n, 1), (m, n) becomes (m, n,
    1).

    Args:
        inputs: A tensor, or a list or tuple of tensors.

    Returns:
        A tensor, or a tuple of tensors.

    Raises:
        TypeError: If there is something else.

    Examples:
        >>> ops.atleast_3d(Tensor([1, 2])).shape
        (1, 2, 1)
    """
    def deep(x: Any) -> Any:
        if x.ndim == 2:
            return unsqueeze(x, -1)
        return x if x.ndim > 2 else reshape(x, (1, -1, 1))
    return _each("atleast_3d", inputs, deep)


def _each(owner: str, inputs: Any, change: Any) -> Any:
    if isinstance(inputs, (tuple, list)):
        return tuple([change(tensor(owner, "inputs", x)) for x in inputs])
    return change(tensor(owner, "inputs", inputs))


__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d",
]
