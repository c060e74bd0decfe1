"""Transforms of where pixels are: resize, crop, pad, flip."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageOps

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.execution import memory
from mindspore.dataset.vision.enums import Border, Inter, SliceMode
from mindspore.dataset.vision.image import (
    ImageOperation,
    crop,
    cv_inter,
    extent,
    height_axis,
    image_size,
    is_pil,
    pil_inter,
    to_pil,
    with_channel,
)
from mindspore.dataset.vision.padding import padded


def resized(owner: Any, image: np.ndarray, size: tuple[int, int], inter: Inter) -> np.ndarray:
    """An array (H, W) or (H, W, C) scaled to `size`, (height, width)."""
    if extent(image) == size:
        return image.copy()
    if inter is Inter.PILCUBIC:
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[-1] != 3:
            raise PipelineError(
                f"For '{check.name_of(owner)}', with PILCUBIC the image must be uint8 (H, W, 3), but is "
                f"{image.dtype}{list(image.shape)}."
            )
        return np.asarray(to_pil(owner, image).resize((size[1], size[0]), Image.Resampling.BICUBIC))
    flag = cv_inter(owner, inter)
    try:
        result = cv2.resize(image, (size[1], size[0]), interpolation=flag)
    except cv2.error:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the image cannot be scaled to {size}: {image.dtype}"
            f"{list(image.shape)}. Use ToType(float32) first."
        ) from None
    return with_channel(result, image)


def kept_ratio(height: int, width: int, size: int) -> tuple[int, int]:
    """Height and width whose shorter one is `size`."""
    if height < width:
        return size, int(size / height * width)
    return int(size / width * height), size


class Resize(ImageOperation):
    """The image scaled to `size`.

    Args:
        size: (height, width); or the length of the shorter side, and the other keeps the ratio.
        interpolation: How values between pixels are found, an `Inter`.

    Inputs:
        (H, W), (H, W, C) or (..., H, W, C), or a PIL image.

    Raises:
        TypeError: If `size` holds anything but ints, or `interpolation` is no `Inter`.
        ValueError: If a length is not positive.
        PipelineError: If the image has less than two axes.

    Examples:
        >>> vision.Resize(4)(np.zeros((2, 3, 3), np.uint8)).shape
        (4, 6, 3)
    """

    axes = ()
    batches = True

    def __init__(self, size: Any, interpolation: Inter = Inter.BILINEAR):
        self.size = (
            size if isinstance(size, int) else list(size) if isinstance(size, tuple) else size
        )
        self._size = image_size(self, "size", size)
        self._ratio = not isinstance(size, (list, tuple))
        self.interpolation = check.instance(self, "interpolation", interpolation, Inter)

    def target(self, height: int, width: int) -> tuple[int, int]:
        """Height and width of the result."""
        return kept_ratio(height, width, self._size[0]) if self._ratio else self._size

    def array(self, image: np.ndarray) -> np.ndarray:
        return resized(self, image, self.target(*extent(image)), self.interpolation)

    def pil(self, image: Image.Image) -> Image.Image:
        height, width = self.target(image.height, image.width)
        return image.resize((width, height), pil_inter(self, self.interpolation))

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        if stack.ndim not in (3, 4) or stack.dtype not in (np.uint8, np.float32):
            return None
        size = self.target(*extent(stack, 1))
        if size == stack.shape[1:3]:
            return stack
        result = memory.empty((len(stack), *size, *stack.shape[3:]), stack.dtype)
        source, target = (
            (stack[..., 0], result[..., 0]) if stack.shape[3:] == (1,) else (stack, result)
        )
        flag, size = cv_inter(self, self.interpolation), (size[1], size[0])
        for image, place in zip(source, target, strict=True):
            cv2.resize(image, size, place, interpolation=flag)
        return result


class CenterCrop(ImageOperation):
    """The middle part of the image; where it is too small, padded with zeros.

    Args:
        size: (height, width), or one length for both.

    Inputs:
        (H, W), (H, W, C) or (..., H, W, C), or a PIL image.

    Raises:
        ValueError: If a length is not positive.
        PipelineError: If the image has less than two axes.

    Examples:
        >>> vision.CenterCrop(1)(np.arange(9, dtype=np.uint8).reshape(3, 3)).tolist()
        [[4]]
    """

    axes = ()

    def __init__(self, size: Any):
        self.size = image_size(self, "size", size)

    def array(self, image: np.ndarray) -> np.ndarray:
        if image.ndim < 2:
            raise PipelineError(
                f"For 'CenterCrop', the image must have two axes or more, but has shape {image.shape}."
            )
        return self._middle(image, height_axis(image))

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        return self._middle(stack, max(1, stack.ndim - 3)) if stack.ndim > 2 else None

    def _middle(self, image: np.ndarray, axis: int) -> np.ndarray:
        height, width = extent(image, axis)
        up, left = max(0, self.size[0] - height), max(0, self.size[1] - width)
        if up or left:
            padding = [(0, 0)] * image.ndim
            padding[axis], padding[axis + 1] = (
                (up - up // 2, up // 2),
                (left - left // 2, left // 2),
            )
            image = np.pad(image, padding)
            height, width = extent(image, axis)
        return np.ascontiguousarray(
            crop(image, (height - self.size[0]) // 2, (width - self.size[1]) // 2, *self.size, axis)
        )

    def pil(self, image: Image.Image) -> Image.Image:
        top = round((image.height - self.size[0]) / 2.0)
        left = round((image.width - self.size[1]) / 2.0)
        return image.crop((left, top, left + self.size[1], top + self.size[0]))


class Crop(ImageOperation):
    """The part of the image at `coordinates` (top, left) with `size` (height, width).

    Args:
        coordinates: (top, left) of the part.
        size: (height, width) of the part, or one number for both.

    Examples:
        >>> vision.Crop((0, 1), (1, 2))(np.array([[1, 2, 3], [4, 5, 6]], np.uint8)).tolist()
        [[2, 3]]
    """

    def __init__(self, coordinates: Any, size: Any):
        check.instance(self, "coordinates", coordinates, (list, tuple))
        if len(coordinates) != 2:
            raise check.fail(TypeError, self, "coordinates", "a sequence of two ints", coordinates)
        self.coordinates = tuple(
            check.integer(self, "coordinates", c, 0, check.INT32_MAX) for c in coordinates
        )
        self.size = image_size(self, "size", size)

    def array(self, image: np.ndarray) -> np.ndarray:
        axis = height_axis(image)
        self._check(*extent(image, axis))
        top, left = self.coordinates
        return np.ascontiguousarray(crop(image, top, left, *self.size))

    def _check(self, height: int, width: int) -> None:
        if (
            self.coordinates[0] + self.size[0] > height
            or self.coordinates[1] + self.size[1] > width
        ):
            raise PipelineError(
                f"For 'Crop', the part of size {self.size} at {self.coordinates} must lie within the "
                f"image, whose size is ({height}, {width})."
            )


class FiveCrop(ImageOperation):
    """The four corners and the middle of a PIL image, as a tuple.

    Args:
        size: (height, width) of the parts, or one number for both.

    Inputs:
        A PIL image.

    Examples:
        >>> [part.size for part in vision.FiveCrop((2, 3))(vision.ToPIL()(np.zeros((4, 6), np.uint8)))]
        [(3, 2), (3, 2), (3, 2), (3, 2), (3, 2)]
    """

    def __init__(self, size: Any):
        self.size = image_size(self, "size", size)

    def checked(self, value: Any) -> Image.Image:
        if not is_pil(value):
            raise check.fail(TypeError, self, "image", "a PIL image; use ToPIL first", type(value))
        return value

    def pil(self, image: Image.Image) -> tuple[Image.Image, ...]:
        (height, width), bottom, right = self.size, image.height, image.width
        if height > bottom or width > right:
            raise PipelineError(
                f"For '{type(self).__name__}', the 'size' {self.size} must not be larger than the image, "
                f"whose size is ({bottom}, {right})."
            )
        return (
            image.crop((0, 0, width, height)),
            image.crop((right - width, 0, right, height)),
            image.crop((0, bottom - height, width, bottom)),
            image.crop((right - width, bottom - height, right, bottom)),
            CenterCrop(self.size).pil(image),
        )


class TenCrop(FiveCrop):
    """As FiveCrop, and the same of the image flipped horizontally or vertically.

    Args:
        size: (height, width) of the parts, or one number for both.
        use_vertical_flip: Flip top to bottom, else left to right.

    Inputs:
        A PIL image.

    Examples:
        >>> len(vision.TenCrop((2, 3))(vision.ToPIL()(np.zeros((4, 6), np.uint8))))
        10
    """

    def __init__(self, size: Any, use_vertical_flip: bool = False):
        super().__init__(size)
        self.use_vertical_flip = check.boolean(self, "use_vertical_flip", use_vertical_flip)

    def pil(self, image: Image.Image) -> tuple[Image.Image, ...]:
        flipped = ImageOps.flip(image) if self.use_vertical_flip else ImageOps.mirror(image)
        return *super().pil(image), *super().pil(flipped)


class ResizedCrop(ImageOperation):
    """A part of the image, scaled to `size`.

    Args:
        top, left, height, width: The corner and the size of the part.
        size: (height, width) of the result; or the length of the shorter side, and the other keeps the
            ratio.
        interpolation: How values between pixels are found, an `Inter`.

    Examples:
        >>> vision.ResizedCrop(0, 0, 2, 2, (4, 6))(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    def __init__(
        self,
        top: int,
        left: int,
        height: int,
        width: int,
        size: Any,
        interpolation: Inter = Inter.BILINEAR,
    ):
        self.top = check.integer(self, "top", top, 0, check.INT32_MAX)
        self.left = check.integer(self, "left", left, 0, check.INT32_MAX)
        self.height = check.integer(self, "height", height, 1, check.INT32_MAX)
        self.width = check.integer(self, "width", width, 1, check.INT32_MAX)
        self.size = image_size(self, "size", size)
        self.interpolation = check.instance(self, "interpolation", interpolation, Inter)

    def array(self, image: np.ndarray) -> np.ndarray:
        part = Crop((self.top, self.left), (self.height, self.width)).array(image)
        return resized(self, part, self.size, self.interpolation)


class HorizontalFlip(ImageOperation):
    """The image mirrored left to right.

    Examples:
        >>> vision.HorizontalFlip()(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2, 1], [4, 3]]
    """

    axes = ()

    def array(self, image: np.ndarray) -> np.ndarray:
        return self._flipped(_at_least_two(self, image), height_axis(image))

    def _flipped(self, image: np.ndarray, axis: int) -> np.ndarray:
        if image.ndim == axis + 3 and image.shape[-1] == 3 and axis == 0:
            return cv2.flip(image, 1)
        return np.ascontiguousarray(np.flip(image, axis + 1))

    def apply_stack(self, stack: np.ndarray) -> np.ndarray | None:
        return self._flipped(stack, max(1, stack.ndim - 3)) if stack.ndim > 2 else None


class VerticalFlip(HorizontalFlip):
    """The image mirrored top to bottom.

    Examples:
        >>> vision.VerticalFlip()(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[3, 4], [1, 2]]
    """

    def _flipped(self, image: np.ndarray, axis: int) -> np.ndarray:
        return np.ascontiguousarray(np.flip(image, axis))


def _at_least_two(owner: Any, image: np.ndarray) -> np.ndarray:
    if image.ndim < 2:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the image must have two axes or more, but has shape "
            f"{image.shape}."
        )
    return image


