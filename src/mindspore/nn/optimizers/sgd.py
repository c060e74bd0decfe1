"""Stochastic gradient descent."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.operators.structure import ones_like, zeros_like
from mindspore.operators.training import momentum_step

from .multi_tensor import together
from .optimizer import Optimizer, opt_init_args_register


class SGD(Optimizer):
    """p <- p - lr * g, or with momentum v <- momentum * v + (1 - dampening) * g;  p <- p - lr * v.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        momentum: Part of the last direction that is kept, zero or more.
        dampening: Part of the gradient that does not enter the direction, except in the first step.
        weight_decay: Part of the parameter that is added to its gradient; a number.
        nesterov: Whether the step looks ahead: p <- p - lr * (g + momentum * v).
        loss_scale: What the gradients are divided by.

    Raises:
        TypeError: If `weight_decay` is a cell.
        ValueError: If `momentum` or `dampening` is negative, or if `nesterov` is used without
            momentum or with dampening.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.SGD([p], learning_rate=0.1)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.8
    """

    # `stat` is 1 until the first step of a direction
    state = {"accum": zeros_like, "stat": ones_like}

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.1, momentum: float = 0.0,
                 dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False,
                 loss_scale: float = 1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_weight_decay:
            raise TypeError("For 'SGD', the 'weight_decay' must be a number, also in groups, but got a "
                            "cell.")
        self.dampening = float(check.number(self, "dampening", dampening, 0.0))
        check.number(self, "momentum", momentum, 0.0)
        self.nesterov = check.boolean(self, "nesterov", nesterov)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("For 'SGD', 'nesterov' needs a 'momentum' > 0 and a 'dampening' of 0, but "
                             f"got {momentum} and {dampening}.")
        self._has_direction = momentum > 0
        self.momentum = Parameter(Tensor(float(momentum), float32), name="momentum")
        self.create_state()

    def updates(self, gradients: Sequence[Any], lrs: Sequence[Any], decays: Any) -> list[Any]:
        if not self._has_direction or self.dampening:
            return super().updates(gradients, lrs, decays)

        def step(lr: Any, _: float, tensors: Sequence[Any]) -> Sequence[Any]:
            return momentum_step(lr, self.momentum, *tensors, nesterov=self.nesterov)
        found = together(self, gradients, lrs, step, 1)
        return [(*new[:2], stat * 0.0) for new, (_, stat) in zip(found, self._state, strict=True)]

    def update(self, param: Any, grad: Any, lr: Any, accum: Any, stat: Any) -> Any:
        if not self._has_direction:
            return param - grad * lr, None, None
        part = grad
        if self.dampening:
            part = grad * (stat * self.dampening + (1.0 - self.dampening))
        v = accum * self.momentum + part
        step = grad + v * self.momentum if self.nesterov else v
        return param - step * lr, v, stat * 0.0
