"""Connectionist temporal classification: losses and greedy decoding."""
from __future__ import annotations

from math import inf
from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.operators import comparison, ctc, softmaxes
from mindspore.operators.reduction import reduce_mean
from mindspore.operators.registry import REGISTRY
from mindspore.operators.rounding import maximum
from mindspore.operators.structure import cast, ones_like, stop_gradient

from .arguments import tensor
from .nn_loss import reduced, reduction_of
from .primitive import composed


def ctc_loss(log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int = 0,
             reduction: str = "mean", zero_infinity: bool = False) -> Any:
    """-log of the probability of label sequences, reduced; and the forward variables.  Graves et al. 2006.

    Args:
        log_probs: Log-probabilities, a floating-point tensor (T, N, C).
        targets: The labels, a tensor of ints (N, S).
        input_lengths, target_lengths: The lengths of each example, (N,).
        blank: The class that represents no label.
        reduction: "mean" (each loss over its target's length), "sum" or "none".
        zero_infinity: Whether infinite losses count as 0.

    Returns:
        The loss, and the forward variables (N, T, 2 S + 1).

    Raises:
        TypeError: If `log_probs` is no tensor.
        ValueError: If `reduction` is another one.

    Examples:
        >>> logp = ops.log(ops.full((1, 1, 2), 0.5))
        >>> loss, alpha = ops.ctc_loss(logp, Tensor([[1]]), Tensor([1]), Tensor([1]))
        >>> round(loss.item(), 3)
        0.693
    """
    owner = "ctc_loss"
    reduction_of(owner, reduction)
    x = tensor(owner, "log_probs", log_probs)
    check.boolean(owner, "zero_infinity", zero_infinity)
    rows, alpha = ctc.ctc_loss(x, targets, input_lengths, target_lengths,
                               blank=check.integer(owner, "blank", blank), zero_infinity=zero_infinity)
    rows = _finite(rows) if zero_infinity else rows
    if reduction == "mean":
        return reduce_mean(rows / maximum(cast(target_lengths, dtype=x.dtype), 1.0)), alpha
    return reduced(owner, rows, reduction), alpha


def _finite(rows: Any) -> Any:
    """Losses, 0 where no path gives the labels; the kernel has zeros for the gradient only."""
    return REGISTRY["Select"](comparison.equal(rows, inf), 0.0, rows)


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
    check.boolean(owner, "ignore_longer_outputs_than_inputs", ignore_longer_outputs_than_inputs)
    if tensor(owner, "x", x).ndim != 3:
        raise ValueError(f"For '{owner}', the input must be (T, N, C), but got {show(x)}.")
    labels, counts = ctc.ctc_labels(indices, values, rows=x.shape[1], width=x.shape[0],
                                    collapse=preprocess_collapse_repeated)
    logp = softmaxes.log_softmax(x, axis=2)
    if ctc_merge_repeated:
        attrs = {"blank": x.shape[2] - 1, "zero_infinity": ignore_longer_outputs_than_inputs}
        rows, alpha = ctc.ctc_loss(logp, labels, lengths, counts, **attrs)
        dlogp = ctc.ctc_loss_grad(ones_like(rows), logp, labels, lengths, counts, rows, alpha, **attrs)
    else:
        rows, dlogp = ctc.ctc_unmerged(logp, labels, lengths, counts, blank=x.shape[2] - 1)
    rows = _finite(rows) if ignore_longer_outputs_than_inputs else rows
    return rows, stop_gradient(softmaxes.log_softmax_grad(dlogp, logp, axis=2))


def ctc_greedy_decoder(inputs: Any, sequence_length: Any, merge_repeated: bool = True) -> Any:
    """The most probable class of every step, without blanks (the last class) and repetitions.

    Args:
        inputs: Scores, a floating-point tensor (T, N, C).
        sequence_length: The lengths of each example, a tensor of int32 (N,).
        merge_repeated: Whether repetitions that follow each other are dropped.

    Returns:
        The sparse sequences (indices, values, shape), and the sum of -max(inputs) per sequence (N, 1).

    Raises:
        TypeError: If `inputs` is no tensor.

    Examples:
        >>> x = Tensor([[[0.75, 0.25, 0.0]], [[0.0, 0.5, 0.25]]])
        >>> indices, values, shape, score = ops.ctc_greedy_decoder(x, Tensor([2], mindspore.int32))
        >>> values.tolist(), score.tolist()
        ([0, 1], [[-1.25]])
    """
    return _ctc_greedy_decoder(tensor("ctc_greedy_decoder", "inputs", inputs), sequence_length,
                               merge_repeated=merge_repeated)


@composed("CTCGreedyDecoder(merge_repeated=True)(inputs, sequence_length)")
def _ctc_greedy_decoder(inputs: Any, sequence_length: Any, *, merge_repeated: bool = True) -> Any:
    """The most probable class of every step of (T, N, C), without blanks and repetitions."""
    check.boolean("CTCGreedyDecoder", "merge_repeated", merge_repeated)
    return ctc.ctc_greedy_decoder(inputs, sequence_length, merge_repeated=merge_repeated)


__all__ = ["ctc_greedy_decoder", "ctc_loss"]
