"""Transforms that turn and distort an image."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from PIL import Image

from mindspore.dataset import checked as check
from mindspore.dataset.transforms.random import stream
from mindspore.dataset.vision import sampling
from mindspore.dataset.vision.enums import Inter
from mindspore.dataset.vision.image import (
    ImageOperation,
    cv_inter,
    fill,
    number,
    pil_colour,
    pil_inter,
    span,
    with_channel,
)


def warped(
    owner: Any,
    image: np.ndarray,
    matrix: np.ndarray,
    size: tuple[int, int],
    inter: Inter,
    colour: tuple[int, ...],
) -> np.ndarray:
    """An array moved by `matrix` (2, 3), from old to new coordinates (x, y), into (width, height) `size`."""
    border = colour if image.ndim == 3 else colour[:1]
    return with_channel(sampling.affine(image, matrix, size, cv_inter(owner, inter), border), image)


def rotated(
    owner: Any,
    image: np.ndarray,
    angle: float,
    inter: Inter,
    expand: bool,
    center: Any,
    colour: tuple[int, ...],
) -> np.ndarray:
    """An array turned by `angle` degrees counter-clockwise."""
    height, width = image.shape[:2]
    x, y = ((width - 1) / 2.0, (height - 1) / 2.0) if center is None else center
    matrix = cv2.getRotationMatrix2D((x, y), angle, 1.0)
    size = (width, height)
    if expand:
        cos, sin = abs(math.cos(math.radians(angle))), abs(math.sin(math.radians(angle)))
        wide, tall = width * cos + height * sin, width * sin + height * cos
        matrix[0, 2] += (wide - width) / 2.0
        matrix[1, 2] += (tall - height) / 2.0
        size = (round(wide), round(tall))
    return warped(
        owner, image, matrix, size, inter, colour[::-1]
    )  # observed: MindSpore 2.10 fills arrays with B, G, R


class Rotate(ImageOperation):
    """The image turned by `degrees` counter-clockwise.

    Args:
        degrees: Angle.
        resample: How values between pixels are found.
        expand: Let the result be large enough for all of the turned image.
        center: Point (x, y) that stays; default: the middle.
        fill_value: Colour outside of the image.

    Examples:
        >>> vision.Rotate(90)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2, 4], [1, 3]]
    """

    axes = ()
    batches = True

    def __init__(
        self,
        degrees: float,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ):
        self.degrees = number(self, "degrees", degrees)
        self.resample, self.expand, self.center, self.fill_value = _rotation(
            self, resample, expand, center, fill_value
        )

    def array(self, image: np.ndarray) -> np.ndarray:
        return rotated(
            self, image, self.degrees, self.resample, self.expand, self.center, self.fill_value
        )


def _rotation(
    owner: Any, resample: Any, expand: Any, center: Any, fill_value: Any
) -> tuple[Any, ...]:
    """Checked arguments of a rotation."""
    check.instance(owner, "resample", resample, Inter)
    check.boolean(owner, "expand", expand)
    if center is not None:
        if not isinstance(center, (tuple, list)) or len(center) != 2:
            raise check.fail(ValueError, owner, "center", "a point (x, y)", center)
        center = tuple(check.number(owner, "center", c, -(2.0**31), check.INT32_MAX) for c in center)
    return resample, expand, center, fill(owner, fill_value)


def pil_rotated(owner: Any, image: Image.Image, angle: float) -> Image.Image:
    """A PIL image turned as the attributes of a transform say."""
    colour = pil_colour(image, owner.fill_value)
    return image.rotate(
        angle, pil_inter(owner, owner.resample), owner.expand, owner.center, fillcolor=colour
    )


class RandomRotation(ImageOperation):
    """The image turned by an angle of `degrees`, (lowest, highest) or d for (-d, d), counter-clockwise.

    Args:
        degrees: The range.
        resample: How values between pixels are found, an `Inter`.
        expand: Let the result be large enough for all of the turned image.
        center: Point (x, y) that stays; default: the middle.
        fill_value: The value of pixels that come from outside: an int, or one for each of the three
            channels.

    Examples:
        >>> vision.RandomRotation((90, 90))(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2, 4], [1, 3]]
    """

    random = True

    def __init__(
        self,
        degrees: Any,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ):
        self.degrees = span(self, "degrees", degrees, around=0)
        self.resample, self.expand, self.center, self.fill_value = _rotation(
            self, resample, expand, center, fill_value
        )

    def array(self, image: np.ndarray) -> np.ndarray:
        return rotated(
            self,
            image,
            stream().uniform(*self.degrees),
            self.resample,
            self.expand,
            self.center,
            self.fill_value,
        )

    def pil(self, image: Image.Image) -> Image.Image:
        return pil_rotated(self, image, stream().uniform(*self.degrees))


def affine_matrix(
    center: tuple[float, float],
    angle: float,
    translate: tuple[float, float],
    scale: float,
    shear: tuple[float, float],
) -> np.ndarray:
    """Matrix (3, 3) from old to new coordinates: shear, turn and scale about the centre, then translate.

    With C the move to the centre: T C R S Sx Sy C^-1.
    """
    turn, across, down = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    a = math.cos(turn - down) / math.cos(down)
    b = -math.cos(turn - down) * math.tan(across) / math.cos(down) - math.sin(turn)
    c = math.sin(turn - down) / math.cos(down)
    d = -math.sin(turn - down) * math.tan(across) / math.cos(down) + math.cos(turn)
    linear = np.array([[a, b], [c, d]]) * scale
    shift = np.array(center) + np.array(translate) - linear @ np.array(center)
    return np.array([[*linear[0], shift[0]], [*linear[1], shift[1]], [0, 0, 1]])


def moved(
    owner: Any,
    image: Any,
    angle: float,
    translate: tuple[float, float],
    scale: float,
    shear: tuple[float, float],
) -> Any:
    """An image after an affine map; `translate` in pixels (x, y)."""
    if isinstance(image, Image.Image):
        inverse = _pil_inverse(image, angle, translate, scale, shear)
        colour = pil_colour(image, owner.fill_value)
        return image.transform(
            image.size,
            Image.Transform.AFFINE,
            inverse,
            pil_inter(owner, owner.resample),
            fillcolor=colour,
        )
    height, width = image.shape[:2]
    matrix = affine_matrix(((width - 1) / 2.0, (height - 1) / 2.0), angle, translate, scale, shear)
    return warped(owner, image, matrix[:2], (width, height), owner.resample, owner.fill_value)


def _pil_inverse(
    image: Image.Image,
    angle: float,
    translate: tuple[float, float],
    scale: float,
    shear: tuple[float, float],
) -> list[float]:
    """Six numbers that take new coordinates to old ones; both axes are turned by their own shear, as observed."""
    x, y = image.width * 0.5 + 0.5, image.height * 0.5 + 0.5
    across, down = math.radians(angle + shear[0]), math.radians(angle + shear[1])
    size = math.cos(across - down) * scale
    a, b = math.cos(across) / size, math.sin(across) / size
    c, d = -math.sin(down) / size, math.cos(down) / size
    left, up = -x - translate[0], -y - translate[1]
    return [a, b, a * left + b * up + x, c, d, c * left + d * up + y]


class Affine(ImageOperation):
    """The image turned, moved, scaled and sheared.

    Args:
        degrees: Angle, clockwise.
        translate: Shift (x, y) in fractions of width and height, -1 to 1.
        scale: Factor.
        shear: Angle along x, or (x, y).
        resample: How values between pixels are found.
        fill_value: Colour outside of the image.

    Examples:
        >>> vision.Affine(0.0, (0.5, 0.0), 1.0, 0.0)(np.array([[1, 2]], np.uint8)).tolist()
        [[0, 1]]
    """

    def __init__(
        self,
        degrees: float,
        translate: Any,
        scale: float,
        shear: Any,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        self.degrees = check.number(self, "degrees", degrees, -180, 180)
        check.instance(self, "translate", translate, (list, tuple))
        if len(translate) != 2:
            raise check.fail(TypeError, self, "translate", "a sequence of two numbers", translate)
        self.translate = tuple(check.number(self, "translate", t, -1.0, 1.0) for t in translate)
        self.scale = check.number(self, "scale", scale, 0.0, open_low=True)
        shear = shear if isinstance(shear, (list, tuple)) else (shear, 0.0)
        if len(shear) != 2:
            raise check.fail(
                TypeError, self, "shear", "a number or a sequence of two numbers", shear
            )
        across, down = (check.number(self, "shear", s, -180, 180) for s in shear)
        self.shear = across, down
        self.resample = check.instance(self, "resample", resample, Inter)
        self.fill_value = fill(self, fill_value)

    def array(self, image: np.ndarray) -> np.ndarray:
        return self._moved(image, image.shape[1], image.shape[0])

    def _moved(self, image: Any, width: int, height: int) -> Any:
        shift = (self.translate[0] * width, self.translate[1] * height)
        return moved(self, image, self.degrees, shift, self.scale, self.shear)


class RandomAffine(ImageOperation):
    """The image turned, moved, scaled and sheared at random.

    Args:
        degrees: Range of the angle, or d for (-d, d).
        translate: Ranges of the shift, in fractions: (x lowest, x highest, y lowest, y highest), or those of x. For PIL
            images the first two are the longest shifts along x and y, in both directions.
        scale: Range of the factor.
        shear: Range of the angle along x, s for (-s, s), or four numbers for x and y.
        resample, fill_value: As for Affine.

    Examples:
        >>> vision.RandomAffine(15, (0.0, 0.1))(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    random = True

    def __init__(
        self,
        degrees: Any,
        translate: Any = None,
        scale: Any = None,
        shear: Any = None,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        self.degrees = span(self, "degrees", degrees, around=0)
        self.translate = (
            (0.0, 0.0, 0.0, 0.0)
            if translate is None
            else self._ranges("translate", translate, -1.0, 1.0)
        )
        self.scale = (1.0, 1.0) if scale is None else span(self, "scale", scale, 0.0)
        if self.scale[1] == 0:
            raise check.fail(ValueError, self, "scale", "positive", scale)
        if isinstance(shear, (list, tuple)):
            self.shear = self._ranges("shear", shear, None, None)
        else:
            if isinstance(shear, (int, float)) and not shear:
                raise check.fail(
                    ValueError, self, "shear", "a positive number or a sequence", shear
                )
            self.shear = (0.0, 0.0) if shear is None else span(self, "shear", shear, around=0)
            self.shear = (*self.shear, 0.0, 0.0)
        self.resample = check.instance(self, "resample", resample, Inter)
        self.fill_value = fill(self, fill_value)

    def _ranges(
        self, name: str, value: Any, low: float | None, high: float | None
    ) -> tuple[float, ...]:
        check.instance(self, name, value, (list, tuple))
        if len(value) not in (2, 4):
            raise check.fail(TypeError, self, name, "a sequence of two or four numbers", value)
        first = span(self, name, value[:2], low, high)
        return (
            *first,
            *(span(self, name, value[2:], low, high) if len(value) == 4 else (0.0, 0.0)),
        )

    def array(self, image: np.ndarray) -> np.ndarray:
        return self._moved(image, image.shape[1], image.shape[0])

    def pil(self, image: Image.Image) -> Image.Image:
        return self._moved(image, image.width, image.height)

    def _moved(self, image: Any, width: int, height: int) -> Any:
        draw: Any = stream().uniform
        angle, factor = draw(*self.degrees), draw(*self.scale)
        if isinstance(image, Image.Image):
            across, down = abs(self.translate[0] * width), abs(self.translate[1] * height)
            shift = round(draw(-across, across)), round(draw(-down, down))
        else:
            shift = draw(*self.translate[:2]) * width, draw(*self.translate[2:]) * height
        shear = draw(*self.shear[:2]), draw(*self.shear[2:])
        return moved(self, image, angle, shift, factor, shear)
