"""Activation functions of `mindspore.ops`."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype
from mindspore.core.errors import ArgumentError
from mindspore.eager.mixed import as_operand
from mindspore.operators import activation, gelus, piecewise, softmaxes, structure
from mindspore.operators.registry import REGISTRY

from ._holding import become
from .arguments import tensor
from .primitive import composed


def relu(input: Any, inplace: bool = False) -> Any:
    """max(input, 0); with `inplace` the input holds the result, too.

    Args:
        input: A tensor of numbers.
        inplace: Whether the input holds the result, too.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor or `inplace` no bool.

    Examples:
        >>> ops.relu(Tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """
    out = piecewise.relu(tensor("ReLU", "input", input))
    return become(input, out) if check.boolean("relu", "inplace", inplace) else out


def inplace_sigmoid(input: Any) -> Any:
    """Let the input hold its sigmoid; returns it.

    Args:
        input: A floating-point tensor.

    Returns:
        The tensor.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.inplace_sigmoid(Tensor([0.0])).tolist()
        [0.5]
    """
    return become(input, activation.sigmoid(tensor("Sigmoid", "input", input)))


def tanh_(input: Any) -> Any:
    """Let the input hold its hyperbolic tangent; returns it.

    Args:
        input: A floating-point tensor.

    Returns:
        The tensor.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.tanh_(Tensor([0.0])).tolist()
        [0.0]
    """
    return become(input, activation.tanh(tensor("Tanh", "input", input)))


def gelu(input: Any, approximate: str = "none") -> Any:
    """input * P(X <= input) for a normal X, exactly or by the 'tanh' approximation.  Hendrycks and Gimpel 2016.

    Args:
        input: A floating-point tensor.
        approximate: "none" or "tanh".

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If `approximate` is another one.

    Examples:
        >>> print(ops.gelu(Tensor([-1.0, 0.0, 1.0])).asnumpy().round(3))
        [-0.159  0.     0.841]
    """
    if approximate not in ("none", "tanh"):
        raise check.fail(ValueError, "gelu", "approximate", "'none' or 'tanh'", approximate)
    return gelus.gelu(tensor("gelu", "input", input), approximate=approximate)


def leaky_relu(input: Any, alpha: float = 0.2) -> Any:
    """`input` where it is positive, else alpha * input.

    Args:
        input: A tensor of real numbers.
        alpha: The slope for negative numbers.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor or `alpha` no number.

    Examples:
        >>> ops.leaky_relu(Tensor([-2.0, 2.0]), 0.5).tolist()
        [-1.0, 2.0]
    """
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)):
        raise check.fail(TypeError, "leaky_relu", "alpha", "a number", alpha)
    x = tensor("leaky_relu", "input", input)
    if not x.dtype.is_floating:
        larger, product = REGISTRY["Maximum"], structure.cast(x * alpha, dtype=x.dtype)
        return larger(x, product) if alpha <= 1 else REGISTRY["Minimum"](x, product)
    return piecewise.leaky_relu(x, alpha=alpha)


def rrelu(input: Any, lower: float = 1.0 / 8, upper: float = 1.0 / 3) -> Any:
    """`input` where it is positive, else slope * input with slopes uniform in [lower, upper].  Xu et al. 2015.

    Args:
        input: A floating-point tensor.
        lower, upper: The bounds of the slopes, floats in [0, 1].

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If a bound lies outside of [0, 1], or `lower` exceeds `upper`.

    Examples:
        >>> ops.rrelu(Tensor([-2.0, 2.0]), 0.5, 0.5).tolist()
        [-1.0, 2.0]
    """
    for name, value in (("lower", lower), ("upper", upper)):
        check.number("rrelu", name, value, 0.0, 1.0)
    if lower > upper:
        raise ValueError(f"For 'rrelu', the 'lower' must not exceed the 'upper', but got {lower} and "
                         f"{upper}.")
    return softmaxes.rrelu(tensor("rrelu", "input", input), lower=float(lower), upper=float(upper))[0]


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """The input limited to [min_val, max_val].

    Args:
        input: A tensor of real numbers.
        min_val, max_val: The limits, numbers.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor, or a limit no number.

    Examples:
        >>> ops.hardtanh(Tensor([-2.0, 0.5, 2.0])).tolist()
        [-1.0, 0.5, 1.0]
    """
    for name, value in (("min_val", min_val), ("max_val", max_val)):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise check.fail(TypeError, "hardtanh", name, "a number", value)
    return piecewise.hardtanh(tensor("hardtanh", "input", input), low=min_val, high=max_val)


def soft_shrink(input: Any, lambd: float = 0.5) -> Any:
    """The input moved towards 0 by `lambd`, 0 if it is nearer than that.

    Args:
        input: A floating-point tensor.
        lambd: A number of 0 or more.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.soft_shrink(Tensor([-2.0, 0.25, 2.0])).tolist()
        [-1.5, 0.0, 1.5]
    """
    return piecewise.soft_shrink(tensor("SoftShrink", "input", input), lambd=lambd)


def softplus(input: Any, beta: float = 1, threshold: float = 20) -> Any:
    """log(1 + exp(beta * input)) / beta; the input itself where beta * input exceeds the threshold.

    Args:
        input: A floating-point tensor.
        beta: A number.
        threshold: A number.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> print(ops.softplus(Tensor([0.0, 30.0])).asnumpy().round(3))
        [ 0.693 30.   ]
    """
    return activation.softplus(tensor("softplus", "input", input), beta=beta, threshold=threshold)


def tanhshrink(input: Any) -> Any:
    """input - tanh(input).

    Args:
        input: A floating-point tensor.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> print(ops.tanhshrink(Tensor([0.0, 1.0])).asnumpy().round(3))
        [0.    0.238]
    """
    return tensor("tanhshrink", "input", input) - activation.tanh(input)


def threshold(input: Any, thr: float, value: float) -> Any:
    """`input` where it is greater than `thr`, else `value`.

    Args:
        input: A tensor of real numbers.
        thr: A number.
        value: A number.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor, or one of the others no number.

    Examples:
        >>> ops.threshold(Tensor([1.0, 3.0]), 2.0, -7.0).tolist()
        [-7.0, 3.0]
    """
    for name, given in (("thr", thr), ("value", value)):
        if isinstance(given, bool) or not isinstance(given, (int, float)):
            raise check.fail(TypeError, "threshold", name, "a number", given)
    return piecewise.threshold(tensor("threshold", "input", input), threshold=thr, value=value)


def swiglu(input: Any, dim: int = -1) -> Any:
    """silu(a) * b for the halves a, b of the input along `dim`.  Shazeer 2020.

    Args:
        input: A floating-point tensor.
        dim: The dimension, an int, of an even extent.

    Returns:
        A tensor with half of the extent along `dim`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If the extent is odd, or there is no such dimension.

    Examples:
        >>> print(ops.swiglu(Tensor([1.0, 2.0])).asnumpy().round(3))
        [1.462]
    """
    x = tensor("swiglu", "input", input)
    at = softmaxes.axis_of("swiglu", dim, x.ndim)
    if x.shape[at] % 2:
        raise ValueError(f"For 'swiglu', the extent of axis {dim} must be even, but got {x.shape}.")
    first = (slice(None),) * at
    half = x.shape[at] // 2
    return activation.silu(x[(*first, slice(0, half))]) * x[(*first, slice(half, None))]


def bias_add(input_x: Any, bias: Any) -> Any:
    """`input_x` (N, C, *) plus one number per channel.

    Args:
        input_x: A tensor with two dimensions at least.
        bias: A tensor (C,) of its dtype.

    Returns:
        A tensor of the shape of `input_x`.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If the numbers of channels differ.

    Examples:
        >>> ops.bias_add(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([10.0, 20.0])).tolist()
        [[11.0, 22.0], [13.0, 24.0]]
    """
    return _bias_add(tensor("BiasAdd", "input_x", input_x), tensor("BiasAdd", "bias", bias))


@composed("BiasAdd(data_format='NCHW')(input_x, bias)")
def _bias_add(x: Any, bias: Any, *, data_format: str = "NCHW") -> Any:
    """`x` plus one number per channel."""
    check.option("BiasAdd", "data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
    at = x.ndim - 1 if data_format == "NHWC" else 1
    if x.ndim < 2 or bias.ndim != 1 or bias.shape[0] != x.shape[at]:
        raise ArgumentError(f"For 'BiasAdd', the 'bias' must hold one element per channel of the input "
                            f"{tuple(x.shape)}, but got the shape {tuple(bias.shape)}.")
    x, bias = as_operand(x), as_operand(bias)
    if bias.dtype is not x.dtype:
        raise TypeError(f"For 'BiasAdd', both operands must have the same dtype, but got {x.dtype} and "
                        f"{bias.dtype}.")
    if at == x.ndim - 1:
        return x + bias
    return x + structure.reshape(bias, shape=(bias.shape[0], *[1] * (x.ndim - 2)))


@composed("ReLUV2()(x)")
def _relu_with_mask(x: Any) -> tuple[Any, Any]:
    """max(x, 0), and where `x` is positive."""
    return piecewise.relu(x), structure.cast(x > 0, dtype=as_dtype("uint8"))


__all__ = [
    "bias_add", "gelu", "hardtanh", "inplace_sigmoid", "leaky_relu", "relu", "rrelu", "soft_shrink", "softplus",
    "swiglu", "tanh_", "tanhshrink", "threshold",
]
