"""Schedulers of the learning rates of an optimizer's groups."""
from __future__ import annotations

from .base import LRScheduler
from .by_epoch import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from .combined import ChainedScheduler, ReduceLROnPlateau, SequentialLR
from .cycles import CosineAnnealingWarmRestarts, CyclicLR

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR",
    "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "PolynomialLR",
    "ReduceLROnPlateau", "SequentialLR", "StepLR",
]
