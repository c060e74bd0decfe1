"""Transforms of an image together with the boxes of what it shows: rows (x, y, width, height, ...)."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.base import TensorOperation
from mindspore.dataset.transforms.random import stream
from mindspore.dataset.vision.crops import RandomCrop, RandomResizedCrop
from mindspore.dataset.vision.enums import Border, Inter
from mindspore.dataset.vision.geometry import HorizontalFlip, Resize, VerticalFlip
from mindspore.dataset.vision.image import check_image, crop, extent, image_size, pixels
from mindspore.dataset.vision.padding import padded


class _WithBoxes(TensorOperation):
    """A transform of (image, boxes)."""

    def __call__(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        if len(inputs) != 2:
            raise PipelineError(
                f"For '{type(self).__name__}', an image and its boxes are expected, but got "
                f"{len(inputs)} inputs."
            )
        image, boxes = (pixels(self, value) for value in inputs)
        check_image(self, image)
        if boxes.ndim != 2 or boxes.shape[1] < 4 or not len(boxes):
            raise PipelineError(
                f"For '{type(self).__name__}', the boxes must have the shape (N, 4) or wider, but have "
                f"{boxes.shape}."
            )
        height, width = image.shape[:2]
        ends = boxes[:, :2] + boxes[:, 2:4]
        if (boxes[:, :4] < 0).any() or (ends[:, 0] > width).any() or (ends[:, 1] > height).any():
            raise PipelineError(
                f"For '{type(self).__name__}', the boxes must lie within the image, ({height}, {width}), "
                f"but are {boxes[:, :4].tolist()}."
            )
        return self.both(image, boxes)

    def both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The transformed image and boxes."""
        raise NotImplementedError


class RandomHorizontalFlipWithBBox(_WithBoxes):
    """The image and its boxes mirrored left to right with probability `prob`.

    Args:
        prob: The probability that an image is changed.

    Inputs:
        An image and its boxes, float32 (n, 4 or more): x, y, width, height.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[1, 0, 2, 3]], np.float32)
        >>> vision.RandomHorizontalFlipWithBBox(1.0)(image, boxes)[1].tolist()
        [[3.0, 0.0, 2.0, 3.0]]
    """

    random = True

    def __init__(self, prob: float = 0.5):
        self.prob = check.number(self, "prob", prob, 0.0, 1.0)

    def both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if stream().random() >= self.prob:
            return image, boxes
        boxes = boxes.copy()
        boxes[:, 0] = image.shape[1] - boxes[:, 0] - boxes[:, 2]
        return HorizontalFlip().array(image), boxes


class RandomVerticalFlipWithBBox(RandomHorizontalFlipWithBBox):
    """The image and its boxes mirrored top to bottom with probability `prob`.

    Args:
        prob: The probability that an image is changed.

    Inputs:
        An image and its boxes, float32 (n, 4 or more): x, y, width, height.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[1, 0, 2, 3]], np.float32)
        >>> vision.RandomVerticalFlipWithBBox(1.0)(image, boxes)[1].tolist()
        [[1.0, 1.0, 2.0, 3.0]]
    """

    def both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if stream().random() >= self.prob:
            return image, boxes
        boxes = boxes.copy()
        boxes[:, 1] = image.shape[0] - boxes[:, 1] - boxes[:, 3]
        return VerticalFlip().array(image), boxes


class ResizeWithBBox(_WithBoxes):
    """Resize with the boxes scaled alike.

    Args:
        size: (height, width); or the length of the shorter side, and the other keeps the ratio.
        interpolation: How values between pixels are found, an `Inter`.

    Inputs:
        An image and its boxes, float32 (n, 4 or more): x, y, width, height.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[1, 0, 2, 3]], np.float32)
        >>> image, boxes = vision.ResizeWithBBox((8, 12))(image, boxes)
        >>> image.shape, boxes.tolist()
        ((8, 12, 3), [[2.0, 0.0, 4.0, 6.0]])
    """

    def __init__(self, size: Any, interpolation: Inter = Inter.BILINEAR):
        self.size, self.interpolation = size, interpolation
        self._resize = Resize(size, interpolation)

    def both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _resized(self._resize, image, boxes)


