"""Metrics of classifiers: accuracy, precision, recall and what is made of them."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np

from mindspore.core import check

from .base import Metric, rearrange_inputs

_TINY = sys.float_info.min


class _Evaluation(Metric):
    """What accuracy, precision and recall share: the two kinds of labels.

    Args:
        eval_type: "classification" for one class per example, "multilabel" for any number.
    """

    def __init__(self, eval_type: str = "classification"):
        super().__init__()
        if eval_type not in ("classification", "multilabel"):
            raise TypeError("The argument 'eval_type' must be in {'multilabel', 'classification'}, but "
                            f"got {eval_type}")
        self._type = eval_type
        self.clear()

    def _pair(self, inputs: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Prediction and truth; of one-hot truth the classes."""
        y_pred, y = self._taken(inputs, "predicted value", "true value")
        if self._type == "multilabel":
            _check_multilabel(y_pred, y)
            return y_pred, y
        y = _classes(y_pred, y)
        if y_pred.ndim != y.ndim + 1:
            raise ValueError("In classification case, the dimension of y_pred (predicted value) should "
                             "equal to the dimension of y (true value) add 1, but got y_pred dimension: "
                             f"{y_pred.ndim} and y dimension: {y.ndim}.")
        if y.shape != (y_pred.shape[0], *y_pred.shape[2:]):
            raise ValueError("In classification case, y_pred (predicted value) shape and y (true value) "
                             "shape can not match: y has the shape of y_pred without the axis 1. But got "
                             f"y_pred shape {y_pred.shape} and y shape {y.shape}.")
        if y_pred.shape[1] < 2:
            raise ValueError(f"For '{type(self).__name__}', the predicted value must have at least two "
                             f"classes along axis 1, but got the shape {y_pred.shape}.")
        return y_pred, y


