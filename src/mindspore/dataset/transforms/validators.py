"""Decorators that check the arguments of a transform's `__init__`, for transforms of a program's own."""

from __future__ import annotations

from typing import Any

from mindspore.dataset import checked as check
from mindspore.dataset.transforms.compose import CompoundOperation
from mindspore.dataset.validators import accepted_by

__all__ = ["check_random_transform_ops"]


def _transforms(owner: Any, transforms: Any, prob: Any = 0.5) -> None:
    check.instance(owner, "transforms", transforms, list)
    CompoundOperation(transforms)
    check.number(owner, "prob", prob, 0.0, 1.0)


check_random_transform_ops = accepted_by(_transforms)
