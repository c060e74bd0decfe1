"""Rows that wait for a sign of their reader."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.dataset import _check as check
from mindspore.dataset.block import Block
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run

LOOK = 0.05  # seconds between looks whether the reader has gone


class SyncWaitDataset(Dataset):
    """The rows of a dataset, of which more than `num_batch` come only after `sync_update`.

    Args:
        condition_name: Name for `sync_update`.
        num_batch: Rows (batches) that need no sign at the start of a pass, and that each sign allows.
        callback: Called by `sync_update` with its `data`.
    """

    def __init__(
        self,
        input_dataset: Dataset,
        condition_name: str,
        num_batch: int = 1,
        callback: Callable[..., Any] | None = None,
    ):
        super().__init__(input_dataset)
        self.condition_name = check.string("sync_wait", "condition_name", condition_name)
        self.num_batch = check.integer("sync_wait", "num_batch", num_batch, 1, check.INT32_MAX)
        self.callback = check.optional(check.callable_, "sync_wait", "callback", callback)
        if condition_name in input_dataset.get_sync_notifiers():
            raise PipelineError(
                f"For 'sync_wait', the 'condition_name' '{condition_name}' is in use already."
            )
        self._allowed = num_batch
        self._off = False
        self._changed = threading.Condition()

    def is_sync(self) -> bool:
        return not self._off

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        return {**super().get_sync_notifiers(), self.condition_name: self.release}

    def disable_sync(self) -> None:
        super().disable_sync()
        with self._changed:
            self._off = True
            self._changed.notify_all()

    def release(self, num_batch: int | None = None, data: Any = None) -> None:
        """Allow more rows, after the callback was called."""
        if self.callback is not None:
            self.callback(data)
        with self._changed:
            self._allowed += self.num_batch if num_batch is None else num_batch
            self._changed.notify_all()

    def blocks(self, run: Run) -> Iterator[Block]:
        with self._changed:
            self._allowed = self.num_batch
        given = 0
        for block in self.children[0].blocks(run.child()):
            for i in range(block.count):
                if run.shared is not None and not self._wait(given, run):
                    return
                yield block.part(i, i + 1)
                given += 1

    def _wait(self, given: int, run: Run) -> bool:
        """Wait until one row more than `given` is allowed; False if the reader has gone."""
        with self._changed:
            while given >= self._allowed and not self._off:
                if run.shared is not None and run.shared.closed:
                    return False
                self._changed.wait(LOOK)
        return True


def sync_update(dataset: Dataset, condition_name: str, num_batch: Any, data: Any) -> None:
    """Allow rows of the `sync_wait` with this name to pass."""
    if num_batch is not None and (
        isinstance(num_batch, bool) or not isinstance(num_batch, int) or num_batch < 1
    ):
        raise PipelineError(
            f"For 'sync_update', the 'num_batch' must be a positive int, but got {num_batch!r}."
        )
    notifiers = dataset.get_sync_notifiers()
    if condition_name not in notifiers:
        raise PipelineError(
            f"For 'sync_update', the 'condition_name' must be that of a 'sync_wait', one of "
            f"{list(notifiers)}, but got '{condition_name}'."
        )
    notifiers[condition_name](num_batch, data)
