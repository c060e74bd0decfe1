"""Variational inference."""

from .variational import ELBO, SVI

__all__ = ["ELBO", "SVI"]
