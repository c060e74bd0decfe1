"""Losses of probabilities and of their logits: cross entropies, negative log likelihood."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.eager.automatic import computed_as
from mindspore.operators import activation, softmaxes
from mindspore.operators import cross_entropy as cross_entropies
from mindspore.operators.comparison import not_equal
from mindspore.operators.reduction import reduce_mean, reduce_sum
from mindspore.operators.structure import cast, full, ones_like, stop_gradient

from .arguments import tensor
from .nn_loss import alike, in_common, reduced, reduction_of
from .primitive import composed


def cross_entropy(input: Any, target: Any, weight: Any = None, ignore_index: int = -100,
                  reduction: str = "mean", label_smoothing: float = 0.0) -> Any:
    """Cross entropy of softmax(input) (N, C, *) with class indices (N, *) or probabilities (N, C, *).

    Args:
        input: Scores, a floating-point tensor (N, C, *) or (C,).
        target: Class indices (N, *), or probabilities of the shape of `input`.
        weight: The weights of the classes (C,), or None.
        ignore_index: The class index that does not count.
        reduction: "mean" (over the weights, for indices), "sum" or "none".
        label_smoothing: How much of the target is spread over all classes, a float in [0, 1].

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor, or `label_smoothing` no float.
        ValueError: If `reduction` is another one.

    Examples:
        >>> round(ops.cross_entropy(Tensor([[0.0, 0.0]]), Tensor([1])).item(), 3)
        0.693
    """
    owner = "cross_entropy"
    x, target = tensor(owner, "input", input), tensor(owner, "target", target)
    reduction_of(owner, reduction)
    if not x.ndim:
        raise ValueError(f"For '{owner}', the input must have a dimension for the classes, but got {show(x)}.")
    check.floating(owner, "label_smoothing", label_smoothing)
    check.integer(owner, "ignore_index", ignore_index)
    if target.dtype.is_floating:
        return _cross_entropy_of_distributions(owner, x, target, weight, reduction, label_smoothing)
    if x.ndim == 2 and weight is None and not label_smoothing:
        _indexed(owner, x, target)
        x = computed_as("LogSoftmax", x)
        return cross_entropies.sparse_cross_entropy(x, target, reduction=reduction, ignore_index=ignore_index)[0]
    logp = softmaxes.log_softmax(x, axis=1 if x.ndim > 1 else 0)
    return nll_loss(logp, target, weight, ignore_index, reduction, label_smoothing)


def _indexed(owner: str, x: Any, target: Any) -> None:
    if tuple(target.shape) != (*x.shape[:1], *x.shape[2:]):
        raise ValueError(f"For '{owner}', the target must have the shape of the input (N, C, *) without C, "
                         f"but got {show(target)} and {show(x)}.")


def _cross_entropy_of_distributions(owner: str, x: Any, target: Any, weight: Any, reduction: str,
                                    smoothing: float) -> Any:
    if tuple(x.shape) != tuple(target.shape):
        raise ValueError(f"For '{owner}', probabilities must have the shape of the input, but got "
                         f"{show(target)} and {show(x)}.")
    axis = 1 if x.ndim > 1 else 0
    if smoothing:
        target = target * (1.0 - smoothing) + smoothing / x.shape[axis]
    terms = softmaxes.log_softmax(x, axis=axis) * target
    if weight is not None:
        terms = terms * _along_channel(weight, x.ndim)
    rows = -reduce_sum(terms, axis=(axis,))
    if reduction == "mean":
        return reduce_sum(rows) / float(x.shape[0] * math.prod(x.shape[2:]) if x.ndim > 1 else 1)
    return reduced(owner, rows, reduction)


def _along_channel(weight: Any, rank: int) -> Any:
    return weight.reshape((1, -1, *[1] * (rank - 2))) if rank > 1 else weight


def nll_loss(inputs: Any, target: Any, weight: Any = None, ignore_index: int = -100,
             reduction: str = "mean", label_smoothing: float = 0.0) -> Any:
    """-weight[target] * inputs[target] for log-probabilities (N, C, *), reduced by the weights.

    Args:
        inputs: Log-probabilities, a floating-point tensor (N, C, *) or (C,).
        target: Class indices, a tensor of ints (N, *).
        weight: The weights of the classes (C,), or None.
        ignore_index: The class index that does not count.
        reduction: "mean" (over the weights), "sum" or "none".
        label_smoothing: How much of the target is spread over all classes, in [0, 1].

    Returns:
        A tensor in the common type of `inputs` and `weight`, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor, or `target` holds no integers.
        ValueError: If `reduction` is another one.

    Examples:
        >>> ops.nll_loss(Tensor([[-0.5, -2.0]]), Tensor([1])).item()
        2.0
    """
    owner = "nll_loss"
    logp, target = tensor(owner, "inputs", inputs), tensor(owner, "target", target)
    reduction_of(owner, reduction)
    check.integer(owner, "ignore_index", ignore_index)
    if target.dtype.kind not in "iu":
        raise TypeError(f"For 'nll_loss', the 'target' must hold integers, but got {show(target)}.")
    if logp.ndim == 1 and target.size != 1:
        raise ValueError(f"For 'nll_loss', the 'target' of a vector of log-probabilities must be one index, but got "
                         f"{show(target)}.")
    if logp.ndim == 1:
        rows = nll_loss(logp.expand_dims(0), target.reshape((1,)), weight, ignore_index, reduction,
                        label_smoothing)
        return rows.reshape(()) if reduction == "none" else rows
    _indexed(owner, logp, target)
    if logp.dtype.kind in "iu":
        logp = cast(logp, dtype=float32)
    logp, weight = in_common(logp, weight)
    w = full(shape=(logp.shape[1],), value=1, dtype=logp.dtype) if weight is None else weight
    value, total = cross_entropies.nll_loss(logp, target, w, reduction=reduction, ignore_index=ignore_index)
    if not label_smoothing:
        return value
    uniform = _uniform_part(logp, target, weight, ignore_index, reduction, total)
    return value * (1.0 - label_smoothing) + uniform * (label_smoothing / logp.shape[1])


def _uniform_part(logp: Any, target: Any, weight: Any, ignore_index: int, reduction: str,
                  total: Any) -> Any:
    """The loss of a target that is uniform over the classes, times their number."""
    terms = logp if weight is None else logp * _along_channel(weight, logp.ndim)
    kept = cast(not_equal(target, ignore_index), dtype=logp.dtype)
    rows = -reduce_sum(terms, axis=(1,)) * kept
    if reduction == "none":
        return rows
    return reduce_sum(rows) / total if reduction == "mean" else reduce_sum(rows)


@composed("NLLLoss(reduction='mean', ignore_index=-100)(logits, labels, weight)")
def _nll(logp: Any, labels: Any, weight: Any, *, reduction: str = "mean", ignore_index: int = -100) -> Any:
    """-weight[label] * logp[label], reduced by the weights; and the sum of the weights."""
    return cross_entropies.nll_loss(logp, labels, weight, reduction=reduction, ignore_index=ignore_index)


@composed("SoftmaxCrossEntropyWithLogits()(logits, labels)")
def _softmax_cross_entropy(logits: Any, labels: Any) -> Any:
    """-sum(labels * log(softmax(logits))) per row, and its gradient softmax(logits) - labels."""
    rows, dlogits = cross_entropies.softmax_cross_entropy(logits, labels)
    return rows, stop_gradient(dlogits)


@composed("SparseSoftmaxCrossEntropyWithLogits(is_grad=False)(logits, labels)")
def _sparse(logits: Any, labels: Any, *, is_grad: bool = False) -> Any:
    """The mean cross entropy of softmax(logits) with class indices; its gradient if `is_grad`."""
    check.boolean("SparseSoftmaxCrossEntropyWithLogits", "is_grad", is_grad)
    value, p = cross_entropies.sparse_cross_entropy(logits, labels)
    return cross_entropies.sparse_cross_entropy_grad(ones_like(value), p, labels) if is_grad else value


def binary_cross_entropy(logits: Any, labels: Any, weight: Any = None, reduction: str = "mean") -> Any:
    """-labels * log(p) - (1 - labels) * log(1 - p) for probabilities p, weighted and reduced.

    Args:
        logits: The probabilities p, a floating-point tensor of values in [0, 1].
        labels: Values of its shape, in [0, 1] where they are probabilities.
        weight: A tensor that broadcasts, or None.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> round(ops.binary_cross_entropy(Tensor([0.5, 0.25]), Tensor([1.0, 1.0])).item(), 3)
        1.04
    """
    return _bce(tensor("binary_cross_entropy", "logits", logits),
                tensor("binary_cross_entropy", "labels", labels), weight, reduction=reduction)


@composed("BinaryCrossEntropy(reduction='mean')(logits, labels, weight=None)")
def _bce(p: Any, labels: Any, weight: Any = None, *, reduction: str = "mean") -> Any:
    """-labels * log(p) - (1 - labels) * log(1 - p), weighted and reduced."""
    reduction_of("BinaryCrossEntropy", reduction)
    alike("BinaryCrossEntropy", p, labels)
    values = cross_entropies.cross_entropy_of(p, labels)
    return reduced("BinaryCrossEntropy", values if weight is None else values * weight, reduction)


def binary_cross_entropy_with_logits(input: Any, target: Any, weight: Any = None, pos_weight: Any = None,
                                     reduction: str = "mean") -> Any:
    """`binary_cross_entropy` of sigmoid(input), with extra weights of positive answers.

    Args:
        input: Scores, a floating-point tensor.
        target: Values in [0, 1], of its shape.
        weight: A tensor that broadcasts, or None.
        pos_weight: The weights of positive answers, a tensor that broadcasts, or None.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> round(ops.binary_cross_entropy_with_logits(Tensor([0.0, 0.0]), Tensor([1.0, 0.0])).item(), 3)
        0.693
    """
    owner = "binary_cross_entropy_with_logits"
    return _bce_with_logits(tensor(owner, "input", input), tensor(owner, "target", target), weight,
                            pos_weight, reduction=reduction)


@composed("BCEWithLogitsLoss(reduction='mean')(predict, target, weight=None, posWeight=None)")
def _bce_with_logits(x: Any, target: Any, weight: Any = None, pos_weight: Any = None, *,
                     reduction: str = "mean") -> Any:
    """`BinaryCrossEntropy` of sigmoid(x), with extra weights of positive answers."""
    reduction_of("BCEWithLogitsLoss", reduction)
    alike("BCEWithLogitsLoss", x, target, mixed=True)
    dtype = target.dtype
    x, target = in_common(x, target)
    if pos_weight is None:
        values = cross_entropies.cross_entropy_of_logits(x, target)
    else:
        positive = 1.0 + (pos_weight - 1.0) * target
        values = (1.0 - target) * x - positive * activation.log_sigmoid(x)
    return cast(reduced("BCEWithLogitsLoss", values if weight is None else values * weight, reduction), dtype=dtype)


@composed("SigmoidCrossEntropyWithLogits()(logits, label)")
def _sigmoid_cross_entropy(logits: Any, label: Any) -> Any:
    """The binary cross entropy of sigmoid(logits), element by element; the labels get no gradient.

    max(x, 0) - x * label + log(1 + exp(-|x|)), which does not overflow.

    Inputs: two tensors of one floating type (else TypeError) and one shape (else ValueError).
    Output: that shape and dtype.

    Examples:
        >>> ops.SigmoidCrossEntropyWithLogits()(Tensor([0.0]), Tensor([1.0]))
        Tensor(shape=[1], dtype=Float32, value= [ 6.93147182e-01])
    """
    alike("SigmoidCrossEntropyWithLogits", logits, label)
    return cross_entropies.cross_entropy_of_logits(logits, stop_gradient(label))


def soft_margin_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """log(1 + exp(-target * input)), reduced.

    Args:
        input: A floating-point tensor.
        target: 1 or -1, of its shape.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> round(ops.soft_margin_loss(Tensor([0.0, 0.0]), Tensor([1.0, -1.0])).item(), 3)
        0.693
    """
    return _soft_margin(tensor("soft_margin_loss", "input", input), target, reduction=reduction)


@composed("SoftMarginLoss(reduction='mean')(input, target)")
def _soft_margin(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """log(1 + exp(-target * x)), reduced."""
    return reduced("SoftMarginLoss", -activation.log_sigmoid(target * x), reduction)


def multilabel_soft_margin_loss(input: Any, target: Any, weight: Any = None, reduction: str = "mean") -> Any:
    """The mean over classes of the binary cross entropy of sigmoid(input) (N, C), reduced.

    Args:
        input: Scores, a floating-point tensor (N, C).
        target: 0 or 1 per class, of its shape.
        weight: The weights of the classes (C,), or None.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor, without dimensions if reduced.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> round(ops.multilabel_soft_margin_loss(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]])).item(), 3)
        0.693
    """
    owner = "multilabel_soft_margin_loss"
    x, y = tensor(owner, "input", input), tensor(owner, "target", target)
    y = y if y.dtype.is_differentiable else cast(y, dtype=x.dtype)
    values = -(y * activation.log_sigmoid(x) + (1.0 - y) * activation.log_sigmoid(-x))
    if weight is not None:
        values = values * weight
    return reduced(owner, reduce_mean(values, axis=(x.ndim - 1,)), reduction)


__all__ = ["binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy",
           "multilabel_soft_margin_loss", "nll_loss", "soft_margin_loss"]
