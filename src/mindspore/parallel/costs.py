"""What a plan costs: seconds to compute the pieces of a node, and to move pieces between placements.

The time of a node is the longer of computing and of reading and writing memory, plus a start; the time of a movement is
a start for each round plus the bytes that pass a device in a ring.  Where a machine was measured, its tables of
seconds by size count instead.
"""
from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from mindspore.distributed import collectives
from mindspore.ir import OPAQUE, Aval, Node, avals_of
from mindspore.operators.traits import Trait

from .choices import Choice, is_tensor, kind_of, layout_of
from .on_device import Counted
from .placement import REPLICATE, Hop, Mesh, Placement, Shard, Step, local_shape, path, paths

HOLD = 1e-16                   # seconds a byte


class Movement(NamedTuple):
    """What a change of placement costs.

    Attributes:
        seconds: The time.
        volume: The bytes that each device sends.
    """

    seconds: float
    volume: float


@dataclass(frozen=True)
class Machine:
    """What a device and its links can do.

    Attributes:
        flops: Floating-point operations a second.
        memory: Bytes a second that are read or written.
        start: Seconds to start an operator.
        link: Bytes a second along each axis of a mesh; the last value holds for further axes.
        latency: Seconds of a round between two devices.
        tables: Measured seconds by size, in ascending order: of a "product", or of one by the name of its operator (as
            "product Convolution"), by its operations, of a "sweep", or of an operator by name, by the bytes that it
            reads and writes, of a movement (as "reduce 4", with the number of devices) by the bytes that each device
            sends.
    """

    flops: float = 5e10
    memory: float = 1e10
    start: float = 2e-6
    link: tuple[float, ...] = (1e9,)
    latency: float = 5e-5
    tables: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict[str, Any])
    _known: dict[Any, Any] = field(default_factory=dict[Any, Any], compare=False, repr=False)

    def compute(self, node: Node, choice: Choice, mesh: Mesh) -> float:
        """The seconds that the busiest device takes for a node, the first one, whose pieces are the longest."""
        if choice.across:
            return self._across(node, choice, mesh).seconds
        if Trait.VIEW in getattr(node.op, "traits", ()):
            return self.start
        moved = 0
        for x, placement in zip(node.inputs, choice.inputs, strict=True):
            if placement is not None:
                moved += _bytes(x.aval, placement, mesh)
        for aval, placement in zip(avals_of(node), choice.outs, strict=True):
            if type(aval) is Aval and aval not in OPAQUE:
                moved += _bytes(aval, placement, mesh)
        product = self._product(node, choice, mesh)
        table = self.tables.get(node.op.name) or self.tables.get("sweep")
        if table:
            return max(product, interpolated(table, moved))
        return max(product, moved / self.memory) + self.start

    def bytes(self, aval: Aval, placement: Placement, mesh: Mesh) -> int:
        """Those of the piece of the first device, the longest one."""
        return _bytes(aval, placement, mesh)

    def sweep(self, tensors: Sequence[tuple[Aval, Placement]], mesh: Mesh) -> float:
        """The seconds to read or write the pieces of tensors."""
        moved = sum([_bytes(aval, placement, mesh) for aval, placement in tensors])
        if "sweep" in self.tables:                # several of these are one operator
            return max(interpolated(self.tables["sweep"], moved) - self.tables["sweep"][0][1], 0.0)
        return moved / self.memory

    def sent(self, kind: str, volume: float, parts: int, axis: int) -> float:
        """The seconds of a movement in which each of some devices on a line sends so many bytes."""
        table = self.tables.get(f"{kind} {parts}")
        if table and volume:
            return interpolated(table, volume)
        return rounds_of(kind, parts) * self.latency + volume / self.link[min(axis, len(self.link) - 1)]

    def sent_inside(self, node: Node, choice: Choice, mesh: Mesh) -> float:
        """The bytes that each device sends while it computes a node."""
        return self._across(node, choice, mesh).volume if choice.across else 0.0

    def _across(self, node: Node, choice: Choice, mesh: Mesh) -> Movement:
        """What a node costs whose rule `across` computes it, what the devices tell each other meanwhile included."""
        key = kind_of(node)
        counted: Any = self._known.get(key)
        if counted is None:
            layout = layout_of(node)
            assert layout is not None
            counted = self._known[key] = Counted(node, layout)
        parts = math.prod([n for cut, n in zip(choice.labels, mesh.shape, strict=True) if cut])
        seconds, volume = counted.moved / parts / self.memory + counted.ops * self.start, 0.0
        for labels, size in counted.reduced:
            rest = size / math.prod([n for cut, n in zip(choice.labels, mesh.shape, strict=True)
                                     if set(cut) - counted.layout.opened])
            for axis, (cut, n) in enumerate(zip(choice.labels, mesh.shape, strict=True)):
                if labels & set(cut):
                    sent = 2 * rest * (n - 1) / n
                    volume += sent
                    seconds += self.sent("reduce", sent, n, axis)
        return Movement(seconds + self._product(node, choice, mesh), volume)

    def _product(self, node: Node, choice: Choice, mesh: Mesh) -> float:
        rule = getattr(node.op, "cost_rule", None)
        if not rule:
            return 0.0
        total = rule(*[x.aval if is_tensor(x) else x for x in node.inputs], **node.attrs)
        total /= math.prod([n for cut, n in zip(choice.labels, mesh.shape, strict=True) if cut and cut != ("+",)])
        table = self.tables.get(f"product {node.op.name}") or self.tables.get("product")
        return interpolated(table, total) if table else total / self.flops

    def hold(self, aval: Aval, placement: Placement, mesh: Mesh) -> float:
        """What it costs to hold a piece between steps: next to nothing, but it decides between equal plans."""
        return _bytes(aval, placement, mesh) * HOLD

    def move(self, aval: Aval, now: Placement, wanted: Placement, mesh: Mesh) -> Movement:
        """What it costs to bring a tensor from one placement to another."""
        if now == wanted:
            return NOTHING
        key = aval, now, wanted, mesh, collectives.travels_as(aval.dtype.torch)      # which settings change
        found: Movement | None = self._known.get(key)
        if found is None:
            hops = [self._hop(hop, aval, mesh) for hop in path(now, wanted)]
            found = self._known[key] = Movement(sum([h.seconds for h in hops]), sum([h.volume for h in hops]))
        return found

    def moves(self, aval: Aval, starts: tuple[Placement, ...], ends: tuple[Placement, ...], mesh: Mesh) -> np.ndarray:
        """The seconds to bring a tensor from each of some placements to each of others."""
        known: dict[int, float] = {}                 # most paths share their steps
        table = np.zeros((len(starts), len(ends)))
        for row, line in zip(table, paths(starts, ends), strict=True):
            for k, hops in enumerate(line):
                seconds = 0.0
                for hop in hops:
                    one = known.get(id(hop))
                    if one is None:
                        one = known[id(hop)] = self._hop(hop, aval, mesh).seconds
                    seconds += one
                row[k] = seconds
        return table

    def _hop(self, hop: Hop, aval: Aval, mesh: Mesh) -> Movement:
        step, sent = hop.step, sent_by(hop.step, aval, hop.state, mesh)
        return Movement(self.sent(step.kind, sent, mesh.shape[step.axis], step.axis), sent)


