"""`PipelineNode`: what every step of a pipeline says of itself: its columns, its rows, how they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset._given import RecordedStep
from mindspore.dataset.block import RowBlock
from mindspore.dataset.cache import DatasetCache
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import chain
from mindspore.dataset.execution.chain import Stage, without
from mindspore.dataset.execution.pool import FLUSH, PASS_END
from mindspore.dataset.execution.run import Run


class PipelineNode(RecordedStep):
    """A source, or an operation on its children; `Dataset` adds the methods that make new ones.

    A subclass says which columns it has (`column_names`), how many rows (`row_count`) and how to read them (`blocks`).
    What it does not know it asks its children.
    """

    def __init__(
        self, children: Any = None, num_parallel_workers: int | None = None, cache: Any = None
    ):
        children = children or []
        self.children: list[Any] = (
            list(children) if isinstance(children, (list, tuple)) else [children]
        )
        self.num_parallel_workers = check.optional(
            check.integer, self, "num_parallel_workers", num_parallel_workers, 1, check.INT32_MAX
        )
        self.cache: DatasetCache | None = check.optional(
            check.instance, self, "cache", cache, DatasetCache
        )
        self._shelf = None if cache is None else cache.shelf(self)
        self._init_step = 0
        self._peeked: list[np.ndarray] | None = None
        self._counted: int | None = None

    # ---- what a subclass defines

    def column_names(self) -> list[str]:
        """Names of the columns of a row."""
        return self.children[0].column_names()

    def row_count(self) -> int | None:
        """Number of rows of a pass; None if only reading can tell."""
        return self.children[0].row_count()

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        """The rows of one pass."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'blocks' is not defined.")

    def blocks_after(self, run: Run, skip: int) -> Iterator[RowBlock]:
        """The rows of one pass after the first `skip`."""
        return without(self.blocks(run), skip) if skip else self.blocks(run)

    def passes(self, run: Run, turns: Iterable[Any]) -> Iterator[Any]:
        """The rows of several passes, with PASS_END after each; `turns` has the number and first row of each."""
        if chain.starts(self, run):
            yield from chain.passes(self, run, turns)
            return
        for turn in turns:
            if turn is not FLUSH:
                epoch, skip = turn
                yield from self.blocks_after(run.during(epoch), skip)
                yield PASS_END

    def stage(self) -> Stage | None:
        """What this node does with one block, for nodes that need no other rows than those of the block."""
        return None

    def is_by_number(self) -> bool:
        """Whether any row can be read by its number."""
        return False

    def parse(self, children: Any = None) -> Any:
        """What an iterator runs for this description: the description itself."""
        return self

    # ---- what is known of the rows

    def get_col_names(self) -> list[str]:
        """Names of the columns, in order."""
        return list(self.column_names())

    def get_dataset_size(self) -> int:
        """Number of rows of a pass (of batches, after `batch`).

        The rows are read once where nothing else tells.

        Returns:
            The number.

        Examples:
            >>> dataset.NumpySlicesDataset([1, 2, 3], shuffle=False).batch(2).get_dataset_size()
            2
        """
        count = self.row_count()
        if count is not None:
            return count
        if self._counted is None:
            self._counted = sum(block.count for block in self.blocks(Run(0)))
        return self._counted

    def output_shapes(self, estimate: bool = False) -> list[list[int | None]]:
        """Shape of each column: of the first row; with `estimate` None means lengths that differ between rows."""
        if not check.boolean("output_shapes", "estimate", estimate):
            return [list(array.shape) for array in self._first_row()]
        shapes: list[list[int | None]] = []
        for block in self.blocks(Run(0)):
            for i in range(block.count):
                shapes = _common_shapes(shapes, [list(array.shape) for array in block.row(i)])
        return shapes

    def output_types(self) -> list[np.dtype[Any]]:
        """NumPy type of each column, that of the first row; texts have it without their length."""
        return [np.dtype(array.dtype.type) for array in self._first_row()]

    def _first_row(self) -> list[np.ndarray]:
        if self._peeked is None:
            block = next(self.blocks(Run(0, parallel=False, block_rows=1)), None)
            if block is None:  # observed: no shapes and types without rows
                return []
            self._peeked = block.row(0)
        return self._peeked

    def get_batch_size(self) -> int:
        """Rows in a batch; 1 before `batch` and of several pipelines together, -1 if a function says how many.

        Returns:
            The number.

        Examples:
            >>> dataset.NumpySlicesDataset([1, 2, 3]).batch(2).get_batch_size()
            2
        """
        return self.children[0].get_batch_size() if len(self.children) == 1 else 1

    def get_repeat_count(self) -> int:
        """How often the rows are repeated; 1 for several pipelines together.

        Returns:
            The number; -1 for rows without end.

        Examples:
            >>> dataset.NumpySlicesDataset([1, 2, 3]).repeat(2).get_repeat_count()
            2
        """
        return self.children[0].get_repeat_count() if len(self.children) == 1 else 1

    def num_classes(self) -> int | None:
        """Number of classes, None where the source knows none.

        Returns:
            The number, an int, or None.

        Examples:
            >>> dataset.NumpySlicesDataset([1, 2, 3]).num_classes() is None
            True
        """
        return self.children[0].num_classes() if self.children else None

    def get_class_indexing(self) -> dict[str, Any]:
        """Class names and their labels, empty where the source knows none."""
        return self.children[0].get_class_indexing() if self.children else {}

    def is_shuffled(self) -> bool:
        """Whether the order of the rows is random."""
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self) -> bool:
        """Whether a source gives only its share of the rows."""
        return any(child.is_sharded() for child in self.children)

    def is_sync(self) -> bool:
        """Whether rows wait for `sync_update`."""
        return any(child.is_sync() for child in self.children)

    def is_paced(self) -> bool:
        """Whether rows must not be prepared ahead: they wait for signs, or callbacks want to know of each."""
        return self.is_sync() or any(child.is_paced() for child in self.children)

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        """By name of each `sync_wait`, the function that lets rows pass."""
        found: dict[str, Callable[..., None]] = {}
        for child in self.children:
            found.update(child.get_sync_notifiers())
        return found

    def disable_sync(self) -> None:
        """Let all rows pass from now on."""
        for child in self.children:
            child.disable_sync()

    @property
    def input_indexs(self) -> Any:
        """Columns that are the network's input (1.x)."""
        return getattr(self, "_input_indexs", ())

    @input_indexs.setter
    def input_indexs(self, value: Any) -> None:
        self._input_indexs = value

    def reset(self) -> None:
        """Forget what was found out by reading: the number of rows, shapes and types.

        Examples:
            >>> data = dataset.NumpySlicesDataset([1, 2, 3])
            >>> data.reset()
            >>> data.get_dataset_size()
            3
        """
        self._peeked = self._counted = None

    def set_init_step(self, init_step: int) -> None:
        """Let new iterators begin after `init_step` rows (steps), as if they had been read."""
        self._init_step = check.integer("set_init_step", "init_step", init_step, 0)

    def get_init_step(self) -> int:
        """Rows (steps) that new iterators leave out."""
        return self._init_step

    def start(self) -> dict[str, int]:
        """Where a new iterator begins: the pass, and the rows to leave out in it."""
        if not self._init_step:
            return {}
        passes, rows = divmod(self._init_step, max(self.get_dataset_size(), 1))
        return {"first": passes, "skip": rows}


def _common_shapes(
    known: list[list[int | None]], shapes: list[list[int | None]]
) -> list[list[int | None]]:
    if not known:
        return shapes
    for old, new in zip(known, shapes, strict=True):
        if len(old) != len(new):
            raise PipelineError(
                f"For 'output_shapes', the rows must have the same number of axes, but got {old} "
                f"and {new}."
            )
        for axis, length in enumerate(new):
            if old[axis] != length:
                old[axis] = None
    return known
