"""How tensors print: NumPy's layout for `str`, shape and dtype with eight digits for `repr`."""
from __future__ import annotations

from typing import Any

import numpy as np
import torch

_DIGITS = {torch.float16: 4, torch.bfloat16: 4, torch.float32: 8, torch.float64: 8}


def _array(data: torch.Tensor) -> np.ndarray:
    data = data.detach()
    if data.dtype is torch.bfloat16:
        data = data.float()
    return data.cpu().resolve_conj().numpy()


def shown(data: torch.Tensor) -> str:
    """The elements as NumPy prints them."""
    return str(_array(data))


def shown_with_type(data: torch.Tensor, dtype: Any) -> str:
    """`Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])`."""
    array = _array(data)
    head = f"Tensor(shape={list(array.shape)}, dtype={dtype}, value="
    if not array.ndim:
        return f"{head} {array})"
    digits = _DIGITS.get(data.dtype)
    formatter: Any = {"float_kind": lambda v: f"{v: .{digits}e}"} if digits else None
    text = np.array2string(array, separator=", ", formatter=formatter, max_line_width=120,
                           threshold=1000, edgeitems=3)
    return f"{head}{' ' if array.ndim == 1 else chr(10)}{text})"
