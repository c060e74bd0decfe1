"""Operators on rows of numbers whose results are as long as the elements say: sets, counts, rows of any length."""
from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import int32
from mindspore.ir import Aval

from .indexing import unknown_extent
from .labels import whole
from .registry import Operator, operator
from .torch_private import as_list
from .values import Ints

_Place = tuple[int, ...]
_WHY = whole("how many elements there are is known only at run time")


def _of_first(x1: Aval, *_: Any, **__: Any) -> int:
    return len(x1.shape)


def _of_rows(indices: Aval, *_: Any, **__: Any) -> int:
    return indices.shape[1]


def _with_unknown(op: Operator, owner: str, places: Any) -> None:
    """Rules of an operator with places (n, columns), as many values, and a shape; `places` gives the columns."""
    def shape(*_: Aval, **__: Any) -> Any:
        raise unknown_extent(owner)

    def extents(*avals: Aval, **attrs: Any) -> list[tuple[Any, ...]]:
        columns = places(*avals, **attrs)
        return [("found", columns), ("found",), (columns,)]
    op.shape(shape)
    op.dynamic_shape(extents)


def _rows(x: Tensor) -> dict[_Place, set[Any]]:
    """The set in each row of the last dimension."""
    return {place: set(as_list(x[place])) for place in itertools.product(*[range(n) for n in x.shape[:-1]])}


def _combined(first: dict[_Place, set[Any]], second: dict[_Place, set[Any]], kind: str) -> dict[_Place, list[Any]]:
    found: dict[_Place, list[Any]] = {}
    for place, left in first.items():
        right = second.get(place, set())
        joined = {"a-b": left - right, "b-a": right - left, "union": left | right, "intersection": left & right}[kind]
        found[place] = sorted(joined)
    return found


