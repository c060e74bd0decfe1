"""Losses of distances and margins, and how losses are reduced."""
from __future__ import annotations

import math
from typing import Any

import torch

from mindspore.core import check
from mindspore.core.dtype import float32, from_torch
from mindspore.core.errors import show
from mindspore.eager.tensor import is_tensor
from mindspore.operators import cross_entropy as cross_entropies
from mindspore.operators import loss, piecewise
from mindspore.operators.comparison import equal
from mindspore.operators.masking import select
from mindspore.operators.powers import abs_, log, pow_, sqrt
from mindspore.operators.reduction import reduce_mean, reduce_sum
from mindspore.operators.rounding import maximum, minimum
from mindspore.operators.rules import broadcast
from mindspore.operators.structure import broadcast_to, cast, ones_like

from .arguments import tensor
from .primitive import composed


def reduced(owner: str, values: Any, reduction: Any) -> Any:
    """The values themselves, their mean or their sum."""
    if reduction == "mean":
        return reduce_mean(values)
    if reduction == "sum":
        return reduce_sum(values)
    reduction_of(owner, reduction)
    return values


def reduction_of(owner: str, reduction: Any) -> str:
    """The name of the reduction, checked."""
    if reduction not in loss.REDUCTIONS:
        raise check.fail(ValueError, owner, "reduction", f"one of {list(loss.REDUCTIONS)}", reduction)
    return reduction


def _pair(owner: str, x: Any, y: Any) -> tuple[Any, Any]:
    """Two tensors, broadcast to one shape."""
    tensor(owner, "input", x)
    tensor(owner, "target", y)
    if x.dtype is not y.dtype and x.dtype.is_floating:
        y = cast(y, dtype=x.dtype)
    if tuple(x.shape) == tuple(y.shape):
        return x, y
    shape = broadcast(tuple(x.shape), tuple(y.shape), name=owner)
    return broadcast_to(x, shape=shape), broadcast_to(y, shape=shape)


def alike(owner: str, x: Any, y: Any, mixed: bool = False) -> None:
    """ValueError unless two tensors have one shape, TypeError unless one floating type, or with `mixed` two."""
    if not (x.dtype.is_floating and y.dtype.is_floating) or not (mixed or x.dtype is y.dtype):
        wanted = "floating point" if mixed else "of one floating type"
        raise TypeError(f"For '{owner}', both tensors must be {wanted}, but got {show(x)} and {show(y)}.")
    if tuple(x.shape) != tuple(y.shape):
        raise ValueError(f"For '{owner}', both tensors must have the same shape, but got {show(x)} and {show(y)}.")


def _real(x: Any) -> Any:
    """A tensor of integers or bools in float32."""
    return cast(x, dtype=float32) if is_tensor(x) and not x.dtype.is_differentiable else x


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Two tensors of floats in their common dtype."""
    if not (is_tensor(x) and is_tensor(y)) or x.dtype is y.dtype or not (x.dtype.is_floating and y.dtype.is_floating):
        return x, y
    common = from_torch(torch.promote_types(x.dtype.torch, y.dtype.torch))
    return cast(x, dtype=common), cast(y, dtype=common)


def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """(input - target)^2, reduced."""
    x, y = _pair("mse_loss", *_alike(_real(input), _real(target)))
    return loss.squared_error(x, y, reduction=reduction_of("mse_loss", reduction))


mse_loss_ext = mse_loss


def l1_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """|input - target|, reduced."""
    x, y = _pair("l1_loss", *_alike(input, target))
    return reduced("l1_loss", abs_(x - y), reduction)


def smooth_l1_loss(input: Any, target: Any, beta: float = 1.0, reduction: str = "none") -> Any:
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = input - target, reduced."""
    return _smooth_l1(tensor("smooth_l1_loss", "input", input), tensor("smooth_l1_loss", "target", target),
                      beta=beta, reduction=reduction)


