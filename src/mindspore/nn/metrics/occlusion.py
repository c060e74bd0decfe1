"""The sensitivity of a classifier to the occlusion of parts of its input."""
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from mindspore.core import check
from mindspore.eager.tensor import Tensor

from ..cell import Cell
from .base import Metric, rearrange_inputs


class OcclusionSensitivity(Metric):
    """How much the score of a label falls when a window around each element is covered.

    Args:
        pad_val: Value that covers the window.
        margin: Elements around the centre that are covered, too: one int, or one per axis.
        n_batch: Number of covered inputs per call of the model.
        b_box: [low, high, low, high, ...] for every axis but the batch: the centres to try. Default:
            all.

    `update` takes the model, one input (1, C, *), and the label.  `eval` returns the fall of the score
    for every centre, in the shape of the region.

    Examples:
        >>> net = nn.Dense(3, 2, weight_init="ones", has_bias=False)
        >>> metric = nn.OcclusionSensitivity(margin=0)
        >>> metric.update(net, Tensor([[1.0, 2.0, 3.0]]), Tensor([1]))
        >>> metric.eval().tolist()
        [1.0, 2.0, 3.0]
    """

    def __init__(self, pad_val: float = 0.0, margin: int | list[int] = 2, n_batch: int = 128,
                 b_box: list[int] | None = None):
        super().__init__()
        self.pad_val = check.floating(self, "pad_val", pad_val)
        self.margin = check.instance(self, "margin", margin, (int, list))
        self.n_batch = check.positive_int(self, "n_batch", n_batch)
        self.b_box = b_box if b_box is None else check.instance(self, "b_box", b_box, list)
        self.clear()

    def clear(self) -> None:
        self._sensitivity: np.ndarray | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        if len(inputs) != 3:
            raise ValueError("For 'OcclusionSensitivity.update', it needs 3 inputs (classification model, "
                             f"predicted value, label), but got {len(inputs)}.")
        model = check.instance(self, "model", inputs[0], Cell)
        image, label = self._convert_data(inputs[1]), self._convert_data(inputs[2])
        if image.shape[0] != 1:
            raise RuntimeError("For 'OcclusionSensitivity.update', the shape at index 0 of the predicted "
                               f"value (input[1]) must be 1, but got {image.shape[0]}.")
        at = int(label.ravel()[0])
        ranges = self._ranges(image.shape[1:])
        margins = self._margins(image.ndim - 1)
        found: list[float] = []
        centres = itertools.product(*[range(low, high + 1) for low, high in ranges])
        while batch := list(itertools.islice(centres, self.n_batch)):
            covered = np.repeat(image, len(batch), axis=0)
            for row, centre in zip(covered, batch, strict=True):
                window = tuple([slice(max(c - m, 0), c + m + 1)
                                for c, m in zip(centre, margins, strict=True)])
                row[window] = self.pad_val
            found += self._scores(model, covered, at).tolist()
        baseline = float(self._scores(model, image, at)[0])
        self._sensitivity = baseline - np.array(found).reshape([high + 1 - low for low, high in ranges])

    def _scores(self, model: Cell, images: np.ndarray, label: int) -> np.ndarray:
        return self._convert_data(model(Tensor(images)))[:, label]

    def _margins(self, rank: int) -> list[int]:
        if isinstance(self.margin, int):
            return [self.margin] * rank
        if len(self.margin) != rank:
            raise ValueError(f"For 'OcclusionSensitivity', the 'margin' must be an int or {rank} ints, but "
                             f"got {self.margin}.")
        return self.margin

    def _ranges(self, shape: tuple[int, ...]) -> list[tuple[int, int]]:
        """The first and the last centre along every axis."""
        if self.b_box is None:
            return [(0, extent - 1) for extent in shape]
        if len(self.b_box) != 2 * len(shape):
            raise ValueError("For 'OcclusionSensitivity', the bounding box must contain upper and lower for "
                             "all dimensions (except batch number): the length of 'b_box' must be "
                             f"{2 * len(shape)}, but got {len(self.b_box)}.")
        ranges = []
        for extent, low, high in zip(shape, self.b_box[::2], self.b_box[1::2], strict=True):
            low, high = (0 if low < 0 else low), (extent - 1 if high < 0 else high)
            if not low <= high < extent:
                raise ValueError(f"For 'OcclusionSensitivity', the 'b_box' must lie within the extents "
                                 f"{shape}, but got {self.b_box}.")
            ranges.append((low, high))
        return ranges

    def eval(self) -> np.ndarray:
        self._need_update(self._sensitivity is not None)
        assert self._sensitivity is not None
        return self._sensitivity
