"""Metric: the protocol of clear, update, eval."""
from __future__ import annotations

import functools
from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np


class Metric(metaclass=ABCMeta):
    """A number (or several) that `update` collects from batches and `eval` computes.

    Examples:
        >>> metric = nn.Accuracy()
        >>> metric.update(np.array([[0.2, 0.8], [0.9, 0.1]]), np.array([1, 1]))
        >>> float(metric.eval())
        0.5
    """

    def __init__(self) -> None:
        self._indexes: list[int] | None = None

    @property
    def indexes(self) -> list[int] | None:
        """Which of the inputs of `update` are used, and in which order; None for all."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes: list[int]) -> Metric:
        """Choose the inputs of `update`; returns the metric."""
        if not isinstance(indexes, list) or not all(isinstance(i, int) for i in indexes):
            raise ValueError("For 'set_indexes', the argument 'indexes' must be a list and all its "
                             f"elements must be int, but got {indexes!r}.")
        self._indexes = indexes
        return self

    def __call__(self, *inputs: Any) -> Any:
        """The metric of one batch alone."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    @abstractmethod
    def clear(self) -> None:
        """Forget all batches."""

    @abstractmethod
    def update(self, *inputs: Any) -> None:
        """Take a batch."""

    @abstractmethod
    def eval(self) -> Any:
        """The metric over the batches since `clear`."""

    def _convert_data(self, data: Any) -> np.ndarray:
        return as_array(data)

    # ------------------------------------------------------------------ for the subclasses

    def _taken(self, inputs: tuple[Any, ...], *wanted: str) -> list[np.ndarray]:
        """The inputs as arrays; ValueError if their number is wrong."""
        if len(inputs) != len(wanted):
            noun = "input" if len(wanted) == 1 else "inputs"
            raise ValueError(f"For '{type(self).__name__}.update', it needs {len(wanted)} {noun} "
                             f"({', '.join(wanted)}), but got {len(inputs)}.")
        single = next((x for x in inputs if isinstance(x, (int, float, np.generic))), None)
        if len(wanted) > 1 and single is not None:           # a number alone has no samples
            raise TypeError(f"For '{type(self).__name__}.update', the {' and '.join(wanted)} must be tensors, lists or "
                            f"arrays, but got {single!r}.")
        return [self._convert_data(x) for x in inputs]

    def _need_samples(self, count: float) -> None:
        if count == 0:
            raise RuntimeError(f"The '{type(self).__name__}' can not be calculated, because the number of "
                               "samples is 0, please check whether your inputs are empty, or has called "
                               "update method before calling eval method.")

    def _need_update(self, updated: bool) -> None:
        if not updated:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")


def as_array(data: Any) -> np.ndarray:
    """A Tensor, list, number or array as an array."""
    if hasattr(data, "asnumpy"):
        return data.asnumpy()
    if isinstance(data, (list, tuple, float, int, np.generic)):
        return np.array(data)
    if isinstance(data, np.ndarray):
        return data
    raise TypeError("For 'Metric', the type of the input data must be tensor, list or numpy.ndarray, but "
                    f"got {type(data)}.")


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of `update`: it gets the inputs that `set_indexes` chose.

    Args:
        func: The method of a `Metric` that takes a batch.

    Examples:
        >>> class Last(nn.Metric):
        ...     def clear(self):
        ...         self.value = None
        ...     @nn.rearrange_inputs
        ...     def update(self, *inputs):
        ...         self.value = inputs
        ...     def eval(self):
        ...         return self.value
        >>> metric = Last().set_indexes([2, 0])
        >>> metric.update("loss", "output", "label")
        >>> metric.eval()
        ('label', 'loss')
    """
    @functools.wraps(func)
    def update(self: Any, *inputs: Any) -> Any:
        indexes = self.indexes
        return func(self, *(inputs if not indexes else [inputs[i] for i in indexes]))
    return update
