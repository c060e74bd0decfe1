"""What the blocks of a network cost on a few devices: the tables from which whole arrangements are put together.

A block is what a stage of a pipeline has at least: a layer, the embedding, the head.  Its cost is that of one part of a
batch.  `transformer` gives the tables of a transformer by closed forms; `tables.Traced` those of a program, by the
search for a plan.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

LEVELS = ("none", "selective", "full")          # what is computed again: nothing, what takes little time, all
NOTHING = 0.0, 0.0, 0.0


@dataclass(frozen=True)
class Block:
    """What a block takes with one part of a batch, on one of the devices that share it.

    Attributes:
        forward: Seconds of its forward pass.
        backward: Seconds of its backward pass without recomputation.
        again: For each of `LEVELS` the seconds that recomputation adds.
        saved: For each of them the bytes that are kept from the forward to the backward pass.
        working: The bytes that are needed for a moment, while it is computed again.
        weights: The elements of its parameters on a device.
        passed: The bytes that go to the next block.
        gap: By what part the seconds may be above the least ones.
    """

    forward: float
    backward: float
    again: tuple[float, float, float]
    saved: tuple[float, float, float]
    working: float
    weights: float
    passed: float
    gap: float = 0.0


Tables = Callable[[int, int], Sequence[Block] | None]      # by devices that share a block, and samples of a part


@dataclass(frozen=True)
class Cluster:
    """Many devices, some of them on one machine each.

    Attributes:
        flops: Floating-point operations a second of a device, at most.
        memory: Bytes a second that it reads or writes.
        room: Bytes that it holds.
        machine: How many devices are on a machine.
        near: Bytes a second between devices of one machine.
        far: Bytes a second from a device to one of another machine.
        near_start: Seconds of a round between devices of one machine.
        far_start: Seconds of a round between machines.
        hidden: What part of the sums of gradients hides behind the backward pass.
    """

    flops: float = 312e12
    memory: float = 1.6e12
    room: float = 80e9 * 0.92
    machine: int = 8
    near: float = 235e9
    far: float = 21e9
    near_start: float = 12e-6
    far_start: float = 25e-6
    hidden: float = 0.6

    def link(self, devices: int) -> tuple[float, float]:
        """Bytes a second and seconds of a round of a ring over so many devices, neighbours first."""
        return (self.near, self.near_start) if devices <= self.machine else (self.far, self.far_start)

    def summed(self, size: float, parts: int, span: int) -> float:
        """Seconds to sum so many bytes over `parts` devices that lie among `span` neighbours."""
        if parts == 1:
            return 0.0
        speed, start = self.link(span)
        return 2 * (parts - 1) / parts * size / speed + start * 2 * math.log2(parts)

    def gathered(self, size: float, parts: int, span: int) -> float:
        """Seconds to gather pieces to so many bytes, or to sum and scatter as many."""
        return self.summed(size, parts, span) / 2

    def product(self, rows: float, columns: float, inner: float) -> float:
        """Seconds of a product of matrices; small ones reach a smaller part of the speed."""
        part = 0.76 * rows / (rows + 280) * columns / (columns + 200) * inner / (inner + 200)
        return 2 * rows * columns * inner / (self.flops * part)


A100 = Cluster()               # with NVLink, and one link of InfiniBand HDR for each of the eight of a machine


@dataclass(frozen=True)
class Transformer:
    """A transformer of equal layers, as GPT: the tables of its blocks by closed forms.

    Weights and activations have 2 bytes; devices that share a layer cut heads and the wide part, and the sequence where
    the layer is normalised, as Megatron does (Narayanan et al. 2021, Korthikanti et al. 2022).
    """

    layers: int
    width: int
    heads: int
    length: int = 2048
    words: int = 51200
    cluster: Cluster = A100

    def parameters(self) -> float:
        """How many there are."""
        return 12 * self.layers * self.width**2 * (1 + 13 / (12 * self.width)) + (self.words + self.length) * self.width

    def flops(self, batch: int) -> float:
        """Operations of a step, full recomputation included, as the published figures count them."""
        h, n = self.width, self.layers
        return 96 * batch * self.length * n * h**2 * (1 + self.length / (6 * h) + self.words / (16 * n * h))

    def __call__(self, shared: int, samples: int) -> list[Block] | None:
        """The blocks where `shared` devices compute each of them; None where heads cannot be shared out so."""
        if self.heads % shared:
            return None
        return [self._embedding(shared, samples), *[self._layer(shared, samples)] * self.layers,
                self._head(shared, samples)]

    def _layer(self, t: int, samples: int) -> Block:
        c, h, s = self.cluster, self.width, self.length
        tokens, heads = samples * s, self.heads / t
        attention = 4 * samples * s * s * h / t / (c.flops * 0.40)
        products = (c.product(tokens, 3 * h / t, h) + c.product(tokens, h, h / t) + c.product(tokens, 4 * h / t, h)
                    + c.product(tokens, h, 4 * h / t) + attention)
        squares = samples * heads * s * s
        swept = (tokens * h * 2 * 12 + tokens * h / t * 2 * 10 + squares * 2 * 6) / c.memory
        sums = 2 * c.summed(tokens * h * 2, t, t)
        once = products + swept
        inner = 34 * tokens * h / t
        return Block(once + sums, 2 * products + 1.6 * swept + sums, (0.0, 0.12 * once, once + sums),
                     (inner + 5 * squares, inner, tokens * h * 2), inner + 5 * squares,
                     (12 * h * h + 13 * h) / t, tokens * h * 2 / t)

    def _embedding(self, t: int, samples: int) -> Block:
        size = samples * self.length * self.width * 2
        return Block(2 * size / self.cluster.memory, 2 * size / self.cluster.memory, NOTHING, NOTHING, 0.0,
                     (self.words + self.length) * self.width / t, size / t)

    def _head(self, t: int, samples: int) -> Block:
        tokens = samples * self.length
        once = self.cluster.product(tokens, self.words / t, self.width)
        kept = tokens * self.words * 6 / t
        return Block(once, 2 * once, NOTHING, (kept, kept, kept), 0.0,
                     self.words * self.width / t, 0.0)
