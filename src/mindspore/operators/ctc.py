"""Connectionist temporal classification: its loss and its greedy decoder."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import int64
from mindspore.core.errors import show
from mindspore.ir import Aval

from . import torch_private
from .indexing import unknown_extent
from .labels import whole
from .registry import operator
from .rules import floating, in_single
from .structure import expand_dims
from .torch_private import as_list
from .values import Value

_forward = in_single(torch_private.ctc_loss)
_backward = in_single(torch.ops.aten._ctc_loss_backward.default)


@operator(hidden=True, samples=[], dims=whole("what its reverse needs is as long as the longest labels of all samples"))
def ctc_loss(logp: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor, *, blank: int = 0,
             zero_infinity: bool = False):
    """-log of the probability of the labels under `logp` (T, N, C), and the forward variables.

    Graves et al. 2006.
    """
    loss, alpha = _forward(logp, labels.long(), input_lengths.long(), label_lengths.long(), blank, zero_infinity)
    places = torch.arange(2 * labels.shape[1] + 1, device=alpha.device)         # torch's end with the longest labels
    alpha = torch.nn.functional.pad(alpha, (0, len(places) - alpha.shape[2]))
    return loss, alpha.masked_fill_((places > 2 * label_lengths[:, None])[:, None], -torch.inf)


@ctc_loss.shape
def _(logp: Aval, labels: Aval, input_lengths: Aval, label_lengths: Aval, *, blank: int = 0,
      zero_infinity: bool = False):
    floating("CTCLoss")(logp)
    if len(logp.shape) != 3 or len(labels.shape) != 2:
        raise ValueError(f"For 'CTCLoss', the probabilities must be (T, N, C) and the labels (N, S), but "
                         f"got {show(logp)} and {show(labels)}.")
    t, n, c = logp.shape
    if not 0 <= blank < c:
        raise ValueError(f"For 'CTCLoss', the 'blank' must be in [0, {c}), but got {blank}.")
    return Aval((n,), logp.dtype), Aval((n, t, 2 * labels.shape[1] + 1), logp.dtype)


@ctc_loss.grad(needs="logp labels input_lengths label_lengths out")
def _(logp: Value, labels: Value, input_lengths: Value, label_lengths: Value, out: tuple[Value, ...],
      dout: tuple[Value | None, ...], **attrs: Any):
    """The forward variables are not differentiated."""
    if dout[0] is None:
        return None, None, None, None
    return (lambda: ctc_loss_grad(dout[0], logp, labels, input_lengths, label_lengths, *out, **attrs),
            None, None, None)


@operator(hidden=True, samples=[], dims=whole("what it needs is as long as the longest labels of all samples"))
def ctc_loss_grad(dout: Tensor, logp: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor,
                  loss: Tensor, alpha: Tensor, *, blank: int = 0, zero_infinity: bool = False):
    """The cotangent of the log probabilities; it has no derivative of its own."""
    counts = as_list(label_lengths.long())
    alpha = alpha[..., :2 * max(counts, default=0) + 1].contiguous()
    return _backward(dout, logp, labels.long(), as_list(input_lengths.long()), counts, loss, alpha, blank,
                     zero_infinity)


@ctc_loss_grad.shape
def _(dout: Aval, logp: Aval, *_: Any, **__: Any) -> Aval:
    return logp


@operator(hidden=True, samples=[], dims=whole("the labels of a row lie anywhere among the values"))
def ctc_labels(indices: Tensor, values: Tensor, *, rows: int, width: int, collapse: bool = False):
    """The sparse labels (row and column, value) as a dense matrix, and the length of each row.

    With `collapse`, of equal labels that follow each other only the first is kept.
    """
    dense = torch.zeros((rows, width), dtype=torch.int64, device=values.device)
    dense[indices[:, 0].long(), indices[:, 1].long()] = values.long()
    lengths = torch.zeros(rows, dtype=torch.int64, device=values.device)
    lengths.scatter_reduce_(0, indices[:, 0].long(), indices[:, 1].long() + 1, "amax")
    return _collapsed(dense, lengths) if collapse else (dense, lengths)


def _collapsed(dense: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    places = torch.arange(dense.shape[1], device=dense.device)
    kept = (places < lengths[:, None]) & ((places == 0) | (dense != dense.roll(1, 1)))
    return torch.zeros_like(dense).scatter_add_(1, (kept.cumsum(1) - 1).clamp(0), dense * kept), kept.sum(1)


@ctc_labels.shape
def _(indices: Aval, values: Aval, *, rows: int, width: int, collapse: bool = False):
    return Aval((rows, width), int64), Aval((rows,), int64)


@operator(hidden=True, samples=[], dims=whole("labels and times of a row depend on each other"))
def ctc_unmerged(logp: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor, *, blank: int = 0):
    """-log of the probability of the labels where a label that is said twice counts twice; and its derivative.

    As the sum over all paths of Graves et al. 2006, but that no path stays at a label: rows of (N,) and (T, N, C).
    """
    wide = logp if logp.dtype is torch.float64 else logp.float()
    steps, samples, width = len(wide), len(labels), 2 * labels.shape[1] + 1
    states = torch.full((samples, width), blank, device=labels.device)
    states[:, 1::2] = labels
    lengths, ends = input_lengths.long(), 2 * label_lengths.long() + 1
    time, every, place = [torch.arange(n, device=logp.device) for n in (steps, samples, width)]
    said = wide.gather(2, states.expand(steps, -1, -1))
    forward = _paths(said, ends, states == blank)
    last = forward[(lengths - 1).clamp(0), every]
    is_last = (place < ends[:, None]) & (place >= ends[:, None] - 2)         # a path ends in one of two states
    rows = torch.logsumexp(last.masked_fill(~is_last, -torch.inf), 1)
    times, places = [torch.where(p < n, n - 1 - p, p) for p, n in ((time[:, None], lengths), (place, ends[:, None]))]
    turn = times[:, :, None], every[None, :, None], places
    back = _paths(said[turn], ends, states.gather(1, places) == blank)[turn]
    share = torch.exp(forward + back - said - rows[:, None]).nan_to_num(0, 0, 0)      # no path: -inf less -inf
    share = share.masked_fill(time[:, None, None] >= lengths[:, None], 0)
    derivative = torch.zeros_like(wide).scatter_add_(2, states.expand(steps, -1, -1), -share)
    return -rows.to(logp.dtype), derivative.to(logp.dtype)


def _paths(said: Tensor, ends: Tensor, may_stay: Tensor) -> Tensor:
    """log of the sum over the paths that are in a state (T, N, S) at a time, with what is said there."""
    place = torch.arange(said.shape[2], device=said.device)
    beyond = place >= ends[:, None]
    now = said[0].masked_fill((place > 1) | beyond, -torch.inf)
    found = [now]
    for here in said[1:]:
        before = [torch.nn.functional.pad(now, (k, 0), value=-torch.inf)[:, :now.shape[1]] for k in range(3)]
        before[0] = before[0].masked_fill(~may_stay, -torch.inf)
        before[2] = before[2].masked_fill(may_stay, -torch.inf)       # a blank is not left out between labels
        now = (torch.logsumexp(torch.stack(before), 0) + here).masked_fill(beyond, -torch.inf)
        found.append(now)
    return torch.stack(found)


@ctc_unmerged.shape
def _(logp: Aval, labels: Aval, input_lengths: Aval, label_lengths: Aval, *, blank: int = 0):
    loss, _ = ctc_loss.infer(logp, labels, input_lengths, label_lengths, blank=blank)
    return loss, logp


@ctc_unmerged.grad(needs="out")
def _(out: tuple[Value, ...], dout: tuple[Value | None, ...], **attrs: Any):
    """The derivative is not differentiated again."""
    if dout[0] is None:
        return None, None, None, None
    return lambda: expand_dims(dout[0], axis=1) * out[1], None, None, None


@operator(hidden=True, samples=[], dims=whole("how many classes are decoded is known only at run time"))
def ctc_greedy_decoder(inputs: Tensor, lengths: Tensor, *, merge_repeated: bool = True):
    """The most probable classes of (T, N, C) without blanks (the last class) and repetitions.

    As (indices, values, shape) of a sparse matrix, and the sum of -max(inputs) per sequence.
    """
    steps, rows, classes = inputs.shape
    best, chosen = inputs.max(2)
    valid = torch.arange(steps, device=inputs.device)[:, None] < lengths
    kept = valid & (chosen != classes - 1)
    if merge_repeated:
        kept[1:] &= chosen[1:] != chosen[:-1]
    kept, chosen = kept.t(), chosen.t()
    row, _ = kept.nonzero(as_tuple=True)
    column = (kept.cumsum(1) - 1)[kept]
    width = kept.sum(1).max() if rows else torch.zeros((), dtype=torch.int64)
    shape = torch.stack([torch.tensor(rows, device=inputs.device), width.to(inputs.device)])
    score = -(best * valid).sum(0).unsqueeze(1)
    return torch.stack([row, column], 1), chosen[kept], shape, score


@ctc_greedy_decoder.shape
def _(inputs: Aval, lengths: Aval, *, merge_repeated: bool = True):
    raise unknown_extent("CTCGreedyDecoder")


@ctc_greedy_decoder.dynamic_shape
def _(inputs: Aval, lengths: Aval, *, merge_repeated: bool = True) -> list[tuple[Any, ...]]:
    return [("labels", 2), ("labels",), (2,), (inputs.shape[1], 1)]
