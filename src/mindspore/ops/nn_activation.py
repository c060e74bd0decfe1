"""Activation functions of `mindspore.ops`."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype
from mindspore.core.errors import ArgumentError
from mindspore.operators import activation, gelus, piecewise, softmaxes, structure
from mindspore.operators.registry import REGISTRY

from .arguments import tensor
from .inplace import become
from .primitive import composed


def relu(input: Any, inplace: bool = False) -> Any:
    """max(input, 0); with `inplace` the input holds the result, too."""
    out = piecewise.relu(tensor("ReLU", "input", input))
    return become(input, out) if check.boolean("relu", "inplace", inplace) else out


def inplace_sigmoid(input: Any) -> Any:
    """Let the input hold its sigmoid; returns it."""
    return become(input, activation.sigmoid(tensor("Sigmoid", "input", input)))


def tanh_(input: Any) -> Any:
    """Let the input hold its hyperbolic tangent; returns it."""
    return become(input, activation.tanh(tensor("Tanh", "input", input)))


def gelu(input: Any, approximate: str = "none") -> Any:
    """input * P(X <= input) for a normal X, exactly or by the 'tanh' approximation."""
    if approximate not in ("none", "tanh"):
        raise check.fail(ValueError, "gelu", "approximate", "'none' or 'tanh'", approximate)
    return gelus.gelu(tensor("gelu", "input", input), approximate=approximate)


def softmax(input: Any, axis: int = -1, *, dtype: Any = None) -> Any:
    """Exponential of the input, normalised so that it sums to one along `axis`."""
    return softmaxes.softmax(_cast("Softmax", input, dtype), axis=_axis("softmax", axis))


def softmin(x: Any, axis: int = -1, *, dtype: Any = None) -> Any:
    """The softmax of -x along `axis`."""
    return softmaxes.softmax(-_cast("softmin", x, dtype), axis=_axis("softmin", axis))


def log_softmax(logits: Any, axis: int = -1) -> Any:
    """The logarithm of the softmax along `axis`."""
    return softmaxes.log_softmax(tensor("LogSoftmax", "logits", logits), axis=_axis("log_softmax", axis))


def _axis(owner: str, axis: Any) -> int:
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise check.fail(TypeError, owner, "axis", "an int", axis)
    return axis


def _cast(owner: str, x: Any, dtype: Any) -> Any:
    x = tensor(owner, "input", x)
    return x if dtype is None else structure.cast(x, dtype=as_dtype(dtype))


def leaky_relu(input: Any, alpha: float = 0.2) -> Any:
    """`input` where it is positive, else alpha * input."""
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)):
        raise check.fail(TypeError, "leaky_relu", "alpha", "a number", alpha)
    x = tensor("leaky_relu", "input", input)
    if not x.dtype.is_floating:
        larger, product = REGISTRY["Maximum"], structure.cast(x * alpha, dtype=x.dtype)
        return larger(x, product) if alpha <= 1 else REGISTRY["Minimum"](x, product)
    return piecewise.leaky_relu(x, alpha=alpha)


def rrelu(input: Any, lower: float = 1.0 / 8, upper: float = 1.0 / 3) -> Any:
    """`input` where it is positive, else slope * input with slopes uniform in [lower, upper]."""
    for name, value in (("lower", lower), ("upper", upper)):
        check.number("rrelu", name, value, 0.0, 1.0)
    if lower > upper:
        raise ValueError(f"For 'rrelu', the 'lower' must not exceed the 'upper', but got {lower} and "
                         f"{upper}.")
    return softmaxes.rrelu(tensor("rrelu", "input", input), lower=float(lower), upper=float(upper))[0]


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """The input limited to [min_val, max_val]."""
    for name, value in (("min_val", min_val), ("max_val", max_val)):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise check.fail(TypeError, "hardtanh", name, "a number", value)
    return piecewise.hardtanh(tensor("hardtanh", "input", input), low=min_val, high=max_val)


def soft_shrink(input: Any, lambd: float = 0.5) -> Any:
    """The input moved towards 0 by `lambd`, 0 if it is nearer than that."""
    return piecewise.soft_shrink(tensor("SoftShrink", "input", input), lambd=lambd)


def softplus(input: Any, beta: float = 1, threshold: float = 20) -> Any:
    """log(1 + exp(beta * input)) / beta; the input itself where beta * input exceeds the threshold."""
    return activation.softplus(tensor("softplus", "input", input), beta=beta, threshold=threshold)


def tanhshrink(input: Any) -> Any:
    """input - tanh(input)."""
    return tensor("tanhshrink", "input", input) - activation.tanh(input)


def threshold(input: Any, thr: float, value: float) -> Any:
    """`input` where it is greater than `thr`, else `value`."""
    for name, given in (("thr", thr), ("value", value)):
        if isinstance(given, bool) or not isinstance(given, (int, float)):
            raise check.fail(TypeError, "threshold", name, "a number", given)
    return piecewise.threshold(tensor("threshold", "input", input), threshold=thr, value=value)


def swiglu(input: Any, dim: int = -1) -> Any:
    """silu(a) * b for the halves a, b of the input along `dim`.  Shazeer 2020."""
    x = tensor("swiglu", "input", input)
    at = softmaxes.axis_of("swiglu", dim, x.ndim)
    if x.shape[at] % 2:
        raise ValueError(f"For 'swiglu', the extent of axis {dim} must be even, but got {x.shape}.")
    first = (slice(None),) * at
    half = x.shape[at] // 2
    return activation.silu(x[(*first, slice(0, half))]) * x[(*first, slice(half, None))]


def gumbel_softmax(logits: Any, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Any:
    """A random relaxed one-hot choice along `dim` with log-probabilities `logits`; Jang et al. 2017.

    With `hard` the result is exactly one-hot and the gradient that of the relaxation.
    """
    x = tensor("gumbel_softmax", "logits", logits)
    check.number("gumbel_softmax", "tau", tau, 0.0, open_low=True)
    check.boolean("gumbel_softmax", "hard", hard)
    at = softmaxes.axis_of("gumbel_softmax", dim, x.ndim)
    uniform = REGISTRY["UniformReal"](shape=tuple(x.shape), dtype=x.dtype)
    noise = -REGISTRY["Log"](-REGISTRY["Log"](uniform + 1e-20) + 1e-20)
    soft = softmaxes.softmax((x + noise) / tau, axis=at)
    if not hard:
        return soft
    chosen = soft == REGISTRY["ReduceMax"](soft, axis=(at,), keep_dims=True)
    return structure.stop_gradient(structure.cast(chosen, dtype=x.dtype) - soft) + soft


def bias_add(input_x: Any, bias: Any) -> Any:
    """`input_x` (N, C, *) plus one number per channel."""
    return _bias_add(tensor("BiasAdd", "input_x", input_x), tensor("BiasAdd", "bias", bias))


@composed("BiasAdd(data_format='NCHW')(input_x, bias)")
def _bias_add(x: Any, bias: Any, *, data_format: str = "NCHW") -> Any:
    """`x` plus one number per channel."""
    check.option("BiasAdd", "data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
    at = x.ndim - 1 if data_format == "NHWC" else 1
    if x.ndim < 2 or bias.ndim != 1 or bias.shape[0] != x.shape[at]:
        raise ArgumentError(f"For 'BiasAdd', the 'bias' must hold one element per channel of the input "
                            f"{tuple(x.shape)}, but got the shape {tuple(bias.shape)}.")
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
    "bias_add", "gelu", "gumbel_softmax", "hardtanh", "inplace_sigmoid", "leaky_relu",
    "log_softmax", "relu", "rrelu", "soft_shrink", "softmax", "softmin", "softplus", "swiglu", "tanh_",
    "tanhshrink", "threshold",
]


def _method_softmax(self: Any, axis: int, dtype: Any = None) -> Any:
    return softmax(self, axis, dtype=dtype)


METHODS = {"softmax": _method_softmax}
