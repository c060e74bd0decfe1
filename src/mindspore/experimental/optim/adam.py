"""Optimizers with averages of the gradient and of its square."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor
from mindspore.operators.structure import ones_like, zeros_like

from .optimizer import Optimizer, checked_betas, common

_AVERAGES = {"exp_avg": zeros_like, "exp_avg_sq": zeros_like}


def averages(grad: Any, group: dict[str, Any], first: Any, second: Any) -> tuple[Any, Any]:
    """The new averages of the gradient and of its square."""
    b1, b2 = group["betas"]
    return first * b1 + grad * (1.0 - b1), second * b2 + grad * grad * (1.0 - b2)


def correction(beta: float, step: Any) -> Any:
    """1 - beta^step, without the cancellation of the first steps."""
    return -ops.expm1(step * math.log(beta)) if beta else 1.0


class Adam(Optimizer):
    """m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2;  p <- p - lr * m' / (sqrt(v') + eps).

    m' = m / (1 - b1^t) and v' = v / (1 - b2^t).  Kingma and Ba 2014.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        betas: Decay rates of the two averages, in [0, 1).
        eps: What keeps the divisor from zero.
        weight_decay: Part of the parameter that is added to its gradient.
        amsgrad: Whether the greatest average so far divides.
        maximize: Whether the gradients are followed instead of descended.

    Inputs:
        gradients: A tuple of tensors, one for each parameter.

    Raises:
        TypeError, ValueError: If an option has another type or is out of range.

    Examples:
        >>> weight = Parameter(Tensor([1.0, -2.0]), name="weight")
        >>> step = mint.optim.Adam([weight], lr=0.25)
        >>> _ = step((Tensor([0.5, -4.0]),))        # the first step is as long as the rate, whatever the gradient
        >>> weight.asnumpy().round(4)
        array([ 0.75, -1.75], dtype=float32)
    """

    state = {**_AVERAGES, "max_exp_avg_sq": zeros_like}

    def __init__(self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 0.0, amsgrad: bool = False, *,
                 maximize: bool = False):
        checked_betas(self, betas)
        check.number(self, "eps", eps, 0.0)
        check.boolean(self, "amsgrad", amsgrad)
        common(self, weight_decay, maximize)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "amsgrad": amsgrad, "maximize": maximize})
        self.create_state("state_step")

    def update(self, param: Any, grad: Any, group: dict[str, Any], exp_avg: Any, exp_avg_sq: Any,
               greatest: Any) -> Any:
        b1, b2 = group["betas"]
        m, v = averages(grad, group, exp_avg, exp_avg_sq)
        most = ops.maximum(greatest, v) if group["amsgrad"] else None
        divisor = ops.sqrt(v if most is None else most) / ops.sqrt(correction(b2, self.step))
        step = m / (divisor + group["eps"]) * (group["lr"] / correction(b1, self.step))
        return param - step, m, v, most


class AdamW(Adam):
    """`Adam` whose decay shrinks the parameter itself: p <- (1 - lr * decay) * p.

    Loshchilov and Hutter 2017.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        betas: Decay rates of the two averages, in [0, 1).
        eps: What keeps the divisor from zero.
        weight_decay: The decay.
        amsgrad: Whether the greatest average so far divides.
        maximize: Whether the gradients are followed instead of descended.

    Inputs:
        gradients: A tuple of tensors, one for each parameter.

    Raises:
        TypeError, ValueError: If an option has another type or is out of range.

    Examples:
        >>> weight = Parameter(Tensor([1.0, -2.0]), name="weight")
        >>> step = mint.optim.AdamW([weight], lr=0.25, weight_decay=0.4)
        >>> _ = step((Tensor([0.5, -4.0]),))        # 0.9 times the parameter, and a step of 0.25
        >>> weight.asnumpy().round(4)
        array([ 0.65, -1.55], dtype=float32)
    """

    decays = False

    def __init__(self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 1e-2, amsgrad: bool = False, *,
                 maximize: bool = False):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

    def update(self, param: Any, grad: Any, group: dict[str, Any], *state: Any) -> Any:
        if group["weight_decay"]:
            param = param * (1.0 - group["lr"] * group["weight_decay"])
        return super().update(param * 1.0, grad, group, *state)


class Adamax(Optimizer):
    """m <- b1 m + (1-b1) g;  u <- max(b2 u, |g| + eps);  p <- p - lr / (1 - b1^t) * m / u.

    Kingma and Ba 2014, section 7.1.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        betas: Decay rates of the average and of the greatest gradient, in [0, 1).
        eps: What keeps the divisor from zero.
        weight_decay: Part of the parameter that is added to its gradient.
        maximize: Whether the gradients are followed instead of descended.

    Examples:
        >>> from mindspore.experimental import optim
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> step = optim.Adamax([p], lr=0.1)
        >>> _ = step((Tensor([2.0]),))             # the gradient of each parameter
        >>> p.asnumpy().round(4)
        array([0.9], dtype=float32)
    """

    state = {"exp_avg": zeros_like, "exp_inf": zeros_like}

    def __init__(self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 0.0, *, maximize: bool = False):
        checked_betas(self, betas)
        check.number(self, "eps", eps, 0.0)
        common(self, weight_decay, maximize)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "maximize": maximize})
        self.create_state("step_t")

    def update(self, param: Any, grad: Any, group: dict[str, Any], exp_avg: Any, exp_inf: Any) -> Any:
        b1, b2 = group["betas"]
        m = exp_avg * b1 + grad * (1.0 - b1)
        u = ops.maximum(exp_inf * b2, ops.abs(grad) + group["eps"])
        return param - m / u * (group["lr"] / correction(b1, self.step)), m, u


class NAdam(Optimizer):
    """`Adam` with a momentum that looks ahead and grows.  Dozat 2016.

    mu_t = b1 (1 - 0.96^(t decay) / 2);
    p <- p - lr * (mu_{t+1} m / (1 - prod mu_{..t+1}) + (1 - mu_t) g / (1 - prod mu_{..t})) / divisor.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        betas: Decay rates of the two averages, in [0, 1).
        eps: What keeps the divisor from zero.
        weight_decay: Part of the parameter that is added to its gradient.
        momentum_decay: How fast the momentum grows.

    Examples:
        >>> from mindspore.experimental import optim
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> step = optim.NAdam([p], lr=0.1)
        >>> _ = step((Tensor([2.0]),))             # the gradient of each parameter
        >>> p.asnumpy().round(4)
        array([0.8944], dtype=float32)
    """

    state = dict(_AVERAGES)

    def __init__(self, params: Any, lr: Any = 2e-3, betas: tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 0.0, momentum_decay: float = 4e-3):
        checked_betas(self, betas)
        check.number(self, "eps", eps, 0.0)
        check.number(self, "momentum_decay", momentum_decay, 0.0)
        common(self, weight_decay)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "momentum_decay": momentum_decay})
        self.create_state("step_t")
        self.mu_product = [Parameter(Tensor(1.0, float32), name=f"mu_product.{i}")
                           for i in range(len(self.param_groups))]

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Train further parameters, with options of their own."""
        super().add_param_group(param_group)
        if "mu_product" in self.__dict__:
            number = len(self.mu_product)
            self.mu_product.append(Parameter(Tensor(1.0, float32), name=f"mu_product.{number}"))

    def begin(self) -> None:
        t = self.step
        self.__dict__["_momenta"] = []
        for group, product in zip(self.param_groups, self.mu_product, strict=True):
            b1, decay = group["betas"][0], group["momentum_decay"]
            now, ahead = [b1 * (1.0 - 0.5 * ops.pow(0.96, s * decay)) for s in (t, t + 1.0)]
            assign(product, product * now)
            self._momenta.append((now, ahead, product * 1.0))

    def update(self, param: Any, grad: Any, group: dict[str, Any], exp_avg: Any, exp_avg_sq: Any) -> Any:
        m, v = averages(grad, group, exp_avg, exp_avg_sq)
        now, ahead, product = self._momenta[self._number(group)]
        divisor = ops.sqrt(v / correction(group["betas"][1], self.step)) + group["eps"]
        step = (grad * ((1.0 - now) / (1.0 - product)) + m * (ahead / (1.0 - product * ahead))) / divisor
        return param - step * group["lr"], m, v

    def _number(self, group: dict[str, Any]) -> int:
        return next(i for i, each in enumerate(self.param_groups) if each is group)


