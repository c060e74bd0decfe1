"""The end of a training that one of several processes asks for, inside of the step."""
from __future__ import annotations

from typing import Any

from mindspore import distributed, ops
from mindspore.core.dtype import bool_


class ExitByRequest:
    """Lets all processes know within a step that one of them was asked to end the training.

    Examples:
        >>> grads = (Tensor([1.0]),)
        >>> asked, ends = Parameter(Tensor([0]), name="asked"), Parameter(Tensor([False]), name="ends")
        >>> mindspore.utils.ExitByRequest().exit_by_request(grads, asked, ends) is grads
        True
    """

    def __init__(self) -> None:
        self.group_size = distributed.get_group_size()
        self.is_distributed = self.group_size > 1

    def exit_by_request(self, grad: Any, init_value: Any, exit_value: Any) -> Any:
        """The gradients; `exit_value` becomes True in all processes where `init_value` is 1 in one of them.

        In a single process both stay as they are: it knows without being told.

        Args:
            grad: The gradients of the step.
            init_value: A parameter of one number, 1 where this process is asked to end.
            exit_value: A bool parameter.
        """
        if self.is_distributed:
            asked = ops.AllReduce(ops.ReduceOp.MAX)(init_value)
            ops.assign(exit_value, (asked == 1).all().astype(bool_).reshape(exit_value.shape))
        return grad
