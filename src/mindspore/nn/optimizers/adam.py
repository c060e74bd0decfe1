"""Adam and its relatives."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import Tensor
from mindspore.operators.structure import zeros_like
from mindspore.operators.training import adam_step

from .multi_tensor import together
from .optimizer import Optimizer, opt_init_args_register


def fraction(owner: Any, name: str, value: Any) -> float:
    """A float between 0 and 1, both excluded."""
    return check.floating(owner, name, value, 0.0, 1.0, open_low=True, open_high=True)


def at_once(optimizer: Any, gradients: Sequence[Any], lrs: Sequence[Any],
            decays: Sequence[Any] | None = None) -> list[Any]:
    """The updates of all parameters, computed together where they can be."""
    def step(lr: Any, decay: float, tensors: Sequence[Any]) -> Sequence[Any]:
        return adam_step(lr, *tensors, beta1=optimizer.beta1, beta2=optimizer.beta2, eps=optimizer.eps,
                         decay=decay)
    return together(optimizer, gradients, lrs, step, 2, decays)


class BiasCorrected(Optimizer):
    """What the Adam family shares: decay rates, their powers, the corrected learning rate."""

    state = {"moment1": zeros_like, "moment2": zeros_like}
    powers = ("beta1_power", "beta2_power")
    power_shape: tuple[int, ...] = ()

    def __init__(self, params: Any, learning_rate: Any, beta1: float, beta2: float, eps: float,
                 weight_decay: Any, loss_scale: float):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.beta1, self.beta2 = fraction(self, "beta1", beta1), fraction(self, "beta2", beta2)
        self.eps = check.positive_float(self, "eps", eps)
        for name in self.powers:
            one = Tensor(1.0 if not self.power_shape else [1.0], float32)
            setattr(self, name, Parameter(one, name=name))

    def begin(self) -> None:
        for name, beta in zip(self.powers, (self.beta1, self.beta2), strict=False):
            power = getattr(self, name)
            assign(power, power * beta)

    def effective(self, lr: Any) -> Any:
        """lr * sqrt(1 - beta2^t) / (1 - beta1^t)."""
        return lr * ops.sqrt(1.0 - self.beta2_power) / (1.0 - self.beta1_power)

    def averages(self, grad: Any, moment1: Any, moment2: Any) -> tuple[Any, Any]:
        """The new averages of the gradient and of its square."""
        m = moment1 * self.beta1 + grad * (1.0 - self.beta1)
        v = moment2 * self.beta2 + grad * grad * (1.0 - self.beta2)
        return m, v


class Adam(BiasCorrected):
    """m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2;  p <- p - lr_t * m / (sqrt(v) + eps).

    lr_t = lr * sqrt(1 - b2^t) / (1 - b1^t).  Kingma and Ba 2014.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        beta1: Decay rate of the average of the gradients, in (0, 1).
        beta2: Decay rate of the average of their squares, in (0, 1).
        eps: What keeps the divisor from zero, positive.
        use_locking: Accepted; a parameter has one writer here.
        use_nesterov: Whether the step looks ahead: b1 m + (1-b1) g stands in place of m.  Without
            effect with `use_amsgrad`, whose formula has no such form.
        weight_decay: Part of the parameter that is added to its gradient.
        loss_scale: What the gradients are divided by.
        use_amsgrad: Whether the greatest v so far divides, in place of v.
        kwargs: `use_lazy` and `use_offload`, whether rows without a gradient are left and whether the host updates;
            accepted: gradients are dense here, and the update runs where the parameters are.

    Raises:
        KeyError: If another name is given.
        ValueError: If `use_lazy`, `use_offload` and `use_amsgrad` are combined.

    Examples:
        >>> net = nn.Dense(2, 1)
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01))
        >>> x, y = ops.ones((4, 2)), ops.zeros((4, 1))
        >>> losses = [float(step(x, y)) for _ in range(100)]
        >>> losses[-1] < losses[0]
        True
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9,
                 beta2: float = 0.999, eps: float = 1e-8, use_locking: bool = False,
                 use_nesterov: bool = False, weight_decay: Any = 0.0, loss_scale: float = 1.0,
                 use_amsgrad: bool = False, **kwargs: bool):
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        check.boolean(self, "use_locking", use_locking)
        self.use_nesterov = check.boolean(self, "use_nesterov", use_nesterov)
        self.use_amsgrad = check.boolean(self, "use_amsgrad", use_amsgrad)
        self.use_lazy, self.use_offload = self._variants(**kwargs)
        if use_amsgrad:
            self.state = {**self.state, "vhat": zeros_like}
        self.create_state()

    def _variants(self, **given: Any) -> tuple[bool, bool]:
        if given.keys() - {"use_lazy", "use_offload"}:
            raise KeyError("For 'Adam', the supported keys are 'use_lazy' and 'use_offload', but got "
                           f"{list(given)}.")
        lazy = check.boolean(self, "use_lazy", given.get("use_lazy", False))
        offload = check.boolean(self, "use_offload", given.get("use_offload", False))
        if lazy and offload:
            raise ValueError("For 'Adam', 'use_lazy' and 'use_offload' cannot both be True.")
        if self.use_amsgrad and (lazy or offload):
            raise ValueError("For 'Adam', 'use_amsgrad' cannot be combined with 'use_lazy' or "
                             "'use_offload'.")
        return lazy, offload

    def updates(self, gradients: Sequence[Any], lrs: Sequence[Any], decays: Any) -> list[Any]:
        if self.use_nesterov or self.use_amsgrad:
            return super().updates(gradients, lrs, decays)
        return at_once(self, gradients, lrs)

    def update(self, param: Any, grad: Any, lr: Any, moment1: Any, moment2: Any, *vhat: Any) -> Any:
        m, v = self.averages(grad, moment1, moment2)
        greatest = [ops.maximum(h, v) for h in vhat]
        divisor = ops.sqrt(greatest[0] if greatest else v) + self.eps
        ahead = m * self.beta1 + grad * (1.0 - self.beta1) if self._looks_ahead else m
        return param - ahead / divisor * lr, m, v, *greatest

    @property
    def _looks_ahead(self) -> bool:
        return self.use_nesterov and not self.use_amsgrad