class RAdam(Optimizer):
    """`Adam` whose divisor waits until its variance is known.  Liu et al. 2019.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        lr: The learning rate.
        betas: Decay rates of the two averages, in [0, 1).
        eps: What keeps the divisor from zero.
        weight_decay: Part of the parameter that is added to its gradient.

    Examples:
        >>> from mindspore.experimental import optim
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> step = optim.RAdam([p], lr=0.1)
        >>> _ = step((Tensor([2.0]),))             # the gradient of each parameter
        >>> p.asnumpy().round(4)
        array([0.8], dtype=float32)
    """

    state = dict(_AVERAGES)

    def __init__(self, params: Any, lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 0.0):
        checked_betas(self, betas)
        check.number(self, "eps", eps, 0.0)
        common(self, weight_decay)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})
        self.create_state("step_t")

    def update(self, param: Any, grad: Any, group: dict[str, Any], exp_avg: Any, exp_avg_sq: Any) -> Any:
        b1, b2 = group["betas"]
        t = self.step
        m, v = averages(grad, group, exp_avg, exp_avg_sq)
        mean = m / correction(b1, t)
        limit = 2.0 / (1.0 - b2) - 1.0
        if limit <= 5.0:                     # the length stays below it
            return param - mean * group["lr"], m, v
        rest = correction(b2, t)
        length = limit - t * 2.0 * (1.0 - rest) / rest
        known = length > 5.0
        safe = ops.select(known, length, ones_like(length) * 6.0)
        scale = (limit - 4.0) * (limit - 2.0) / limit
        rectified = ops.sqrt((safe - 4.0) * (safe - 2.0) / safe / scale)
        adaptive = ops.sqrt(rest) / (ops.sqrt(v) + group["eps"]) * rectified
        factor = ops.select(known, ones_like(length), zeros_like(length))
        return param - mean * group["lr"] * (adaptive * factor + (1.0 - factor)), m, v
