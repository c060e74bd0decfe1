"""Functions under the names of SciPy: `mindspore.scipy`. They are compositions of operators."""

from . import fft, linalg

__all__ = ["fft", "linalg"]
