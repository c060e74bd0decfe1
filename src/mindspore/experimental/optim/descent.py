"""Gradient descent, plain, with momentum, with rates per element, by signs."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.tensor import Tensor
from mindspore.operators.structure import ones_like, zeros_like

from .optimizer import Optimizer, common


class SGD(Optimizer):
    """p <- p - lr * g, or with momentum v <- momentum * v + (1 - dampening) * g;  p <- p - lr * v.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        momentum: Part of the last direction that is kept.
        dampening: Part of the gradient that does not enter the direction, except in the first step.
        weight_decay: Part of the parameter that is added to its gradient.
        nesterov: Whether the step looks ahead.
        maximize: Whether the gradients are followed instead of descended.

    Inputs:
        gradients: A tuple of tensors, one for each parameter.

    Raises:
        TypeError, ValueError: If an option has another type or is out of range, or does not go with `nesterov`.

    Examples:
        >>> weight = Parameter(Tensor([1.0, -2.0]), name="weight")
        >>> step = mint.optim.SGD([weight], lr=0.5)
        >>> _ = step((Tensor([0.5, -1.0]),))
        >>> weight.tolist()
        [0.75, -1.5]
    """

    state = {"accum": zeros_like, "stat": ones_like}

    def __init__(self, params: Any, lr: Any, momentum: float = 0, dampening: float = 0,
                 weight_decay: float = 0.0, nesterov: bool = False, *, maximize: bool = False):
        check.number(self, "momentum", momentum, 0.0)
        check.number(self, "dampening", dampening, 0.0)
        check.boolean(self, "nesterov", nesterov)
        common(self, weight_decay, maximize)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("For 'SGD', 'nesterov' needs a 'momentum' > 0 and a 'dampening' of 0, but "
                             f"got {momentum} and {dampening}.")
        super().__init__(params, {"lr": lr, "momentum": float(momentum), "dampening": float(dampening),
                                  "weight_decay": weight_decay, "nesterov": nesterov,
                                  "maximize": maximize, "grad_centralization": False})
        self.create_state()

    def update(self, param: Any, grad: Any, group: dict[str, Any], accum: Any, stat: Any) -> Any:
        momentum, dampening = group["momentum"], group["dampening"]
        if not momentum:
            return param - grad * group["lr"], None, None
        part = grad * (stat * dampening + (1.0 - dampening)) if dampening else grad
        v = accum * momentum + part
        step = grad + v * momentum if group["nesterov"] else v
        return param - step * group["lr"], v, stat * 0.0


class Adadelta(Optimizer):
    """a <- rho a + (1-rho) g^2;  d = sqrt((u + eps) / (a + eps)) * g;  p <- p - lr * d.

    u is the same average of d^2.  Zeiler 2012.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        rho: Decay rate of the averages, in [0, 1].
        eps: What keeps the roots from zero.
        weight_decay: Part of the parameter that is added to its gradient.
        maximize: Whether the gradients are followed instead of descended.

    Examples:
        >>> from mindspore.experimental import optim
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> step = optim.Adadelta([p], lr=0.1)
        >>> _ = step((Tensor([2.0]),))             # the gradient of each parameter
        >>> p.asnumpy().round(4)
        array([0.9997], dtype=float32)
    """

    state = {"accum": zeros_like, "accum_update": zeros_like}

    def __init__(self, params: Any, lr: Any = 1.0, rho: float = 0.9, eps: float = 1e-6,
                 weight_decay: float = 0.0, *, maximize: bool = False):
        check.number(self, "rho", rho, 0.0, 1.0)
        check.number(self, "eps", eps, 0.0)
        common(self, weight_decay, maximize)
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay,
                                  "maximize": maximize})
        self.create_state()

    def update(self, param: Any, grad: Any, group: dict[str, Any], accum: Any, accum_update: Any) -> Any:
        rho, eps = group["rho"], group["eps"]
        a = accum * rho + grad * grad * (1.0 - rho)
        d = ops.sqrt(accum_update + eps) / ops.sqrt(a + eps) * grad
        return param - d * group["lr"], a, accum_update * rho + d * d * (1.0 - rho)


class Adagrad(Optimizer):
    """a <- a + g^2;  p <- p - lr / (1 + (t-1) lr_decay) * g / (sqrt(a) + eps).

    Duchi, Hazan and Singer 2011.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        lr_decay: How fast the rate falls.
        weight_decay: Part of the parameter that is added to its gradient.
        initial_accumulator_value: Where the sums begin.
        eps: What keeps the divisor from zero.
        maximize: Whether the gradients are followed instead of descended.

    Examples:
        >>> from mindspore.experimental import optim
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> step = optim.Adagrad([p], lr=0.1)
        >>> _ = step((Tensor([2.0]),))             # the gradient of each parameter
        >>> p.asnumpy().round(4)
        array([0.9], dtype=float32)
    """

    state = {"accum": "_first_sum"}

    def __init__(self, params: Any, lr: Any = 1e-2, lr_decay: float = 0.0, weight_decay: float = 0.0,
                 initial_accumulator_value: float = 0.0, eps: float = 1e-10, *,
                 maximize: bool = False):
        check.number(self, "lr_decay", lr_decay, 0.0)
        check.number(self, "initial_accumulator_value", initial_accumulator_value, 0.0)
        check.number(self, "eps", eps, 0.0)
        common(self, weight_decay, maximize)
        super().__init__(params, {"lr": lr, "lr_decay": lr_decay, "eps": eps,
                                  "weight_decay": weight_decay, "maximize": maximize,
                                  "initial_accumulator_value": initial_accumulator_value})
        self.create_state("step_t")

    def _first_sum(self, p: Any, group: dict[str, Any]) -> Any:
        return ones_like(p) * float(group["initial_accumulator_value"])

    def update(self, param: Any, grad: Any, group: dict[str, Any], accum: Any) -> Any:
        a = accum + grad * grad
        rate = group["lr"] / ((self.step - 1.0) * group["lr_decay"] + 1.0)
        return param - grad / (ops.sqrt(a) + group["eps"]) * rate, a


class RMSprop(Optimizer):
    """s <- alpha s + (1-alpha) g^2;  b <- momentum b + g / (sqrt(s) + eps);  p <- p - lr b.

    Centered, the square of the average gradient is taken from s.  Hinton 2012.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        alpha: Decay rate of the averages.
        eps: What keeps the divisor from zero.
        weight_decay: Part of the parameter that is added to its gradient.
        momentum: Part of the last step that is kept.
        centered: Whether the variance divides instead of the mean square.
        maximize: Whether the gradients are followed instead of descended.

    Examples:
        >>> from mindspore.experimental import optim
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> step = optim.RMSprop([p], lr=0.01)
        >>> _ = step((Tensor([2.0]),))             # the gradient of each parameter
        >>> p.asnumpy().round(4)
        array([0.9], dtype=float32)
    """

    state = {"mean_grad": zeros_like, "mean_square": zeros_like, "moment": zeros_like}

    def __init__(self, params: Any, lr: Any = 1e-2, alpha: float = 0.99, eps: float = 1e-8,
                 weight_decay: float = 0.0, momentum: float = 0.0, centered: bool = False,
                 maximize: bool = False):
        check.number(self, "alpha", alpha, 0.0)
        check.number(self, "eps", eps, 0.0)
        check.number(self, "momentum", momentum, 0.0)
        check.boolean(self, "centered", centered)
        common(self, weight_decay, maximize)
        super().__init__(params, {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps,
                                  "centered": centered, "weight_decay": weight_decay,
                                  "maximize": maximize})
        self.create_state()

    def update(self, param: Any, grad: Any, group: dict[str, Any], mean_grad: Any, mean_square: Any,
               moment: Any) -> Any:
        alpha = group["alpha"]
        s = mean_square * alpha + grad * grad * (1.0 - alpha)
        mean = mean_grad * alpha + grad * (1.0 - alpha) if group["centered"] else None
        spread = s if mean is None else s - mean * mean
        step = grad / (ops.sqrt(spread) + group["eps"])
        if not group["momentum"]:
            return param - step * group["lr"], mean, s, None
        b = moment * group["momentum"] + step
        return param - b * group["lr"], mean, s, b


class Rprop(Optimizer):
    """Steps that follow the signs of the gradients.  Riedmiller and Braun 1993.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The first step.
        etas: Factors for turned and kept signs.
        step_sizes: The least and the greatest step.
        maximize: Whether the gradients are followed instead of descended.

    Examples:
        >>> from mindspore.experimental import optim
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> step = optim.Rprop([p], lr=0.1)
        >>> _ = step((Tensor([2.0]),))             # the gradient of each parameter
        >>> p.asnumpy().round(4)
        array([0.9], dtype=float32)
    """

    state = {"prev": zeros_like, "step_size": "_first_step"}
    decays = False

    def __init__(self, params: Any, lr: Any = 1e-2, etas: tuple[float, float] = (0.5, 1.2),
                 step_sizes: tuple[float, float] = (1e-6, 50), *, maximize: bool = False):
        check.number(self, "etas[0]", etas[0], 0.0, 1.0, open_low=True, open_high=True)
        check.number(self, "etas[1]", etas[1], 1.0, open_low=True)
        check.boolean(self, "maximize", maximize)
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes,
                                  "maximize": maximize, "weight_decay": 0.0})
        self.create_state("step_t")

    def _first_step(self, p: Any, group: dict[str, Any]) -> Any:
        return ones_like(p) * float(group["lr"].asnumpy())

    def update(self, param: Any, grad: Any, group: dict[str, Any], prev: Any, step_size: Any) -> Any:
        low, high = group["etas"]
        least, greatest = group["step_sizes"]
        ones = ones_like(grad)
        turned, kept = grad * prev < 0, grad * prev > 0
        factor = ops.select(kept, ones * high, ops.select(turned, ones * low, ones))
        size = ops.minimum(ops.maximum(step_size * factor, float(least)), float(greatest))
        moving = ops.select(turned, zeros_like(grad), grad)
        return param - ops.sign(moving) * size, moving, size


class ASGD(Optimizer):
    """Gradient descent that also averages the parameters.  Polyak and Juditsky 1992.

    p <- (1 - lambd * eta) * p - eta * g;  ax <- ax + mu * (p - ax);
    eta = lr / (1 + lambd * lr * t)^alpha;  mu = 1 / max(1, t - t0).

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        lambd: Decay of the parameters.
        alpha: Power with which the rate falls.
        t0: Step at which the average begins.
        weight_decay: Part of the parameter that is added to its gradient.
        maximize: Whether the gradients are followed instead of descended.

    Examples:
        >>> from mindspore.experimental import optim
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> step = optim.ASGD([p], lr=0.1)
        >>> _ = step((Tensor([2.0]),))             # the gradient of each parameter
        >>> p.asnumpy().round(4)
        array([0.8], dtype=float32)
    """

    state = {"ax": zeros_like, "eta": "_first_eta", "mu": "_first_mu"}

    def __init__(self, params: Any, lr: Any = 1e-2, lambd: float = 1e-4, alpha: float = 0.75,
                 t0: float = 1e6, weight_decay: float = 0.0, maximize: bool = False):
        for name, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            check.number(self, name, value)
        common(self, weight_decay, maximize)
        super().__init__(params, {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0,
                                  "weight_decay": weight_decay, "maximize": maximize})
        self.create_state("step_t")

    def _first_eta(self, p: Any, group: dict[str, Any]) -> Any:
        return Tensor(float(group["lr"].asnumpy()), float32)

    def _first_mu(self, p: Any, group: dict[str, Any]) -> Any:
        return Tensor(1.0, float32)

    def update(self, param: Any, grad: Any, group: dict[str, Any], ax: Any, eta: Any, mu: Any) -> Any:
        lambd, t = group["lambd"], self.step
        p = param * (1.0 - eta * lambd) - grad * eta
        average = ax + (p - ax) * mu
        next_eta = group["lr"] / ops.pow(group["lr"] * t * lambd + 1.0, group["alpha"])
        return p, average, next_eta, 1.0 / ops.maximum(t - group["t0"], 1.0)
