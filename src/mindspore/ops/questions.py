"""What a program asks about the elements of a tensor."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import complex64, complex128
from mindspore.core.errors import show
from mindspore.operators import (
    comparison,
)

from .arguments import only


def is_floating_point(input: Any) -> bool:
    """Whether the elements are floating-point numbers.

    Args:
        input: A tensor.

    Returns:
        A bool.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.is_floating_point(Tensor([1.0])), ops.is_floating_point(Tensor([1]))
        (True, False)
    """
    only("is_floating_point", input)
    return input.dtype.is_floating


def is_complex(input: Any) -> bool:
    """Whether the elements are complex numbers.

    Args:
        input: A tensor.

    Returns:
        A bool.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.is_complex(Tensor([1j])), ops.is_complex(Tensor([1.0]))
        (True, False)
    """
    only("is_complex", input)
    return input.dtype in (complex64, complex128)


def is_nonzero(input: Any) -> bool:
    """Whether the only element is not zero.

    Args:
        input: A tensor with one element.

    Returns:
        A bool.

    Raises:
        ValueError: If `input` has another number of elements.
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.is_nonzero(Tensor([[0.5]])), ops.is_nonzero(Tensor(0))
        (True, False)
    """
    only("is_nonzero", input)
    if input.size != 1:
        raise ValueError(f"For 'is_nonzero', the input must have one element, but got {show(input)}.")
    return bool(input.reshape(()) != 0)


def allclose(input: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8,
             equal_nan: bool = False) -> bool:
    """Whether all elements agree: abs(input - other) <= atol + rtol * abs(other).

    Args:
        input, other: Tensors of broadcastable shapes.
        rtol: The relative tolerance.
        atol: The absolute tolerance.
        equal_nan: Whether NaN counts as equal to NaN.

    Returns:
        A bool.

    Examples:
        >>> Tensor([1.0, 2.0]).allclose(Tensor([1.0, 2.00001])), Tensor([1.0]).allclose(Tensor([1.1]))
        (True, False)
    """
    close = comparison.is_close(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan)
    return bool(close.all())


def _approximate_equal(self: Any, other: Any, tolerance: float = 1e-5) -> Any:
    """Whether the elements differ by less than the tolerance.

    Args:
        other: A tensor of the shape and dtype.
        tolerance: A positive number.

    Returns:
        A tensor of bools.

    Examples:
        >>> Tensor([1.0, 2.0]).approximate_equal(Tensor([1.0, 2.1])).tolist()
        [True, False]
    """
    return comparison.approximate_equal(self, other, tolerance=tolerance)


__all__ = [
    "is_complex", "is_floating_point", "is_nonzero",
]

METHODS = {
    "allclose": allclose, "approximate_equal": _approximate_equal,
}
