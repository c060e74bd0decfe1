"""Inputs on which faults show: three of everything, unequal extents, ties, no elements, every integer type, signs.

A generic test takes `arrays()` for what may hold anything, `integers()` for what counts, and `axes(array)` for what
goes along an axis: every axis by both of its names. Symmetric inputs hide permutations that were swapped with their
inverse, transposed matrices and wrong axes.
"""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

SHAPES = [(), (1,), (3,), (3, 5), (2, 3, 4), (3, 1, 2)]
EMPTY = [(0,), (3, 0), (0, 2, 4)]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8"]


def arrays(empty: bool = True) -> Iterator[np.ndarray]:
    """float32 of every shape: both signs, and one with ties."""
    rng = np.random.default_rng(7)
    for shape in SHAPES + (EMPTY if empty else []):
        yield rng.standard_normal(shape).astype(np.float32)
    yield rng.integers(-2, 3, (4, 5)).astype(np.float32)


def integers() -> Iterator[np.ndarray]:
    """Small numbers with ties in every integer type; negative ones where the type has them."""
    rng = np.random.default_rng(8)
    for dtype in INTEGERS:
        low = 0 if dtype.startswith("u") else -3
        for shape in [(3, 5), (2, 3, 4)]:
            yield rng.integers(low, 4, shape).astype(dtype)


def axes(array: np.ndarray) -> list[int]:
    """Every axis, counted from the front and from the back."""
    return [*range(array.ndim), *range(-array.ndim, 0)]
