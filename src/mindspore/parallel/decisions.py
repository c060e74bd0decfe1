"""The decisions for a graph: how each node is computed, and how values lie that several nodes use."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore.ir import ITEM, Aval, Graph, Node, avals_of

from .choices import Choice, Part, is_tensor, kind_of
from .costs import Machine, placements
from .elimination import Problem
from .placement import Mesh, Placement
from .splitting import Plan


class Values:
    """The decisions for the nodes of a graph and for the values that several of them use."""

    def __init__(self, graph: Graph, mesh: Mesh, machine: Machine):
        self.mesh, self.machine, self.whole = mesh, machine, (mesh.whole,)
        self.nodes: dict[int, tuple[int, Sequence[Choice]]] = {}
        self.things: dict[int, list[tuple[int, list[Part]]]] = {}
        self.lie: dict[tuple[int, int], tuple[int, tuple[Placement, ...]]] = {}     # results, by node and number
        self.forms: dict[int, tuple[int, tuple[Placement, ...]]] = {}
        self.stores: dict[int, tuple[int, tuple[Placement, ...]]] = {}
        self.edges: list[tuple[Node, Node, int]] = []
        self.users: dict[int, int] = {}
        for x in [*[x for n in graph.nodes if n.op is not ITEM for x in n.inputs], *graph.outs]:
            self.users[id(x)] = self.users.get(id(x), 0) + 1
        self.tables: dict[Any, np.ndarray] = {}
        self.moves: dict[Any, np.ndarray] = {}
        self.times: dict[Any, np.ndarray] = {}
        self.lines: dict[Any, tuple[Placement, ...]] = {}
        self.lists: dict[tuple[Placement, ...], tuple[Placement, ...]] = {}
        self.free: dict[int, np.ndarray] = {}
        self.whole_bytes = 0.0         # of what lies whole everywhere

    def _one(self, line: Sequence[Placement]) -> tuple[Placement, ...]:
        """The one list that is equal to a list, so that lists are told apart by their ids."""
        found = tuple(line)
        return self.lists.setdefault(found, found)

    def _line(self, ways: Sequence[Choice], k: int, result: bool) -> tuple[Placement, ...]:
        """The placements of an input or a result for all ways of one list."""
        key = id(ways), k, result
        if key not in self.lines:
            self.lines[key] = self._one([way.outs[k] if result else way.inputs[k] or self.mesh.whole for way in ways])
        return self.lines[key]

    def node(self, problem: Problem, node: Node, ways: Sequence[Choice]) -> None:
        """Decide how a node is computed."""
        key = kind_of(node), id(ways)
        if key not in self.times:
            self.times[key] = np.array([self.machine.compute(node, way, self.mesh) for way in ways])
        d = problem.decision(self.times[key])
        self.nodes[id(node)] = d, ways
        for k, x in enumerate(node.inputs):
            if is_tensor(x) and not x.aval.weak:
                self._edge(problem, x, d, self._line(ways, k, False))
                self.edges.append((x, node, k))
        for r, value in enumerate(_results(node)):
            self._result(problem, node, r, value, d, self._line(ways, r, True))

    def several(self, problem: Problem, node: Node, things: list[list[Part]]) -> None:
        """Decide how each of the things is computed that a node does."""
        results, served = _results(node), set[int]()
        line = self.things[id(node)] = []
        for parts in things:
            d = problem.decision(self._times(node, parts))
            line.append((d, parts))
            for k in parts[0].inputs:
                self._edge(problem, node.inputs[k], d, self._one([p.inputs[k] for p in parts]))
                served.add(k)
            for r in parts[0].outs:
                self._result(problem, node, r, results[r], d, self._one([p.outs[r] for p in parts]))
        for k, x in enumerate(node.inputs):
            if is_tensor(x) and not x.aval.weak:
                self.edges.append((x, node, k))
                source = self._source(x) if k not in served else None
                if source is not None:
                    problem.alone(source[0], self._table(x.aval, source[1], self.whole)[:, 0])

    def _times(self, node: Node, parts: list[Part]) -> np.ndarray:
        key = tuple([p.labels and tuple(map(bool, p.labels)) for p in parts]), tuple(
            [node.inputs[k].aval for k in parts[0].inputs]), self._one([q for p in parts for q in p.inputs.values()])
        if key not in self.times:
            whole = [node.inputs[k].aval for k in parts[0].inputs]
            outs = [avals_of(node)[r] for r in parts[0].outs]
            self.times[key] = np.array([self.machine.sweep([*zip(whole, p.inputs.values(), strict=True), *zip(
                outs, p.outs.values(), strict=True)], self.mesh) for p in parts])
        return self.times[key]

    def _result(self, problem: Problem, node: Node, r: int, value: Node, d: int, lie: tuple[Placement, ...]) -> None:
        """Where a result lies, and as what several users get it."""
        self.lie[id(node), r] = d, lie
        if self.users.get(id(value), 0) > 1 and type(avals_of(node)[r]) is Aval:
            self._form(problem, value, d, lie)

    def _form(self, problem: Problem, x: Node, d: int, lie: tuple[Placement, ...]) -> None:
        key = id(lie), "forms"
        if key not in self.lines:
            self.lines[key] = self._one(placements(x.aval, self.mesh, lie))
        line = self.lines[key]
        f = problem.decision(self.free.setdefault(len(line), np.zeros(len(line))))
        self.forms[id(x)] = f, line
        problem.between(d, f, self._table(x.aval, lie, line))

    def store(self, problem: Problem, x: Node, line: Sequence[Placement]) -> None:
        """Decide how an input lies between runs, and as what several users get it."""
        lie = self._one(line)
        self._stored(problem, x, problem.decision(self._holding(x.aval, lie)), lie)

    def store_as(self, problem: Problem, x: Node, other: int) -> None:
        """Let an input lie as another one, by id."""
        d, line = self.stores[other]
        problem.alone(d, self._holding(x.aval, line))
        self._stored(problem, x, d, line)

    def _holding(self, aval: Aval, line: tuple[Placement, ...]) -> np.ndarray:
        key = aval, id(line), "hold"
        if key not in self.tables:
            self.tables[key] = np.array([self.machine.hold(aval, p, self.mesh) for p in line])
        return self.tables[key]

    def _stored(self, problem: Problem, x: Node, d: int, line: tuple[Placement, ...]) -> None:
        self.stores[id(x)] = d, line
        if self.users.get(id(x), 0) > 1:
            self._form(problem, x, d, line)

    def hold(self, problem: Problem, graph: Graph) -> None:
        """Count what is held: inputs, and results that nodes of another phase use, each once."""
        later = {id(x): x for n in graph.nodes for x in (n.inputs if n.op is not ITEM else ()) if is_tensor(x)
                 and not getattr(_node_of(x).op, "view", False) and _node_of(x).origin.phase != n.origin.phase}
        for x in [*graph.params, *[x for k, x in later.items() if k not in self.stores and x.op is not None]]:
            source = self.stores.get(id(x)) or self._source(x)
            if source is None:
                self.whole_bytes += self.machine.bytes(x.aval, self.mesh.whole, self.mesh) if is_tensor(x) else 0
                continue
            key = x.aval, id(source[1]), "bytes"
            if key not in self.tables:
                self.tables[key] = np.array([self.machine.bytes(x.aval, p, self.mesh) for p in source[1]], np.float64)
            problem.hold(source[0], self.tables[key])

    def needed(self, problem: Problem, out: Node, replaced: int | None) -> None:
        """A result of the graph is whole on every device, or lies as the input does that it replaces."""
        source = self._source(out)
        d, lie = source if source is not None else (None, self.whole)
        to, wanted = self.stores.get(replaced or 0, (None, self.whole))
        costs = self._table(out.aval, lie, wanted)
        if d is not None and to is not None:
            if d != to:
                problem.between(d, to, costs)
        elif d is not None:
            problem.alone(d, costs[:, 0])
        elif to is not None:
            problem.alone(to, costs[0])

    def _source(self, x: Node) -> tuple[int, tuple[Placement, ...]] | None:
        """The decision that says where a value lies; None for what is whole."""
        if id(x) in self.forms:
            return self.forms[id(x)]
        if id(x) in self.stores:
            return self.stores[id(x)]
        node, r = (x.inputs[0], x.attrs["i"]) if x.op is ITEM else (x, 0)
        return self.lie.get((id(node), r))

    def _edge(self, problem: Problem, x: Node, d: int, wanted: tuple[Placement, ...]) -> None:
        source = self._source(x)
        if source is None:
            key = x.aval, id(wanted), "whole"
            if key not in self.tables:
                self.tables[key] = self._table(x.aval, self.whole, wanted)[0]
            problem.alone(d, self.tables[key])
        elif source[0] != d:
            problem.between(source[0], d, self._table(x.aval, source[1], wanted))

    def _table(self, aval: Aval, now: tuple[Placement, ...], wanted: tuple[Placement, ...]) -> np.ndarray:
        """The seconds of the movements from each placement of one list to each of the other."""
        key = aval, id(now), id(wanted)
        if key not in self.tables:
            rows, columns = self._one([*dict.fromkeys(now)]), self._one([*dict.fromkeys(wanted)])
            small = aval, id(rows), id(columns)
            if small not in self.moves:
                self.moves[small] = self.machine.moves(aval, rows, columns, self.mesh)
            row, column = {a: k for k, a in enumerate(rows)}, {b: k for k, b in enumerate(columns)}
            self.tables[key] = self.moves[small][np.ix_([row[a] for a in now], [column[b] for b in wanted])]
        return self.tables[key]

    def volume(self, plan: Plan, graph: Graph) -> float:
        """The bytes that a device sends in a plan; a movement to one placement counts once."""
        total = sum([self.machine.sent_inside(n, plan.chosen[id(n)], self.mesh) for n in graph.nodes
                     if id(n) in plan.chosen])
        seen, whole = set[Any](), self.mesh.whole

        def lie(x: Node) -> Placement:
            node, r = (x.inputs[0], x.attrs["i"]) if x.op is ITEM else (x, 0)
            choice = plan.chosen.get(id(node))
            return choice.outs[r] if choice is not None else plan.stored.get(id(x), whole)
        wanted = [(x, plan.chosen[id(node)].inputs[k] or whole) for x, node, k in self.edges]
        wanted += [(x, plan.results.get(k, whole)) for k, x in enumerate(graph.outs) if is_tensor(x)]
        for x, to in wanted:
            now = lie(x)
            if id(x) in plan.kept and (id(x), None) not in seen:
                seen.add((id(x), None))
                total += self.machine.move(x.aval, now, plan.kept[id(x)], self.mesh).volume
            now = plan.kept.get(id(x), now)
            if (id(x), to) not in seen:
                seen.add((id(x), to))
                total += self.machine.move(x.aval, now, to, self.mesh).volume
        return total


def _results(node: Node) -> Sequence[Node]:
    """The nodes that stand for the results of one."""
    return (node,) if type(node.aval) is Aval else node.items


def _node_of(x: Node) -> Node:
    """The node that computes a value."""
    return x.inputs[0] if x.op is ITEM else x
