"""Averaged gradient descent, and descent by signs."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import Parameter
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor
from mindspore.operators.structure import ones_like, zeros_like

from .optimizer import Optimizer, opt_init_args_register


class ASGD(Optimizer):
    """Gradient descent that also averages the parameters.  Polyak and Juditsky 1992.

    p <- (1 - lambd * eta) * p - eta * g;  ax <- ax + mu * (p - ax);
    eta = lr / (1 + lambd * lr * t)^alpha;  mu = 1 / max(1, t - t0).

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        lambd: Decay of the parameters.
        alpha: Power with which the rate falls.
        t0: Step at which the average begins.
        weight_decay: Part of the parameter that is added to its gradient.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.ASGD([p], learning_rate=0.1, lambd=0.0)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.8
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.1, lambd: float = 1e-4,
                 alpha: float = 0.75, t0: float = 1e6, weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.lambd = check.instance(self, "lambd", lambd, float)
        self.alpha = check.instance(self, "alpha", alpha, float)
        self.t0 = check.instance(self, "t0", t0, float)
        self.mu = self._scalars("mu", [1.0] * self.param_length)
        self.eta = self._scalars("eta", [float(lr) for lr in self._current_rates()])
        self.ax = self.per_parameter("ax_", zeros_like)
        self._state = list(zip(self.mu, self.eta, self.ax, strict=True))

    def _scalars(self, prefix: str, values: list[float]) -> ParameterTuple:
        return ParameterTuple([Parameter(Tensor(v, float32), name=f"{prefix}_{p.name}")
                               for v, p in zip(values, self.parameters, strict=True)])

    def update(self, param: Any, grad: Any, lr: Any, mu: Any, eta: Any, ax: Any) -> Any:
        t = self.global_step.reshape(()).astype(float32)
        p = param * (1.0 - eta * self.lambd) - grad * eta
        average = ax + (p - ax) * mu
        next_eta = lr / ops.pow(lr * t * self.lambd + 1.0, self.alpha)
        return p, 1.0 / ops.maximum(t - self.t0, 1.0), next_eta, average


class Rprop(Optimizer):
    """Steps that follow the signs of the gradients.  Riedmiller and Braun 1993.

    Where the sign stays, the step grows by the second of `etas`; where it turns, the step shrinks by
    the first and the element waits.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: The first step.
        etas: Factors for turned and kept signs, in (0, 1) and above 1.
        step_sizes: The least and the greatest step.
        weight_decay: Part of the parameter that is added to its gradient.

    Raises:
        TypeError: If a pair is no tuple of floats.
        ValueError: If a factor or the order of `step_sizes` is wrong.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.Rprop([p], learning_rate=0.1)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.9
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.1, etas: tuple[float, float] = (0.5, 1.2),
                 step_sizes: tuple[float, float] = (1e-6, 50.0), weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay)
        low, high = self._pair("etas", etas)
        check.floating(self, "etas[0]", low, 0.0, 1.0, open_low=True, open_high=True)
        check.floating(self, "etas[1]", high, 1.0, open_low=True)
        least, greatest = self._pair("step_sizes", step_sizes)
        check.instance(self, "step_sizes[0]", least, float)
        check.instance(self, "step_sizes[1]", greatest, float)
        if least > greatest:
            raise ValueError("For 'Rprop', the greatest of 'step_sizes' must not be less than the "
                             f"least, but got {step_sizes}.")
        self.etas, self.step_sizes = etas, step_sizes
        self.prev = self.per_parameter("prev", zeros_like)
        self.step_size = self._first_steps()
        self._state = list(zip(self.prev, self.step_size, strict=True))

    def _pair(self, name: str, value: Any) -> tuple[Any, Any]:
        if not isinstance(value, tuple):
            raise check.fail(TypeError, self, name, "a tuple of two floats", value)
        if len(value) != 2:
            raise check.fail(ValueError, self, name, "a tuple of two floats", value)
        return value

    def _first_steps(self) -> ParameterTuple:
        rates = self._current_rates()
        return ParameterTuple([
            Parameter(ones_like(p) * float(lr), name=f"step_size.{p.name}")
            for p, lr in zip(self.parameters, rates, strict=True)])

    def update(self, param: Any, grad: Any, lr: Any, prev: Any, step_size: Any) -> Any:
        turned, kept = grad * prev < 0, grad * prev > 0
        factor = ops.select(kept, ones_like(grad) * self.etas[1],
                            ops.select(turned, ones_like(grad) * self.etas[0], ones_like(grad)))
        step = ops.minimum(ops.maximum(step_size * factor, self.step_sizes[0]), self.step_sizes[1])
        moving = ops.select(turned, zeros_like(grad), grad)
        return param - ops.sign(moving) * step, moving, step
