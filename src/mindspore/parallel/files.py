"""Where the pieces of a parameter stand that a row of a strategy file describes; the row of what a process holds."""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from mindspore.formats.strategy import LayoutRow

from .placement import Shard, pieces
from .storing import Stored


def devices_of(row: LayoutRow) -> int:
    """The number of devices of the stage."""
    return math.prod(row.dev_matrix)


def cuts(row: LayoutRow, rank: int) -> Iterator[tuple[int, int, int]]:
    """How a device gets to its piece from the whole: the dimension, into how many parts it is cut, which one is taken.

    Args:
        rank: The number of the device in its stage.
    """
    place, left = [0] * len(row.dev_matrix), rank
    for k in reversed(range(len(row.dev_matrix))):
        left, place[k] = divmod(left, row.dev_matrix[k])
    for dim, entry in enumerate(row.tensor_map):
        for v in entry if isinstance(entry, tuple) else (entry,):
            axis = len(row.dev_matrix) - 1 - v
            if v != -1 and row.dev_matrix[axis] > 1:
                yield dim, row.dev_matrix[axis], place[axis]
    if row.size > 1:
        yield 0, row.size, rank // max(row.step, 1) % row.size


def number(row: LayoutRow, rank: int) -> tuple[int, ...]:
    """Which piece a device has: devices with the same number have the same."""
    return tuple([part for _, _, part in cuts(row, rank)])


def cut(whole: Any, row: LayoutRow, rank: int) -> Any:
    """The piece of a device of a whole tensor, as a view."""
    found = whole
    if row.field > 1:
        found = found.reshape(row.field, found.shape[0] // row.field, *found.shape[1:])
    for dim, parts, part in cuts(row, rank):
        dim += row.field > 1
        lengths = pieces(found.shape[dim], parts)
        found = found.narrow(dim, sum(lengths[:part]), lengths[part])
    return found.reshape(-1, *found.shape[2:]) if row.field > 1 else found


def joined(parts: Sequence[Any], row: LayoutRow, cat: Any) -> Any:
    """The whole tensor.

    Args:
        parts: The piece of each device of the stage; None for what another device has, too.
        cat: Joins tensors along a dimension.
    """
    found = {number(row, r): x for r, x in enumerate(parts) if x is not None}
    if row.field > 1:
        found = {k: x.reshape(row.field, x.shape[0] // row.field, *x.shape[1:]) for k, x in found.items()}
    steps = [(dim + (row.field > 1), n) for dim, n, _ in cuts(row, 0)]
    for dim, n in reversed(steps):
        found = {key: cat([found[(*key, k)] for k in range(n)], dim)
                 for key in dict.fromkeys([key[:-1] for key in found])}
    whole, = found.values()
    return whole.reshape(-1, *whole.shape[2:]) if row.field > 1 else whole


def holders(row: LayoutRow) -> dict[tuple[int, ...], int]:
    """For each piece the first device that has it."""
    found: dict[tuple[int, ...], int] = {}
    for rank in range(devices_of(row)):
        found.setdefault(number(row, rank), rank)
    return found


def row_of(stored: Stored, device: int) -> LayoutRow:
    """The row for how a parameter lies: axes that cut one dimension together are one axis there."""
    matrix, axes, last = [], [], None
    for n, state in zip(stored.mesh.shape, stored.placement, strict=True):
        dim = state.dim if isinstance(state, Shard) else None
        if dim is not None and dim == last:
            matrix[-1] *= n
        else:
            matrix.append(n)
            axes.append(dim)
        last = dim
    tensor_map = [-1] * len(stored.shape)
    for k, dim in enumerate(axes):
        if dim is not None:
            tensor_map[dim] = len(matrix) - 1 - k
    return LayoutRow(tuple(matrix) or (1,), tuple(tensor_map), shape=stored.local(device))


def layout_list(stored: Stored, device: int) -> list[Any]:
    """What `Cell.parameter_layout_dict` says of a parameter."""
    row, local = row_of(stored, device), list(stored.local(device))
    equal = all([s % math.prod([n for d, n, _ in cuts(row, device) if d == k]) == 0
                 for k, s in enumerate(stored.shape)])
    return [list(row.dev_matrix), list(row.tensor_map), local, 0, equal, "", list(stored.shape)]
