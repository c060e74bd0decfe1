"""Gradients of several processes combined so that what they share counts once: Maleki et al. 2020, "Adasum"."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.distributed import get_group_size
from mindspore.eager.parameter import assign

from ..cell import Cell
from .optimizer import Optimizer


def adaptive_sum(a: Any, b: Any) -> Any:
    """(1 - a.b / 2 |a|**2) a + (1 - a.b / 2 |b|**2) b: the sum of orthogonal tensors, the mean of equal ones."""
    x, y = a.astype(float32), b.astype(float32)
    both, one, other = (x * y).sum(), (x * x).sum(), (y * y).sum()
    safe = [ops.where(square == 0, 1.0, square) for square in (one, other)]
    return ((1 - 0.5 * both / safe[0]) * x + (1 - 0.5 * both / safe[1]) * y).astype(a.dtype)


def combined(parts: list[Any]) -> Any:
    """The adaptive sum of tensors, in pairs of neighbours."""
    while len(parts) > 1:
        parts = [adaptive_sum(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


def gathered(x: Any) -> list[Any]:
    """The tensors of all processes, in the order of their ranks."""
    count = get_group_size()
    if count == 1:
        return [x]
    joined = ops.AllGather()(x.reshape((1, *x.shape)))
    return [joined[i] for i in range(count)]


def power_of_two(owner: Any, count: int) -> None:
    """ValueError unless a number of processes can be paired down to one."""
    if count & (count - 1):
        raise ValueError(f"For '{check.name_of(owner)}', the number of processes must be a power of two, but got "
                         f"{count}.")


class _Wrapped(Cell):
    """An optimizer whose gradients or steps are combined over the processes."""

    def __init__(self, optimizer: Optimizer):
        super().__init__(auto_prefix=False)
        self.optimizer = check.instance(self, "optimizer", optimizer, Optimizer)
        self.parameters = optimizer.parameters
        power_of_two(self, get_group_size())

    def get_lr(self) -> Any:
        """The learning rate of the optimizer."""
        return self.optimizer.get_lr()


class AdaSumByGradWrapCell(_Wrapped):
    """Updates the parameters by the adaptive sum of the gradients of all processes.

    In one process the gradients are what they are.

    Args:
        optimizer: The optimizer.

    Inputs:
        grads: The gradients of this process, one per parameter.

    Outputs:
        What the optimizer gives.

    Raises:
        TypeError: If `optimizer` is none.
        ValueError: If the number of processes is no power of two.

    Examples:
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> nn.AdaSumByGradWrapCell(nn.SGD([weight], 0.5))((Tensor([1.0]),)), weight.tolist()
        ((True,), [0.5])
    """

    def construct(self, grads):
        return self.optimizer(tuple([combined(gathered(g)) for g in grads]))


class AdaSumByDeltaWeightWrapCell(_Wrapped):
    """Lets the optimizer take its step in every process, and moves the parameters by the adaptive sum of the steps.

    Args:
        optimizer: The optimizer.

    Inputs:
        grads: The gradients of this process, one per parameter.

    Outputs:
        What the optimizer gives.

    Raises:
        TypeError: If `optimizer` is none.
        ValueError: If the number of processes is no power of two.

    Examples:
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> nn.AdaSumByDeltaWeightWrapCell(nn.SGD([weight], 0.5))((Tensor([1.0]),)), weight.tolist()
        ((True,), [0.5])
    """

    def construct(self, grads):
        before = [p * 1.0 for p in self.parameters]
        done = self.optimizer(grads)
        for p, old in zip(self.parameters, before, strict=True):
            assign(p, old + combined(gathered(p - old)))
        return done
