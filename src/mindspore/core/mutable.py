"""Numbers that are run-time values of a compiled program instead of constants."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


class MutableCount:
    """How many such numbers there ever were: without any, the search for them is left out."""

    count = 0


class Int(int):
    """An int that one program serves whatever its value."""

    python = int
    _var = None                      # it is no tensor of the tape

    @property
    def _data(self) -> int:
        """What a program takes."""
        return int(self)


class Float(float):
    """A float that one program serves whatever its value."""

    python = float
    _var = None

    @property
    def _data(self) -> float:
        """What a program takes."""
        return float(self)


class OfAnyLength:
    """A mark of tuples and lists whose length may differ between calls."""

    __getitem__: Callable[..., Any]        # of the tuple or list


class Tuple(tuple, OfAnyLength):  # a tuple with a mark
    """A tuple whose length may differ between calls."""


class List(list, OfAnyLength):
    """A list whose length may differ between calls."""


NUMBERS = {Int: int, Float: float}


def is_number(value: Any) -> bool:
    """Whether a value is such a number."""
    return type(value) in NUMBERS


def mutable_number(value: float) -> Any:
    """A number as a run-time value; a bool unchanged: programs for True and for False are two at most."""
    if isinstance(value, bool):
        return value
    MutableCount.count += 1
    return Int(value) if isinstance(value, int) else Float(value)
