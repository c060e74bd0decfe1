"""Optimizers whose step is scaled layer by layer."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.operators.structure import ones_like, zeros_like

from .adam import fraction
from .optimizer import Optimizer, opt_init_args_register

_GREATEST_RATIO = 10.0


class Lamb(Optimizer):
    """Adam's direction plus decay, scaled by |p| / |direction|.  You et al. 2019.

    m and v are Adam's averages with bias correction; d = m / (sqrt(v) + eps) + decay * p;
    p <- p - lr * min(|p| / |d|, 10) * d, where a norm of zero makes the ratio 1.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        beta1: Decay rate of the average of the gradients, in (0, 1).
        beta2: Decay rate of the average of their squares, in (0, 1).
        eps: What keeps the divisor from zero, positive.
        weight_decay: A number, or a cell of the global step.

    Examples:
        >>> p = Parameter(Tensor([2.0]), name="p")
        >>> _ = nn.Lamb([p], learning_rate=0.1)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        1.8
    """

    state = {"lamb_m": zeros_like, "lamb_v": zeros_like}
    own_decay = True

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any, beta1: float = 0.9, beta2: float = 0.999,
                 eps: float = 1e-6, weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2 = fraction(self, "beta1", beta1), fraction(self, "beta2", beta2)
        self.eps = check.positive_float(self, "eps", eps)
        self.create_state()
        self.moments1, self.moments2 = self.lamb_m, self.lamb_v

    def begin(self) -> None:
        step = self.global_step.reshape(()).astype(float32)
        self.__dict__["_corrections"] = [-ops.expm1(step * math.log(beta))      # 1 - beta^step
                                         for beta in (self.beta1, self.beta2)]

    def update(self, param: Any, grad: Any, lr: Any, lamb_m: Any, lamb_v: Any, decay: Any) -> Any:
        m = lamb_m * self.beta1 + grad * (1.0 - self.beta1)
        v = lamb_v * self.beta2 + grad * grad * (1.0 - self.beta2)
        first, second = self.__dict__["_corrections"]
        d = m / first / (ops.sqrt(v / second) + self.eps)
        if not isinstance(decay, float) or decay:
            d = d + param * decay
        ratio = ops.minimum(_ratio(_norm(param), _norm(d)), _GREATEST_RATIO)
        return param - d * (ratio * lr), m, v


class LARS(Optimizer):
    """Layer-wise adaptive rates: another optimizer with gradients scaled by norms.  You et al. 2017.

    g <- t * (g + decay * p) with t = coefficient * |p| / (|g| + decay * |p| + epsilon), then the
    optimizer's update, whose own weight decay moves here.

    Args:
        optimizer: The optimizer that updates the parameters; SGD or Momentum, as a rule.
        epsilon: What keeps the divisor from zero.
        coefficient: The trust in the layer's rate.
        use_clip: Whether t is at most the learning rate, relative to it: min(t / lr, 1).
        lars_filter: Tells for a parameter whether its gradient is scaled; by default all but those
            with "LayerNorm" or "bias" in their names.

    Inputs:
        gradients: One per trained parameter.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.LARS(nn.SGD([p], learning_rate=0.5), coefficient=0.5)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.75
    """

    @opt_init_args_register
    def __init__(self, optimizer: Optimizer, epsilon: float = 1e-05, coefficient: float = 0.001,
                 use_clip: bool = False,
                 lars_filter: Any = lambda x: "LayerNorm" not in x.name and "bias" not in x.name):
        check.instance(self, "optimizer", optimizer, Optimizer)
        stand_in = Parameter(Tensor(0.0, float32), name="fake_param")
        super().__init__(0.0, [stand_in])
        rate: Any = self.learning_rate
        rate.name = "fake_lr"
        self.global_step = optimizer.global_step      # which the optimizer counts
        check.instance(self, "epsilon", epsilon, float)
        check.instance(self, "coefficient", coefficient, float)
        self.epsilon, self.coefficient = epsilon, coefficient
        self.use_clip = check.boolean(self, "use_clip", use_clip)
        self.opt = optimizer
        self.lars_flag = tuple([bool(lars_filter(p)) for p in optimizer.parameters])
        for name in ("parameters", "params", "param_length", "is_group", "is_group_lr",
                     "is_group_params_ordered", "dynamic_lr", "decay_flags", "dynamic_weight_decay",
                     "exec_weight_decay", "need_scale", "reciprocal_scale", "loss_scale", "_decays",
                     "grad_centralization", "group_grad_centralization"):
            self.__dict__[name] = getattr(optimizer, name)
        optimizer.exec_weight_decay = optimizer.need_scale = optimizer.grad_centralization = False

    def construct(self, gradients: Any) -> Any:
        """Scale the gradients, then update by the optimizer."""
        decays = self.opt._current_decays()
        lrs = self.opt._current_rates()
        scale = self.reciprocal_scale
        found = [g * scale for g in gradients] if self.need_scale else list(gradients)
        found = [self._scaled(*each) for each in
                 zip(self.parameters, found, self.lars_flag, decays, lrs, strict=True)]
        if self.grad_centralization:
            found = self.gradients_centralization(found)
        return self.opt(tuple(found))

    def _scaled(self, param: Any, grad: Any, wanted: bool, decay: Any, lr: Any) -> Any:
        decayed = grad if isinstance(decay, float) and not decay else grad + param * decay
        if not wanted:
            return decayed
        p, g = _norm(param), _norm(grad)
        ratio = p * self.coefficient / (g + p * decay + self.epsilon)
        trust = ops.select(ops.logical_and(p > 0, g > 0), ratio, ones_like(ratio))
        if self.use_clip:
            trust = ops.minimum(trust / lr, 1.0)
        return decayed * trust

    def get_lr(self) -> Any:
        """The learning rate of the optimizer."""
        return self.opt.get_lr()

    def get_lr_parameter(self, param: Any) -> Any:
        """The learning rate's parameter of the optimizer."""
        return self.opt.get_lr_parameter(param)


def _norm(x: Any) -> Any:
    """The Euclidean norm of all elements, in float32."""
    x = x.astype(float32)
    return ops.sqrt((x * x).sum())


def _ratio(p: Any, d: Any) -> Any:
    """p / d, and 1 where one of them is zero."""
    usable = ops.logical_and(p > 0, d > 0)
    return ops.select(usable, p / ops.select(usable, d, ones_like(d)), ones_like(p))
