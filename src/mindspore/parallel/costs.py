"""What a plan costs: seconds to compute the pieces of a node, and to move pieces between placements.

The time of a node is the longer of computing and of reading and writing memory, plus a start; the time of a movement is
a start for each round plus the bytes that pass a device in a ring.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mindspore.ir import OPAQUE, Aval, Node, avals_of
from mindspore.operators.traits import Trait

from .choices import Choice, is_tensor, kind_of, layout_of
from .on_device import Counted
from .placement import REPLICATE, Mesh, Placement, Shard, Step, local_shape, steps

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
    """

    flops: float = 5e10
    memory: float = 1e10
    start: float = 2e-6
    link: tuple[float, ...] = (1e9,)
    latency: float = 5e-5
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
        return max(self._product(node, choice, mesh), moved / self.memory) + self.start

    def bytes(self, aval: Aval, placement: Placement, mesh: Mesh) -> int:
        """Those of the piece of the first device, the longest one."""
        return _bytes(aval, placement, mesh)

    def sweep(self, tensors: Sequence[tuple[Aval, Placement]], mesh: Mesh) -> float:
        """The seconds to read or write the pieces of tensors."""
        return sum([_bytes(aval, placement, mesh) for aval, placement in tensors]) / self.memory

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
                    seconds += 2 * (n - 1) * self.latency + sent / self.link[min(axis, len(self.link) - 1)]
        return Movement(seconds + self._product(node, choice, mesh), volume)

    def _product(self, node: Node, choice: Choice, mesh: Mesh) -> float:
        rule = getattr(node.op, "cost_rule", None)
        if not rule:
            return 0.0
        total = rule(*[x.aval if is_tensor(x) else x for x in node.inputs], **node.attrs)
        return total / self.flops / math.prod([n for cut, n in zip(choice.labels, mesh.shape, strict=True)
                                               if cut and cut != ("+",)])

    def hold(self, aval: Aval, placement: Placement, mesh: Mesh) -> float:
        """What it costs to hold a piece between steps: next to nothing, but it decides between equal plans."""
        return _bytes(aval, placement, mesh) * HOLD

    def move(self, aval: Aval, now: Placement, wanted: Placement, mesh: Mesh) -> Movement:
        """What it costs to bring a tensor from one placement to another."""
        if now == wanted:
            return NOTHING
        key = aval, now, wanted, mesh
        found: Movement | None = self._known.get(key)
        if found is None:
            state, seconds, volume = list(now), 0.0, 0.0
            for step in steps(now, wanted):
                size = _bytes(aval, tuple(state), mesh)
                sent, rounds = sent_by(step, size, mesh.shape[step.axis])
                volume += sent
                seconds += rounds * self.latency + sent / self.link[min(step.axis, len(self.link) - 1)]
                state[step.axis] = step.wanted
            found = self._known[key] = Movement(seconds, volume)
        return found


NOTHING = Movement(0.0, 0.0)


def sent_by(step: Step, size: float, parts: int) -> tuple[float, int]:
    """The bytes that a device sends in a ring for a step that begins with pieces of `size` bytes, and its rounds."""
    if step.kind == "reduce":
        return 2 * size * (parts - 1) / parts, 2 * (parts - 1)
    if step.kind in ("scatter", "swap"):
        return size * (parts - 1) / parts, parts - 1
    if step.kind == "gather":
        return size * (parts - 1), parts - 1
    return 0.0, 0


def _bytes(aval: Aval, placement: Placement, mesh: Mesh) -> int:
    return math.prod(local_shape(aval.shape, placement, mesh, 0)) * aval.dtype.itemsize


def placements(aval: Aval, mesh: Mesh, seen: Sequence[Placement]) -> list[Placement]:
    """The placements that a value may get at once, where several nodes use it: whole, or as one of them has it."""
    found: dict[Placement, None] = {mesh.whole: None}
    for placement in seen:
        found.setdefault(placement)
        found.setdefault(tuple([s if isinstance(s, Shard) else REPLICATE for s in placement]))
    return list(found)