def _classes(y_pred: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The truth; if that is one-hot, of the shape of the prediction, the classes where the ones are."""
    one_hot = y.ndim > 1 and y.shape == y_pred.shape and np.isin(y, (0, 1)).all() and (y.sum(axis=1) == 1).all()
    return y.argmax(axis=1) if one_hot else y


def _one_of(metric: Metric, y_pred: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The classes of the truth.  ValueError: it has the shape of the prediction, but is not one-hot."""
    classes = _classes(y_pred, y)
    if classes.shape == y_pred.shape:
        raise ValueError(f"For '{type(metric).__name__}.update', the true value must hold classes or be one-hot, but "
                         f"it has the shape {y.shape} of the predicted value and rows that do not hold a single one.")
    return classes


def _check_multilabel(y_pred: np.ndarray, y: np.ndarray) -> None:
    if y_pred.shape != y.shape:
        raise ValueError("In 'multilabel' case, the shape of y_pred (predicted value) and y (true value) "
                         f"must be equal, but got {y_pred.shape} and {y.shape}.")
    for value in (y_pred, y):
        if not np.isin(value, (0, 1)).all():
            raise ValueError("In 'multilabel' case, all elements of y_pred and y must be 0 or 1.")


class Accuracy(_Evaluation):
    """The part of the examples that is right; for "multilabel" of those with all labels right.

    Args:
        eval_type: "classification" or "multilabel".

    Inputs of `update`:
        y_pred: (N, C), values per class; 0 or 1 for "multilabel".
        y: (N,) classes or (N, C) with a one at the class; (N, C) of 0 and 1 for "multilabel".

    Examples:
        >>> metric = nn.Accuracy()
        >>> metric.update(np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6]]), np.array([1, 1, 1]))
        >>> round(float(metric.eval()), 4)
        0.6667
    """

    def clear(self) -> None:
        self._correct_num = self._total_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._pair(inputs)
        if self._type == "classification":
            right = y_pred.argmax(axis=1) == y
        else:
            classes = y.shape[1] if y.ndim > 1 else 1
            right = (np.moveaxis(y_pred, 1, -1).reshape(-1, classes)
                     == np.moveaxis(y, 1, -1).reshape(-1, classes)).all(axis=1)
        self._correct_num += int(right.sum())
        self._total_num += right.size

    def eval(self) -> np.float64:
        self._need_samples(self._total_num)
        return np.float64(self._correct_num / self._total_num)


class _Counted(_Evaluation):
    """True positives over a count: per class, or for "multilabel" per example."""

    def clear(self) -> None:
        self._class_num = 0
        self._true_positives: Any = np.empty(0) if self._type == "multilabel" else 0
        self._positives: Any = np.empty(0) if self._type == "multilabel" else 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._pair(inputs)
        classes = y_pred.shape[1]
        if self._class_num and self._class_num != classes:
            raise ValueError(f"For '{type(self).__name__}.update', the predicted value must have "
                             f"{self._class_num} classes as before, but got {classes}.")
        self._class_num = classes
        if self._type == "classification":
            truth = _one_hot(y, classes)
            guess = _one_hot(y_pred.argmax(axis=1), classes)
        else:
            truth = np.moveaxis(y, 1, -1).reshape(-1, classes).astype(np.float64)
            guess = np.moveaxis(y_pred, 1, -1).reshape(-1, classes).astype(np.float64)
        counted = self._count(guess, truth)
        if self._type == "multilabel":
            self._true_positives = np.append(self._true_positives, (guess * truth).sum(axis=1))
            self._positives = np.append(self._positives, counted.sum(axis=1))
        else:
            self._true_positives = self._true_positives + (guess * truth).sum(axis=0)
            self._positives = self._positives + counted.sum(axis=0)

    def _count(self, guess: np.ndarray, truth: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def eval(self, average: bool = False) -> Any:
        """The metric per class (or example), or its mean."""
        self._need_samples(self._class_num)
        check.boolean(self, "average", average)
        result = self._true_positives / (self._positives + _TINY)
        return result.mean() if average else result


def _one_hot(classes: np.ndarray, count: int) -> np.ndarray:
    flat = classes.astype(np.int64).ravel()
    if flat.size and (flat.max() >= count or flat.min() < 0):
        raise ValueError(f"The true value must hold classes in [0, {count}), as many as the predicted "
                         f"value has, but got classes from {flat.min()} to {flat.max()}.")
    return np.eye(count)[flat]


class Precision(_Counted):
    """true positives / predicted positives.

    Args:
        eval_type: "classification" for one class per example, "multilabel" for any number.

    Inputs of `update`:
        y_pred: (N, C), values per class; 0 or 1 for "multilabel".
        y: (N,) classes or (N, C) with a one at the class; (N, C) of 0 and 1 for "multilabel".

    Examples:
        >>> metric = nn.Precision()
        >>> metric.update(np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6]]), np.array([1, 0, 0]))
        >>> metric.eval().tolist(), float(metric.eval(average=True))
        ([1.0, 0.5], 0.75)
    """

    def _count(self, guess: np.ndarray, truth: np.ndarray) -> np.ndarray:
        return guess


class Recall(_Counted):
    """true positives / actual positives.

    Args:
        eval_type: "classification" for one class per example, "multilabel" for any number.

    Inputs of `update`:
        y_pred: (N, C), values per class; 0 or 1 for "multilabel".
        y: (N,) classes or (N, C) with a one at the class; (N, C) of 0 and 1 for "multilabel".

    Examples:
        >>> metric = nn.Recall()
        >>> metric.update(np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6]]), np.array([1, 0, 0]))
        >>> metric.eval().tolist(), float(metric.eval(average=True))
        ([0.5, 1.0], 0.75)
    """

    def _count(self, guess: np.ndarray, truth: np.ndarray) -> np.ndarray:
        return truth


class Fbeta(Metric):
    """(1 + beta^2) * precision * recall / (beta^2 * precision + recall), per class.

    Args:
        beta: How many times as important recall is as precision.

    Inputs of `update`:
        y_pred: (N, C), values per class.
        y: (N,) classes or (N, C) with a one at the class.

    Examples:
        >>> metric = nn.Fbeta(2.0)
        >>> metric.update(np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6]]), np.array([1, 0, 0]))
        >>> metric.eval().round(4).tolist()
        [0.5556, 0.8333]
    """

    def __init__(self, beta: float):
        super().__init__()
        if not beta > 0:
            raise ValueError(f"For 'Fbeta', the argument 'beta' must be greater than 0, but got {beta}.")
        self.beta = beta
        self.clear()

    def clear(self) -> None:
        self._true_positives: Any = 0
        self._actual: Any = 0
        self._predicted: Any = 0
        self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._taken(inputs, "predicted value", "true value")
        y = _one_of(self, y_pred, y)
        classes = y_pred.shape[1]
        if self._class_num and self._class_num != classes:
            raise ValueError(f"For 'Fbeta.update', the predicted value must have {self._class_num} "
                             f"classes as before, but got {classes}.")
        self._class_num = classes
        truth, guess = _one_hot(y, classes), _one_hot(y_pred.argmax(axis=1), classes)
        self._true_positives = self._true_positives + (guess * truth).sum(axis=0)
        self._actual = self._actual + truth.sum(axis=0)
        self._predicted = self._predicted + guess.sum(axis=0)

    def eval(self, average: bool = False) -> Any:
        """The score per class, or its mean."""
        check.boolean(self, "average", average)
        self._need_samples(self._class_num)
        square = self.beta ** 2
        score = (1.0 + square) * self._true_positives / (square * self._actual + self._predicted + _TINY)
        return score.mean() if average else score


class F1(Fbeta):
    """The harmonic mean of precision and recall, per class.

    Inputs of `update`:
        y_pred: (N, C), values per class.
        y: (N,) classes or (N, C) with a one at the class.

    Examples:
        >>> metric = nn.F1()
        >>> metric.update(np.array([[0.2, 0.8], [0.9, 0.1], [0.4, 0.6]]), np.array([1, 0, 0]))
        >>> metric.eval().round(4).tolist()
        [0.6667, 0.6667]
    """

    def __init__(self) -> None:
        super().__init__(1.0)


class TopKCategoricalAccuracy(Metric):
    """The part of the examples whose class is among the `k` most likely ones.

    Args:
        k: How many classes count, 1 or more.

    Inputs of `update`:
        y_pred: (N, C), values per class, a Tensor, array or list.
        y: (N,) classes, or (N, C) with a one at the class.

    Raises:
        ValueError: If `update` gets anything but these two.
        RuntimeError: If `eval` is asked before an example came.
        TypeError: If `k` is no int.

    Examples:
        >>> metric = train.TopKCategoricalAccuracy(2)
        >>> metric.update(np.array([[0.1, 0.3, 0.6], [0.7, 0.2, 0.1]]), np.array([1, 2]))
        >>> float(metric.eval())
        0.5
    """

    def __init__(self, k: int):
        super().__init__()
        if isinstance(k, bool) or not isinstance(k, int):
            raise TypeError(f"For 'TopKCategoricalAccuracy', the type of the argument 'k' should be int, "
                            f"but got 'k' type: {type(k)}.")
        if k < 1:
            raise ValueError("For 'TopKCategoricalAccuracy', the argument 'k' must be at least 1, but got "
                             f"'k' value: {k}.")
        self.k = k
        self.clear()

    def clear(self) -> None:
        self._correct_num = self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._taken(inputs, "predicted value", "true value")
        y = _one_of(self, y_pred, y)
        best = np.argsort(-y_pred, axis=1, kind="stable")[:, :self.k]
        right = (best == np.expand_dims(y, 1)).any(axis=1)
        self._correct_num += int(right.sum())
        self._samples_num += right.size

    def eval(self) -> np.float64:
        self._need_samples(self._samples_num)
        return np.float64(self._correct_num / self._samples_num)


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The part of the examples whose class is the most likely one: `TopKCategoricalAccuracy(1)`.

    Examples:
        >>> metric = nn.Top1CategoricalAccuracy()
        >>> metric.update(Tensor([[0.2, 0.8], [0.6, 0.4]]), Tensor([1, 1]))
        >>> float(metric.eval())
        0.5
    """

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The part of the examples whose class is among the five most likely ones: `TopKCategoricalAccuracy(5)`.

    Examples:
        >>> metric = nn.Top5CategoricalAccuracy()
        >>> metric.update(Tensor([[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]]), Tensor([0, 0]))
        >>> float(metric.eval())
        0.5
    """

    def __init__(self) -> None:
        super().__init__(5)