class AdamOffload(BiasCorrected):
    """The update of `Adam`; the name says that the original runs it on the host.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        beta1: Decay rate of the average of the gradients, in (0, 1).
        beta2: Decay rate of the average of their squares, in (0, 1).
        eps: What keeps the divisor from zero, positive.
        use_locking: Accepted; a parameter has one writer here.
        use_nesterov: Whether the step looks ahead: b1 m + (1-b1) g stands in place of m.
        weight_decay: Part of the parameter that is added to its gradient.
        loss_scale: What the gradients are divided by.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.AdamOffload([p], learning_rate=0.1)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.9
    """

    power_shape = (1,)

    def __init__(self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9,
                 beta2: float = 0.999, eps: float = 1e-8, use_locking: bool = False,
                 use_nesterov: bool = False, weight_decay: Any = 0.0, loss_scale: float = 1.0):
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        check.boolean(self, "use_locking", use_locking)
        self.use_nesterov = check.boolean(self, "use_nesterov", use_nesterov)
        self.create_state()

    def effective(self, lr: Any) -> Any:
        return super().effective(lr).reshape(())

    def updates(self, gradients: Sequence[Any], lrs: Sequence[Any], decays: Any) -> list[Any]:
        if self.use_nesterov:
            return super().updates(gradients, lrs, decays)
        return at_once(self, gradients, lrs)

    def update(self, param: Any, grad: Any, lr: Any, moment1: Any, moment2: Any) -> Any:
        m, v = self.averages(grad, moment1, moment2)
        ahead = m * self.beta1 + grad * (1.0 - self.beta1) if self.use_nesterov else m
        return param - ahead / (ops.sqrt(v) + self.eps) * lr, m, v


