"""The state of schedulers, and their steps as a part of graphs."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mindspore.core.dtype import int64
from mindspore.core.errors import GraphSyntaxError
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor, is_tensor, wrap
from mindspore.ir import Aval
from mindspore.ir.runtime import runtime
from mindspore.operators.effects import host_call


class Stepping:
    """What counts epochs and assigns the rates of an optimizer's groups."""

    optimizer: Any

    @property
    def last_epoch(self) -> Any:
        """The number of the epoch, a Parameter; -1 before the first."""
        return self.__dict__["last_epoch"]

    @last_epoch.setter
    def last_epoch(self, value: Any) -> None:
        if "last_epoch" in self.__dict__:
            assign(self.last_epoch, value if is_tensor(value) else Tensor(value, int64))
        else:
            self.__dict__["last_epoch"] = Parameter(Tensor(value, int64), name=f"last_epoch_{type(self).__name__}",
                                                    requires_grad=False)

    @property
    def epoch(self) -> int:
        """The number of the epoch, as formulas use it."""
        return int(self.last_epoch.asnumpy())

    @property
    def _last_lr(self) -> list[Any]:
        """The rates of the groups, which are Parameters as a rule; `get_lr` of programs reads them."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self) -> list[Any]:
        """The rates that the last step assigned."""
        return [lr.value() if isinstance(lr, Parameter) else Tensor(lr) for lr in self._last_lr]

    def state(self) -> list[Any]:
        """What a step assigns: the rates, and the numbers of epochs."""
        return [*self._last_lr, self.last_epoch]


class InPython:
    """An attribute that every step may change and that is no Parameter, so that no graph may keep its value."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, obj: Any, kind: type) -> Any:
        if obj is None:
            return self
        if runtime.building:
            raise GraphSyntaxError(f"For '{kind.__name__}', '{self.name}' cannot be read in a graph: read it outside "
                                   "of the compiled function.")
        return obj.__dict__[self.name]

    def __set__(self, obj: Any, value: Any) -> None:
        obj.__dict__[self.name] = value


def step_in_graph(scheduler: Any, *values: Any) -> bool:
    """Whether a graph is being built, which then gets a node that makes the step in Python, each time that it runs.

    The node takes the rates and epochs at its place in the program, and its results are assigned to them.
    """
    if not runtime.building:
        return False
    parameters = scheduler.state()
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
