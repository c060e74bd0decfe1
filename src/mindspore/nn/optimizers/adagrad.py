"""Optimizers that divide by the sum of the squared gradients, or by their average."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.operators.structure import ones_like, zeros_like

from .optimizer import Optimizer, opt_init_args_register


class Adagrad(Optimizer):
    """a <- a + g^2;  p <- p - lr * g / sqrt(a).  Duchi, Hazan and Singer 2011.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        accum: Where the sums begin, zero or more.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        update_slots: Whether the sums grow.
        loss_scale: What the gradients are divided by.
        weight_decay: Part of the parameter that is added to its gradient.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.Adagrad([p], accum=0.0, learning_rate=0.1)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.9
    """

    @opt_init_args_register
    def __init__(self, params: Any, accum: float = 0.1, learning_rate: Any = 0.001,
                 update_slots: bool = True, loss_scale: float = 1.0, weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check.non_negative_float(self, "accum", accum)
        self.update_slots = check.boolean(self, "update_slots", update_slots)
        self.state = {"accum": lambda p: ones_like(p) * accum}
        self.create_state()

    def update(self, param: Any, grad: Any, lr: Any, accum: Any) -> Any:
        if not self.update_slots:
            return param - grad / ops.sqrt(accum) * lr, None
        a = accum + grad * grad
        return param - grad / ops.sqrt(a) * lr, a


class Adadelta(Optimizer):
    """a <- rho a + (1-rho) g^2;  d = sqrt((u + eps) / (a + eps)) * g;  p <- p - lr * d.

    u is the same average of d^2.  Zeiler 2012.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        rho: Decay rate of the averages, in [0, 1].
        epsilon: What keeps the roots from zero, zero or more.
        loss_scale: What the gradients are divided by.
        weight_decay: Part of the parameter that is added to its gradient.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.Adadelta([p], epsilon=0.1)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.1056
    """

    state = {"accum": zeros_like, "accum_update": zeros_like}

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 1.0, rho: float = 0.9,
                 epsilon: float = 1e-6, loss_scale: float = 1.0, weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho = check.floating(self, "rho", rho, 0.0, 1.0)
        self.epsilon = check.non_negative_float(self, "epsilon", epsilon)
        self.create_state()

    def update(self, param: Any, grad: Any, lr: Any, accum: Any, accum_update: Any) -> Any:
        a = accum * self.rho + grad * grad * (1.0 - self.rho)
        d = ops.sqrt(accum_update + self.epsilon) / ops.sqrt(a + self.epsilon) * grad
        return param - d * lr, a, accum_update * self.rho + d * d * (1.0 - self.rho)


class RMSProp(Optimizer):
    """s <- decay s + (1-decay) g^2;  m <- momentum m + lr g / sqrt(s + eps);  p <- p - m.

    s begins at 1.  Centered, the square of the average gradient is taken from it under the root.  Hinton 2012.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        decay: Decay rate of the averages, zero or more.
        momentum: Part of the last step that is kept, zero or more.
        epsilon: What keeps the root from zero, positive.
        use_locking: Accepted; a parameter has one writer here.
        centered: Whether the variance divides instead of the mean square.
        loss_scale: What the gradients are divided by.
        weight_decay: Part of the parameter that is added to its gradient.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.RMSProp([p], learning_rate=0.1, decay=0.75)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.8488
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.1, decay: float = 0.9,
                 momentum: float = 0.0, epsilon: float = 1e-10, use_locking: bool = False,
                 centered: bool = False, loss_scale: float = 1.0, weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay = check.non_negative_float(self, "decay", decay)
        self.momentum = check.non_negative_float(self, "momentum", momentum)
        self.epsilon = check.positive_float(self, "epsilon", epsilon)
        check.boolean(self, "use_locking", use_locking)
        self.centered = check.boolean(self, "centered", centered)
        self.state = {"mean_square": ones_like, "moment": zeros_like}
        if centered:
            self.state = {"mean_grad": zeros_like, **self.state}
        self.create_state()

    def update(self, param: Any, grad: Any, lr: Any, *state: Any) -> Any:
        *mean_grad, mean_square, moment = state
        s = mean_square * self.decay + grad * grad * (1.0 - self.decay)
        mean = [g * self.decay + grad * (1.0 - self.decay) for g in mean_grad]
        spread = s - mean[0] * mean[0] if mean else s
        step = grad / ops.sqrt(spread + self.epsilon) * lr
        if self.momentum:
            step = moment * self.momentum + step
        return param - step, *mean, s, step
