"""Images with margins."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image, ImageOps

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.vision.enums import Border
from mindspore.dataset.vision.image import (
    ImageOperation,
    crop,
    extent,
    fill,
    height_axis,
    image_size,
    pil_colour,
)

_NUMPY_BORDER: dict[Border, Any] = {
    Border.EDGE: "edge",
    Border.REFLECT: "reflect",
    Border.SYMMETRIC: "symmetric",
}


def padding_of(owner: Any, value: Any) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of a padding given as one number, two (left/right, top/bottom) or four."""
    if not isinstance(value, (list, tuple)):
        value = [value, value]
    if len(value) not in (2, 4):
        raise check.fail(
            ValueError, owner, "padding", "an int or a sequence of two or four ints", value
        )
    sides = [check.integer(owner, "padding", v, 0, check.INT32_MAX) for v in value]
    left, top, right, bottom = sides if len(sides) == 4 else sides * (4 // len(sides))
    return left, top, right, bottom


def padded(
    image: np.ndarray,
    sides: tuple[int, int, int, int],
    colour: tuple[int, ...],
    border: Border,
    axis: int | None = None,
) -> np.ndarray:
    """An array with `sides` (left, top, right, bottom) around it."""
    axis = height_axis(image) if axis is None else axis
    left, top, right, bottom = sides
    widths = [(0, 0)] * image.ndim
    widths[axis], widths[axis + 1] = (top, bottom), (left, right)
    if border is not Border.CONSTANT:
        return np.pad(image, widths, _NUMPY_BORDER[border])
    shape = [length + sum(width) for length, width in zip(image.shape, widths, strict=True)]
    result = np.empty(shape, image.dtype)
    fill_with(result, colour, axis)
    crop(result, top, left, *extent(image, axis), axis)[...] = image
    return result


def fill_with(image: np.ndarray, colour: tuple[int, ...], axis: int) -> None:
    """Give all pixels of an array whose height is axis `axis` one colour."""
    channels = image.shape[-1] if image.ndim > axis + 2 else 1
    colour = (*colour, *[0] * channels)[:channels]
    if len(set(colour)) == 1:
        image.fill(colour[0])
    else:
        image[...] = np.asarray(colour).astype(image.dtype)


class Pad(ImageOperation):
    """The image with a margin: one width for all sides, (left/right, top/bottom) or (left, top, right, bottom).

    Args:
        padding: The widths.
        fill_value: The value of pixels that come from outside: an int, or one for each of the three
            channels.
        padding_mode: What the new pixels are, a `Border`.

    Examples:
        >>> vision.Pad((1, 0), 9)(np.array([[1, 2]], np.uint8)).tolist()
        [[9, 1, 2, 9]]
    """

    channels = (1, 3)
    keeps_bool = False

    def __init__(self, padding: Any, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT):
        self.padding = padding_of(self, padding)
        self.fill_value = fill(self, fill_value)
        self.padding_mode = check.instance(self, "padding_mode", padding_mode, Border)

    def array(self, image: np.ndarray) -> np.ndarray:
        return padded(image, self.padding, self.fill_value, self.padding_mode)

    def pil(self, image: Image.Image) -> Image.Image:
        return pil_padded(image, self.padding, self.fill_value, self.padding_mode)


def pil_padded(
    image: Image.Image, sides: tuple[int, int, int, int], colour: tuple[int, ...], border: Border
) -> Image.Image:
    """A PIL image with `sides` (left, top, right, bottom) around it."""
    if border is Border.CONSTANT:
        return ImageOps.expand(image, sides, pil_colour(image, colour))
    return Image.fromarray(padded(np.asarray(image), sides, colour, border))


class PadToSize(ImageOperation):
    """The image in a larger one of `size`, in its middle or `offset` (top, left) away from the corner.

    Args:
        size: (height, width), or one number for both.
        offset: (top, left), or one number for both; None: in the middle.
        fill_value: The value of pixels that come from outside: an int, or one for each of the three
            channels.
        padding_mode: What the new pixels are, a `Border`.

    Examples:
        >>> vision.PadToSize((1, 4), 0)(np.array([[1, 2]], np.uint8)).tolist()
        [[1, 2, 0, 0]]
    """

    channels = (1, 3)
    keeps_bool = False

    def __init__(
        self,
        size: Any,
        offset: Any = None,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ):
        self.size = image_size(self, "size", size, ValueError, check.INT32_MAX)
        if offset is not None:
            offset = offset if isinstance(offset, (list, tuple)) else [offset, offset]
            if len(offset) not in (0, 2):
                raise check.fail(
                    ValueError, self, "offset", "an int or a sequence of two ints", offset
                )
            offset = [check.integer(self, "offset", o, 0, check.INT32_MAX) for o in offset]
        self.offset = offset or None
        self.fill_value = fill(self, fill_value)
        self.padding_mode = check.instance(self, "padding_mode", padding_mode, Border)

    def array(self, image: np.ndarray) -> np.ndarray:
        axis = height_axis(image)
        height, width = extent(image, axis)
        down, across = self.size[0] - height, self.size[1] - width
        top, left = self.offset or (down // 2, across // 2)
        if min(down - top, across - left, down, across) < 0:
            raise PipelineError(
                f"For 'PadToSize', the image at the offset must fit into the 'size' {self.size}, but its "
                f"size is ({height}, {width}) and the offset ({top}, {left})."
            )
        return padded(
            image, (left, top, across - left, down - top), self.fill_value, self.padding_mode
        )