class SlicePatches(ImageOperation):
    """The image in `num_height` times `num_width` patches of equal size, line by line, as a tuple.

    Args:
        num_height, num_width: How many patches below and beside each other.
        slice_mode: What becomes of images that cannot be divided evenly, a `SliceMode`.
        fill_value: The value of pixels that are added.

    Examples:
        >>> [patch.shape for patch in vision.SlicePatches(1, 2)(np.zeros((4, 6, 3), np.uint8))]
        [(4, 3, 3), (4, 3, 3)]
    """

    keeps_bool = False

    def __init__(
        self,
        num_height: int = 1,
        num_width: int = 1,
        slice_mode: SliceMode = SliceMode.PAD,
        fill_value: int = 0,
    ):
        self.num_height = check.integer(self, "num_height", num_height, 1, check.INT32_MAX)
        self.num_width = check.integer(self, "num_width", num_width, 1, check.INT32_MAX)
        self.slice_mode = check.instance(self, "slice_mode", slice_mode, SliceMode)
        self.fill_value = check.integer(self, "fill_value", fill_value, 0, 255)

    def array(self, image: np.ndarray) -> Any:
        height, width = image.shape[:2]
        if self.num_height > height or self.num_width > width:
            raise PipelineError(
                f"For 'SlicePatches', there must not be more patches than pixels: {self.num_height} times "
                f"{self.num_width} of ({height}, {width})."
            )
        up = self.slice_mode is SliceMode.PAD
        tall = -(-height // self.num_height) if up else height // self.num_height
        wide = -(-width // self.num_width) if up else width // self.num_width
        sides = (
            0,
            0,
            max(0, wide * self.num_width - width),
            max(0, tall * self.num_height - height),
        )
        image = padded(image, sides, (self.fill_value,) * 4, Border.CONSTANT)
        patches = tuple(
            np.ascontiguousarray(crop(image, i * tall, j * wide, tall, wide, 0))
            for i in range(self.num_height)
            for j in range(self.num_width)
        )
        return patches[0] if len(patches) == 1 else patches
