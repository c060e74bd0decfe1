"""Softmax and its relatives as functions."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype
from mindspore.operators import softmaxes, structure
from mindspore.operators.registry import REGISTRY

from .arguments import tensor


def softmax(input: Any, axis: int = -1, *, dtype: Any = None) -> Any:
    """Exponential of the input, normalised so that it sums to one along `axis`.

    Args:
        input: A floating-point tensor.
        axis: The dimension, an int.
        dtype: The type to compute in. Default: that of `input`.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no floating-point tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.softmax(Tensor([[1.0, 1.0]])).tolist()
        [[0.5, 0.5]]
    """
    return softmaxes.softmax(_cast("Softmax", input, dtype), axis=_axis("softmax", axis))


def softmin(x: Any, axis: int = -1, *, dtype: Any = None) -> Any:
    """The softmax of -x along `axis`.

    Args:
        x: A floating-point tensor.
        axis: The dimension, an int.
        dtype: The type to compute in. Default: that of `x`.

    Returns:
        A tensor of the shape of `x`.

    Raises:
        TypeError: If `x` is no floating-point tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> print(ops.softmin(Tensor([0.0, float(np.log(3))])).asnumpy().round(3))
        [0.75 0.25]
    """
    return softmaxes.softmax(-_cast("softmin", x, dtype), axis=_axis("softmin", axis))


def log_softmax(logits: Any, axis: int = -1) -> Any:
    """The logarithm of the softmax along `axis`, logits - log(sum(exp(logits))).

    Args:
        logits: A floating-point tensor.
        axis: The dimension, an int.

    Returns:
        A tensor of the shape and dtype of `logits`.

    Raises:
        TypeError: If `logits` is no floating-point tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> print(ops.log_softmax(Tensor([1.0, 1.0])).asnumpy().round(3))
        [-0.693 -0.693]
    """
    return softmaxes.log_softmax(tensor("LogSoftmax", "logits", logits), axis=_axis("log_softmax", axis))


def _axis(owner: str, axis: Any) -> int:
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise check.fail(TypeError, owner, "axis", "an int", axis)
    return axis


def _cast(owner: str, x: Any, dtype: Any) -> Any:
    x = tensor(owner, "input", x)
    return x if dtype is None else structure.cast(x, dtype=as_dtype(dtype))


def gumbel_softmax(logits: Any, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Any:
    """A random relaxed one-hot choice along `dim` with log-probabilities `logits`; Jang et al. 2017.

    With `hard` the result is exactly one-hot and the gradient that of the relaxation.

    Args:
        logits: A floating-point tensor.
        tau: The temperature, a positive number.
        hard: Whether the result is one-hot.
        dim: The dimension, an int.

    Returns:
        A tensor of the shape and dtype of `logits`, which sums to one along `dim`.

    Raises:
        TypeError: If `logits` is no tensor or `hard` no bool.
        ValueError: If `tau` is not positive, or there is no such dimension.

    Examples:
        >>> ops.gumbel_softmax(Tensor([[0.0, 1000.0]]), hard=True).tolist()
        [[0.0, 1.0]]
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


def _method_softmax(self: Any, axis: int, dtype: Any = None) -> Any:
    """Exponential of the tensor, normalised so that it sums to one along `axis`.

    Args:
        axis: The dimension, an int.
        dtype: The type to compute in. Default: that of the tensor.

    Returns:
        A tensor of its shape.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> Tensor([[1.0, 1.0]]).softmax(-1).tolist()
        [[0.5, 0.5]]
    """
    return softmax(self, axis, dtype=dtype)


__all__ = [
    "gumbel_softmax", "log_softmax", "softmax", "softmin",
]

METHODS = {
    "softmax": _method_softmax,
}
