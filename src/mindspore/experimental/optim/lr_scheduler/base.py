"""What schedulers share: they assign the rates of an optimizer's groups."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import GraphSyntaxError
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor, is_tensor, wrap
from mindspore.ir import Aval
from mindspore.ir.runtime import runtime
from mindspore.operators.effects import host_call

from ..optimizer import Optimizer


class LRScheduler:
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
        self.last_epoch = check.integer(self, "last_epoch", last_epoch, -1)
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", value_of(group["lr"]))
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
        return [value_of(group["lr"]) for group in self.optimizer.param_groups]

    def get_lr(self) -> list[float]:
        """The rates of all groups for `last_epoch`."""
        raise NotImplementedError(f"For '{type(self).__name__}', define 'get_lr': the learning rates of "
                                  "all groups.")

    def get_last_lr(self) -> list[Tensor]:
        """The rates that the last step assigned."""
        return [Tensor(lr, float32) for lr in self._last]

    def step(self) -> bool:
        """Go on to the next epoch."""
        if step_in_graph(self):
            return True
        self.last_epoch += 1
        self._assign(self.get_lr())
        return True

    def begin(self) -> bool:
        """Go to the first epoch, from the initial rates, as a sequence of schedulers does."""
        self._assign(self.base_lrs)
        self.last_epoch = -1
        return self.step()

    def _assign(self, rates: Sequence[float]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            assign(group["lr"], Tensor(float(rate), float32))
        self._last = self.current

    def _scaled(self, factor: float) -> list[float]:
        return [lr * factor for lr in self.current]


def step_in_graph(scheduler: Any, *values: Any) -> bool:
    """Whether a graph is being built, which then gets a node that makes the step in Python, each time that it runs.

    The node takes the rates that the groups have at its place in the program, and its results are assigned to them.
    """
    if not runtime.building:
        return False
    parameters = [group["lr"] for group in scheduler.optimizer.param_groups]
    if not all(isinstance(p, Parameter) for p in parameters):
        raise GraphSyntaxError(f"For '{type(scheduler).__name__}', 'step' cannot be part of a graph where the 'lr' of "
                               "a group is no Parameter: call it after the compiled function.")

    def step(*given: Any) -> list[Any]:
        with hold(parameters, given):
            tensors = iter([wrap(x) for x in given[len(parameters):]])
            scheduler.step(*[next(tensors) if is_tensor(v) else v for v in values])
            return [p._data.clone() for p in parameters]

    outs = [Aval(p.shape, p.dtype) for p in parameters]
    made = host_call(*parameters, *filter(is_tensor, values), function=step, outs=outs)
    for parameter, rate in zip(parameters, made if isinstance(made, tuple) else (made,), strict=True):
        assign(parameter, rate)
    return True


@contextmanager
def hold(parameters: Sequence[Parameter], values: Sequence[Any]) -> Iterator[None]:
    """Let the parameters hold values for a time, outside of the memory that is theirs."""
    kept = [p._data for p in parameters]
    try:
        for parameter, value in zip(parameters, values, strict=False):
            parameter._data = value.clone()
        yield
    finally:
        for parameter, data in zip(parameters, kept, strict=True):
            parameter._data = data


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
