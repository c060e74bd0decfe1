"""A kernel as the Python function that it is: what its words mean on NumPy arrays."""
from __future__ import annotations

import contextlib
import itertools
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .tree import DTYPES
from .words import CALLED, WORDS


def _zeros(shape: Any, dtype: Any) -> Any:
    return np.zeros(shape, NAMES.get(dtype, dtype) if isinstance(dtype, str) else dtype)


def _grid(*extents: Any) -> Iterator[Any]:
    sizes: Sequence[int] = extents[0] if len(extents) == 1 and isinstance(extents[0], (tuple, list)) else extents
    return iter(range(sizes[0])) if len(sizes) == 1 else itertools.product(*map(range, sizes))


NAMES: dict[str, Any] = {
    "output_tensor": _zeros, "allocate": _zeros, "grid": _grid, "ceil_div": lambda a, b: -(-a // b),
    "serial": range, "parallel": range, "vectorize": range, "reduce": range,
    "block_realize": lambda *_: contextlib.nullcontext(),
    **{name: WORDS[name].numpy for name in CALLED if name not in ("max", "min", "abs")},
    **{d: getattr(np, d) for d in DTYPES if d not in ("bool", "bfloat16")}, "bfloat16": np.float32,
}


def in_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with the words of kernels among its globals; its own names come first."""
    known = {**NAMES, **function.__globals__}
    made = types.FunctionType(function.__code__, known, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made
