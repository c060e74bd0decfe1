"""Confusion matrices and the rates that are made of them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.core import check

from .base import Metric, rearrange_inputs


class ConfusionMatrix(Metric):
    """How many examples of each class (row) were taken for each class (column).

    Args:
        num_classes: Number of classes.
        normalize: "no_norm", "target" (rows sum to one), "prediction" (columns) or "all".
        threshold: From which probability on a binary prediction is 1.

    Inputs of `update`:
        y_pred: Classes in the shape of `y`, probabilities of class 1, or (N, C, *) values per class.
        y: Classes.

    Examples:
        >>> metric = nn.ConfusionMatrix(2)
        >>> metric.update(np.array([1, 0, 1, 0]), np.array([1, 0, 0, 0]))
        >>> metric.eval().tolist()
        [[2.0, 1.0], [0.0, 1.0]]
    """

    def __init__(self, num_classes: int, normalize: str | None = "no_norm", threshold: float = 0.5):
        super().__init__()
        self.num_classes = check.integer(self, "num_classes", num_classes)
        if normalize not in ("target", "prediction", "all", "no_norm", None):
            raise ValueError("For 'ConfusionMatrix', the argument 'normalize' must be in ['all', "
                             f"'prediction', 'target', 'no_norm'(None)], but got {normalize}.")
        self.normalize = normalize
        self.threshold = check.floating(self, "threshold", threshold)
        self.clear()

    def clear(self) -> None:
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._taken(inputs, "predicted value", "true value")
        if y_pred.ndim not in (y.ndim, y.ndim + 1):
            raise ValueError("For 'ConfusionMatrix.update', the predicted value must have as many "
                             "dimensions as the true value, or one more, but got shapes "
                             f"{y_pred.shape} and {y.shape}.")
        if y_pred.ndim == y.ndim + 1:
            y_pred = y_pred.argmax(axis=1)
        elif y_pred.dtype.kind == "f":
            y_pred = (y_pred >= self.threshold).astype(np.int64)
        pairs = y.ravel().astype(np.int64) * self.num_classes + y_pred.ravel().astype(np.int64)
        counts = np.bincount(pairs, minlength=self.num_classes ** 2)
        self.confusion_matrix = self.confusion_matrix + counts.reshape(self.num_classes, self.num_classes)
        self._is_update = True

    def eval(self) -> np.ndarray:
        self._need_update(self._is_update)
        matrix = self.confusion_matrix.astype(float)
        axes = {"target": 1, "prediction": 0, "all": None}
        if self.normalize not in axes:
            return matrix
        total = matrix.sum(axis=axes[self.normalize], keepdims=True)
        return np.divide(matrix, total, out=np.zeros_like(matrix), where=total != 0)


# Names of the rates, with spaces; underscores are taken, too.
_NAMES = {
    "sensitivity": "tpr", "recall": "tpr", "hit rate": "tpr", "true positive rate": "tpr",
    "specificity": "tnr", "selectivity": "tnr", "true negative rate": "tnr",
    "precision": "ppv", "positive predictive value": "ppv", "negative predictive value": "npv",
    "miss rate": "fnr", "false negative rate": "fnr", "fall out": "fpr", "false positive rate": "fpr",
    "false discovery rate": "fdr", "false omission rate": "for", "prevalence threshold": "pt",
    "threat score": "ts", "critical success index": "ts", "csi": "ts", "accuracy": "acc",
    "balanced accuracy": "ba", "f1 score": "f1", "matthews correlation coefficient": "mcc",
    "fowlkes mallows index": "fm", "informedness": "bm", "bookmaker informedness": "bm",
    "markedness": "mk", "deltap": "mk",
}
_REDUCTIONS: dict[str, tuple[int, ...]] = {
    "none": (), "mean": (0, 1), "sum": (0, 1), "mean_batch": (0,), "sum_batch": (0,),
    "mean_channel": (1,), "sum_channel": (1,),
}


def _ratio(a: Any, b: Any) -> Any:
    return np.divide(a, b, out=np.full(np.broadcast(a, b).shape, np.nan), where=np.asarray(b) != 0)


def _rate(name: str, tp: Any, fp: Any, tn: Any, fn: Any) -> Any:
    """One rate of true and false positives and negatives."""
    tpr, tnr = _ratio(tp, tp + fn), _ratio(tn, tn + fp)
    ppv, npv = _ratio(tp, tp + fp), _ratio(tn, tn + fn)
    rates: dict[str, Callable[[], Any]] = {
        "tpr": lambda: tpr, "tnr": lambda: tnr, "ppv": lambda: ppv, "npv": lambda: npv,
        "fnr": lambda: 1 - tpr, "fpr": lambda: 1 - tnr, "fdr": lambda: 1 - ppv, "for": lambda: 1 - npv,
        "pt": lambda: _ratio(np.sqrt(tpr * (1 - tnr)) + tnr - 1, tpr + tnr - 1),
        "ts": lambda: _ratio(tp, tp + fn + fp), "acc": lambda: _ratio(tp + tn, tp + fp + tn + fn),
        "ba": lambda: (tpr + tnr) / 2, "f1": lambda: _ratio(2.0 * tp, 2.0 * tp + fn + fp),
        "mcc": lambda: _ratio(tp * tn - fp * fn,
                              np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))),
        "fm": lambda: np.sqrt(ppv * tpr), "bm": lambda: tpr + tnr - 1, "mk": lambda: ppv + npv - 1,
    }
    return rates[name]()


class ConfusionMatrixMetric(Metric):
    """A rate of binary predictions (N, C, *), such as "sensitivity".

    Args:
        skip_channel: Whether the first channel counts, too; False leaves it out, as the original does.
        metric_name: Name of the rate.
        calculation_method: Whether to compute the rate per batch and channel and reduce it; otherwise
            it is computed from the sums.
        decrease: The reduction for `calculation_method`: "none", "mean", "sum", or over "mean_batch",
            "sum_batch", "mean_channel", "sum_channel".

    Inputs of `update`:
        y_pred, y: (N, C, *), 0 or 1.

    Examples:
        >>> metric = nn.ConfusionMatrixMetric(metric_name="accuracy")
        >>> metric.update(np.array([[[1], [0]], [[1], [1]]]), np.array([[[1], [0]], [[0], [1]]]))
        >>> metric.eval().tolist()
        [0.75]
    """

    def __init__(self, skip_channel: bool = True, metric_name: str = "sensitivity",
                 calculation_method: bool = False, decrease: str = "mean"):
        super().__init__()
        self.skip_channel = check.boolean(self, "skip_channel", skip_channel)
        self.metric_name = check.string(self, "metric_name", metric_name)
        self.calculation_method = check.boolean(self, "calculation_method", calculation_method)
        self.decrease = check.option(self, "decrease", decrease, _REDUCTIONS)
        self.clear()

    def clear(self) -> None:
        self._counts: list[np.ndarray] = []

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._taken(inputs, "predicted value", "true value")
        if y_pred.ndim < 2:
            raise ValueError("For 'ConfusionMatrix.update', the predicted value (input[0]) must have at "
                             f"least 2 dimensions, but got {y_pred.ndim}.")
        if y_pred.shape != y.shape:
            raise ValueError("For 'ConfusionMatrixMetric.update', both inputs must have the same shape, "
                             f"but got {y_pred.shape} and {y.shape}.")
        if not self.skip_channel and y.shape[1] > 1:
            y_pred, y = y_pred[:, 1:], y[:, 1:]
        n, c = y.shape[:2]
        truth = y.reshape(n, c, -1).astype(float)       # sums of bools would be bools
        total = y_pred.reshape(n, c, -1) + truth
        tp, tn = (total == 2).sum(2), (total == 0).sum(2)
        positive = truth.sum(2)
        negative = truth.shape[2] - positive
        self._counts.append(np.stack([tp, negative - tn, tn, positive - tp], 2).astype(float))

    def eval(self) -> np.ndarray:
        self._need_update(bool(self._counts))
        name = self.metric_name.strip().lower().replace("_", " ")
        name = _NAMES.get(name, name)
        if name not in set(_NAMES.values()):
            raise NotImplementedError(f"The metric {self.metric_name!r} is not implemented; known are "
                                      f"{sorted(_NAMES)}.")
        counts = np.concatenate(self._counts)
        if not self.calculation_method:
            return np.atleast_1d(_rate(name, *counts.sum((0, 1))))
        rates = _rate(name, *np.moveaxis(counts, 2, 0))
        axes = _REDUCTIONS[self.decrease]
        if not axes:
            return rates
        return (np.nanmean if self.decrease.startswith("mean") else np.nansum)(rates, axis=axes)
