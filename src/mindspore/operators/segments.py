"""Sums, extremes and products over segments: slices with the same number."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.ir import Aval

from .comparison import equal
from .indexing import counted, integers, unknown_extent
from .labels import rank_of, whole
from .masking import select
from .registry import Operator, operator
from .rules import in_int64
from .samples import index
from .structure import full
from .traits import ORDERED, STRICT, WIDEN_UNSIGNED
from .values import Value


def _segments(name: str, x: Any, ids: Any, count: Any) -> Aval:
    integers(name, "segment_ids", ids)
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"For '{name}', the 'num_segments' must be an int, but got {count!r}.")
    if count <= 0:
        raise ValueError(f"For '{name}', the 'num_segments' must be positive, but got {count}.")
    rank = len(ids.shape)
    if not rank or x.shape[:rank] != ids.shape:
        raise ValueError(f"For '{name}', the shape of 'segment_ids' must be the beginning of that of "
                         f"the input, but got {show(ids)} for {show(x)}.")
    return Aval((count, *x.shape[rank:]), x.dtype)


def _joined(rank: int, count: int, kind: str) -> str:
    """Sharding labels: what is split among the slices leaves partial results of a kind."""
    rest = " ".join([f"d{i}" for i in range(count, rank)])
    ids = " ".join([f"s{i}" for i in range(count)])
    return f"{ids} {rest}, {ids} -> n! {rest} {' '.join([f'{kind}:s{i}' for i in range(count)])}"


def _rows(x: torch.Tensor, ids: torch.Tensor, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The slices as rows of a matrix, and their segments; those that do not count are the last."""
    line = counted(ids).reshape(-1)
    slices = x.reshape(line.numel(), math.prod(x.shape[ids.dim():]))
    return slices, torch.where((line < 0) | (line >= count), count, line)


@operator(primitive="UnsortedSegmentSum()(input_x, segment_ids, num_segments)",
          function="unsorted_segment_sum(input_x, segment_ids, num_segments)",
          method="unsorted_segment_sum(segment_ids, num_segments)",
          samples=[((4, 2), index(3, 4), {"num_segments": 3})],
          dims=lambda x, ids, num_segments: _joined(rank_of(x), rank_of(ids), "sum"), traits={WIDEN_UNSIGNED, STRICT})
def unsorted_segment_sum(x: Tensor, ids: Tensor, *, num_segments: int):
    """The sum of the slices of each segment; slices with a negative number do not count."""
    slices, line = _rows(x, ids, num_segments)
    out = slices.new_zeros(num_segments + 1, slices.shape[1]).index_add_(0, line, slices)
    return out[:-1].reshape(num_segments, *x.shape[ids.dim():])


@unsorted_segment_sum.shape
def _(x: Aval, ids: Any, *, num_segments: int) -> Aval:
    return _segments("UnsortedSegmentSum", x, ids, num_segments)


@unsorted_segment_sum.grad(needs="ids")
def _(ids: Value, dout: Value, *, num_segments: int):
    return segment_rows(dout, ids), None


def _of_rows(rank: int, count: int) -> str:
    """Labels: every number takes its row."""
    rest = " ".join([f"d{i}" for i in range(1, rank)])
    ids = " ".join([f"i{i}" for i in range(count)])
    return f"s! {rest}, {ids} -> {ids} {rest}"


@operator(hidden=True, samples=[((3, 2), index(4, 4))],
          dims=lambda x, ids: _of_rows(rank_of(x), rank_of(ids)))
def segment_rows(x: Tensor, ids: Tensor):
    """For every number its row of `x`; zeros for numbers that have none."""
    line = counted(ids)
    inside = (line >= 0) & (line < x.shape[0])
    rows = x[torch.where(inside, line, 0)]
    return torch.where(inside.reshape(*ids.shape, *(1,) * (x.dim() - 1)), rows, 0)


@segment_rows.shape
def _(x: Aval, ids: Aval) -> Aval:
    return Aval((*ids.shape, *x.shape[1:]), x.dtype)


@segment_rows.grad(needs="x.aval ids")
def _(x: Aval, ids: Value, dout: Value):
    return unsorted_segment_sum(dout, ids, num_segments=x.shape[0]), None