def _sparse(rows: dict[_Place, list[Any]], outer: Ints, like: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    places = [[*place, n] for place, members in rows.items() for n in range(len(members))]
    members = [m for row in rows.values() for m in row]
    longest = max([len(row) for row in rows.values()], default=0)
    shape = torch.tensor([*outer, longest], device=like.device)
    return (torch.tensor(places, dtype=torch.int64, device=like.device).reshape(-1, len(outer) + 1),
            torch.tensor(members, dtype=like.dtype, device=like.device), shape)


@operator(hidden=True, samples=[], dims=_WHY)
def set_operation(x1: Tensor, x2: Tensor, *, kind: str):
    """Of the sets in the rows of two tensors: places, members in order, and the shape of the longest."""
    if x1.is_meta:
        raise unknown_extent("DenseToDenseSetOperation")
    if x1.shape[:-1] != x2.shape[:-1] or x1.dim() < 2:
        raise ValueError(f"For 'DenseToDenseSetOperation', the inputs must have two dimensions or more, the same but "
                         f"for the last, but got {tuple(x1.shape)} and {tuple(x2.shape)}.")
    return _sparse(_combined(_rows(x1), _rows(x2), kind), tuple(x1.shape[:-1]), x1)


_with_unknown(set_operation, "DenseToDenseSetOperation", _of_first)


@operator(hidden=True, samples=[], dims=_WHY)
def set_operation_sparse(x1: Tensor, x2_indices: Tensor, x2_values: Tensor, *, kind: str):
    """The same, where the second sets are given by places and values."""
    if x1.is_meta:
        raise unknown_extent("DenseToSparseSetOperation")
    if x1.dim() < 2:
        raise ValueError(f"For 'DenseToSparseSetOperation', 'x1' must have two dimensions or more, but got "
                         f"{tuple(x1.shape)}.")
    second = _grouped(as_list(x2_indices), as_list(x2_values))
    return _sparse(_combined(_rows(x1), {k: set(v) for k, v in second.items()}, kind), tuple(x1.shape[:-1]), x1)


_with_unknown(set_operation_sparse, "DenseToSparseSetOperation", _of_first)


def _grouped(places: Iterable[list[int]], values: Iterable[Any]) -> dict[_Place, list[Any]]:
    """The values of each row of the last dimension."""
    found: dict[_Place, list[Any]] = {}
    for place, value in zip(places, values, strict=True):
        found.setdefault(tuple(place[:-1]), []).append(value)
    return found


@operator(hidden=True, samples=[], dims=whole("a place may belong to any row"))
def set_size(indices: Tensor, values: Tensor, *, shape: Ints):
    """How many different values each row of the last dimension has."""
    found = torch.zeros(tuple(shape[:-1]), dtype=torch.int32, device=indices.device)
    if not indices.is_meta:
        for place, row in _grouped(as_list(indices), as_list(values)).items():
            found[place] = len(set(row))
    return found


@set_size.shape
def _(indices: Aval, values: Aval, *, shape: Ints) -> Aval:
    return Aval(tuple(shape[:-1]), int32)


@operator(hidden=True, samples=[], dims=_WHY)
def counts(indices: Tensor, values: Tensor, weights: Tensor, *, shape: Ints, binary: bool, least: int, most: int):
    """How often each number is among the values of each row (or whether, or the sum of its weights), sparse."""
    if indices.is_meta:
        raise unknown_extent("SparseCountSparseOutput")
    numbers = as_list(values)
    if any(v < 0 for v in numbers):
        raise ValueError("For 'SparseCountSparseOutput', the values must not be negative.")
    each = as_list(weights) if weights.numel() else [1] * len(numbers)
    found: dict[_Place, Any] = {}
    for place, value, weight in zip(as_list(indices), numbers, each, strict=True):
        if most < 0 or value < most:
            at = (*place[:-1], value) if len(shape) > 1 else (value,)
            found[at] = 1 if binary else found.get(at, 0) + weight
    width = max(least, most if most >= 0 else max([v + 1 for v in numbers], default=0))
    rows = sorted(found.items())
    return (torch.tensor([list(k) for k, _ in rows], dtype=torch.int64).reshape(-1, len(shape)).to(indices.device),
            torch.tensor([v for _, v in rows], dtype=weights.dtype, device=indices.device),
            torch.tensor([*shape[:-1], width], device=indices.device))


_with_unknown(counts, "SparseCountSparseOutput", _of_rows)


@operator(hidden=True, samples=[], dims=_WHY)
def ragged_places(*splits: Tensor, inner: Ints):
    """The place of each value of rows of any length, and the shape of the longest; `splits` say where rows begin."""
    if splits[0].is_meta:
        raise unknown_extent("RaggedTensorToSparse")
    ends = [as_list(s) for s in splits]
    for numbers in ends:
        if numbers[:1] != [0] or any(a > b for a, b in itertools.pairwise(numbers)):
            raise ValueError(f"For 'RaggedTensorToSparse', splits must begin with 0 and not fall, but got {numbers}.")
    places: list[list[int]] = [[n] for n in range(len(ends[0]) - 1)]
    for numbers in ends:
        if numbers[-1:] and len(numbers) - 1 != len(places):
            raise ValueError(f"For 'RaggedTensorToSparse', splits of {len(places)} rows must be {len(places) + 1} "
                             f"numbers, but got {len(numbers)}.")
        places = [[*place, n] for place, (a, b) in zip(places, itertools.pairwise(numbers), strict=True)
                  for n in range(b - a)]
    longest = [max([b - a for a, b in itertools.pairwise(numbers)], default=0) for numbers in ends]
    shape = [len(ends[0]) - 1, *longest, *inner]
    every = [[*place, *more] for place in places for more in itertools.product(*[range(n) for n in inner])]
    device = splits[0].device
    return (torch.tensor(every, dtype=torch.int64, device=device).reshape(-1, len(shape)),
            torch.tensor(shape, device=device))


@ragged_places.shape
def _(*splits: Aval, inner: Ints) -> Any:
    raise unknown_extent("RaggedTensorToSparse")


@ragged_places.dynamic_shape
def _(*splits: Aval, inner: Ints) -> list[tuple[Any, ...]]:
    columns = len(splits) + 1 + len(inner)
    return [("places", columns), (columns,)]
