"""Masks over frequencies or times (Park et al. 2019, SpecAugment)."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.audio.signal import (
    AudioOperation,
    count,
    length,
    like,
    non_negative,
    real,
)
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.random import stream


def masked(owner: Any, audio: np.ndarray, axis: int, start: int, width: int, value: float):
    """The array with `value` from `start` on along an axis."""
    if not width:
        return audio
    if start + width > audio.shape[axis]:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the mask from {start} to {start + width} must lie within the "
            f"{audio.shape[axis]} values of the axis, but the audio has the shape {audio.shape}."
        )
    result = np.moveaxis(audio.copy(), axis, -1)
    result[..., start : start + width] = value
    return np.moveaxis(result, -1, axis)


def randomly_masked(
    owner: Any, audio: np.ndarray, axis: int, most: int, value: float
) -> np.ndarray:
    """Each (frequency, time) with its own mask of random width up to `most` at a random place."""
    size = audio.shape[axis]
    if most > size:
        raise PipelineError(
            f"For '{check.name_of(owner)}', the widest mask, {most}, must be at most the length of the axis, "
            f"but the audio has the shape {audio.shape}."
        )
    leading = (*audio.shape[:-2], 1, 1)
    widths = stream().random(leading) * most
    starts = np.floor(stream().random(leading) * (size - widths))
    at = np.arange(size).reshape((1, -1) if axis == -1 else (-1, 1))
    return np.where((at >= starts) & (at < starts + np.floor(widths)), value, audio)


class MaskAlongAxis(AudioOperation):
    """(..., frequency, time) with `mask_value` from `mask_start` on for `mask_width`; axis 1: frequency, 2: time.

    Args:
        mask_start, mask_width: Where the mask begins, and how wide it is.
        mask_value: What is put there.
        axis: 1 or 2.

    Examples:
        >>> audio.MaskAlongAxis(1, 1, 9.0, 2)(np.zeros((1, 2, 3), np.float32)).tolist()
        [[[0.0, 9.0, 0.0], [0.0, 9.0, 0.0]]]
    """

    layout = ("frequency", "time")

    def __init__(self, mask_start: int, mask_width: int, mask_value: float, axis: int):
        self.mask_start = length(self, "mask_start", mask_start)
        self.mask_width = count(self, "mask_width", mask_width)
        self.mask_value = real(self, "mask_value", mask_value)
        self.axis = check.integer(self, "axis", axis, 1, 2)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        return masked(self, audio, self.axis - 3, self.mask_start, self.mask_width, self.mask_value)


class MaskAlongAxisIID(AudioOperation):
    """Each (frequency, time) with `mask_value` over a random range, at most `mask_param` wide; axes as above.

    Args:
        mask_param: The greatest width.
        mask_value: What is put there.
        axis: 1 or 2.

    Examples:
        >>> audio.MaskAlongAxisIID(0, 9.0, 2)(np.zeros((1, 1, 2, 3), np.float32)).shape
        (1, 1, 2, 3)
    """

    layout = ("frequency", "time")
    random = True

    def __init__(self, mask_param: int, mask_value: float, axis: int):
        self.mask_param = length(self, "mask_param", mask_param)
        self.mask_value = real(self, "mask_value", mask_value)
        self.axis = check.integer(self, "axis", axis, 1, 2)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        result = randomly_masked(self, audio, self.axis - 3, self.mask_param, self.mask_value)
        return like(result, audio)


class _Masking(AudioOperation):
    layout = ("frequency", "time")
    _axis: int

    def __init__(self, iid_masks: bool, name: str, width: int, mask_start: int, mask_value: float):
        self.iid_masks = check.boolean(self, "iid_masks", iid_masks)
        self.random = iid_masks
        self._width = check.integer(self, name, width, 0, 2**24)
        setattr(self, name, width)
        self.mask_start = check.integer(self, "mask_start", mask_start, 0, 2**24)
        self.mask_value = non_negative(self, "mask_value", mask_value)

    def signal(self, audio: np.ndarray) -> np.ndarray:
        axis, value = self._axis, self.mask_value
        if self.iid_masks:
            return like(randomly_masked(self, audio, axis, self._width, value), audio)
        return masked(self, audio, axis, self.mask_start, self._width, value)


class FrequencyMasking(_Masking):
    """(..., frequency, time) with a range of frequencies masked.

    Args:
        iid_masks: Whether each (frequency, time) gets its own random mask; otherwise the mask is as given.
        freq_mask_param: Width of the mask, its limit if random.
        mask_start: First masked frequency.
        mask_value: What is put there.

    Examples:
        >>> audio.FrequencyMasking(freq_mask_param=0)(np.zeros((1, 2, 3), np.float32)).shape
        (1, 2, 3)
    """

    _axis = -2

    def __init__(
        self,
        iid_masks: bool = False,
        freq_mask_param: int = 0,
        mask_start: int = 0,
        mask_value: float = 0.0,
    ):
        super().__init__(iid_masks, "freq_mask_param", freq_mask_param, mask_start, mask_value)


class TimeMasking(_Masking):
    """(..., frequency, time) with a range of times masked.

    Args:
        iid_masks: Whether each (frequency, time) gets its own random range, else all the same one.
        time_mask_param: The greatest width of a random range, or the width of the one.
        mask_start: Where the range begins that is not random.
        mask_value: What is put there.

    Examples:
        >>> audio.TimeMasking(time_mask_param=0)(np.zeros((1, 2, 3), np.float32)).shape
        (1, 2, 3)
    """

    _axis = -1

    def __init__(
        self,
        iid_masks: bool = False,
        time_mask_param: int = 0,
        mask_start: int = 0,
        mask_value: float = 0.0,
    ):
        super().__init__(iid_masks, "time_mask_param", time_mask_param, mask_start, mask_value)
