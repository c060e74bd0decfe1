"""Losses as cells."""

from __future__ import annotations

from typing import Any

from mindspore.ops import cross_entropy

from .applied import Applied
from .losses import binary_cross_entropy_with_logits, kl_div, nll_loss, smooth_l1_loss


class BCEWithLogitsLoss(Applied):
    """The cross entropy of targets and sigmoid(input), reduced.

    Args:
        weight: Factors, or None.
        reduction: "mean", "sum" or "none".
        pos_weight: Further factors of the part where the target is 1, or None.

    Inputs:
        input, target: Tensors, as the function takes them.

    Examples:
        >>> mint.nn.BCEWithLogitsLoss()(Tensor([0.0]), Tensor([1.0])).shape
        ()
    """

    def __init__(self, weight: Any = None, reduction: str = "mean", pos_weight: Any = None):
        super().__init__(binary_cross_entropy_with_logits, weight=weight, reduction=reduction,
                         pos_weight=pos_weight)


class CrossEntropyLoss(Applied):
    """The cross entropy of targets and softmax(input), reduced.

    Args:
        weight: Factors, or None.
        ignore_index: Targets that do not count.
        reduction: "mean", "sum" or "none".
        label_smoothing: Which part of each target is spread over all classes.

    Inputs:
        input, target: Tensors, as the function takes them.

    Examples:
        >>> mint.nn.CrossEntropyLoss()(Tensor([[0.0, 1.0]]), Tensor([1])).shape
        ()
    """

    def __init__(self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", label_smoothing: float
                 = 0.0):
        super().__init__(cross_entropy, weight=weight, ignore_index=ignore_index, reduction=reduction,
                         label_smoothing=label_smoothing)


class KLDivLoss(Applied):
    """target * (log(target) - input), reduced.  Kullback, Leibler 1951.

    Args:
        reduction: "mean", "sum" or "none".
        log_target: Whether the target holds logarithms.

    Inputs:
        input, target: Tensors, as the function takes them.

    Examples:
        >>> mint.nn.KLDivLoss()(Tensor([0.0]), Tensor([1.0])).shape
        ()
    """

    def __init__(self, reduction: str = "mean", log_target: bool = False):
        super().__init__(kl_div, reduction=reduction, log_target=log_target)


class NLLLoss(Applied):
    """-weight[target] * input[target], reduced.

    Args:
        weight: Factors, or None.
        ignore_index: Targets that do not count.
        reduction: "mean", "sum" or "none".

    Inputs:
        input, target: Tensors, as the function takes them.

    Examples:
        >>> mint.nn.NLLLoss()(Tensor([[-1.0, -2.0]]), Tensor([1])).shape
        ()
    """

    def __init__(self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean"):
        super().__init__(nll_loss, weight=weight, ignore_index=ignore_index, reduction=reduction)


class SmoothL1Loss(Applied):
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = input - target, reduced.  Girshick 2015.

    Args:
        reduction: "mean", "sum" or "none".
        beta: Where the parabola ends.

    Inputs:
        input, target: Tensors, as the function takes them.

    Examples:
        >>> mint.nn.SmoothL1Loss()(Tensor([0.0]), Tensor([1.0])).shape
        ()
    """

    def __init__(self, reduction: str = "mean", beta: float = 1.0):
        super().__init__(smooth_l1_loss, reduction=reduction, beta=beta)


__all__ = ["BCEWithLogitsLoss", "CrossEntropyLoss", "KLDivLoss", "NLLLoss", "SmoothL1Loss"]
