"""The blocks of a program, and what they cost: the search for a plan, once for each kind of block.

The layers of a network are the cells of the container that holds most of its operators, as a SequentialCell or a
CellList.  A block is a layer with its derivative; what comes before the layers is the first block, what comes after
them the last one.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mindspore.ir import ITEM, Aval, Graph, Node

from .arrangements import Elements
from .blocks import Block, Cluster
from .choices import is_tensor, kind_of
from .costs import Machine
from .placement import Mesh
from .report import time_of
from .search import Found, searched
from .storing import Storing

SHARED = 64                    # devices that share a block, at most

# The best plan of a graph for some devices; by id of an input of the graph the id of that of the program.
Planner = Callable[[Graph, Callable[[], Storing], int, Mapping[int, int]], Found]


class Traced:
    """The tables of a program.

    Args:
        graph: A training step for one part of a batch.
        storing: Gives what of it may lie in pieces.
        machine: What devices and links can do.
        planner: Finds the plan of a block. Default: the best of a mesh of one axis.

    Attributes:
        wrong: Why blocks could not be shared by some devices, `most` of those that were tried; None if they could.

    Raises:
        ValueError: The program has no layers.
    """

    wrong: ValueError | None = None
    most = 0

    def __init__(self, graph: Graph, storing: Callable[[], Storing], machine: Machine, planner: Planner | None = None):
        self.graph, self.storing, self.machine = graph, storing(), machine
        self.planner = planner or (lambda graph, storing, shared, _: searched(
            graph, Mesh((shared,) if shared > 1 else ()), machine, storing=storing()))
        self.layers = layers_of(graph)
        self.parts = self._parts()
        self.known: dict[Any, Block] = {}

    def elements(self) -> Elements:
        """The bytes of an element of parameters: itself, its gradient, the states of the optimizer."""
        weights = sum([_bytes(p.aval) for p in self.graph.params if self._is_weight(p)])
        states = sum([_bytes(p.aval) for p in self.graph.params if id(p) in self.storing.follows])
        count = sum([math.prod(p.aval.shape) for p in self.graph.params if self._is_weight(p)])
        each = weights / count if count else 0.0
        return Elements(each, each, states / count if count else 0.0)

    def __call__(self, shared: int, samples: int) -> Sequence[Block] | None:
        """The blocks where `shared` devices compute each of them, for `samples` times the inputs of the program."""
        if shared > SHARED:
            return None
        found: list[Block] = []
        for part in self.parts:
            numbers = {id(x): k for k, x in enumerate([*part.graph.params, *part.graph.nodes])}
            key = shared, tuple([(kind_of(n)[0], kind_of(n)[2:], tuple([numbers.get(id(x), repr(x)) for x in n.inputs]))
                                 for n in part.graph.nodes]), tuple([p.aval for p in part.graph.params])
            if repr(key) not in self.known:
                try:
                    self.known[repr(key)] = part.block(shared, self.machine, self.planner)
                except ValueError as error:            # of strategies for another number of devices
                    if shared >= self.most:
                        self.wrong, self.most = error, shared
                    return None
            found.append(scaled(self.known[repr(key)], samples))
        return found

    def _is_weight(self, p: Node) -> bool:
        return id(p) in self.storing.free and id(p) not in self.storing.follows and p.aval.dtype.is_floating \
            and id(p) in self.used

    def _parts(self) -> list[Part]:
        home = homes(self.graph, self.layers)
        last = max(home.values())
        lines: list[list[Node]] = [[] for _ in range(last + 1)]
        for n in self.graph.nodes:
            if id(n) in home:
                lines[home[id(n)]].append(n)
        self.used = {id(x) for line in lines for n in line for x in n.inputs}
        return [Part(line, self.graph, home, self._is_weight) for line in lines]


def layers_of(graph: Graph) -> tuple[str, ...]:
    """The place of the container whose numbered cells hold most operators.

    Raises:
        ValueError: There is none with two of them.
    """
    counts: dict[tuple[str, ...], dict[str, int]] = {}
    for n in graph.nodes:
        if n.origin.phase == "forward" and n.op is not ITEM:
            for k, name in enumerate(n.origin.scope):
                if name.isdecimal():
                    cells = counts.setdefault(tuple(n.origin.scope[:k]), {})
                    cells[name] = cells.get(name, 0) + 1
    found = {place: sum(cells.values()) for place, cells in counts.items() if len(cells) > 1}
    if not found:
        raise ValueError("For 'explain', stages need layers, but the program has no SequentialCell or CellList with "
                         "several cells that compute. Leave out 'batch'.")
    return max(found, key=lambda place: (found[place], -len(place)))


def homes(graph: Graph, layers: tuple[str, ...]) -> dict[int, int]:
    """By id of a node of the forward and the backward pass the number of its block."""
    depth, found = len(layers), dict[int, int]()
    names: dict[str, int] = {}
    for n in graph.nodes:
        scope = n.origin.scope
        if n.origin.phase == "forward" and tuple(scope[:depth]) == layers and len(scope) > depth:
            names.setdefault(scope[depth], len(names) + 1)
    now, turned = 0, False
    for n in graph.nodes:
        scope = n.origin.scope
        if n.origin.phase not in ("forward", "reverse"):
            continue
        inside = tuple(scope[:depth]) == layers and len(scope) > depth and scope[depth] in names
        if n.origin.phase == "reverse" and not turned:
            now, turned = len(names) + 1, True
        if inside:
            now = names[scope[depth]]
        elif now == len(names) and not turned:
            now += 1
        elif now == 1 and turned and n.origin.phase == "reverse":
            now = 0
        found[id(n)] = now
    return found


class Part:
    """One block of a program as a graph of its own."""

    def __init__(self, line: Sequence[Node], graph: Graph, home: dict[int, int], is_weight: Callable[[Node], bool]):
        mine = {id(n) for n in line}
        self.made: dict[int, Node] = {}
        self.source: dict[int, int] = {}           # by id of an input the id of that node of the program
        self.weights: list[Node] = []
        self.graph = Graph("block")
        inputs: list[Node] = []
        for n in line:
            for x in n.inputs:
                if type(x) is Node and id(x) not in mine and id(x) not in self.made:
                    copy = x.like(None, (), {}, x.aval)
                    self.made[id(x)] = copy
                    self.source[id(copy)] = id(x)
                    self.graph.params.append(copy)
                    if is_weight(x):
                        self.weights.append(copy)
                    elif id(x) in home:
                        inputs.append(x)
            if n.op is ITEM:
                continue
            made = n.like(n.op, tuple([self.made.get(id(x), x) if type(x) is Node else x for x in n.inputs]),
                          n.attrs, n.aval)
            self.made[id(n)] = made
            self.graph.nodes.append(made)
            if n.items:
                self.graph.nodes.extend(made.with_items())
                self.made.update({id(old): new for old, new in zip(n.items, made.items, strict=True)})
        outer = {id(x) for n in graph.nodes if id(n) not in mine for x in n.inputs} | {
            id(x) for x in graph.outs if type(x) is Node}
        self.graph.outs = [self.made[id(n)] for n in line if id(n) in outer and is_tensor(n)]
        taken = {id(x) for n in graph.nodes if id(n) not in mine and n.origin.phase == "forward" for x in n.inputs}
        self.passed = sum([_bytes(n.aval) for n in line if n.origin.phase == "forward" and id(n) in taken
                           and is_tensor(n)])
        self.entering = sum([_bytes(x.aval) for x in inputs if x.origin.phase == "forward" and is_tensor(x)])

    def block(self, shared: int, machine: Machine, planner: Planner) -> Block:
        """What it costs on some devices.

        Raises:
            ValueError: Strategies of the program are for another number of devices.
        """
        found = planner(self.graph, self._storing, shared, self.source)
        mesh = found.plan.mesh
        times = [(n, time_of(n, found, machine)) for n in self.graph.nodes if n.op is not ITEM]
        whole = sum([t for _, t in times]) or 1.0
        forward = sum([t for n, t in times if n.origin.phase == "forward"]) / whole * found.seconds
        light = sum([t for n, t in times if n.origin.phase == "forward" and not _heavy(n)]) / whole * found.seconds
        kept, few = self._saved(found, mesh, machine)
        weights = sum([machine.bytes(p.aval, found.plan.lie(p), mesh) / p.aval.dtype.itemsize for p in self.weights])
        entering = float(self.entering)
        return Block(forward, found.seconds - forward, (0.0, light, forward), (kept, few, min(entering, few)),
                     kept, weights, float(self.passed), found.gap)

    def _storing(self) -> Storing:
        """Weights may lie in pieces, and their gradients as they do."""
        results: dict[int, int] = {}
        free = {id(p) for p in self.weights}
        places = {(n.origin.scope, x.aval.shape): id(x) for n in self.graph.nodes if n.origin.phase == "forward"
                  for x in n.inputs if id(x) in free}
        for k, out in enumerate(self.graph.outs):
            weight = places.pop((out.origin.scope, out.aval.shape), None) if out.origin.phase == "reverse" else None
            if weight is not None:
                results[k] = weight
        return Storing(free=free, results=results)

    def _saved(self, found: Found, mesh: Mesh, machine: Machine) -> tuple[float, float]:
        """The bytes that the backward pass needs of the forward pass; those of them that products gave."""
        kept: dict[int, Node] = {}
        weights = {id(p) for p in self.weights}
        for n in self.graph.nodes:
            if n.origin.phase == "reverse" and n.op is not ITEM:
                kept.update({id(x): x for x in n.inputs if is_tensor(x) and x.origin.phase == "forward"
                             and id(x) not in weights})
        sizes = {k: machine.bytes(x.aval, found.plan.lie(x), mesh) for k, x in kept.items()}
        few = [k for k, x in kept.items() if x.op is None or _heavy(x.inputs[0] if x.op is ITEM else x)]
        return float(sum(sizes.values())), float(sum([sizes[k] for k in few]))


def scaled(block: Block, samples: int) -> Block:
    """A block for more samples: all but the weights grows with them."""
    def more(x: tuple[float, float, float]) -> tuple[float, float, float]:
        return x[0] * samples, x[1] * samples, x[2] * samples
    return Block(block.forward * samples, block.backward * samples, more(block.again), more(block.saved),
                 block.working * samples, block.weights, block.passed * samples, block.gap)


def cluster_of(machine: Machine, room: float, devices: int) -> Cluster:
    """Devices as a file describes them, all of them neighbours, of whose messages nothing is hidden."""
    return Cluster(machine.flops, machine.memory, room, devices, machine.link[-1], machine.link[-1], machine.latency,
                   machine.latency, 0.0)


def _heavy(n: Node) -> bool:
    return bool(getattr(n.op, "cost_rule", None))


def _bytes(aval: Any) -> float:
    return sum([math.prod([n for n in a.shape if isinstance(n, int)]) * a.dtype.itemsize
                for a in ((aval,) if type(aval) is Aval else aval) if type(a) is Aval])
