"""How matrices lie in memory, and memory to lay them out anew."""
from __future__ import annotations

import threading

import torch


def step(x: torch.Tensor) -> int:
    """How far apart the lines of a matrix are."""
    return x.stride(0) if x.shape[0] > 1 else x.shape[1]


def lines(x: torch.Tensor, turned: bool) -> tuple[torch.Tensor, bool]:
    """A matrix whose lines lie in memory one by one, and whether these are the columns of what is multiplied."""
    if x.stride(1) == 1 and x.stride(0) >= x.shape[1]:
        return x, turned
    if x.stride(0) == 1 and x.stride(1) >= x.shape[0]:
        return x.t(), not turned
    return x.contiguous(), turned


class _Spaces(threading.local):
    """The memory of panels, one block per thread of Python."""

    def __init__(self) -> None:
        self.block = torch.empty(0)


_spaces = _Spaces()


def space(count: int) -> torch.Tensor:
    """Memory of this thread of Python, at least so many floats."""
    if _spaces.block.numel() < count:
        _spaces.block = torch.empty(count)
    return _spaces.block
