"""The learning rate as a function of the step."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.eager.parameter import Parameter

from .callback import Callback, set_learning_rate


class LearningRateScheduler(Callback):
    """Sets the learning rate after every step.

    Args:
        learning_rate_function: Takes the current rate and the number of the step; returns the next
            rate.

    Raises:
        TypeError: If it cannot be called, or the optimizer's rate is no single constant.

    Examples:
        >>> net = nn.Dense(2, 1)
        >>> optimizer = nn.SGD(net.trainable_params(), 0.1)
        >>> model = train.Model(net, nn.MSELoss(), optimizer)
        >>> rows = dataset.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 1), np.float32))).batch(2)
        >>> half = train.LearningRateScheduler(lambda rate, step: rate / 2 if step == 3 else rate)
        >>> model.train(2, rows, callbacks=[half])
        >>> round(float(optimizer.learning_rate.asnumpy()), 3)
        0.05
    """

    def __init__(self, learning_rate_function: Callable[[float, int], float]):
        if not callable(learning_rate_function):
            raise TypeError("For 'LearningRateScheduler', the 'learning_rate_function' must be a function "
                            f"of the rate and the step, but got {learning_rate_function!r}.")
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context: Any) -> None:
        """Ask the function, and set the rate if it changes."""
        now = run_context.original_args()
        rate = single_rate(self, now.get("optimizer") or now.train_network.optimizer)
        old = float(str(np.float32(rate.asnumpy().reshape(()))))      # 0.1, not 0.10000000149
        new = self.learning_rate_function(old, now.cur_step_num)
        if isinstance(new, bool) or not isinstance(new, (int, float, np.number)):
            raise TypeError("For 'LearningRateScheduler', the 'learning_rate_function' must return a "
                            f"number, but got {new!r} with type '{type(new).__name__}'.")
        if new != old:
            set_learning_rate(rate, float(new))

    def on_eval_step_end(self, run_context: Any) -> None:
        """Nothing: evaluations do not train."""


def single_rate(owner: Any, optimizer: Any) -> Parameter:
    """The parameter that holds an optimizer's learning rate.  TypeError if there is no such one."""
    rate = getattr(optimizer, "opt", optimizer).learning_rate
    if not isinstance(rate, Parameter) or rate.shape not in ((), (1,)):
        raise TypeError(f"For '{type(owner).__name__}', the optimizer must have one learning rate that is "
                        "a number; a schedule, a list and rates of groups cannot be set.")
    return rate