def _unsorted(kind: str, reduce: str, doc: str) -> Operator:
    """The operator that reduces each segment to its extreme or its product."""
    name, low = f"UnsortedSegment{kind}", f"unsorted_segment_{kind.lower()}"

    def kernel(x: Tensor, ids: Tensor, *, num_segments: int):
        slices, line = _rows(x, ids, num_segments)
        start = _neutral(kind, slices.dtype)
        out = slices.new_full((num_segments + 1, slices.shape[1]), start)
        out.scatter_reduce_(0, line[:, None].expand(slices.shape), slices, reduce)
        return out[:-1].reshape(num_segments, *x.shape[ids.dim():])

    kernel.__doc__ = doc
    op = operator(primitive=f"{name}()(input_x, segment_ids, num_segments)",
                  function=f"{low}(x, segment_ids, num_segments)",
                  method=f"{low}(segment_ids, num_segments)",
                  samples=[((4, 2), index(1, 4), {"num_segments": 1})],
                  dims=lambda x, ids, num_segments: _joined(rank_of(x), rank_of(ids), kind.lower()),
                  traits={WIDEN_UNSIGNED, STRICT, *(() if kind == "Prod" else (ORDERED,))})(kernel)
    op.shape(lambda x, ids, num_segments: _segments(name, x, ids, num_segments))
    return op


def _neutral(kind: str, dt: torch.dtype) -> Any:
    """What a segment without slices holds."""
    if kind == "Prod":
        return 1
    limits = torch.finfo(dt) if dt.is_floating_point else torch.iinfo(dt)
    return limits.min if kind == "Max" else limits.max


unsorted_segment_max = _unsorted("Max", "amax", "The greatest element of each segment; the least "
                                 "number of the dtype for a segment without slices.")
unsorted_segment_min = _unsorted("Min", "amin", "The least element of each segment; the greatest "
                                 "number of the dtype for a segment without slices.")
unsorted_segment_prod = _unsorted("Prod", "prod", "The product of each segment; 1 for a segment "
                                  "without slices.")


def _extreme(x: Value, ids: Value, out: Value, dout: Value, *, num_segments: int):
    """Equal candidates for the extreme share the cotangent."""
    mine = select(x == segment_rows(out, ids), full(shape=(), value=1, dtype=dout.dtype), 0.0)
    count = unsorted_segment_sum(mine, ids, num_segments=num_segments)
    share = dout / select(count == 0, 1.0, count)
    return mine * segment_rows(share, ids), None


unsorted_segment_max.grad(_extreme, needs="x ids out")
unsorted_segment_min.grad(_extreme, needs="x ids out")


@unsorted_segment_prod.grad(needs="x ids out")
def _(x: Value, ids: Value, out: Value, dout: Value, *, num_segments: int):
    """The product of the others: the whole over the factor, or, where one factor is zero, the
    product of the rest."""
    zero = equal(x, 0)
    rest = select(zero, 1.0, x)
    others = unsorted_segment_prod(rest, ids, num_segments=num_segments)
    one = full(shape=(), value=1, dtype=dout.dtype)
    zeros = unsorted_segment_sum(select(zero, one, 0.0), ids, num_segments=num_segments)
    alone = segment_rows(select(equal(zeros, 1), dout * others, 0.0), ids)
    return select(zero, alone, segment_rows(dout * out, ids) / rest), None


def _sorted(kind: str, doc: str) -> Operator:
    """The operator over segments whose numbers rise; there are as many as the last one says."""
    name = f"Segment{kind}"

    def kernel(x: Any, ids: Any):
        if x.is_meta:
            raise unknown_extent(name)
        count = int(ids[-1]) + 1 if ids.numel() else 0
        slices, line = _rows(x, ids, count)
        start = {"Prod": 1}.get(kind, 0)
        out = slices.new_full((count + 1, slices.shape[1]), start)
        place = line[:, None].expand(slices.shape)
        reduce = {"Sum": "sum", "Mean": "mean", "Max": "amax", "Min": "amin", "Prod": "prod"}[kind]
        out.scatter_reduce_(0, place, slices, reduce, include_self=False)
        return out[:-1].reshape(count, *x.shape[1:])

    kernel.__doc__ = doc
    made = operator(primitive=f"{name}()(input_x, segment_ids)", grad="torch", samples=[],
                  dims=whole("how many segments there are is known only at run time"))(in_int64(kernel))
    made.dynamic_shape(lambda x, ids: [("count", *x.shape[1:])])
    return made


segment_sum = _sorted("Sum", "The sum of each segment.")
segment_mean = _sorted("Mean", "The mean of each segment; 0 for one without slices.")
segment_max = _sorted("Max", "The greatest element of each segment; 0 for one without slices.")
segment_min = _sorted("Min", "The least element of each segment; 0 for one without slices.")
segment_prod = _sorted("Prod", "The product of each segment; 1 for one without slices.")
