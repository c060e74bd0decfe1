"""The time of epochs and steps, printed."""
from __future__ import annotations

import time
from typing import Any

from mindspore.core import check

from .callback import Callback


class TimeMonitor(Callback):
    """Print the time of every epoch and the mean time of its steps, in milliseconds.

    Args:
        data_size: Steps of an epoch, for runs that do not tell: those of `Model` do.
        data_time: Whether the mean time from the end of a step to the beginning of the next, which
            the data take, is printed, too.

    Raises:
        TypeError: If `data_size` is no int, or `data_time` no bool.
        ValueError: If `data_size` is not positive.

    Examples:
        >>> train.TimeMonitor(data_size=10).data_size
        10
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False):
        self.data_size = check.optional(check.positive_int, self, "data_size", data_size)
        self.data_time = check.boolean(self, "data_time", data_time)
        self._begun = self._ended = time.perf_counter()
        self._waited = 0.0

    def epoch_begin(self, run_context: Any) -> None:
        """Take the time."""
        self._begun = self._ended = time.perf_counter()
        self._waited = 0.0

    def epoch_end(self, run_context: Any) -> None:
        """Print the time since the beginning of the epoch."""
        self._print(run_context.original_args(), "Train")

    def on_train_step_begin(self, run_context: Any) -> None:
        """Add the time that the data took."""
        self._waited += time.perf_counter() - self._ended
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: Any) -> None:
        """Take the time."""
        self._ended = time.perf_counter()
        self.step_end(run_context)

    def on_eval_epoch_begin(self, run_context: Any) -> None:
        """Take the time of an evaluation, apart from the epoch that it belongs to."""
        self._eval_begun = time.perf_counter()

    def on_eval_epoch_end(self, run_context: Any) -> None:
        """Print the time of an evaluation."""
        now = run_context.original_args()
        begun, self._begun = self._begun, self._eval_begun
        self._print(now, "Eval")
        self._begun = begun

    def _print(self, now: Any, phase: str) -> None:
        elapsed = (time.perf_counter() - self._begun) * 1e3
        steps = now.get("batch_num") or self.data_size or 1
        line = f"{phase} epoch time: {elapsed:5.3f} ms, per step time: {elapsed / steps:5.3f} ms"
        if self.data_time and phase == "Train":
            line += f" (data time: {self._waited * 1e3 / steps:5.3f} ms)"
        print(line, flush=True)
