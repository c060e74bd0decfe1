"""Stages: what operators that are more than a function of elements are in native programs.

`@op.stage` attaches a function that takes an `Element` for every tensor and all attributes, and returns one of the
descriptions below, or None where the application is none of them:

    @matmul.stage
    def _(a, b, transpose_a, transpose_b):
        return Product(transpose_a, transpose_b) if len(a.shape) == len(b.shape) == 2 else None

What the inputs and the results of a description are stands with it.  `compiler/kernels` writes native code for each.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .loops import Element

INNERMOST = "innermost"     # the attribute of a parameter of a graph whose samples lie innermost in memory


class Indexed(NamedTuple):
    """Elements, one input of which holds indices.

    Attributes:
        forms: The loop forms of the results.
        place: Which input it is; a program tests it before it runs, and lets the operator tell what is wrong with it.
        below: Indices are from 0 up to this.
    """

    forms: tuple[Element, ...]
    place: int
    below: int


class Product(NamedTuple):
    """A product of two matrices, either transposed; a third input, a row, is added to every row."""

    transpose_a: bool = False
    transpose_b: bool = False


class Correlation(NamedTuple):
    """A convolution of planes by steps of 1, or a part of its reverse.

    Attributes:
        of: "result" of (x, w) or (x, w, b), the cotangent of the "input" of (dout, w), of the "weight" of (dout, x), or
            "affine" for those of weight and bias.
        operands: Which inputs of the operator these are.
        padding: Zeros above, below, on the left and on the right.
    """

    of: str
    operands: tuple[int, ...]
    padding: tuple[int, int, int, int]


def correlation(of: str, operands: tuple[int, ...], padding: Sequence[int]) -> Correlation | None:
    """A correlation with one number of zeros per axis or two; None for what is cut off."""
    top, bottom, left, right = padding if len(padding) == 4 else [p for p in padding[:2] for _ in (0, 1)]
    return Correlation(of, operands, (top, bottom, left, right)) if min(padding) >= 0 else None


class MaxPool(NamedTuple):
    """The maxima of windows of planes and their places; with `reverse` what gives cotangents back to those places."""

    window: tuple[int, int]
    stride: tuple[int, int]
    reverse: bool = False
