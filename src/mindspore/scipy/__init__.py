"""Functions under the names of SciPy: `mindspore.scipy`. They are compositions of operators."""

from . import fft, linalg, optimize, sparse

__all__ = ["fft", "linalg", "optimize", "sparse"]
