"""Rows for a training: prepared ahead in a bounded queue, from which `Model` takes them."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator
from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run
from mindspore.dataset.iterators import TupleIterator


@method("device_que")
class TransferDataset(Dataset):
    """What `device_que` makes of a dataset: `send` begins to fill a queue with its rows, `rows` takes them out.

    `Model.train` and `DatasetHelper` with sink make and use one; a program that writes its own loop may, too.
    The queue holds about `config.get_prefetch_size()` rows, as that of an iterator does.

    Args:
        input_dataset: Where the rows come from.
        send_epoch_end: Whether the rows of a pass end where the pass does; False: one pass follows the other.
        create_data_info_queue: Whether `get_data_info` may be asked.
        queue_name: A name, None or '' for one that nothing else has.

    Raises:
        RuntimeError: An iterator is wanted of it, or shapes and types, which the dataset below gives.

    Examples:
        >>> import mindspore.dataset as ds
        >>> queue = ds.NumpySlicesDataset([1, 2, 3], shuffle=False).device_que()
        >>> queue.send(num_epochs=1)
        >>> [int(row[0]) for row in queue.rows()]
        [1, 2, 3]
    """

    def __init__(
        self,
        input_dataset: Dataset,
        send_epoch_end: bool = True,
        create_data_info_queue: bool = False,
        queue_name: str = "",
    ):
        super().__init__(input_dataset)
        check.boolean("device_que", "send_epoch_end", send_epoch_end)
        check.boolean("device_que", "create_data_info_queue", create_data_info_queue)
        check.optional(check.string, "device_que", "queue_name", queue_name)
        self.queue_name = queue_name or uuid.uuid4().hex
        self._ends, self._informs = send_epoch_end, create_data_info_queue
        self._iterator: TupleIterator | None = None
        self._start: dict[str, int] = {}  # of the first row that was not taken
        self._epochs = -1
        self._taken = 0

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        return self.children[0].blocks(run.child())

    # ---- the side that fills the queue

    def send(self, num_epochs: int = -1) -> None:
        """Begin to prepare rows of `num_epochs` passes, -1 for no end.

        Raises:
            RuntimeError: Rows are sent already.
        """
        if self._iterator is not None:
            raise PipelineError(
                f"For 'send', the queue '{self.queue_name}' is being filled already. Call 'release' first."
            )
        self._begin(TupleIterator(self.children[0], None, num_epochs), num_epochs)
        self._taken = 0

    def stop_send(self) -> None:
        """Prepare no more rows; what waits in the queue is dropped, and `continue_send` makes it again."""
        if self._iterator is not None:
            self._iterator.stop()

    def continue_send(self) -> None:
        """Go on after `stop_send` with the row after the last one that was taken, in the order of before."""
        if self._iterator is not None and self._iterator.is_stopped():
            passes = self._epochs
            if passes > 0:
                passes -= self._start["first"] - self._first
            self._begin(TupleIterator(self.children[0], None, passes), self._epochs, self._start)

    def release(self) -> None:
        """End the threads and forget the rows; `send` begins anew."""
        self.stop_send()
        self._iterator = None

    def _begin(
        self, iterator: TupleIterator, epochs: int, start: dict[str, int] | None = None
    ) -> None:
        if start is None:
            start = {"first": 0, "skip": 0, **self.children[0].start()}
            self._first = start["first"]
        self._iterator, self._epochs = iterator, epochs
        self._start = iterator.begin(start)

    # ---- the side that takes rows

    def rows(self) -> Iterator[list[Any]]:
        """The rows of the next pass as lists of Tensors, taken from the queue as they are asked for.

        Raises:
            RuntimeError: `send` was not called, or all passes were taken.
        """
        for number in itertools.count():
            if number and self._ends:
                return
            iterator = self._sending("rows")
            for row in iterator:
                self._start["skip"] += 1
                self._taken += 1
                yield row
            if iterator.is_stopped():
                return
            self._start["first"] += 1
            self._start["skip"] = 0
            if 0 < self._epochs <= self._start["first"] - self._first and not self._ends:
                return

    def get_data_info(self) -> tuple[list[type], list[list[int | None]]]:
        """NumPy types and shapes of the columns of a row.

        Raises:
            RuntimeError: The queue was made without `create_data_info_queue`.
        """
        if not self._informs:
            raise PipelineError(
                "For 'get_data_info', the queue must be made with 'create_data_info_queue=True'."
            )
        return self.children[0].output_types(), self.children[0].output_shapes()

    def get_mbuf_queue_size(self) -> int:
        """Number of rows that wait in the queue."""
        return 0 if self._iterator is None else self._iterator.waiting()

    def get_send_info(self) -> tuple[int, float, float]:
        """Rows taken so far, the seconds that workers spent on rows, the seconds that the taker waited for them."""
        if self._iterator is None:
            return 0, 0.0, 0.0
        report = self._iterator.report()
        return self._taken, sum(seconds for _, _, seconds in report.stages), report.waited

    def _sending(self, asked: str) -> TupleIterator:
        if self._iterator is None:
            raise PipelineError(f"For '{asked}', rows must be sent before. Call 'send'.")
        return self._iterator

    def get_offload_model(self) -> Any:
        """A cell for what `map` leaves to the device, which is nothing here: it returns batches unchanged.

        Returns:
            The cell.

        Examples:
            >>> queue = dataset.NumpySlicesDataset({"x": [1.0, 2.0]}).device_que()
            >>> [x.tolist() for x in queue.get_offload_model()(Tensor([1.0, 2.0]))]
            [[1.0, 2.0]]
        """
        import mindspore  # whose tables of names lead to cells, as this package may not

        return mindspore.dataset.GetOffloadModel(self, self.get_col_names())

    # ---- what only the dataset below can do

    def create_tuple_iterator(self, *args: Any, **kwargs: Any) -> Any:
        """Not possible: the rows are taken from the queue.  RuntimeError."""
        raise self._refused("an iterator")

    def create_dict_iterator(self, *args: Any, **kwargs: Any) -> Any:
        """Not possible: the rows are taken from the queue.  RuntimeError."""
        raise self._refused("an iterator")

    def __iter__(self) -> Any:
        raise self._refused("an iterator")

    def output_shapes(self, estimate: bool = False) -> Any:
        """Not possible, see `get_data_info`.  RuntimeError."""
        raise self._refused("shapes")

    def output_types(self) -> Any:
        """Not possible, see `get_data_info`.  RuntimeError."""
        raise self._refused("types")

    def _refused(self, what: str) -> PipelineError:
        return PipelineError(
            f"For 'TransferDataset', {what} cannot be had: its rows go to a training. Ask the dataset "
            "before 'device_que'."
        )
