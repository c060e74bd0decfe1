"""Operators whose results are as long as the elements of their inputs say: ranges, unions, what was hit or kept."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import DType, int64
from mindspore.core.errors import show
from mindspore.ir import Aval

from .indexing import unknown_extent
from .labels import whole
from .registry import Operator, operator
from .torch_private import as_list


@operator(hidden=True, samples=[], dims=whole("how long the ranges are is known only at run time"))
def ragged_range(starts: Tensor, limits: Tensor, deltas: Tensor, *, splits: DType = int64):
    """Where each range begins among all elements, and the elements start, start + delta, ... before the limit."""
    if starts.is_meta:
        raise unknown_extent("RaggedRange")
    bounds = zip(as_list(starts), as_list(limits), as_list(deltas), strict=True)
    rows = [torch.arange(a, b, d, dtype=torch.float64) if (b - a) * d > 0 else torch.empty(0) for a, b, d in bounds]
    ends = torch.tensor([0, *[r.numel() for r in rows]]).cumsum(0)
    joined = torch.cat(rows) if rows else torch.empty(0)
    return ends.to(starts.device, splits.torch), joined.to(starts.device, starts.dtype)


@ragged_range.shape
def _(starts: Aval, limits: Aval, deltas: Aval, **_: Any) -> Any:
    if len(starts.shape) != 1 or not starts.shape == limits.shape == deltas.shape:
        raise ValueError(f"For 'RaggedRange', 'starts', 'limits' and 'deltas' must be vectors of one length, but got "
                         f"{show(starts)}, {show(limits)} and {show(deltas)}.")
    raise unknown_extent("RaggedRange")


@ragged_range.dynamic_shape
def _(starts: Aval, limits: Aval, deltas: Aval, **_: Any) -> list[tuple[Any, ...]]:
    return [(starts.shape[0] + 1,), ("elements",)]


_unique: Any = torch.unique  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # open in torch
_distinct_rows = functools.partial(_unique, dim=0, return_inverse=True)


def _union(name: str, choose: Callable[[Tensor, Tensor], Tensor], doc: str) -> Operator:
    def kernel(x1_indices: Any, x1_values: Any, x1_shape: Any, x2_indices: Any, x2_values: Any,
               x2_shape: Any) -> tuple[Any, Any]:
        if x1_indices.is_meta:
            raise unknown_extent(name)
        if not torch.equal(x1_shape, x2_shape):
            raise ValueError(f"For '{name}', the shapes must be equal, but got {as_list(x1_shape)} and "
                             f"{as_list(x2_shape)}.")
        places, where = _distinct_rows(torch.cat([x1_indices, x2_indices]))
        cut = x1_values.shape[0]
        first, second = [own.new_zeros(places.shape[0]).index_put_((at,), own)
                         for own, at in ((x1_values, where[:cut]), (x2_values, where[cut:]))]
        return places, choose(first, second)

    kernel.__doc__ = doc
    made = operator(primitive=f"{name}()(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape)",
                    samples=[], dims=whole("how many places there are is known only at run time"))(kernel)

    def shape(x1_indices: Aval, x1_values: Aval, x1_shape: Aval, x2_indices: Aval, x2_values: Aval,
              x2_shape: Aval) -> Any:
        raise unknown_extent(name)

    def extents(x1_indices: Aval, *_: Aval) -> list[tuple[Any, ...]]:
        return [("places", x1_indices.shape[1]), ("places",)]
    made.shape(shape)
    made.dynamic_shape(extents)
    return made


sparse_sparse_maximum = _union("SparseSparseMaximum", torch.maximum, "The places where one of two sparse tensors has a "
                               "value, sorted, and the greater value there; a missing one is 0.")
sparse_sparse_minimum = _union("SparseSparseMinimum", torch.minimum, "The places where one of two sparse tensors has a "
                               "value, sorted, and the lesser value there; a missing one is 0.")


@operator(primitive="ComputeAccidentalHits(num_true=1)(true_classes, sampled_candidates)", samples=[],
          dims=whole("how many hits there are is known only at run time"))
def compute_accidental_hits(true_classes: Tensor, sampled: Tensor, *, num_true: int = 1):
    """The rows and candidates where a candidate is a true class of the row, and the least float32 for each."""
    if true_classes.is_meta:
        raise unknown_extent("ComputeAccidentalHits")
    if true_classes.dim() != 2 or true_classes.shape[1] != num_true:
        raise ValueError(f"For 'ComputeAccidentalHits', the true classes must be (N, {num_true}), but got "
                         f"{tuple(true_classes.shape)}.")
    hits = (true_classes[:, :, None] == sampled).nonzero()          # a class that a row names twice is hit twice
    weights = torch.full((hits.shape[0],), torch.finfo(torch.float32).min, device=sampled.device)
    return hits[:, 0].to(torch.int32), hits[:, 2].to(true_classes.dtype), weights


@compute_accidental_hits.shape
def _(true_classes: Aval, sampled: Aval, *, num_true: int = 1) -> Any:
    raise unknown_extent("ComputeAccidentalHits")


@compute_accidental_hits.dynamic_shape
def _(*_: Aval, **__: Any) -> list[tuple[str]]:
    return [("hits",), ("hits",), ("hits",)]


@operator(primitive="NonMaxSuppressionV3()(boxes, scores, max_output_size, iou_threshold, score_threshold)",
          samples=[], dims=whole("every box is compared with all others"))
def nms_v3(boxes: Tensor, scores: Tensor, count: Tensor, iou_threshold: Tensor, score_threshold: Tensor):
    """The places of at most `count` boxes (y1, x1, y2, x2) by falling score, which overlap no other one too much."""
    if boxes.is_meta:
        raise unknown_extent("NonMaxSuppressionV3")
    low, high = torch.minimum(boxes[:, :2], boxes[:, 2:]), torch.maximum(boxes[:, :2], boxes[:, 2:])
    area = (high - low).prod(-1)
    common = (torch.minimum(high[:, None], high) - torch.maximum(low[:, None], low)).clamp(min=0).prod(-1)
    both = area[:, None] + area - common
    overlap = torch.where(both > 0, common / both, 0.0)
    kept: list[int] = []
    for i in as_list(scores.argsort(descending=True, stable=True)):
        if len(kept) < int(count) and float(scores[i]) > float(score_threshold) and (
                not kept or float(overlap[i, kept].max()) <= float(iou_threshold)):
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int32, device=boxes.device)


@nms_v3.shape
def _(boxes: Aval, scores: Aval, *_: Any) -> Any:
    if len(boxes.shape) != 2 or boxes.shape[1] != 4 or scores.shape != boxes.shape[:1]:
        raise ValueError(f"For 'NonMaxSuppressionV3', the boxes must be (N, 4) and the scores (N,), but got "
                         f"{show(boxes)} and {show(scores)}.")
    raise unknown_extent("NonMaxSuppressionV3")


@nms_v3.dynamic_shape
def _(*_: Aval) -> list[tuple[str]]:
    return [("boxes",)]


