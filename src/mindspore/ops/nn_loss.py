"""Loss functions and primitives of `mindspore.ops`."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.core.tensor import is_tensor
from mindspore.operators import activation, ctc, loss, piecewise, softmaxes
from mindspore.operators import cross_entropy as cross_entropies
from mindspore.operators.comparison import equal, not_equal
from mindspore.operators.masking import select
from mindspore.operators.powers import abs_, log, pow_, sqrt
from mindspore.operators.reduction import reduce_mean, reduce_sum
from mindspore.operators.rounding import maximum, minimum
from mindspore.operators.rules import broadcast
from mindspore.operators.structure import (
    broadcast_to,
    cast,
    full,
    ones_like,
    stop_gradient,
)

from .array import tensor
from .primitive import composed


def reduced(owner: str, values: Any, reduction: Any) -> Any:
    """The values as they are, their mean or their sum."""
    if reduction == "mean":
        return reduce_mean(values)
    if reduction == "sum":
        return reduce_sum(values)
    _reduction(owner, reduction)
    return values


def _reduction(owner: str, reduction: Any) -> str:
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


def _alike(owner: str, x: Any, y: Any) -> None:
    if tuple(x.shape) != tuple(y.shape):
        raise ValueError(f"For '{owner}', both tensors must have the same shape, but got {show(x)} and {show(y)}.")


def _real(x: Any) -> Any:
    """A tensor of integers or bools in float32."""
    return cast(x, dtype=float32) if is_tensor(x) and not x.dtype.is_differentiable else x


# ---------------------------------------------------------------------- distance

def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """(input - target)^2, reduced."""
    x, y = _pair("mse_loss", _real(input), _real(target))
    return loss.squared_error(x, y, reduction=_reduction("mse_loss", reduction))


mse_loss_ext = mse_loss


def l1_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """|input - target|, reduced."""
    x, y = _pair("l1_loss", input, target)
    return reduced("l1_loss", abs_(x - y), reduction)


def smooth_l1_loss(input: Any, target: Any, beta: float = 1.0, reduction: str = "none") -> Any:
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = input - target, reduced."""
    return _smooth_l1(tensor("smooth_l1_loss", "input", input), tensor("smooth_l1_loss", "target", target),
                      beta=beta, reduction=reduction)


