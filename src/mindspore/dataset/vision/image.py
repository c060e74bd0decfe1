"""What image transforms have in common: they take arrays (H, W), (H, W, C) and PIL images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from PIL import Image

from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError, PipelineError
from mindspore.dataset.transforms.base import TensorOperation
from mindspore.dataset.transforms.random import rewinder
from mindspore.dataset.vision.enums import Inter

MOST_PIXELS = 2**24  # longest side and such
MOST = 2.0**24  # largest number where a parameter has no closer limit: floats are exact up to here


class ImageOperation(TensorOperation):
    """A transform of an image: `array` for arrays, `pil` for PIL images.

    A transform without `pil` of its own gives the array that it makes of the PIL image's pixels.

    Examples:
        >>> issubclass(vision.Resize, vision.ImageOperation)
        True
    """

    channels: tuple[int, ...] = ()  # numbers of channels that arrays may have; empty: any
    axes: tuple[int, ...] = (2, 3)  # numbers of axes that arrays may have; empty: any from two on
    batches = False  # whether arrays (..., H, W, C) are transformed image by image
    keeps_bool = True  # whether the results for arrays of bools are such, not bytes
    alike = (
        False  # whether several images of one size are taken, and all transformed by the same draws
    )

    def __call__(self, *inputs: Any) -> Any:
        if not self.alike or len(inputs) < 2:
            return super().__call__(*inputs)
        images = [pixels(self, value) for value in inputs]
        if len({image.shape[:2] for image in images}) > 1:
            raise PipelineError(
                f"For '{self.name}', images that are transformed together must have one size, but their shapes "
                f"are {[image.shape for image in images]}."
            )
        rewind, results = rewinder(), []
        for image in images:
            rewind()
            results.append(self.apply(image))
        return tuple(results)

    def checked(self, value: Any) -> Any:
        return value if is_pil(value) else pixels(self, value)

    def apply(self, value: Any) -> Any:
        try:
            return self.pil(value) if is_pil(value) else self._array(value)
        except cv2.error as error:
            shown = value.mode if is_pil(value) else f"{value.dtype}{list(value.shape)}"
            raise PipelineError(
                f"For '{self.name}', the image library cannot transform {shown}: {error}"
            ) from None

    def _array(self, value: np.ndarray) -> Any:
        check_image(self, value, self.axes, self.channels)
        if value.dtype == np.bool_:  # as bytes 0 and 1
            result = self._array(value.astype(np.uint8))
            return result.astype(np.bool_) if self.keeps_bool else result
        if self.batches and value.ndim > 3:
            images = [self.array(image) for image in value.reshape(-1, *value.shape[-3:])]
            return np.stack(images).reshape(*value.shape[:-3], *images[0].shape)
        return self.array(value)

    def array(self, image: np.ndarray) -> Any:
        """The transformed array."""
        raise NotImplementedError(f"For '{type(self).__name__}', 'array' is not defined.")

    def pil(self, image: Image.Image) -> Any:
        """The transformed PIL image."""
        array = np.asarray(image)
        check_image(self, array, self.axes, self.channels)
        return self.array(array)


def is_pil(value: Any) -> bool:
    """Whether `value` is a PIL image."""
    return isinstance(value, Image.Image)


def pixels(owner: Any, value: Any) -> np.ndarray:
    """The pixels of an array or PIL image.

    Raises:
        InputError: `value` has none.
    """
    array = np.asarray(value) if is_pil(value) else value
    if not isinstance(array, np.ndarray) or array.dtype.kind in "US":
        raise check.fail(InputError, owner, "image", "an array of numbers or a PIL image", value)
    return array


def to_pil(owner: Any, image: np.ndarray) -> Image.Image:
    """An array (H, W) or (H, W, C) of bytes as a PIL image."""
    image = image[..., 0] if image.ndim == 3 and image.shape[-1] == 1 else image
    try:
        return Image.fromarray(image)
    except TypeError:
        raise check.fail(
            TypeError,
            owner,
            "image",
            "an array of uint8 of shape (H, W) or (H, W, 3)",
            f"{image.dtype}{list(image.shape)}",
        ) from None


def check_image(
    owner: Any, image: np.ndarray, axes: tuple[int, ...] = (2, 3), channels: tuple[int, ...] = ()
) -> None:
    """Refuse arrays that are no images for this transform."""
    if not image.size:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the image must have pixels, but has shape {image.shape}."
        )
    if image.ndim < 2 or (axes and image.ndim not in axes):
        wanted = " or ".join(map(str, axes)) if axes else "2 or more"
        raise PipelineError(
            f"For '{check.name_of(owner)}', the image must have {wanted} axes, but has shape {image.shape}."
        )
    found = image.shape[-1] if image.ndim > 2 else 1
    if channels and found not in channels:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the image must have {' or '.join(map(str, channels))} "
            f"channels in its last axis, but has shape {image.shape}."
        )


def height_axis(array: np.ndarray) -> int:
    """Which axis is the height of an image (H, W), (H, W, C) or a batch (..., H, W, C)."""
    return max(0, array.ndim - 3)


def crop(
    image: np.ndarray, top: int, left: int, height: int, width: int, axis: int | None = None
) -> np.ndarray:
    """Part of an array whose height is axis `axis`."""
    axis = height_axis(image) if axis is None else axis
    return image[(slice(None),) * axis + (slice(top, top + height), slice(left, left + width))]


def extent(array: np.ndarray, axis: int = 0) -> tuple[int, int]:
    """Height and width of an image whose height is axis `axis`."""
    return array.shape[axis], array.shape[axis + 1]


def number(owner: Any, name: str, value: Any, low: float = -MOST) -> float:
    """A number of `low` or more that single precision holds."""
    return check.number(owner, name, value, low, MOST)


def image_size(
    owner: Any, name: str, value: Any, error: type[Exception] = TypeError, most: int = MOST_PIXELS
) -> tuple[int, int]:
    """A size (height, width), given as such or as one number for both; `error` for sequences of another length."""
    if isinstance(value, (list, tuple)):
        if len(value) != 2:
            words = "an int or a sequence of two ints"
            raise error(f"{check.fail(error, owner, name, words, value)} Size should be a single integer or a "
                        "list/tuple (h, w) of length 2.")
        height, width = (check.integer(owner, name, v, 1, most) for v in value)
        return height, width
    size = check.integer(owner, name, value, 1, most)
    return size, size


def span(
    owner: Any,
    name: str,
    value: Any,
    low: float | None = None,
    high: float | None = None,
    around: float | None = None,
    error: type[Exception] = TypeError,
) -> tuple[float, float]:
    """A range (lowest, highest); a number d means around - d to around + d where `around` is given.

    Sequences of another length raise `error`.
    """
    if not isinstance(value, (list, tuple)):
        if around is None:
            raise check.fail(TypeError, owner, name, "a sequence of two numbers", value)
        check.number(owner, name, value, 0, MOST - around)
        bottom = around - value if low is None else max(low, around - value)
        return bottom, around + value if high is None else min(high, around + value)
    if len(value) != 2:
        raise check.fail(error, owner, name, "a sequence of two numbers", value)
    for v in value:
        check.number(owner, name, v)
    bottom, top = -MOST if low is None else low, MOST if high is None else high
    first, last = (check.number(owner, name, v, bottom, top) for v in value)
    if first > last:
        raise check.fail(ValueError, owner, name, "in increasing order", value)
    return first, last


def fill(owner: Any, value: Any) -> tuple[int, int, int]:
    """A colour to fill with: one level or three."""
    if isinstance(value, (list, tuple)):
        if len(value) != 3:
            raise check.fail(
                TypeError, owner, "fill_value", "an int or a tuple of three ints", value
            )
        red, green, blue = (check.integer(owner, "fill_value", v, 0, 255) for v in value)
        return red, green, blue
    level = check.integer(owner, "fill_value", value, 0, 255)
    return level, level, level


def pil_colour(image: Image.Image, colour: tuple[int, ...]) -> Any:
    """A colour for a PIL image: three levels, or the first where it has but one channel."""
    return colour if len(image.getbands()) > 2 else colour[0]


_CV = {
    Inter.NEAREST: cv2.INTER_NEAREST,
    Inter.BILINEAR: cv2.INTER_LINEAR,
    Inter.BICUBIC: cv2.INTER_CUBIC,
    Inter.AREA: cv2.INTER_AREA,
}
PIL_FILTERS = {
    Inter.NEAREST: Image.Resampling.NEAREST,
    Inter.BILINEAR: Image.Resampling.BILINEAR,
    Inter.BICUBIC: Image.Resampling.BICUBIC,
    Inter.ANTIALIAS: Image.Resampling.LANCZOS,
}


def cv_inter(owner: Any, inter: Inter) -> int:
    """The OpenCV flag of an interpolation."""
    if inter not in _CV:
        raise InputError(
            f"For '{check.name_of(owner)}', the 'interpolation' of arrays must be one of "
            f"{[i.name for i in _CV]}, but got {inter.name}. Use ToPIL first."
        )
    return _CV[inter]


def pil_inter(owner: Any, inter: Inter) -> Image.Resampling:
    """The PIL filter of an interpolation."""
    if inter not in PIL_FILTERS:
        raise InputError(
            f"For '{check.name_of(owner)}', the 'interpolation' of PIL images must be one of "
            f"{[i.name for i in PIL_FILTERS]}, but got {inter.name}. Use ToNumpy first."
        )
    return PIL_FILTERS[inter]


def each_channel(image: np.ndarray, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """`function` of every channel (H, W) of an image."""
    if image.ndim == 2:
        return function(image)
    return np.stack([function(image[..., i]) for i in range(image.shape[-1])], -1)


def with_channel(result: np.ndarray, image: np.ndarray) -> np.ndarray:
    """The channel axis of length 1 again that OpenCV drops."""
    return result[..., None] if image.ndim == 3 and result.ndim == 2 else result


def rounded(values: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Values as the levels of an image: of integers rounded and cut to their range."""
    if like.dtype.kind in "iu":
        limits = np.iinfo(like.dtype)
        return np.clip(np.rint(values), limits.min, limits.max).astype(like.dtype)
    return values.astype(like.dtype)


def looked_up(image: np.ndarray, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """`function` of the levels of an image; for bytes through a table of its 256 values."""
    if image.dtype == np.uint8:
        table = rounded(np.asarray(function(np.arange(256, dtype=np.float64))), image)
        return table[image]
    return rounded(function(image if image.dtype.kind == "f" else image.astype(np.float64)), image)
