"""Iterators over the rows of a dataset."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset import config, live
from mindspore.dataset.block import RowBlock, row_of
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.feed import Feed
from mindspore.dataset.execution.report import Report, report
from mindspore.dataset.execution.run import Shared

META = "_meta-"  # columns of this prefix are not given, unless they are renamed


class Iterator:
    """Rows of a dataset, pass after pass: each `for` over the same iterator reads one pass.

    Args:
        dataset: What to read.
        num_epochs: Number of passes, -1 for no end.
        output_numpy: NumPy arrays instead of Tensors.
        do_copy: Tensors and arrays that share no memory with the pipeline.
    """

    def __init__(
        self, dataset: Any, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ):
        check.integer(self, "num_epochs", num_epochs, None, check.INT32_MAX)
        if num_epochs == 0 or num_epochs < -1:
            raise PipelineError(
                f"For '{type(self).__name__}', the 'num_epochs' must be -1 or positive, "
                f"but got {num_epochs}."
            )
        self._output_numpy = check.boolean(self, "output_numpy", output_numpy)
        self._copy = (
            check.boolean(self, "do_copy", do_copy) or config.get_iterator_mode()["do_copy"]
        )
        self.dataset = dataset
        names = dataset.get_col_names()
        self._given = [i for i, name in enumerate(names) if not name.startswith(META)]
        self._names = [names[i] for i in self._given]
        self._num_epochs = num_epochs
        self._passes_begun = 0
        self._feed: Feed | None = None
        self._blocks: Any = None
        self._block: RowBlock | None = None
        self._index = 0
        self._stopped = False
        self._convert = _to_numpy if output_numpy else _to_tensor()
        live.entered(self)

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        while self._block is None or self._index >= self._block.count:
            self._next_block()
        columns = self._block.columns
        row = [row_of(columns[i], self._index) for i in self._given]
        self._index += 1
        if self._copy:
            row = [array.copy() for array in row]
        return self._shape_row(
            [
                self._convert(array) if array.dtype.kind != "O" else self._of_dict(array.item())
                for array in row
            ]
        )

    def _of_dict(self, value: Any) -> Any:
        """A dict, and the containers in it, with arrays or Tensors for numbers and text; other objects unchanged."""
        if isinstance(value, dict):
            return {key: self._of_dict(part) for key, part in value.items()}
        if type(value) in (list, tuple):
            return type(value)([self._of_dict(part) for part in value])
        if isinstance(value, (bool, int, float, complex, str, np.generic)):
            value = np.array(value)
        elif isinstance(value, np.ndarray):
            value = value.copy()
        return self._convert(value) if isinstance(value, np.ndarray) and value.dtype.kind != "O" else value

    def _next_block(self) -> None:
        if self._stopped:
            raise StopIteration
        if self._blocks is None:
            self._blocks = self._begin_pass()
        self._index = 0
        self._block = next(self._blocks, None)
        if self._block is None:
            self._blocks = None
            raise StopIteration

    def _begin_pass(self) -> Any:
        if self._feed is None:
            self.begin(self.dataset.start())
        feed: Any = self._feed
        if 0 < self._num_epochs <= self._passes_begun:
            raise PipelineError(
                f"The iterator was created for {self._num_epochs} passes (num_epochs), and all of them "
                "are read. Create it with more, or create a new one."
            )
        self._passes_begun += 1
        return feed.blocks()

    def begin(self, start: dict[str, int]) -> dict[str, int]:
        """Begin to prepare rows before one is asked for: from the pass `first` on, without the first `skip` rows of it.

        Returns:
            `start` with the `seed` that gives the same rows in the same order again.
        """
        self._feed = Feed(self.dataset, self._num_epochs, **start)
        if self._stopped:  # by another thread, meanwhile
            self._feed.stop()
        return {**start, "seed": self._feed.seed}

    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    def waiting(self) -> int:
        """Number of rows that are ready."""
        begun = 0 if self._block is None else max(0, self._block.count - self._index)
        return begun + (0 if self._feed is None else self._feed.waiting())

    def _shape_row(self, row: list[Any]) -> Any:
        raise NotImplementedError

    def get_col_names(self) -> list[str]:
        """Names of the columns, in order."""
        return list(self._names)

    def report(self) -> Report:
        """Times of the steps of the pipeline so far; printed, a table."""
        if self._feed is None:
            return report(Shared())
        return report(self._feed.shared)

    def get_error_samples(self) -> int:
        """Rows so far that were left out or replaced (`config.set_error_samples_mode`)."""
        return 0 if self._feed is None else self._feed.shared.failed

    def stop(self) -> None:
        """End the threads of the pipeline; the iterator gives no more rows."""
        self._stopped, self._block, self._blocks = True, None, None
        if self._feed is not None:
            self._feed.stop()

    release = stop
    terminate = stop


class DictIterator(Iterator):
    """Rows as dicts from column name to Tensor or array.

    Args:
        dataset: What to read.
        num_epochs: Number of passes, -1 for no end.
        output_numpy: NumPy arrays instead of Tensors.
        do_copy: Tensors and arrays that share no memory with the pipeline.

    Examples:
        >>> for row in dataset.NumpySlicesDataset({"x": [1, 2]}, shuffle=False).create_dict_iterator(1):
        ...     print(row["x"])
        1
        2
    """

    def _shape_row(self, row: list[Any]) -> dict[str, Any]:
        return dict(zip(self._names, row, strict=True))


class TupleIterator(Iterator):
    """Rows as lists of Tensors or arrays, in the order of `columns` or of the dataset.

    Args:
        dataset: What to read.
        columns: Their names in the order wanted; None: all.
        num_epochs: Number of passes, -1 for no end.
        output_numpy: NumPy arrays instead of Tensors.
        do_copy: Tensors and arrays that share no memory with the pipeline.

    Examples:
        >>> for (x,) in dataset.NumpySlicesDataset({"x": [1, 2]}, shuffle=False).create_tuple_iterator(num_epochs=1):
        ...     print(x)
        1
        2
    """

    def __init__(
        self,
        dataset: Any,
        columns: Any = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ):
        if columns is not None:
            dataset = dataset.project(check.names(self, "columns", columns))
        super().__init__(dataset, num_epochs, output_numpy, do_copy)

    def _shape_row(self, row: list[Any]) -> list[Any]:
        return row


def _to_numpy(array: np.ndarray) -> np.ndarray:
    return array


def _to_tensor() -> Any:
    from mindspore import Tensor  # with its methods; the pipelines themselves run without torch

    def convert(array: np.ndarray) -> Any:
        if array.dtype.kind in "US":
            return array  # a Tensor holds numbers only
        flags, dtype = array.flags, array.dtype
        if not (
            flags.c_contiguous and flags.writeable and dtype.isnative
        ):  # a Tensor shares plain memory only
            array = np.array(array, dtype.newbyteorder("="), order="C")
        return Tensor.from_numpy(array)

    return convert
