"""Gradients of several processes, summed so that common directions count once; Maleki et al. 2021 (AdaSum)."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.distributed import get_group_size
from mindspore.eager.parameter import assign
from mindspore.nn.cell import Cell
from mindspore.nn.optimizers import Optimizer
from mindspore.operators.communication import all_gather


def adaptive_sum(a: Any, b: Any) -> Any:
    """(1 - ab / 2aa) a + (1 - ab / 2bb) b: their sum where they are orthogonal, their mean where they are equal."""
    x, y = a.astype(float32), b.astype(float32)
    common = (x * y).sum()
    shares = [1 - ops.where(own == 0, ops.zeros_like(own), common / (2 * ops.where(own == 0, 1.0, own)))
              for own in ((x * x).sum(), (y * y).sum())]
    return (shares[0] * x + shares[1] * y).astype(a.dtype)


def gathered(value: Any, count: int) -> list[Any]:
    """The tensors of all processes, in the order of their ranks."""
    if count == 1:
        return [value]
    joined = all_gather(value.expand_dims(0))
    return [joined[i] for i in range(count)]


def combined(parts: list[Any]) -> Any:
    """The adaptive sum of tensors, in pairs of pairs."""
    while len(parts) > 1:
        parts = [adaptive_sum(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


def of_all(value: Any, count: int) -> Any:
    """The adaptive sum of a tensor over all processes."""
    return combined(gathered(value, count))


class _AdaSum(Cell):
    """An optimizer whose gradients or steps are summed over processes."""

    def __init__(self, optimizer: Optimizer):
        super().__init__(auto_prefix=False)
        self.optimizer = check.instance(self, "optimizer", optimizer, Optimizer)
        self.processes = get_group_size()
        if self.processes == 1:
            raise RuntimeError(f"For '{self.cls_name}', a stand-alone program has nothing to sum; call "
                               "'mindspore.communication.init' in several processes before.")
        if self.processes & (self.processes - 1):
            raise ValueError(f"For '{self.cls_name}', the number of processes must be a power of two, but got "
                             f"{self.processes}.")
        self.parameters, self.learning_rate = optimizer.parameters, optimizer.learning_rate


class AdaSumByGradWrapCell(_AdaSum):
    """An optimizer of the gradients of all processes, summed so that common directions count once.

    Args:
        optimizer: The optimizer.

    Inputs:
        grads: The gradients of this process, a tuple of tensors.

    Outputs:
        What the optimizer returns.

    Raises:
        TypeError: If it is no optimizer.
        RuntimeError: If there is one process.
        ValueError: If the number of processes is no power of two.
    """

    def construct(self, grads):
        return self.optimizer(tuple([of_all(g, self.processes) for g in grads]))


class AdaSumByDeltaWeightWrapCell(_AdaSum):
    """An optimizer whose steps, made of the gradients of each process, are summed in that way.

    Args:
        optimizer: The optimizer.

    Inputs:
        grads: The gradients of this process, a tuple of tensors.

    Outputs:
        What the optimizer returns.

    Raises:
        TypeError: If it is no optimizer.
        RuntimeError: If there is one process.
        ValueError: If the number of processes is no power of two.
    """

    def construct(self, grads):
        before = [p * 1 for p in self.parameters]
        out = self.optimizer(grads)
        for parameter, old in zip(self.parameters, before, strict=True):
            assign(parameter, old + of_all(parameter - old, self.processes))
        return out


__all__ = ["AdaSumByDeltaWeightWrapCell", "AdaSumByGradWrapCell"]
