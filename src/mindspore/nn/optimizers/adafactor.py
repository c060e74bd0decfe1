"""Adam with a memory of rows and columns in place of elements."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float16, float32
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor
from mindspore.operators.structure import zeros_like

from .optimizer import Optimizer, opt_init_args_register


class AdaFactor(Optimizer):
    """Adam whose average of squares is the product of one over rows and one over columns.

    Of matrices (and stacks of them) only the averages r of g^2 over columns and c over rows are kept:
    v = r c / mean(r).  u = g / sqrt(v), divided by max(1, RMS(u) / clip_threshold);
    p <- p - lr * u, averaged with `beta1`.  Shazeer and Stern 2018.

    Args:
        params: Parameters, or groups of them; see `Optimizer`.
        learning_rate: A number, a Tensor, one number per step, or a schedule; None with
            `relative_step`.
        eps: What is added to g^2, and the least scale of a parameter.
        clip_threshold: The greatest root mean square of an update.
        decay_rate: The averages decay by 1 - t^-decay_rate.
        beta1: Decay rate of the average of the updates, 0 for none.
        weight_decay: Part of the parameter that is taken off, relative to the rate.
        scale_parameter: Whether the rate is relative to the root mean square of the parameter.
        relative_step: Whether the rate is min(1e-2, 1 / sqrt(t)) in place of `learning_rate`.
        warmup_init: Whether that rate begins at 1e-6 t instead.
        compression: Whether the averages are stored in float16.
        loss_scale: What the gradients are divided by.

    Raises:
        ValueError: If `learning_rate` is given with `relative_step`, or missing without it, or if
            `warmup_init` is asked for without `relative_step`.

    Examples:
        >>> p = Parameter(Tensor([1.0]), name="p")
        >>> optimizer = nn.AdaFactor([p], 0.1, beta1=0.0, scale_parameter=False, relative_step=False)
        >>> _ = optimizer((Tensor([2.0]),))
        >>> round(float(p[0]), 4)
        0.9
    """

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = None, eps: tuple[float, float] = (1e-30, 1e-3),
                 clip_threshold: float = 1.0, decay_rate: float = 0.8, beta1: float = 0.9,
                 weight_decay: float = 0.0, scale_parameter: bool = True, relative_step: bool = True,
                 warmup_init: bool = False, compression: bool = False, loss_scale: float = 1.0):
        self._check_rate(learning_rate, relative_step, warmup_init)
        super().__init__(0.0 if learning_rate is None else learning_rate, params, 0.0, loss_scale)
        if not isinstance(eps, (tuple, list)) or len(eps) != 2:
            raise check.fail(TypeError, self, "eps", "a pair of floats", eps)
        self.eps = tuple([check.non_negative_float(self, f"eps[{i}]", e) for i, e in enumerate(eps)])
        self.clip_threshold = check.non_negative_float(self, "clip_threshold", clip_threshold)
        self.decay_rate = check.non_negative_float(self, "decay_rate", decay_rate)
        self.beta1 = check.non_negative_float(self, "beta1", beta1)
        self.shrink = check.non_negative_float(self, "weight_decay", weight_decay)
        self.scale_parameter = check.boolean(self, "scale_parameter", scale_parameter)
        self.relative_step, self.warmup_init = relative_step, warmup_init
        self.compression = check.boolean(self, "compression", compression)
        self._create_averages()
        self.step = Parameter(Tensor([0.0], float32), name="afactor_step")

    def _check_rate(self, learning_rate: Any, relative_step: Any, warmup_init: Any) -> None:
        check.boolean(self, "relative_step", relative_step)
        check.boolean(self, "warmup_init", warmup_init)
        if relative_step == (learning_rate is not None):
            raise ValueError("For 'AdaFactor', give either 'learning_rate' or 'relative_step=True', but got "
                             f"learning_rate={learning_rate!r} and relative_step={relative_step}.")
        if warmup_init and not relative_step:
            raise ValueError("For 'AdaFactor', 'warmup_init' needs 'relative_step=True'.")

    def _create_averages(self) -> None:
        average, rows, columns, squares = [], [], [], []
        for p in self.parameters:
            shape, factored = tuple(p.shape), len(p.shape) > 1
            dtype = float16 if self.compression else p.dtype
            average.append((f"exp_avg.{p.name}", zeros_like(p).astype(dtype)))
            rows.append((f"exp_avg_sq_row_{p.name}", _zeros(shape[:-1] if factored else (1,), dtype)))
            columns.append((f"exp_avg_sq_col_{p.name}",
                            _zeros(shape[:-2] + shape[-1:] if factored else (1,), dtype)))
            squares.append((f"exp_avg_sq_{p.name}", _zeros((1,) if factored else shape, dtype)))
        made = [ParameterTuple([Parameter(value, name=name) for name, value in column])
                for column in (average, rows, columns, squares)]
        self.exp_avg, self.exp_avg_sq_row, self.exp_avg_sq_col, self.exp_avg_sq = made
        self._state = list(zip(*made, strict=True))

    @property
    def supports_memory_efficient_fp16(self) -> bool:
        """True: the averages may be stored in float16."""
        return True

    @property
    def supports_flat_params(self) -> bool:
        """False: the shapes of the parameters matter."""
        return False

    def begin(self) -> None:
        assign(self.step, self.step + 1.0)

    def update(self, param: Any, grad: Any, lr: Any, average: Any, row: Any, column: Any,
               square: Any) -> Any:
        t = self.step.reshape(())
        weight, grad = param.astype(float32), grad.astype(float32)
        rate = self._rate(weight, lr, t)
        keep = 1.0 - ops.pow(t, -self.decay_rate)
        squared = grad * grad + self.eps[0]
        row, column, square = row.astype(float32), column.astype(float32), square.astype(float32)
        if len(param.shape) > 1:
            row = row * keep + squared.mean(axis=-1) * (1.0 - keep)
            column = column * keep + squared.mean(axis=-2) * (1.0 - keep)
            share = ops.rsqrt(row / row.mean(axis=-1, keep_dims=True))
            u = grad * share.expand_dims(-1) * ops.rsqrt(column).expand_dims(-2)
        else:
            square = square * keep + squared * (1.0 - keep)
            u = grad * ops.rsqrt(square)
        u = u / ops.maximum(_rms(u) / self.clip_threshold, 1.0) * rate
        new_average = None
        if self.beta1:
            u = new_average = average.astype(float32) * self.beta1 + u * (1.0 - self.beta1)
        if self.shrink:
            weight = weight - weight * rate * self.shrink
        return weight - u, new_average, row, column, square

    def _rate(self, weight: Any, lr: Any, t: Any) -> Any:
        if self.relative_step:
            first = t * 1e-6 if self.warmup_init else 1e-2
            lr = ops.minimum(ops.rsqrt(t), first)
        return lr * ops.maximum(_rms(weight), self.eps[1]) if self.scale_parameter else lr


def _zeros(shape: tuple[int, ...], dtype: Any) -> Tensor:
    return Tensor(shape=shape, dtype=dtype)


def _rms(x: Any) -> Any:
    """The root mean square of all elements."""
    return ops.sqrt((x * x).mean())
