"""Where a learning rate or a weight decay comes from: a parameter, a number, or a cell of the step."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.operators.training import of_step

from ..cell import Cell
from ..schedules import LearningRateSchedule


class RateTable(LearningRateSchedule):
    """The learning rate of every step; after the last one it stays.

    Args:
        rates: Numbers, or a tensor with one dimension.
        name: Name of the parameter that holds them.

    Raises:
        ValueError: If there is no number, or there are lists of numbers.
    """

    def __init__(self, rates: Any, name: str):
        super().__init__()
        table = Tensor(rates, float32)
        if table.ndim != 1 or not table.size:
            raise ValueError("For 'Optimizer', the learning rates of the steps must be one list of numbers, but got "
                             f"the shape {table.shape}.")
        self.learning_rate = Parameter(table, name=name)
        self.count = self.learning_rate.shape[0]

    def construct(self, global_step: Any) -> Any:
        return of_step(self.learning_rate, global_step)


class ConstantRate(LearningRateSchedule):
    """A learning rate that stays, beside groups whose rates change.

    Args:
        learning_rate: The parameter that holds it.
    """

    def __init__(self, learning_rate: Parameter):
        super().__init__()
        self.learning_rate = learning_rate

    def construct(self, global_step: Any) -> Any:
        return self.learning_rate


def rate(owner: Any, value: Any, name: str) -> Parameter | Cell:
    """The source of a learning rate: a parameter for a constant, a cell for one that changes.

    Raises:
        TypeError: If the value is none of the kinds that the message names.
        ValueError: If a constant is negative or a tensor has more than one dimension.
    """
    if isinstance(value, (int, float)):          # a bool counts as a number, as in the original
        if value < 0:
            raise check.fail(ValueError, owner, "learning_rate", "a float >= 0", value)
        return Parameter(Tensor(float(value), float32), name=name)
    if isinstance(value, LearningRateSchedule):
        return value
    if isinstance(value, Tensor):
        if value.ndim > 1:
            raise ValueError("For 'Optimizer', a Tensor as 'learning_rate' must have 0 or 1 "
                             f"dimensions, but got {value.ndim}.")
        if value.ndim == 0:
            return Parameter(value.astype(float32), name=name)
        return RateTable(value, name)
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, dict)):
        return RateTable(np.asarray(list(value), np.float32), name)
    if isinstance(value, (str, bytes)):
        raise check.fail(ValueError, owner, "learning_rate", "a number, a Tensor or a schedule", value)
    raise TypeError("For 'Optimizer', the argument 'learning_rate' must be int, float, Tensor, "
                    f"Iterable or LearningRateSchedule, but got {type(value)}.")


def decay(owner: Any, value: Any) -> float | Cell:
    """A weight decay: a number of zero or more, or a cell of the global step."""
    if isinstance(value, Cell):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise check.fail(TypeError, owner, "weight_decay", "an int, a float or a Cell", value)
    if value < 0:
        raise check.fail(ValueError, owner, "weight_decay", "a float >= 0", value)
    return float(value)


def current(source: Any, global_step: Any) -> Any:
    """The value of a source at a step: a scalar tensor, a parameter or a number."""
    if isinstance(source, Cell):
        return source(global_step).reshape(())
    return source
