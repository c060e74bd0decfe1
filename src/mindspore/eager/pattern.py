"""Shapes that describe inputs, with extents that may differ: those of `Tensor(shape=[None, 3], dtype=float32)`."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DType
from mindspore.core.symbol import Symbol

ANY_RANK = (-2,)


def described(shape: Any, dtype: DType | None) -> tuple[Any, ...] | None:
    """What a pattern describes: shape, dtype, symbols; None if the shape is an ordinary one."""
    if shape is None:
        return None if dtype is None else (ANY_RANK, dtype, (None,))
    parts = (shape,) if isinstance(shape, (int, Symbol)) else tuple(shape)
    symbols = tuple([n if isinstance(n, Symbol) else None for n in parts])
    parts = tuple([None if isinstance(n, Symbol) else n for n in parts])
    if not any([n is None or n == -1 or n == -2 for n in parts]):
        return None
    if dtype is None:
        raise ValueError("For 'Tensor', the 'dtype' must be given with a shape that is not known.")
    return tuple([-1 if n is None else n for n in parts]), dtype, symbols