@composed("SmoothL1Loss(beta=1.0, reduction='none')(prediction, target)")
def _smooth_l1(x: Any, y: Any, *, beta: float = 1.0, reduction: str = "none") -> Any:
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = x - y, reduced."""
    _reduction("SmoothL1Loss", reduction)
    _alike("SmoothL1Loss", x, y)
    return reduced("SmoothL1Loss", loss.smooth_l1(x, y, beta=beta), reduction)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    """d^2 / 2 where |d| <= delta, else delta * (|d| - delta / 2), for d = input - target, reduced."""
    check.number("huber_loss", "delta", delta, 0.0, open_low=True)
    x, y = _pair("huber_loss", _real(input), _real(target))
    return reduced("huber_loss", loss.smooth_l1(x, y, beta=delta) * delta, reduction)


def kl_div(logits: Any, labels: Any, reduction: str = "mean") -> Any:
    """labels * (log(labels) - logits), reduced; 'batchmean' divides the sum by the first extent."""
    return _kl_div(tensor("kl_div", "logits", logits), tensor("kl_div", "labels", labels),
                   reduction=reduction)


@composed("KLDivLoss(reduction='mean')(logits, labels)")
def _kl_div(logits: Any, labels: Any, *, reduction: str = "mean") -> Any:
    """labels * (log(labels) - logits), reduced; the labels get no gradient."""
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


# ---------------------------------------------------------------------- cross entropy

def cross_entropy(input: Any, target: Any, weight: Any = None, ignore_index: int = -100,
                  reduction: str = "mean", label_smoothing: float = 0.0) -> Any:
    """Cross entropy of softmax(input) (N, C, *) with class indices (N, *) or probabilities (N, C, *)."""
    owner = "cross_entropy"
    x, target = tensor(owner, "input", input), tensor(owner, "target", target)
    _reduction(owner, reduction)
    if target.dtype.is_floating:
        return _cross_entropy_of_distributions(owner, x, target, weight, reduction, label_smoothing)
    check.integer(owner, "ignore_index", ignore_index)
    if x.ndim == 2 and weight is None and not label_smoothing:
        _indexed(owner, x, target)
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
    """-weight[target] * inputs[target] for log-probabilities (N, C, *), reduced by the weights."""
    owner = "nll_loss"
    logp, target = tensor(owner, "inputs", inputs), tensor(owner, "target", target)
    _reduction(owner, reduction)
    check.integer(owner, "ignore_index", ignore_index)
    if target.dtype.kind not in "iu":
        raise TypeError(f"For 'nll_loss', the 'target' must hold integers, but got {show(target)}.")
    if logp.ndim == 1:
        rows = nll_loss(logp.expand_dims(0), target.reshape((1,)), weight, ignore_index, reduction,
                        label_smoothing)
        return rows.reshape(()) if reduction == "none" else rows
    _indexed(owner, logp, target)
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


# ---------------------------------------------------------------------- binary cross entropy

def binary_cross_entropy(logits: Any, labels: Any, weight: Any = None, reduction: str = "mean") -> Any:
    """-labels * log(p) - (1 - labels) * log(1 - p) for probabilities p, weighted and reduced."""
    return _bce(tensor("binary_cross_entropy", "logits", logits),
                tensor("binary_cross_entropy", "labels", labels), weight, reduction=reduction)


@composed("BinaryCrossEntropy(reduction='mean')(logits, labels, weight=None)")
def _bce(p: Any, labels: Any, weight: Any = None, *, reduction: str = "mean") -> Any:
    """-labels * log(p) - (1 - labels) * log(1 - p), weighted and reduced."""
    _reduction("BinaryCrossEntropy", reduction)
    _alike("BinaryCrossEntropy", p, labels)
    values = cross_entropies.cross_entropy_of(p, labels)
    return reduced("BinaryCrossEntropy", values if weight is None else values * weight, reduction)


def binary_cross_entropy_with_logits(input: Any, target: Any, weight: Any = None, pos_weight: Any = None,
                                     reduction: str = "mean") -> Any:
    """`binary_cross_entropy` of sigmoid(input), with extra weights of positive answers."""
    owner = "binary_cross_entropy_with_logits"
    return _bce_with_logits(tensor(owner, "input", input), tensor(owner, "target", target), weight,
                            pos_weight, reduction=reduction)


@composed("BCEWithLogitsLoss(reduction='mean')(predict, target, weight=None, posWeight=None)")
def _bce_with_logits(x: Any, target: Any, weight: Any = None, pos_weight: Any = None, *,
                     reduction: str = "mean") -> Any:
    """`BinaryCrossEntropy` of sigmoid(x), with extra weights of positive answers."""
    _reduction("BCEWithLogitsLoss", reduction)
    if pos_weight is None:
        values = cross_entropies.cross_entropy_of_logits(x, target)
    else:
        positive = 1.0 + (pos_weight - 1.0) * target
        values = (1.0 - target) * x - positive * activation.log_sigmoid(x)
    return reduced("BCEWithLogitsLoss", values if weight is None else values * weight, reduction)


@composed("SigmoidCrossEntropyWithLogits()(logits, label)")
def _sigmoid_cross_entropy(logits: Any, label: Any) -> Any:
    """The binary cross entropy of sigmoid(logits), element by element; the labels get no gradient."""
    return cross_entropies.cross_entropy_of_logits(logits, stop_gradient(label))


def soft_margin_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """log(1 + exp(-target * input)), reduced."""
    return _soft_margin(tensor("soft_margin_loss", "input", input), target, reduction=reduction)


@composed("SoftMarginLoss(reduction='mean')(input, target)")
def _soft_margin(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """log(1 + exp(-target * x)), reduced."""
    return reduced("SoftMarginLoss", -activation.log_sigmoid(target * x), reduction)


def multilabel_soft_margin_loss(input: Any, target: Any, weight: Any = None, reduction: str = "mean") -> Any:
    """The mean over classes of the binary cross entropy of sigmoid(input) (N, C), reduced."""
    owner = "multilabel_soft_margin_loss"
    x, y = tensor(owner, "input", input), tensor(owner, "target", target)
    values = -(y * activation.log_sigmoid(x) + (1.0 - y) * activation.log_sigmoid(-x))
    if weight is not None:
        values = values * weight
    return reduced(owner, reduce_mean(values, axis=(x.ndim - 1,)), reduction)


# ---------------------------------------------------------------------- margins

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
    _reduction("MultiMarginLoss", reduction)
    return loss.multi_margin(x, target, weight, p=p, margin=float(margin), reduction=reduction)


def multilabel_margin_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """The margin loss for rows of label indices that end at the first -1, reduced."""
    return _multilabel_margin(tensor("multilabel_margin_loss", "input", input), target,
                              reduction=reduction)[0]


@composed("MultilabelMarginLoss(reduction='mean')(x, target)")
def _multilabel_margin(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The margin loss for rows of label indices that end at the first -1; and which classes they name."""
    return loss.multilabel_margin(x, target, reduction=_reduction("MultilabelMarginLoss", reduction))


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


