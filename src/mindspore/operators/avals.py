"""Between torch tensors and avals."""
from __future__ import annotations

from typing import Any

import torch

from mindspore.core.dtype import from_torch
from mindspore.ir import Aval


def meta(value: Any) -> Any:
    """A meta tensor for an aval; anything else unchanged."""
    if type(value) is Aval:
        return torch.empty(value.shape, dtype=value.dtype.torch, device="meta")
    return value


def aval_of(tensor: torch.Tensor) -> Aval:
    """The aval of a torch tensor."""
    return Aval(tuple(tensor.shape), from_torch(tensor.dtype))
