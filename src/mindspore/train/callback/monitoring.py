"""What callbacks that watch one value from epoch to epoch have in common."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check, log

from .callback import Callback, RunContext, loss_of


class Monitoring(Callback):
    """Watches a value; a subclass says what follows from it.

    Attributes:
        best: The best value so far.
        wait: Epochs since then.
    """

    best: float
    wait: int
    _state: tuple[str, ...] = ("best", "wait")

    def _watch(self, monitor: str, min_delta: float, patience: int, verbose: bool, mode: str) -> None:
        """Take over the arguments that all of them have."""
        self.monitor = check.string(self, "monitor", monitor)
        self.min_delta = abs(check.number(self, "min_delta", min_delta))
        self.patience = check.non_negative_int(self, "patience", patience)
        self.verbose = check.boolean(self, "verbose", verbose)
        self.mode = mode
        self._worst, self._is_better = _better(mode, monitor, self)
        self._start()

    def _start(self) -> None:
        self.wait, self.best = 0, self._worst

    def standing(self) -> dict[str, float]:
        """What has been found so far, by the class, the monitored value and the attribute."""
        return {f"{type(self).__name__}.{self.monitor}.{name}": float(getattr(self, name)) for name in self._state}

    def kept(self) -> dict[str, Any]:
        """Tensors that belong to what has been found, by name."""
        return {}

    def take_up(self, found: dict[str, float], kept: dict[str, Any]) -> None:
        """Go on with what `standing` and `kept` gave."""
        self._start()
        for name, value in zip(self._state, found.values(), strict=True):
            setattr(self, name, type(getattr(self, name))(value))

    def _judge(self, run_context: RunContext, now: Any, value: float) -> None:
        raise NotImplementedError(f"For '{type(self).__name__}', '_judge' is not defined.")

    def _improves(self, value: float, reference: float) -> bool:
        sign = 1 if self._is_better is np.less else -1
        return bool(self._is_better(value + sign * self.min_delta, reference))

    def on_train_begin(self, run_context: RunContext) -> None:
        """Forget what an earlier run found, unless this one continues with it."""
        if not any(self is callback for callback in getattr(run_context, "taken_up", ())):
            self._start()

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare the value with the best one."""
        now = run_context.original_args()
        value = _monitored(now, self.monitor)
        if value is None:
            log.warning("For '%s', there is no value '%s' to monitor.", type(self).__name__, self.monitor)
        else:
            self._judge(run_context, now, value)


def _better(mode: str, monitor: str, owner: Any) -> tuple[float, Any]:
    """The worst value and the comparison of a new with an old one, of a mode: "min", "max" or "auto"."""
    check.string(owner, "mode", mode)
    if mode not in ("auto", "min", "max"):
        raise ValueError(f"For '{type(owner).__name__}', the 'mode' must be 'auto', 'min' or 'max', but "
                         f"got {mode!r}.")
    if mode == "max" or (mode == "auto" and "acc" in monitor):
        return -np.inf, np.greater
    return np.inf, np.less


def _monitored(now: Any, monitor: str) -> float | None:
    """The value of a run's loss or of an evaluation's result by name; None if there is none."""
    if monitor == "loss":
        return loss_of(now.get("net_outputs"))
    value = (now.get("eval_results") or {}).get(monitor)
    return None if value is None else float(np.mean(value))
