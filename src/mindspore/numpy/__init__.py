"""Functions under the names of NumPy: `mindspore.numpy`. They are compositions of operators."""

from __future__ import annotations

import math as _math

from mindspore.core.dtype import (
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from mindspore.core.mistaken import public as _public

from . import array_creations, array_ops, fft, logic_ops, math_ops

inf = PINF = _math.inf
NINF = -_math.inf
nan = _math.nan
pi = _math.pi
int_, uint, float_ = int32, uint32, float32

for _module in (array_creations, array_ops, logic_ops, math_ops):
    globals().update({_name: _public(_name, getattr(_module, _name)) for _name in _module.__all__})

__all__ = sorted(
    {name for m in (array_creations, array_ops, logic_ops, math_ops) for name in m.__all__}
)
__all__ += [
    "NINF",
    "PINF",
    "bool_",
    "fft",
    "float16",
    "float32",
    "float64",
    "float_",
    "inf",
    "int16",
    "int32",
    "int64",
]
__all__ += ["int8", "int_", "nan", "pi", "uint", "uint16", "uint32", "uint64", "uint8"]
