"""Optimizers with a penalty on the parameters that is minimised exactly in every step."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.operators.structure import ones_like, zeros_like

from .optimizer import Optimizer, opt_init_args_register


class FTRL(Optimizer):
    """Follow the regularised leader.  McMahan et al. 2013.

    n' = n + g^2;  z <- z + g - (n'^-power - n^-power) / lr * p;
    p <- (sign(z) l1 - z) / (n'^-power / lr + 2 l2) where |z| > l1, else 0.

    Args:
        params: Parameters, or groups of them (without `lr`); see `Optimizer`.
        initial_accum: Where the sums of squares begin, zero or more.
        learning_rate: A number.
        lr_power: The power, zero or less.
        l1: Strength of the penalty |p|, zero or more.
        l2: Strength of the penalty p^2, zero or more.
        use_locking: Accepted; a parameter has one writer here.
        loss_scale: What the gradients are divided by.
        weight_decay: Part of the parameter that is added to its gradient.

    Raises:
        ValueError: If the learning rate is zero or changes, or groups have their own.

    Examples:
        >>> p = Parameter(Tensor([0.0]), name="p")
        >>> _ = nn.FTRL([p], initial_accum=0.0, learning_rate=0.5)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        -0.5
    """

    decays_all = True

    @opt_init_args_register
    def __init__(self, params: Any, initial_accum: float = 0.1, learning_rate: Any = 0.001,
                 lr_power: float = -0.5, l1: float = 0.0, l2: float = 0.0,
                 use_locking: bool = False, loss_scale: float = 1.0, weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise ValueError("For 'FTRL', the learning rate must be one number: a rate that changes "
                             "and rates of groups are not supported.")
        if learning_rate == 0:
            raise check.fail(ValueError, self, "learning_rate", "a float > 0", learning_rate)
        check.non_negative_float(self, "initial_accum", initial_accum)
        self.lr_power = check.floating(self, "lr_power", lr_power, None, 0.0)
        self.l1 = check.non_negative_float(self, "l1", l1)
        self.l2 = check.non_negative_float(self, "l2", l2)
        check.boolean(self, "use_locking", use_locking)
        self.state = {"moments": lambda p: ones_like(p) * initial_accum, "linear": zeros_like}
        self.create_state()

    def update(self, param: Any, grad: Any, lr: Any, moments: Any, linear: Any) -> Any:
        n = moments + grad * grad
        power = self._power(n)
        z = linear + grad - (power - self._power(moments)) / lr * param
        moved = (ops.sign(z) * self.l1 - z) / (power / lr + 2.0 * self.l2)
        return ops.select(ops.abs(z) > self.l1, moved, zeros_like(moved)), n, z

    def _power(self, n: Any) -> Any:
        return ops.sqrt(n) if self.lr_power == -0.5 else ops.pow(n, -self.lr_power)


class ProximalAdagrad(Optimizer):
    """Adagrad with the penalties l1 |p| and l2 p^2 / 2.  Duchi and Singer 2009.

    a <- a + g^2;  r = lr / sqrt(a);  q = p - r g;  p <- sign(q) max(|q| - r l1, 0) / (1 + r l2).

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        accum: Where the sums begin, zero or more.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        l1: Strength of the first penalty, zero or more.
        l2: Strength of the second penalty, zero or more.
        use_locking: Accepted; a parameter has one writer here.
        loss_scale: What the gradients are divided by.
        weight_decay: Part of the parameter that is added to its gradient.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.ProximalAdagrad([p], accum=0.0, learning_rate=0.5, l1=1.0)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.25
    """

    @opt_init_args_register
    def __init__(self, params: Any, accum: float = 0.1, learning_rate: Any = 0.001,
                 l1: float = 0.0, l2: float = 0.0, use_locking: bool = False,
                 loss_scale: float = 1.0, weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check.non_negative_float(self, "accum", accum)
        self.l1 = check.non_negative_float(self, "l1", l1)
        self.l2 = check.non_negative_float(self, "l2", l2)
        check.boolean(self, "use_locking", use_locking)
        self.state = {"accum": lambda p: ones_like(p) * accum}
        self.create_state()

    def update(self, param: Any, grad: Any, lr: Any, accum: Any) -> Any:
        a = accum + grad * grad
        r = lr / ops.sqrt(a)
        q = param - r * grad
        if self.l1:
            q = ops.sign(q) * ops.maximum(ops.abs(q) - r * self.l1, 0.0)
        return (q / (r * self.l2 + 1.0) if self.l2 else q), a
