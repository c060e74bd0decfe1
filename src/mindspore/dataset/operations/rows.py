"""Operations on the sequence of rows: shuffle, repeat, skip, take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import Column, RowBlock, rows_of
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run


@method("shuffle")
class ShuffleDataset(Dataset):
    """Rows in random order: a buffer of `buffer_size` rows, of which a random one leaves for each that enters.

    Args:
        input_dataset: The dataset before.
        buffer_size: How many rows wait in the buffer, 2 or more.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2, 3]).shuffle(3)
        >>> sorted(x.item() for (x,) in data.create_tuple_iterator(output_numpy=True))
        [1, 2, 3]
    """

    def __init__(self, input_dataset: Dataset, buffer_size: int):
        super().__init__(input_dataset)
        self.buffer_size = check.integer("shuffle", "buffer_size", buffer_size, 2, check.INT32_MAX)
        if input_dataset.is_sync():
            raise PipelineError("For 'shuffle', there must be no 'sync_wait' before it.")

    def is_shuffled(self) -> bool:
        return True

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        rng = run.order()
        size = self.buffer_size
        count = self.children[0].row_count()
        buffer = ShuffleBuffer(size if count is None else max(1, min(size, count)))
        start, typical = 0, 1
        for block in self.children[0].blocks(run.child()):
            typical = max(typical, block.count)
            for part in buffer.fill(block):
                columns = buffer.exchange(part, rng)
                yield RowBlock(start, part.count, columns)
                start += part.count
        for block in buffer.drain(rng, typical):
            yield RowBlock(start, block.count, block.columns)
            start += block.count


class ShuffleBuffer:
    """The rows of a shuffle buffer, by column: arrays as long as rows have equal shapes, else lists."""

    def __init__(self, size: int):
        self._size, self._count = size, 0
        self._columns: list[Column] = []

    def fill(self, block: RowBlock) -> Iterator[RowBlock]:
        """Take rows while there is room; the rest of the block, if any."""
        free = min(self._size - self._count, block.count)
        if not self._columns:
            self._columns = [self._room(column) for column in block.columns]
        if free:
            for i, column in enumerate(block.columns):
                self._store(i, slice(self._count, self._count + free), column[:free])
            self._count += free
        if free < block.count:
            yield block.part(free, block.count)

    def exchange(self, block: RowBlock, rng: np.random.Generator) -> list[Column]:
        """Rows of random places, which the rows of `block` take over one after the other."""
        places = rng.integers(self._count, size=block.count)
        return self._exchange(block.columns, places)

    def _exchange(self, columns: list[Column], places: np.ndarray) -> list[Column]:
        if len(places) > 1 and len(np.unique(places)) < len(
            places
        ):  # a place twice: one half after the other
            half = len(places) // 2
            first = self._exchange([c[:half] for c in columns], places[:half])
            second = self._exchange([c[half:] for c in columns], places[half:])
            return [_both(a, b) for a, b in zip(first, second, strict=True)]
        leaving = [self._at(i, places) for i in range(len(columns))]
        for i, column in enumerate(columns):
            self._store(i, places, column)
        return leaving

    def drain(self, rng: np.random.Generator, typical: int) -> Iterator[RowBlock]:
        """What is left, in random order."""
        order = rng.permutation(self._count)
        for begin in range(0, self._count, typical):
            places = order[begin : begin + typical]
            yield RowBlock(0, len(places), [self._at(i, places) for i in range(len(self._columns))])

    def _room(self, column: Column) -> Column:
        if isinstance(column, np.ndarray) and column.dtype.kind not in "US":
            return np.empty((self._size, *column.shape[1:]), column.dtype)
        return [None] * self._size

    def _at(self, i: int, places: np.ndarray) -> Column:
        column = self._columns[i]
        return (
            column[places]
            if isinstance(column, np.ndarray)
            else [column[p] for p in places.tolist()]
        )

    def _store(self, i: int, places: Any, values: Column) -> None:
        column = self._columns[i]
        if isinstance(column, np.ndarray):
            if (
                isinstance(values, np.ndarray)
                and values.shape[1:] == column.shape[1:]
                and values.dtype == column.dtype
            ):
                column[places] = values
                return
            column = self._columns[i] = [
                *rows_of(column[: self._count]),
                *[None] * (self._size - self._count),
            ]
        numbers = range(places.start, places.stop) if isinstance(places, slice) else places.tolist()
        for place, row in zip(numbers, rows_of(values), strict=True):
            column[place] = row


def _both(a: Column, b: Column) -> Column:
    return (
        np.concatenate([a, b])
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        else [*rows_of(a), *rows_of(b)]
    )


@method("repeat")
class RepeatDataset(Dataset):
    """The rows `count` times, -1 without end; each time is a pass of its own, shuffled anew.

    Args:
        input_dataset: The dataset before.
        count: How often; None or -1: without end.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2], shuffle=False).repeat(2)
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [1, 2, 1, 2]
    """

    def __init__(self, input_dataset: Dataset, count: int | None = None):
        super().__init__(input_dataset)
        self.count = (
            -1 if count is None else check.integer("repeat", "count", count, -1, check.INT32_MAX)
        )
        if self.count == 0:
            raise check.fail(ValueError, "repeat", "count", "-1 or positive", count)

    def row_count(self) -> int | None:
        rows = super().row_count()
        return rows if rows is None or self.count == -1 else rows * self.count

    def get_dataset_size(self) -> int:
        rows = self.children[0].get_dataset_size()
        return rows if self.count == -1 else rows * self.count

    def get_repeat_count(self) -> int:
        return self.count

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        times, start = 0, 0
        while self.count < 0 or times < self.count:
            rows = 0
            epoch = run.epoch * max(self.count, 1) + times
            for block in self.children[0].blocks(run.child().during(epoch)):
                yield RowBlock(start + block.start, block.count, block.columns)
                rows += block.count
            if not rows:
                return
            start, times = start + rows, times + 1


@method("skip")
class SkipDataset(Dataset):
    """The rows after the first `count`.

    Args:
        input_dataset: The dataset before.
        count: How many rows are left out.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2, 3], shuffle=False).skip(1)
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [2, 3]
    """

    def __init__(self, input_dataset: Dataset, count: int):
        super().__init__(input_dataset)
        self.count = check.integer("skip", "count", count, 0, check.INT32_MAX)

    def row_count(self) -> int | None:
        rows = super().row_count()
        return None if rows is None else max(0, rows - self.count)

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        seen = 0
        for block in self.children[0].blocks(run.child()):
            if seen + block.count > self.count:
                begin = max(0, self.count - seen)
                rest = block.part(begin, block.count) if begin else block
                yield RowBlock(seen + begin - self.count, rest.count, rest.columns)
            seen += block.count


@method("take")
class TakeDataset(Dataset):
    """The first `count` rows, -1 for all.

    Args:
        input_dataset: The dataset before.
        count: How many rows.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2, 3], shuffle=False).take(2)
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [1, 2]
    """

    def __init__(self, input_dataset: Dataset, count: int = -1):
        super().__init__(input_dataset)
        self.count = check.integer("take", "count", count, -1, check.INT32_MAX)
        if self.count == 0:
            raise check.fail(ValueError, "take", "count", "-1 or positive", count)

    def row_count(self) -> int | None:
        rows = super().row_count()
        return rows if rows is None or self.count == -1 else min(rows, self.count)

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        left = self.count
        for block in self.children[0].blocks(run.child()):
            if left < 0:
                yield block
                continue
            yield block if block.count <= left else block.part(0, left)
            left -= block.count
            if left <= 0:
                return
