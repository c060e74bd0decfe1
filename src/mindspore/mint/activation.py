"""Activations, with the arguments of torch and, where it has them, in the memory of the input."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.ops.arguments import tensor


def _into(owner: str, input: Any, result: Any, inplace: Any) -> Any:
    """The result, or the input that holds it."""
    return input.copy_(result) if check.boolean(owner, "inplace", inplace) else result


def _implied(owner: str, x: Any, dim: Any) -> Any:
    """The dimension that None means: that of the channels."""
    return (0 if tensor(owner, "input", x).ndim in (0, 1, 3) else 1) if dim is None else dim


def softmax(input: Any, dim: int | None = None, dtype: Any = None) -> Any:
    """Exponential of the input, normalised so that it sums to one along `dim`.

    Args:
        input: A floating-point tensor.
        dim: The dimension; None: 0 for 0, 1 or 3 dimensions, else 1.
        dtype: What the elements are cast to before; None: as they are.

    Returns:
        The shape of the input.

    Raises:
        TypeError: If the input is no tensor of floating-point numbers.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.softmax(Tensor([[1.0, 1.0]]), 1).tolist()
        [[0.5, 0.5]]
    """
    return ops.softmax(input, _implied("softmax", input, dim), dtype=dtype)


def log_softmax(input: Any, dim: int | None = None, *, dtype: Any = None) -> Any:
    """The logarithm of the softmax along `dim`.

    Args:
        input: A floating-point tensor.
        dim: The dimension; None: 0 for 0, 1 or 3 dimensions, else 1.
        dtype: What the elements are cast to before; None: as they are.

    Returns:
        The shape of the input.

    Raises:
        TypeError: If the input is no tensor of floating-point numbers.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.special.log_softmax(Tensor([[0.0]]), 1).tolist()
        [[0.0]]
    """
    dim = _implied("log_softmax", input, dim)
    return ops.log_softmax(input if dtype is None else input.astype(dtype), dim)


def elu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """`input` where it is positive, else alpha * (exp(input) - 1).  Clevert et al. 2015.

    Args:
        input: A floating-point tensor.
        alpha: A number.
        inplace: Whether the input holds the result, too.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor of floating-point numbers, or `alpha` no number.

    Examples:
        >>> mint.nn.functional.elu(Tensor([1.0, 0.0])).tolist()
        [1.0, 0.0]
    """
    return _into("elu", input, ops.elu(input, alpha), inplace)


def elu_(input: Any, alpha: float = 1.0) -> Any:
    """`elu` in the memory of the input.

    Args:
        input: A floating-point tensor, which changes.
        alpha: A number.

    Returns:
        `input`.

    Raises:
        TypeError: If the input is no tensor of floating-point numbers, or `alpha` no number.

    Examples:
        >>> mint.nn.functional.elu_(Tensor([1.0, 0.0])).tolist()
        [1.0, 0.0]
    """
    return elu(input, alpha, True)


def relu6(input: Any, inplace: bool = False) -> Any:
    """min(max(input, 0), 6).

    Args:
        input: A tensor of real numbers.
        inplace: Whether the input holds the result, too.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> mint.nn.functional.relu6(Tensor([-1.0, 7.0])).tolist()
        [0.0, 6.0]
    """
    return _into("relu6", input, ops.relu6(input), inplace)


def relu_(input: Any) -> Any:
    """max(input, 0) in the memory of the input.

    Args:
        input: A tensor of real numbers, which changes.

    Returns:
        `input`.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> mint.nn.functional.relu_(Tensor([-1.0, 7.0])).tolist()
        [0.0, 7.0]
    """
    return ops.relu(input, True)


def sigmoid_(input: Any) -> Any:
    """1 / (1 + exp(-input)) in the memory of the input.

    Args:
        input: A floating-point tensor, which changes.

    Returns:
        `input`.

    Raises:
        TypeError: If the input is no tensor.

    Examples:
        >>> mint.nn.functional.sigmoid_(Tensor([0.0])).tolist()
        [0.5]
    """
    return _into("sigmoid_", input, ops.sigmoid(input), True)


def silu(input: Any, inplace: bool = False) -> Any:
    """input * sigmoid(input).

    Args:
        input: A floating-point tensor.
        inplace: Whether the input holds the result, too.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor of floating-point numbers.

    Examples:
        >>> mint.nn.functional.silu(Tensor([0.0])).tolist()
        [0.0]
    """
    return _into("silu", input, ops.silu(input), inplace)


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    """The input limited to [min_val, max_val].

    Args:
        input: A tensor of real numbers.
        min_val: The smallest value.
        max_val: The largest.
        inplace: Whether the input holds the result, too.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor, or a limit no number.

    Examples:
        >>> mint.nn.functional.hardtanh(Tensor([-3.0, 0.5])).tolist()
        [-1.0, 0.5]
    """
    return _into("hardtanh", input, ops.hardtanh(input, min_val, max_val), inplace)


def hardtanh_(input: Any, min_val: float = -1, max_val: float = 1) -> Any:
    """`hardtanh` in the memory of the input.

    Args:
        input: A tensor of real numbers, which changes.
        min_val: The smallest value.
        max_val: The largest.

    Returns:
        `input`.

    Raises:
        TypeError: If the input is no tensor, or a limit no number.

    Examples:
        >>> mint.nn.functional.hardtanh_(Tensor([-3.0, 0.5])).tolist()
        [-1.0, 0.5]
    """
    return hardtanh(input, min_val, max_val, True)


def threshold(input: Any, threshold: float, value: float, inplace: bool = False) -> Any:
    """`input` where it is greater than the threshold, else `value`.

    Args:
        input: A tensor of real numbers.
        threshold: A number.
        value: A number.
        inplace: Whether the input holds the result, too.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor, or an option no number.

    Examples:
        >>> mint.nn.functional.threshold(Tensor([1.0, 3.0]), 2.0, 9.0).tolist()
        [9.0, 3.0]
    """
    return _into("threshold", input, ops.threshold(input, threshold, value), inplace)


def threshold_(input: Any, threshold: float, value: float) -> Any:
    """`threshold` in the memory of the input.

    Args:
        input: A tensor of real numbers, which changes.
        threshold: A number.
        value: A number.

    Returns:
        `input`.

    Raises:
        TypeError: If the input is no tensor, or an option no number.

    Examples:
        >>> mint.nn.functional.threshold_(Tensor([1.0, 3.0]), 2.0, 9.0).tolist()
        [9.0, 3.0]
    """
    return _into("threshold_", input, ops.threshold(input, threshold, value), True)


def glu(input: Any, dim: int = -1) -> Any:
    """a * sigmoid(b) for the halves a, b of the input along `dim`.  Dauphin et al. 2016.

    Args:
        input: A floating-point tensor.
        dim: The dimension; its extent is even.

    Returns:
        The shape of the halves.

    Raises:
        TypeError: If the input is no tensor of floating-point numbers.
        ValueError: If the extent is odd.

    Examples:
        >>> mint.nn.functional.glu(Tensor([2.0, 0.0])).tolist()
        [1.0]
    """
    return ops.glu(input, dim)


def leaky_relu(input: Any, negative_slope: float = 0.01) -> Any:
    """`input` where it is positive, else negative_slope * input.

    Args:
        input: A floating-point tensor.
        negative_slope: A number.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor, or the slope no number.

    Examples:
        >>> mint.nn.functional.leaky_relu(Tensor([-1.0, 2.0]), 0.5).tolist()
        [-0.5, 2.0]
    """
    return ops.leaky_relu(input, negative_slope)


def logsigmoid(input: Any) -> Any:
    """log(1 / (1 + exp(-input))).

    Args:
        input: A floating-point tensor.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor of floating-point numbers.

    Examples:
        >>> round(mint.nn.functional.logsigmoid(Tensor(0.0)).item(), 4)
        -0.6931
    """
    return ops.logsigmoid(input)


def npu_gelu(input: Any, approximate: str = "none") -> Any:
    """input * P(X <= input) for a normal X, as `gelu`.  Hendrycks and Gimpel 2016.

    Args:
        input: A floating-point tensor.
        approximate: "none" for the exact formula, "tanh" for the approximation.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If the input is no tensor of floating-point numbers.
        ValueError: If the formula has another name.

    Examples:
        >>> mint.npu_gelu(Tensor([0.0])).tolist()
        [0.0]
    """
    return ops.gelu(input, approximate=approximate)


__all__ = ["elu", "elu_", "glu", "hardtanh", "hardtanh_", "leaky_relu", "log_softmax", "logsigmoid", "npu_gelu",
           "relu6", "relu_", "sigmoid_", "silu", "softmax", "threshold", "threshold_"]
