"""Functions of numbers, by family: `mindspore.numpy.math_ops`."""
from __future__ import annotations

from . import (
    _counting,
    _elementwise,
    _polynomials,
    _products,
    _promotion,
    _reductions,
    _running,
    _series,
)

_FAMILIES = (_counting, _elementwise, _polynomials, _products, _promotion, _reductions, _running, _series)

for _module in _FAMILIES:
    globals().update({_name: getattr(_module, _name) for _name in _module.__all__})

__all__ = sorted({name for module in _FAMILIES for name in module.__all__})
