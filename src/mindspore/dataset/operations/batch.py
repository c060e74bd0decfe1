"""`batch`: rows joined, after a function of the program where one is given."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import (
    Column,
    RowBlock,
    as_value,
    given,
    rows_of,
)
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import chain
from mindspore.dataset.execution.memory import rowsize
from mindspore.dataset.execution.run import Run, workers_of
from mindspore.dataset.execution.streams import begin_anew
from mindspore.dataset.operations.batches import Batches, Pending, array_of, batches
from mindspore.dataset.operations.columns import positions
from mindspore.dataset.operations.user import placed, renamed_columns, user_error


class BatchInfo:
    """What a batch function may ask: the number of the batch in its pass, and of the pass.

    Args:
        batch_num: Number of the batch in its pass, from 0.
        epoch_num: Number of the pass, from 0.

    Examples:
        >>> data = dataset.NumpySlicesDataset({"x": [1, 2, 3, 4, 5]}, shuffle=False)
        >>> data = data.batch(lambda info: info.get_batch_num() + 1)
        >>> [row["x"].tolist() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
        [[1], [2, 3], [4, 5]]
    """

    def __init__(self, batch_num: int = 0, epoch_num: int = 0):
        self._batch_num, self._epoch_num = batch_num, epoch_num

    def get_batch_num(self) -> int:
        """Number of the batch in its pass, from 0."""
        return self._batch_num

    def get_epoch_num(self) -> int:
        """Number of the pass, from 0."""
        return self._epoch_num


@method("batch")
class BatchDataset(Dataset):
    """`batch_size` rows joined into one along a new first axis.

    Args:
        input_dataset: The dataset before.
        batch_size: Number of rows, or a function of a BatchInfo that gives it.
        drop_remainder: Leave out the last batch if it has fewer rows.
        num_parallel_workers: Threads; None: the number in `config`.
        per_batch_map: Function of the lists of arrays of the input columns and a BatchInfo, which gives the lists (or
            whole arrays) of the output columns.
        input_columns: Columns for `per_batch_map`.
        output_columns: Names of what it gives, if not those of the input columns.
        python_multiprocessing: Call `per_batch_map` in processes instead of threads.
        max_rowsize: Size of shared memory, which is not needed here.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2, 3], shuffle=False).batch(2)
        >>> [x.tolist() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [[1, 2], [3]]
    """

    def __init__(
        self,
        input_dataset: Dataset,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: Any = None,
        output_columns: Any = None,
        python_multiprocessing: bool = False,
        max_rowsize: Any = None,
    ):
        super().__init__(input_dataset, num_parallel_workers)
        self.batch_size = (
            size_function("batch", batch_size, input_dataset) if callable(batch_size) else _batch_size(batch_size)
        )
        self.drop_remainder = check.boolean("batch", "drop_remainder", drop_remainder)
        self.per_batch_map = check.optional(
            check.callable_, "batch", "per_batch_map", per_batch_map
        )
        if per_batch_map is None and input_columns is not None:
            wanted = "None without 'per_batch_map'"
            raise check.fail(ValueError, "batch", "input_columns", wanted, input_columns)
        self.input_columns = check.optional(check.names, "batch", "input_columns", input_columns)
        self.output_columns = check.optional(check.names, "batch", "output_columns", output_columns)
        if per_batch_map is not None:
            self._check_function()
        elif output_columns is not None:
            raise check.fail(
                ValueError,
                "batch",
                "output_columns",
                "None without 'per_batch_map'",
                output_columns,
            )
        self.processes = check.boolean("batch", "python_multiprocessing", python_multiprocessing)
        self.max_rowsize = rowsize(
            "batch", max_rowsize
        )  # size of shared memory, which is not needed here

    def _check_function(self) -> None:
        if self.input_columns is None:
            self.input_columns = self.children[0].get_col_names()
        wanted = len(self.input_columns) + 1
        if _parameters(self.per_batch_map) not in (None, wanted):
            raise check.fail(
                ValueError,
                "batch",
                "per_batch_map",
                f"a function of {wanted} arguments (the input columns and a BatchInfo)",
                self.per_batch_map,
            )

    def column_names(self) -> list[str]:
        names = self.children[0].column_names()
        if self.per_batch_map is None:
            return names
        positions("batch", self.input_columns, names)
        return renamed_columns(names, self.input_columns, self.output_columns or self.input_columns)

    def row_count(self) -> int | None:
        rows = self.children[0].row_count()
        if rows is None or callable(self.batch_size):
            return None
        return rows // self.batch_size if self.drop_remainder else -(-rows // self.batch_size)

    def get_batch_size(self) -> int:
        return -1 if callable(self.batch_size) else self.batch_size

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        return self.blocks_after(run, 0)

    def blocks_after(self, run: Run, skip: int) -> Iterator[RowBlock]:
        if chain.starts(self, run):
            return chain.blocks(self, run, skip)
        return chain.without(self._blocks(run), skip)

    def stage(self) -> chain.Stage | None:
        if callable(self.batch_size) or self.per_batch_map is not None:
            return None
        step = Batches(self.column_names(), self.batch_size, self.drop_remainder)
        return chain.Stage(
            f"batch {self.batch_size}",
            chain.ConstantStep(step),
            size=self.batch_size,
            drops=self.drop_remainder,
        )

    def _blocks(self, run: Run) -> Iterator[RowBlock]:
        names = self.children[0].column_names()
        self.column_names()
        below = run.child()
        if not callable(self.batch_size):
            below = dataclasses.replace(below, counted=run.counted * self.batch_size)
            if run.block_rows is not None:  # a batch needs its rows at once
                below = dataclasses.replace(below, block_rows=min(self.batch_size, 256))
        source = self.children[0].blocks(below)
        if callable(self.batch_size) or self.per_batch_map is not None:
            groups = self._groups(source, run)
            finish = functools.partial(self._batch, names, run)
            processes = self.processes and self.per_batch_map is not None
            if processes:
                yield from run.by_processes(finish, groups, self._workers())
            else:
                yield from run.map(finish, groups, self._workers(), "'batch'")
        else:
            yield from batches(source, names, self.batch_size, self.drop_remainder, run.block_rows)

    def _workers(self) -> int:
        """Python code does not gain from threads: one, unless more are asked for."""
        if self.num_parallel_workers is None and not self.processes:
            return 1
        return workers_of(self.num_parallel_workers)

    def _groups(self, blocks: Iterator[RowBlock], run: Run) -> Iterator[tuple[int, int, RowBlock]]:
        """Pass, number and rows of each batch."""
        pending, number = Pending(), 0
        for block in blocks:
            pending.add(block)
            while pending.rows >= (size := size_now("batch", self.batch_size, number, run)):
                yield run.epoch, number, pending.take(size)
                number += 1
        if pending.rows and not self.drop_remainder:
            yield run.epoch, number, pending.take(pending.rows)

    def _batch(self, names: list[str], run: Run, group: tuple[int, int, RowBlock]) -> RowBlock:
        epoch, number, block = group  # the processes of one pass work in the others, too
        columns = block.columns
        if self.per_batch_map is not None:
            begin_anew(run.during(epoch).key(), number)
            columns = self._mapped(names, columns, BatchInfo(number, epoch))
            names = self.column_names()
        arrays = [
            array_of(name, column, number) for name, column in zip(names, columns, strict=True)
        ]
        return RowBlock(number, 1, [array[None] for array in arrays])

    def _mapped(self, names: list[str], columns: list[Column], info: BatchInfo) -> list[Column]:
        inputs = [
            [given(row) for row in rows_of(columns[i])]
            for i in positions("batch", self.input_columns, names)
        ]
        try:
            results = self.per_batch_map(*inputs, info)
        except Exception as error:  # of the user's function: raised again with its place
            raise user_error(
                "batch", self.per_batch_map, f"batch {info.get_batch_num()}", error
            ) from error
        results = results if isinstance(results, tuple) else (results,)
        wanted = self.output_columns or self.input_columns
        if len(results) != len(wanted):
            raise PipelineError(
                f"For 'batch', the 'per_batch_map' must give a tuple of {len(wanted)} columns, one for "
                f"each of {wanted}, but gave {len(results)}."
            )
        values = [
            [as_value(row) for row in result] if isinstance(result, list) else as_value(result)
            for result in results
        ]
        return placed(names, columns, self.input_columns, wanted, values)


def _batch_size(value: Any) -> int:
    check.integer("batch", "batch_size", value, None, check.INT32_MAX)
    if value < 1:
        raise PipelineError(f"For 'batch', the 'batch_size' must be positive, but got {value}.")
    return int(value)


def size_function(owner: str, batch_size: Callable[..., Any], before: Dataset) -> Callable[..., Any]:
    """A function of a BatchInfo that gives the number of rows of a batch, checked."""
    if _parameters(batch_size) not in (None, 1):
        raise check.fail(ValueError, owner, "batch_size", "a number or a function of one argument", batch_size)
    if before.is_sync():
        raise PipelineError(
            f"For '{owner}', the 'batch_size' must be a number where a 'sync_wait' stands before, which counts "
            "batches, but got a function."
        )
    return batch_size


def size_now(owner: str, batch_size: Any, number: int, run: Run) -> int:
    """The rows of one batch."""
    if not callable(batch_size):
        return batch_size
    size = batch_size(BatchInfo(number, run.epoch))
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise PipelineError(
            f"For '{owner}', the 'batch_size' function must give a positive int, but gave {size!r}."
        )
    return size


def _parameters(function: Callable[..., Any]) -> int | None:
    """Number of positional parameters, None where it is not fixed or not known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind == p.VAR_POSITIONAL or p.default is not p.empty for p in parameters):
        return None
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
