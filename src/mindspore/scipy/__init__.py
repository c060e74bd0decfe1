"""Functions under the names of SciPy: `mindspore.scipy`. They are compositions of operators."""

from mindspore.core.mistaken import public as _public

from . import fft, linalg, optimize, sparse

for _module in (fft, linalg):
    vars(_module).update({_name: _public(_name, getattr(_module, _name)) for _name in _module.__all__})

__all__ = ["fft", "linalg", "optimize", "sparse"]
