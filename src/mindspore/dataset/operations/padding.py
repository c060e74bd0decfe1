"""`padded_batch`: rows brought to one shape, and joined into batches."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock, pad_end, rows_of
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run, workers_of
from mindspore.dataset.operations.batch import BatchDataset, BatchInfo, size_function, size_now
from mindspore.dataset.operations.batches import Pending, array_of
from mindspore.dataset.operations.columns import positions


@method("padded_batch")
class PaddedBatchDataset(Dataset):
    """Rows joined into batches after padding: `pad_info` = {column: (shape, value)}, None in a shape: the longest.

    Args:
        input_dataset: The dataset before.
        batch_size: Rows of a batch, or a function of a BatchInfo that gives it.
        drop_remainder: Leave out a last batch that is shorter.
        num_parallel_workers: Threads that pad and join; None: the reader does, which is mostly faster than handing rows
            over.
        pad_info: Shape and value of each column to be padded; None: no column.

    Examples:
        >>> data = dataset.GeneratorDataset([np.array([1]), np.array([2, 3])], ["x"], shuffle=False)
        >>> data = data.padded_batch(2, pad_info={"x": ([3], 0)})
        >>> [x.tolist() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [[[1, 0, 0], [2, 3, 0]]]
    """

    def __init__(
        self,
        input_dataset: Dataset,
        batch_size: int | Callable[[BatchInfo], int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict | None = None,
    ):
        super().__init__(input_dataset, num_parallel_workers)
        self.batch_size: Any = (
            size_function("padded_batch", batch_size, input_dataset) if callable(batch_size)
            else check.integer("padded_batch", "batch_size", batch_size, 1, check.INT32_MAX)
        )
        self.drop_remainder = check.boolean("padded_batch", "drop_remainder", drop_remainder)
        self.pad_info = check.optional(pad_info_of, "padded_batch", "pad_info", pad_info)

    row_count = BatchDataset.row_count
    get_batch_size = BatchDataset.get_batch_size

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        names = self.children[0].column_names()
        positions("padded_batch", list(self.pad_info or {}), names)
        below = run.child()
        if not callable(self.batch_size):
            below = dataclasses.replace(below, counted=run.counted * self.batch_size)
        groups = self._groups(self.children[0].blocks(below), run)
        workers = 1 if self.num_parallel_workers is None else workers_of(self.num_parallel_workers)
        yield from run.map(functools.partial(self._padded, names), groups, workers)

    def _groups(self, blocks: Iterator[RowBlock], run: Run) -> Iterator[tuple[int, RowBlock]]:
        """Number and rows of each batch."""
        pending, number = Pending(), 0
        for block in blocks:
            pending.add(block)
            while pending.rows >= (size := size_now("padded_batch", self.batch_size, number, run)):
                yield number, pending.take(size)
                number += 1
        if pending.rows and not self.drop_remainder:
            yield number, pending.take(pending.rows)

    def _padded(self, names: list[str], group: tuple[int, RowBlock]) -> RowBlock:
        number, block = group
        return padded(block, names, self.pad_info, number)


def pad_info_of(owner: Any, name: str, value: Any) -> dict[str, tuple[Any, Any]]:
    """For each column to be padded its shape and the value, as an argument says them."""
    check.instance(owner, name, value, dict)
    for column, entry in value.items():
        check.string(owner, name, column)
        if isinstance(entry, tuple) and len(entry) != 2:
            raise check.fail(ValueError, owner, name, "a dict of pairs (shape, value)", entry)
        if entry is not None and (
            not isinstance(entry, tuple) or not isinstance(entry[0], (list, tuple, type(None)))
        ):
            raise check.fail(TypeError, owner, name, "a dict of tuples (shape, value)", entry)
        for length in (entry or [()])[0] or ():
            check.optional(check.integer, owner, name, length, 1, check.INT32_MAX)
    return value


def padded(
    block: RowBlock, names: list[str], pad_info: dict | None, number: int, longest: int | None = None
) -> RowBlock:
    """The rows of a block as one batch, those of the columns in `pad_info` padded (or cut) to one shape.

    An empty `pad_info` pads all columns, with zeros, to the longest row; None pads nothing. `longest` stands in for
    None in a shape.
    """
    columns = []
    for name, column in zip(names, block.columns, strict=True):
        whole = isinstance(column, np.ndarray) or all(row.dtype.kind != "O" for row in column)
        if whole and pad_info is not None and (not pad_info or name in pad_info):
            shape, value = pad_info.get(name) or (None, None)
            column = _padded_rows(name, rows_of(column), shape, value, longest)
        columns.append(array_of(name, column, number)[None])
    return RowBlock(number, 1, columns)


def _padded_rows(
    name: str, rows: list[np.ndarray], shape: Any, value: Any, longest: int | None
) -> list[np.ndarray]:
    axes = rows[0].ndim
    if any(row.ndim != axes for row in rows) or (shape is not None and len(shape) != axes):
        raise PipelineError(
            f"For 'padded_batch', the rows of column '{name}' must have the same number of axes as the "
            f"shape to pad to, {shape}, but got {sorted({row.ndim for row in rows})}."
        )
    most = [max(row.shape[axis] for row in rows) for axis in range(axes)]
    target = [most[i] if shape is None else shape[i] for i in range(axes)]
    target = [(longest or most[i]) if length is None else length for i, length in enumerate(target)]
    return [pad_end(row, target, value) for row in rows]
