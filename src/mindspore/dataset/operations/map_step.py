"""The work of a `map` on one block of rows: transforms on all of them at once, Python functions row by row."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mindspore.core import log
from mindspore.dataset import config
from mindspore.dataset.block import Column, RowBlock, as_value, choose, given, packed, rows_of
from mindspore.dataset.cache import CachedStep, DatasetCache
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.execution.streams import Streams, begin_anew
from mindspore.dataset.operations.user import placed, user_error
from mindspore.dataset.transforms import random
from mindspore.dataset.transforms.base import TensorOperation, of_program


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
    program: bool = False  # whether functions of the program take part, which may draw as they please


def hooked(operations: list[Any]) -> list[Any]:
    """Operations with the hooks of the debug mode between them."""
    hooks = config.debug_hooks()
    if not hooks:
        return operations
    result: list[Any] = [_Hooked(hooks, _named(operations[0]), first=True)] if operations else []
    for operation in operations:
        result += [operation, _Hooked(hooks, _named(operation))]
    return result


def _named(operation: Any) -> str:
    function = getattr(operation, "function", operation)
    return getattr(operation, "name", None) or getattr(function, "__name__", None) or repr(operation)


class _Hooked:
    """Hooks of the debug mode at one place of a `map`."""

    def __init__(self, hooks: list[config.DebugHook], before: str, first: bool = False):
        self._hooks, self._before, self._first = hooks, before, first

    def __call__(self, *values: Any) -> Any:
        for hook in self._hooks:
            hook.set_previous_op_name(self._before)
            hook.set_is_first(self._first)
            result = hook(*values)
            values = result if isinstance(result, tuple) else (result,)
        return values


def keyed(operations: list[Any], run: Run) -> list[Keyed]:
    """Operations with their random keys; joined as by `faster` where the run allows it."""
    operations = hooked(operations)
    if not run.optimise:
        placed_operations = list(enumerate(operations))
    else:
        placed_operations = faster(operations)
    return [Keyed(operation, run.key(place), of_program(operation)) for place, operation in placed_operations]


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
        self._draws = not all(
            type(op.function).__call__ is TensorOperation.__call__ and not op.function.random
            for op in operations
        )

    def __call__(self, block: RowBlock) -> RowBlock:
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
        return RowBlock(block.start, len(rows), columns, block.failed + failed, numbers)

    def _apply(
        self, columns: list[Column], rows: list[int], start: int, streams: Streams | None
    ) -> tuple[list[Column], list[int], int]:
        """The columns after all operations, the rows that are left, and how many failed."""
        rest, failed = self.operations, 0
        while rest and rows:
            whole, error = self._together(rest[0], columns, rows, streams)
            if whole is not None:
                columns, rest = [whole], rest[1:]
                continue
            count = next((i for i, op in enumerate(rest) if i and self._whole(op)), len(rest))
            before = len(rows)
            columns, rows, good = self._by_row(rest[:count], columns, rows, start, streams)
            if error is not None and good == before:
                name = type(rest[0].function).__name__
                log.warning(
                    f"'{name}' failed on {before} rows at once and not row by row, which is slower. Please report it: "
                    f"{type(error).__name__}: {error}"
                )
            rest, failed = rest[count:], failed + before - good
        return (columns, rows, failed) if rows else ([[] for _ in self.outputs], rows, failed)

    def _whole(self, operation: Keyed) -> bool:
        return self.stacks and _prefers_whole(operation.function)

    def _together(
        self, operation: Keyed, columns: list[Column], rows: list[int], streams: Streams | None
    ) -> tuple[Column | None, Exception | None]:
        """All rows transformed at once; None where that is not possible, and the error if there was one."""
        if len(columns) != 1 or not self._whole(operation):
            return None, None
        if streams is not None:
            if operation.function.random and len(rows) != streams.count:  # rows were left out
                return None, None
            streams.begin(operation.key)
        try:
            return operation.function.apply_whole(columns[0]), None
        except Exception as error:  # any, of one row as a rule: `_by_row` names it; if no row has it, `_apply` warns
            return None, error

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
            try:
                results[row] = _applied(operations, values, start, row, streams)
            except Exception:  # of the user's function: `error_samples_mode` decides
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
    number, values = start + row, tuple([given(value) for value in values])
    for keyed_operation in operations:
        operation = keyed_operation.function
        if streams is not None:
            streams.begin(keyed_operation.key, row)
        if keyed_operation.program:
            begin_anew(keyed_operation.key, number)
        try:
            result = operation(*values)
        except Exception as error:  # of the user's function: raised again with its place
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
    if isinstance(column, np.ndarray) or not column:          # it failed on all rows
        return column
    try:
        arrays = [
            value if isinstance(value, np.ndarray) and value.dtype.kind != "O" else as_value(value)
            for value in column
        ]
    except TypeError as error:
        raise PipelineError(
            f"For 'map', the results from row {start} on cannot be read: {error}"
        ) from None
    # rows of strings differ in width, which makes stacking them dear
    plain = arrays[0].dtype.kind not in "US" or not arrays[0].ndim
    small = plain and arrays[0].nbytes <= 4096
    whole = packed(arrays) if small else None
    return arrays if whole is None else whole
