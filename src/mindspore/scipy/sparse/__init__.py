"""Linear systems whose matrix is sparse or only known by its products."""

from . import linalg
from .linalg import bicgstab, cg, gmres

__all__ = ["bicgstab", "cg", "gmres", "linalg"]
