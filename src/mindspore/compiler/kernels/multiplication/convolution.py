"""Convolutions with windows of three by three as kernels: called with torch tensors, they return new ones."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.ir import Aval
from mindspore.operators.choices import choices

from ..native import machine
from . import window_weight, winograd
from .memory import space
from .winograd import POINTS, Spot
from .writing import BLOCK, VECTORS

_FEWEST, _MOST = 16, 128     # tiles of a chunk
_SUMMED = 128                # tiles of a chunk at least, where sums over tiles go through memory for each chunk


def _laid_out(extents: Sequence[int]) -> tuple[torch.Tensor, list[int]]:
    """Memory for parts of so many floats, of which the last are zeros, and where each part begins and the last ends."""
    memory = space(sum(extents))
    at = [memory.data_ptr()]
    for extent in extents:
        at.append(at[-1] + 4 * extent)
    memory[sum(extents[:-1]):sum(extents)].zero_()
    return memory, at


class WindowConvolution:
    """The convolution of images (N, C, H, W) with a weight (O, C, 3, 3), or the cotangent of its images.

    Args:
        images: What comes in: images, or the cotangent of the result.
        weight: The weight.
        out: What comes out.
        padding: Zeros above and on the left of what the convolution reads.
        back: Whether it is the reverse.

    Attributes:
        avals: Of the result.
        overwritable: Nothing.
    """

    def __init__(self, images: Aval, weight: Aval, out: Aval, padding: tuple[int, int], back: bool):
        self.made = images, weight, out, padding, back
        self.avals, self.overwritable = (out,), [[]]
        self.padding, self.back = tuple([2 - p for p in padding]) if back else padding, back
        self.images, self.weight = images.shape, weight.shape
        n, _, h, w = out.shape
        self.tiles = n * -(-h // 2) * -(-w // 2)
        known = choices()
        work = 2 * POINTS * self.tiles * weight.shape[0] * weight.shape[1] * known.window_flop
        self.shared, self.near = work > known.window_alone, int(known.window_near)

    def __reduce__(self) -> Any:
        return WindowConvolution, self.made

    def __call__(self, x: torch.Tensor, w: torch.Tensor, bias: torch.Tensor | None = None,
                 into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        """The result, with the channels innermost in memory."""
        x, w = [t.contiguous(memory_format=torch.channels_last) for t in (x, w)]
        out = torch.empty(self.avals[0].shape, dtype=torch.float32, memory_format=torch.channels_last)
        (n, _, h, wide), (outs, ins, _, _) = self.images, self.weight
        inner, outer = (outs, ins) if self.back else (ins, outs)
        code, across = winograd.code(), VECTORS * machine().width
        threads = torch.get_num_threads() if self.shared and code.parallel else 1
        chunk = min(max(self.near // (POINTS * (inner + outer)), _FEWEST), _MOST) // 8 * 8
        turned = POINTS * outs * ins
        # one point's panels end in room of their own, as what is written beyond them may be another thread's
        panel = (inner + machine().width) * (-(-outer // across) * across)
        each_in, each_out = POINTS * chunk * inner, POINTS * chunk * outer
        zeros = max(inner, outer, across) + across
        extents = (turned, POINTS * panel, threads * each_in, threads * each_out, zeros)
        _memory, at = _laid_out(extents)             # held until the code has run
        counter = torch.zeros(1, dtype=torch.int64)
        bias = None if bias is None else bias.contiguous()
        _, _, oh, ow = out.shape
        table = (ctypes.c_int64 * len(Spot))(
            x.data_ptr(), w.data_ptr(), out.data_ptr(), at[4] if bias is None else bias.data_ptr(), at[0], at[1], at[2],
            at[3], at[4], counter.data_ptr(), n, h, wide, inner, outer, oh, ow, *self.padding, outs, ins,
            *((ins, 1) if self.back else (1, ins)), self.back, panel, chunk, bias is not None, each_in, each_out,
            threads)
        if threads > 1:
            code.run_parallel(table, threads)
        else:
            code.run(table)
        return out,


class WindowWeight:
    """The cotangent of the weight (O, C, 3, 3) of a convolution of images (N, C, H, W), from that of its result.

    Args:
        images: The images.
        cotangent: That of the result.
        outs: What comes out: the weight's cotangent, and that of the bias if there is one.
        padding: Zeros above and on the left of what the convolution reads.

    Attributes:
        avals: Of the results.
        overwritable: Nothing.
    """

    def __init__(self, images: Aval, cotangent: Aval, outs: tuple[Aval, ...], padding: tuple[int, int]):
        self.made = images, cotangent, outs, padding
        self.avals, self.overwritable = outs, [[] for _ in outs]
        self.images, self.out, self.padding = images.shape, cotangent.shape, tuple(padding)
        (n, o, h, w), c = cotangent.shape, images.shape[1]
        self.tiles = n * -(-h // 2) * -(-w // 2)
        known = choices()
        self.shared = 2 * POINTS * self.tiles * o * c * known.window_flop > known.window_alone
        self.chunk = min(max(int(known.window_near) // (POINTS * (o + c)), _SUMMED), self.tiles)

    def __reduce__(self) -> Any:
        return WindowWeight, self.made

    def __call__(self, dout: torch.Tensor, x: torch.Tensor, into: Sequence[int | None] = ()
                 ) -> tuple[torch.Tensor, ...]:
        """The cotangents, that of the weight with the channels innermost in memory."""
        x, dout = [t.contiguous(memory_format=torch.channels_last) for t in (x, dout)]
        out = torch.empty(self.avals[0].shape, dtype=torch.float32, memory_format=torch.channels_last)
        (n, c, h, w), (_, o, oh, ow) = self.images, self.out
        code, across, spot = window_weight.code(), VECTORS * machine().width, window_weight.Spot
        threads = torch.get_num_threads() if self.shared and code.parallel else 1
        panels, rows = self.chunk * -(-c // across) * across, BLOCK * self.chunk + 2 * across
        zeros = max(c, o, across) + across
        extents = (POINTS * panels, POINTS * self.chunk * o + across, POINTS * o * c, threads * rows, zeros)
        _memory, at = _laid_out(extents)             # held until the code has run
        counter = torch.zeros(1, dtype=torch.int64)
        table = (ctypes.c_int64 * len(spot))(
            x.data_ptr(), dout.data_ptr(), out.data_ptr(), *at[:5], counter.data_ptr(), n, h, w, c, o, oh, ow,
            *self.padding, self.chunk, panels, rows, threads)
        if threads > 1:
            code.run_parallel(table, threads)
        else:
            code.run(table)
        return (out, dout.sum((0, 2, 3))) if len(self.avals) > 1 else (out,)
