"""Where the pieces of a tensor lie: a mesh of devices, and for each of its axes what that axis does to the tensor.

    placement = (Shard(0), REPLICATE, Partial("sum"))     # one state for each axis of the mesh

Pieces need not be equally long: of n rows the first n % k of k devices have one more.  Where several axes cut one
dimension, the first of them cuts the whole, the next one the pieces of that, and so on.
"""
from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Shard(NamedTuple):
    """The axis cuts a dimension; what belongs together in it (`unit` elements) stays together."""

    dim: int
    unit: int = 1

    def __str__(self) -> str:
        return f"S{self.dim}" + (f"/{self.unit}" if self.unit > 1 else "")


class Partial(NamedTuple):
    """Every device has a part of each element: the sum (or maximum, minimum, product) of them is its value."""

    kind: str = "sum"

    def __str__(self) -> str:
        return f"P{self.kind}"


class Replicate(NamedTuple):
    """Every device has the whole tensor."""

    def __str__(self) -> str:
        return "R"


REPLICATE = Replicate()
State = Shard | Partial | Replicate
Placement = tuple[State, ...]


def shown(placement: Placement) -> str:
    """The placement as a short text."""
    return ",".join(map(str, placement))


@dataclass(frozen=True)
class Mesh:
    """A grid of devices; the last axis runs fastest.

    Args:
        shape: The number of devices along each axis; () for one device.
    """

    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        if any([n < 2 for n in self.shape]):
            raise ValueError(f"The axes of a mesh must have 2 devices and more, but got {self.shape}.")

    @property
    def size(self) -> int:
        """The number of devices."""
        return math.prod(self.shape)

    @property
    def whole(self) -> Placement:
        """The placement of a tensor that every device has."""
        return (REPLICATE,) * len(self.shape)

    def place(self, device: int) -> tuple[int, ...]:
        """The coordinates of a device."""
        found: list[int] = []
        for n in reversed(self.shape):
            device, c = divmod(device, n)
            found.append(c)
        return tuple(found[::-1])

    def line(self, device: int, axis: int) -> list[int]:
        """The devices whose coordinates differ from those of `device` along one axis only."""
        stride = math.prod(self.shape[axis + 1:])
        first = device - self.place(device)[axis] * stride
        return [first + k * stride for k in range(self.shape[axis])]


def mesh_of(devices: int) -> Mesh:
    """The mesh with an axis for each prime factor of the number of devices, the largest first."""
    factors: list[int] = []
    n, p = devices, 2
    while n > 1:
        while n % p == 0:
            factors.append(p)
            n //= p
        p += 1
    return Mesh(tuple(sorted(factors, reverse=True)))


