"""Learning rates as cells: functions of the global step, part of the graph of a training step."""
from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.tensor import Tensor, is_tensor

from ..cell import Cell
from .sequences import below


class LearningRateSchedule(Cell):
    """A learning rate that depends on the number of steps: a subclass writes `construct`.

    Inputs:
        global_step: The number of steps so far, an integer tensor.

    Outputs:
        The learning rate, float32, with the shape of `global_step`.

    Examples:
        >>> class Root(nn.LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 1.0 / (global_step + 1.0) ** 0.5
        >>> float(Root()(Tensor(3.0)))
        0.5
    """

    def construct(self, global_step: Any) -> Any:
        """The learning rate for `global_step`."""
        raise NotImplementedError(f"For '{type(self).__name__}', the 'construct' must be written: "
                                  "it computes the learning rate from the global step.")


class _Decay(LearningRateSchedule):
    """What the decays by powers of a rate share: their arguments and the position in the decay."""

    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int,
                 is_stair: bool = False):
        super().__init__()
        self.learning_rate = check.positive_float(self, "learning_rate", learning_rate)
        self.decay_rate = check.positive_float(self, "decay_rate", decay_rate)
        self.decay_steps = check.positive_int(self, "decay_steps", decay_steps)
        self.is_stair = check.boolean(self, "is_stair", is_stair)

    def position(self, global_step: Any) -> Any:
        """global_step / decay_steps, floored for `is_stair`."""
        p = _real(global_step) / self.decay_steps
        return ops.floor(p) if self.is_stair else p


class ExponentialDecayLR(_Decay):
    """learning_rate * decay_rate^(global_step / decay_steps).

    Args:
        learning_rate: The first rate, positive.
        decay_rate: The factor per `decay_steps` steps, positive.
        decay_steps: Steps that one factor takes.
        is_stair: Whether the exponent is floored.

    Examples:
        >>> round(float(nn.ExponentialDecayLR(1.0, 0.5, 2)(Tensor(2, mindspore.int32))), 4)
        0.5
    """

    def construct(self, global_step: Any) -> Any:
        return self.learning_rate * ops.exp(self.position(global_step) * math.log(self.decay_rate))


class NaturalExpDecayLR(_Decay):
    """learning_rate * e^(-decay_rate * global_step); for `is_stair` the step of the last decay.

    The arguments are those of `ExponentialDecayLR`.

    Args:
        learning_rate: The rate at the beginning.
        decay_rate: How fast it falls.
        decay_steps: The unit of the steps.
        is_stair: Whether the rate changes every `decay_steps` only.

    Inputs:
        global_step: The number of the step, int32 without dimensions.

    Examples:
        >>> round(float(nn.NaturalExpDecayLR(1.0, 1.0, 2)(Tensor(2, mindspore.int32))), 4)
        0.1353
    """

    def construct(self, global_step: Any) -> Any:
        step = self.position(global_step) * self.decay_steps if self.is_stair else _real(global_step)
        return self.learning_rate * ops.exp(step * -self.decay_rate)


