"""Images seen from another point."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from PIL import Image

from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError
from mindspore.dataset.transforms.random import stream
from mindspore.dataset.vision import sampling
from mindspore.dataset.vision.enums import Inter
from mindspore.dataset.vision.image import (
    ImageOperation,
    cv_inter,
    pil_inter,
    with_channel,
)


class Perspective(ImageOperation):
    """The image distorted so that `start_points` come to lie at `end_points`, four points (x, y) each.

    Args:
        start_points, end_points: Corners before and after: four points (x, y), in the order top left, top
            right, bottom right, bottom left.
        interpolation: How values between pixels are found, an `Inter`.

    Examples:
        >>> corners = [[0, 0], [5, 0], [5, 3], [0, 3]]
        >>> vision.Perspective(corners, corners)(np.full((4, 6, 3), 7, np.uint8))[0, 0].tolist()
        [7, 7, 7]
    """

    def __init__(self, start_points: Any, end_points: Any, interpolation: Inter = Inter.BILINEAR):
        self.start_points = _four_points(self, "start_points", start_points)
        self.end_points = _four_points(self, "end_points", end_points)
        self.interpolation = check.instance(self, "interpolation", interpolation, Inter)

    def array(self, image: np.ndarray) -> np.ndarray:
        return distorted(self, image, self.start_points, self.end_points)

    def pil(self, image: Image.Image) -> Image.Image:
        return distorted(self, image, self.start_points, self.end_points)


def _four_points(owner: Any, name: str, points: Any) -> list[list[int]]:
    check.instance(owner, name, points, (list, tuple))
    if len(points) != 4 or any(not isinstance(p, (list, tuple)) or len(p) != 2 for p in points):
        raise check.fail(TypeError, owner, name, "a sequence of four points (x, y)", points)
    return [
        [check.integer(owner, name, c, -check.INT32_MAX - 1, check.INT32_MAX) for c in p]
        for p in points
    ]


def projective(start: Any, end: Any) -> np.ndarray:
    """Matrix (3, 3) of the projective map that takes four points to four others."""
    rows, values = [], []
    for (x, y), (u, v) in zip(start, end, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    inverse = np.linalg.pinv(
        np.array(rows, np.float64)
    )  # observed: so are points that span no area taken
    solution = inverse @ np.array(values, np.float64)
    return np.append(solution, 1.0).reshape(3, 3)


def distorted(owner: Any, image: Any, start: list[list[int]], end: list[list[int]]) -> Any:
    """An image after the projective map that takes `start` to `end`."""
    if isinstance(image, Image.Image):
        back = projective(end, start)
        return image.transform(
            image.size,
            Image.Transform.PERSPECTIVE,
            (back / back[2, 2]).ravel()[:8].tolist(),
            pil_inter(owner, owner.interpolation),
        )
    matrix = cv2.getPerspectiveTransform(np.array(start, np.float32), np.array(end, np.float32))
    flag = cv_inter(owner, owner.interpolation)
    result = sampling.perspective(image, matrix, image.shape[1::-1], flag, (0, 0, 0))
    return with_channel(result, image)


class RandomPerspective(ImageOperation):
    """The image distorted with probability `prob`; corners move by up to `distortion_scale` of half a side.

    Args:
        distortion_scale: 0 to 1.
        prob: The probability that an image is changed.
        interpolation: How values between pixels are found, an `Inter`.

    Inputs:
        A PIL image.

    Examples:
        >>> vision.RandomPerspective(0.2, 1.0)(vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))).size
        (6, 4)
    """

    random = True

    def __init__(
        self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation: Inter = Inter.BICUBIC
    ):
        self.distortion_scale = check.floating(self, "distortion_scale", distortion_scale, 0.0, 1.0)
        self.prob = check.floating(self, "prob", prob, 0.0, 1.0)
        self.interpolation = check.instance(self, "interpolation", interpolation, Inter)

    def checked(self, value: Any) -> Image.Image:
        if not isinstance(value, Image.Image):
            raise check.fail(InputError, self, "image", "a PIL image; use ToPIL first", type(value))
        return value

    def pil(self, image: Image.Image) -> Image.Image:
        return self._distorted(image, image.width, image.height)

    def _distorted(self, image: Any, width: int, height: int) -> Any:
        rng = stream()
        if rng.random() >= self.prob:
            return image
        across, down = (
            int(self.distortion_scale * width / 2),
            int(self.distortion_scale * height / 2),
        )
        start = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
        end = [
            [abs(x - int(rng.integers(across + 1))), abs(y - int(rng.integers(down + 1)))]
            for x, y in start
        ]
        return distorted(self, image, start, end)
