"""Losses that ask for a margin between what belongs together and what does not."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.eager.tensor import Tensor
from mindspore.ops.linearised import invoke

from .base import LossBase, need_tensors, need_weight


class CosineEmbeddingLoss(LossBase):
    """1 - cos(x1, x2) where the label is 1, max(0, cos(x1, x2) - margin) where it is -1, reduced.

    Args:
        margin: Which cosine vectors with label -1 may have, from -1 to 1.
        reduction: "none", "mean" or "sum".

    Inputs:
        logits_x1, logits_x2: Vectors in rows, (N, ...), floating point.
        labels: 1 or -1, (N,).

    Examples:
        >>> nn.CosineEmbeddingLoss()(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1], mindspore.int32)).tolist()
        1.0
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.margin = check.floating(self, "margin", margin, -1.0, 1.0)

    def construct(self, logits_x1, logits_x2, labels):
        need_tensors(self, logits_x1=logits_x1, logits_x2=logits_x2, labels=labels)
        return ops.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """logits where the label is 1, max(0, margin - logits) where it is -1, reduced.

    Args:
        margin: How far apart elements with label -1 have to be.
        reduction: "none", "mean" or "sum".

    Inputs:
        logits: Any shape, floating point.
        labels: 1 or -1, of a shape that broadcasts with it.

    Examples:
        >>> nn.HingeEmbeddingLoss()(Tensor([0.5, 0.5]), Tensor([1.0, -1.0])).tolist()
        0.5
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.margin = check.number(self, "margin", margin)

    def construct(self, logits, labels):
        return ops.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class MarginRankingLoss(LossBase):
    """max(0, -target * (input1 - input2) + margin), reduced.

    Args:
        margin: By how much the first has to be above the second.
        reduction: "none", "mean" or "sum".

    Inputs:
        input1, input2: Tensors of one shape.
        target: 1 where the first is to be greater, else -1.

    Examples:
        >>> nn.MarginRankingLoss()(Tensor([1.0]), Tensor([3.0]), Tensor([1.0])).tolist()
        2.0
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, input1, input2, target):
        return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class MultiMarginLoss(LossBase):
    """sum over classes i != y of max(0, margin - x[y] + x[i]) ** p, over the classes, reduced.

    Args:
        p: Exponent, 1 or 2.
        margin: The margin.
        reduction: "mean", "sum" or "none".
        weight: Weight of every class (C,).

    Inputs:
        x: (N, C), floating point.
        target: (N,), classes.
        weight: Takes the place of the cell's `weight`, if given.

    Examples:
        >>> nn.MultiMarginLoss()(Tensor([[1.0, 0.5]]), Tensor([0])).tolist()
        0.25
    """

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean",
                 weight: Tensor | None = None):
        super().__init__(reduction)
        self.p = check.option(self, "p", p, (1, 2))
        self.margin = check.number(self, "margin", margin)
        self.weight = need_weight(self, weight)

    def construct(self, x, target, weight=None):
        weight = self.weight if weight is None else weight
        return ops.multi_margin_loss(x, target, self.p, self.margin, weight, self.reduction)


class MultilabelMarginLoss(LossBase):
    """max(0, 1 - x[y] + x[i]) over labels y and the other classes i, over the classes, reduced.

    Args:
        reduction: "none", "mean" or "sum".

    Inputs:
        x: (C,) or (N, C), floating point.
        target: Classes that end at the first -1, of that shape, int32.

    Examples:
        >>> nn.MultilabelMarginLoss()(Tensor([[0.0, 1.0]]), Tensor([[1, -1]], mindspore.int32)).tolist()
        0.0
    """

    def construct(self, x, target):
        return ops.multilabel_margin_loss(x, target, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    """The mean over classes of binary cross entropies of sigmoid(x), reduced.

    Args:
        weight: Factor of every class (C,).
        reduction: "mean", "sum" or "none".

    Inputs:
        x: (N, C), floating point.
        target: (N, C), 0 or 1.

    Examples:
        >>> round(float(nn.MultiLabelSoftMarginLoss()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))), 4)
        0.6931
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean"):
        super().__init__(reduction)
        self.weight = need_weight(self, weight)

    def construct(self, x, target):
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class TripletMarginLoss(LossBase):
    """max(0, |x - positive| - |x - negative| + margin) with p-norms, reduced.  Balntas et al. 2016.

    Args:
        p: Exponent of the norm.
        swap: Whether |positive - negative| may take the place of |x - negative| if it is smaller.
        eps: Added to the differences.
        reduction: "mean", "sum" or "none".
        margin: The margin.

    Inputs:
        x, positive, negative: Tensors of one shape; distances are taken along the last axis.
        margin: Takes the place of the cell's `margin`, if given.

    Examples:
        >>> loss = nn.TripletMarginLoss()
        >>> x, positive, negative = Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]]), Tensor([[0.0, 2.0]])
        >>> round(float(loss(x, positive, negative)), 4)
        4.0
    """

    def __init__(self, p: int = 2, swap: bool = False, eps: float = 1e-6, reduction: str = "mean",
                 margin: float = 1.0):
        super().__init__(reduction)
        self.p, self.swap, self.eps, self.margin = p, swap, eps, margin

    def construct(self, x, positive, negative, margin=None):
        margin = self.margin if margin is None else margin
        return ops.triplet_margin_loss(x, positive, negative, margin, self.p, self.eps, self.swap,
                                       self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """max(0, d(x, positive) - d(x, negative) + margin) with a distance d of one's own, reduced.

    Args:
        distance_function: The distance of two tensors, one number per row. Default: the Euclidean, along
            dimension 1.
        swap: Whether d(positive, negative) may take the place of d(x, negative) if it is smaller.
        reduction: "mean", "sum" or "none".
        margin: The margin.

    Inputs:
        x, positive, negative: Tensors of one shape.

    Examples:
        >>> loss = nn.TripletMarginWithDistanceLoss(lambda x, y: ops.abs(x - y).sum(-1))
        >>> x, positive, negative = Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]]), Tensor([[0.0, 2.0]])
        >>> loss(x, positive, negative).tolist()
        6.0
    """

    def __init__(self, distance_function: Callable[..., Any] | None = None, swap: bool = False,
                 reduction: str = "mean", margin: float = 1.0):
        super().__init__(reduction)
        if distance_function is not None and not callable(distance_function):
            raise TypeError("For 'TripletMarginWithDistanceLoss', the 'distance_function' must be a "
                            f"function, but got {type(distance_function).__name__}.")
        self.distance_function = _euclidean if distance_function is None else distance_function
        self.swap = check.boolean(self, "swap", swap)
        self.margin = check.floating(self, "margin", margin, 0.0)

    def construct(self, x, positive, negative):
        need_tensors(self, x=x, positive=positive, negative=negative)
        distance = self.distance_function
        near, far = invoke(distance, (x, positive)), invoke(distance, (x, negative))
        if self.swap:
            far = ops.minimum(far, invoke(distance, (positive, negative)))
        return self.get_loss(ops.relu(near - far + self.margin))


_EPS = 1e-6        # added to differences, as torch and the original do


def _euclidean(x: Any, y: Any) -> Any:
    d = x - y + _EPS
    return (d * d).sum(1) ** 0.5
