"""`flat_map`: the rows of the datasets that a function of the program makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock, given
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.execution.run import Run
from mindspore.dataset.operations.user import user_error


@method("flat_map")
class FlatMapDataset(Dataset):
    """The rows of the datasets that a function makes of each row.

    Args:
        input_dataset: The dataset before.
        func: A function of the columns of a row that gives a dataset.

    Examples:
        >>> data = dataset.NumpySlicesDataset([1, 2], shuffle=False)
        >>> data = data.flat_map(lambda x: dataset.NumpySlicesDataset([int(x), int(x)], shuffle=False))
        >>> [x.item() for (x,) in data.create_tuple_iterator(output_numpy=True)]
        [1, 1, 2, 2]
    """

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
            dataset = self.func(*[given(array) for array in row])
        except Exception as error:  # of the user's function: raised again with its place
            raise user_error("flat_map", self.func, f"row {number}", error) from error
        return check.instance("flat_map", "func(row)", dataset, Dataset)

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        start = 0
        for block in self.children[0].blocks(run.child()):
            for i in range(block.count):
                made = self._made(block.row(i), block.start + i)
                for part in made.blocks(run.child(block.start + i + 1)):
                    yield RowBlock(start, part.count, part.columns)
                    start += part.count