# ---------------------------------------------------------------------- connectionist classification

def ctc_loss(log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int = 0,
             reduction: str = "mean", zero_infinity: bool = False) -> Any:
    """-log of the probability of label sequences (N, S), reduced; and the forward variables."""
    owner = "ctc_loss"
    _reduction(owner, reduction)
    x = tensor(owner, "log_probs", log_probs)
    check.boolean(owner, "zero_infinity", zero_infinity)
    rows, alpha = ctc.ctc_loss(x, targets, input_lengths, target_lengths,
                                blank=check.integer(owner, "blank", blank), zero_infinity=zero_infinity)
    if reduction == "mean":
        return reduce_mean(rows / maximum(cast(target_lengths, dtype=x.dtype), 1.0)), alpha
    return reduced(owner, rows, reduction), alpha


@composed("CTCLossV2(blank=0, reduction='none', zero_infinity=False)"
          "(log_probs, targets, input_lengths, target_lengths)")
def _ctc_loss_v2(log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, *, blank: int = 0,
                 reduction: str = "none", zero_infinity: bool = False) -> Any:
    """-log of the probability of label sequences (N, S); and the forward variables."""
    return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


@composed("CTCLoss(preprocess_collapse_repeated=False, ctc_merge_repeated=True, "
          "ignore_longer_outputs_than_inputs=False)(x, labels_indices, labels_values, sequence_length)")
def _ctc_loss(x: Any, indices: Any, values: Any, lengths: Any, *, preprocess_collapse_repeated: bool = False,
              ctc_merge_repeated: bool = True, ignore_longer_outputs_than_inputs: bool = False) -> Any:
    """-log of the probability of sparse label sequences under softmax(x), and its gradient.

    `x` is (T, N, C) with the blank as the last class.
    """
    owner = "CTCLoss"
    if preprocess_collapse_repeated or not ctc_merge_repeated:
        raise ValueError(f"For '{owner}', 'preprocess_collapse_repeated' must be False and "
                         "'ctc_merge_repeated' True; collapse repeated labels before the call.")
    check.boolean(owner, "ignore_longer_outputs_than_inputs", ignore_longer_outputs_than_inputs)
    if tensor(owner, "x", x).ndim != 3:
        raise ValueError(f"For '{owner}', the input must be (T, N, C), but got {show(x)}.")
    labels, counts = ctc.ctc_labels(indices, values, rows=x.shape[1], width=x.shape[0])
    logp = softmaxes.log_softmax(x, axis=2)
    attrs = {"blank": x.shape[2] - 1, "zero_infinity": ignore_longer_outputs_than_inputs}
    rows, alpha = ctc.ctc_loss(logp, labels, lengths, counts, **attrs)
    dlogp = ctc.ctc_loss_grad(ones_like(rows), logp, labels, lengths, counts, rows, alpha, **attrs)
    return rows, stop_gradient(softmaxes.log_softmax_grad(dlogp, logp, axis=2))


def ctc_greedy_decoder(inputs: Any, sequence_length: Any, merge_repeated: bool = True) -> Any:
    """The most probable class of every step of (T, N, C), without blanks and repetitions.

    Returns the sparse sequences (indices, values, shape) and the sum of -max(inputs) per sequence.
    """
    return _ctc_greedy_decoder(tensor("ctc_greedy_decoder", "inputs", inputs), sequence_length,
                               merge_repeated=merge_repeated)


@composed("CTCGreedyDecoder(merge_repeated=True)(inputs, sequence_length)")
def _ctc_greedy_decoder(inputs: Any, sequence_length: Any, *, merge_repeated: bool = True) -> Any:
    """The most probable class of every step of (T, N, C), without blanks and repetitions."""
    check.boolean("CTCGreedyDecoder", "merge_repeated", merge_repeated)
    return ctc.ctc_greedy_decoder(inputs, sequence_length, merge_repeated=merge_repeated)


__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss", "cross_entropy",
    "ctc_greedy_decoder", "ctc_loss", "gaussian_nll_loss", "hinge_embedding_loss", "huber_loss", "kl_div",
    "l1_loss", "margin_ranking_loss", "mse_loss", "mse_loss_ext", "multi_margin_loss", "multilabel_margin_loss",
    "multilabel_soft_margin_loss", "nll_loss", "smooth_l1_loss", "soft_margin_loss", "triplet_margin_loss",
]
