"""How tensors print: NumPy's layout for `str`, shape, dtype and elements of one width for `repr`.

The layout of `repr` is that of MindSpore 2.10 (observed): at most six entries of an axis are shown, of a tensor
with one axis at most a thousand; a line holds 24 elements, or 12 floats or truth values.
"""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

_DIGITS = {torch.float16: 4, torch.float32: 8, torch.float64: 8}
_EDGE = 3
_ROW = 1000


def _array(data: torch.Tensor) -> np.ndarray:
    data = data.detach()
    if data.dtype is torch.bfloat16:
        data = data.float()
    return data.cpu().resolve_conj().resolve_neg().numpy()


def shown(data: torch.Tensor) -> str:
    """The elements as NumPy prints them; those of bfloat16 with six decimals."""
    array = _array(data)
    if data.dtype is torch.bfloat16:
        formatter: Any = {"float_kind": lambda value: _number(value, "f")}
        return np.array2string(array, formatter=formatter) if array.ndim else _number(array.item(), "f")
    return str(array)


def shown_with_type(data: torch.Tensor, dtype: Any) -> str:
    """`Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])`."""
    head = f"Tensor(shape={list(data.shape)}, dtype={dtype}, value="
    if data.is_meta:
        return f"{head}{('', ' ', chr(10))[min(data.dim(), 2)]}<meta>)"
    array = _array(data)
    if not array.ndim:
        value = array.item()
        return f"{head} {_short(value) if isinstance(value, (float, complex)) else value})"
    return f"{head}{' ' if array.ndim == 1 else chr(10)}{_elements(array, data.dtype)})"


def _elements(array: np.ndarray, dtype: torch.dtype) -> str:
    if not array.size:
        return ""
    longest = _ROW if array.ndim == 1 else 2 * _EDGE
    cut = [extent > longest for extent in array.shape]
    for axis, is_cut in enumerate(cut):
        if is_cut:
            array = array.take([*range(_EDGE), *range(-_EDGE, 0)], axis)
    texts = _aligned(array.ravel().tolist(), dtype)
    per_line = 12 if dtype in _DIGITS or dtype is torch.bool else 24
    return _nested(iter(texts), array.shape, cut, per_line, 1)


def _aligned(values: Sequence[Any], dtype: torch.dtype) -> list[str]:
    digits = _DIGITS.get(dtype)
    if digits is not None:
        return [_number(value, f".{digits}e").rjust(digits + 7) for value in values]
    if dtype.is_complex:
        return [_short(value) for value in values]
    texts = [_short(value) if dtype is torch.bfloat16 else str(value) for value in values]
    width = 5 if dtype is torch.bool else max(map(len, texts))
    return [text.rjust(width) for text in texts]


def _number(value: float, form: str) -> str:
    text = format(value, form)
    return f"-{text}" if text == "nan" and math.copysign(1.0, value) < 0 else text


def _short(value: complex) -> str:
    if not isinstance(value, complex):
        return _number(value, "g")
    return f"{_number(value.real, 'g')}{_number(value.imag, '+g')}j"


def _nested(texts: Iterator[str], shape: Sequence[int], cut: Sequence[bool], per_line: int, depth: int) -> str:
    if len(shape) == 1:
        return f"[{_row([next(texts) for _ in range(shape[0])], cut[0], per_line)}]"
    parts = [_nested(texts, shape[1:], cut[1:], per_line, depth + 1) for _ in range(shape[0])]
    indent = "\n" + " " * depth
    if not cut[0]:
        return f"[{f',{indent}'.join(parts)}]"
    first, last = f",{indent}".join(parts[:_EDGE]), f",{indent}".join(parts[_EDGE:])
    return f"[{first},{indent}...{indent}{last}]"


def _row(texts: list[str], is_cut: bool, per_line: int) -> str:
    if is_cut:
        return f"{', '.join(texts[:_EDGE])} ... {', '.join(texts[_EDGE:])}"
    parts = []
    for place, text in enumerate(texts, 1):
        parts.append(text if place == len(texts) else f"{text}, ")
        if not place % per_line:
            parts.append("\n ")
    return "".join(parts)
