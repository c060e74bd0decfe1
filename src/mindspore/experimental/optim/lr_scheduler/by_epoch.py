"""Rates that follow a formula of the epoch.

Most are told by what a step does to the current rates, so that several schedulers of one optimizer work together,
and rates that the program assigns in between count.
"""
from __future__ import annotations

import math
from collections import Counter
from typing import Any

from mindspore.core import check

from ..optimizer import Optimizer
from .base import LRScheduler, per_group


class LambdaLR(LRScheduler):
    """lr = initial_lr * lr_lambda(epoch); one function, or a list with one per group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1):
        self.lr_lambdas = per_group(self, optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return [base * float(f(self.epoch))
                for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(LRScheduler):
    """lr <- lr * lr_lambda(epoch); one function, or a list with one per group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1):
        self.lr_lambdas = per_group(self, optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if not self.epoch:
            return self.current
        return [lr * float(f(self.epoch))
                for f, lr in zip(self.lr_lambdas, self.current, strict=True)]

    def begin(self) -> bool:
        """Go to the first epoch; the rates stay, since there is no formula for them."""
        self.last_epoch = -1
        return self.step()


class StepLR(LRScheduler):
    """lr <- lr * gamma every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1,
                 last_epoch: int = -1):
        self.step_size = check.positive_int(self, "step_size", step_size)
        self.gamma = check.floating(self, "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        falls = self.epoch and self.epoch % self.step_size == 0
        return self._scaled(self.gamma) if falls else self.current

    def factor_at(self, epoch: int) -> float:
        return self.gamma ** (epoch // self.step_size)


class MultiStepLR(LRScheduler):
    """lr <- lr * gamma at each of the epochs `milestones`."""

    def __init__(self, optimizer: Optimizer, milestones: list[int], gamma: float = 0.1,
                 last_epoch: int = -1):
        check.instance(self, "milestones", milestones, list)
        for epoch in milestones:
            check.integer(self, "milestones", epoch)
        self.milestones = Counter(milestones)
        self.gamma = check.floating(self, "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._scaled(self.gamma ** self.milestones[self.epoch])

    def factor_at(self, epoch: int) -> float:
        return self.gamma ** sum(count for milestone, count in self.milestones.items() if milestone <= epoch)


class ConstantLR(LRScheduler):
    """lr = initial_lr * factor before epoch `total_iters`, then initial_lr."""

    def __init__(self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5,
                 last_epoch: int = -1):
        self.factor = check.number(self, "factor", factor, 0.0, 1.0)
        self.total_iters = check.non_negative_int(self, "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.epoch == 0:
            return self._scaled(self.factor)
        if self.epoch != self.total_iters:
            return self.current
        return self._scaled(1.0 / self.factor) if self.factor else list(self.base_lrs)

    def factor_at(self, epoch: int) -> float:
        return self.factor if epoch < self.total_iters else 1.0


class LinearLR(LRScheduler):
    """lr rises in a line from initial_lr * start_factor to initial_lr * end_factor."""

    def __init__(self, optimizer: Optimizer, start_factor: float = 1.0 / 3, end_factor: float = 1.0,
                 total_iters: int = 5, last_epoch: int = -1):
        self.start_factor = check.number(self, "start_factor", start_factor, 0.0, 1.0, open_low=True)
        self.end_factor = check.number(self, "end_factor", end_factor, 0.0, 1.0)
        self.total_iters = check.positive_int(self, "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.epoch == 0:
            return self._scaled(self.start_factor)
        if self.epoch > self.total_iters:
            return self.current
        rise = self.end_factor - self.start_factor
        return self._scaled(1 + rise / (self.total_iters * self.start_factor + (self.epoch - 1) * rise))

    def factor_at(self, epoch: int) -> float:
        share = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * share


class ExponentialLR(LRScheduler):
    """lr <- lr * gamma every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1):
        self.gamma = check.floating(self, "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._scaled(self.gamma) if self.epoch else self.current

    def factor_at(self, epoch: int) -> float:
        return self.gamma**epoch


class PolynomialLR(LRScheduler):
    """lr = initial_lr * (1 - epoch / total_iters)^power, 0 from epoch `total_iters` on."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0,
                 last_epoch: int = -1):
        self.total_iters = check.positive_int(self, "total_iters", total_iters)
        self.power = check.number(self, "power", power, 0.0)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        left = self.total_iters - self.epoch
        if self.epoch == 0 or left < 0:
            return self.current
        return self._scaled((left / (left + 1)) ** self.power)

    def factor_at(self, epoch: int) -> float:
        return (1 - min(epoch, self.total_iters) / self.total_iters) ** self.power


class CosineAnnealingLR(LRScheduler):
    """Half a cosine from initial_lr to `eta_min` in `T_max` epochs, and back.

    Loshchilov and Hutter 2016.
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0,
                 last_epoch: int = -1):
        self.T_max = check.positive_int(self, "T_max", T_max)
        self.eta_min = check.number(self, "eta_min", eta_min)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.epoch == 0:
            return self.current
        before, now = [1 + math.cos(math.pi * epoch / self.T_max) for epoch in (self.epoch - 1, self.epoch)]
        if (self.epoch - 1) % (2 * self.T_max) == self.T_max:    # from the lowest point, where a factor has no hold
            return [lr + (base - self.eta_min) * now / 2 for lr, base in zip(self.current, self.base_lrs, strict=True)]
        return [self.eta_min + (lr - self.eta_min) * now / before for lr in self.current]

    def rates_at(self, epoch: int) -> list[float]:
        height = (1 + math.cos(math.pi * epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]
