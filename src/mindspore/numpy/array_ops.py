"""Functions of the order of elements, by family: `mindspore.numpy.array_ops`."""
from __future__ import annotations

from . import _applying, _choosing, _joining, _padding, _shapes

_FAMILIES = (_applying, _choosing, _joining, _padding, _shapes)

for _module in _FAMILIES:
    globals().update({_name: getattr(_module, _name) for _name in _module.__all__})

__all__ = sorted({name for module in _FAMILIES for name in module.__all__})
