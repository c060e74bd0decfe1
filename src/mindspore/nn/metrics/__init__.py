"""Metrics: what an evaluation reports, computed with NumPy over all batches."""
from __future__ import annotations

from .base import Metric, rearrange_inputs
from .classification import (
    F1,
    Accuracy,
    Fbeta,
    Precision,
    Recall,
    Top1CategoricalAccuracy,
    Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)
from .confusion import ConfusionMatrix, ConfusionMatrixMetric
from .curve import ROC, auc
from .error import MAE, MSE, Loss
from .factory import get_metric_fn, get_metrics, names
from .occlusion import OcclusionSensitivity
from .similarity import CosineSimilarity, Dice
from .surface import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance
from .text import BleuScore, Perplexity

__all__ = [
    "F1", "MAE", "MSE", "ROC", "Accuracy", "BleuScore", "ConfusionMatrix", "ConfusionMatrixMetric",
    "CosineSimilarity", "Dice", "Fbeta", "HausdorffDistance", "Loss", "MeanSurfaceDistance", "Metric",
    "OcclusionSensitivity", "Perplexity", "Precision", "Recall", "RootMeanSquareDistance",
    "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "auc",
    "get_metric_fn", "get_metrics", "names", "rearrange_inputs",
]
