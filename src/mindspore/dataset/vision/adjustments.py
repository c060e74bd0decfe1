"""Transforms of an image by a factor: brightness, contrast, saturation, hue, gamma."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageEnhance

from mindspore.dataset import checked as check
from mindspore.dataset.vision.color import grey_of
from mindspore.dataset.vision.image import ImageOperation, looked_up, number, rounded


def blended(image: np.ndarray, other: Any, factor: float) -> np.ndarray:
    """other + factor * (image - other), as levels of `image`."""
    return rounded(_mixed(image, other, factor), image)


def _mixed(values: np.ndarray, other: Any, factor: float) -> np.ndarray:
    """factor * values + (1 - factor) * other in single precision, which decides where halves are rounded to."""
    share = np.float32(factor)
    rest = np.asarray(other, np.float32) * (np.float32(1) - share)
    return values.astype(np.float32) * share + rest


class Adjustment(ImageOperation):
    """A change by a factor; 1 changes nothing."""

    channels = (3,)
    axes = (3,)
    _name = "factor"

    def _factor(self, value: Any) -> float:
        return number(self, self._name, value, 0.0)


class AdjustBrightness(Adjustment):
    """The levels times `brightness_factor`.

    Args:
        brightness_factor: 0 or more.

    Examples:
        >>> vision.AdjustBrightness(2.0)(np.full((1, 1, 3), 50, np.uint8)).tolist()
        [[[100, 100, 100]]]
    """

    channels = (1, 3)
    axes = (2, 3)

    def __init__(self, brightness_factor: float):
        self._name = "brightness_factor"
        self.brightness_factor = self._factor(brightness_factor)

    def array(self, image: np.ndarray) -> np.ndarray:
        factor = np.float32(self.brightness_factor)
        return looked_up(image, lambda level: level.astype(np.float32) * factor)

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageEnhance.Brightness(image).enhance(self.brightness_factor)


class AdjustContrast(Adjustment):
    """The distance of the levels from their mean times `contrast_factor`.

    Args:
        contrast_factor: 0 or more; 0 gives a grey image.

    Examples:
        >>> vision.AdjustContrast(0.0)(np.array([[[0, 0, 0], [100, 100, 100]]], np.uint8)).tolist()
        [[[50, 50, 50], [50, 50, 50]]]
    """

    def __init__(self, contrast_factor: float):
        self._name = "contrast_factor"
        self.contrast_factor = self._factor(contrast_factor)

    def array(self, image: np.ndarray) -> np.ndarray:
        mean = grey_of(image).mean(dtype=np.float64)
        mean = int(mean + 0.5) if image.dtype == np.uint8 else mean
        return looked_up(image, lambda level: _mixed(level, mean, self.contrast_factor))

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageEnhance.Contrast(image).enhance(self.contrast_factor)


class AdjustSaturation(Adjustment):
    """The distance of the colours from grey times `saturation_factor`.

    Args:
        saturation_factor: 0 or more; 0 gives grey.

    Examples:
        >>> vision.AdjustSaturation(0.0)(np.array([[[255, 0, 0]]], np.uint8)).tolist()
        [[[76, 76, 76]]]
    """

    def __init__(self, saturation_factor: float):
        self._name = "saturation_factor"
        self.saturation_factor = self._factor(saturation_factor)

    def array(self, image: np.ndarray) -> np.ndarray:
        return blended(image, grey_of(image)[..., None].astype(np.float64), self.saturation_factor)

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageEnhance.Color(image).enhance(self.saturation_factor)


class AdjustHue(Adjustment):
    """The hue turned by `hue_factor` of a circle, -0.5 to 0.5.

    Args:
        hue_factor: The part of the circle; hues of bytes are rounded to whole numbers.

    Examples:
        >>> vision.AdjustHue(0.5)(np.array([[[255, 0, 0]]], np.uint8)).tolist()
        [[[0, 255, 252]]]
    """

    def __init__(self, hue_factor: float):
        self.hue_factor = check.number(self, "hue_factor", hue_factor, -0.5, 0.5)

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.dtype == np.uint8:
            hsv = cv2.cvtColor(image, cv2.COLOR_RGB2HSV_FULL)
            hsv[..., 0] += np.uint8(
                int(self.hue_factor * 255) % 256
            )  # bytes turn around as hues do
            return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB_FULL)
        hsv = cv2.cvtColor(image.astype(np.float32), cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0] + self.hue_factor * 360) % 360
        return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB).astype(image.dtype)

    def pil(self, image: Image.Image) -> Image.Image:
        if image.mode in ("L", "1", "I", "F"):
            return image
        hue, saturation, value = image.convert("HSV").split()
        turned = (np.asarray(hue).astype(np.int16) + int(self.hue_factor * 255)) % 256
        parts = Image.fromarray(turned.astype(np.uint8)), saturation, value
        return Image.merge("HSV", parts).convert(image.mode)


class AdjustGamma(ImageOperation):
    """gain * level ** gamma, with levels from 0 to 1; of floats (gain * level) ** gamma, as float32.

    Args:
        gamma: The exponent, 0 or more; above 1 shadows become darker.
        gain: The factor.

    Examples:
        >>> vision.AdjustGamma(2.0)(np.array([[[0, 51, 255]]], np.uint8)).tolist()
        [[[0, 10, 255]]]
    """

    channels = (1, 3)
    axes = ()

    def __init__(self, gamma: float, gain: float = 1):
        self.gamma = number(self, "gamma", gamma, 0.0)
        self.gain = number(self, "gain", gain)

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.dtype.kind == "f":  # observed: the gain goes into the power
            values = image.astype(np.float32) * np.float32(self.gain)
            return np.clip(values ** np.float32(self.gamma), 0, 1)
        return looked_up(image, self._level)

    def _level(self, level: np.ndarray) -> np.ndarray:
        bright = np.clip(level / 255, 0, 1) ** self.gamma * self.gain
        return np.floor(np.clip(bright * 255.999, 0, 255))  # observed: levels are 256 equal parts

    def pil(self, image: Image.Image) -> Image.Image:
        return Image.fromarray(self.array(np.asarray(image)))
