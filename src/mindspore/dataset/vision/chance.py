"""Transforms applied with a probability or with a random strength."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError
from mindspore.dataset.transforms.random import stream, uniforms
from mindspore.dataset.vision.adjustments import (
    AdjustBrightness,
    AdjustContrast,
    AdjustHue,
    AdjustSaturation,
)
from mindspore.dataset.vision.color import Grayscale, grey_pil
from mindspore.dataset.vision.geometry import HorizontalFlip, VerticalFlip
from mindspore.dataset.vision.image import ImageOperation, check_image, is_pil, number, span
from mindspore.dataset.vision.sharpness import AdjustSharpness
from mindspore.dataset.vision.tones import AutoContrast, Equalize, Invert, Posterize, Solarize


class _Sometimes(ImageOperation):
    """Another transform with probability `prob`."""

    random = True
    axes = ()
    prob: float
    _other: ImageOperation

    def array(self, image: np.ndarray) -> np.ndarray:
        check_image(self, image, self._other.axes, self._other.channels)
        return self._other.array(image) if uniforms(1)[0] < self.prob else image

    def _set(self, other: ImageOperation, prob: Any) -> None:
        self._other, self.prob = other, check.number(self, "prob", prob, 0.0, 1.0)


class RandomHorizontalFlip(_Sometimes):
    """The image mirrored left to right with probability `prob`.

    Args:
        prob: The probability, in [0, 1].

    Inputs:
        (H, W) or (H, W, C), or a PIL image.

    Examples:
        >>> vision.RandomHorizontalFlip(1.0)(np.array([[1, 2, 3]], np.uint8)).tolist()
        [[3, 2, 1]]
    """

    alike = True

    def __init__(self, prob: float = 0.5):
        self._set(HorizontalFlip(), prob)

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageOps.mirror(image) if uniforms(1)[0] < self.prob else image

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        return _some(stack, self._other, self.prob)


class RandomVerticalFlip(_Sometimes):
    """The image mirrored top to bottom with probability `prob`.

    Args:
        prob: The probability that an image is changed.

    Examples:
        >>> vision.RandomVerticalFlip(1.0)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[3, 4], [1, 2]]
    """

    alike = True

    def __init__(self, prob: float = 0.5):
        self._set(VerticalFlip(), prob)

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageOps.flip(image) if uniforms(1)[0] < self.prob else image

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        return _some(stack, self._other, self.prob)


def _some(stack: np.ndarray, other: ImageOperation, prob: float) -> np.ndarray | None:
    """`other` of the rows that a draw chooses."""
    if stack.ndim not in (3, 4):
        return None
    code = {"HorizontalFlip": 1, "VerticalFlip": 0}[other.name]
    coloured = stack.ndim == 4 and stack.dtype == np.uint8 and stack.shape[3] == 3
    for place in np.flatnonzero(uniforms(1)[0] < prob).tolist():
        if coloured:
            cv2.flip(stack[place], code, stack[place])
        else:
            stack[place] = other.array(stack[place])
    return stack


class RandomEqualize(_Sometimes):
    """Equalize with probability `prob`.

    Args:
        prob: The probability that an image is changed.

    Examples:
        >>> vision.RandomEqualize(0.0)(np.full((2, 2, 3), 9, np.uint8)).shape
        (2, 2, 3)
    """

    def __init__(self, prob: float = 0.5):
        self._set(Equalize(), prob)


class RandomInvert(_Sometimes):
    """Invert with probability `prob`.

    Args:
        prob: The probability that an image is changed.

    Examples:
        >>> vision.RandomInvert(1.0)(np.array([[[0, 100, 255]]], np.uint8)).tolist()
        [[[255, 155, 0]]]
    """

    def __init__(self, prob: float = 0.5):
        self._set(Invert(), prob)


class RandomAutoContrast(_Sometimes):
    """AutoContrast with probability `prob`.

    Args:
        cutoff: Percentage of the pixels to leave out at either end.
        ignore: Levels that do not count.
        prob: The probability that an image is changed.

    Examples:
        >>> vision.RandomAutoContrast(prob=1.0)(np.array([[[50, 0, 0], [60, 0, 0]]], np.uint8))[0, :, 0].tolist()
        [0, 255]
    """

    def __init__(self, cutoff: float = 0.0, ignore: Any = None, prob: float = 0.5):
        self.cutoff = check.number(self, "cutoff", cutoff, 0.0, 100.0, open_high=True)
        if self.cutoff >= 50:
            raise check.fail(ValueError, self, "cutoff", "less than 50", cutoff)
        self._set(AutoContrast(cutoff, ignore), prob)


class RandomAdjustSharpness(_Sometimes):
    """AdjustSharpness by `degree` with probability `prob`.

    Args:
        degree: As of AdjustSharpness.
        prob: The probability that an image is changed.

    Examples:
        >>> vision.RandomAdjustSharpness(2.0, 1.0)(np.full((3, 3, 3), 9, np.uint8)).shape
        (3, 3, 3)
    """

    def __init__(self, degree: float, prob: float = 0.5):
        self.degree = number(self, "degree", degree, 0.0)
        self._set(AdjustSharpness(degree), prob)


class NoPilImage(InputError, AttributeError):
    """An input that lacks the methods of PIL images."""


class RandomGrayscale(_Sometimes):
    """A PIL image in grey, with three channels unless it had one, with probability `prob`.

    Args:
        prob: The probability that an image is changed.

    Inputs:
        A PIL image.

    Examples:
        >>> from PIL import Image
        >>> vision.RandomGrayscale(1.0)(Image.new("RGB", (1, 1), (255, 0, 0))).getpixel((0, 0))
        (76, 76, 76)
    """

    def __init__(self, prob: float = 0.1):
        self._set(Grayscale(), prob)

    def checked(self, value: Any) -> Any:
        if not is_pil(value):
            raise check.fail(NoPilImage, self, "image", "a PIL image; use ToPIL first", type(value))
        return value

    def apply(self, value: Any) -> Any:
        channels = 1 if value.mode == "L" else 3
        return grey_pil(value, channels) if stream().random() < self.prob else value


class RandomColorAdjust(ImageOperation):
    """Brightness, contrast, saturation and hue changed by random factors, in random order.

    Args:
        brightness, contrast, saturation: Range of the factor, or d for (max(0, 1 - d), 1 + d).
        hue: Range of the turn, within -0.5 to 0.5, or d for (-d, d).

    Inputs:
        An image (H, W, 3).

    Outputs:
        The same shape and dtype.

    Raises:
        TypeError: If a range holds anything but numbers.
        ValueError: If a range is out of bounds.

    Examples:
        >>> vision.RandomColorAdjust(brightness=0.5)(np.zeros((1, 1, 3), np.uint8)).tolist()
        [[[0, 0, 0]]]
    """

    random = True
    channels = (3,)
    axes = (3,)

    def __init__(
        self,
        brightness: Any = (1, 1),
        contrast: Any = (1, 1),
        saturation: Any = (1, 1),
        hue: Any = (0, 0),
    ):
        self.brightness = span(self, "brightness", brightness, 0.0, around=1)
        self.contrast = span(self, "contrast", contrast, 0.0, around=1)
        self.saturation = span(self, "saturation", saturation, 0.0, around=1)
        if not isinstance(hue, (list, tuple)):
            check.number(self, "hue", hue, 0.0, 0.5)
        self.hue = span(self, "hue", hue, -0.5, 0.5, around=0)

    def apply(self, value: Any) -> Any:
        if not is_pil(value):
            check_image(self, value, self.axes, self.channels)
        rng = stream()
        changes = []
        for kind, (low, high), neutral in [
            (AdjustBrightness, self.brightness, 1),
            (AdjustContrast, self.contrast, 1),
            (AdjustSaturation, self.saturation, 1),
            (AdjustHue, self.hue, 0),
        ]:
            turned = kind is AdjustHue and is_pil(
                value
            )  # observed: PIL images always go through HSV
            if low != neutral or high != neutral or turned:
                changes.append(kind(float(rng.uniform(low, high))))
        for i in rng.permutation(len(changes)):
            value = changes[i].apply(value)
        return value


class RandomColor(ImageOperation):
    """The distance of the colours from grey times a factor of the range `degrees`.

    Args:
        degrees: (lowest, highest) factor; 0 gives grey, 1 the same image.

    Examples:
        >>> vision.RandomColor((0.0, 0.0))(np.array([[[255, 0, 0]]], np.uint8)).tolist()
        [[[76, 76, 76]]]
    """

    random = True
    channels = (3,)
    axes = (3,)

    def __init__(self, degrees: Any = (0.1, 1.9)):
        self.degrees = span(self, "degrees", degrees, 0.0, error=ValueError)

    def apply(self, value: Any) -> Any:
        return AdjustSaturation(float(stream().uniform(*self.degrees))).apply(value)


class RandomSharpness(ImageOperation):
    """AdjustSharpness by a factor of the range `degrees`.

    Args:
        degrees: (lowest, highest) factor; 0 gives the smoothed image, 1 the same image.

    Examples:
        >>> vision.RandomSharpness((1.0, 1.0))(np.full((3, 3, 3), 9, np.uint8)).shape
        (3, 3, 3)
    """

    random = True

    def __init__(self, degrees: Any = (0.1, 1.9)):
        self.degrees = span(self, "degrees", degrees, 0.0, error=ValueError)

    def apply(self, value: Any) -> Any:
        factor = float(stream().uniform(*self.degrees))
        if is_pil(value):
            return ImageEnhance.Sharpness(value).enhance(factor)
        return AdjustSharpness(factor).apply(value)


class RandomPosterize(ImageOperation):
    """Posterize to a number of bits of the range `bits`, or that number.

    Args:
        bits: (lowest, highest) number of bits, or a number, 1 to 8.

    Examples:
        >>> vision.RandomPosterize(1)(np.array([[[100, 200, 255]]], np.uint8)).tolist()
        [[[0, 128, 128]]]
    """

    random = True

    def __init__(self, bits: Any = (8, 8)):
        values = bits if isinstance(bits, (list, tuple)) else (bits, bits)
        if len(values) != 2:
            raise check.fail(TypeError, self, "bits", "an int or a sequence of two ints", bits)
        self.bits = tuple(check.integer(self, "bits", b, 1, 8) for b in values)
        if self.bits[0] > self.bits[1]:
            raise check.fail(ValueError, self, "bits", "in increasing order", bits)

    def apply(self, value: Any) -> Any:
        return Posterize(int(stream().integers(self.bits[0], self.bits[1] + 1))).apply(value)


class RandomSolarize(ImageOperation):
    """Solarize the levels of a random part of the range `threshold`.

    Args:
        threshold: (lowest, highest) level, 0 to 255.

    Examples:
        >>> vision.RandomSolarize((0, 255))(np.zeros((2, 2, 3), np.uint8)).shape
        (2, 2, 3)
    """

    random = True

    def __init__(self, threshold: Any = (0, 255)):
        check.instance(self, "threshold", threshold, tuple)
        self.threshold = span(self, "threshold", threshold, 0, 255, error=ValueError)
        for level in threshold:
            check.integer(self, "threshold", level)

    def apply(self, value: Any) -> Any:
        lowest, highest = (int(level) for level in self.threshold)
        low, high = sorted(stream().integers(lowest, highest + 1, 2).tolist())
        return Solarize((low, high)).apply(value)


# Directions of the colours of ImageNet and how far they vary (Krizhevsky et al. 2012, PCA of its RGB values).
_VALUES = np.array([55.46, 4.794, 1.148])
_VECTORS = np.array(
    [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
)


class RandomLighting(ImageOperation):
    """A colour added along the principal colours of ImageNet, normal with deviation `alpha`.

    Args:
        alpha: 0 or more.

    Examples:
        >>> vision.RandomLighting(0.0)(np.array([[[10, 20, 30]]], np.uint8)).tolist()
        [[[10, 20, 30]]]
    """

    random = True
    channels = (3,)
    axes = (3,)

    def __init__(self, alpha: float = 0.05):
        self.alpha = number(self, "alpha", alpha, 0.0)

    def array(self, image: np.ndarray) -> np.ndarray:
        shift = _VECTORS @ (stream().normal(0, self.alpha, 3) * _VALUES)
        shifted = image + shift
        return (
            np.clip(shifted, 0, 255).astype(image.dtype)
            if image.dtype == np.uint8
            else shifted.astype(image.dtype)
        )

    def pil(self, image: Image.Image) -> Image.Image:
        return Image.fromarray(self.array(np.asarray(image.convert("RGB"))))
