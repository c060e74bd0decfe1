"""Losses of probability distributions."""
from __future__ import annotations

from math import pi
from typing import Any

from mindspore import ops
from mindspore.core import check

from .base import REDUCTIONS, LossBase, need_tensors


class KLDivLoss(LossBase):
    """labels * (log(labels) - logits) of log probabilities `logits`, reduced.

    Args:
        reduction: "mean", "batchmean" (the sum over the batch size), "sum" or "none".

    Inputs:
        logits: Log probabilities, floating point.
        labels: Probabilities, of the same shape.

    Examples:
        >>> logits, labels = ops.log(Tensor([0.25, 0.75])), Tensor([0.5, 0.5])
        >>> round(float(nn.KLDivLoss("sum")(logits, labels)), 4)
        0.1438
    """

    def __init__(self, reduction: str = "mean"):
        super().__init__("mean" if reduction == "batchmean" else reduction)
        self.reduction = reduction

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        return ops.kl_div(logits, labels, self.reduction)


class PoissonNLLLoss(LossBase):
    """exp(input) - target * input, the negative log likelihood of Poisson counts, reduced.

    Args:
        log_input: Whether `input` is the logarithm of the rate; else input - target * log(input + eps).
        full: Whether to add Stirling's approximation of log(target!) where the target is above 1.
        eps: Added under the logarithm.
        reduction: "mean", "sum" or "none".

    Inputs:
        input: The rates or their logarithms, floating point.
        target: The counts, of that shape.

    Examples:
        >>> nn.PoissonNLLLoss()(Tensor([0.0, 0.0]), Tensor([1.0, 3.0])).tolist()
        1.0
    """

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-8,
                 reduction: str = "mean"):
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def construct(self, input, target):
        need_tensors(self, input=input, target=target)
        if input.ndim == 0 or target.ndim == 0:
            raise ValueError("For 'PoissonNLLLoss', the inputs must have at least one dimension.")
        if input.dtype.is_floating and target.dtype.is_floating:
            target = target.astype(input.dtype)
        rate, log_rate = (ops.exp(input), input) if self.log_input else (input, ops.log(input + self.eps))
        loss = rate - target * log_rate
        if self.full:
            stirling = target * ops.log(target + self.eps) - target + ops.log(2 * pi * target + self.eps) * 0.5
            loss = loss + ops.where(target > 1, stirling, ops.zeros_like(stirling))
        return self.get_loss(loss)


class GaussianNLLLoss(LossBase):
    """(log(var) + (logits - labels) ** 2 / var) / 2, the negative log likelihood of normal values.

    Args:
        full: Whether to add log(2 * pi) / 2.
        eps: Lower bound of the variance.
        reduction: "mean", "sum" or "none".

    Inputs:
        logits: The means, floating point.
        labels: The values, of that shape.
        var: The variances, of that shape, or without the last axis or with 1 there.

    Examples:
        >>> nn.GaussianNLLLoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]), Tensor([1.0, 1.0])).tolist()
        1.0
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean"):
        super().__init__(check.option(self, "reduction", reduction, REDUCTIONS))
        self.full = check.boolean(self, "full", full)
        self.eps = check.positive_float(self, "eps", eps)

    def construct(self, logits: Any, labels: Any, var: Any) -> Any:
        need_tensors(self, logits=logits, labels=labels, var=var)
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)
