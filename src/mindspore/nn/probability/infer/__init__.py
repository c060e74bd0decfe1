"""Variational inference."""

from .bound import ELBO, SVI

__all__ = ["ELBO", "SVI"]
