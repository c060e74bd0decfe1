"""Losses whose arguments are torch's."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.errors import show
from mindspore.ops.arguments import tensor


def binary_cross_entropy(input: Any, target: Any, weight: Any = None, reduction: str = "mean") -> Any:
    """-target * log(input) - (1 - target) * log(1 - input), reduced.

    Args:
        input: Probabilities.
        target: Probabilities, in the same shape.
        weight: Factors that broadcast to it, or None.
        reduction: "mean", "sum" or "none".

    Returns:
        A number, or with "none" the shape of the input.

    Raises:
        TypeError: If an argument is no tensor, or the reduction no text.
        ValueError: If the shapes differ, or the reduction has another name.

    Examples:
        >>> round(mint.nn.functional.binary_cross_entropy(Tensor([0.5]), Tensor([1.0])).item(), 4)
        0.6931
    """
    check.instance("binary_cross_entropy", "reduction", reduction, str)
    return ops.binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(input: Any, target: Any, weight: Any = None, reduction: str = "mean",
                                     pos_weight: Any = None) -> Any:
    """`binary_cross_entropy` of sigmoid(input).

    Args:
        input: Numbers.
        target: Probabilities, in the same shape.
        weight: Factors that broadcast to it, or None.
        reduction: "mean", "sum" or "none".
        pos_weight: Further factors of the part where the target is 1, or None.

    Returns:
        A number, or with "none" the shape of the input.

    Raises:
        TypeError: If an argument is no tensor, or the reduction no text.
        ValueError: If the shapes differ, or the reduction has another name.

    Examples:
        >>> round(mint.nn.functional.binary_cross_entropy_with_logits(Tensor([0.0]), Tensor([1.0])).item(), 4)
        0.6931
    """
    check.instance("binary_cross_entropy_with_logits", "reduction", reduction, str)
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: Any, target: Any, reduction: str = "mean", log_target: bool = False) -> Any:
    """target * (log(target) - input), reduced: the divergence from distributions to others.  Kullback, Leibler 1951.

    Args:
        input: Logarithms of probabilities.
        target: Probabilities, or with `log_target` their logarithms.
        reduction: "mean" over all elements, "batchmean" (the sum over the first extent), "sum" or "none".
        log_target: Whether the target holds logarithms.

    Returns:
        A number, or with "none" the broadcast shape.

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the shapes do not broadcast, or the reduction has another name.

    Examples:
        >>> mint.nn.functional.kl_div(Tensor([0.0, 0.0]), Tensor([1.0, 1.0])).item()
        0.0
    """
    check.option("kl_div", "reduction", reduction, ("mean", "batchmean", "sum", "none"))
    x, y = tensor("kl_div", "input", input), tensor("kl_div", "target", target)
    log = check.boolean("kl_div", "log_target", log_target)
    values = ops.exp(y) * (y - x) if log else ops.xlogy(y, y) - y * x
    if reduction == "none":
        return values
    if reduction == "mean":
        return ops.mean(values)
    if reduction == "batchmean" and not x.ndim:
        raise ValueError(f"For 'kl_div', the reduction 'batchmean' needs a dimension of examples, but got {show(x)}.")
    return values.sum() if reduction == "sum" else values.sum() / x.shape[0]


def nll_loss(input: Any, target: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean") -> Any:
    """-weight[target] * input[target], reduced; "mean" divides by the sum of the weights.

    Args:
        input: Logarithms of probabilities (N, C, *) or (C,).
        target: The right classes (N, *) or ().
        weight: A factor per class (C,), or None.
        ignore_index: Targets that do not count.
        reduction: "mean", "sum" or "none".

    Returns:
        A number, or with "none" the shape of the target.

    Raises:
        TypeError: If an argument is no tensor, or the target holds no integers.
        ValueError: If the shapes do not fit, or the reduction has another name.

    Examples:
        >>> mint.nn.functional.nll_loss(Tensor([[-1.0, -2.0]]), Tensor([1])).item()
        2.0
    """
    return ops.nll_loss(input, target, weight, ignore_index, reduction)


def smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Any:
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = input - target, reduced.  Girshick 2015.

    Args:
        input: A tensor.
        target: A tensor whose shape broadcasts with it.
        reduction: "mean", "sum" or "none".
        beta: Where the parabola ends; with 0 the loss is |d|.

    Returns:
        A number, or with "none" the broadcast shape.

    Raises:
        TypeError: If an argument is no tensor, or the reduction no text.
        ValueError: If the shapes do not fit, beta is negative, or the reduction has another name.

    Examples:
        >>> mint.nn.functional.smooth_l1_loss(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]), "none").tolist()
        [0.5, 2.5]
    """
    if check.number("smooth_l1_loss", "beta", beta, 0.0) == 0:
        return ops.l1_loss(input, target, reduction)
    check.instance("smooth_l1_loss", "reduction", reduction, str)
    return ops.smooth_l1_loss(input, target, beta, reduction)


__all__ = ["binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div", "nll_loss", "smooth_l1_loss"]
