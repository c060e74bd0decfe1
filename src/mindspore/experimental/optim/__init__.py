"""Optimizers with options per group, and schedulers of their learning rates."""
from . import lr_scheduler
from .adam import Adam, Adamax, AdamW, NAdam, RAdam
from .descent import ASGD, SGD, Adadelta, Adagrad, RMSprop, Rprop
from .optimizer import Optimizer

__all__ = [
    "ASGD", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer", "RAdam",
    "RMSprop", "Rprop", "lr_scheduler",
]
