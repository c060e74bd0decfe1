"""Learning-rate schedules: as cells of the global step, and as lists."""
from .cells import (
    CosineDecayLR,
    ExponentialDecayLR,
    InverseDecayLR,
    LearningRateSchedule,
    NaturalExpDecayLR,
    PolynomialDecayLR,
    WarmUpLR,
)
from .sequences import (
    cosine_decay_lr,
    exponential_decay_lr,
    inverse_decay_lr,
    natural_exp_decay_lr,
    piecewise_constant_lr,
    polynomial_decay_lr,
    warmup_lr,
)

__all__ = [
    "CosineDecayLR", "ExponentialDecayLR", "InverseDecayLR", "LearningRateSchedule",
    "NaturalExpDecayLR", "PolynomialDecayLR", "WarmUpLR", "cosine_decay_lr", "exponential_decay_lr",
    "inverse_decay_lr", "natural_exp_decay_lr", "piecewise_constant_lr", "polynomial_decay_lr",
    "warmup_lr",
]
