"""What is remembered of one compilation: stages, sizes, times, what it was compiled for."""
from __future__ import annotations

import itertools
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mindspore.ir import Flow, Graph, graphs_in

from .dumps import Dump, wanted

_serial = itertools.count()
_AVAL = re.compile(r"\w+\[[\d,]*\]")


listeners: list[Callable[[Record, Stage, float], None]] = []      # told of every stage, and when it began


@dataclass
class Stage:
    """One step of a compilation: its name, seconds, and nodes of the graph afterwards."""

    name: str
    seconds: float
    nodes: int


@dataclass
class Record:
    """One compilation.

    Attributes:
        name: The function or the class of the cell.
        arguments: What it was compiled for: a text per tensor and constant among the arguments.
        reason: Why it was compiled.
        stages: The steps, in order.
        operators: How many nodes of each operator the final graph has.
        made: Those of `operators` that a pass made: what was fused.
        stored: What the cache on disk did.
        serial: Counts all compilations of the process.
    """

    name: str
    arguments: dict[str, str] = field(default_factory=dict[str, str])
    reason: str = "first call"
    stages: list[Stage] = field(default_factory=list[Stage])
    operators: Counter[str] = field(default_factory=Counter[str])
    made: Counter[str] = field(default_factory=Counter[str])
    stored: str = ""
    serial: int = field(default_factory=lambda: next(_serial))

    def __post_init__(self) -> None:
        level, folder = wanted()
        self.dump = Dump(level, folder, self.name, self.serial) if level else None
        self._before: set[str] = set()

    def sized(self, avals: list[Any]) -> None:
        """The inputs of the graph have extents that may differ: show their names."""
        tensors = [k for k, shown in self.arguments.items() if _AVAL.fullmatch(shown)]
        if len(tensors) == len(avals):
            self.arguments |= {k: str(a) for k, a in zip(tensors, avals, strict=True)}

    def ended(self, name: str, start: float, graph: Graph | None) -> None:
        """Note the end of a stage, and write the graph if that is asked for."""
        seconds = time.perf_counter() - start
        stage = Stage(name, seconds, size(graph) if graph is not None else 0)
        self.stages.append(stage)
        for tell in listeners:
            tell(self, stage, start)
        if self.dump and graph is not None:
            self.dump.graph(name, graph)

    def front_end(self, start: float, graph: Graph, name: str = "front_end") -> None:
        """There is a graph."""
        self._before = set(census(graph))
        self.ended(name, start, graph)

    def finished(self, start: float, graph: Graph, executable: Any) -> None:
        """The source is written and compiled."""
        self.ended("python", start, None)
        self.stages[-1].nodes = size(graph)
        self.operators = census(graph)
        self.made = Counter({n: c for n, c in self.operators.items() if n not in self._before})
        if self.dump:
            self.dump.final(graph, executable.annotated())


def size(graph: Graph) -> int:
    """The number of nodes of a graph, without those of its sub-graphs."""
    return len(graph.nodes)


def places(graph: Graph) -> Counter[tuple[str, str]]:
    """How many nodes of a graph and its sub-graphs each cell or function has, by path and phase."""
    origins = Counter([node.origin for one in graphs_in(graph) for node in one.nodes])
    found: Counter[tuple[str, str]] = Counter()
    for origin, count in origins.items():
        found[".".join(origin.scope), origin.phase] += count
    return found


def census(graph: Graph) -> Counter[str]:
    """How many nodes of each operator a graph and its sub-graphs have, those of control flow included."""
    counts = Counter([node.op for one in graphs_in(graph) for node in one.nodes])
    names: Counter[str] = Counter()
    for op, count in counts.items():
        if type(op) is not Flow or op.name in ("cond", "loop", "call", "custom"):
            names[op.name] += count
    return names
