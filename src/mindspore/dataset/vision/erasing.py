"""Rectangles of an image erased."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError, PipelineError
from mindspore.dataset.transforms.random import stream
from mindspore.dataset.vision.image import (
    MOST_PIXELS,
    ImageOperation,
    check_image,
    crop,
    extent,
    pixels,
    span,
)


class CutOut(ImageOperation):
    """The image with `num_patches` square holes of `length` at random places (DeVries and Taylor 2017).

    Args:
        length: The side of a hole, in pixels.
        num_patches: How many holes.
        is_hwc: The images are (..., H, W, C), else (..., C, H, W).

    Examples:
        >>> int((vision.CutOut(2)(np.ones((4, 4, 3), np.uint8)) == 0).sum()) <= 12
        True
    """

    random = True

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True):
        self.length = check.integer(self, "length", length, 1, MOST_PIXELS)
        self.num_patches = check.integer(self, "num_patches", num_patches, 1, MOST_PIXELS)
        self.is_hwc = check.boolean(self, "is_hwc", is_hwc)

    def array(self, image: np.ndarray) -> np.ndarray:
        axis = 0 if self.is_hwc or image.ndim == 2 else 1
        height, width = extent(image, axis)
        if self.length > height or self.length > width:
            raise PipelineError(
                f"For 'CutOut', the 'length' {self.length} must not be larger than the image, "
                f"({height}, {width})."
            )
        result, rng = image.copy(), stream()
        for _ in range(self.num_patches):
            y, x = int(rng.integers(height)), int(rng.integers(width))
            top, left = max(0, y - self.length // 2), max(0, x - self.length // 2)
            bottom, right = y + (self.length + 1) // 2, x + (self.length + 1) // 2
            crop(result, top, left, bottom - top, right - left, axis)[...] = 0
        return result


class RandomErasing(ImageOperation):
    """An array (C, H, W) with a random rectangle replaced, with probability `prob` (Zhong et al. 2017).

    Args:
        prob: Probability.
        scale: Range of the area, in fractions of the image's.
        ratio: Range of height / width.
        value: A number, a number for each channel, or 'random' for noise.
        inplace: Change the given array.
        max_attempts: Draws before the image is returned unchanged.

    Examples:
        >>> vision.RandomErasing(1.0)(np.ones((3, 8, 8), np.float32)).shape
        (3, 8, 8)
    """

    random = True
    axes = (3,)

    def __init__(
        self,
        prob: float = 0.5,
        scale: Any = (0.02, 0.33),
        ratio: Any = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ):
        self.prob = check.number(self, "prob", prob, 0.0, 1.0)
        self.scale = span(self, "scale", scale, 0.0)
        self.ratio = span(self, "ratio", ratio, 0.0)
        if not self.scale[1] > 0 or not self.ratio[0] > 0:
            raise check.fail(ValueError, self, "scale and ratio", "positive", (scale, ratio))
        if isinstance(value, str):
            self.value = check.option(self, "value", value, ["random"])
        else:
            values = value if isinstance(value, (list, tuple)) else [value]
            if len(values) != 3 and values is value:
                raise check.fail(ValueError, self, "value", "an int, three or 'random'", value)
            self.value = [check.integer(self, "value", v, 0, 255) for v in values]
        self.inplace = check.boolean(self, "inplace", inplace)
        self.max_attempts = check.integer(self, "max_attempts", max_attempts, 1, MOST_PIXELS)

    def checked(self, value: Any) -> Any:
        return value

    def apply(self, value: Any) -> Any:
        if stream().random() >= self.prob:
            return value
        if not isinstance(value, np.ndarray):
            raise check.fail(InputError, self, "image", "an array; use ToTensor first", type(value))
        check_image(self, pixels(self, value), self.axes)
        return self.array(value)

    def array(self, image: np.ndarray) -> np.ndarray:
        rng, (channels, height, width) = stream(), image.shape
        logs = math.log(self.ratio[0]), math.log(self.ratio[1])
        for _ in range(self.max_attempts):
            area = rng.uniform(*self.scale) * height * width
            shape = math.exp(rng.uniform(*logs))
            tall, wide = round(math.sqrt(area * shape)), round(math.sqrt(area / shape))
            if not 0 < tall < height or not 0 < wide < width:
                continue
            top, left = int(rng.integers(height - tall + 1)), int(rng.integers(width - wide + 1))
            if self.value == "random":
                patch = rng.standard_normal((channels, tall, wide))
            else:
                patch = np.reshape(self.value, (-1, 1, 1))
            image = image if self.inplace else image.copy()
            image[:, top : top + tall, left : left + wide] = patch
            return image
        return image


class Erase(ImageOperation):
    """An image of three channels with a rectangle, as far as it lies within, in one colour.

    Args:
        top, left: The corner of the rectangle.
        height, width: Its size.
        value: A number, or one for each channel.
        inplace: Change the given array.

    Examples:
        >>> vision.Erase(0, 1, 1, 1, 9)(np.ones((1, 3, 3), np.uint8)).tolist()
        [[[1, 1, 1], [9, 9, 9], [1, 1, 1]]]
    """

    axes = (3,)
    channels = (3,)

    def __init__(
        self, top: int, left: int, height: int, width: int, value: Any = 0.0, inplace: bool = False
    ):
        self.top = check.integer(self, "top", top, 0, check.INT32_MAX)
        self.left = check.integer(self, "left", left, 0, check.INT32_MAX)
        self.height = check.integer(self, "height", height, 1, check.INT32_MAX)
        self.width = check.integer(self, "width", width, 1, check.INT32_MAX)
        values = value if isinstance(value, (list, tuple)) else [value] * 3
        if len(values) != 3:
            raise check.fail(
                TypeError, self, "value", "a number or a sequence of three numbers", value
            )
        self.value = [check.number(self, "value", v, 0, 255) for v in values]
        self.inplace = check.boolean(self, "inplace", inplace)

    def array(self, image: np.ndarray) -> np.ndarray:
        height, width = image.shape[:2]
        if max(self.top, self.height) > height or max(self.left, self.width) > width:
            raise PipelineError(
                f"For 'Erase', the rectangle ({self.top}, {self.left}, {self.height}, {self.width}) must begin within "
                f"the image, whose size is ({height}, {width}), and be no larger."
            )
        result = image if self.inplace and image.flags.writeable else image.copy()
        part = result[self.top : self.top + self.height, self.left : self.left + self.width]
        part[...] = np.asarray(self.value).astype(image.dtype)
        return result
