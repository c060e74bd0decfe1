"""Transforms of 1.x under other names: `transforms.py_transforms`."""

from __future__ import annotations

from mindspore.dataset.transforms.common import OneHot

__all__ = ["OneHotOp"]


class OneHotOp(OneHot):
    """Class numbers as vectors with 1 in the place of the class, smoothed by `smoothing_rate`."""

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0):
        super().__init__(num_classes, smoothing_rate)
