"""Transforms of the levels of an image: stretched, spread, inverted, fewer."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageOps

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.vision.image import ImageOperation, each_channel, looked_up


class AutoContrast(ImageOperation):
    """Each channel stretched so that its darkest level becomes 0 and its brightest 255.

    Args:
        cutoff: Percentage of the pixels to leave out at either end.
        ignore: Levels that do not count.

    Examples:
        >>> vision.AutoContrast()(np.array([[[50, 0, 0], [60, 0, 0]]], np.uint8))[0, :, 0].tolist()
        [0, 255]
    """

    channels = (1, 3)

    keeps_bool = False

    def __init__(self, cutoff: float = 0.0, ignore: Any = None):
        self.cutoff = check.number(self, "cutoff", cutoff, 0.0, 50.0, open_high=True)
        ignore = [] if ignore is None else ignore if isinstance(ignore, (list, tuple)) else [ignore]
        self.ignore = [check.integer(self, "ignore", level, 0, 255) for level in ignore]

    def array(self, image: np.ndarray) -> np.ndarray:
        return each_channel(image, self._stretched)

    def _stretched(self, channel: np.ndarray) -> np.ndarray:
        counts = np.bincount(_levels(self, channel).ravel(), minlength=256)
        counts[self.ignore] = 0
        if self.cutoff:
            cut = counts.sum() * int(self.cutoff) // 100  # observed: whole percents
            counts = _cut(_cut(counts, cut)[::-1], cut)[::-1]
        present = np.flatnonzero(counts)
        if len(present) < 2:
            return channel
        low, high = present[0], present[-1]
        scale = np.float32(255.0 / (high - low))

        def stretched(level: np.ndarray) -> np.ndarray:
            return np.trunc(np.clip((level - low).astype(np.float32) * scale, 0, 255))

        return looked_up(channel, stretched)

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageOps.autocontrast(image, self.cutoff, self.ignore or None)


def _levels(owner: Any, channel: np.ndarray) -> np.ndarray:
    if channel.dtype != np.uint8:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the image must be of type uint8, but is {channel.dtype}."
        )
    return channel


def _cut(counts: np.ndarray, pixels: int) -> np.ndarray:
    """Counts without the first `pixels` pixels."""
    return np.diff(np.maximum(np.cumsum(counts) - pixels, 0), prepend=0)


class Equalize(ImageOperation):
    """Each channel with its levels spread so that all occur about equally often.

    Examples:
        >>> vision.Equalize()(np.array([[[1, 1, 1], [2, 2, 2]]], np.uint8)).shape
        (1, 2, 3)
    """

    channels = (1, 3)

    keeps_bool = False

    def array(self, image: np.ndarray) -> np.ndarray:
        return each_channel(image, self._spread)

    def _spread(self, channel: np.ndarray) -> np.ndarray:
        return cv2.equalizeHist(np.ascontiguousarray(_levels(self, channel)))

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageOps.equalize(image)


class Invert(ImageOperation):
    """255 less the levels.

    Examples:
        >>> vision.Invert()(np.array([[[0, 100, 255]]], np.uint8)).tolist()
        [[[255, 155, 0]]]
    """

    channels = (3,)
    axes = (3,)

    def array(self, image: np.ndarray) -> np.ndarray:
        return (
            255 - image if image.dtype == np.uint8 else looked_up(image, lambda level: 255 - level)
        )

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageOps.invert(image)


class Posterize(ImageOperation):
    """Only the `bits` highest bits of the levels.

    Args:
        bits: 0 to 8.

    Examples:
        >>> vision.Posterize(1)(np.array([[[100, 200, 255]]], np.uint8)).tolist()
        [[[0, 128, 128]]]
    """

    keeps_bool = False

    def __init__(self, bits: int):
        self.bits = check.integer(self, "bits", bits, 0, 8)

    def array(self, image: np.ndarray) -> np.ndarray:
        return _levels(self, image) & np.uint8(256 - 2 ** (8 - self.bits) if self.bits else 0)


class Solarize(ImageOperation):
    """The levels within `threshold` inverted: (lowest, highest), or one number for both.

    Args:
        threshold: The levels.

    Examples:
        >>> vision.Solarize((100, 255))(np.array([[[99, 100, 255]]], np.uint8)).tolist()
        [[[99, 155, 0]]]
    """

    channels = (1, 3)

    def __init__(self, threshold: Any):
        if isinstance(threshold, (list, tuple)):
            if len(threshold) != 2:
                raise check.fail(
                    TypeError, self, "threshold", "a number or a sequence of two numbers", threshold
                )
            low, high = (check.number(self, "threshold", t, 0, 255) for t in threshold)
        else:
            low = high = check.number(self, "threshold", threshold, 0, 255)
        if low > high:
            raise check.fail(ValueError, self, "threshold", "in increasing order", threshold)
        self.threshold = (low, high)

    def array(self, image: np.ndarray) -> np.ndarray:
        low, high = self.threshold
        if low == high:  # one threshold: from there to the end
            high = 255
        return looked_up(
            image, lambda level: np.where((level >= low) & (level <= high), 255 - level, level)
        )
