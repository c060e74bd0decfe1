"""The plan of the least time, with a bound that no plan is below.

Decisions are how each node is computed, and which placement a value gets that several nodes use.  The time is a sum of
tables of one decision (its own time) and of two (the movement between them), of which `elimination` finds the least.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mindspore.ir import ITEM, Graph, Node

from .choices import Choice, Part, choices, is_tensor, joined, kind_of, things_of, whole_choice
from .costs import Machine
from .decisions import Values
from .elimination import Problem
from .placement import Mesh, Placement
from .splitting import Plan
from .storing import Storing


class Weighed(NamedTuple):
    """The decisions of a search: all of them, those of nodes by id, and the best choices."""

    problem: Problem
    nodes: Mapping[int, tuple[int, Sequence[Choice]]]
    best: Sequence[int]


@dataclass
class Found:
    """A plan and what is known of it.

    Attributes:
        plan: The plan.
        seconds: Its time by the cost model.
        bound: No plan of the same space takes less.
        volume: The bytes that each device sends.
        held: The bytes that each device holds: what lies between steps, and what later phases of a step need; of a
            plan that is carried out or shown the most at one time (`holding`).
        weighed: The decisions, and what was chosen, for a report.
    """

    plan: Plan
    seconds: float
    bound: float
    volume: float
    held: float
    weighed: Weighed

    @property
    def exact(self) -> bool:
        """Whether no plan of the same space takes less."""
        return self.gap < 1e-9

    @property
    def gap(self) -> float:
        """By what part of the bound the plan may be longer than the best one."""
        return max(self.seconds - self.bound, 0.0) / self.bound if self.bound > 0 else float(self.seconds > 0)


def searched(graph: Graph, mesh: Mesh, machine: Machine | None = None,
             options: Callable[[Node], Sequence[Choice] | None] | None = None, storing: Storing | None = None,
             budget: float | None = None) -> Found:
    """The plan of the least time for a graph; of plans that take the same time, one that holds less.

    Args:
        machine: What devices and links can do.
        options: The ways to compute a node; None for all of `choices`.
        storing: Which inputs and results may lie in pieces; None for none.
        budget: The bytes that a device can hold; None for any number.

    Raises:
        ValueError: No plan is found that holds so few bytes.
    """
    storing = storing or Storing()
    machine = machine or Machine()
    known: dict[Any, tuple[Sequence[Choice] | None, list[list[Part]]]] = {}
    given: dict[int, Sequence[Choice]] = {}
    things: dict[int, list[list[Part]]] = {}
    for n in graph.nodes:
        if n.op is ITEM:
            continue
        key, line = kind_of(n), options(n) if options else None
        if key not in known:
            known[key] = None, things_of(n, mesh)
        every, parts = known[key]
        if every is None and (line is not None or not parts):
            every = choices(n, mesh)
            known[key] = every, parts
        if parts and (line is None or len(line) == len(every or ())):
            things[id(n)] = parts
        given[id(n)] = (every or [] if line is None else line) or [whole_choice(n, mesh)]
    return _Space(graph, mesh, machine, storing, budget).solved(given, things)


@dataclass
class _Space:
    """What plans are for."""

    graph: Graph
    mesh: Mesh
    machine: Machine
    storing: Storing
    budget: float | None

    def solved(self, given: Mapping[int, Sequence[Choice]], things: Mapping[int, list[list[Part]]]) -> Found:
        """The best of the plans with these choices."""
        graph, storing, problem = self.graph, self.storing, Problem()
        made = Values(graph, self.mesh, self.machine)
        seen = _asked(graph, given, things)
        for p in graph.params:
            seen.setdefault(storing.follows.get(id(p), id(p)), []).extend(seen.get(id(p), ()))
        for p in sorted(graph.params, key=lambda p: id(p) in storing.follows):
            if id(p) in storing.follows:
                made.store_as(problem, p, storing.follows[id(p)])
            elif id(p) in storing.free or id(p) in storing.fixed:
                made.store(problem, p, storing.options(p, self.mesh, seen[id(p)]))
        for node in graph.nodes:
            if id(node) in things:
                made.several(problem, node, things[id(node)])
            elif node.op is not ITEM:
                made.node(problem, node, given[id(node)])
        for k, out in enumerate(graph.outs):
            if is_tensor(out):
                made.needed(problem, out, storing.results.get(k))
        made.hold(problem, graph)
        return self._found(problem, made)

    def _found(self, problem: Problem, made: Values) -> Found:
        answer = problem.solved() if self.budget is None else problem.budgeted(self.budget - made.whole_bytes)
        if answer is None:
            raise ValueError(f"No plan over {self.mesh.shape} processes holds at most {self.budget or 0:.4g} bytes on "
                             "each. Take more processes, smaller batches or recomputation.")
        best, bound = answer
        chosen = {k: line[best[d]] for k, (d, line) in made.nodes.items()}
        for node in self.graph.nodes:
            if id(node) in made.things:
                chosen[id(node)] = joined(node, [line[best[d]] for d, line in made.things[id(node)]], self.mesh)
        kept = {k: line[best[d]] for k, (d, line) in made.forms.items()}
        stored = {k: line[best[d]] for k, (d, line) in made.stores.items()}
        results = {k: stored[p] for k, p in self.storing.results.items() if p in stored}
        plan = Plan(self.mesh, chosen, kept, stored, results)
        return Found(plan, problem.cost(best), bound, made.volume(plan, self.graph),
                     problem.held(best) + made.whole_bytes, Weighed(problem, made.nodes, best))


def _asked(graph: Graph, given: Mapping[int, Sequence[Choice]],
           things: Mapping[int, list[list[Part]]]) -> dict[int, list[Placement]]:
    """The placements that nodes ask for, for each value by id."""
    found: dict[int, list[Placement]] = {}
    listed: dict[tuple[int, int], list[Placement]] = {}       # of nodes of one kind, whose ways are one list
    for node in graph.nodes:
        if node.op is ITEM:
            continue
        if id(node) in things:
            for parts in things[id(node)]:
                for k in parts[0].inputs:
                    found.setdefault(id(node.inputs[k]), []).extend(dict.fromkeys([p.inputs[k] for p in parts]))
            continue
        ways = given[id(node)]
        for k, x in enumerate(node.inputs):
            if is_tensor(x):
                if (id(ways), k) not in listed:
                    listed[id(ways), k] = [p for p in dict.fromkeys([way.inputs[k] for way in ways]) if p is not None]
                found.setdefault(id(x), []).extend(listed[id(ways), k])
    return found
