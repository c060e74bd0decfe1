"""Functions under the names of SciPy: `mindspore.scipy`. They are compositions of operators."""

from . import linalg

__all__ = ["linalg"]
