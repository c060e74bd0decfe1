"""`mindspore.graph.explain`: what was compiled for a cell or function, how long it took, and why again."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from mindspore.core.kinds import type_of
from mindspore.eager.parameter import Parameter

from .dumps import listing
from .record import Stage, places


@dataclass
class Report:
    """One compiled program.

    Attributes:
        arguments: What it was compiled for: a text per tensor and constant among the arguments.
        reason: Why it was compiled: "first call", or what differed from the programs before.
        level: The `jit_level` that it was compiled with.
        stages: Name, seconds and nodes afterwards of every step, in order.
        operators: How many nodes of each operator the final graph has.
        places: How many nodes of the final graph belong to each cell or function in each phase, by both: the path
            ("Net.layers.0.dense") and "forward", "reverse" or "optimizer".
        fused: Those of `operators` that no line of the program calls: the passes made them.
        parameters: Names of the parameters that it reads.
        assigned: Names of the parameters that it gives new values.
        differentiated: Whether a gradient was taken through it in PyNative mode.
        cache: What the cache on disk did: "", "loaded", "stored", or why it did nothing.
        graph: The final graph as text, with the lines of the program.
        source: The generated Python; "" before it is needed.
    """

    arguments: dict[str, str]
    reason: str
    level: str
    stages: list[Stage]
    operators: Counter[str]
    places: Counter[tuple[str, str]]
    fused: Counter[str]
    parameters: list[str]
    assigned: list[str]
    differentiated: bool
    cache: str
    graph: str = field(repr=False)
    source: str = field(repr=False)

    @property
    def nodes(self) -> int:
        """The nodes of the final graph."""
        return self.stages[-1].nodes if self.stages else 0

    @property
    def seconds(self) -> float:
        """How long it took to compile."""
        return sum(s.seconds for s in self.stages)

    @property
    def phases(self) -> Counter[str]:
        """How many nodes of the final graph each phase has."""
        counts: Counter[str] = Counter()
        for (_, phase), count in self.places.items():
            counts[phase] += count
        return counts

    def __str__(self) -> str:
        shown = ", ".join([f"{k}: {v}" for k, v in self.arguments.items()])
        lines = [f"program for ({shown})", f"  why:        {self.reason}", f"  level:      {self.level}",
                 f"  time:       {_ms(self.seconds)} = "
                 + " + ".join([f"{s.name} {_ms(s.seconds)}" for s in self.stages])]
        if self.stages:
            sizes = [f"{s.name} {s.nodes}" for s in self.stages if s.nodes]
            lines.append(f"  nodes:      {' > '.join(sizes)}")
        lines.append(f"  operators:  {_counts(self.operators)}")
        if len(phases := self.phases) > 1:
            lines.append(f"  phases:     {_counts(phases)}")
        if self.fused:
            lines.append(f"  fused:      {_counts(self.fused)}")
        if self.parameters:
            lines.append(f"  parameters: {_names(self.parameters)}")
        if self.assigned:
            lines.append(f"  assigns:    {_names(self.assigned)}")
        if self.differentiated:
            lines.append("  gradient:   taken in PyNative mode, by a compiled reverse")
        if self.cache:
            lines.append(f"  disk cache: {self.cache}")
        return "\n".join(lines)


@dataclass
class Explanation:
    """What was compiled for one cell or function; `str` of it is a summary.

    Attributes:
        name: The function or the class of the cell.
        compiled: How many programs were compiled so far, those counted that are gone.
        programs: Those that there are, the oldest first.
        uncompiled: Why it runs in Python, for every kind of arguments for which it does.
    """

    name: str
    compiled: int
    programs: list[Report]
    uncompiled: list[str] = field(default_factory=list[str])

    @property
    def recompiled(self) -> int:
        """How often it was compiled after the first time."""
        return max(self.compiled - 1, 0)

    def __str__(self) -> str:
        python = [f"runs in Python for some arguments: {reason}" for reason in self.uncompiled]
        if not self.compiled:
            return "\n".join([f"{self.name}: not compiled so far", *python])
        head = f"{self.name}: compiled {self.compiled} time{'s' * (self.compiled != 1)}"
        if self.compiled > len(self.programs):
            head += f", {len(self.programs)} kept"
        return "\n".join([head, *map(str, self.programs), *python])


def explain(target: Any) -> Explanation:
    """What was compiled for a cell, a function under `jit`, or a method under `jit`, and why.

    Args:
        target: A Cell that ran in graph mode or whose `compile` was called; a function under `jit`; a
            method under `jit` of one object (`net.method`) or of all (`Net.method`).

    Raises:
        TypeError: If it is none of these.

    Examples:
        >>> import mindspore as ms
        >>> double = ms.jit(lambda x: x * 2)
        >>> _ = double(ms.Tensor([1.0])), double(ms.Tensor([1.0, 2.0]))
        >>> found = ms.graph.explain(double)
        >>> found.recompiled, found.programs[1].reason
        (1, "shape of argument 'x' changed from f32[1] to f32[2]")
    """
    name, caches = _caches(target)
    programs = [p for cache in caches for held in cache.programs.values() for p in held]
    programs.sort(key=lambda p: p.record.serial)
    return Explanation(name, sum(c.compiled for c in caches), [_report(p) for p in programs],
                       [reason for c in caches for reason in c.uncompiled.values()])


def _caches(target: Any) -> tuple[str, list[Any]]:
    """The name of what is explained, and the caches of its programs."""
    if hasattr(type_of(target), "cells_and_names"):
        held = target.__dict__.get("_compiled")
        return type(target).__name__, [held] if held else []
    function = getattr(target, "__func__", target)
    cache = getattr(function, "cache", None)
    if not hasattr(function, "__jitted__") or cache is None:
        raise TypeError(f"For 'explain', the 'target' must be a Cell or a function under 'jit', but got "
                        f"{type(target).__name__}.")
    caches = getattr(function, "caches", {})
    if function is not target:
        return cache.name, [c for c in [caches.get(target.__self__)] if c]
    return cache.name, [cache, *caches.values()]


def _report(program: Any) -> Report:
    record, executable = program.record, program.current
    return Report(
        dict(record.arguments), record.reason, f"O{program.target.level}", list(record.stages),
        Counter(record.operators), places(program.graph), Counter(record.made),
        [p.name for p in program.captured if isinstance(p, Parameter)],
        [p.name for p in program.assigned], program.differentiated, record.stored,
        listing(program.graph), executable.annotated() if executable else "")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _counts(counter: Counter[str]) -> str:
    return ", ".join([f"{n} x {c}" for n, c in counter.most_common(12)]) + (
        ", ..." if len(counter) > 12 else "")


def _names(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f", ... ({len(names)} in all)" if len(names) > 6 else "")
