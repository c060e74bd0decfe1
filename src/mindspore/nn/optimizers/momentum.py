"""Gradient descent with momentum."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.operators.structure import zeros_like
from mindspore.operators.training import momentum_step

from .multi_tensor import together
from .optimizer import Optimizer, opt_init_args_register


class Momentum(Optimizer):
    """v <- momentum * v + g;  p <- p - lr * v.  Sutskever et al. 2013.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        momentum: Part of the last direction that is kept, a float of zero or more.
        weight_decay: Part of the parameter that is added to its gradient.
        loss_scale: What the gradients are divided by.
        use_nesterov: Whether the step looks ahead: p <- p - lr * (g + momentum * v).

    Examples:
        >>> net = nn.Dense(3, 1)
        >>> nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9).moments[0].shape
        (1, 3)
    """

    state = {"moments": zeros_like}

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any, momentum: float, weight_decay: Any = 0.0,
                 loss_scale: float = 1.0, use_nesterov: bool = False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check.non_negative_float(self, "momentum", momentum)
        self.momentum = Parameter(Tensor(momentum, float32), name="momentum")
        self.use_nesterov = check.boolean(self, "use_nesterov", use_nesterov)
        self.create_state()

    def updates(self, gradients: Sequence[Any], lrs: Sequence[Any], decays: Any) -> list[Any]:
        def step(lr: Any, _: float, tensors: Sequence[Any]) -> Sequence[Any]:
            return momentum_step(lr, self.momentum, *tensors, nesterov=self.use_nesterov)
        return together(self, gradients, lrs, step, 1)

    def update(self, param: Any, grad: Any, lr: Any, moments: Any) -> Any:
        v = moments * self.momentum + grad
        step = grad + v * self.momentum if self.use_nesterov else v
        return param - step * lr, v
