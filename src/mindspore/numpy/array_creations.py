"""Tensors of numbers, by family: `mindspore.numpy.array_creations`."""
from __future__ import annotations

from . import _drawn, _filled, _grids, _triangles

_FAMILIES = (_drawn, _filled, _grids, _triangles)

for _module in _FAMILIES:
    globals().update({_name: getattr(_module, _name) for _name in _module.__all__})

__all__ = sorted({name for module in _FAMILIES for name in module.__all__})
