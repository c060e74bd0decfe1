"""Transforms of the levels of an image."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from mindspore.dataset import _check as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.vision.enums import ConvertMode
from mindspore.dataset.vision.image import (
    ImageOperation,
    each_channel,
    is_pil,
    looked_up,
    number,
    rounded,
    with_channel,
)

GREY = np.array([0.299, 0.587, 0.114])  # ITU-R BT.601


def grey_of(image: np.ndarray) -> np.ndarray:
    """Luminance of an RGB array, in its own type."""
    if image.dtype in (np.uint8, np.float32):
        return cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2GRAY)
    return rounded(image @ GREY, image)


def blended(image: np.ndarray, other: Any, factor: float) -> np.ndarray:
    """other + factor * (image - other), as levels of `image`."""
    return rounded(_mixed(image, other, factor), image)


def _mixed(values: np.ndarray, other: Any, factor: float) -> np.ndarray:
    """factor * values + (1 - factor) * other in single precision, which decides where halves are rounded to."""
    share = np.float32(factor)
    rest = np.asarray(other, np.float32) * (np.float32(1) - share)
    return values.astype(np.float32) * share + rest


class _Adjustment(ImageOperation):
    """A change by a factor; 1 changes nothing."""

    channels = (3,)
    axes = (3,)
    _name = "factor"

    def _factor(self, value: Any) -> float:
        return number(self, self._name, value, 0.0)


class AdjustBrightness(_Adjustment):
    """The levels times `brightness_factor`."""

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


class AdjustContrast(_Adjustment):
    """The distance of the levels from their mean times `contrast_factor`."""

    def __init__(self, contrast_factor: float):
        self._name = "contrast_factor"
        self.contrast_factor = self._factor(contrast_factor)

    def array(self, image: np.ndarray) -> np.ndarray:
        mean = grey_of(image).mean(dtype=np.float64)
        mean = int(mean + 0.5) if image.dtype == np.uint8 else mean
        return looked_up(image, lambda level: _mixed(level, mean, self.contrast_factor))

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageEnhance.Contrast(image).enhance(self.contrast_factor)


class AdjustSaturation(_Adjustment):
    """The distance of the colours from grey times `saturation_factor`."""

    def __init__(self, saturation_factor: float):
        self._name = "saturation_factor"
        self.saturation_factor = self._factor(saturation_factor)

    def array(self, image: np.ndarray) -> np.ndarray:
        return blended(image, grey_of(image)[..., None].astype(np.float64), self.saturation_factor)

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageEnhance.Color(image).enhance(self.saturation_factor)


_SMOOTH = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / 13


class AdjustSharpness(_Adjustment):
    """The distance of the levels from their smoothed neighbourhood times `sharpness_factor`; the edge is left alone."""

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


class AdjustHue(_Adjustment):
    """The hue turned by `hue_factor` of a circle, -0.5 to 0.5."""

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
    """gain * level ** gamma, with levels from 0 to 1; of floats (gain * level) ** gamma, as float32."""

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


class AutoContrast(ImageOperation):
    """Each channel stretched so that its darkest level becomes 0 and its brightest 255.

    Args:
        cutoff: Percentage of the pixels to leave out at either end.
        ignore: Levels that do not count.
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
    """Each channel with its levels spread so that all occur about equally often."""

    channels = (1, 3)

    keeps_bool = False

    def array(self, image: np.ndarray) -> np.ndarray:
        return each_channel(image, self._spread)

    def _spread(self, channel: np.ndarray) -> np.ndarray:
        return cv2.equalizeHist(np.ascontiguousarray(_levels(self, channel)))

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageOps.equalize(image)


class Invert(ImageOperation):
    """255 less the levels."""

    channels = (3,)
    axes = (3,)

    def array(self, image: np.ndarray) -> np.ndarray:
        return (
            255 - image if image.dtype == np.uint8 else looked_up(image, lambda level: 255 - level)
        )

    def pil(self, image: Image.Image) -> Image.Image:
        return ImageOps.invert(image)


class Posterize(ImageOperation):
    """Only the `bits` highest bits of the levels."""

    keeps_bool = False

    def __init__(self, bits: int):
        self.bits = check.integer(self, "bits", bits, 0, 8)

    def array(self, image: np.ndarray) -> np.ndarray:
        return _levels(self, image) & np.uint8(256 - 2 ** (8 - self.bits) if self.bits else 0)


class Solarize(ImageOperation):
    """The levels within `threshold` inverted: (lowest, highest), or one number for both."""

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


class Grayscale(ImageOperation):
    """A PIL image in grey, with one channel or the same in three."""

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
    """Other channels: order, grey, alpha."""

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
    """Hue, saturation and value, all 0 to 1, of red, green and blue."""

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
    """Red, green and blue of hue, saturation and value, all 0 to 1."""

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


class GaussianBlur(ImageOperation):
    """The image smoothed with a Gaussian kernel; sizes and deviations for (width, height), or one number for both."""

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


class Erase(ImageOperation):
    """An image of three channels with a rectangle, as far as it lies within, in one colour."""

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
