"""Schedulers: they assign the learning rates of an optimizer's groups when `step` is called."""
from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import assign
from mindspore.eager.tensor import Tensor
from mindspore.ir.runtime import runtime

from .optimizer import Optimizer


class LRScheduler:
    """The base of the schedulers; a subclass defines `get_lr`, the rates of all groups.

    `step` is called outside of compiled functions, as a rule once per epoch.

    Args:
        optimizer: The optimizer whose rates are assigned.
        last_epoch: Epochs that an earlier run has done; -1 for none.

    Raises:
        TypeError: If `optimizer` is none of `mindspore.experimental.optim`.
        KeyError: If a run goes on but the groups have no "initial_lr".
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"For '{type(self).__name__}', the 'optimizer' must be one of "
                            f"'mindspore.experimental.optim', but got {type(optimizer).__name__}.")
        self.optimizer = optimizer
        self.last_epoch = check.integer(self, "last_epoch", last_epoch, -1)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _value(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(f"For '{type(self).__name__}', 'initial_lr' must be set in group {i} to go "
                               f"on after epoch {last_epoch}.")
        self.base_lrs = [float(group["initial_lr"]) for group in optimizer.param_groups]
        self._last: list[float] = []
        self.step()

    @property
    def groups_num(self) -> int:
        """The number of groups."""
        return len(self.optimizer.param_groups)

    @property
    def current(self) -> list[float]:
        """The rates of the groups."""
        return [_value(group["lr"]) for group in self.optimizer.param_groups]

    def get_lr(self) -> list[float]:
        """The rates of all groups for `last_epoch`."""
        raise NotImplementedError(f"For '{type(self).__name__}', define 'get_lr': the learning rates of "
                                  "all groups.")

    def get_last_lr(self) -> list[Tensor]:
        """The rates that the last step assigned."""
        return [Tensor(lr, float32) for lr in self._last]

    def step(self) -> bool:
        """Go on to the next epoch."""
        self.last_epoch += 1
        self._assign(self.get_lr())
        return True

    def _assign(self, rates: Sequence[float]) -> None:
        if runtime.building:
            raise TypeError(f"For '{type(self).__name__}', 'step' cannot be part of a compiled function: "
                            "call it after the function.")
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            assign(group["lr"], Tensor(float(rate), float32))
        self._last = self.current

    def _scaled(self, factor: float) -> list[float]:
        return [lr * factor for lr in self.current]


def _value(lr: Any) -> float:
    return float(lr.asnumpy()) if isinstance(lr, Tensor) else float(lr)


def _per_group(owner: Any, optimizer: Any, functions: Any) -> list[Callable[[int], float]]:
    count = len(optimizer.param_groups) if isinstance(optimizer, Optimizer) else 1
    found = list(functions) if isinstance(functions, (list, tuple)) else [functions] * count
    if len(found) != count:
        raise ValueError(f"Expected {count} lr_lambdas, but got {len(found)}")
    for function in found:
        if not callable(function):
            raise check.fail(TypeError, owner, "lr_lambda", "a function or a list of functions", function)
    return found


class LambdaLR(LRScheduler):
    """lr = initial_lr * lr_lambda(epoch); one function, or a list with one per group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1):
        self.lr_lambdas = _per_group(self, optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return [base * float(f(self.last_epoch))
                for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(LRScheduler):
    """lr <- lr * lr_lambda(epoch); one function, or a list with one per group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1):
        self.lr_lambdas = _per_group(self, optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if not self.last_epoch:
            return self.current
        return [lr * float(f(self.last_epoch))
                for f, lr in zip(self.lr_lambdas, self.current, strict=True)]


class StepLR(LRScheduler):
    """lr <- lr * gamma every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1,
                 last_epoch: int = -1):
        self.step_size = check.positive_int(self, "step_size", step_size)
        self.gamma = check.instance(self, "gamma", gamma, float)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        falls = self.last_epoch and self.last_epoch % self.step_size == 0
        return self._scaled(self.gamma) if falls else self.current


class MultiStepLR(LRScheduler):
    """lr <- lr * gamma at each of the epochs `milestones`."""

    def __init__(self, optimizer: Optimizer, milestones: list[int], gamma: float = 0.1,
                 last_epoch: int = -1):
        check.instance(self, "milestones", milestones, list)
        for epoch in milestones:
            check.integer(self, "milestones", epoch)
        self.milestones = Counter(milestones)
        self.gamma = check.instance(self, "gamma", gamma, float)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._scaled(self.gamma ** self.milestones[self.last_epoch])


class ConstantLR(LRScheduler):
    """lr = initial_lr * factor before epoch `total_iters`, then initial_lr."""

    def __init__(self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5,
                 last_epoch: int = -1):
        self.factor = check.number(self, "factor", factor, 0.0, 1.0)
        self.total_iters = check.non_negative_int(self, "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1.0 / self.factor) if self.last_epoch == self.total_iters else self.current


class LinearLR(LRScheduler):
    """lr rises in a line from initial_lr * start_factor to initial_lr * end_factor."""

    def __init__(self, optimizer: Optimizer, start_factor: float = 1.0 / 3, end_factor: float = 1.0,
                 total_iters: int = 5, last_epoch: int = -1):
        self.start_factor = check.number(self, "start_factor", start_factor, 0.0, 1.0, open_low=True)
        self.end_factor = check.number(self, "end_factor", end_factor, 0.0, 1.0)
        self.total_iters = check.positive_int(self, "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        part = min(self.last_epoch, self.total_iters) / self.total_iters
        factor = self.start_factor + (self.end_factor - self.start_factor) * part
        return [base * factor for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """lr <- lr * gamma every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1):
        self.gamma = check.instance(self, "gamma", gamma, float)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        return self._scaled(self.gamma) if self.last_epoch else self.current


class PolynomialLR(LRScheduler):
    """lr = initial_lr * (1 - epoch / total_iters)^power, 0 from epoch `total_iters` on."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0,
                 last_epoch: int = -1):
        self.total_iters = check.positive_int(self, "total_iters", total_iters)
        self.power = check.number(self, "power", power)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        left = 1.0 - min(self.last_epoch, self.total_iters) / self.total_iters
        return [base * left ** self.power for base in self.base_lrs]


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
        height = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine from initial_lr to `eta_min`, which begins anew after T_0, T_0 * T_mult, ... epochs.

    Loshchilov and Hutter 2016.
    """

    def __init__(self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0,
                 last_epoch: int = -1):
        self.T_0 = self.T_i = check.positive_int(self, "T_0", T_0)
        self.T_mult = check.positive_int(self, "T_mult", T_mult)
        self.eta_min = check.number(self, "eta_min", eta_min)
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> bool:
        """Go on to the next epoch, or to a given one, also between two."""
        if epoch is not None and epoch < 0:
            raise ValueError(f"For '{type(self).__name__}', the 'epoch' must not be negative, but got "
                             f"{epoch}.")
        position = self.last_epoch + 1 if epoch is None else epoch
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
        step_size_up: Steps on the way up.
        step_size_down: Steps on the way down. Default: as many.
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
            self.scale_fn = scale_fn
        self.scale_mode = check.option(self, "scale_mode", scale_mode, ("cycle", "iterations"))
        self.mode, self.gamma = mode, check.number(self, "gamma", gamma)
        count = len(optimizer.param_groups) if isinstance(optimizer, Optimizer) else 1
        self.base_rates = _listed(self, "base_lr", base_lr, count)
        self.max_rates = _listed(self, "max_lr", max_lr, count)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        total = self.step_size_up + self.step_size_down
        cycle = 1 + self.last_epoch // total
        x = self.last_epoch / total - (cycle - 1)
        turn = self.step_size_up / total
        height = x / turn if x <= turn else (1 - x) / (1 - turn)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return [low + (high - low) * height
                for low, high in zip(self.base_rates, self.max_rates, strict=True)]


def _listed(owner: Any, name: str, value: Any, count: int) -> list[float]:
    if isinstance(value, (list, tuple)):
        if len(value) != count:
            raise ValueError(f"For '{type(owner).__name__}', the '{name}' must have one rate per group, "
                             f"{count}, but got {len(value)}.")
        return [check.number(owner, name, v) for v in value]
    return [check.number(owner, name, value)] * count


class SequentialLR:
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
            scheduler.last_epoch -= 1
        schedulers[0].step()

    def step(self) -> bool:
        """Go on to the next epoch."""
        self.last_epoch += 1
        number = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[number]
        if number and self._milestones[number - 1] == self.last_epoch:
            scheduler.last_epoch = -1
        return scheduler.step()

    def get_last_lr(self) -> list[Tensor]:
        """The rates that the last step assigned."""
        return [Tensor(_value(group["lr"]), float32) for group in self.optimizer.param_groups]


class ReduceLROnPlateau:
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
        self.min_lrs = _listed(self, "min_lr", min_lr, len(optimizer.param_groups))
        self.eps = check.number(self, "eps", eps)
        self.best = math.inf if mode == "min" else -math.inf
        self.cooldown_counter = self.num_bad_epochs = self.last_epoch = 0

    def step(self, metrics: Any) -> bool:
        """Compare the value with the best one."""
        value = _value(metrics)
        self.last_epoch += 1
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
            old = _value(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                assign(group["lr"], Tensor(new, float32))

    def get_last_lr(self) -> list[Tensor]:
        """The rates of the groups."""
        return [Tensor(_value(group["lr"]), float32) for group in self.optimizer.param_groups]


__all__ = [
    "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR",
    "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "PolynomialLR",
    "ReduceLROnPlateau", "SequentialLR", "StepLR",
]
