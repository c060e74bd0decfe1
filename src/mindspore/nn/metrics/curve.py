"""The receiver operating characteristic and the area under a curve."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check

from .base import Metric, rearrange_inputs


class ROC(Metric):
    """False and true positive rates for every threshold.

    Args:
        class_num: Number of classes. Default: two, the predictions are scores of the positive one.
        pos_label: The positive label. Default: 1.

    Inputs of `update`:
        y_pred: Scores in the shape of `y`, or (N, C, *), one per class.
        y: Labels.

    Outputs:
        (fpr, tpr, thresholds); lists of these, one entry per class, for several classes.

    Examples:
        >>> metric = nn.ROC()
        >>> metric.update(np.array([0.1, 0.4, 0.6, 0.8]), np.array([0, 1, 0, 1]))
        >>> fpr, tpr, thresholds = metric.eval()
        >>> fpr.tolist(), tpr.tolist(), thresholds.tolist()
        ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [1.8, 0.8, 0.6, 0.4, 0.1])
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None):
        super().__init__()
        self.class_num = class_num if class_num is None else check.integer(self, "class_num", class_num)
        self.pos_label = pos_label if pos_label is None else check.integer(self, "pos_label", pos_label)
        self.clear()

    def clear(self) -> None:
        self.y_pred: Any = None
        self.y: Any = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._taken(inputs, "predicted value", "true value")
        if y_pred.ndim == y.ndim:
            scores, labels = y_pred.ravel(), y.ravel()
        elif y_pred.ndim == y.ndim + 1:
            if self.class_num is None or y_pred.shape[1] != self.class_num:
                raise ValueError("For 'ROC.update', the 'class_num' must be the number of classes of the "
                                 f"predicted value, but got {self.class_num} and {y_pred.shape[1]}.")
            scores, labels = np.moveaxis(y_pred, 1, -1).reshape(-1, self.class_num), y.ravel()
        else:
            raise ValueError("For 'ROC.update', the predicted value must have as many dimensions as the "
                             f"true value, or one more, but got shapes {y_pred.shape} and {y.shape}.")
        if len(scores) != len(labels):
            raise ValueError("For 'ROC.update', there must be a true value for every predicted one, but got shapes "
                             f"{y_pred.shape} and {y.shape}.")
        self.y_pred = scores if self.y_pred is None else np.concatenate((self.y_pred, scores))
        self.y = labels if self.y is None else np.concatenate((self.y, labels))

    def eval(self) -> tuple[Any, Any, Any]:
        self._need_update(self.y_pred is not None)
        if self.y_pred.ndim == 1:
            return _roc(self.y_pred, self.y == (1 if self.pos_label is None else self.pos_label))
        curves = [_roc(self.y_pred[:, i], self.y == i) for i in range(self.class_num or 0)]
        fpr, tpr, thresholds = zip(*curves, strict=True)
        return list(fpr), list(tpr), list(thresholds)


def _roc(scores: np.ndarray, positive: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if not positive.any():
        raise ValueError("For 'ROC.eval', there is no positive samples in true value, true positive value "
                         "is meaningless.")
    if positive.all():
        raise ValueError("For 'ROC.eval', there is no negative samples in true value, false positive "
                         "value is meaningless.")
    order = np.argsort(scores, kind="stable")[::-1]
    scores, positive = scores[order], positive[order]
    ends = np.append(np.where(np.diff(scores))[0], len(scores) - 1)
    tps = np.cumsum(positive)[ends]
    fps = 1 + ends - tps
    thresholds = scores[ends]
    tps, fps = np.append(0, tps), np.append(0, fps)
    thresholds = np.append(thresholds[0] + 1, thresholds)
    return fps / fps[-1], tps / tps[-1], thresholds


def auc(x: np.ndarray, y: np.ndarray, reorder: bool = False) -> float:
    """The area under the curve through the points (x, y), by the trapezoidal rule.

    Args:
        x: Rising or falling numbers.
        y: As many numbers.
        reorder: Whether to sort the points by `x` first.

    Examples:
        >>> nn.auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
        0.75
    """
    if not isinstance(x, np.ndarray) or not isinstance(y, np.ndarray):
        raise TypeError(f"For 'auc', the argument 'x' and 'y' must all be np.ndarray, but got {type(x)}, "
                        f"{type(y)}")
    if len(x) != len(y):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[len(x), len(y)]}.")
    if len(x) < 2:
        raise ValueError(f"For 'auc', at least two points are needed, but got {len(x)}.")
    direction = 1
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    else:
        steps = np.diff(x)
        if (steps < 0).any():
            if not (steps <= 0).all():
                raise ValueError("For 'auc', the argument 'x' must be sorted; pass reorder=True to sort it.")
            direction = -1
    return float(direction * (np.diff(x) * (y[1:] + y[:-1]) / 2.0).sum())
