"""What lies in pieces between the runs of a program: parameters and the state of optimizers.

A process holds its piece of a parameter; the graph of a process takes that piece, and gives the piece of the new
value.  Which pieces, the search decides together with how operators are cut, for the first program that assigns a
parameter; all later programs take it as it lies.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch

from mindspore.ir import Aval, Graph, Node, param
from mindspore.operators.avals import aval_of

from .placement import REPLICATE, Mesh, Placement, Shard, local_shape, pieces, possible
from .splitting import Plan, Splitter

SMALLEST = 64 * 1024          # bytes: what a parallel optimizer leaves whole


class Spreading(NamedTuple):
    """What a parallel optimizer is asked for.

    Attributes:
        asked: Whether there is one.
        threshold: The bytes from which on it cuts parameters.
        most: Into how many pieces at most; -1 for as many as there are devices.
        again: Whether derivatives put parameters together anew, so that nobody holds the whole meanwhile.
    """

    asked: bool = False
    threshold: int = SMALLEST
    most: int = -1
    again: bool = False


@dataclass(frozen=True)
class Stored:
    """How a parameter lies over processes.

    Attributes:
        mesh: The processes.
        placement: What each axis of the mesh does to it: cuts a dimension, or repeats the piece.
        shape: The shape of the whole.
        owner: The stage of a pipeline that has it; -1 where there are no stages, or all have it.
        here: Whether this process is in that stage; others have nothing of it.
    """

    mesh: Mesh
    placement: Placement
    shape: tuple[int, ...]
    owner: int = -1
    here: bool = True

    def local(self, device: int) -> tuple[int, ...]:
        """The shape of the piece of a device."""
        return local_shape(self.shape, self.placement, self.mesh, device)

    def piece(self, whole: torch.Tensor, device: int) -> torch.Tensor:
        """The piece of a device, with memory of its own."""
        if not self.here:
            return whole.new_zeros(0)
        found = whole
        for state, n, c in zip(self.placement, self.mesh.shape, self.mesh.place(device), strict=True):
            if isinstance(state, Shard):
                lengths = pieces(found.shape[state.dim], n, state.unit)
                found = found.narrow(state.dim, sum(lengths[:c]), lengths[c])
        return found.clone(memory_format=torch.contiguous_format)

    def whole(self, piece: torch.Tensor, device: int, group: Callable[[Sequence[int]], str]) -> torch.Tensor:
        """The whole tensor, put together from the pieces; all processes call this together."""
        wanted, held = self.mesh.whole, aval_of(piece)
        here, source = param(held), param(Aval(self.shape, held.dtype))
        splitter = Splitter(Plan(self.mesh, {}), device, group)
        graph = splitter.moving(source, here, self.placement, wanted)
        known: dict[int, Any] = {id(here): piece}
        for node in graph.nodes:
            known[id(node)] = node.op.kernel(*[known[id(x)] for x in node.inputs], **node.attrs)
        return known[id(graph.outs[0])]


@dataclass
class Storing:
    """Which inputs of a graph may lie in pieces, and which of its results replace them.

    Attributes:
        fixed: The placements of those that lie somewhere already, by id of their nodes.
        free: The ids of those whose placement is to be decided.
        spread: The ids of those that are cut as far as can be, as a parallel optimizer does.
        most: Into how many pieces these are cut at most; -1 for any number.
        results: By number of a result, the id of the input that it replaces.
        follows: By id of the state of an optimizer the id of its parameter, as which it lies.
    """

    fixed: dict[int, Placement] = field(default_factory=dict[int, Placement])
    free: set[int] = field(default_factory=set[int])
    spread: set[int] = field(default_factory=set[int])
    most: int = -1
    results: dict[int, int] = field(default_factory=dict[int, int])
    follows: dict[int, int] = field(default_factory=dict[int, int])

    def options(self, node: Node, mesh: Mesh, seen: Sequence[Placement]) -> list[Placement]:
        """The placements among which an input may lie: whole, or as a node that uses it asks for."""
        if id(node) in self.fixed:
            return [self.fixed[id(node)]]
        if id(node) not in self.free:
            return [mesh.whole]
        found: dict[Placement, None] = {mesh.whole: None}
        for placement in seen:
            plain = tuple([s if isinstance(s, Shard) else REPLICATE for s in placement])
            if writable(plain, node.aval.shape, mesh) and possible(node.aval.shape, plain, mesh):
                found.setdefault(plain)
        if id(node) in self.spread:
            parts = {p: pieces_of(p, mesh) for p in found}
            most = max([n for n in parts.values() if self.most < 1 or n <= self.most])
            return [p for p in found if parts[p] == most]
        return list(found)


def pieces_of(placement: Placement, mesh: Mesh) -> int:
    """In how many pieces a tensor lies."""
    found = 1
    for state, n in zip(placement, mesh.shape, strict=True):
        found *= n if isinstance(state, Shard) else 1
    return found


def writable(placement: Placement, shape: Sequence[int], mesh: Mesh) -> bool:
    """Whether files can say how pieces lie.

    Axes that cut one dimension stand side by side, and are one axis there; pieces are equally long, or the rows of one
    axis are shared out one by one.
    """
    for dim in {s.dim for s in placement if isinstance(s, Shard)}:
        at = [k for k, s in enumerate(placement) if isinstance(s, Shard) and s.dim == dim]
        unit = max([s.unit for s in placement if isinstance(s, Shard) and s.dim == dim])
        if at[-1] - at[0] >= len(at):
            return False
        if shape[dim] % (unit * math.prod([mesh.shape[k] for k in at])) and (len(at) > 1 or unit > 1):
            return False
    return True


def storing_of(graph: Graph, captured: Sequence[Any], replaced: Mapping[int, int],
               spreading: Spreading) -> Storing:
    """What of a program may lie in pieces.

    Args:
        graph: The program; its last parameters are `captured`.
        captured: Tensors and parameters; what lies in pieces has `stored`.
        replaced: By number of a result, the place among `captured` of the parameter that it is for.
        spreading: What a parallel optimizer is asked for.
    """
    first = len(graph.params) - len(captured)
    found = Storing(results={k: id(graph.params[first + at]) for k, at in replaced.items()}, most=spreading.most)
    assigned = set(replaced.values())
    for at, tensor in enumerate(captured):
        node, stored = graph.params[first + at], getattr(tensor, "stored", None)
        if stored is not None:
            found.fixed[id(node)] = stored.placement
        elif at in assigned:
            found.free.add(id(node))
            if (spreading.asked and getattr(tensor, "parallel_optimizer", True)
                    and tensor.nbytes >= spreading.threshold):
                found.spread.add(id(node))
    named = {getattr(t, "name", None): (id(n), n.aval.shape) for n, t in zip(graph.params[first:], captured,
                                                                            strict=True) if id(n) in found.free}
    for node, tensor in zip(graph.params[first:], captured, strict=True):
        rest: str = getattr(tensor, "name", None) or ""
        while "." in rest and id(node) in found.free:
            rest = rest.partition(".")[2]
            if rest in named and named[rest][1] == node.aval.shape:
                found.follows[id(node)] = named[rest][0]
                break
    return found
