"""Mean errors and the mean loss."""
from __future__ import annotations

from typing import Any

import numpy as np

from .base import Metric, rearrange_inputs


class _MeanError(Metric):
    """The sum of an error over all elements, by the number of examples."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self._error, self._samples_num = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._taken(inputs, "predicted value", "true value")
        self._error += float(self._measure(y.reshape(y_pred.shape) - y_pred).sum())  # in double precision
        self._samples_num += y.shape[0]

    def _measure(self, d: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def eval(self) -> np.float64:
        self._need_samples(self._samples_num)
        return np.float64(self._error / self._samples_num)


class MAE(_MeanError):
    """The sum of |y - y_pred| by the number of examples.

    Inputs of `update`:
        y_pred, y: Values of one shape; the first axis counts the examples.

    Examples:
        >>> metric = nn.MAE()
        >>> metric.update(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 5.0, 5.0]))
        >>> float(metric.eval())
        0.75
    """

    def _measure(self, d: np.ndarray) -> np.ndarray:
        return np.abs(d)


class MSE(_MeanError):
    """The sum of (y - y_pred)^2 by the number of examples.

    Inputs of `update`:
        y_pred, y: Values of one shape; the first axis counts the examples.

    Examples:
        >>> metric = nn.MSE()
        >>> metric.update(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 5.0, 5.0]))
        >>> float(metric.eval())
        1.25
    """

    def _measure(self, d: np.ndarray) -> np.ndarray:
        return d * d


class Loss(Metric):
    """The mean of the losses of the batches.

    Inputs of `update`:
        loss: A number, or a tensor with one.

    Examples:
        >>> metric = nn.Loss()
        >>> metric.update(Tensor(2.0))
        >>> metric.update(Tensor(4.0))
        >>> float(metric.eval())
        3.0
    """

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self._sum_loss, self._total_num = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        loss, = self._taken(inputs, "loss")
        if loss.ndim == 0:
            loss = loss.reshape(1)
        if loss.ndim != 1:
            raise ValueError(f"For 'Loss.update', the dimension of your input (loss) must be 1, but got "
                             f"{loss.ndim}.")
        self._sum_loss += float(loss.mean(-1))  # in double precision
        self._total_num += 1

    def eval(self) -> np.float64:
        self._need_samples(self._total_num)
        return np.float64(self._sum_loss / self._total_num)
