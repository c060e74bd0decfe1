"""What schedulers share: they assign the rates of an optimizer's groups."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import assign
from mindspore.eager.tensor import Tensor

from ..optimizer import Optimizer
from .stepping import Stepping, step_in_graph


class LRScheduler(Stepping):
    """The base of the schedulers; a subclass defines `get_lr`, the rates of all groups.

    `step` is called once per epoch, as a rule; in a compiled function the step itself runs in Python,
    whenever the program does.

    Args:
        optimizer: The optimizer whose rates are assigned.
        last_epoch: Epochs that an earlier run has done; -1 for none.

    Raises:
        TypeError: If `optimizer` is none of `mindspore.experimental.optim`.
        KeyError: If a run is resumed but the groups have no "initial_lr".
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"For '{type(self).__name__}', the 'optimizer' must be one of "
                            f"'mindspore.experimental.optim', but got {type(optimizer).__name__}.")
        self.optimizer = optimizer
        self.last_epoch = check.integer(self, "last_epoch", last_epoch, -1, check.INT32_MAX)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", value_of(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(f"For '{type(self).__name__}', 'initial_lr' must be set in group {i} to go "
                               f"on after epoch {last_epoch}.")
        self.base_lrs = [float(group["initial_lr"]) for group in optimizer.param_groups]
        self.step()

    @property
    def groups_num(self) -> int:
        """The number of groups."""
        return len(self.optimizer.param_groups)

    @property
    def current(self) -> list[float]:
        """The rates of the groups, as numbers."""
        return [value_of(group["lr"]) for group in self.optimizer.param_groups]

    def get_lr(self) -> list[float]:
        """The rates of all groups for `last_epoch`."""
        raise NotImplementedError(f"For '{type(self).__name__}', define 'get_lr': the learning rates of "
                                  "all groups.")

    def step(self, epoch: Any = None) -> bool:
        """Go on to the next epoch, or to the rates that a given one has by the formula.

        Args:
            epoch: The number of the epoch, an int or a tensor; None: the next one.
        """
        if step_in_graph(self, epoch):
            return True
        if epoch is None:
            self.last_epoch = self.epoch + 1
            self._assign(self.get_lr())
        else:
            self.last_epoch = int(value_of(epoch))
            self._assign(self.rates_at(self.epoch))
        return True

    def rates_at(self, epoch: int) -> list[float]:
        """The rates of an epoch from the initial ones; those of `get_lr` where there is no formula for them."""
        factor = self.factor_at(epoch)
        return self.get_lr() if factor is None else [base * factor for base in self.base_lrs]

    def factor_at(self, epoch: int) -> float | None:
        """What the initial rates are multiplied by in an epoch; None without a formula."""
        return None

    def begin(self) -> bool:
        """Go to the first epoch, from the initial rates, as a sequence of schedulers does."""
        self._assign(self.base_lrs)
        self.last_epoch = -1
        return self.step()

    def _assign(self, rates: Sequence[float]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            assign(group["lr"], Tensor(float(rate), float32))

    def _scaled(self, factor: float) -> list[float]:
        return [lr * factor for lr in self.current]


def value_of(lr: Any) -> float:
    return float(lr.asnumpy()) if isinstance(lr, Tensor) else float(lr)


def per_group(owner: Any, optimizer: Any, functions: Any) -> list[Callable[[int], float]]:
    count = len(optimizer.param_groups) if isinstance(optimizer, Optimizer) else 1
    found = list(functions) if isinstance(functions, (list, tuple)) else [functions] * count
    if len(found) != count:
        raise ValueError(f"Expected {count} lr_lambdas, but got {len(found)}")
    for function in found:
        if not callable(function):
            raise check.fail(TypeError, owner, "lr_lambda", "a function or a list of functions", function)
    return found


def rates(owner: Any, name: str, value: Any, count: int) -> list[float]:
    """One rate per group, of a number or a list."""
    if isinstance(value, (list, tuple)):
        if len(value) != count:
            raise ValueError(f"For '{type(owner).__name__}', the '{name}' must have one rate per group, "
                             f"{count}, but got {len(value)}.")
        return [check.number(owner, name, v) for v in value]
    return [check.number(owner, name, value)] * count
