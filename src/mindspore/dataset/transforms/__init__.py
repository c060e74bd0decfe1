"""Transforms of any arrays, and transforms made of transforms: `mindspore.dataset.transforms`."""

from __future__ import annotations

from mindspore.dataset.transforms.base import TensorOperation
from mindspore.dataset.transforms.common import (
    Concatenate,
    Duplicate,
    Fill,
    Mask,
    OneHot,
    PadEnd,
    Plugin,
    Relational,
    Slice,
    TypeCast,
    Unique,
)
from mindspore.dataset.transforms.compose import (
    Compose,
    CompoundOperation,
    RandomApply,
    RandomChoice,
    RandomOrder,
    not_random,
)

PyTensorOperation = TensorOperation  # one base for both kinds, which are told apart by their inputs

__all__ = [
    "Compose",
    "CompoundOperation",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "PyTensorOperation",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TensorOperation",
    "TypeCast",
    "Unique",
    "not_random",
]
