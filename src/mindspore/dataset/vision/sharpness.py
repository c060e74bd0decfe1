"""Transforms of the neighbourhood of each pixel: sharper, smoother."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.vision.adjustments import Adjustment, blended
from mindspore.dataset.vision.image import ImageOperation, number, with_channel

_SMOOTH = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / 13


class AdjustSharpness(Adjustment):
    """The distance of the levels from their smoothed neighbourhood times `sharpness_factor`; the edge is left alone.

    Args:
        sharpness_factor: 0 or more; 0 gives the smoothed image, 1 the same image.

    Examples:
        >>> vision.AdjustSharpness(0.0)(np.full((3, 3, 3), 9, np.uint8))[1, 1].tolist()
        [9, 9, 9]
    """

    channels = ()
    axes = (2, 3)

    keeps_bool = False

    def __init__(self, sharpness_factor: float):
        self._name = "sharpness_factor"
        self.sharpness_factor = self._factor(sharpness_factor)

    def array(self, image: np.ndarray) -> np.ndarray:
        smooth = with_channel(cv2.filter2D(image, -1, _SMOOTH), image)
        result = image.copy()
        inner = (slice(1, -1), slice(1, -1))
        result[inner] = blended(
            image[inner], smooth[inner].astype(np.float64), self.sharpness_factor
        )
        return result


class GaussianBlur(ImageOperation):
    """The image smoothed with a Gaussian kernel; sizes and deviations for (width, height), or one number for both.

    Args:
        kernel_size: (width, height) of the kernel, or one number for both; odd.
        sigma: Deviations (x, y), or one number for both; None: 0.3 * ((kernel_size - 1) / 2 - 1) + 0.8.

    Examples:
        >>> vision.GaussianBlur(3)(np.full((4, 6, 3), 9, np.uint8))[0, 0].tolist()
        [9, 9, 9]
    """

    keeps_bool = False

    def __init__(self, kernel_size: Any, sigma: Any = None):
        sizes = kernel_size if isinstance(kernel_size, (list, tuple)) else [kernel_size] * 2
        if len(sizes) != 2:
            raise check.fail(TypeError, self, "kernel_size", "an odd number or two", kernel_size)
        self.kernel_size = [check.integer(self, "kernel_size", k, 1) for k in sizes]
        if any(k % 2 == 0 for k in self.kernel_size):
            raise check.fail(ValueError, self, "kernel_size", "an odd number or two", kernel_size)
        sigma = 0.0 if sigma is None else sigma
        sigmas = sigma if isinstance(sigma, (list, tuple)) else [sigma] * 2
        self.sigma = [number(self, "sigma", s, 0.0) for s in sigmas]
        if len(sigmas) != 2:
            raise check.fail(TypeError, self, "sigma", "a number or two", sigma)

    def array(self, image: np.ndarray) -> np.ndarray:
        first, second = self.sigma
        first = first if first > 0 else 0.15 * self.kernel_size[0] + 0.35
        deviations = first, second if second > 0 else first
        return with_channel(
            cv2.GaussianBlur(image, self.kernel_size, deviations[0], sigmaY=deviations[1]), image
        )
