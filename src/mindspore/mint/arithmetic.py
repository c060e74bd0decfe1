"""Sums and quotients with factors, comparisons of whole tensors, copies."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32
from mindspore.eager.tensor import is_tensor
from mindspore.ops.arguments import only, tensor
from mindspore.ops.signatures import plain


def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input + alpha * other, element by element.

    Args:
        input: A tensor or a number.
        other: A tensor whose shape broadcasts with that of `input`, or a number.
        alpha: What `other` is multiplied by; whole if both operands are.

    Returns:
        The sum, in the broadcast shape and the common dtype.

    Raises:
        TypeError: If an operand is neither a tensor nor a number.
        ValueError: If the shapes do not broadcast, or `alpha` is a float for whole operands.

    Examples:
        >>> mint.add(Tensor([1, 2]), Tensor([3, 4]), alpha=10).tolist()
        [31, 42]
    """
    return ops.add(input, _scaled("add", input, other, alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input - alpha * other, element by element.

    Args:
        input: A tensor or a number.
        other: A tensor whose shape broadcasts with that of `input`, or a number.
        alpha: What `other` is multiplied by; whole if both operands are.

    Returns:
        The difference, in the broadcast shape and the common dtype.

    Raises:
        TypeError: If an operand is neither a tensor nor a number.
        ValueError: If the shapes do not broadcast, or `alpha` is a float for whole operands.

    Examples:
        >>> mint.sub(Tensor([31, 42]), Tensor([3, 4]), alpha=10).tolist()
        [1, 2]
    """
    return ops.sub(input, _scaled("sub", input, other, alpha))


def _scaled(owner: str, x: Any, other: Any, alpha: Any) -> Any:
    """alpha * other in a type that does not lift the result's."""
    if not is_tensor(alpha) and not isinstance(alpha, (bool, int, float, complex)):
        raise check.fail(TypeError, owner, "alpha", "a number", alpha)
    if alpha == 1:
        return other
    if isinstance(alpha, float) and not any(_is_fractional(v) for v in (x, other)):
        raise ValueError(f"For '{owner}', the 'alpha' must be whole for whole operands, but got {alpha!r}.")
    if hasattr(other, "dtype") and other.dtype.kind == "b":
        return (other * alpha).bool()
    return other * alpha


def _is_fractional(value: Any) -> bool:
    if hasattr(value, "dtype"):
        return bool(value.dtype.is_differentiable)
    return isinstance(value, (float, complex))


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """input + value * tensor1 / tensor2, element by element.

    Args:
        input: A tensor.
        tensor1: The numerators; broadcast with the others.
        tensor2: The denominators.
        value: A number.

    Returns:
        The broadcast shape, the common floating-point dtype.

    Raises:
        TypeError: If an operand is no tensor.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> mint.addcdiv(Tensor([1.0]), Tensor([6.0]), Tensor([3.0]), value=0.5).tolist()
        [2.0]
    """
    return ops.addcdiv(input, tensor1, tensor2, value)


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """input + value * tensor1 * tensor2, element by element.

    Args:
        input: A tensor.
        tensor1: A factor; broadcast with the others.
        tensor2: The other factor.
        value: A number.

    Returns:
        The broadcast shape, the common dtype.

    Raises:
        TypeError: If an operand is no tensor.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> mint.addcmul(Tensor([1.0]), Tensor([6.0]), Tensor([3.0]), value=0.5).tolist()
        [10.0]
    """
    return ops.addcmul(input, tensor1, tensor2, value)


def allclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether |input - other| <= atol + rtol * |other| holds for all elements.

    Args:
        input: A tensor.
        other: A tensor whose shape broadcasts with that of `input`.
        rtol: The relative tolerance.
        atol: The absolute one.
        equal_nan: Whether NaN counts as equal to NaN.

    Returns:
        A bool.

    Raises:
        TypeError: If an operand is no tensor.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> mint.allclose(Tensor([1.0, 2.0]), Tensor([1.0, 2.1])), mint.allclose(Tensor([1.0]), Tensor([1.0]))
        (False, True)
    """
    return ops.isclose(input, other, rtol, atol, equal_nan).all().item()


def bitwise_not(input: Any) -> Any:
    """The complement of every bit; of a bool, the other one.

    Args:
        input: A tensor of integers or bools.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor, or of another dtype.

    Examples:
        >>> mint.bitwise_not(Tensor([0, 5])).tolist()
        [-1, -6]
    """
    if tensor("bitwise_not", "input", input).dtype.kind == "b":
        return ops.logical_not(input)
    return ops.Invert()(input)


def clone(input: Any) -> Any:
    """The same elements in memory of their own.

    Args:
        input: A tensor.

    Returns:
        A tensor of the same shape and dtype, through which gradients flow.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> y = mint.clone(x)
        >>> y.zero_().tolist(), x.tolist()
        ([0.0, 0.0], [1.0, 2.0])
    """
    return tensor("clone", "input", input).copy()


def frac(input: Any) -> Any:
    """The part of each element behind the point, with its sign.

    Args:
        input: A tensor.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> mint.frac(Tensor([1.5, -2.25])).tolist()
        [0.5, -0.25]
    """
    return ops.frac(input)


def isnan(tensor: Any) -> Any:
    """Which elements are no numbers.

    Args:
        tensor: A tensor.

    Returns:
        Bools in the shape of the tensor.

    Raises:
        TypeError: If the argument is no tensor.

    Examples:
        >>> mint.isnan(Tensor([1.0, float("nan")])).tolist()
        [False, True]
    """
    return ops.isnan(tensor)


def sqrt(input: Any) -> Any:
    """The square root of each element; NaN for negative ones.

    Args:
        input: A tensor.

    Returns:
        The shape of the input; its dtype, float32 for integers and bools.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> mint.sqrt(Tensor([4.0, 9.0])).tolist()
        [2.0, 3.0]
    """
    return ops.sqrt(input)


def linspace(start: Any, end: Any, steps: Any, *, dtype: Any = None) -> Any:
    """Numbers of equal distances from `start` to `end`.

    Args:
        start, end: The first and the last one, numbers or tensors without dimensions.
        steps: How many, an int.
        dtype: Element type of the result; None: float32.

    Returns:
        A vector.

    Raises:
        TypeError: If `steps` is no int.
        ValueError: If it is not positive.

    Examples:
        >>> mint.linspace(0, 1, 5).tolist()
        [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    count = check.positive_int("linspace", "steps", plain(steps))
    ends = [float(x) if isinstance(x, int) else x for x in (start, end)]
    return ops.linspace(*ends, count).astype(float32 if dtype is None else as_dtype(dtype))


def equal(input: Any, other: Any) -> bool:
    """Whether two tensors have one shape and equal elements.

    Args:
        input, other: The tensors.

    Returns:
        A bool.

    Raises:
        TypeError: If one of them is no tensor.

    Examples:
        >>> mint.equal(Tensor([1, 2]), Tensor([1, 2])), mint.equal(Tensor([1, 2]), Tensor([1]))
        (True, False)
    """
    only("equal", input)
    only("equal", other)
    return tuple(input.shape) == tuple(other.shape) and (input == other).all().item()


def item(input: Any) -> Any:
    """The element of a tensor that has one, as a number.

    Args:
        input: The tensor.

    Returns:
        A bool, an int, a float or a complex number.

    Raises:
        TypeError: If it is no tensor.
        RuntimeError: If it has another number of elements.

    Examples:
        >>> mint.item(Tensor([2.5]))
        2.5
    """
    only("item", input)
    if input.size != 1:
        raise RuntimeError(f"For 'item', the tensor must have one element, but got {input.size}.")
    return input.item()


__all__ = ["add", "addcdiv", "addcmul", "allclose", "bitwise_not", "clone", "equal", "frac", "isnan", "item",
           "linspace", "sqrt", "sub"]
