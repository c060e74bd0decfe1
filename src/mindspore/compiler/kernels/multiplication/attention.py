"""Attention as kernels: called with torch tensors, they return new ones."""
from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.ir import Aval
from mindspore.operators.choices import choices

from ..native import machine
from . import heads
from .memory import space
from .reach import limits_count
from .writing import BLOCK, INNER, VECTORS


class _Heads:
    """What both directions share.

    Args:
        shape: Samples, heads, queries, keys, elements of a query, elements of a value.
        scale: Of the scores.

    Attributes:
        avals: Of the results.
        overwritable: Nothing.
    """

    products = 2

    def __init__(self, shape: tuple[int, ...], scale: float, avals: tuple[Aval, ...]):
        self.made = shape, scale, avals
        self.shape, self.scale, self.avals = shape, scale, avals
        self.overwritable: list[list[int]] = [[] for _ in avals]
        n, h, t, s, d, v = shape
        work = n * h * t * s * (d + v) * self.products * choices().attention_flop
        self.shared = work > choices().attention_alone

    def __reduce__(self) -> Any:
        return type(self), self.made

    def run(self, code: Any, tensors: Sequence[torch.Tensor | None], own: int) -> None:
        """Call the code, with memory for each thread."""
        n, h, t, s, d, v = self.shape
        across = VECTORS * machine().width
        threads = min(torch.get_num_threads(), n * h) if self.shared and code.parallel else 1
        longest, inner = max(t, s, d, v), min(max(t, s, d, v), INNER)
        panels = inner * (-(-longest // across) + 1) * across + 2 * across * across
        rows = BLOCK * inner + 2 * across
        own += limits_count(t, s, machine().width)
        zeros = max(s, across) + across
        used = threads * (panels + rows + own)
        memory = space(used + zeros)
        memory[used:used + zeros].zero_()
        start = memory.data_ptr()
        sizes = (n * h, h, t, s, d, v, struct.unpack("<i", struct.pack("<f", self.scale))[0], threads, start,
                 start + 4 * threads * panels, start + 4 * threads * (panels + rows), panels, rows, own,
                 start + 4 * used)
        places: list[int] = []
        for x in tensors:
            places += [sizes[-1], 0, 0, 0] if x is None else [x.data_ptr(), *x.stride()[:3]]
        table = (ctypes.c_int64 * (len(sizes) + len(places)))(*sizes, *places)
        if threads > 1:
            code.run_parallel(table, threads)
        else:
            code.run(table)


def _rows(x: torch.Tensor) -> torch.Tensor:
    """A tensor the elements of whose rows lie one after the other, further apart from row to row."""
    return x if x.stride(3) == 1 and x.stride(2) >= x.shape[3] else x.contiguous()


class Attention(_Heads):
    """softmax(q k' scale + mask) v, and the weights."""

    def __call__(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None,
                 into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        n, h, t, s, _, width = self.shape
        if mask is not None:
            mask = mask.contiguous().expand(n, h, t, s) if mask.shape[-1:] == (s,) else mask.expand(
                n, h, t, s).contiguous()
        weights = torch.empty((n, h, t, s), dtype=torch.float32)
        # as what follows, the heads beside each other, reads them
        y = torch.empty((n, t, h, width), dtype=torch.float32).transpose(1, 2)
        self.run(heads.forward(), (_rows(q), _rows(k), _rows(v), mask, y, weights), 0)
        return y, weights


class AttentionReverse(_Heads):
    """The cotangents of query, key and value, from that of the result and the weights.

    If `avals` says one result, that is all of them in one tensor (3, samples, heads, queries, elements), which lie in
    memory as the products for query, key and value lie beside each other in the rows of one.
    """

    products = 4

    def __call__(self, dout: torch.Tensor, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, weights: torch.Tensor,
                 into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        n, h, t, s, d, _ = self.shape
        if len(self.avals) > 1:
            results = parts = tuple([torch.empty(a.shape, dtype=torch.float32) for a in self.avals])
        else:
            together = torch.empty((n, t, 3, h, d), dtype=torch.float32).permute(2, 0, 3, 1, 4)
            results, parts = (together,), together.unbind()
        self.run(heads.reverse(), (_rows(dout), _rows(q), _rows(k), _rows(v), weights.contiguous(), *parts), t * s)
        return results
