"""How far a training is: a bar on a terminal, a line per epoch in a log."""
from __future__ import annotations

import sys
import time
from typing import Any, TextIO

from mindspore.core import check

from .callback import Callback, loss_of, step_in_epoch

_INTERVAL = 0.1     # seconds between two drawings


class ProgressBar(Callback):
    """Shows epoch, steps, time and loss: a bar that moves, or lines where the output is no terminal.

    Args:
        width: Characters of the bar.
        file: Where to write. Default: the standard error output.
    """

    def __init__(self, width: int = 30, file: TextIO | None = None):
        self.width = check.positive_int(self, "width", width)
        self.file = file
        self._begun = self._drawn = 0.0

    def on_train_epoch_begin(self, run_context: Any) -> None:
        """Take the time."""
        self._begun = time.perf_counter()
        self._drawn = 0.0

    def on_train_step_end(self, run_context: Any) -> None:
        """Move the bar."""
        moment = time.perf_counter()
        if self._moves and moment - self._drawn >= _INTERVAL:
            self._drawn = moment
            self._write("\r" + self._text(run_context.original_args()))

    def on_train_epoch_end(self, run_context: Any) -> None:
        """Complete the line of the epoch."""
        text = self._text(run_context.original_args())
        self._write(f"\r{text}\n" if self._moves else f"{text}\n")

    @property
    def _out(self) -> TextIO:
        return sys.stderr if self.file is None else self.file

    @property
    def _moves(self) -> bool:
        return self._out.isatty()

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _text(self, now: Any) -> str:
        done, total = step_in_epoch(now), now.batch_num
        seconds = time.perf_counter() - self._begun
        loss = loss_of(now.get("net_outputs"))
        parts = [f"epoch {now.cur_epoch_num}/{now.epoch_num}"]
        if self._moves:
            filled = self.width * done // total
            parts.append(f"[{'#' * filled}{'.' * (self.width - filled)}]")
        parts += [f"{done}/{total} steps", f"{seconds:.1f} s"]
        if loss is not None:
            parts.append(f"loss {loss:.6g}")
        parts += [f"{name} {value:.6g}" for name, value in (now.get("metrics") or {}).items()
                  if isinstance(value, (int, float))]
        return "  ".join(parts)