class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate * global_step / decay_steps).

    The arguments are those of `ExponentialDecayLR`; `is_stair` floors the quotient.

    Args:
        learning_rate: The rate at the beginning.
        decay_rate: How fast it falls.
        decay_steps: The unit of the steps.
        is_stair: Whether the rate changes every `decay_steps` only.

    Inputs:
        global_step: The number of the step, int32 without dimensions.

    Examples:
        >>> round(float(nn.InverseDecayLR(0.5, 1.0, 2)(Tensor(2, mindspore.int32))), 4)
        0.25
    """

    def construct(self, global_step: Any) -> Any:
        return self.learning_rate / (self.position(global_step) * self.decay_rate + 1.0)


class CosineDecayLR(LearningRateSchedule):
    """Half a cosine from `max_lr` at step 0 to `min_lr` at step `decay_steps`, where it stays.

    Raises:
        TypeError: If a rate is no float or `decay_steps` no int.
        ValueError: If `min_lr` is negative or not below `max_lr`, or `decay_steps` not positive.

    Args:
        min_lr: The rate at the end.
        max_lr: The rate at the beginning.
        decay_steps: After how many steps the end is reached.

    Inputs:
        global_step: The number of the step, int32 without dimensions.

    Examples:
        >>> round(float(nn.CosineDecayLR(0.0, 1.0, 4)(Tensor(2, mindspore.int32))), 4)
        0.5
    """

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int):
        super().__init__()
        below(type(self).__name__, min_lr, max_lr)
        self.min_lr, self.max_lr = min_lr, max_lr
        self.decay_steps = check.positive_int(self, "decay_steps", decay_steps)

    def construct(self, global_step: Any) -> Any:
        position = ops.minimum(_real(global_step), float(self.decay_steps)) / self.decay_steps
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (ops.cos(position * math.pi) + 1.0)


class PolynomialDecayLR(LearningRateSchedule):
    """(learning_rate - end) * (1 - global_step / decay_steps)^power + end_learning_rate.

    The step stops at `decay_steps`; with `update_decay_steps` it is the period that grows instead,
    to the next multiple of `decay_steps`.

    Raises:
        TypeError: If a rate or `power` is no float, or `decay_steps` no int.
        ValueError: If a value is not positive, or `end_learning_rate` is negative.

    Args:
        learning_rate: The rate at the beginning.
        end_learning_rate: The rate at the end.
        decay_steps: After how many steps the end is reached.
        power: The power of the polynomial.
        update_decay_steps: Whether `decay_steps` grows to its next multiple when it is passed.

    Inputs:
        global_step: The number of the step, int32 without dimensions.

    Examples:
        >>> round(float(nn.PolynomialDecayLR(1.0, 0.0, 4, 1.0)(Tensor(1, mindspore.int32))), 4)
        0.75
    """

    def __init__(self, learning_rate: float, end_learning_rate: float, decay_steps: int,
                 power: float, update_decay_steps: bool = False):
        super().__init__()
        self.learning_rate = check.positive_float(self, "learning_rate", learning_rate)
        self.end_learning_rate = check.non_negative_float(self, "end_learning_rate",
                                                          end_learning_rate)
        self.decay_steps = check.positive_int(self, "decay_steps", decay_steps)
        self.power = check.positive_float(self, "power", power)
        self.update_decay_steps = check.boolean(self, "update_decay_steps", update_decay_steps)

    def construct(self, global_step: Any) -> Any:
        step = _real(global_step)
        if self.update_decay_steps:
            periods = ops.ceil(ops.maximum(step, 1.0) / self.decay_steps)
            position = step / (periods * self.decay_steps)
        else:
            position = ops.minimum(step, float(self.decay_steps)) / self.decay_steps
        span = self.learning_rate - self.end_learning_rate
        return span * ops.pow(1.0 - position, self.power) + self.end_learning_rate


class WarmUpLR(LearningRateSchedule):
    """A straight line from 0 at step 0 to `learning_rate` at step `warmup_steps`, where it stays.

    Args:
        learning_rate: The rate at the end.
        warmup_steps: After how many steps it is reached.

    Inputs:
        global_step: The number of the step, int32 without dimensions.

    Examples:
        >>> round(float(nn.WarmUpLR(1.0, 4)(Tensor(1, mindspore.int32))), 4)
        0.25
    """

    def __init__(self, learning_rate: float, warmup_steps: int):
        super().__init__()
        self.learning_rate = check.non_negative_float(self, "learning_rate", learning_rate)
        self.warmup_steps = check.positive_int(self, "warmup_steps", warmup_steps)

    def construct(self, global_step: Any) -> Any:
        position = ops.minimum(_real(global_step), float(self.warmup_steps)) / self.warmup_steps
        return self.learning_rate * position


def _real(global_step: Any) -> Any:
    """The step as a float32 tensor."""
    return global_step.astype(float32) if is_tensor(global_step) else Tensor(global_step, float32)
