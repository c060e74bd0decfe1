"""Distances between the surfaces of labelled regions."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check

from .base import Metric, rearrange_inputs

_DISTANCES = {"euclidean": 2.0, "chessboard": np.inf, "taxicab": 1.0}        # the exponents of their norms


def _surface(mask: np.ndarray) -> np.ndarray:
    """The points of a region that have a neighbour outside it (or outside the array)."""
    from scipy.ndimage import binary_erosion  # loaded by need: few programs use these metrics

    return np.argwhere(mask & ~binary_erosion(mask))


def _nearest(points: np.ndarray, others: np.ndarray, metric: str) -> np.ndarray:
    """The distance of every point to the nearest of the others."""
    from scipy.spatial import KDTree  # as above

    found, _ = KDTree(others).query(points, p=_DISTANCES[metric])
    return found if metric == "euclidean" else found.astype(np.int64)


class _SurfaceMetric(Metric):
    """What the surface distances share: two regions of one label, in the last batch."""

    distance_metric: str

    def clear(self) -> None:
        self._guess = self._truth = np.zeros((0, 0), np.int64)
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        if len(inputs) != 3:
            raise ValueError(f"For '{type(self).__name__}.update', it needs 3 inputs (predicted value, true "
                             f"value, label index), but got {len(inputs)}.")
        y_pred, y = self._convert_data(inputs[0]), self._convert_data(inputs[1])
        label = inputs[2]
        if y_pred.size == 0 or y_pred.shape != y.shape:
            raise ValueError(f"For '{type(self).__name__}.update', the predicted value and the true value "
                             f"must have the same shape, but got {y_pred.shape} and {y.shape}.")
        if label not in y_pred and label not in y:
            raise ValueError(f"For '{type(self).__name__}.update', the label index (input[2]) must be in "
                             f"predicted value (input[0]) or true value (input[1]), but {label} is not.")
        self._guess, self._truth = _surface(y_pred == label), _surface(y == label)
        self._is_update = True

    def _distances(self, points: np.ndarray, others: np.ndarray) -> np.ndarray | None:
        """None if a surface is empty: it is infinitely far."""
        if not len(points) or not len(others):
            return None
        return _nearest(points, others, self.distance_metric)


class HausdorffDistance(_SurfaceMetric):
    """The largest distance of a point of one surface to the other surface.

    Args:
        distance_metric: "euclidean", "chessboard" or "taxicab".
        percentile: Instead of the largest distance, this percentile of them, 0.0 to 100.0.
        directed: Whether only the predicted surface's points are looked at.
        crop: Accepted; the result does not depend on it.

    Inputs of `update`:
        y_pred, y: Labels of one shape.
        label_idx: The label whose regions are compared.

    Examples:
        >>> metric = nn.HausdorffDistance()
        >>> metric.update(np.array([[1, 0, 0, 1]]), np.array([[1, 0, 0, 0]]), 1)
        >>> float(metric.eval())
        3.0
    """

    def __init__(self, distance_metric: str = "euclidean", percentile: float | None = None,
                 directed: bool = False, crop: bool = True):
        super().__init__()
        self.distance_metric = check.option(self, "distance_metric", distance_metric, tuple(_DISTANCES))
        if percentile is not None:
            check.floating(self, "percentile", percentile, 0.0, 100.0)
        self.percentile = percentile
        self.directed = check.boolean(self, "directed", directed)
        self.crop = check.boolean(self, "crop", crop)
        self.clear()

    def eval(self) -> Any:
        self._need_update(self._is_update)
        there = self._far(self._guess, self._truth)
        return there if self.directed else max(there, self._far(self._truth, self._guess))

    def _far(self, points: np.ndarray, others: np.ndarray) -> Any:
        distances = self._distances(points, others)
        if distances is None:
            return np.inf
        return distances.max() if self.percentile is None else np.percentile(distances, self.percentile)


class _AverageDistance(_SurfaceMetric):
    """What the averages over the surfaces share: one direction or both."""

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean"):
        super().__init__()
        self.distance_metric = check.option(self, "distance_metric", distance_metric, tuple(_DISTANCES))
        self.symmetric = check.boolean(self, "symmetric", symmetric)
        self.clear()


class MeanSurfaceDistance(_AverageDistance):
    """The mean distance of the predicted surface's points to the true surface.

    Args:
        symmetric: Whether to take the mean of both directions.
        distance_metric: "euclidean", "chessboard" or "taxicab".

    Inputs of `update`:
        y_pred, y: Labels of one shape.
        label_idx: The label whose regions are compared.

    Examples:
        >>> metric = nn.MeanSurfaceDistance()
        >>> metric.update(np.array([[1, 0, 0, 1]]), np.array([[1, 0, 0, 0]]), 1)
        >>> float(metric.eval())
        1.5
    """

    def eval(self) -> float:
        self._need_update(self._is_update)
        there = self._mean(self._guess, self._truth)
        if not self.symmetric:
            return there
        return (there + self._mean(self._truth, self._guess)) / 2

    def _mean(self, points: np.ndarray, others: np.ndarray) -> float:
        distances = self._distances(points, others)
        return np.inf if distances is None else distances.mean()


class RootMeanSquareDistance(_AverageDistance):
    """The mean square distance of the surfaces' points; its root for `symmetric`, as in the original.

    Args:
        symmetric: Whether to take the mean of both directions.
        distance_metric: "euclidean", "chessboard" or "taxicab".

    Inputs of `update`:
        y_pred, y: Labels of one shape.
        label_idx: The label whose regions are compared.

    Examples:
        >>> metric = nn.RootMeanSquareDistance()
        >>> metric.update(np.array([[1, 0, 0, 1]]), np.array([[1, 0, 0, 0]]), 1)
        >>> float(metric.eval())
        4.5
    """

    def eval(self) -> float:
        self._need_update(self._is_update)
        there = self._square(self._guess, self._truth)
        if not self.symmetric:
            return there
        return np.sqrt((there + self._square(self._truth, self._guess)) / 2)

    def _square(self, points: np.ndarray, others: np.ndarray) -> float:
        distances = self._distances(points, others)
        return np.inf if distances is None else (distances.astype(np.float64) ** 2).mean()
