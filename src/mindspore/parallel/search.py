"""The plan of the least time: exact, by eliminating one decision after the other.

Decisions are how each node is computed, and which placement a value gets that several nodes use.  The time is a sum of
tables of one decision (its own time) and of two (the movement between them).  To eliminate a decision, the tables that
hold it are added up, and the least entry over it is kept for each choice of its neighbours; going back gives the
choices.  The order takes the smallest table next.
"""
from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mindspore.ir import ITEM, Aval, Graph, Node, avals_of

from .choices import Choice, choices, is_tensor, kind_of, whole_choice
from .costs import Machine, placements
from .placement import Mesh, Placement
from .splitting import Plan
from .storing import Storing

LARGEST = 1 << 24              # entries of a table


class TooWide(Exception):
    """A table would have more than `LARGEST` entries."""


@dataclass
class Found:
    """A plan and what is known of it.

    Attributes:
        plan: The plan.
        seconds: Its time by the cost model.
        exact: Whether no plan of the same space takes less.
        volume: The bytes that each device sends.
    """

    plan: Plan
    seconds: float
    exact: bool
    volume: float = 0.0


class Problem:
    """Decisions, and tables of what they cost."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.tables: list[tuple[tuple[int, ...], np.ndarray]] = []

    def decision(self, costs: Sequence[float]) -> int:
        """A new decision among so many choices, with their own costs."""
        self.sizes.append(len(costs))
        self.tables.append(((len(self.sizes) - 1,), np.asarray(costs, np.float64)))
        return len(self.sizes) - 1

    def between(self, a: int, b: int, costs: Any) -> None:
        """What two decisions cost together: a row for each choice of `a`."""
        self.tables.append(((a, b), np.asarray(costs, np.float64)))

    def solved(self) -> tuple[list[int], float]:
        """The best choice of every decision, and the sum of all tables for it.

        Raises:
            TooWide: A table would be too large.
        """
        tables, total = self._open()
        holding: list[set[int]] = [set() for _ in self.sizes]
        near: list[set[int]] = [set() for _ in self.sizes]
        for k, (scope, _) in tables.items():
            for d in scope:
                holding[d].add(k)
                near[d] |= set(scope) - {d}
        left = {d for d, n in enumerate(self.sizes) if n > 1}
        undo: list[tuple[int, list[int], np.ndarray]] = []
        size = {d: self._width(d, near) for d in left}
        line = [(n, d) for d, n in size.items()]
        heapq.heapify(line)
        while left:
            n, d = heapq.heappop(line)
            if d not in left or n != size[d]:         # its table has another size by now
                continue
            if n > LARGEST:
                raise TooWide
            left.discard(d)
            around = sorted(near[d])
            scope = [*around, d]
            table = np.zeros([self.sizes[a] for a in scope])
            for k in sorted(holding[d]):
                table += _fitted(*tables.pop(k), scope)
            for a in around:
                holding[a] = {k for k in holding[a] if k in tables}
                near[a] = (near[a] | set(around)) - {d, a}
            undo.append((d, around, table.argmin(-1)))
            rest = table.min(-1)
            if around:
                new = self._fresh = getattr(self, "_fresh", len(self.tables)) + 1
                tables[new] = tuple(around), rest
                for a in around:
                    holding[a].add(new)
                    size[a] = self._width(a, near)
                    heapq.heappush(line, (size[a], a))
            else:
                total += float(rest)
        found = [0] * len(self.sizes)
        for d, around, best in reversed(undo):
            found[d] = int(best[tuple([found[a] for a in around])])
        return found, total

    def _open(self) -> tuple[dict[int, tuple[tuple[int, ...], np.ndarray]], float]:
        """The tables without the decisions that have one choice only, and the sum of those that have no others."""
        found: dict[int, tuple[tuple[int, ...], np.ndarray]] = {}
        total = 0.0
        for k, (scope, table) in enumerate(self.tables):
            open_ = tuple([d for d in scope if self.sizes[d] > 1])
            if open_:
                found[k] = open_, table.reshape([self.sizes[d] for d in open_])
            else:
                total += float(table.sum())
        return found, total

    def _width(self, d: int, near: Sequence[set[int]]) -> int:
        return self.sizes[d] * math.prod([self.sizes[a] for a in near[d]])


def _fitted(scope: tuple[int, ...], table: np.ndarray, wanted: Sequence[int]) -> np.ndarray:
    """A table with an axis for each of the wanted decisions, of extent 1 where it does not hold it."""
    order = sorted(range(len(scope)), key=lambda k: wanted.index(scope[k]))
    shape = iter(table.transpose(order).shape)
    return table.transpose(order).reshape([next(shape) if d in scope else 1 for d in wanted])


# ---------------------------------------------------------------------- from a graph

def searched(graph: Graph, mesh: Mesh, machine: Machine | None = None,
             options: Callable[[Node], Sequence[Choice]] | None = None, storing: Storing | None = None) -> Found:
    """The plan of the least time for a graph; of plans that take the same time, one that holds less.

    Args:
        machine: What devices and links can do.
        options: The ways to compute a node, if not all of `choices`.
        storing: Which inputs and results may lie in pieces; None for none.
    """
    storing = storing or Storing()
    machine = machine or Machine()
    every: dict[Any, list[Choice]] = {}

    def known(node: Node) -> Sequence[Choice]:
        key = kind_of(node)
        if key not in every:
            every[key] = choices(node, mesh)
        return every[key]
    ways = options or known
    given = {id(n): ways(n) for n in graph.nodes if n.op is not ITEM}
    try:
        return _solved(graph, mesh, machine, given, storing)
    except TooWide:
        return _axis_by_axis(graph, mesh, machine, given, storing)


def _axis_by_axis(graph: Graph, mesh: Mesh, machine: Machine, given: Mapping[int, Sequence[Choice]],
                  storing: Storing) -> Found:
    """The best labels along the first axis where the others cut nothing, then along the next one, and so on."""
    fixed: dict[int, tuple[Any, ...]] = {k: ((),) * len(mesh.shape) for k in given}
    found: Found | None = None
    for axis in range(len(mesh.shape)):
        now = {k: [c for c in line if all([cut == fixed[k][a] for a, cut in enumerate(c.labels) if a != axis])]
               for k, line in given.items()}
        found = _solved(graph, mesh, machine, now, storing)
        fixed = {k: c.labels for k, c in found.plan.chosen.items()}
    assert found is not None
    found.exact = len(mesh.shape) == 1
    return found


def _solved(graph: Graph, mesh: Mesh, machine: Machine, given: Mapping[int, Sequence[Choice]],
            storing: Storing) -> Found:
    problem, made = Problem(), _Values(graph, mesh, machine)
    ways = {id(n): given[id(n)] or [whole_choice(n, mesh)] for n in graph.nodes if n.op is not ITEM}
    seen = _asked(graph, ways)
    for p in graph.params:
        seen.setdefault(storing.follows.get(id(p), id(p)), []).extend(seen.get(id(p), ()))
    for p in sorted(graph.params, key=lambda p: id(p) in storing.follows):
        if id(p) in storing.follows:
            made.store_as(problem, p, storing.follows[id(p)])
        elif id(p) in storing.free or id(p) in storing.fixed:
            made.store(problem, p, storing.options(p, mesh, seen[id(p)]))
    for node in graph.nodes:
        if node.op is not ITEM:
            made.node(problem, node, ways[id(node)])
    for k, out in enumerate(graph.outs):
        if is_tensor(out):
            made.needed(problem, out, storing.results.get(k))
    best, seconds = problem.solved()
    chosen = {k: line[best[d]] for k, (d, line) in made.nodes.items()}
    kept = {k: line[best[d]] for k, (d, line) in made.forms.items()}
    stored = {k: line[best[d]] for k, (d, line) in made.stores.items()}
    results = {k: stored[p] for k, p in storing.results.items() if p in stored}
    plan = Plan(mesh, chosen, kept, stored, results)
    return Found(plan, seconds, True, made.volume(plan, graph))


def _asked(graph: Graph, ways: Mapping[int, Sequence[Choice]]) -> dict[int, list[Placement]]:
    """The placements that nodes ask for, for each value by id."""
    found: dict[int, list[Placement]] = {}
    for node in graph.nodes:
        for k, x in enumerate(node.inputs if node.op is not ITEM else ()):
            if is_tensor(x):
                asked = dict.fromkeys([way.inputs[k] for way in ways[id(node)]])
                found.setdefault(id(x), []).extend([p for p in asked if p is not None])
    return found


class _Values:
    """The decisions for the nodes of a graph and for the values that several of them use."""

    def __init__(self, graph: Graph, mesh: Mesh, machine: Machine):
        self.mesh, self.machine = mesh, machine
        self.nodes: dict[int, tuple[int, Sequence[Choice]]] = {}
        self.forms: dict[int, tuple[int, list[Placement]]] = {}
        self.stores: dict[int, tuple[int, list[Placement]]] = {}
        self.edges: list[tuple[Node, Node, int]] = []
        self.users: dict[int, int] = {}
        for x in [*[x for n in graph.nodes if n.op is not ITEM for x in n.inputs], *graph.outs]:
            self.users[id(x)] = self.users.get(id(x), 0) + 1
        self.tables: dict[Any, np.ndarray] = {}
        self.times: dict[Any, list[float]] = {}

    def node(self, problem: Problem, node: Node, ways: Sequence[Choice]) -> None:
        """Decide how a node is computed."""
        key = kind_of(node), tuple([way.labels for way in ways])
        if key not in self.times:
            self.times[key] = [self.machine.compute(node, way, self.mesh) for way in ways]
        d = problem.decision(self.times[key])
        self.nodes[id(node)] = d, ways
        for k, x in enumerate(node.inputs):
            if is_tensor(x) and not x.aval.weak:
                self._edge(problem, x, d, [way.inputs[k] or self.mesh.whole for way in ways])
                self.edges.append((x, node, k))
        single = type(node.aval) is Aval
        for r, value in enumerate((node,) if single else node.items):
            if self.users.get(id(value), 0) > 1 and type(avals_of(node)[r]) is Aval:
                lie = [way.outs[r] for way in ways]
                line = placements(value.aval, self.mesh, lie)
                f = problem.decision([0.0] * len(line))
                self.forms[id(value)] = f, line
                problem.between(d, f, self._table(value.aval, lie, line))

    def store(self, problem: Problem, x: Node, line: list[Placement]) -> None:
        """Decide how an input lies between runs, and as what several users get it."""
        d = problem.decision([self.machine.hold(x.aval, placement, self.mesh) for placement in line])
        self._stored(problem, x, d, line)

    def store_as(self, problem: Problem, x: Node, other: int) -> None:
        """Let an input lie as another one, by id."""
        d, line = self.stores[other]
        problem.tables.append(((d,), np.array([self.machine.hold(x.aval, p, self.mesh) for p in line])))
        self._stored(problem, x, d, line)

    def _stored(self, problem: Problem, x: Node, d: int, line: list[Placement]) -> None:
        self.stores[id(x)] = d, line
        if self.users.get(id(x), 0) > 1:
            forms = placements(x.aval, self.mesh, line)
            f = problem.decision([0.0] * len(forms))
            self.forms[id(x)] = f, forms
            problem.between(d, f, self._table(x.aval, line, forms))

    def needed(self, problem: Problem, out: Node, replaced: int | None) -> None:
        """A result of the graph is whole on every device, or lies as the input does that it replaces."""
        source = self._source(out)
        d, lie = source if source is not None else (None, [self.mesh.whole])
        to, wanted = self.stores.get(replaced or 0, (None, [self.mesh.whole]))
        costs = self._table(out.aval, lie, wanted)
        if d is not None and to is not None:
            if d != to:
                problem.between(d, to, costs)
        elif d is not None:
            problem.tables.append(((d,), costs[:, 0]))
        elif to is not None:
            problem.tables.append(((to,), costs[0]))

    def _source(self, x: Node) -> tuple[int, list[Placement]] | None:
        """The decision that says where a value lies; None for what is whole."""
        if id(x) in self.forms:
            return self.forms[id(x)]
        if id(x) in self.stores:
            return self.stores[id(x)]
        node, r = (x.inputs[0], x.attrs["i"]) if x.op is ITEM else (x, 0)
        if id(node) not in self.nodes:
            return None
        d, ways = self.nodes[id(node)]
        return d, [way.outs[r] for way in ways]

    def _edge(self, problem: Problem, x: Node, d: int, wanted: list[Placement]) -> None:
        source = self._source(x)
        if source is None:
            problem.tables.append(((d,), self._table(x.aval, [self.mesh.whole], wanted)[0]))
        elif source[0] != d:
            problem.between(source[0], d, self._table(x.aval, source[1], wanted))

    def _table(self, aval: Aval, now: Sequence[Placement], wanted: Sequence[Placement]) -> np.ndarray:
        """The seconds of the movements from each placement of one list to each of the other."""
        rows, columns = tuple(dict.fromkeys(now)), tuple(dict.fromkeys(wanted))
        key = aval, rows, columns
        if key not in self.tables:
            self.tables[key] = np.array([[self.machine.move(aval, a, b, self.mesh).seconds for b in columns]
                                         for a in rows])
        row, column = {a: k for k, a in enumerate(rows)}, {b: k for k, b in enumerate(columns)}
        return self.tables[key][np.ix_([row[a] for a in now], [column[b] for b in wanted])]

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
