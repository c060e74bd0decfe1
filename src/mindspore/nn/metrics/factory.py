"""Metrics by name."""
from __future__ import annotations

from typing import Any

from .base import Metric
from .classification import (
    F1,
    Accuracy,
    Precision,
    Recall,
    Top1CategoricalAccuracy,
    Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)
from .confusion import ConfusionMatrix, ConfusionMatrixMetric
from .curve import ROC, auc
from .error import MAE, MSE, Loss
from .occlusion import OcclusionSensitivity
from .similarity import CosineSimilarity, Dice
from .surface import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance
from .text import BleuScore, Perplexity

_BY_NAME: dict[str, Any] = {
    "F1": F1, "acc": Accuracy, "accuracy": Accuracy, "auc": auc, "bleu_score": BleuScore,
    "confusion_matrix": ConfusionMatrix, "confusion_matrix_metric": ConfusionMatrixMetric,
    "cosine_similarity": CosineSimilarity, "dice": Dice, "hausdorff_distance": HausdorffDistance,
    "loss": Loss, "mae": MAE, "mean_surface_distance": MeanSurfaceDistance, "mse": MSE,
    "occlusion_sensitivity": OcclusionSensitivity, "perplexity": Perplexity, "precision": Precision,
    "recall": Recall, "roc": ROC, "root_mean_square_distance": RootMeanSquareDistance,
    "top_1_accuracy": Top1CategoricalAccuracy, "top_5_accuracy": Top5CategoricalAccuracy,
    "topk": TopKCategoricalAccuracy,
}


def names() -> list[str]:
    """The names that `get_metric_fn` knows.

    Examples:
        >>> "accuracy" in nn.names()
        True
    """
    return sorted(_BY_NAME)


def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """A metric by its name, made with the other arguments.

    Args:
        name: One of `names()`.
        *args, **kwargs: The arguments of the metric's constructor.

    Raises:
        KeyError: If there is none of that name.

    Examples:
        >>> type(nn.get_metric_fn("accuracy", "multilabel")).__name__
        'Accuracy'
    """
    if name not in _BY_NAME:
        raise KeyError(f"For 'get_metric_fn', unsupported metric {name}; known are {names()}.")
    return _BY_NAME[name](*args, **kwargs)


def get_metrics(metrics: Any) -> dict[str, Metric] | None:
    """The metrics that `Model` was given: a dict from name to metric, or a set of names.

    Args:
        metrics: None, a dict from name to `Metric`, or a set of names.

    Raises:
        TypeError: If it is something else.

    Examples:
        >>> sorted(nn.get_metrics({"mae", "mse"}))
        ['mae', 'mse']
    """
    if metrics is None:
        return None
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError("For 'get_metrics', if 'metrics' is dict, the key in 'metrics' must be "
                                "string and value in 'metrics' must be Metric, but got "
                                f"key:{type(name)}, value:{type(metric)}.")
        return metrics
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in metrics}
    raise TypeError("For 'get_metrics', the argument 'metrics' must be None, dict or set, but got "
                    f"{metrics}")
