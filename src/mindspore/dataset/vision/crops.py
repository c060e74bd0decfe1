"""Random parts of an image."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
from PIL import Image

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import memory
from mindspore.dataset.transforms.random import integers, stream, uniforms
from mindspore.dataset.vision.codecs import decode_image, encoded_bytes
from mindspore.dataset.vision.enums import Border, Inter
from mindspore.dataset.vision.geometry import Resize, resized
from mindspore.dataset.vision.image import (
    ImageOperation,
    crop,
    cv_inter,
    extent,
    fill,
    height_axis,
    image_size,
    pil_inter,
    span,
)
from mindspore.dataset.vision.padding import fill_with, padded, padding_of, pil_padded


class RandomCrop(ImageOperation):
    """A part of `size` at a random place, after padding as in Pad.

    Args:
        size: (height, width) or one number for both.
        padding: Margin before the crop.
        pad_if_needed: Pad images that are too small.
        fill_value, padding_mode: As for Pad.

    Inputs:
        An image (H, W, C) or (H, W).

    Outputs:
        The part, of `size`.

    Raises:
        ValueError: If an argument is out of range.
        PipelineError: If the image is smaller than `size` and not padded.

    Examples:
        >>> vision.RandomCrop(2)(np.zeros((4, 5, 3), np.uint8)).shape
        (2, 2, 3)
    """

    random = True
    axes = ()
    alike = True

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ):
        self.size = image_size(self, "size", size)
        self.padding = (0, 0, 0, 0) if padding is None else padding_of(self, padding)
        self.pad_if_needed = check.boolean(self, "pad_if_needed", pad_if_needed)
        self.fill_value = fill(self, fill_value)
        self.padding_mode = check.instance(self, "padding_mode", padding_mode, Border)

    def sides(self, height: int, width: int) -> tuple[int, int, int, int]:
        """Margins (left, top, right, bottom) of an image before the crop."""
        left, top, right, bottom = self.padding
        if self.pad_if_needed:
            down, across = self.size[0] - height - top - bottom, self.size[1] - width - left - right
            top, bottom = top + max(0, down), bottom + max(0, down)
            left, right = left + max(0, across), right + max(0, across)
        if height + top + bottom < self.size[0] or width + left + right < self.size[1]:
            raise PipelineError(
                f"For '{type(self).__name__}', the 'size' {self.size} must not be larger than the padded "
                f"image, ({height + top + bottom}, {width + left + right}). Use 'pad_if_needed'."
            )
        return left, top, right, bottom

    def place(self, height: int, width: int) -> tuple[Any, Any]:
        """Random (top, left) of the part of a padded image; of each image where many are at work."""
        down, across = uniforms(2)
        return (
            integers(down, height - self.size[0] + 1),
            integers(across, width - self.size[1] + 1),
        )

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.ndim < 2:
            raise PipelineError(
                f"For 'RandomCrop', the image must have two axes or more, but has shape {image.shape}."
            )
        axis = height_axis(image)
        sides = self.sides(*extent(image, axis))
        if any(sides):
            image = padded(image, sides, self.fill_value, self.padding_mode)
        return np.ascontiguousarray(crop(image, *self.place(*extent(image, axis)), *self.size))

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        if stack.ndim not in (3, 4):
            return None
        size = extent(stack, 1)
        left, top, right, bottom = self.sides(*size)
        tops, lefts = self.place(size[0] + top + bottom, size[1] + left + right)
        result = memory.empty((len(stack), *self.size, *stack.shape[3:]), stack.dtype)
        if any((left, top, right, bottom)) and self.padding_mode is not Border.CONSTANT:
            stack = padded(stack, (left, top, right, bottom), self.fill_value, self.padding_mode, 1)
            left = top = 0
        elif left or top or right or bottom:
            fill_with(result, self.fill_value, 1)
        for image, place, down, across in zip(
            stack, result, (tops - top).tolist(), (lefts - left).tolist(), strict=True
        ):
            copy_part(image, place, down, across)
        return result

    def pil(self, image: Image.Image) -> Image.Image:
        sides = self.sides(image.height, image.width)
        if any(sides):
            image = pil_padded(image, sides, self.fill_value, self.padding_mode)
        top, left = self.place(image.height, image.width)
        return image.crop((int(left), int(top), int(left) + self.size[1], int(top) + self.size[0]))


def copy_part(image: np.ndarray, place: np.ndarray, top: int, left: int) -> None:
    """Copy the part of `image` at (top, left) into `place`, as far as the image reaches."""
    height, width = place.shape[:2]
    up, before = max(0, -top), max(0, -left)
    part = image[top + up : top + height, left + before : left + width]
    place[up : up + part.shape[0], before : before + part.shape[1]] = part


class RandomResizedCrop(ImageOperation):
    """A part of random area and shape, scaled to `size` (Szegedy et al. 2015).

    Args:
        size: (height, width) or one number for both.
        scale: Range of the area, in fractions of the image's.
        ratio: Range of width / height.
        interpolation: How values between pixels are found.
        max_attempts: Draws before the middle of the image is taken.

    Examples:
        >>> vision.RandomResizedCrop((8, 10))(np.zeros((4, 6, 3), np.uint8)).shape
        (8, 10, 3)
    """

    random = True
    axes = ()
    alike = True

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ):
        self.size = image_size(self, "size", size)
        self.scale = span(self, "scale", scale, 0.0)
        self.ratio = span(self, "ratio", ratio, 0.0)
        if not self.scale[1] > 0 or not self.ratio[0] > 0:
            raise check.fail(ValueError, self, "scale and ratio", "positive", (scale, ratio))
        self.interpolation = check.instance(self, "interpolation", interpolation, Inter)
        self.max_attempts = check.integer(self, "max_attempts", max_attempts, 1, check.INT32_MAX)

    def part(self, height: int, width: int) -> tuple[int, int, int, int]:
        """A random part (top, left, height, width) of an image."""
        for _ in range(self.max_attempts):
            if found := self._drawn(height, width, *uniforms(4).tolist()):
                return found
        return self._middle(height, width)

    def _part_of(
        self, number: int, height: int, width: int, draws: list[Any]
    ) -> tuple[int, int, int, int]:
        """As `part`, of one image of a block; `draws` are those of all its images, one entry for each attempt."""
        for attempt in range(self.max_attempts):
            if attempt == len(draws):
                draws.append(uniforms(4).T.tolist())
            if found := self._drawn(height, width, *draws[attempt][number]):
                return found
        return self._middle(height, width)

    def _drawn(
        self, height: int, width: int, area: float, shape: float, down: float, across: float
    ) -> tuple[int, int, int, int] | None:
        """The part that four numbers in [0, 1) choose; None if it does not fit."""
        area = (self.scale[0] + area * (self.scale[1] - self.scale[0])) * height * width
        shape = self.ratio[0] * (self.ratio[1] / self.ratio[0]) ** shape  # evenly in its logarithm
        wide, tall = round(math.sqrt(area * shape)), round(math.sqrt(area / shape))
        if not (0 < wide <= width and 0 < tall <= height):
            return None
        return int(down * (height - tall + 1)), int(across * (width - wide + 1)), tall, wide

    def _middle(self, height: int, width: int) -> tuple[int, int, int, int]:
        """The largest part in the middle whose shape is allowed."""
        shape = min(max(width / height, self.ratio[0]), self.ratio[1])
        wide = width if width / height <= shape else max(1, round(height * shape))
        tall = height if width / height >= shape else max(1, round(width / shape))
        return (height - tall) // 2, (width - wide) // 2, tall, wide

    def apply_rows(self, rows: list[np.ndarray]) -> np.ndarray | None:
        if any(row.dtype != np.uint8 or row.ndim != 3 for row in rows):
            return super().apply_rows(rows)
        channels = rows[0].shape[2]
        if channels == 1 or any(row.shape[2] != channels for row in rows):
            return None
        return self._together(rows, len(rows), channels)

    def _together(
        self, images: Iterable[np.ndarray], count: int, channels: int
    ) -> np.ndarray | None:
        """A random part of each of some images of bytes, in one array."""
        if self.interpolation is Inter.PILCUBIC:
            return None
        result = memory.empty((count, *self.size, channels), np.uint8)
        flag, size = cv_inter(self, self.interpolation), (self.size[1], self.size[0])
        draws: list[Any] = []
        for number, (image, place) in enumerate(zip(images, result, strict=True)):
            part = self._part_of(number, *extent(image), draws)
            if part[2:] == self.size:
                place[...] = crop(image, *part, 0)
            else:
                cv2.resize(crop(image, *part, 0), size, place, interpolation=flag)
        return result

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.ndim < 2:
            raise PipelineError(
                f"For '{type(self).__name__}', the image must have two axes or more, but has shape "
                f"{image.shape}."
            )
        if image.ndim > 3:  # a batch of images: one part for all
            top, left, height, width = self.part(*image.shape[-3:-1])
            flat = image.reshape(-1, *image.shape[-3:])
            parts = [
                resized(self, crop(one, top, left, height, width, 0), self.size, self.interpolation)
                for one in flat
            ]
            return np.stack(parts).reshape(*image.shape[:-3], *parts[0].shape)
        return self.resized_part(image, *self.part(*extent(image)))

    def resized_part(
        self, image: np.ndarray, top: int, left: int, height: int, width: int
    ) -> np.ndarray:
        """A part of an array in the wanted size."""
        return resized(
            self, crop(image, top, left, height, width, 0), self.size, self.interpolation
        )

    def pil(self, image: Image.Image) -> Image.Image:
        top, left, height, width = self.part(image.height, image.width)
        return image.crop((left, top, left + width, top + height)).resize(
            (self.size[1], self.size[0]), pil_inter(self, self.interpolation)
        )


class RandomCropDecodeResize(RandomResizedCrop):
    """RandomResizedCrop of encoded bytes: decoded, a random part cut out, and scaled to `size`.

    The arguments are those of `RandomResizedCrop`, the inputs and errors those of `Decode`.

    Args:
        size: (height, width) or one number for both.
        scale: Range of the area, in fractions of the image's.
        ratio: Range of width / height.
        interpolation: How values between pixels are found.
        max_attempts: Draws before the middle of the image is taken.

    Examples:
        >>> encoded = vision.encode_png(np.zeros((4, 5, 3), np.uint8))
        >>> vision.RandomCropDecodeResize(2)(encoded).shape
        (2, 2, 3)
    """

    def checked(self, value: Any) -> np.ndarray:
        return encoded_bytes(self, value)

    def apply(self, value: np.ndarray) -> np.ndarray:
        try:
            return self.array(decode_image(value))
        except PipelineError as error:
            raise PipelineError(f"For 'RandomCropDecodeResize', {error}") from None

    def apply_rows(self, rows: list[np.ndarray]) -> np.ndarray | None:
        images = (decode_image(encoded_bytes(self, row)) for row in rows)
        return self._together(images, len(rows), 3)


class RandomResize(ImageOperation):
    """Resize with an interpolation drawn anew each time.

    Args:
        size: (height, width); or the length of the shorter side, and the other keeps the ratio.

    Examples:
        >>> vision.RandomResize(8)(np.zeros((4, 6, 3), np.uint8)).shape
        (8, 12, 3)
    """

    random = True
    axes = ()
    batches = True
    alike = True

    def __init__(self, size: Any):
        self.size = size
        image_size(self, "size", size)

    def _resize(self) -> Resize:
        choices = [Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC]
        return Resize(self.size, choices[stream().integers(len(choices))])

    def array(self, image: np.ndarray) -> np.ndarray:
        return self._resize().array(image)
