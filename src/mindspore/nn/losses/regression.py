"""Losses of the distance between prediction and target."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.operators.loss import squared_error
from mindspore.ops.arguments import signed

from .base import LossBase, need_tensors


class L1Loss(LossBase):
    """|logits - labels|, reduced; the operands may broadcast.

    Outputs and errors are those of `MSELoss`.

    Args:
        reduction: "mean", "sum", or "none" for the single losses.

    Inputs:
        logits, labels: Shapes that broadcast, real.

    Examples:
        >>> nn.L1Loss()(Tensor([1.0, 2.0, 3.0]), Tensor([1.0, 2.0, 6.0]))
        Tensor(shape=[], dtype=Float32, value= 1)
    """

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        return self.get_loss((logits - labels).abs())


class MSELoss(LossBase):
    """(logits - labels) ** 2, reduced; the operands may broadcast.

    Args:
        reduction: "mean", "sum", or "none" for the single losses.

    Inputs:
        logits: (N, *), real.
        labels: A shape that broadcasts with it, real.

    Outputs:
        A tensor without dimensions; (N, *) for "none".

    Raises:
        ValueError: If the reduction is unknown, or the shapes do not broadcast.
        TypeError: If an input is no tensor.

    Examples:
        >>> nn.MSELoss()(Tensor([1.0, 2.0, 3.0]), Tensor([1.0, 2.0, 6.0]))
        Tensor(shape=[], dtype=Float32, value= 3)
    """

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        dtype = logits.dtype
        if dtype is labels.dtype and dtype.is_floating and dtype.itemsize > 2 and (
                logits.shape == labels.shape):
            return squared_error(logits, labels, reduction=self.reduction)
        d = logits - labels
        return self.get_loss(d * d)


class RMSELoss(LossBase):
    """The square root of the mean of (logits - labels) ** 2.

    Inputs:
        logits, label: Shapes that broadcast; no unsigned integers, whose differences have no sign (TypeError).

    Examples:
        >>> nn.RMSELoss()(Tensor([1.0, 2.0]), Tensor([4.0, 5.0])).tolist()
        3.0
    """

    def __init__(self):
        super().__init__()

    def construct(self, logits, label):
        d = signed("RMSELoss", "logits", logits) - signed("RMSELoss", "label", label)
        square = d * d.conj() if d.dtype.is_complex else d * d
        return square.mean() ** 0.5


class MAELoss(LossBase):
    """|logits - label|, reduced; the operands may broadcast.

    Args:
        reduction: "none", "mean" or "sum".

    Inputs:
        logits, labels: Shapes that broadcast.

    Examples:
        >>> nn.MAELoss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])).tolist()
        1.5
    """

    def construct(self, logits, label):
        need_tensors(self, logits=logits, label=label)
        return self.get_loss((logits - label).abs())


class SmoothL1Loss(LossBase):
    """d ** 2 / (2 * beta) where d = |logits - labels| is below `beta`, else d - beta / 2, reduced.

    Girshick 2015.

    Args:
        beta: Where the square passes into the line.
        reduction: "none", "mean" or "sum".

    Inputs:
        logits, labels: Tensors of one shape, floating point.

    Examples:
        >>> nn.SmoothL1Loss()(Tensor([0.5, 3.0]), Tensor([0.0, 0.0])).tolist()
        [0.125, 2.5]
    """

    def __init__(self, beta: float = 1.0, reduction: str = "none"):
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits, labels):
        need_tensors(self, logits=logits, labels=labels)
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """d ** 2 / 2 where d = |logits - labels| is below `delta`, else delta * (d - delta / 2), reduced.

    Huber 1964.

    Args:
        reduction: "none", "mean" or "sum".
        delta: The bound between the square and the line, positive.

    Inputs:
        logits, labels: Shapes that broadcast.

    Examples:
        >>> nn.HuberLoss()(Tensor([0.5, 3.0]), Tensor([0.0, 0.0])).tolist()
        1.3125
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits: Any, labels: Any) -> Any:
        need_tensors(self, logits=logits, labels=labels)
        return ops.huber_loss(logits, labels, self.reduction, self.delta)
