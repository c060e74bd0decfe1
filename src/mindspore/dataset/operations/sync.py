"""Rows that wait for a sign of their reader."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from mindspore.core import log
from mindspore.dataset import checked as check
from mindspore.dataset import config
from mindspore.dataset._methods import method
from mindspore.dataset.block import RowBlock
from mindspore.dataset.dataset import Dataset
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution.run import Run, Shared

LOOK = 0.05  # seconds between looks whether the reader has gone
PATIENCE = 10  # seconds after which a reader is told that he waits for a row that waits for him


class BlockReleasePair:
    """A gate that lets some rows pass, and more after each sign.

    Args:
        init_release_rows: Rows that need no sign, and that a sign without a number allows.
        callback: Called with the data of each sign.

    Raises:
        TypeError, ValueError: `init_release_rows` is no positive int, or `callback` cannot be called.

    Examples:
        >>> gate = dataset.BlockReleasePair(1, print)
        >>> gate.block_func()           # the first row passes; a second one would wait
        True
        >>> gate.release_func(2, "two more")
        two more
        >>> gate.block_func(), gate.block_func()
        (True, True)
    """

    def __init__(self, init_release_rows: int, callback: Callable[..., Any] | None = None):
        self.default_rows = check.integer(
            self, "init_release_rows", init_release_rows, 1, check.INT32_MAX
        )
        self.callback = check.optional(check.callable_, self, "callback", callback)
        self.disable = False
        self._unit = 1
        self._given, self._allowed = 0, self.default_rows
        self._changed = threading.Condition()

    def reset(self, unit: int = 1) -> None:
        """Begin anew: as many rows may pass as at first, of which each counts for `unit` rows from now on."""
        with self._changed:
            self._unit = unit
            self._given, self._allowed = 0, self.default_rows * unit

    def update_batched_size(self, batch_size: int) -> None:
        """Count in rows of batches of this size from now on."""
        self.default_rows *= check.integer(self, "batch_size", batch_size, 1, check.INT32_MAX)

    def block_func(self, gone: Callable[[], bool] | None = None) -> bool:
        """Wait until one more row may pass; False if `gone` says that the reader has ended."""
        with self._changed:
            while self._given >= self._allowed and not self.disable:
                if gone is not None and gone():
                    return False
                self._changed.wait(LOOK)
            self._given += 1
        return True

    def release_func(self, pass_rows: int | None = None, data: Any = None) -> None:
        """Let `pass_rows` more rows pass, after the callback was called with `data`."""
        check.optional(check.integer, self, "pass_rows", pass_rows)
        if self.callback is not None:
            self.callback(data)
        with self._changed:
            self._allowed += self._unit * (self.default_rows if pass_rows is None else pass_rows)
            self._changed.notify_all()

    def disable_lock(self) -> None:
        """Let all rows pass from now on."""
        with self._changed:
            self.disable = True
            self._changed.notify_all()


@method("sync_wait")
class SyncWaitDataset(Dataset):
    """The rows of a dataset, of which more than `num_batch` come only after `sync_update`.

    Rows are counted as the reader gets them: where batches are made of them later, those are counted.

    Args:
        input_dataset: The dataset whose rows wait.
        condition_name: Name for `sync_update`.
        num_batch: Rows (batches) that need no sign at the start of a pass, and that each sign allows.
        callback: Called by `sync_update` with its `data`.

    Raises:
        TypeError, ValueError: If an argument has another type, or `num_batch` is not positive.
        PipelineError: If the name is in use already.

    Examples:
        >>> heard = []
        >>> data = dataset.NumpySlicesDataset([1, 2, 3], shuffle=False)
        >>> data = dataset.SyncWaitDataset(data, "step", callback=heard.append)
        >>> for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        ...     data.sync_update("step", data=x.item())
        >>> heard
        [1, 2, 3]
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
        self._gate = BlockReleasePair(num_batch, callback)

    def is_sync(self) -> bool:
        return not self._gate.disable

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        return {**super().get_sync_notifiers(), self.condition_name: self._gate.release_func}

    def disable_sync(self) -> None:
        super().disable_sync()
        self._gate.disable_lock()

    def give_up(self) -> None:
        """Let all rows pass, since nobody gives a sign."""
        log.warning(f"For 'sync_wait', no 'sync_update' of '{self.condition_name}' came within "
                    f"{config.get_callback_timeout()} s (dataset.config.set_callback_timeout), so all rows pass from "
                    "now on.")
        self._gate.disable_lock()

    def blocks(self, run: Run) -> Iterator[RowBlock]:
        self._gate.reset(run.counted)
        shared = run.shared
        for block in self.children[0].blocks(run.child()):
            for i in range(block.count):
                if shared is not None and not self._gate.block_func(_Look(shared, self)):
                    return
                yield block.part(i, i + 1)


class _Look:
    """Looks, while a row waits for a sign, whether the reader has gone, or waits for that row himself.

    A reader who waits can give no sign; only another thread can. If none does, all rows may pass in the end.
    """

    def __init__(self, shared: Shared, dataset: SyncWaitDataset):
        self._shared, self._dataset = shared, dataset
        self._begun: float | None = None  # when the reader began to wait
        self._told = False

    def __call__(self) -> bool:
        now = time.monotonic()
        if not self._shared.reader_waits():
            self._begun, self._told = None, False
        elif self._begun is None:
            self._begun = now
        elif now - self._begun >= config.get_callback_timeout():
            self._dataset.give_up()
        elif now - self._begun >= PATIENCE and not self._told:
            self._told = True
            dataset = self._dataset
            log.warning(
                f"The reader has waited {PATIENCE:g} s for a row, and the rows wait in 'sync_wait' for "
                f"'sync_update' of '{dataset.condition_name}'. If a step after it needs more than {dataset.num_batch} "
                "rows to give one, as 'filter' may, give 'sync_wait' a larger 'num_batch'."
            )
        return self._shared.closed


@method("sync_update")
def sync_update(dataset: Dataset, condition_name: str, num_batch: Any, data: Any) -> None:
    """Allow rows of the `sync_wait` with this name to pass."""
    check.string("sync_update", "condition_name", condition_name)
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
