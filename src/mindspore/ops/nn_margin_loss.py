"""Losses with a margin as functions."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.operators import loss, piecewise
from mindspore.operators.comparison import equal
from mindspore.operators.masking import select
from mindspore.operators.powers import abs_, pow_, sqrt
from mindspore.operators.reduction import reduce_sum
from mindspore.operators.rounding import minimum
from mindspore.operators.structure import cast, ones_like

from .arguments import signed, tensor
from .nn_loss import reduced, reduction_of
from .primitive import composed


def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: float = 0.0,
                        reduction: str = "mean") -> Any:
    """max(0, margin - target * (input1 - input2)), reduced.

    Args:
        input1, input2: Tensors of one shape.
        target: 1 where `input1` is to be the greater, -1 where `input2`.
        margin: A number.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> ops.margin_ranking_loss(Tensor([1.0, 2.0]), Tensor([3.0, 0.0]), Tensor([1.0, 1.0])).item()
        1.0
    """
    owner = "margin_ranking_loss"
    check.number(owner, "margin", margin)
    d = signed(owner, "input1", input1) - signed(owner, "input2", input2)
    return reduced(owner, piecewise.relu(-signed(owner, "target", target) * d + margin), reduction)


def hinge_embedding_loss(inputs: Any, targets: Any, margin: float = 1.0, reduction: str = "mean") -> Any:
    """`inputs` where the target is 1, max(0, margin - inputs) where it is -1, reduced.

    Args:
        inputs: Distances, a floating-point tensor.
        targets: 1 or -1, of its shape.
        margin: A number.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> ops.hinge_embedding_loss(Tensor([0.5, 0.25]), Tensor([1.0, -1.0]), reduction="none").tolist()
        [0.5, 0.75]
    """
    owner = "hinge_embedding_loss"
    check.number(owner, "margin", margin)
    x, y = tensor(owner, "inputs", inputs), tensor(owner, "targets", targets)
    values = (select(equal(y, 1), x, ones_like(x) * 0.0)
              + select(equal(y, -1), piecewise.relu(margin - x), ones_like(x) * 0.0))
    return reduced(owner, values, reduction)


def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: float = 0.0,
                          reduction: str = "mean") -> Any:
    """1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it is -1, reduced.

    Args:
        input1, input2: Floating-point tensors (N, D), or (D,).
        target: 1 or -1, (N,) or without dimensions.
        margin: A number in [-1, 1].
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one, or `margin` out of range.

    Examples:
        >>> x, y = Tensor([[1.0, 0.0], [1.0, 0.0]]), Tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> print(ops.cosine_embedding_loss(x, y, Tensor([1, 1]), reduction="none").asnumpy().round(3))
        [0. 1.]
    """
    owner = "cosine_embedding_loss"
    check.number(owner, "margin", margin, -1.0, 1.0)
    x, y = [cast(x, dtype=float32) if tensor(owner, name, x).dtype.kind in "iub" else x      # squares would overflow
            for name, x in (("input1", input1), ("input2", input2))]
    axis = (1 if x.ndim > 1 else 0,)
    xy, xx, yy = [reduce_sum(p, axis=axis) for p in (x * y, x * x, y * y)]
    cosine = xy / sqrt((xx + 1e-12) * (yy + 1e-12))
    zero = ones_like(cosine) * 0.0
    values = (select(equal(target, 1), 1.0 - cosine, zero)
              + select(equal(target, -1), piecewise.relu(cosine - margin), zero))
    return reduced(owner, values, reduction)


def multi_margin_loss(input: Any, target: Any, p: int = 1, margin: float = 1, weight: Any = None,
                      reduction: str = "mean") -> Any:
    """sum over i != y of max(0, margin - input[y] + input[i])^p / C per row, reduced.

    Args:
        input: A floating-point tensor (N, C).
        target: The classes y, a tensor of ints (N,).
        p: 1 or 2.
        margin: A number.
        weight: The weights of the classes (C,), or None.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> ops.multi_margin_loss(Tensor([[0.5, 1.0]]), Tensor([1])).item()
        0.25
    """
    return _multi_margin(tensor("multi_margin_loss", "input", input), target, weight, p=p, margin=margin,
                         reduction=reduction)


@composed("MultiMarginLoss(p=1, margin=1.0, reduction='mean')(x, target, weight=None)")
def _multi_margin(x: Any, target: Any, weight: Any = None, *, p: int = 1, margin: float = 1.0,
                  reduction: str = "mean") -> Any:
    """sum over i != y of max(0, margin - x[y] + x[i])^p / C per row, reduced."""
    reduction_of("MultiMarginLoss", reduction)
    return loss.multi_margin(x, target, weight, p=p, margin=float(margin), reduction=reduction)


def multilabel_margin_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """sum over labels y and other classes i of max(0, 1 - input[y] + input[i]) / C per row, reduced.

    Args:
        input: A floating-point tensor (N, C), or (C,).
        target: The labels of each row up to the first -1, a tensor of ints of the same shape.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> ops.multilabel_margin_loss(Tensor([[0.5, 1.0]]), Tensor([[1, -1]], mindspore.int32)).item()
        0.25
    """
    return _multilabel_margin(tensor("multilabel_margin_loss", "input", input), target,
                              reduction=reduction)[0]


@composed("MultilabelMarginLoss(reduction='mean')(x, target)")
def _multilabel_margin(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The margin loss for rows of label indices that end at the first -1; and which classes they name."""
    return loss.multilabel_margin(x, target, reduction=reduction_of("MultilabelMarginLoss", reduction))


def triplet_margin_loss(anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: int = 2,
                        eps: float = 1e-6, swap: bool = False, reduction: str = "mean") -> Any:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) for the p-norm d, reduced.

    Args:
        anchor, positive, negative: Floating-point tensors (N, D) of one shape.
        margin: A number.
        p: The order of the norm, a positive int.
        eps: What is added to differences.
        swap: Whether the distance of `positive` and `negative` counts, too, if it is the smaller.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        ValueError: If `reduction` is another one, or `p` not positive.

    Examples:
        >>> a, p, n = Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.5]])
        >>> round(ops.triplet_margin_loss(a, p, n).item(), 3)
        0.5
    """
    owner = "triplet_margin_loss"
    check.positive_int(owner, "p", p)
    x = tensor(owner, "anchor", anchor)

    def distance(a: Any, b: Any) -> Any:
        total = reduce_sum(pow_(abs_(a - b + eps), float(p)), axis=(x.ndim - 1,))
        return pow_(total, 1.0 / p)
    far = distance(x, negative)
    if check.boolean(owner, "swap", swap):
        far = minimum(far, distance(positive, negative))
    return reduced(owner, piecewise.relu(distance(x, positive) - far + margin), reduction)


@composed("TripletMarginLoss(p=2, swap=False, eps=1e-06, reduction='mean')(x, positive, negative, margin)")
def _triplet_margin(x: Any, positive: Any, negative: Any, margin: Any, *, p: int = 2, swap: bool = False,
                    eps: float = 1e-6, reduction: str = "mean") -> Any:
    """max(0, d(x, positive) - d(x, negative) + margin) for the p-norm d, reduced."""
    return triplet_margin_loss(x, positive, negative, margin, p, eps, swap, reduction)


__all__ = [
    "cosine_embedding_loss", "hinge_embedding_loss", "margin_ranking_loss", "multi_margin_loss",
    "multilabel_margin_loss", "triplet_margin_loss",
]
