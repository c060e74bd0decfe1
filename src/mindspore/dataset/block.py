"""The rows that travel through a pipeline together: a block of consecutive rows, held by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mindspore.dataset.execution import memory

# A column of n rows is an array whose first axis has length n ("stacked"), or a list of n arrays of any shapes.
# A dict that a Python function or source gave is the one element of an array of objects without axes.
Column = Any


@dataclass(slots=True)
class RowBlock:
    """`count` consecutive rows; `start` is the number of the first one within its pass over the data."""

    start: int
    count: int
    columns: list[Column]
    failed: int = 0  # rows that a transform failed on, which were left out or replaced
    numbers: np.ndarray | None = None  # of the rows in their source, where they are known
    times: tuple[float, ...] = ()  # seconds that the steps of the last piece of work took

    def row(self, index: int) -> list[np.ndarray]:
        """The arrays of one row; stacked columns give views."""
        return [row_of(column, index) for column in self.columns]

    def part(self, begin: int, end: int) -> RowBlock:
        """The rows `begin` to `end` of this block."""
        return RowBlock(
            self.start + begin,
            end - begin,
            [column[begin:end] for column in self.columns],
            numbers=None if self.numbers is None else self.numbers[begin:end],
        )

    def chosen(self, indices: Sequence[int]) -> RowBlock:
        """The rows at these indices, in their order."""
        return RowBlock(
            self.start,
            len(indices),
            [choose(column, indices) for column in self.columns],
            numbers=None if self.numbers is None else self.numbers[list(indices)],
        )


def row_of(column: Column, index: int) -> np.ndarray:
    """One row of a column: of a stacked column a view that is always an array."""
    return column[index, ...] if isinstance(column, np.ndarray) else column[index]


def rows_of(column: Column) -> list[np.ndarray]:
    """All rows of a column as a list of arrays."""
    return (
        [column[i, ...] for i in range(len(column))] if isinstance(column, np.ndarray) else column
    )


def choose(column: Column, indices: Sequence[int]) -> Column:
    """The rows of a column at these indices; copies stacked columns."""
    return column[indices] if isinstance(column, np.ndarray) else [column[i] for i in indices]


def joined(columns: Sequence[Column]) -> Column:
    """Columns one after the other; stacked where all are stacked with equal row shapes and dtypes."""
    if len(columns) == 1:
        return columns[0]
    first = columns[0]
    if isinstance(first, np.ndarray) and all(
        isinstance(c, np.ndarray) and c.shape[1:] == first.shape[1:] and c.dtype == first.dtype
        for c in columns
    ):
        total = sum(len(c) for c in columns)
        return np.concatenate(columns, out=memory.empty((total, *first.shape[1:]), first.dtype))
    return [row for column in columns for row in rows_of(column)]


def stacked(rows: Sequence[np.ndarray]) -> np.ndarray | None:
    """Rows as one array, None where shapes or dtypes differ (strings may differ in width), and for dicts."""
    first = rows[0]
    shape, dtype = first.shape, first.dtype
    if dtype.kind == "O":
        return None
    for row in rows:
        if row.shape != shape:
            return None
        if row.dtype != dtype and not (row.dtype.kind == dtype.kind and dtype.kind in "US"):
            return None
    if not shape or dtype.kind in "US":
        return (
            np.stack(rows)
            if shape
            else np.array(rows)
            if dtype.kind in "US"
            else np.array(rows, dtype)
        )
    return np.stack(rows, out=memory.empty((len(rows), *shape), dtype))


def packed(rows: Sequence[np.ndarray]) -> np.ndarray | None:
    """As `stacked`, but None for texts of which a long one would make all rows wide: megabytes for each line."""
    if rows[0].dtype.kind in "US":
        sizes = [row.nbytes for row in rows]
        if max(sizes) * len(rows) > 2**20 + 4 * sum(sizes):
            return None
    return stacked(rows)


def columns_of(rows: list[Any]) -> list[Column]:
    """Rows as columns, stacked where their shapes are equal."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    arrays = [packed(column) for column in columns]
    return [
        column if array is None else array for column, array in zip(columns, arrays, strict=True)
    ]


def as_value(value: Any) -> np.ndarray:
    """As `as_array`; a dict becomes the element of an array of objects.

    Raises:
        TypeError: `value` is None, or no dict and cannot be an array of numbers, text or bytes.
    """
    if isinstance(value, np.ndarray) and value.dtype.kind == "O" and not value.shape:
        value = value.item()
    if not isinstance(value, dict):
        return as_array(value)
    array = np.empty((), object)
    array[()] = value
    return array


def given(array: Any) -> Any:
    """The value of a row as a Python function gets it: an array, or a dict."""
    return array.item() if isinstance(array, np.ndarray) and array.dtype.kind == "O" else array


def as_array(value: Any) -> np.ndarray:
    """What a Python function or source gave for one column of a row, as an array.

    Raises:
        TypeError: `value` is None or cannot be an array of numbers, text or bytes.
    """
    if isinstance(value, np.ndarray):
        array = value
    elif value is None:
        raise TypeError(
            "the value of a column must be an array, a number, a str or bytes, but got None."
        )
    elif isinstance(value, bytes):
        array = np.array(value, dtype=f"S{max(len(value), 1)}")
    elif hasattr(value, "asnumpy"):
        array = value.asnumpy()
    else:
        array = _from_objects(value)
    if array.dtype.kind == "O":
        array = _from_objects(array.tolist())
    return array


def _from_objects(value: Any) -> np.ndarray:
    try:
        array = np.array(value)
    except ValueError as error:
        raise TypeError(
            f"the value of a column must be an array of one shape, but got {type(value).__name__}: "
            f"{error}"
        ) from None
    if array.dtype.kind not in "biufcUSV":
        raise TypeError(
            "the value of a column must be an array of numbers, text or bytes, but got "
            f"{type(value).__name__} with elements of dtype {array.dtype}."
        )
    return array


def pad_end(row: np.ndarray, shape: list[int], value: Any) -> np.ndarray:
    """`row` padded at the ends, or cut, to `shape`; the value is 0, or an empty text, where it is None."""
    text = row.dtype.kind in "US"
    if text:
        value = ("" if row.dtype.kind == "U" else b"") if value is None else np.array(value).item()
    elif isinstance(value, np.ndarray):
        value = value.item()
    dtype = np.array([*row.ravel(), value]).dtype if text else row.dtype
    result = np.full(shape, 0 if value is None else value, dtype)
    kept = tuple(slice(0, min(a, b)) for a, b in zip(row.shape, shape, strict=True))
    result[kept] = row[kept]
    return result
