"""Transforms of colours: grey, other channels, hue and saturation."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.vision.enums import ConvertMode
from mindspore.dataset.vision.image import ImageOperation, is_pil, rounded

GREY = np.array([0.299, 0.587, 0.114])  # ITU-R BT.601


def grey_of(image: np.ndarray) -> np.ndarray:
    """Luminance of an RGB array, in its own type."""
    if image.dtype in (np.uint8, np.float32):
        return cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2GRAY)
    return rounded(image @ GREY, image)


class Grayscale(ImageOperation):
    """A PIL image in grey, with one channel or the same in three.

    Args:
        num_output_channels: 1 or 3.

    Inputs:
        A PIL image.

    Examples:
        >>> from PIL import Image
        >>> vision.Grayscale(3)(Image.new("RGB", (1, 1), (255, 0, 0))).getpixel((0, 0))
        (76, 76, 76)
    """

    def __init__(self, num_output_channels: int = 1):
        check.integer(self, "num_output_channels", num_output_channels)
        self.num_output_channels = check.option(
            self, "num_output_channels", num_output_channels, [1, 3]
        )

    def apply(self, value: Any) -> Image.Image:
        if not is_pil(value):
            raise check.fail(TypeError, self, "image", "a PIL image; use ToPIL first", type(value))
        return grey_pil(value, self.num_output_channels)


def grey_pil(image: Image.Image, channels: int) -> Image.Image:
    """A PIL image in grey with one or three channels."""
    grey = image.convert("L")
    return grey if channels == 1 else Image.merge("RGB", (grey, grey, grey))


_CONVERT = {
    0: cv2.COLOR_RGB2RGBA,
    1: cv2.COLOR_RGBA2RGB,
    2: cv2.COLOR_BGR2RGBA,
    3: cv2.COLOR_RGBA2BGR,
    4: cv2.COLOR_BGR2RGB,
    5: cv2.COLOR_BGRA2RGBA,
    6: cv2.COLOR_BGR2GRAY,
    7: cv2.COLOR_RGB2GRAY,
    8: cv2.COLOR_GRAY2BGR,
    9: cv2.COLOR_GRAY2BGRA,
    10: cv2.COLOR_BGRA2GRAY,
    11: cv2.COLOR_RGBA2GRAY,
}


class ConvertColor(ImageOperation):
    """Other channels: order, grey, alpha.

    Args:
        convert_mode: Which change, a `ConvertMode`.

    Examples:
        >>> vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGR)(np.array([[[1, 2, 3]]], np.uint8)).tolist()
        [[[3, 2, 1]]]
    """

    def __init__(self, convert_mode: ConvertMode):
        self.convert_mode = check.instance(self, "convert_mode", convert_mode, ConvertMode)

    def array(self, image: np.ndarray) -> np.ndarray:
        try:
            return cv2.cvtColor(image, _CONVERT[int(self.convert_mode)])
        except cv2.error:
            raise PipelineError(
                f"For 'ConvertColor', the image does not fit {self.convert_mode.name}: it is "
                f"{image.dtype}{list(image.shape)}."
            ) from None


class _HsvConversion(ImageOperation):
    """A conversion of colours with values 0 to 1; also of batches (N, H, W, C)."""

    def __init__(self, is_hwc: bool = False):
        self.is_hwc = check.boolean(self, "is_hwc", is_hwc)

    def checked(self, value: Any) -> np.ndarray:
        return check.instance(self, "image", value, np.ndarray)

    def apply(self, value: np.ndarray) -> np.ndarray:
        image = value
        axis = -1 if self.is_hwc else -3
        if image.ndim not in (3, 4) or image.shape[axis] != 3:
            raise check.fail(
                TypeError,
                self,
                "image",
                f"of three or four axes with three channels (is_hwc={self.is_hwc})",
                image.shape,
            )
        return np.moveaxis(self._converted(np.moveaxis(image, axis, 0)), 0, axis)

    def _converted(self, planes: np.ndarray) -> np.ndarray:
        raise NotImplementedError


class RgbToHsv(_HsvConversion):
    """Hue, saturation and value, all 0 to 1, of red, green and blue.

    Args:
        is_hwc: The images are (..., H, W, C), else (..., C, H, W).

    Inputs:
        Floats, three channels, or a batch of such images.

    Examples:
        >>> vision.RgbToHsv(is_hwc=True)(np.array([[[0.0, 1.0, 0.0]]], np.float32)).round(4).tolist()
        [[[0.3333, 1.0, 1.0]]]
    """

    def _converted(self, planes: np.ndarray) -> np.ndarray:
        planes = planes.astype(np.float64)
        top, bottom = planes.max(0), planes.min(0)
        spread = top - bottom
        safe = np.where(spread > 0, spread, 1)
        red, green, blue = (top - planes) / safe
        hue = np.where(
            planes[0] == top,
            blue - green,
            np.where(planes[1] == top, 2 + red - blue, 4 + green - red),
        )
        hue = np.where(spread > 0, hue / 6 % 1, 0)
        saturation = np.where(spread > 0, spread / np.where(top > 0, top, 1), 0)
        return np.stack([hue, saturation, top])


class HsvToRgb(_HsvConversion):
    """Red, green and blue of hue, saturation and value, all 0 to 1.

    Args:
        is_hwc: The images are (..., H, W, C), else (..., C, H, W).

    Inputs:
        Floats, three channels, or a batch of such images.

    Examples:
        >>> vision.HsvToRgb(is_hwc=True)(np.array([[[0.5, 1.0, 1.0]]], np.float32)).round(4).tolist()
        [[[0.0, 1.0, 1.0]]]
    """

    def _converted(self, planes: np.ndarray) -> np.ndarray:
        hue, saturation, value = planes.astype(np.float64)
        sector = np.floor(hue * 6)
        rest = hue * 6 - sector
        p, q = value * (1 - saturation), value * (1 - saturation * rest)
        t = value * (1 - saturation * (1 - rest))
        which = sector.astype(np.int64) % 6
        red = np.choose(which, [value, q, p, p, t, value])
        green = np.choose(which, [t, value, value, q, p, p])
        return np.stack([red, green, np.choose(which, [p, p, t, value, value, q])])
