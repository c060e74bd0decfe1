"""What only the rules `across` need: labels and indices of which a device has a range."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import float32, int64
from mindspore.ir import Aval

from .indexing import checked, counted, gather
from .labels import rank_of
from .registry import operator
from .samples import index


@operator(hidden=True, samples=[((4, 3), index(5, 4), {"start": 2, "classes": 5, "ignored": None}),
                                ((2, 3), index(5, 2), {"start": 0, "classes": 5, "ignored": 1})], dims="n c!, n -> n")
def at_label(x: Tensor, labels: Tensor, *, start: int, classes: int, ignored: Any):
    """The element of each row at its label; 0 if it is in another piece, or the label is ignored.

    `x` has the columns from `start` on of so many `classes`.
    """
    place, here = _here(labels, start, x.shape[1], classes, ignored)
    return torch.where(here, x.gather(1, place.unsqueeze(1)).squeeze(1), 0.0)


@at_label.shape
def _(x: Aval, labels: Aval, *, start: int, classes: int, ignored: Any) -> Aval:
    return Aval(x.shape[:1], x.dtype)


@operator(hidden=True, samples=[((4, 3), index(5, 4), (), {"start": 2, "classes": 5, "ignored": None}),
                                ((2, 3), index(5, 2), (2, 1), {"start": 0, "classes": 5, "ignored": 1})],
          dims=lambda logp, labels, share, start, classes, ignored: (
              f"n c!, n, {'n 1' if rank_of(share) else ''} -> n c!"))
def less_label(logp: Tensor, labels: Tensor, share: Tensor, *, start: int, classes: int, ignored: Any):
    """exp(logp) less 1 at the label of each row, if it is in this piece, times `share`; zeros where it is ignored."""
    place, here = _here(labels, start, logp.shape[1], classes, ignored)
    found = logp.exp()
    found.scatter_add_(1, place.unsqueeze(1), -here.to(logp.dtype).unsqueeze(1)).mul_(share)
    return found if ignored is None else found.masked_fill_((labels == ignored).unsqueeze(1), 0.0)


@less_label.shape
def _(logp: Aval, labels: Aval, share: Aval, *, start: int, classes: int, ignored: Any) -> Aval:
    return logp


@operator(hidden=True, samples=[((3,), index(5, 4), {"start": 2, "classes": 5, "ignored": None}),
                                ((3,), index(5, 4), {"start": 0, "classes": 5, "ignored": 1})], dims="c!, n -> n")
def weight_at(weight: Tensor, labels: Tensor, *, start: int, classes: int, ignored: Any):
    """The weight of each label; 0 if it is in another piece, or the label is ignored.

    `weight` has the elements from `start` on of so many `classes`.
    """
    place, here = _here(labels, start, len(weight), classes, ignored)
    return torch.where(here, weight[place], 0.0)


@weight_at.shape
def _(weight: Aval, labels: Aval, *, start: int, classes: int, ignored: Any) -> Aval:
    return Aval(labels.shape, weight.dtype)


@operator(hidden=True, samples=[((), index(5, 4), (3,), {"start": 2, "classes": 5, "ignored": None}),
                                ((4,), index(5, 4), (3,), {"start": 0, "classes": 5, "ignored": 1})],
          dims=lambda share, labels, weight, start, classes, ignored: (
              f"{'n' if rank_of(share) else ''}, n, c! -> n c!"))
def weights_placed(share: Tensor, labels: Tensor, weight: Tensor, *, start: int, classes: int, ignored: Any):
    """A row for each label: zeros, but `share` times the label's weight at the label, if it is in this piece."""
    place, here = _here(labels, start, len(weight), classes, ignored)
    found = torch.where(here, weight[place], 0.0) * share
    return found.new_zeros(len(labels), len(weight)).scatter_(1, place.unsqueeze(1), found.unsqueeze(1))


@weights_placed.shape
def _(share: Aval, labels: Aval, weight: Aval, *, start: int, classes: int, ignored: Any) -> Aval:
    return Aval((*labels.shape, *weight.shape), weight.dtype)


def _here(labels: Tensor, start: int, length: int, classes: int, ignored: Any) -> tuple[Tensor, Tensor]:
    """The columns of the labels among those of a piece, and which are there."""
    labels = labels.long()
    wrong = (labels < 0) | (labels >= classes)
    here = (labels >= start) & (labels < start + length)
    if ignored is not None:
        wrong &= labels != ignored
        here &= labels != ignored
    if not wrong.is_meta and bool(wrong.any()):
        raise IndexError(f"Target {labels[wrong][0].item()} is out of bounds.")
    return torch.where(here, labels - start, 0), here


@operator(hidden=True, samples=[(index(5, 4), {"ignored": 1})], dims="n -> sum:n")
def counting(labels: Tensor, *, ignored: int):
    """How many labels are not ignored, as a float."""
    return (labels != ignored).sum().to(torch.float32)


@counting.shape
def _(labels: Aval, *, ignored: int) -> Aval:
    return Aval((), float32)


@operator(hidden=True, samples=[(index(5, 4, 2), {"start": 2, "length": 2, "extent": 5})], dims="... -> ...")
def places_here(indices: Tensor, *, start: int, length: int, extent: int, negative: bool = True):
    """Where in the rows from `start` on indices point; -1 for those that point elsewhere.

    Negative ones count from the end, if they count.
    """
    line = checked(indices, extent) if negative else counted(indices)
    return torch.where((line >= start) & (line < start + length), line - start, -1)


@places_here.shape
def _(indices: Aval, *, start: int, length: int, extent: int, negative: bool = True) -> Aval:
    return Aval(indices.shape, int64)


@operator(hidden=True, samples=[((4, 3), index(4, 2, 2), {"axis": 0})],
          dims=lambda x, places, axis: gather.layout_rule(x, places, axis=axis, batch_dims=0))
def rows_here(x: Tensor, places: Tensor, *, axis: int):
    """`Gather`, with zeros for the place -1."""
    found = torch.index_select(x, axis, places.clamp(min=0).reshape(-1))
    gone = (places < 0).reshape(-1, *(1,) * (x.dim() - axis - 1))
    return found.masked_fill_(gone, 0).reshape(x.shape[:axis] + places.shape + x.shape[axis + 1:])


@rows_here.shape
def _(x: Aval, places: Aval, *, axis: int) -> Aval:
    return Aval((*x.shape[:axis], *places.shape, *x.shape[axis + 1:]), x.dtype)