@composed("SmoothL1Loss(beta=1.0, reduction='none')(prediction, target)")
def _smooth_l1(x: Any, y: Any, *, beta: float = 1.0, reduction: str = "none") -> Any:
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = x - y, reduced."""
    reduction_of("SmoothL1Loss", reduction)
    alike("SmoothL1Loss", x, y, mixed=True)
    return reduced("SmoothL1Loss", loss.smooth_l1(x, y, beta=beta), reduction)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    """d^2 / 2 where |d| <= delta, else delta * (|d| - delta / 2), for d = input - target, reduced."""
    check.number("huber_loss", "delta", delta, 0.0, open_low=True)
    x, y = _pair("huber_loss", *_alike(_real(input), _real(target)))
    return reduced("huber_loss", loss.smooth_l1(x, y, beta=delta) * delta, reduction)


def kl_div(logits: Any, labels: Any, reduction: str = "mean") -> Any:
    """labels * (log(labels) - logits), reduced; 'batchmean' divides the sum by the first extent."""
    return _kl_div(tensor("kl_div", "logits", logits), tensor("kl_div", "labels", labels),
                   reduction=reduction)


@composed("KLDivLoss(reduction='mean')(logits, labels)")
def _kl_div(logits: Any, labels: Any, *, reduction: str = "mean") -> Any:
    """labels * (log(labels) - logits), reduced; the labels get no gradient."""
    alike("KLDivLoss", logits, labels)
    values = cross_entropies.divergence(logits, labels)
    if reduction == "batchmean":
        if not logits.shape:
            raise ValueError("For 'KLDivLoss', the reduction 'batchmean' needs a dimension of examples.")
        return reduce_sum(values) / float(logits.shape[0])
    return reduced("KLDivLoss", values, reduction)


def gaussian_nll_loss(x: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6,
                      reduction: str = "mean") -> Any:
    """(log(v) + (x - target)^2 / v) / 2 for v = max(var, eps), plus log(2 pi) / 2 if `full`."""
    owner = "gaussian_nll_loss"
    check.number(owner, "eps", eps, 0.0, open_low=True)
    v = maximum(tensor(owner, "var", var), eps)
    d = tensor(owner, "x", x) - target
    values = (log(v) + d * d / v) * 0.5
    if check.boolean(owner, "full", full):
        values = values + 0.5 * math.log(2 * math.pi)
    return reduced(owner, values, reduction)


def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: float = 0.0,
                        reduction: str = "mean") -> Any:
    """max(0, margin - target * (input1 - input2)), reduced."""
    owner = "margin_ranking_loss"
    check.number(owner, "margin", margin)
    d = tensor(owner, "input1", input1) - tensor(owner, "input2", input2)
    return reduced(owner, piecewise.relu(-tensor(owner, "target", target) * d + margin), reduction)


def hinge_embedding_loss(inputs: Any, targets: Any, margin: float = 1.0, reduction: str = "mean") -> Any:
    """`inputs` where the target is 1, max(0, margin - inputs) where it is -1, reduced."""
    owner = "hinge_embedding_loss"
    check.number(owner, "margin", margin)
    x, y = tensor(owner, "inputs", inputs), tensor(owner, "targets", targets)
    values = (select(equal(y, 1), x, ones_like(x) * 0.0)
              + select(equal(y, -1), piecewise.relu(margin - x), ones_like(x) * 0.0))
    return reduced(owner, values, reduction)


def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: float = 0.0,
                          reduction: str = "mean") -> Any:
    """1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it is -1, reduced."""
    owner = "cosine_embedding_loss"
    check.number(owner, "margin", margin, -1.0, 1.0)
    x, y = tensor(owner, "input1", input1), tensor(owner, "input2", input2)
    axis = (1 if x.ndim > 1 else 0,)
    xy, xx, yy = [reduce_sum(p, axis=axis) for p in (x * y, x * x, y * y)]
    cosine = xy / sqrt((xx + 1e-12) * (yy + 1e-12))
    zero = ones_like(cosine) * 0.0
    values = (select(equal(target, 1), 1.0 - cosine, zero)
              + select(equal(target, -1), piecewise.relu(cosine - margin), zero))
    return reduced(owner, values, reduction)


def multi_margin_loss(input: Any, target: Any, p: int = 1, margin: float = 1, weight: Any = None,
                      reduction: str = "mean") -> Any:
    """sum over i != y of max(0, margin - input[y] + input[i])^p / C per row, reduced."""
    return _multi_margin(tensor("multi_margin_loss", "input", input), target, weight, p=p, margin=margin,
                         reduction=reduction)


@composed("MultiMarginLoss(p=1, margin=1.0, reduction='mean')(x, target, weight=None)")
def _multi_margin(x: Any, target: Any, weight: Any = None, *, p: int = 1, margin: float = 1.0,
                  reduction: str = "mean") -> Any:
    """sum over i != y of max(0, margin - x[y] + x[i])^p / C per row, reduced."""
    reduction_of("MultiMarginLoss", reduction)
    return loss.multi_margin(x, target, weight, p=p, margin=float(margin), reduction=reduction)


def multilabel_margin_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """The margin loss for rows of label indices that end at the first -1, reduced."""
    return _multilabel_margin(tensor("multilabel_margin_loss", "input", input), target,
                              reduction=reduction)[0]


@composed("MultilabelMarginLoss(reduction='mean')(x, target)")
def _multilabel_margin(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The margin loss for rows of label indices that end at the first -1; and which classes they name."""
    return loss.multilabel_margin(x, target, reduction=reduction_of("MultilabelMarginLoss", reduction))


def triplet_margin_loss(anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: int = 2,
                        eps: float = 1e-6, swap: bool = False, reduction: str = "mean") -> Any:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) for the p-norm d, reduced."""
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


__all__ = ["cosine_embedding_loss", "gaussian_nll_loss", "hinge_embedding_loss", "huber_loss", "kl_div",
           "l1_loss", "margin_ranking_loss", "mse_loss", "mse_loss_ext", "multi_margin_loss",
           "multilabel_margin_loss", "smooth_l1_loss", "triplet_margin_loss"]
