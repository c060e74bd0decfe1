"""Normalisation over the batch as kernels: called with torch tensors, they return new ones."""
from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from math import prod
from typing import Any

import torch

from mindspore.ir import Aval
from mindspore.operators.choices import choices

from ..multiplication.memory import space
from ..native import machine
from . import writing
from .writing import Place

_INFINITY = float("inf")
_STREAMS = 4                 # times that a thread goes over an element of the images


def worth(images: Aval) -> bool:
    """Whether generated code is faster for images of a shape (N, C, H, W)."""
    return prod(images.shape) >= choices().norm_least


def _bits(x: float) -> int:
    return struct.unpack("<i", struct.pack("<f", x))[0]


class _Norm:
    """What both directions share.

    Args:
        images: The images (N, C, H, W).
        limits: What the results are limited to; None for nothing.
        avals: Of the results.

    Attributes:
        overwritable: Nothing.
    """

    def __init__(self, images: Aval, limits: tuple[float, float] | None, avals: tuple[Aval, ...]):
        self.made: tuple[Any, ...] = images, limits, avals
        self.shape, self.limits, self.avals = images.shape, limits, avals
        self.overwritable: list[list[int]] = [[] for _ in avals]
        known = choices()
        self.shared = prod(images.shape) * _STREAMS * known.element_cheap > known.kernel_alone

    def __reduce__(self) -> Any:
        return type(self), self.made

    def run(self, code: Any, given: dict[Place, torch.Tensor], numbers: dict[Place, int]) -> torch.Tensor:
        """Call the code, with memory for each thread; the result that has the shape of the images."""
        result = torch.empty(self.shape, dtype=torch.float32, memory_format=torch.channels_last)
        n, c, h, w = self.shape
        threads = min(torch.get_num_threads(), n * h * w) if self.shared and code.parallel else 1
        row = -(-c // machine().width) * machine().width
        low, high = self.limits or (-_INFINITY, _INFINITY)
        counter = torch.zeros(1, dtype=torch.int64)
        given = given | {Place.RESULT: result, Place.OWN: space(4 * threads * row), Place.COUNTER: counter}
        numbers = numbers | {Place.ROWS: n * h * w, Place.CHANNELS: c, Place.EACH: row, Place.THREADS: threads,
                             Place.LIMITED: self.limits is not None, Place.LOW: _bits(low), Place.HIGH: _bits(high)}
        table = (ctypes.c_int64 * len(Place))(*[
            numbers[p] if p in numbers else given[p].data_ptr() if p in given else 0 for p in Place])
        if threads > 1:
            code.run_parallel(table, threads)
        else:
            code.run(table)
        return result


def _images(x: torch.Tensor) -> torch.Tensor:
    return x.contiguous(memory_format=torch.channels_last)


class BatchNorm(_Norm):
    """Images normalised by their own statistics and limited, and what else `batch_norm_train` gives.

    Args:
        momentum, epsilon: Those of `batch_norm_train`.
    """

    def __init__(self, images: Aval, limits: tuple[float, float] | None, avals: tuple[Aval, ...], momentum: float,
                 epsilon: float):
        super().__init__(images, limits, avals)
        self.made = *self.made, momentum, epsilon
        self.numbers = {Place.MOMENTUM: _bits(momentum), Place.EPSILON: _bits(epsilon)}

    def __call__(self, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, mean: torch.Tensor,
                 variance: torch.Tensor, into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        vectors = [torch.empty(a.shape, dtype=torch.float32) for a in self.avals[1:]]
        result = self.run(writing.forward(), {
            Place.IMAGES: _images(x), Place.GAMMA: gamma.contiguous(), Place.BETA: beta.contiguous(),
            Place.OLD_MEAN: mean.contiguous(), Place.OLD_VARIANCE: variance.contiguous(),
            **dict(zip((Place.MEAN, Place.SCALE, Place.FIRST, Place.SECOND), vectors, strict=True))}, self.numbers)
        return result, *vectors


class BatchNormReverse(_Norm):
    """The cotangents of images, scale and shift, from that of the limited result."""

    def __call__(self, dout: torch.Tensor, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor,
                 mean: torch.Tensor, scale: torch.Tensor, into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        vectors = [torch.empty(a.shape, dtype=torch.float32) for a in self.avals[1:]]
        result = self.run(writing.reverse(), {
            Place.IMAGES: _images(x), Place.OUT: _images(dout), Place.GAMMA: gamma.contiguous(),
            Place.BETA: beta.contiguous(), Place.MEAN: mean.contiguous(), Place.SCALE: scale.contiguous(),
            **dict(zip((Place.FIRST, Place.SECOND), vectors, strict=True))}, {})
        return result, *vectors
