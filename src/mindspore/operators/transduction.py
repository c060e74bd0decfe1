"""The loss of sequences that are emitted along other ones without alignment, Graves 2012."""
from __future__ import annotations

import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.ir import Aval

from .labels import whole
from .registry import operator
from .structure import reshape
from .values import Value


@operator(primitive="RNNTLoss(blank_label=0)(acts, labels, input_lengths, label_lengths)", samples=[],
          dims=whole("the states of an alignment follow each other"))
def rnnt_loss(acts: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor, *, blank_label: int = 0):
    """-log of the probability of each label sequence, and its derivative by the scores.

    `acts` (B, T, U + 1, V) are the logarithms of probabilities of all labels at time t after u labels; `labels` (B, U).
    """
    with torch.enable_grad():
        scores = acts.detach().float().requires_grad_(True)
        costs = torch.stack([_cost(scores[b], labels[b], int(t), int(u), blank_label)
                             for b, (t, u) in enumerate(zip(input_lengths, label_lengths, strict=True))])
        grads, = torch.autograd.grad(costs.sum(), scores)
    return costs.detach().to(acts.dtype), grads.to(acts.dtype)


def _cost(scores: Tensor, labels: Tensor, times: int, count: int, blank: int) -> Tensor:
    """By the forward variables, anti-diagonal by anti-diagonal in the order of u."""
    row = [scores.new_zeros(())]
    for u in range(count):
        row.append(row[u] + scores[0, u, int(labels[u])])
    for t in range(1, times):
        new = [row[0] + scores[t - 1, 0, blank]]
        for u in range(1, count + 1):
            stay = row[u] + scores[t - 1, u, blank]
            new.append(torch.logaddexp(stay, new[u - 1] + scores[t, u - 1, int(labels[u - 1])]))
        row = new
    return -(row[count] + scores[times - 1, count, blank])


@rnnt_loss.shape
def _(acts: Aval, labels: Aval, input_lengths: Aval, label_lengths: Aval, *,
      blank_label: int = 0) -> tuple[Aval, Aval]:
    if len(acts.shape) != 4 or len(labels.shape) != 2 or acts.shape[2] != labels.shape[1] + 1:
        raise ValueError(f"For 'RNNTLoss', 'acts' must be (B, T, U + 1, V) and 'labels' (B, U), but got {show(acts)} "
                         f"and {show(labels)}.")
    if acts.dtype.kind != "f":
        raise TypeError(f"For 'RNNTLoss', 'acts' must be floats, but got {show(acts)}.")
    return Aval(acts.shape[:1], acts.dtype), acts


@rnnt_loss.grad(needs="out")
def _(out: tuple[Value, ...], dout: tuple[Value, ...], *, blank_label: int = 0):
    scale = reshape(dout[0], shape=(-1, 1, 1, 1))
    return scale * out[1], None, None, None
