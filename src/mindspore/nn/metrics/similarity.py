"""The similarity of vectors and of regions."""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check

from .base import Metric, rearrange_inputs


class CosineSimilarity(Metric):
    """The similarity of each row to each row, of the last batch.

    Args:
        similarity: "cosine" or "dot" (without dividing by the norms).
        reduction: "none", or "mean" or "sum" of every row.
        zero_diagonal: Whether the similarity of a row to itself is set to 0.

    Inputs of `update`:
        inputs: (N, D), the vectors.

    Examples:
        >>> metric = nn.CosineSimilarity()
        >>> metric.update(np.array([[1.0, 0.0], [3.0, 4.0]]))
        >>> metric.eval().tolist()
        [[0.0, 0.6], [0.6, 0.0]]
    """

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True):
        super().__init__()
        self.similarity = check.option(self, "similarity", similarity, ("dot", "cosine"))
        self.reduction = check.option(self, "reduction", reduction, ("none", "sum", "mean"))
        self.zero_diagonal = check.boolean(self, "zero_diagonal", zero_diagonal)
        self.clear()

    def clear(self) -> None:
        self.sqr_mtx_res: Any = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, inputs: Any) -> None:
        rows = self._convert_data(inputs)
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, ord=2, axis=1)[:, None]
        self.sqr_mtx_res = rows @ rows.T
        self._is_update = True

    def eval(self) -> np.ndarray:
        self._need_update(self._is_update)
        found = self.sqr_mtx_res.copy()
        if self.zero_diagonal:
            np.fill_diagonal(found, 0)
        if self.reduction == "none":
            return found
        return found.mean(axis=-1) if self.reduction == "mean" else found.sum(axis=-1)


class Dice(Metric):
    """2 * |A and B| / (|A| + |B| + smooth) of soft regions, by the number of examples.

    Args:
        smooth: Added to the denominator.

    Inputs of `update`:
        y_pred, y: Values of one shape; the first axis counts the examples.

    Examples:
        >>> metric = nn.Dice()
        >>> metric.update(np.array([[1.0, 1.0, 0.0]]), np.array([[1.0, 0.0, 0.0]]))
        >>> round(metric.eval(), 4)
        0.6667
    """

    def __init__(self, smooth: float = 1e-5):
        super().__init__()
        self.smooth = check.positive_float(self, "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        self._dice_coeff_sum, self._samples_num = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        y_pred, y = self._taken(inputs, "predicted value", "true value")
        if y_pred.shape != y.shape:
            raise ValueError("For 'Dice.update', predicted value (input[0]) and true value (input[1]) "
                             f"should have same shape, but got predicted value shape: {y_pred.shape}, "
                             f"true value shape: {y.shape}.")
        guess, truth = y_pred.ravel(), y.ravel()
        total = guess @ guess + truth @ truth
        self._dice_coeff_sum += 2 * float(guess @ truth) / float(total + self.smooth)
        self._samples_num += y.shape[0]

    def eval(self) -> float:
        self._need_samples(self._samples_num)
        return self._dice_coeff_sum / float(self._samples_num)