def meshes_of(devices: int) -> list[Mesh]:
    """The meshes of one and two axes that so many devices can form, one axis first."""
    if devices < 2:
        return [Mesh(())]
    pairs = [(n, devices // n) for n in range(2, devices // 2 + 1) if devices % n == 0]
    return [Mesh((devices,)), *[Mesh(pair) for pair in pairs]]


def pieces(extent: int, parts: int, unit: int = 1) -> list[int]:
    """How long the pieces of a dimension are."""
    rows = extent // unit
    return [(rows // parts + (k < rows % parts)) * unit for k in range(parts)]


def local_shape(shape: Sequence[int], placement: Placement, mesh: Mesh, device: int) -> tuple[int, ...]:
    """The shape of the piece that a device has."""
    found = list(shape)
    for state, parts, c in zip(placement, mesh.shape, mesh.place(device), strict=True):
        if isinstance(state, Shard):
            found[state.dim] = pieces(found[state.dim], parts, state.unit)[c]
    return tuple(found)


def possible(shape: Sequence[int], placement: Placement, mesh: Mesh) -> bool:
    """Whether no device is left without rows."""
    rows = list(shape)
    for state, parts in zip(placement, mesh.shape, strict=True):
        if isinstance(state, Shard):
            rows[state.dim] = pieces(rows[state.dim], parts, state.unit)[-1]
    return all([a > 0 or b == 0 for a, b in zip(rows, shape, strict=True)])


def simplest(shape: Sequence[int], placement: Placement, mesh: Mesh) -> Placement:
    """The placement without units that make no difference, since the pieces are equally long."""
    if not any([isinstance(s, Shard) and s.unit > 1 for s in placement]):
        return placement
    rows, found = list(shape), list(placement)
    for k, (state, parts) in enumerate(zip(placement, mesh.shape, strict=True)):
        if isinstance(state, Shard):
            if rows[state.dim] % (parts * state.unit):
                return tuple(found)
            found[k] = Shard(state.dim)
            rows[state.dim] //= parts
    return tuple(found)


class Step(NamedTuple):
    """One step of a change of placement: `kind` along an axis of the mesh.

    Attributes:
        kind: "reduce", "scatter" (both of partial values), "gather", "swap" (of dimensions), "slice", or "part" (the
            first device keeps the value, the others have zeros).
        axis: The axis of the mesh.
        state: The state of that axis before.
        wanted: Its state after.
    """

    kind: str
    axis: int
    state: State
    wanted: State


def steps(now: Placement, wanted: Placement) -> Iterator[Step]:
    """The steps from one placement to another, those that make tensors smaller first.

    A dimension that several axes cut is put together from the last axis on.
    """
    state = list(now)

    def go(kind: str, axis: int, to: State) -> Step:
        step = Step(kind, axis, state[axis], to)
        state[axis] = to
        return step

    for axis, to in enumerate(wanted):
        if isinstance(state[axis], Partial) and state[axis] != to:
            scatters = isinstance(to, Shard) and state[axis] == Partial() and _free(state, wanted, axis)
            yield go("scatter" if scatters else "reduce", axis, to if scatters else REPLICATE)
    yield from _sliced(state, wanted, go)
    for axis in reversed(range(len(wanted))):
        old, to = state[axis], wanted[axis]
        if not isinstance(old, Shard) or (old == to and not _blocked(state, wanted, axis)):
            continue
        if isinstance(to, Shard) and to.dim != old.dim and _last(state, axis) and _free(state, wanted, axis):
            yield go("swap", axis, to)
        else:
            yield go("gather", axis, REPLICATE)
    yield from _sliced(state, wanted, go)
    for axis, to in enumerate(wanted):
        if state[axis] == REPLICATE and isinstance(to, Partial):
            yield go("part", axis, to)


class Hop(NamedTuple):
    """A step of a change of placement, and the placement before it."""

    step: Step
    state: Placement


_hops: dict[Hop, Hop] = {}


@functools.lru_cache(1 << 16)
def path(now: Placement, wanted: Placement) -> tuple[Hop, ...]:
    """The steps from one placement to another; equal hops of all paths are one object."""
    found: list[Hop] = []
    state = list(now)
    for step in steps(now, wanted):
        hop = Hop(step, tuple(state))
        found.append(_hops.setdefault(hop, hop))
        state[step.axis] = step.wanted
    return tuple(found)


@functools.lru_cache(256)
def paths(starts: tuple[Placement, ...], ends: tuple[Placement, ...]) -> list[list[tuple[Hop, ...]]]:
    """The paths from each of some placements to each of others."""
    return [[path(now, wanted) for wanted in ends] for now in starts]


def _sliced(state: list[State], wanted: Placement,
            go: Callable[[str, int, State], Step]) -> Iterator[Step]:
    for axis, to in enumerate(wanted):
        if state[axis] == REPLICATE and isinstance(to, Shard) and _free(state, wanted, axis):
            yield go("slice", axis, to)


def _free(state: Sequence[State], wanted: Placement, axis: int) -> bool:
    """Whether the dimension that the axis shall cut is cut by the axes before it as wanted, and by none after it."""
    dim = getattr(wanted[axis], "dim", None)

    def cut(line: Sequence[State], k: int) -> State | None:
        return line[k] if getattr(line[k], "dim", None) == dim else None
    return all([cut(state, k) == cut(wanted, k) for k in range(axis)]) and all(
        [cut(state, k) is None for k in range(axis + 1, len(wanted))])


def _last(state: Sequence[State], axis: int) -> bool:
    """Whether no axis after this one cuts the same dimension."""
    dim = getattr(state[axis], "dim", None)
    return all([getattr(s, "dim", None) != dim for s in state[axis + 1:]])


def _blocked(state: Sequence[State], wanted: Placement, axis: int) -> bool:
    """Whether an axis before this one changes what it does to the dimension, so that this one must give it up."""
    dim = getattr(state[axis], "dim", None)
    return any([state[k] != wanted[k] and dim in (getattr(state[k], "dim", None), getattr(wanted[k], "dim", None))
                for k in range(axis)])


def products(options: Sequence[Sequence[State]]) -> list[Placement]:
    """All placements of one option for each axis."""
    return list(itertools.product(*options))
