"""Gradients summed over several batches before the parameters are updated."""
from __future__ import annotations

from typing import Any

from mindspore import nn, ops
from mindspore.compiler.frontend import cond
from mindspore.core import check
from mindspore.core.dtype import int32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor

gradient_accumulation_op = ops.MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = ops.MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Number", "Tensor", "Tensor")
def _added(steps: Any, total: Any, grad: Any) -> Any:
    """Add a gradient, divided by the number of steps, to a total."""
    return assign(total, total + (grad / steps).astype(total.dtype))


@gradient_clear_op.register("Tensor")
def _cleared(total: Any) -> Any:
    """Set a total to zero."""
    return assign(total, ops.zeros_like(total))


class GradientAccumulation(nn.Cell):
    """Updates the parameters in every n-th step, by the mean of the gradients of n steps.

    Args:
        max_accumulation_step: The number n.
        optimizer: The optimizer.

    Inputs:
        loss: The loss of the step.
        grads: The gradients of the step, one per parameter.

    Outputs:
        The loss.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `max_accumulation_step` is not positive.

    Examples:
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> accumulate = mindspore.boost.GradientAccumulation(2, nn.SGD([weight], 1.0))
        >>> for grad in (1.0, 3.0):
        ...     loss = accumulate(Tensor(0.5), (Tensor([grad]),))
        ...     print(weight.tolist())
        [1.0]
        [-1.0]
    """

    def __init__(self, max_accumulation_step: int, optimizer: Any):
        super().__init__()
        self._max_accumulation_step = check.positive_int(self, "max_accumulation_step", max_accumulation_step)
        self.optimizer = check.instance(self, "optimizer", optimizer, nn.Cell)
        self.weights = optimizer.parameters
        self._grad_accumulation = self.weights.clone("grad_accumulation", "zeros")
        self._accumulation_step = Parameter(Tensor(0, int32), name="accumulation_step", requires_grad=False)

    def construct(self, loss, grads):
        for total, grad in zip(self._grad_accumulation, grads, strict=True):
            _added(self._max_accumulation_step, total, grad)
        step = self._accumulation_step + 1
        cond(step >= self._max_accumulation_step, self._update, lambda: True)
        assign(self._accumulation_step, step % self._max_accumulation_step)
        return loss

    def _update(self) -> bool:
        self.optimizer(tuple([total * 1.0 for total in self._grad_accumulation]))
        for total in self._grad_accumulation:
            _cleared(total)
        return True
