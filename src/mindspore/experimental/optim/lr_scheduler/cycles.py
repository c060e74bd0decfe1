"""Rates that go up and down, or begin anew."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mindspore.core import check

from ..optimizer import Optimizer
from .base import LRScheduler, rates
from .stepping import InPython, step_in_graph


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine from initial_lr to `eta_min`, which begins anew after T_0, T_0 * T_mult, ... epochs.

    Loshchilov and Hutter 2016.
    """

    T_i, T_cur = InPython(), InPython()

    def __init__(self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0,
                 last_epoch: int = -1):
        self.T_0 = self.T_i = check.positive_int(self, "T_0", T_0)
        self.T_mult = check.positive_int(self, "T_mult", T_mult)
        self.eta_min = check.number(self, "eta_min", eta_min)
        self.T_cur = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> bool:
        """Go on to the next epoch, or to a given one, also between two."""
        if step_in_graph(self, epoch):
            return True
        if epoch is not None and epoch < 0:
            raise ValueError(f"For '{type(self).__name__}', the 'epoch' must not be negative, but got "
                             f"{epoch}.")
        position = self.epoch + 1 if epoch is None else epoch
        self.last_epoch = math.floor(position)
        self.T_i, rest = self.T_0, position
        while rest >= self.T_i:
            rest -= self.T_i
            self.T_i *= self.T_mult
        self.T_cur = rest
        self._assign(self.get_lr())
        return True


_CYCLES = {
    "triangular": lambda gamma, x: 1.0,
    "triangular2": lambda gamma, x: 0.5 ** (x - 1),
    "exp_range": lambda gamma, x: gamma ** x,
}


class CyclicLR(LRScheduler):
    """Rates that go up from `base_lr` to `max_lr` and down again.  Smith 2017.

    Args:
        optimizer: The optimizer whose rates are assigned.
        base_lr: The least rate, or a list with one per group.
        max_lr: The greatest rate, or a list with one per group.
        step_size_up: Steps from the lower to the upper rate.
        step_size_down: Steps from the upper to the lower rate. Default: as many.
        mode: "triangular", "triangular2" (half as high each time) or "exp_range" (gamma^step).
        gamma: For "exp_range".
        scale_fn: A function of the cycle or step that gives the height, in place of `mode`.
        scale_mode: "cycle" or "iterations": what `scale_fn` takes.
        last_epoch: Steps that an earlier run has done; -1 for none.
    """

    def __init__(self, optimizer: Optimizer, base_lr: Any, max_lr: Any, step_size_up: int = 2000,
                 step_size_down: int | None = None, mode: str = "triangular", gamma: float = 1.0,
                 scale_fn: Callable[[Any], float] | None = None, scale_mode: str = "cycle",
                 last_epoch: int = -1):
        self.step_size_up = check.positive_int(self, "step_size_up", step_size_up)
        down = step_size_up if step_size_down is None else step_size_down
        self.step_size_down = check.positive_int(self, "step_size_down", down)
        if scale_fn is None:
            check.option(self, "mode", mode, _CYCLES)
            scale_mode = "iterations" if mode == "exp_range" else "cycle"
            shape = _CYCLES[mode]
            self.scale_fn: Callable[[Any], float] = lambda x: shape(gamma, x)
        else:
            self.scale_fn = check.callable_(self, "scale_fn", scale_fn)
        self.scale_mode = check.option(self, "scale_mode", scale_mode, ("cycle", "iterations"))
        self.mode, self.gamma = mode, check.number(self, "gamma", gamma)
        count = len(optimizer.param_groups) if isinstance(optimizer, Optimizer) else 1
        base_rates = rates(self, "base_lr", base_lr, count)
        self.max_rates = rates(self, "max_lr", max_lr, count)
        if last_epoch == -1 and isinstance(optimizer, Optimizer):
            for group, rate in zip(optimizer.param_groups, base_rates, strict=True):
                group.setdefault("initial_lr", rate)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_rates      # from here on; the first rates rise from "initial_lr", as in the original

    def get_lr(self) -> list[float]:
        total = self.step_size_up + self.step_size_down
        cycle = 1 + self.epoch // total
        x = self.epoch / total - (cycle - 1)
        turn = self.step_size_up / total
        height = x / turn if x <= turn else (1 - x) / (1 - turn)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.epoch)
        return [low + (high - low) * height
                for low, high in zip(self.base_lrs, self.max_rates, strict=True)]
