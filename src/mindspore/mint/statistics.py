"""The parts of a normalisation over batches: statistics of one batch, of several together, and their use."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.errors import show
from mindspore.ops.arguments import tensor


def _axes(owner: str, x: Any) -> tuple[int, ...]:
    """All axes but that of the channels."""
    if tensor(owner, "input", x).ndim < 2:
        raise ValueError(f"For '{owner}', the 'input' must have at least 2 dimensions, but got {show(x)}.")
    return (0, *range(2, x.ndim))


def _column(x: Any, like: Any) -> Any:
    """One number per channel, as it broadcasts with the input."""
    return ops.reshape(x, (1, -1, *[1] * (like.ndim - 2)))


def batch_norm_stats(input: Any, eps: float) -> tuple[Any, Any]:
    """The mean and the inverse standard deviation of each channel.

    Args:
        input: A floating-point tensor (N, C, *).
        eps: What is added to the variance.

    Returns:
        The means (C,) and 1 / sqrt(variance + eps), (C,), float32 for types of 16 bits.

    Raises:
        TypeError: If the input is no tensor, or `eps` no number.
        ValueError: If the input has no channels.

    Examples:
        >>> [s.tolist() for s in mint.batch_norm_stats(Tensor([[1.0], [5.0]]), 0.0)]
        [[3.0], [0.5]]
    """
    axes = _axes("batch_norm_stats", input)
    check.number("batch_norm_stats", "eps", eps, 0.0)
    x = input.float() if input.dtype.itemsize < 4 else input
    return ops.mean(x, axes), ops.rsqrt(ops.var(x, axes) + eps)


def batch_norm_gather_stats_with_counts(input: Any, mean: Any, invstd: Any, running_mean: Any = None,
                                        running_var: Any = None, momentum: float = 0.1, eps: float = 1e-05,
                                        counts: Any = None) -> tuple[Any, Any]:
    """The statistics of several batches together, from those of each.

    Args:
        input: One of the batches (N, C, *); its dtype counts.
        mean: The means of each batch (B, C).
        invstd: Their inverse standard deviations (B, C), as `batch_norm_stats` gives them.
        running_mean: A tensor (C,) that moves towards the mean, or None.
        running_var: A tensor (C,) that moves towards the unbiased variance, or None.
        momentum: How far they move.
        eps: What was, and is, added to variances.
        counts: How many elements per channel each batch has (B,); None: as many as the input.

    Returns:
        The means and the inverse standard deviations (C,).

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> mean, invstd = mint.batch_norm_gather_stats_with_counts(
        ...     mint.ones((1, 1)), Tensor([[1.0], [5.0]]), mint.ones((2, 1)), eps=1.0, counts=Tensor([1.0, 1.0]))
        >>> mean.tolist(), round(invstd.item() ** -2, 3)
        ([3.0], 5.0)
    """
    owner = "batch_norm_gather_stats_with_counts"
    axes = _axes(owner, input)
    for name, x in (("mean", mean), ("invstd", invstd)):
        if tensor(owner, name, x).ndim != 2 or x.shape[1] != input.shape[1]:
            raise ValueError(f"For '{owner}', the '{name}' must have a row of {input.shape[1]} per batch, but got "
                             f"{show(x)}.")
    if counts is None:
        size = 1
        for a in axes:
            size *= input.shape[a]
        counts = ops.full((mean.shape[0],), float(size), dtype=mean.dtype)
    weight = ops.reshape(tensor(owner, "counts", counts).astype(mean.dtype), (-1, 1))
    total = weight.sum()
    middle = (weight * mean).sum(0) / total
    squares = (weight * (1.0 / (invstd * invstd) - eps + (mean - middle) ** 2)).sum(0)
    if running_mean is not None:
        running_mean.copy_(running_mean * (1.0 - momentum) + middle * momentum)
    if running_var is not None:
        running_var.copy_(running_var * (1.0 - momentum) + squares / (total - 1.0) * momentum)
    return middle, ops.rsqrt(squares / total + eps)


def batch_norm_elemt(input: Any, weight: Any = None, bias: Any = None, mean: Any = None, invstd: Any = None,
                     eps: float = 1e-05) -> Any:
    """(input - mean) * invstd * weight + bias, channel by channel.

    Args:
        input: A floating-point tensor (N, C, *).
        weight: Factors (C,), or None for ones.
        bias: Summands (C,), or None for zeros.
        mean: The means (C,); None: those of the input.
        invstd: The inverse standard deviations (C,); None: those of the input.
        eps: What is added to the variance where `invstd` is None.

    Returns:
        Shape and dtype of the input.

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the input has no channels.

    Examples:
        >>> mint.batch_norm_elemt(Tensor([[1.0], [5.0]]), mean=Tensor([3.0]), invstd=Tensor([0.5])).tolist()
        [[-1.0], [1.0]]
    """
    _axes("batch_norm_elemt", input)
    if mean is None or invstd is None:
        own = batch_norm_stats(input, eps)
        mean, invstd = [o if given is None else given for given, o in zip((mean, invstd), own, strict=True)]
    out = (input - _column(mean, input)) * _column(invstd, input)
    out = out if weight is None else out * _column(weight, input)
    out = out if bias is None else out + _column(bias, input)
    return out.astype(input.dtype)


__all__ = ["batch_norm_elemt", "batch_norm_gather_stats_with_counts", "batch_norm_stats"]
