"""Operations that join rows into batches."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.block import (
    Block,
    Column,
    as_array,
    as_value,
    given,
    joined,
    rows_of,
    stacked,
)
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import chain
from mindspore.dataset.execution.run import Run, workers_of
from mindspore.dataset.execution.streams import begin_anew
from mindspore.dataset.operations.columns import positions
from mindspore.dataset.operations.user import placed, renamed_columns, user_error

MANY = 2**19  # bytes of a block of batches, about


class BatchInfo:
    """What a batch function may ask: the number of the batch in its pass, and of the pass."""

    def __init__(self, batch_num: int = 0, epoch_num: int = 0):
        self._batch_num, self._epoch_num = batch_num, epoch_num

    def get_batch_num(self) -> int:
        """Number of the batch in its pass, from 0."""
        return self._batch_num

    def get_epoch_num(self) -> int:
        """Number of the pass, from 0."""
        return self._epoch_num


class BatchDataset(Dataset):
    """`batch_size` rows joined into one along a new first axis.

    Args:
        batch_size: Number of rows, or a function of a BatchInfo that gives it.
        drop_remainder: Leave out the last batch if it has fewer rows.
        per_batch_map: Function of the lists of arrays of the input columns and a BatchInfo, which gives the lists (or
            whole arrays) of the output columns.
        input_columns: Columns for `per_batch_map`.
        output_columns: Names of what it gives, if not those of the input columns.
        python_multiprocessing: Call `per_batch_map` in processes instead of threads.
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
        self.batch_size = batch_size if callable(batch_size) else _batch_size(batch_size)
        if callable(batch_size) and _parameters(batch_size) not in (None, 1):
            raise check.fail(
                ValueError,
                "batch",
                "batch_size",
                "a number or a function of one argument",
                batch_size,
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
        self.max_rowsize = check.rowsize(
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
        return 1 if callable(self.batch_size) else self.batch_size

    def blocks(self, run: Run) -> Iterator[Block]:
        return self.blocks_after(run, 0)

    def blocks_after(self, run: Run, skip: int) -> Iterator[Block]:
        if chain.starts(self, run):
            return chain.blocks(self, run, skip)
        return chain.without(self._blocks(run), skip)

    def stage(self) -> chain.Stage | None:
        if callable(self.batch_size) or self.per_batch_map is not None:
            return None
        step = Batches(self.column_names(), self.batch_size, self.drop_remainder)
        return chain.Stage(
            f"batch {self.batch_size}",
            chain.Always(step),
            size=self.batch_size,
            drops=self.drop_remainder,
        )

    def _blocks(self, run: Run) -> Iterator[Block]:
        names = self.children[0].column_names()
        self.column_names()
        if run.block_rows is not None and not callable(
            self.batch_size
        ):  # a batch needs its rows at once
            source = self.children[0].blocks(_with_rows(run.child(), self.batch_size))
        else:
            source = self.children[0].blocks(run.child())
        if callable(self.batch_size) or self.per_batch_map is not None:
            groups = self._groups(source, run)
            finish = functools.partial(self._batch, names, run)
            processes = self.processes and self.per_batch_map is not None
            yield from (run.by_processes if processes else run.map)(finish, groups, self._workers())
        else:
            yield from _batches(source, names, self.batch_size, self.drop_remainder, run.block_rows)

    def _workers(self) -> int:
        """Python code does not gain from threads: one, unless more are asked for."""
        if self.num_parallel_workers is None and not self.processes:
            return 1
        return workers_of(self.num_parallel_workers)

    def _groups(self, blocks: Iterator[Block], run: Run) -> Iterator[tuple[int, int, Block]]:
        """Pass, number and rows of each batch."""
        pending, number = _Pending(), 0
        for block in blocks:
            pending.add(block)
            while pending.rows >= (size := self._size(number, run)):
                yield run.epoch, number, pending.take(size)
                number += 1
        if pending.rows and not self.drop_remainder:
            yield run.epoch, number, pending.take(pending.rows)

    def _size(self, number: int, run: Run) -> int:
        if not callable(self.batch_size):
            return self.batch_size
        size = self.batch_size(BatchInfo(number, run.epoch))
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise PipelineError(
                f"For 'batch', the 'batch_size' function must give a positive int, but gave {size!r}."
            )
        return size

    def _batch(self, names: list[str], run: Run, group: tuple[int, int, Block]) -> Block:
        epoch, number, block = group  # the processes of one pass work in the others, too
        columns = block.columns
        if self.per_batch_map is not None:
            begin_anew(run.during(epoch).key(), number)
            columns = self._mapped(names, columns, BatchInfo(number, epoch))
            names = self.column_names()
        arrays = [_array(name, column, number) for name, column in zip(names, columns, strict=True)]
        return Block(number, 1, [array[None] for array in arrays])

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
    check.integer("batch", "batch_size", value)
    if value < 1:
        raise PipelineError(f"For 'batch', the 'batch_size' must be positive, but got {value}.")
    return int(value)


def _parameters(function: Callable[..., Any]) -> int | None:
    """Number of positional parameters, None where it is not fixed or not known."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind == p.VAR_POSITIONAL or p.default is not p.empty for p in parameters):
        return None
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def _with_rows(run: Run, rows: int) -> Run:
    import dataclasses  # used here only

    return dataclasses.replace(run, block_rows=min(rows, 256))


class _Pending:
    """Rows that wait until there are enough for a batch."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self.rows = 0

    def add(self, block: Block) -> None:
        self._blocks.append(block)
        self.rows += block.count

    def take(self, count: int) -> Block:
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
        return Block(taken[0].start, count, columns)


def _batches(
    blocks: Iterator[Block], names: list[str], size: int, drop: bool, most: int | None
) -> Iterator[Block]:
    """Blocks of batches; as many batches in a block as the rows that come in and their bytes suggest."""
    pending, start, together = _Pending(), 0, 1
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

    def __call__(self, block: Block) -> Block:
        size = self.size
        full, rest = divmod(block.count, size)
        start, count = block.start // size, full + bool(rest and not self.drop)
        columns: list[Column] = []
        for name, column in zip(self.names, block.columns, strict=True):
            if isinstance(column, np.ndarray) and not rest:
                columns.append(column.reshape(full, size, *column.shape[1:]))
                continue
            parts = [column[i * size : (i + 1) * size] for i in range(count)]
            columns.append([_array(name, part, start + i) for i, part in enumerate(parts)])
        return Block(start, count, columns, block.failed)


def _together(block: Block, size: int) -> int:
    """Batches worth joining at once."""
    row_bytes = (
        sum(
            column.nbytes if isinstance(column, np.ndarray) else sum(row.nbytes for row in column)
            for column in block.columns
        )
        // block.count
    )
    return max(1, min(8, MANY // max(1, row_bytes * size)))


def _joined_batches(block: Block, names: list[str], size: int, start: int) -> Block:
    """The rows of a block as its batches: `size` rows each, or all of them if they are fewer."""
    size = min(size, block.count)
    count = block.count // size
    columns: list[Column] = []
    for name, column in zip(names, block.columns, strict=True):
        if isinstance(column, np.ndarray):
            columns.append(column.reshape(count, size, *column.shape[1:]))
        else:
            columns.append(
                [_array(name, column[i * size : (i + 1) * size], start + i) for i in range(count)]
            )
    return Block(start, count, columns)


def _array(name: str, column: Column, number: int) -> np.ndarray:
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


class PaddedBatchDataset(Dataset):
    """Rows joined into batches after padding: `pad_info` = {column: (shape, value)}, None in a shape: the longest."""

    def __init__(
        self,
        input_dataset: Dataset,
        batch_size: int,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict | None = None,
    ):
        super().__init__(input_dataset, num_parallel_workers)
        self.batch_size = check.integer(
            "padded_batch", "batch_size", batch_size, 1, check.INT32_MAX
        )
        self.drop_remainder = check.boolean("padded_batch", "drop_remainder", drop_remainder)
        self.pad_info = check.optional(_pad_info, "padded_batch", "pad_info", pad_info)

    row_count = BatchDataset.row_count
    get_batch_size = BatchDataset.get_batch_size

    def blocks(self, run: Run) -> Iterator[Block]:
        names = self.children[0].column_names()
        positions("padded_batch", list(self.pad_info or {}), names)
        pending, number = _Pending(), 0
        for block in self.children[0].blocks(run.child()):
            pending.add(block)
            while pending.rows >= self.batch_size:
                yield padded(pending.take(self.batch_size), names, self.pad_info, number)
                number += 1
        if pending.rows and not self.drop_remainder:
            yield padded(pending.take(pending.rows), names, self.pad_info, number)


def _pad_info(owner: Any, name: str, value: Any) -> dict[str, tuple[Any, Any]]:
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
            check.optional(check.integer, owner, name, length, 1)
    return value


def padded(
    block: Block, names: list[str], pad_info: dict | None, number: int, longest: int | None = None
) -> Block:
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
        columns.append(_array(name, column, number)[None])
    return Block(number, 1, columns)


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