class LazyAdam(AdamOffload):
    """The update of `Adam`, which for sparse gradients touches only the rows that have one.

    Gradients are dense here.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        beta1: Decay rate of the average of the gradients, in (0, 1).
        beta2: Decay rate of the average of their squares, in (0, 1).
        eps: What keeps the divisor from zero, positive.
        use_locking: Accepted; a parameter has one writer here.
        use_nesterov: Whether the step looks ahead: b1 m + (1-b1) g stands in place of m.
        weight_decay: Part of the parameter that is added to its gradient.
        loss_scale: What the gradients are divided by.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.LazyAdam([p], learning_rate=0.1)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.9
    """

    __init__ = opt_init_args_register(AdamOffload.__init__)


class AdamWeightDecay(Optimizer):
    """Adam without bias correction, whose decay stands beside the gradient.

    m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2;  p <- p - lr * (m / (sqrt(v) + eps) + decay * p).
    Loshchilov and Hutter 2017.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        beta1: Decay rate of the average of the gradients, in (0, 1).
        beta2: Decay rate of the average of their squares, in (0, 1).
        eps: What keeps the divisor from zero, positive.
        weight_decay: A number, or a cell of the global step.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a decay rate is outside of (0, 1), or `eps` is not positive.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> optimizer = nn.AdamWeightDecay(net.trainable_params(), learning_rate=0.1)
        >>> optimizer((ops.ones((1, 2)),))
        (True,)
        >>> bool((net.weight < 1).all())
        True
    """

    state = {"adam_m": zeros_like, "adam_v": zeros_like}
    own_decay = True

    def __init__(self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9,
                 beta2: float = 0.999, eps: float = 1e-6, weight_decay: Any = 0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1, self.beta2 = fraction(self, "beta1", beta1), fraction(self, "beta2", beta2)
        self.eps = check.positive_float(self, "eps", eps)
        self.create_state()
        self.moments1, self.moments2 = self.adam_m, self.adam_v

    def updates(self, gradients: Sequence[Any], lrs: Sequence[Any], decays: Any) -> list[Any]:
        return at_once(self, gradients, lrs, decays)

    def update(self, param: Any, grad: Any, lr: Any, adam_m: Any, adam_v: Any, decay: Any) -> Any:
        m = adam_m * self.beta1 + grad * (1.0 - self.beta1)
        v = adam_v * self.beta2 + grad * grad * (1.0 - self.beta2)
        step = m / (ops.sqrt(v) + self.eps)
        if not isinstance(decay, float) or decay:
            step = step + param * decay
        return param - step * lr, m, v


class AdaMax(BiasCorrected):
    """m <- b1 m + (1-b1) g;  u <- max(b2 u, |g|);  p <- p - lr / (1 - b1^t) * m / (u + eps).

    Kingma and Ba 2014, section 7.1.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule.
        beta1: Decay rate of the average of the gradients, in (0, 1).
        beta2: Decay rate of the greatest gradient, in (0, 1).
        eps: What keeps the divisor from zero, positive.
        weight_decay: Part of the parameter that is added to its gradient.
        loss_scale: What the gradients are divided by.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> _ = nn.AdaMax([p], learning_rate=0.1)((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.9
    """

    powers, power_shape = ("beta1_power",), (1,)

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 0.001, beta1: float = 0.9,
                 beta2: float = 0.999, eps: float = 1e-08, weight_decay: Any = 0.0,
                 loss_scale: float = 1.0):
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        self.create_state()

    def effective(self, lr: Any) -> Any:
        return (lr / (1.0 - self.beta1_power)).reshape(())

    def update(self, param: Any, grad: Any, lr: Any, moment1: Any, moment2: Any) -> Any:
        m = moment1 * self.beta1 + grad * (1.0 - self.beta1)
        u = ops.maximum(moment2 * self.beta2, ops.abs(grad))
        return param - m / (u + self.eps) * lr, m, u
