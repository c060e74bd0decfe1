"""Transforms of a batch of images and its labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.base import TensorOperation
from mindspore.dataset.transforms.random import stream
from mindspore.dataset.vision.enums import ImageBatchFormat
from mindspore.dataset.vision.image import MOST, MOST_PIXELS, pixels


class _OnBatch(TensorOperation):
    """A transform of (images, labels): images (N, H, W, C) or (N, C, H, W), labels one-hot (N, classes)."""

    random = True

    def __call__(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        if len(inputs) != 2:
            raise PipelineError(
                f"For '{type(self).__name__}', a batch of images and its labels are expected, but got "
                f"{len(inputs)} inputs."
            )
        images, labels = (pixels(self, value) for value in inputs)
        if images.ndim != 4 or labels.ndim not in (2, 3) or len(labels) != len(images):
            raise PipelineError(
                f"For '{type(self).__name__}', the images must have four axes and the labels be as many "
                f"one-hot vectors, but their shapes are {images.shape} and {labels.shape}."
            )
        return self.both(images, labels)

    def both(self, images: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The transformed images and labels."""
        raise NotImplementedError


def mixed(labels: np.ndarray, others: np.ndarray, share: Any) -> np.ndarray:
    """share * labels + (1 - share) * others as float32."""
    share = np.reshape(share, (-1, *[1] * (labels.ndim - 1)))
    return (share * labels + (1 - share) * others).astype(np.float32)


class MixUpBatch(_OnBatch):
    """Each image blended with another of the batch, with a share drawn from Beta(alpha, alpha) (Zhang et al. 2017).

    Args:
        alpha: Greater than 0; the greater it is, the nearer are the shares to one half.

    Inputs:
        A batch of images and one of labels in one-hot form.

    Examples:
        >>> images, labels = np.zeros((2, 4, 4, 3), np.uint8), np.eye(2, dtype=np.float32)
        >>> images, labels = vision.MixUpBatch(0.5)(images, labels)
        >>> images.shape, labels.sum(axis=1).tolist()
        ((2, 4, 4, 3), [1.0, 1.0])
    """

    def __init__(self, alpha: float = 1.0):
        self.alpha = check.number(self, "alpha", alpha, 0.0, MOST, open_low=True)

    def both(self, images: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rng = stream()
        share, order = rng.beta(self.alpha, self.alpha), rng.permutation(len(images))
        blend = share * images + (1 - share) * images[order]
        return blend.astype(images.dtype), mixed(labels, labels[order], share)


class CutMixBatch(_OnBatch):
    """Each image with a part of another of the batch, with probability `prob` (Yun et al. 2019).

    Args:
        image_batch_format: The order of the axes, an `ImageBatchFormat`.
        alpha: Greater than 0; the greater it is, the nearer is the area of the part to one half.
        prob: Of each image, 0 to 1.

    Inputs:
        A batch of images and one of labels in one-hot form.

    Examples:
        >>> images, labels = np.zeros((2, 4, 4, 3), np.uint8), np.eye(2, dtype=np.float32)
        >>> images, labels = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(images, labels)
        >>> images.shape, labels.sum(axis=1).tolist()
        ((2, 4, 4, 3), [1.0, 1.0])
    """

    def __init__(self, image_batch_format: ImageBatchFormat, alpha: float = 1.0, prob: float = 1.0):
        self.image_batch_format = check.instance(
            self, "image_batch_format", image_batch_format, ImageBatchFormat
        )
        self.alpha = check.number(self, "alpha", alpha, 0.0, MOST, open_low=True)
        self.prob = check.number(self, "prob", prob, 0.0, 1.0)

    def both(self, images: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rng, axis = stream(), 1 if self.image_batch_format is ImageBatchFormat.NHWC else 2
        height, width = images.shape[axis : axis + 2]
        order, result, shares = rng.permutation(len(images)), images.copy(), np.ones(len(images))
        for i, other in enumerate(order):
            if rng.random() >= self.prob:
                continue
            cut = np.sqrt(1 - rng.beta(self.alpha, self.alpha))
            y, x = rng.integers(height), rng.integers(width)
            rows = slice(
                max(0, y - int(height * cut) // 2), min(height, y + int(height * cut) // 2)
            )
            columns = slice(
                max(0, x - int(width * cut) // 2), min(width, x + int(width * cut) // 2)
            )
            place = (rows, columns) if axis == 1 else (slice(None), rows, columns)
            result[i][place] = images[other][place]
            shares[i] = 1 - (rows.stop - rows.start) * (columns.stop - columns.start) / (
                height * width
            )
        return result, mixed(labels, labels[order], shares)


class MixUp(_OnBatch):
    """Images and labels blended with others: of the batch, or with `is_single` False of the batch before.

    Args:
        batch_size: The number of images of a batch.
        alpha: Greater than 0; the greater it is, the nearer are the shares to one half.
        is_single: Blend within the batch, else with the batch before.

    Inputs:
        A batch of images and one of labels in one-hot form.

    Examples:
        >>> images, labels = np.zeros((2, 4, 4, 3), np.float32), np.eye(2, dtype=np.float32)
        >>> images, labels = vision.MixUp(2, 0.5)(images, labels)
        >>> images.shape, np.round(labels.sum(axis=1), 5).tolist()
        ((2, 4, 4, 3), [1.0, 1.0])
    """

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True):
        self.batch_size = check.integer(self, "batch_size", batch_size, 1, MOST_PIXELS)
        self.alpha = check.number(self, "alpha", alpha, 0.0, MOST, open_low=True)
        self.is_single = check.boolean(self, "is_single", is_single)
        self._before: tuple[np.ndarray, np.ndarray] | None = None

    def both(self, images: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rng = stream()
        share = rng.beta(self.alpha, self.alpha)
        if self.is_single:
            order = rng.permutation(len(images))
            others = images[order], labels[order]
        else:
            others, self._before = self._before or (images, labels), (images, labels)
        blend = share * images + (1 - share) * others[0]
        return blend.astype(np.float32), mixed(labels, others[1], share)
