"""Sequences of transforms drawn from a list: automatic augmentation."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import InputError
from mindspore.dataset.transforms.base import TensorOperation
from mindspore.dataset.transforms.compose import applied
from mindspore.dataset.transforms.random import stream
from mindspore.dataset.vision.adjustments import AdjustBrightness, AdjustContrast, AdjustSaturation
from mindspore.dataset.vision.enums import AutoAugmentPolicy, Inter
from mindspore.dataset.vision.image import MOST_PIXELS, ImageOperation, extent, fill
from mindspore.dataset.vision.policy_tables import POLICIES
from mindspore.dataset.vision.sharpness import AdjustSharpness
from mindspore.dataset.vision.tones import AutoContrast, Equalize, Invert, Posterize, Solarize
from mindspore.dataset.vision.warp import Rotate, moved


def _single(owner: TensorOperation, inputs: tuple[Any, ...]) -> Any:
    """The one input of a transform."""
    if len(inputs) != 1:
        raise InputError(f"For '{owner.name}', one input is expected, but got {len(inputs)}.")
    return inputs[0]


class UniformAugment(TensorOperation):
    """`num_ops` transforms drawn from a list, each applied with probability 1/2 (LingChen et al. 2020).

    Args:
        transforms: Transforms of images.
        num_ops: How many are drawn.

    Examples:
        >>> vision.UniformAugment([vision.Invert(), vision.VerticalFlip()])(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    random = True

    def __init__(self, transforms: Any, num_ops: int = 2):
        check.instance(self, "transforms", transforms, (list, tuple))
        if not transforms:
            raise check.fail(ValueError, self, "transforms", "not empty", transforms)
        self.transforms = list(transforms)
        self.num_ops = check.integer(self, "num_ops", num_ops, 1, check.INT32_MAX)
        if self.num_ops > len(transforms):
            raise check.fail(
                ValueError,
                self,
                "num_ops",
                f"at most the number of transforms, {len(transforms)}",
                num_ops,
            )
        for transform in transforms:
            check.callable_(self, "transforms", transform)

    def called(self) -> list[Any]:
        return self.transforms

    def __call__(self, *inputs: Any) -> Any:
        image, rng = _single(self, inputs), stream()
        for i in rng.choice(len(self.transforms), self.num_ops, replace=False):
            if rng.random() < 0.5:
                image = applied([self.transforms[i]], (image,))[0]
        return image


class RandomSelectSubpolicy(TensorOperation):
    """One of several policies, drawn anew each time: each a list of (transform, probability).

    Args:
        policy: The list of policies.

    Examples:
        >>> policy = [[(vision.Invert(), 1.0)], [(vision.Invert(), 1.0), (vision.VerticalFlip(), 1.0)]]
        >>> vision.RandomSelectSubpolicy(policy)(np.zeros((1, 1, 3), np.uint8)).tolist()
        [[[255, 255, 255]]]
    """

    random = True

    def __init__(self, policy: Any):
        check.instance(self, "policy", policy, list)
        if not policy:
            raise check.fail(ValueError, self, "policy", "not empty", policy)
        for sub in policy:
            check.instance(self, "policy", sub, (list, tuple))
            if not sub:
                raise check.fail(
                    ValueError, self, "policy", "made of lists that are not empty", policy
                )
            for entry in sub:
                if not isinstance(entry, tuple) or len(entry) != 2:
                    wanted = "made of lists of (transform, probability)"
                    raise check.fail(ValueError, self, "policy", wanted, entry)
                check.callable_(self, "policy", entry[0])
                check.number(self, "policy", entry[1], 0.0, 1.0)
        self.policy = [list(sub) for sub in policy]

    def called(self) -> list[Any]:
        return [transform for sub in self.policy for transform, _ in sub]

    def __call__(self, *inputs: Any) -> Any:
        image, rng = _single(self, inputs), stream()
        for transform, prob in self.policy[rng.integers(len(self.policy))]:
            if rng.random() < prob:
                image = applied([transform], (image,))[0]
        return image


class _Augmentation(ImageOperation):
    """Transforms of the published lists, by name and strength."""

    random = True
    channels = (3,)
    axes = (3,)

    def _set(self, interpolation: Any, fill_value: Any) -> None:
        self.interpolation = self.resample = check.instance(
            self, "interpolation", interpolation, Inter
        )
        self.fill_value = fill(self, fill_value)

    def _done(self, image: Any, name: str, strength: float) -> Any:
        """One of the transforms with a strength in its own unit."""
        if name in ("ShearX", "ShearY", "TranslateX", "TranslateY"):
            shift = (
                (strength, 0.0)
                if name == "TranslateX"
                else (0.0, strength)
                if name == "TranslateY"
                else (0.0, 0.0)
            )
            degrees = float(np.rad2deg(np.arctan(strength)))
            shear = (
                (degrees, 0.0)
                if name == "ShearX"
                else (0.0, degrees)
                if name == "ShearY"
                else (0.0, 0.0)
            )
            return moved(self, image, 0.0, shift, 1.0, shear)
        if name == "Rotate":
            return Rotate(strength, self.interpolation, False, None, self.fill_value).array(image)
        makers = {
            "Brightness": lambda s: AdjustBrightness(1 + s),
            "Color": lambda s: AdjustSaturation(1 + s),
            "Contrast": lambda s: AdjustContrast(1 + s),
            "Sharpness": lambda s: AdjustSharpness(1 + s),
            "Posterize": lambda s: Posterize(int(s)),
            "Solarize": lambda s: Solarize((float(s), 255)),
            "AutoContrast": lambda s: AutoContrast(),
            "Equalize": lambda s: Equalize(),
            "Invert": lambda s: Invert(),
        }
        return image if name == "Identity" else makers[name](strength).array(image)


def _strengths(
    bins: int, height: int, width: int, wide: bool
) -> dict[str, tuple[np.ndarray, bool]]:
    """Strengths by name and whether their sign is drawn; `wide` for the ranges of TrivialAugment."""
    shear, turn, factor, lowest = (0.99, 135.0, 0.99, 6) if wide else (0.3, 30.0, 0.9, 4)
    across, down = (32.0, 32.0) if wide else (150 / 331 * width, 150 / 331 * height)
    grow = {
        "ShearX": shear,
        "ShearY": shear,
        "TranslateX": across,
        "TranslateY": down,
        "Rotate": turn,
        "Brightness": factor,
        "Color": factor,
        "Contrast": factor,
        "Sharpness": factor,
    }
    table = {name: (np.linspace(0.0, most, bins), True) for name, most in grow.items()}
    table["Posterize"] = 8 - np.round(np.arange(bins) / ((bins - 1) / lowest)), False
    table["Solarize"] = np.linspace(255.0, 0.0, bins), False
    for name in ("Identity", "AutoContrast", "Equalize"):
        table[name] = np.zeros(bins), False
    return table


class RandAugment(_Augmentation):
    """`num_ops` transforms drawn from a list, all of one strength (Cubuk et al. 2019).

    Args:
        num_ops: How many are drawn.
        magnitude: The strength, below `num_magnitude_bins`.
        num_magnitude_bins: How many strengths there are.
        interpolation: How values between pixels are found, an `Inter`.
        fill_value: The value of pixels that come from outside: an int, or one for each of the three
            channels.

    Examples:
        >>> vision.RandAugment()(np.zeros((8, 8, 3), np.uint8)).shape
        (8, 8, 3)
    """

    def __init__(
        self,
        num_ops: int = 2,
        magnitude: int = 9,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        self.num_ops = check.integer(self, "num_ops", num_ops, 0, MOST_PIXELS)
        self.num_magnitude_bins = check.integer(
            self, "num_magnitude_bins", num_magnitude_bins, 2, MOST_PIXELS
        )
        self.magnitude = check.integer(self, "magnitude", magnitude, 0, self.num_magnitude_bins - 1)
        self._set(interpolation, fill_value)

    def array(self, image: np.ndarray) -> np.ndarray:
        table, rng = _strengths(self.num_magnitude_bins, *extent(image), False), stream()
        for _ in range(self.num_ops):
            name = list(table)[rng.integers(len(table))]
            strengths, signed = table[name]
            strength = float(strengths[self.magnitude])
            image = self._done(
                image, name, -strength if signed and rng.random() < 0.5 else strength
            )
        return image


class TrivialAugmentWide(_Augmentation):
    """One transform drawn from a list with a strength drawn from `num_magnitude_bins` (Mueller and Hutter 2021).

    Args:
        num_magnitude_bins: How many strengths there are.
        interpolation: How values between pixels are found, an `Inter`.
        fill_value: The value of pixels that come from outside: an int, or one for each of the three
            channels.

    Examples:
        >>> vision.TrivialAugmentWide()(np.zeros((8, 8, 3), np.uint8)).shape
        (8, 8, 3)
    """

    def __init__(
        self,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        self.num_magnitude_bins = check.integer(
            self, "num_magnitude_bins", num_magnitude_bins, 2, MOST_PIXELS
        )
        self._set(interpolation, fill_value)

    def array(self, image: np.ndarray) -> np.ndarray:
        table, rng = _strengths(self.num_magnitude_bins, *extent(image), True), stream()
        name = list(table)[rng.integers(len(table))]
        strengths, signed = table[name]
        strength = float(strengths[rng.integers(len(strengths))])
        return self._done(image, name, -strength if signed and rng.random() < 0.5 else strength)


class AutoAugment(_Augmentation):
    """One of the pairs of transforms that were found best for a data set (Cubuk et al. 2018).

    Args:
        policy: The data set, an `AutoAugmentPolicy`.
        interpolation: How values between pixels are found, an `Inter`.
        fill_value: The value of pixels that come from outside: an int, or one for each of the three
            channels.

    Examples:
        >>> vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10)(np.zeros((8, 8, 3), np.uint8)).shape
        (8, 8, 3)
    """

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ):
        self.policy = check.instance(self, "policy", policy, AutoAugmentPolicy)
        self._set(interpolation, fill_value)

    def array(self, image: np.ndarray) -> np.ndarray:
        table, rng = _strengths(10, *extent(image), False), stream()
        pairs = POLICIES[self.policy.value]
        for name, prob, number in pairs[rng.integers(len(pairs))]:
            if rng.random() < prob:
                strengths, signed = table.get(name, (np.zeros(10), False))
                strength = float(strengths[number or 0])
                image = self._done(
                    image, name, -strength if signed and rng.random() < 0.5 else strength
                )
        return image
