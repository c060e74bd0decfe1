"""At which numbers arguments begin and cease to be accepted, as observed in MindSpore 2.10.

A line of the table is an expression with `V` in place of a number, and the pairs of neighbours of which one is accepted
and the other refused: `vision.Posterize(bits=V) => -1|0+ 8+|9`. Neighbours of whole numbers differ by one, those of
fractions by little. Both programs can import this module.
"""
from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from observed_data import SPACE as DATA

import mindspore as ms
from mindspore import nn, ops

_WHOLE = (0, 3, 10, 100, 255, 1000, 8192, 65535, 2**24, 2**31, 2**32, 2**63)
WHOLE = sorted({sign * n + d for sign in (-1, 1) for n in _WHOLE for d in (-1, 0, 1)})
PARTS = [-1e30, -1e6, -361.0, -180.5, -100.5, -2.5, -1.5, -1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5,
         2.5, 10.5, 100.5, 180.5, 255.5, 361.0, 10000.5, 1e6, 1e30]
SPACE: dict[str, Any] = {**DATA, "nn": nn, "ops": ops, "ms": ms}


def parameters() -> list[Any]:
    """Something for optimizers."""
    return [ms.Parameter(np.ones((2, 3), np.float32), name="weight"), ms.Parameter(np.ones(2, np.float32), name="bias")]


SPACE["parameters"] = parameters


def accepted(template: str, number: Any) -> bool:
    """Whether an expression is made without an error."""
    text = repr(number)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(template.replace("V", text), dict(SPACE))
    except Exception:        # whatever it is: other tests look at the class
        return False
    return True


def changes(template: str, whole: bool) -> Iterator[str]:
    """The pairs of neighbours, as texts."""
    numbers: list[Any] = list(WHOLE if whole else PARTS)
    found = [accepted(template, n) for n in numbers]
    for low, high, one, other in zip(numbers, numbers[1:], found, found[1:], strict=False):
        if one != other:
            yield _told(*_nearest(lambda n: accepted(template, n), low, high, one, whole), one)


def _nearest(accept: Callable[[Any], bool], low: Any, high: Any, below: bool, whole: bool) -> tuple[Any, Any]:
    """The neighbours between two numbers of which the first is accepted and the second not, or the other way."""
    for _ in range(80):
        middle = (low + high) // 2 if whole else (low + high) / 2
        if middle in (low, high) or (not whole and abs(high - low) < 1e-7):
            break
        low, high = (middle, high) if accept(middle) == below else (low, middle)
    return low, high


def _told(low: Any, high: Any, below: bool) -> str:
    return f"{low!r}+|{high!r}" if below else f"{low!r}|{high!r}+"


def differences(template: str, pairs: str) -> list[str]:
    """The numbers at a limit that are accepted, but were not, or the other way."""
    found = []
    for pair in pairs.split():
        for text in pair.split("|"):
            number = float(text.rstrip("+")) if any(c in text for c in ".en") else int(text.rstrip("+"))
            if accepted(template, number) != text.endswith("+"):
                found.append(text)
    return found


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Without what native code writes to the error stream."""
    kept, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)


def by_name() -> dict[str, dict[str, str]]:
    """The lines of the table by what they make."""
    found: dict[str, dict[str, str]] = {}
    for line in Path(__file__).with_name("observed_limits.txt").read_text().splitlines():
        template, _, pairs = line.partition(" => ")
        found.setdefault(template.partition("(")[0], {})[template] = pairs
    return found