def _resized(resize: Resize, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    result = resize.array(image)
    down, across = result.shape[0] / image.shape[0], result.shape[1] / image.shape[1]
    return result, _scaled(boxes, across, down)


def _scaled(boxes: np.ndarray, across: float, down: float) -> np.ndarray:
    boxes = boxes.copy()
    boxes[:, :4] = (boxes[:, :4] * np.array([across, down, across, down])).astype(boxes.dtype)
    return boxes


class RandomResizeWithBBox(_WithBoxes):
    """ResizeWithBBox with an interpolation drawn anew each time.

    Args:
        size: (height, width); or the length of the shorter side, and the other keeps the ratio.

    Inputs:
        An image and its boxes, float32 (n, 4 or more): x, y, width, height.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[1, 0, 2, 3]], np.float32)
        >>> image, boxes = vision.RandomResizeWithBBox((8, 12))(image, boxes)
        >>> image.shape, boxes.tolist()
        ((8, 12, 3), [[2.0, 0.0, 4.0, 6.0]])
    """

    random = True

    def __init__(self, size: Any):
        self.size = size
        image_size(self, "size", size)

    def both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        choices = [Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC]
        return _resized(Resize(self.size, choices[stream().integers(len(choices))]), image, boxes)


def _cropped_boxes(boxes: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """The parts of the boxes within a part of the image; one box of zeros if nothing is left of any."""
    low = np.maximum(boxes[:, :2], [left, top])
    high = np.minimum(boxes[:, :2] + boxes[:, 2:4], [left + width, top + height])
    inside = (high > low).all(1)
    kept = boxes[inside].copy()
    if not len(kept):
        return np.zeros((1, boxes.shape[1]), boxes.dtype)
    kept[:, :2] = (low - [left, top])[inside]
    kept[:, 2:4] = (high - low)[inside]
    return kept


class RandomCropWithBBox(_WithBoxes):
    """RandomCrop with the boxes cut alike.

    Args:
        size: (height, width) of the part, or one number for both.
        padding: A margin that is added first: one width, (left/right, top/bottom) or (left, top, right,
            bottom).
        pad_if_needed: Add margins where the image is smaller than `size`.
        fill_value: The value of pixels that come from outside: an int, or one for each of the three
            channels.
        padding_mode: What the new pixels are, a `Border`.

    Inputs:
        An image and its boxes, float32 (n, 4 or more): x, y, width, height.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 6, 4]], np.float32)
        >>> image, boxes = vision.RandomCropWithBBox(3)(image, boxes)
        >>> image.shape, boxes.tolist()
        ((3, 3, 3), [[0.0, 0.0, 3.0, 3.0]])
    """

    random = True

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ):
        self._crop = RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)
        self.size = self._crop.size

    def both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sides = self._crop.sides(*extent(image))
        if any(sides):
            image = padded(image, sides, self._crop.fill_value, self._crop.padding_mode)
            boxes = boxes.copy()
            boxes[:, :2] += np.array(sides[:2], boxes.dtype)
        top, left = (int(v) for v in self._crop.place(*extent(image)))
        return (
            np.ascontiguousarray(crop(image, top, left, *self.size)),
            _cropped_boxes(boxes, top, left, *self.size),
        )


class RandomResizedCropWithBBox(_WithBoxes):
    """RandomResizedCrop with the boxes cut and scaled alike.

    Args:
        size: (height, width) of the result, or one number for both.
        scale: Range of the area of the part, in fractions of the image's.
        ratio: Range of width / height of the part.
        interpolation: How values between pixels are found, an `Inter`.
        max_attempts: Draws before the middle of the image is taken.

    Inputs:
        An image and its boxes, float32 (n, 4 or more): x, y, width, height.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 6, 4]], np.float32)
        >>> image, boxes = vision.RandomResizedCropWithBBox((8, 8))(image, boxes)
        >>> image.shape, boxes.shape
        ((8, 8, 3), (1, 4))
    """

    random = True

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ):
        self._crop = RandomResizedCrop(size, scale, ratio, interpolation, max_attempts)
        self.size = self._crop.size

    def both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        top, left, height, width = self._crop.part(*extent(image))
        result = self._crop.resized_part(image, top, left, height, width)
        boxes = _cropped_boxes(boxes, top, left, height, width)
        return result, _scaled(boxes, self.size[1] / width, self.size[0] / height)


class BoundingBoxAugment(_WithBoxes):
    """A transform applied within boxes, each chosen with probability `ratio`.

    Args:
        transform: A transform of images that keeps their size.
        ratio: The probability of each box, 0 to 1.

    Inputs:
        An image and its boxes, float32 (n, 4 or more): x, y, width, height.

    Examples:
        >>> image, boxes = np.zeros((2, 3, 3), np.uint8), np.array([[1, 0, 2, 1]], np.float32)
        >>> image, boxes = vision.BoundingBoxAugment(vision.Invert(), 1.0)(image, boxes)
        >>> image[:, :, 0].tolist()
        [[0, 255, 255], [0, 0, 0]]
    """

    random = True

    def __init__(self, transform: Any, ratio: float = 0.3):
        self.transform = check.instance(self, "transform", transform, TensorOperation)
        self.ratio = check.number(self, "ratio", ratio, 0.0, 1.0)

    def both(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        image, rng = image.copy(), stream()
        count = round(self.ratio * len(boxes))
        for i in rng.choice(len(boxes), count, replace=False):
            left, top, width, height = boxes[i, :4].astype(int)
            part = image[top : top + height, left : left + width]
            changed = self.transform(np.ascontiguousarray(part))
            if changed.shape != part.shape:
                changed = Resize(part.shape[:2]).array(changed)
            part[...] = changed
        return image, boxes
