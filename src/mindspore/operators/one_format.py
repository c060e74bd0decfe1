"""Tensors that are met element by element and lie differently in memory: one format wins.

Convolutions leave images with their channels innermost, and what comes back from a reshaped form of one by rows.
torch goes over two such tensors at once an order of magnitude more slowly than it copies one of them.
"""
from __future__ import annotations

import torch
from torch import Tensor

from .torch_private import is_of_slices

_AXES = 3                # tensors of fewer dimensions have hardly a format


def laid_like(d: Tensor, y: Tensor) -> Tensor:
    """`d`, in memory as `y` lies there; `d` itself where that is so, or where no copy helps."""
    if d.dim() < _AXES or d.stride() == y.stride() or d.shape != y.shape or not (d.is_cpu and y.is_cpu):
        return d
    if is_of_slices(d) or is_of_slices(y):
        return d
    return torch.empty_like(y, dtype=d.dtype).copy_(d)


__all__ = ["laid_like"]
