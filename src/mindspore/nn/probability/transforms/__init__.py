"""Networks made Bayesian."""

from .bayesian import TransformToBNN

__all__ = ["TransformToBNN"]
