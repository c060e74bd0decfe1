"""`map`: transforms and functions of the program, applied to columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from mindspore.dataset import callback, config
from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import chain
from mindspore.dataset.execution.memory import rowsize
from mindspore.dataset.execution.run import Run, workers_of
from mindspore.dataset.operations.columns import positions
from mindspore.dataset.operations.map_step import MapPlan, notes
from mindspore.dataset.operations.user import renamed_columns
from mindspore.dataset.transforms.base import TensorOperation, of_program
from mindspore.dataset.transforms.compose import Compose


@method("map")
class MapDataset(Dataset):
    """Transforms and Python functions applied to columns of every row, one after the other.

    Args:
        input_dataset: The dataset before.
        operations: One or a list of them: transforms, or functions of the arrays of the input columns that give an
            array, or a tuple of arrays.
        input_columns: Columns for the first operation; default: the first column.
        output_columns: Names of what the last one gives; default: those of the input columns.
        num_parallel_workers: Threads. The default is the number in `config` for transforms, and one where Python
            functions take part, which threads seldom help.
        python_multiprocessing: Processes instead of threads.
        cache: A DatasetCache that keeps the results for later passes.
        callbacks: DSCallback or list of them; the pipeline then works row by row.
        max_rowsize: Size of shared memory, which is not needed here.
        offload: Whether the device does the work; None for the setting in `config`. Where the CPU is the device, the
            workers do it in any case.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2], shuffle=False).map(lambda x: x * 10)
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [10, 20]
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
                error = check.fail(ValueError, "map", "operations", "transforms or functions", operation)
                raise ValueError(f"{error} Parameter operations's element of method map should be a python function "
                                 f"or class method which should be callable, but got: {operation}.")
            if isinstance(operation, type):
                raise ValueError("For 'map', Parameter operations's element of method map should be a dataset "
                                 f"processing operation instance, but got: {operation}. It may be missing parentheses.")
        self.operations = flat(operations)
        self.input_columns = _columns("input_columns", input_columns)
        self.output_columns = _columns("output_columns", output_columns)
        self.processes = check.boolean("map", "python_multiprocessing", python_multiprocessing)
        if cache is not None:
            self._check_cached()
        self.callbacks = callback.checked("map", callbacks) if callbacks else []
        rowsize("map", max_rowsize)
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

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        return self.blocks_after(run, 0)

    def blocks_after(self, run: Run, skip: int) -> Iterator[RowBlock]:
        if self.callbacks:
            return chain.without(self._watched(run), skip)
        return chain.blocks(self, run, skip)

    def is_paced(self) -> bool:
        return bool(self.callbacks) or super().is_paced()

    def _watched(self, run: Run) -> Iterator[RowBlock]:
        """The rows one by one, with calls of the callbacks while they are read."""
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
            python=any(map(of_program, self.operations)),
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
        program = any(map(of_program, self.operations))
        if self.num_parallel_workers is None and program and not self.processes:
            return 1
        return workers_of(self.num_parallel_workers)


def flat(operations: list[Any]) -> list[Any]:
    """Operations with those of `Compose` in its place, so that each can work on many rows."""
    result: list[Any] = []
    for operation in operations:
        result += flat(operation.transforms) if type(operation) is Compose else [operation]
    return result


def _columns(name: str, value: Any) -> list[str] | None:
    """Names of columns; None means the default, as an empty list of output columns does."""
    check.optional(check.instance, "map", name, value, (str, list))
    default = value is None or (not value and name == "output_columns")
    return None if default else check.names("map", name, value)
