"""A profile in a few lines of text: where the time of the steps went, the most expensive lines, advice."""
from __future__ import annotations

from pathlib import Path
from statistics import fmean

from . import pipeline_tables, step_time
from .memory import at_peak
from .recorded import Event, Recorded
from .steps import Parts, parts
from .trace import code_at

_LINES = 3
_OUTSIDE = 5
_WORTH = 0.2        # share of the time from which on something is worth a word


def summary(found: Recorded) -> str:
    """What a profile says first."""
    steps = parts(found)
    lines = [*_steps(steps), *_outside(found), *_expensive(found.events)]
    if found.memory:
        held = at_peak(found)[1:1 + _LINES]
        lines += [f"most memory: {max(m.total for m in found.memory) / 2**20:.1f} MB, of which"]
        lines += [f"  {float(size) / 1024:9.1f} MB  {_place(file, line)} {name}"
                  for file, line, name, _, _, size, _ in held]
    said = [*pipeline_tables.advice(found), *_advice(steps)]
    return "\n".join([*lines, *[f"advice: {text}" for text in said], ""])


def _steps(steps: list[Parts]) -> list[str]:
    total = sum(s.total for s in steps)
    if not total:
        return ["no steps"]
    named = {"operators": "operators", "of these communication": "communication", "Python": "python",
             "waiting for data": "data", "compiling": "compiling"}
    shares = [(name, sum(getattr(s, key) for s in steps) / total) for name, key in named.items()]
    mean = fmean(s.total for s in steps) / 1e6
    return [f"{len(steps)} steps of {mean:.3f} ms: " + ", ".join(
        [f"{name} {share:.1%}" for name, share in shares if share or name != "of these communication"])]


def _outside(found: Recorded) -> list[str]:
    """Where the time went that is in no operator."""
    whole = sum(s.duration for s in found.steps)
    rest = [(kind, ns) for kind, ns in step_time.spent(found).most_common() if kind[0] != step_time.OPERATORS]
    shown = ", ".join([f"{where} {what} {ns / whole:.1%}" for (where, what), ns in rest[:_OUTSIDE]])
    return [f"outside of operators: {shown}"] if shown else []


def _expensive(events: list[Event]) -> list[str]:
    """The most expensive lines of the program, whatever the phase."""
    spent: dict[tuple[str, int], dict[str, int]] = {}
    for e in events:
        if e.file:
            phases = spent.setdefault((e.file, e.line), {})
            phases[e.phase] = phases.get(e.phase, 0) + e.duration
    total = sum(e.duration for e in events) or 1
    first = sorted(spent.items(), key=lambda item: -sum(item[1].values()))[:_LINES]
    made = ["most expensive lines:"] if first else []
    for (file, line), phases in first:
        shown = ", ".join([f"{name} {ns / 1e6:.3f} ms" for name, ns in phases.items()])
        code = code_at(file, line)
        made.append(f"  {sum(phases.values()) / total:6.1%}  {_place(file, line)}: {code}  ({shown})")
    return made


def _advice(steps: list[Parts]) -> list[str]:
    total = sum(s.total for s in steps)
    said: list[str] = []
    if not total:
        return said
    if sum(s.python for s in steps) > _WORTH * total:
        said.append("Python runs between operators for "
                    f"{sum(s.python for s in steps) / total:.0%} of the time: graph mode (jit) saves most of that.")
    if sum(s.compiling for s in steps[1:]) > _WORTH * sum(s.total for s in steps[1:]):
        said.append("Programs are compiled after the first step, too: mindspore.graph.explain says why.")
    return said


def _place(file: str, line: int) -> str:
    return f"{Path(file).name}:{line}" if file else ""


__all__ = ["summary"]
