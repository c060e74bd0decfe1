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
from mindspore.operators import loss
from mindspore.operators.powers import abs_, log
from mindspore.operators.reduction import reduce_mean, reduce_sum
from mindspore.operators.rounding import maximum
from mindspore.operators.rules import broadcast
from mindspore.operators.structure import broadcast_to, cast, reshape

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
    if not isinstance(reduction, str) or reduction not in loss.REDUCTIONS:
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


def _real(x: Any, y: Any) -> Any:
    """A tensor of integers or bools in the dtype of the other one, or in float32."""
    if not is_tensor(x) or x.dtype.is_differentiable:
        return x
    return cast(x, dtype=y.dtype if is_tensor(y) and y.dtype.is_differentiable else float32)


def in_common(x: Any, y: Any) -> tuple[Any, Any]:
    """Two tensors of floats or complex numbers in their common dtype."""
    if not (is_tensor(x) and is_tensor(y)) or x.dtype is y.dtype:
        return x, y
    if not (x.dtype.is_differentiable and y.dtype.is_differentiable):
        return x, y
    common = from_torch(torch.promote_types(x.dtype.torch, y.dtype.torch))
    return cast(x, dtype=common), cast(y, dtype=common)


def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """(input - target)^2, reduced.

    Args:
        input, target: Tensors of broadcastable shapes.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> ops.mse_loss(Tensor([1.0, 2.0]), Tensor([3.0, 2.0])).item()
        2.0
    """
    x, y = _pair("mse_loss", *in_common(_real(input, target), _real(target, input)))
    return loss.squared_error(x, y, reduction=reduction_of("mse_loss", reduction))


mse_loss_ext = mse_loss


def l1_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """|input - target|, reduced.

    Args:
        input, target: Tensors of broadcastable shapes.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        ValueError: If `reduction` is another one.

    Examples:
        >>> ops.l1_loss(Tensor([1.0, 2.0]), Tensor([3.0, 2.0])).item()
        1.0
    """
    x, y = _pair("l1_loss", *in_common(input, target))
    return reduced("l1_loss", abs_(x - y), reduction)


def smooth_l1_loss(input: Any, target: Any, beta: float = 1.0, reduction: str = "none") -> Any:
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = input - target, reduced.

    Args:
        input, target: Floating-point tensors of one shape.
        beta: A positive number.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> ops.smooth_l1_loss(Tensor([1.0, 5.0]), Tensor([1.5, 2.0])).tolist()
        [0.125, 2.5]
    """
    return _smooth_l1(tensor("smooth_l1_loss", "input", input), tensor("smooth_l1_loss", "target", target),
                      beta=beta, reduction=reduction)


@composed("SmoothL1Loss(beta=1.0, reduction='none')(prediction, target)")
def _smooth_l1(x: Any, y: Any, *, beta: float = 1.0, reduction: str = "none") -> Any:
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = x - y, reduced."""
    reduction_of("SmoothL1Loss", reduction)
    alike("SmoothL1Loss", x, y, mixed=True)
    x, y = in_common(x, y)
    return reduced("SmoothL1Loss", loss.smooth_l1(x, y, beta=beta), reduction)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    """d^2 / 2 where |d| <= delta, else delta * (|d| - delta / 2), for d = input - target, reduced.

    Args:
        input, target: Tensors of broadcastable shapes.
        reduction: "mean", "sum" or "none".
        delta: A positive number.

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        ValueError: If `reduction` is another one, or `delta` not positive.

    Examples:
        >>> ops.huber_loss(Tensor([1.0, 5.0]), Tensor([1.5, 2.0]), "none").tolist()
        [0.125, 2.5]
    """
    check.number("huber_loss", "delta", delta, 0.0, open_low=True)
    x, y = _pair("huber_loss", *in_common(_real(input, target), _real(target, input)))
    return reduced("huber_loss", loss.smooth_l1(x, y, beta=delta) * delta, reduction)


def kl_div(logits: Any, labels: Any, reduction: str = "mean") -> Any:
    """labels * (log(labels) - logits), reduced; 'batchmean' divides the sum by the first extent.

    Args:
        logits: Log-probabilities, a floating-point tensor.
        labels: Probabilities, of the same shape.
        reduction: "mean", "sum", "batchmean" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> round(ops.kl_div(ops.log(Tensor([0.5, 0.5])), Tensor([1.0, 0.0]), "sum").item(), 3)
        0.693
    """
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
    """(log(v) + (x - target)^2 / v) / 2 for v = max(var, eps), plus log(2 pi) / 2 if `full`.

    Args:
        x: The means, a floating-point tensor.
        target: The values, of its shape.
        var: The variances, a tensor that broadcasts; one that only lacks the last axis holds a number per row.
        full: Whether the constant is added.
        eps: The least variance, a positive number.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        ValueError: If `reduction` is another one, or `eps` not positive.

    Examples:
        >>> ops.gaussian_nll_loss(Tensor([1.0, 2.0]), Tensor([3.0, 2.0]), Tensor([1.0, 1.0])).item()
        1.0
    """
    owner = "gaussian_nll_loss"
    check.number(owner, "eps", eps, 0.0, open_low=True)
    tensor(owner, "x", x)
    tensor(owner, "var", var)
    if var.ndim == x.ndim - 1 and tuple(var.shape) == tuple(x.shape[:-1]):     # also where it would broadcast
        var = reshape(var, shape=(*var.shape, 1))
    v = maximum(var, eps)
    d = x - target
    values = (log(v) + d * d / v) * 0.5
    if check.boolean(owner, "full", full):
        values = values + 0.5 * math.log(2 * math.pi)
    return reduced(owner, values, reduction)


__all__ = [
    "gaussian_nll_loss", "huber_loss", "kl_div", "l1_loss", "mse_loss", "mse_loss_ext", "smooth_l1_loss",
]