NOTHING = Movement(0.0, 0.0)


def sent_by(step: Step, aval: Aval, state: Placement, mesh: Mesh) -> float:
    """The bytes that the first device of a line sends in a ring for a step from a placement.

    Pieces of unequal lengths travel as long as the longest of them, but where dimensions are swapped. Elements are
    added up in the type in which they travel; where parts of a sum do not, the whole of it does.
    """
    parts, size = mesh.shape[step.axis], _bytes(aval, state, mesh)
    if step.kind in ("reduce", "scatter"):
        size = size / aval.dtype.itemsize * collectives.travels_as(aval.dtype.torch).itemsize
    if step.kind == "reduce" or (step.kind == "scatter" and not collectives.scatters(aval.dtype.torch)):
        return 2 * _padded(step, aval, state, mesh, size) * (parts - 1) / parts
    if step.kind == "gather":
        return size * (parts - 1)
    if step.kind in ("scatter", "swap"):
        wanted = step.wanted
        assert isinstance(wanted, Shard)
        after = (*state[:step.axis], wanted, *state[step.axis + 1:])
        own = local_shape(aval.shape, after, mesh, 0)[wanted.dim]
        extent = local_shape(aval.shape, state, mesh, 0)[wanted.dim]
        return size / max(extent, 1) * (own * (parts - 1) if step.kind == "scatter" else extent - own)
    return 0.0


def _padded(step: Step, aval: Aval, state: Placement, mesh: Mesh, size: float) -> float:
    """The bytes of a whole sum, whose parts are as long as the longest of them."""
    if not isinstance(step.wanted, Shard):
        return size
    dim, parts = step.wanted.dim, mesh.shape[step.axis]
    after = (*state[:step.axis], step.wanted, *state[step.axis + 1:])
    extent = local_shape(aval.shape, state, mesh, 0)[dim]
    return size / max(extent, 1) * local_shape(aval.shape, after, mesh, 0)[dim] * parts


def rounds_of(kind: str, parts: int) -> int:
    """How often the devices of a ring wait for one another."""
    return {"reduce": 2, "scatter": 1, "swap": 1, "gather": 1}.get(kind, 0) * (parts - 1)


def interpolated(table: Sequence[tuple[float, float]], size: float) -> float:
    """The seconds of a size: straight between two that were measured, and beyond the last one in proportion."""
    k = bisect_left(table, (size, 0.0))
    if not k:
        return table[0][1]
    if k == len(table):
        return table[-1][1] * size / table[-1][0]
    (a, before), (b, after) = table[k - 1], table[k]
    return before + (after - before) * (size - a) / (b - a)


def _bytes(aval: Aval, placement: Placement, mesh: Mesh) -> int:
    return math.prod(local_shape(aval.shape, placement, mesh, 0)) * aval.dtype.itemsize


def placements(aval: Aval, mesh: Mesh, seen: Sequence[Placement]) -> list[Placement]:
    """The placements that a value may get at once, where several nodes use it: whole, or as one of them has it."""
    found: dict[Placement, None] = {mesh.whole: None}
    for placement in seen:
        found.setdefault(placement)
        found.setdefault(tuple([s if isinstance(s, Shard) else REPLICATE for s in placement]))
    return list(found)
