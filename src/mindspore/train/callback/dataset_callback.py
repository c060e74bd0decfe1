"""A callback of training and of a data pipeline, by which the pipeline waits for the training."""
from __future__ import annotations

import threading
from typing import Any

from mindspore.dataset import config
from mindspore.dataset.callback import CallbackParam, DSCallback

from .callback import Callback, RunContext


class WaitedDSCallback(Callback, DSCallback):
    """Calls in a `map` that wait until the training has done its step (or epoch) before.

    Given to `map` and to `Model.train`. A subclass overrides `sync_step_begin` or `sync_epoch_begin`, which learn what
    the training has reached, and may change the transforms for the rows to come.

    Args:
        step_size: Rows from one step of the `map` to the next that waits; after `batch` a row is a step of training.

    Raises:
        RuntimeError: The training took longer than `mindspore.dataset.config.get_callback_timeout()` seconds.
    """

    def __init__(self, step_size: int = 1):
        DSCallback.__init__(self, step_size)
        self._steps, self._epochs = 0, 0
        self._training: Any = None
        self._ended = False
        self._changed = threading.Condition()

    def sync_epoch_begin(self, train_run_context: Any, ds_run_context: CallbackParam) -> None:
        """Before a pass of the pipeline, after the epoch of training before it."""

    def sync_step_begin(self, train_run_context: Any, ds_run_context: CallbackParam) -> None:
        """Before a row of the pipeline, after the step of training before it."""

    def ds_epoch_begin(self, ds_run_context: CallbackParam) -> None:
        """Wait for the epoch before, and tell."""
        if ds_run_context.cur_epoch_num > 1 and self._overrides("sync_epoch_begin"):
            self._wait("ds_epoch_begin", lambda: self._epochs >= ds_run_context.cur_epoch_num - 1)
            if not self._ended:
                self.sync_epoch_begin(self._training, ds_run_context)

    def ds_step_begin(self, ds_run_context: CallbackParam) -> None:
        """Wait for the step before, and tell."""
        if ds_run_context.cur_step_num > self.step_size and self._overrides("sync_step_begin"):
            self._wait("ds_step_begin", lambda: self._steps >= ds_run_context.cur_step_num - 1)
            if not self._ended:
                self.sync_step_begin(self._training, ds_run_context)

    def step_end(self, run_context: RunContext) -> None:
        """A step of training is done."""
        self._told(run_context, steps=1)

    def epoch_end(self, run_context: RunContext) -> None:
        """An epoch of training is done."""
        self._told(run_context, epochs=1)

    def end(self, run_context: RunContext) -> None:
        """The training is over: the pipeline does not wait any more."""
        self._ended = True
        self._told(run_context)

    def _overrides(self, name: str) -> bool:
        return getattr(type(self), name) is not getattr(WaitedDSCallback, name)

    def _told(self, run_context: RunContext, steps: int = 0, epochs: int = 0) -> None:
        with self._changed:
            now = run_context.original_args()
            self._training = type(now)(now)  # a copy: the training continues meanwhile
            self._steps += steps
            self._epochs += epochs
            self._changed.notify_all()

    def _wait(self, moment: str, reached: Any) -> None:
        seconds = config.get_callback_timeout()
        with self._changed:
            if not self._changed.wait_for(lambda: self._ended or reached(), seconds):
                raise RuntimeError(
                    f"For '{type(self).__name__}', {moment} has waited {seconds} s for the training. Give "
                    "the callback to 'Model.train', too, or raise 'config.set_callback_timeout'."
                )
