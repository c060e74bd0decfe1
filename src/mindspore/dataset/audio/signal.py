"""What audio transforms have in common: they take arrays whose last axis is time, or frequency and time."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.errors import PipelineError
from mindspore.dataset.transforms.base import TensorOperation, to_array

MOST = 2.0**24  # largest number that is taken as an option: float32 has every integer up to here

Option = TypeVar("Option", bound=Enum)


class AudioOperation(TensorOperation):
    """A transform of an array of numbers (..., time), or as `layout` says; other types become float32 before it.

    A subclass defines `signal`, which gets float32 or float64.
    """

    layout: tuple[Any, ...] = ("time",)  # last axes that an input must have; a number is a length
    only_floats = False  # whether integers are refused

    def checked(self, value: Any) -> np.ndarray:
        if not isinstance(value, np.ndarray):
            raise check.fail(TypeError, self, "audio", "a NumPy array", value)
        return value

    def apply(self, value: np.ndarray) -> Any:
        array = numbers(self, value, self.layout)
        if self.only_floats and array.dtype.kind != "f":
            raise PipelineError(
                f"For '{self.name}', the audio must be float16, float32 or float64, but is {array.dtype}."
            )
        return self.signal(array if self.only_floats else as_float(array))

    def signal(self, audio: np.ndarray) -> Any:
        """The transformed array."""
        raise NotImplementedError(f"For '{self.name}', 'signal' is not defined.")


class AnyInput:
    """For transforms that take lists and other things that can become an array, too."""

    def checked(self, value: Any) -> np.ndarray:
        return to_array(self, value)


def numbers(owner: TensorOperation, value: np.ndarray, layout: tuple[Any, ...]) -> np.ndarray:
    """An array of numbers that has the axes of `layout`.

    Raises:
        TypeError: It is complex or holds objects.
        PipelineError: It is empty, holds text or lacks axes.
    """
    if value.dtype.kind in "cO":
        raise check.fail(TypeError, owner, "audio", "an array of real numbers", value.dtype)
    shown = ", ".join(["...", *map(str, layout)])
    if value.dtype.kind not in "biuf":
        raise PipelineError(f"For '{owner.name}', the audio must be numbers, but is {value.dtype}.")
    if value.size == 0:
        raise PipelineError(
            f"For '{owner.name}', the audio has no data: its shape is {value.shape}."
        )
    wanted = value.shape[-len(layout) :] if value.ndim >= len(layout) else ()
    if not wanted or any(
        isinstance(a, int) and a != b for a, b in zip(layout, wanted, strict=True)
    ):
        raise PipelineError(
            f"For '{owner.name}', the audio must have the shape ({shown}), but has {value.shape}."
        )
    return value


def as_float(array: np.ndarray) -> np.ndarray:
    """float64 unchanged, anything else as float32."""
    return array if array.dtype == np.float64 else array.astype(np.float32)


def like(result: np.ndarray, audio: np.ndarray) -> np.ndarray:
    """A result that was computed with more digits in the type of the input."""
    return result.astype(audio.dtype, copy=False)


def real(owner: Any, name: str, value: Any, low: float = -MOST, high: float = MOST) -> float:
    """A number of moderate size within [low, high]."""
    return check.number(owner, name, value, low, high)


def positive(owner: Any, name: str, value: Any, high: float = MOST) -> float:
    """A number in (0, high]."""
    return check.number(owner, name, value, 0, high, open_low=True)


def non_negative(owner: Any, name: str, value: Any, high: float = MOST) -> float:
    """A number in [0, high]."""
    return check.number(owner, name, value, 0, high)


def whole(owner: Any, name: str, value: Any, low: int = -check.INT32_MAX - 1) -> int:
    """An int of 32 bits, at least `low`."""
    return check.integer(owner, name, value, low, check.INT32_MAX)


def count(owner: Any, name: str, value: Any) -> int:
    """An int greater than zero."""
    return whole(owner, name, value, 1)


def length(owner: Any, name: str, value: Any) -> int:
    """An int of zero or more."""
    return whole(owner, name, value, 0)


def rate(owner: Any, name: str, value: Any) -> int:
    """A sample rate or such: any int but zero (a negative one turns the frequencies round)."""
    if whole(owner, name, value) == 0:
        raise check.fail(ValueError, owner, name, "an int other than 0", value)
    return value


def option(owner: Any, name: str, value: Any, kind: type[Option]) -> Option:
    """A member of an option class; plain texts are refused."""
    return check.instance(owner, name, value, kind)
