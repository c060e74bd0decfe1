"""What a plan says, for people: how each operator is cut, what that costs, and what the next best would have been."""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mindspore.ir import ITEM, Graph, Node

from .choices import Choice
from .costs import Machine
from .placement import shown
from .search import Found, Weighed

LINES = 40                     # operators that are shown, those that take longest
HEADER = ("operator", "phase", "cell", "inputs -> results", "ms", "moved MB", "next best", "ms more")
LEGEND = ("S0: the axis of the mesh cuts dimension 0, R: every process has the whole, Psum: parts of a sum; one of "
          "these for each axis. The next best is how else the operator could be cut if all others stay as they are.")

_last: list[tuple[str, Graph, Found, Machine]] = []


def remember(name: str, graph: Graph, found: Found, machine: Machine) -> None:
    """Keep the plan of the program that was split last."""
    _last[:] = [(name, graph, found, machine)]


def last(lines: int = LINES) -> str:
    """The report of the program that this process split last.

    Raises:
        RuntimeError: It split none.
    """
    if not _last:
        raise RuntimeError("For 'explain', no program was split in this process: give a function, its inputs and "
                           "'devices', or call it after a step with parallel_mode='auto_parallel'.")
    return report(*_last[0], lines)


def report(name: str, graph: Graph, found: Found, machine: Machine, lines: int = LINES) -> str:
    """A plan as a text."""
    rows = sorted([_Row(n, found, machine) for n in graph.nodes if n.op is not ITEM and id(n) in found.plan.chosen],
                  key=lambda r: -r.seconds)
    second = _alternatives(found.weighed)
    table = [HEADER, *[row.cells(second) for row in rows[:lines]]]
    width = [max([len(line[k]) for line in table]) for k in range(len(HEADER))]
    text = [_summary(name, found), LEGEND, ""]
    text += ["  ".join([cell.ljust(n) for cell, n in zip(line, width, strict=True)]).rstrip() for line in table]
    if len(rows) > lines:
        rest = sum([row.seconds for row in rows[lines:]])
        text.append(f"... and {len(rows) - lines} operators that take {rest * 1e3:.3g} ms together")
    return "\n".join(text)


def _summary(name: str, found: Found) -> str:
    cut = sum([any(c.labels) for c in found.plan.chosen.values()])
    sure = "no plan of these meshes' choices takes less" if found.exact else (
        f"at most {found.gap:.1%} above the best plan (not below {found.bound * 1e3:.4g} ms)")
    return (f"'{name}' over {found.plan.mesh.size} devices: mesh {'x'.join(map(str, found.plan.mesh.shape))}, "
            f"{found.seconds * 1e3:.4g} ms by the cost model, {sure}; {cut} of {len(found.plan.chosen)} operators work "
            f"on pieces, each device sends {found.volume / 1e6:.4g} MB and holds {found.held / 1e6:.4g} MB.")


def told(name: str, found: Found) -> str:
    """What a plan is, in a line."""
    cut = sum([any(c.labels) for c in found.plan.chosen.values()])
    return (f"'{name}' is split over {found.plan.mesh.shape} processes: {cut} of {len(found.plan.chosen)} operators "
            f"work on pieces, {found.seconds * 1e3:.3g} ms and {found.volume / 1e6:.3g} MB sent by the cost model"
            f"{', the least of all plans' if found.exact else f', at most {found.gap:.1%} above the least'}.")


class _Row:
    """An operator of a plan: what it takes, with the movements that bring its inputs."""

    def __init__(self, node: Node, found: Found, machine: Machine):
        mesh, plan = found.plan.mesh, found.plan
        self.node, self.choice = node, plan.chosen[id(node)]
        self.seconds = machine.compute(node, self.choice, mesh)
        self.moved = machine.sent_inside(node, self.choice, mesh)
        for x, wanted in zip(node.inputs, self.choice.inputs, strict=True):
            if wanted is not None and not x.aval.weak:
                move = machine.move(x.aval, plan.lie(x), wanted, mesh)
                self.seconds += move.seconds
                self.moved += move.volume

    def cells(self, second: Mapping[int, tuple[Choice, float]]) -> tuple[str, ...]:
        other = second.get(id(self.node))
        return (self.node.op.name, self.node.origin.phase, ".".join(self.node.origin.scope[-2:]), _shown(self.choice),
                f"{self.seconds * 1e3:.4g}", f"{self.moved / 1e6:.4g}", _shown(other[0]) if other else "-",
                f"{other[1] * 1e3:.4g}" if other else "-")


def time_of(node: Node, found: Found, machine: Machine) -> float:
    """Seconds of an operator of a plan, with the movements that bring its inputs."""
    return _Row(node, found, machine).seconds


def _shown(choice: Choice) -> str:
    ins = [shown(p) for p in choice.inputs if p is not None]
    outs = [shown(p) for p in choice.outs]
    if len(ins) + len(outs) > 6:
        ins, outs = [*ins[:3], "..."], outs[:1]
    return f"{' '.join(ins)} -> {' '.join(outs)}"


def _alternatives(weighed: Weighed) -> dict[int, tuple[Choice, float]]:
    """By node, its second choice where all other decisions stay, and how many seconds more that takes."""
    best, costs = weighed.best, [np.zeros(n) for n in weighed.problem.sizes]
    for scope, table in weighed.problem.tables:
        for k, d in enumerate(scope):
            costs[d] += table[tuple([slice(None) if i == k else best[e] for i, e in enumerate(scope)])]
    found: dict[int, tuple[Choice, float]] = {}
    for key, (d, ways) in weighed.nodes.items():
        others = [k for k, way in enumerate(ways) if way.labels != ways[best[d]].labels]
        if others:
            k = min(others, key=lambda k, line=costs[d]: line[k])
            found[key] = ways[k], float(costs[d][k] - costs[d][best[d]])
    return found
