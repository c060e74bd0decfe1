"""Operations that call transforms and Python functions: map, filter, flat_map."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset import callback, config
from mindspore.dataset.block import Block, Column, as_array, choose, row_of, rows_of, stacked
from mindspore.dataset.cache import CachedStep, DatasetCache
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import chain
from mindspore.dataset.execution.run import Run, workers_of
from mindspore.dataset.execution.streams import Streams, begin_anew
from mindspore.dataset.operations.columns import positions
from mindspore.dataset.operations.user import placed, renamed_columns, user_error
from mindspore.dataset.transforms import random
from mindspore.dataset.transforms.base import TensorOperation
from mindspore.dataset.transforms.compose import Compose


class MapDataset(Dataset):
    """Transforms and Python functions applied to columns of every row, one after the other.

    Args:
        operations: One or a list of them: transforms, or functions of the arrays of the input columns that give an
            array, or a tuple of arrays.
        input_columns: Columns for the first operation; default: the first column.
        output_columns: Names of what the last one gives; default: those of the input columns.
        num_parallel_workers: Threads. The default is the number in `config` for transforms, and one where Python
            functions take part, which threads seldom help.
        python_multiprocessing: Processes instead of threads.
        callbacks: DSCallback or list of them; the pipeline then works row by row.
        offload: Whether the device does the work; None for the setting in `config`. Where the CPU is the device, it is
            the workers that do it either way.
        max_rowsize: Size of shared memory, which is not needed here.
    """

    def __init__(
        self,
        input_dataset: Dataset,
        operations: Any = None,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Any = None,
        max_rowsize: Any = None,
        offload: Any = None,
    ):
        super().__init__(input_dataset, num_parallel_workers, cache)
        operations = list(operations) if isinstance(operations, (list, tuple)) else [operations]
        if not operations:
            raise PipelineError("For 'map', the 'operations' must not be empty.")
        for operation in operations:
            if not callable(operation):
                raise check.fail(
                    ValueError, "map", "operations", "transforms or functions", operation
                )
        self.operations = flat(operations)
        self.input_columns = _columns("input_columns", input_columns)
        self.output_columns = _columns("output_columns", output_columns)
        self.processes = check.boolean("map", "python_multiprocessing", python_multiprocessing)
        if cache is not None:
            self._check_cached()
        self.callbacks = callback.checked("map", callbacks) if callbacks else []
        check.rowsize("map", max_rowsize)
        config.check_offload("map", check.optional(check.boolean, "map", "offload", offload))

    def _check_cached(self) -> None:
        """Refuse to keep rows that are not the same in every pass, or that nothing tells apart."""
        for operation in self.operations:
            if isinstance(operation, TensorOperation) and operation.random:
                raise PipelineError(
                    f"For 'map' with 'cache', the operations must not draw at random, but "
                    f"'{operation.name}' does. Put it into a 'map' of its own, after this one."
                )
        if self.processes or not chain.numbered(self.children[0]):
            raise PipelineError(
                "For 'map' with 'cache', there must be only 'map', 'project' and 'rename' without "
                "processes between it and a source whose rows have numbers, such as ImageFolderDataset."
            )

    def _inputs(self) -> list[str]:
        return self.input_columns or self.children[0].column_names()[:1]

    def column_names(self) -> list[str]:
        names, inputs = self.children[0].column_names(), self._inputs()
        positions("map", inputs, names)
        return renamed_columns(names, inputs, self.output_columns or inputs)

    def blocks(self, run: Run) -> Iterator[Block]:
        return self.blocks_after(run, 0)

    def blocks_after(self, run: Run, skip: int) -> Iterator[Block]:
        if self.callbacks:
            return chain.without(self._watched(run), skip)
        return chain.blocks(self, run, skip)

    def is_paced(self) -> bool:
        return bool(self.callbacks) or super().is_paced()

    def _watched(self, run: Run) -> Iterator[Block]:
        """The rows one by one, with calls of the callbacks where somebody reads them."""
        step = self._plan()(run)
        blocks = self.children[0].blocks(dataclasses.replace(run.child(), block_rows=1))
        callbacks = [] if run.shared is None else self.callbacks
        counts: dict[Any, int] = {} if run.shared is None else run.shared.counts
        for block in callback.watched(callbacks, blocks, step, run.epoch, counts.get(run.place, 0)):
            counts[run.place] = counts.get(run.place, 0) + 1
            yield block

    def stage(self) -> chain.Stage | None:
        self.column_names()
        if self.callbacks:
            return None
        return chain.Stage(
            f"map {', '.join(self._inputs())}",
            self._plan(),
            workers=self._workers(),
            processes=self.processes,
            python=not all(isinstance(op, TensorOperation) for op in self.operations),
            cached=self.cache is not None,
            notes=notes(self.operations),
            fewer=config.get_error_samples_mode() is config.ErrorSamplesMode.SKIP,
        )

    def _plan(self) -> MapPlan:
        return MapPlan(
            self.operations,
            self.children[0].column_names(),
            self._inputs(),
            self.output_columns or self._inputs(),
            self.cache,
            self._shelf or 0,
        )

    def _workers(self) -> int:
        python = not all(isinstance(operation, TensorOperation) for operation in self.operations)
        if self.num_parallel_workers is None and python and not self.processes:
            return 1
        return workers_of(self.num_parallel_workers)


def flat(operations: list[Any]) -> list[Any]:
    """Operations with those of `Compose` in its place, so that each can work on many rows."""
    result: list[Any] = []
    for operation in operations:
        result += flat(operation.transforms) if type(operation) is Compose else [operation]
    return result


@dataclasses.dataclass
class MapPlan:
    """A `map` before a pass; can be sent to another process."""

    operations: list[Any]
    names: list[str]
    inputs: list[str]
    outputs: list[str]

    cache: DatasetCache | None = None
    shelf: int = 0

    def __call__(self, run: Run) -> Any:
        step = MapStep(
            keyed(self.operations, run), self.names, self.inputs, self.outputs, run.optimise
        )
        return step if self.cache is None else CachedStep(step, self.cache, self.shelf)


@dataclasses.dataclass(slots=True)
class Keyed:
    """An operation, and the number that sets its random streams apart from those of others."""

    function: Any
    key: int


def hooked(operations: list[Any]) -> list[Any]:
    """Operations with the hooks of the debug mode between them."""
    hooks = config.debug_hooks()
    if not hooks:
        return operations
    result: list[Any] = [_Hooked(hooks, None)]
    for operation in operations:
        result += [operation, _Hooked(hooks, getattr(operation, "name", None) or repr(operation))]
    return result


class _Hooked:
    """Hooks of the debug mode at one place of a `map`."""

    def __init__(self, hooks: list[config.DebugHook], before: str | None):
        self._hooks, self._before = hooks, before

    def __call__(self, *values: Any) -> Any:
        for hook in self._hooks:
            hook.set_previous_op_name(self._before)
            hook.set_is_first(self._before is None)
            result = hook(*values)
            values = result if isinstance(result, tuple) else (result,)
        return values


def _columns(name: str, value: Any) -> list[str] | None:
    """Names of columns; None stands for the default, as an empty list of output columns does."""
    check.optional(check.instance, "map", name, value, (str, list))
    default = value is None or (not value and name == "output_columns")
    return None if default else check.names("map", name, value)


def keyed(operations: list[Any], run: Run) -> list[Keyed]:
    """Operations with their random keys; joined as by `faster` where the run allows it."""
    operations = hooked(operations)
    if not run.optimise:
        return [Keyed(operation, run.key(place)) for place, operation in enumerate(operations)]
    return [Keyed(operation, run.key(place)) for place, operation in faster(operations)]


def faster(operations: list[Any]) -> list[tuple[int, Any]]:
    """Operations with neighbours joined where that is faster and gives the same; each with the place it begins at."""
    result: list[tuple[int, Any]] = []
    place = 0
    while place < len(operations):
        first, count = operations[place], 1
        if isinstance(first, TensorOperation):
            first, count = first.joined(operations[place + 1 :])
        result.append((place, first))
        place += count
    return result


def notes(operations: list[Any]) -> tuple[str, ...]:
    """What each operation of a `map` works on, in words."""
    found = []
    for _, operation in faster(operations):
        name = getattr(operation, "name", None) or getattr(
            operation, "__qualname__", type(operation).__name__
        )
        table = " through a table of the levels" if " + " in name else ""
        whole = "all rows of a block at once" if _prefers_whole(operation) else "row by row"
        found.append(f"{name}: {whole}{table}")
    return tuple(found)


class MapStep:
    """The work of a `map` on one block."""

    def __init__(
        self,
        operations: list[Keyed],
        names: list[str],
        inputs: list[str],
        outputs: list[str],
        stacks: bool,
    ):
        self.operations, self.names, self.inputs, self.outputs = operations, names, inputs, outputs
        self.places = [names.index(name) for name in inputs]
        self.stacks = stacks
        self.mode = config.get_error_samples_mode()
        self._python = not all(isinstance(op.function, TensorOperation) for op in operations)
        self._draws = not all(
            type(op.function).__call__ is TensorOperation.__call__ and not op.function.random
            for op in operations
        )

    def __call__(self, block: Block) -> Block:
        inputs = [block.columns[place] for place in self.places]
        streams = (
            Streams(np.arange(block.start, block.start + block.count)) if self._draws else None
        )
        with random.using(streams):
            values, rows, failed = self._apply(
                inputs, list(range(block.count)), block.start, streams
            )
        if len(values) != len(self.outputs):
            raise PipelineError(
                f"For 'map', the operations must give as many columns as 'output_columns' names, "
                f"{self.outputs}, but gave {len(values)} at row {block.start}."
            )
        values = [_final(column, block.start) for column in values]
        columns = (
            block.columns
            if len(rows) == block.count
            else [choose(column, rows) for column in block.columns]
        )
        columns = placed(self.names, columns, self.inputs, self.outputs, values)
        numbers = block.numbers
        if numbers is not None and len(rows) < block.count:
            numbers = numbers[rows]
        return Block(block.start, len(rows), columns, block.failed + failed, numbers)

    def _apply(
        self, columns: list[Column], rows: list[int], start: int, streams: Streams | None
    ) -> tuple[list[Column], list[int], int]:
        """The columns after all operations, the rows that are left, and how many failed."""
        rest, failed = self.operations, 0
        while rest and rows:
            whole = self._together(rest[0], columns, rows, streams)
            if whole is not None:
                columns, rest = [whole], rest[1:]
                continue
            count = next((i for i, op in enumerate(rest) if i and self._whole(op)), len(rest))
            before = len(rows)
            columns, rows, good = self._by_row(rest[:count], columns, rows, start, streams)
            rest, failed = rest[count:], failed + before - good
        return (columns, rows, failed) if rows else ([[] for _ in self.outputs], rows, failed)

    def _whole(self, operation: Keyed) -> bool:
        return self.stacks and _prefers_whole(operation.function)

    def _together(
        self, operation: Keyed, columns: list[Column], rows: list[int], streams: Streams | None
    ) -> Column | None:
        """All rows transformed at once; None where that is not possible."""
        if len(columns) != 1 or not self._whole(operation):
            return None
        if streams is not None:
            if operation.function.random and len(rows) != streams.count:  # rows were left out
                return None
            streams.begin(operation.key)
        try:
            return operation.function.apply_whole(columns[0])
        except Exception:
            return None  # row by row finds the row to name

    def _by_row(
        self,
        operations: list[Keyed],
        columns: list[Column],
        rows: list[int],
        start: int,
        streams: Streams | None,
    ) -> tuple[list[Column], list[int], int]:
        """The columns after some operations, the rows that are left, and how many did not fail."""
        results: dict[int, tuple] = {}
        for row, values in zip(
            rows, zip(*[rows_of(column) for column in columns], strict=True), strict=True
        ):
            if self._python:
                begin_anew(operations[0].key, start + row)
            try:
                results[row] = _applied(operations, values, start, row, streams)
            except Exception:
                if self.mode is config.ErrorSamplesMode.RETURN:
                    raise
        good = list(results)
        if self.mode is config.ErrorSamplesMode.SKIP or not good:
            rows = good
        elif len(good) < len(rows):
            results = {
                row: results.get(row, results[min(good, key=lambda g: abs(g - row))])
                for row in rows
            }
        counts = {len(values) for values in results.values()}
        if len(counts) > 1:
            raise PipelineError(
                "For 'map', the operations must give the same number of values for every row, but gave "
                f"{sorted(counts)} in the rows from {start} on."
            )
        return [list(column) for column in zip(*results.values(), strict=True)], rows, len(good)


def _prefers_whole(operation: Any) -> bool:
    return isinstance(operation, TensorOperation) and (
        type(operation).apply_stack is not TensorOperation.apply_stack
        or type(operation).apply_rows is not TensorOperation.apply_rows
    )


def _applied(
    operations: list[Keyed], values: tuple, start: int, row: int, streams: Streams | None
) -> tuple:
    """The values of one row after the operations."""
    number = start + row
    for keyed_operation in operations:
        operation = keyed_operation.function
        if streams is not None:
            streams.begin(keyed_operation.key, row)
        try:
            result = operation(*values)
        except Exception as error:
            raise user_error("map", operation, f"row {number}", error) from error
        if result is None:
            name = getattr(operation, "__qualname__", type(operation).__name__)
            raise PipelineError(
                f"For 'map', '{name}' must give an array or a tuple of arrays, but gave None at row "
                f"{number}."
            )
        values = result if isinstance(result, tuple) else (result,)
    return values


def _final(column: Column, start: int) -> Column:
    """What the last operation gave, as arrays; stacked if that costs little."""
    if isinstance(column, np.ndarray):
        return column
    try:
        arrays = [
            value if isinstance(value, np.ndarray) and value.dtype.kind != "O" else as_array(value)
            for value in column
        ]
    except TypeError as error:
        raise PipelineError(
            f"For 'map', the results from row {start} on cannot be read: {error}"
        ) from None
    # rows of strings differ in width, which makes stacking them dear
    plain = arrays[0].dtype.kind not in "US" or not arrays[0].ndim
    small = plain and arrays[0].nbytes <= 4096
    whole = stacked(arrays) if small else None
    return arrays if whole is None else whole


class FilterDataset(Dataset):
    """Only the rows for which `predicate` of the input columns is true."""

    def __init__(
        self,
        input_dataset: Dataset,
        predicate: Callable[..., Any],
        input_columns: Any = None,
        num_parallel_workers: int | None = None,
    ):
        super().__init__(input_dataset, num_parallel_workers)
        self.predicate = check.callable_("filter", "predicate", predicate)
        self.input_columns = check.optional(
            check.names, "filter", "input_columns", input_columns or None
        )

    def row_count(self) -> int | None:
        return None

    def blocks(self, run: Run) -> Iterator[Block]:
        names = self.children[0].column_names()
        chosen = positions("filter", self.input_columns or names, names)
        workers = 1 if self.num_parallel_workers is None else self.num_parallel_workers
        start = 0
        for block in run.map(
            lambda b: self._kept(b, chosen), self.children[0].blocks(run.child()), workers
        ):
            if block.count:
                yield Block(start, block.count, block.columns)
                start += block.count

    def _kept(self, block: Block, chosen: list[int]) -> Block:
        kept = []
        columns = [block.columns[i] for i in chosen]
        for i in range(block.count):
            try:
                keep = self.predicate(*[row_of(column, i) for column in columns])
            except Exception as error:
                raise user_error(
                    "filter", self.predicate, f"row {block.start + i}", error
                ) from error
            if not isinstance(keep, (bool, np.bool_, int, np.integer)) and np.shape(keep):
                raise PipelineError(
                    f"For 'filter', the 'predicate' must give a bool, but gave an array of shape "
                    f"{np.shape(keep)} at row {block.start + i}."
                )
            if keep:
                kept.append(i)
        return block if len(kept) == block.count else block.chosen(kept)


class FlatMapDataset(Dataset):
    """The rows of the datasets that a function makes of each row."""

    def __init__(self, input_dataset: Dataset, func: Callable[..., Dataset]):
        super().__init__(input_dataset)
        self.func = check.callable_("flat_map", "func", func)
        self._first: Dataset | None = None

    def row_count(self) -> int | None:
        return None

    def column_names(self) -> list[str]:
        if self._first is None:
            self._first = self._made(self.children[0]._first_row(), 0)
        return self._first.column_names()

    def _made(self, row: list[np.ndarray], number: int) -> Dataset:
        try:
            dataset = self.func(*row)
        except Exception as error:
            raise user_error("flat_map", self.func, f"row {number}", error) from error
        return check.instance("flat_map", "func(row)", dataset, Dataset)

    def blocks(self, run: Run) -> Iterator[Block]:
        start = 0
        for block in self.children[0].blocks(run.child()):
            for i in range(block.count):
                made = self._made(block.row(i), block.start + i)
                for part in made.blocks(run.child(block.start + i + 1)):
                    yield Block(start, part.count, part.columns)
                    start += part.count
