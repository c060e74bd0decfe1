"""Schedulers one after the other, and one that watches a value."""
from __future__ import annotations

import math
from bisect import bisect_right
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import assign
from mindspore.eager.tensor import Tensor

from ..optimizer import Optimizer
from .base import LRScheduler, rates, value_of
from .stepping import InPython, Stepping, step_in_graph


class SequentialLR(Stepping):
    """Schedulers one after the other; `milestones` are the epochs at which the next one begins."""

    def __init__(self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int],
                 last_epoch: int = -1):
        for scheduler in schedulers:
            if scheduler.optimizer is not optimizer:
                raise ValueError("For 'SequentialLR', all schedulers must have the same optimizer.")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError("Sequential Schedulers expects number of schedulers provided to be one more "
                             "than the number of milestone points, but got number of schedulers "
                             f"{len(schedulers)} and number of milestones {len(milestones)}.")
        self.optimizer, self._schedulers, self._milestones = optimizer, schedulers, milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            assign(group["lr"], Tensor(float(group["initial_lr"]), float32))
        for scheduler in schedulers:
            scheduler.last_epoch = scheduler.epoch - 1
        schedulers[0].step()

    def step(self) -> bool:
        """Go on to the next epoch."""
        if step_in_graph(self):
            return True
        self.last_epoch = self.epoch + 1
        number = bisect_right(self._milestones, self.epoch)
        scheduler = self._schedulers[number]
        begins = number and self._milestones[number - 1] == self.epoch
        return scheduler.begin() if begins else scheduler.step()

    def state(self) -> list[Any]:
        """What a step assigns: the rates, and the numbers of epochs."""
        return [*super().state(), *[scheduler.last_epoch for scheduler in self._schedulers]]


class ChainedScheduler:
    """Several schedulers of one optimizer that make a step together: the rates are multiplied by all their factors.

    Args:
        schedulers: The schedulers, a list.

    Raises:
        ValueError: If they have not the same optimizer.

    Examples:
        >>> from mindspore.experimental import optim
        >>> optimizer = optim.SGD(nn.Dense(2, 1).trainable_params(), lr=1.0)
        >>> schedulers = [optim.lr_scheduler.ExponentialLR(optimizer, g) for g in (0.5, 0.5)]
        >>> both = optim.lr_scheduler.ChainedScheduler(schedulers)
        >>> both.step()
        >>> [float(rate) for rate in both.get_last_lr()]
        [0.25]
    """

    def __init__(self, schedulers: list[LRScheduler]):
        if not schedulers or any(s.optimizer is not schedulers[0].optimizer for s in schedulers):
            raise ValueError("For 'ChainedScheduler', all schedulers must have the same optimizer.")
        self._schedulers = list(schedulers)
        self.optimizer = schedulers[0].optimizer

    def step(self) -> None:
        """Let each of the schedulers make a step, the first one first."""
        for scheduler in self._schedulers:
            scheduler.step()

    def get_last_lr(self) -> list[Any]:
        """The rates of the groups."""
        return [group["lr"] for group in self.optimizer.param_groups]


class ReduceLROnPlateau(Stepping):
    """Multiplies the rates by `factor` when a value has not improved for `patience` steps.

    Args:
        optimizer: The optimizer whose rates are assigned.
        mode: "min" or "max".
        factor: The factor, below 1.
        patience: Steps without improvement.
        threshold: The least improvement that counts.
        threshold_mode: "rel" to the best value, or "abs".
        cooldown: Steps after a change that are not counted.
        min_lr: The least rate, or a list with one per group.
        eps: Changes below it are not made.
    """

    best, cooldown_counter, num_bad_epochs = InPython(), InPython(), InPython()

    def __init__(self, optimizer: Optimizer, mode: str = "min", factor: float = 0.1,
                 patience: int = 10, threshold: float = 1e-4, threshold_mode: str = "rel",
                 cooldown: int = 0, min_lr: Any = 0, eps: float = 1e-8):
        if not isinstance(optimizer, Optimizer):
            raise TypeError("For 'ReduceLROnPlateau', the 'optimizer' must be one of "
                            f"'mindspore.experimental.optim', but got {type(optimizer).__name__}.")
        self.optimizer = optimizer
        self.mode = check.option(self, "mode", mode, ("min", "max"))
        self.factor = check.number(self, "factor", factor, 0.0, 1.0, open_high=True)
        self.patience = check.non_negative_int(self, "patience", patience)
        self.threshold = check.number(self, "threshold", threshold)
        self.threshold_mode = check.option(self, "threshold_mode", threshold_mode, ("rel", "abs"))
        self.cooldown = check.non_negative_int(self, "cooldown", cooldown)
        self.min_lrs = rates(self, "min_lr", min_lr, len(optimizer.param_groups))
        self.eps = check.number(self, "eps", eps)
        self.best = math.inf if mode == "min" else -math.inf
        self.cooldown_counter = self.num_bad_epochs = 0
        self.last_epoch = 0

    def step(self, metrics: Any) -> bool:
        """Compare the value with the best one."""
        if step_in_graph(self, metrics):
            return True
        value = value_of(metrics)
        self.last_epoch = self.epoch + 1
        if self._improves(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        return True

    def _improves(self, value: float) -> bool:
        sign = 1 if self.mode == "max" else -1
        margin = self.threshold * (self.best if self.threshold_mode == "rel" else 1.0)
        if math.isinf(self.best):
            margin = 0.0
        return sign * (value - self.best - sign * margin) > 0

    def _reduce(self) -> None:
        for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
            old = value_of(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                assign(group["lr"], Tensor(new, float32))
