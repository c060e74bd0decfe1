"""Rows joined into blocks of batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset.block import (
    Column,
    RowBlock,
    as_array,
    as_value,
    given,
    joined,
    stacked,
)
from mindspore.dataset.errors import PipelineError

MANY = 2**19  # bytes of a block of batches, about


class Pending:
    """Rows that wait until there are enough for a batch."""

    def __init__(self) -> None:
        self._blocks: list[RowBlock] = []
        self.rows = 0

    def add(self, block: RowBlock) -> None:
        self._blocks.append(block)
        self.rows += block.count

    def take(self, count: int) -> RowBlock:
        """The first `count` rows as one block."""
        taken, left = [], count
        while left:
            block = self._blocks.pop(0)
            if block.count > left:
                self._blocks.insert(0, block.part(left, block.count))
                block = block.part(0, left)
            taken.append(block)
            left -= block.count
        self.rows -= count
        columns = [joined([b.columns[i] for b in taken]) for i in range(len(taken[0].columns))]
        return RowBlock(taken[0].start, count, columns)


def batches(
    blocks: Iterator[RowBlock], names: list[str], size: int, drop: bool, most: int | None
) -> Iterator[RowBlock]:
    """Blocks of batches; as many batches in a block as the rows that come in and their bytes suggest."""
    pending, start, together = Pending(), 0, 1
    for block in blocks:
        pending.add(block)
        if pending.rows < size * together:
            continue
        together = 1 if most is not None else _together(block, size)
        while pending.rows >= size * together:
            yield _joined_batches(pending.take(size * together), names, size, start)
            start += together
    if pending.rows >= size:
        count = pending.rows // size
        yield _joined_batches(pending.take(size * count), names, size, start)
        start += count
    if pending.rows and not drop:
        yield _joined_batches(pending.take(pending.rows), names, size, start)


class Batches:
    """Blocks of batches from blocks whose rows fill them; the last block of a pass may have a smaller batch."""

    def __init__(self, names: list[str], size: int, drop: bool):
        self.names, self.size, self.drop = names, size, drop

    def __call__(self, block: RowBlock) -> RowBlock:
        size = self.size
        full, rest = divmod(block.count, size)
        start, count = block.start // size, full + bool(rest and not self.drop)
        columns: list[Column] = []
        for name, column in zip(self.names, block.columns, strict=True):
            if isinstance(column, np.ndarray) and not rest:
                columns.append(column.reshape(full, size, *column.shape[1:]))
                continue
            parts = [column[i * size : (i + 1) * size] for i in range(count)]
            columns.append([array_of(name, part, start + i) for i, part in enumerate(parts)])
        return RowBlock(start, count, columns, block.failed)


def _together(block: RowBlock, size: int) -> int:
    """Batches worth joining at once."""
    row_bytes = (
        sum(
            column.nbytes if isinstance(column, np.ndarray) else sum(row.nbytes for row in column)
            for column in block.columns
        )
        // block.count
    )
    return max(1, min(8, MANY // max(1, row_bytes * size)))


def _joined_batches(block: RowBlock, names: list[str], size: int, start: int) -> RowBlock:
    """The rows of a block as its batches: `size` rows each, or all of them if they are fewer."""
    size = min(size, block.count)
    count = block.count // size
    columns: list[Column] = []
    for name, column in zip(names, block.columns, strict=True):
        if isinstance(column, np.ndarray):
            columns.append(column.reshape(count, size, *column.shape[1:]))
        else:
            columns.append(
                [array_of(name, column[i * size : (i + 1) * size], start + i) for i in range(count)]
            )
    return RowBlock(start, count, columns)


def array_of(name: str, column: Column, number: int) -> np.ndarray:
    """The rows of a batch as one array."""
    if isinstance(column, np.ndarray):
        return column
    if not column:
        raise PipelineError(f"For 'batch', the column '{name}' of batch {number} has no rows.")
    if any(row.dtype.kind == "O" for row in column):
        return as_value(_joined_dicts(name, [given(row) for row in column], number))
    array = stacked(column)
    if array is None:
        first = column[0]
        other = next(row for row in column if row.shape != first.shape or row.dtype != first.dtype)
        raise PipelineError(
            f"For 'batch', the rows of a batch must have equal shapes and dtypes, but in column "
            f"'{name}' of batch {number} got {first.dtype}{list(first.shape)} and "
            f"{other.dtype}{list(other.shape)}. Use 'padded_batch', or 'map' them to one shape."
        )
    return array


def _joined_dicts(name: str, rows: list[Any], number: int) -> dict[Any, np.ndarray]:
    """The dicts of a batch as one: for each key an array of the rows' values."""
    where = f"For 'batch', in column '{name}' of batch {number}"
    keys = [list(row) if isinstance(row, dict) else f"a {type(row).__name__}" for row in rows]
    other = next((k for k in keys if type(k) is str or set(k) != set(keys[0])), None)
    if other is not None:
        raise PipelineError(
            f"{where} all rows must be dicts with equal keys, but got {keys[0]} and {other}. Use a 'per_batch_map' "
            "to join them."
        )
    found = {}
    for key in rows[0]:
        try:
            found[key] = as_array([_leaf(row[key]) for row in rows])
        except TypeError as error:
            raise PipelineError(
                f"{where} the values of the key {key!r} cannot be joined: {error} Use a 'per_batch_map' to join them."
            ) from None
    return found


def _leaf(value: Any) -> Any:
    return value.asnumpy() if hasattr(value, "asnumpy") else value
