"""`filter`: only the rows for which a function of the program is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock, given, row_of
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.operations.columns import positions
from mindspore.dataset.operations.user import user_error


@method("filter")
class FilterDataset(Dataset):
    """Only the rows for which `predicate` of the input columns is true.

    Args:
        input_dataset: The dataset before.
        predicate: A function of the arrays of the input columns.
        input_columns: The names; None: all columns.
        num_parallel_workers: Threads; None: one.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2, 3], shuffle=False).filter(lambda x: x > 1)
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [2, 3]
    """

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
            check.names, "filter", "input_columns", input_columns
        )

    def row_count(self) -> int | None:
        return None

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        names = self.children[0].column_names()
        chosen = positions("filter", self.input_columns or names, names)
        workers = 1 if self.num_parallel_workers is None else self.num_parallel_workers
        start = 0
        below = self.children[0].blocks(run.child())
        for block in run.map(lambda b: self._kept(b, chosen), below, workers, "'filter'"):
            if block.count:
                yield RowBlock(start, block.count, block.columns)
                start += block.count

    def _kept(self, block: RowBlock, chosen: list[int]) -> RowBlock:
        kept = []
        columns = [block.columns[i] for i in chosen]
        for i in range(block.count):
            try:
                keep = self.predicate(*[given(row_of(column, i)) for column in columns])
            except Exception as error:  # of the user's function: raised again with its place
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
