"""Where every moment of the steps went: in which kind of operators, in which call, or before what.

The moments between two readings of the clock belong to the innermost of what was measured around them: an operator
first, then whatever began last of compilations, waits for data, callbacks, the taking of rows and calls of compiled
programs. Python outside of all of these belongs to the phase of the operator that it ran before.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from .recorded import Event, Recorded, Span, Step
from .surroundings import CALL, CALLBACK, COMPILE, DATA, ROWS

_NAMES = {COMPILE: "compiling", DATA: "waiting for data", CALLBACK: "callback", ROWS: "taking rows",
          CALL: "calling a program"}
OPERATORS, PYTHON = "operators", "Python"
AFTER = "after the last operator"
Kind = tuple[str, str]      # where, and what


class _Part(NamedTuple):
    """Something that was measured: when, how far inside it is, and what it is."""

    start: int
    end: int
    inside: tuple[bool, int]
    kind: Kind


def spent(found: Recorded) -> Counter[Kind]:
    """The ns of all steps, by where they went."""
    total: Counter[Kind] = Counter()
    events = sorted([e for e in found.events if e.thread == 0], key=lambda e: e.start)
    spans = sorted([s for s in found.spans if s.lane in _NAMES and s.duration > 0], key=lambda s: s.start)
    for step in found.steps:
        for kind, ns in _of_step(step, [e for e in events if e.step == step.number],
                                 [s for s in spans if s.start < step.start + step.duration]):
            total[kind] += ns
        spans = [s for s in spans if s.start + s.duration > step.start + step.duration]
    return total


def _of_step(step: Step, events: list[Event], spans: list[Span]) -> Iterator[tuple[Kind, int]]:
    """The pieces of a step, in order of time, each with where it went."""
    end = step.start + step.duration
    parts = [_Part(e.start, e.start + e.duration + e.within, (True, e.start), (OPERATORS, e.phase)) for e in events]
    parts += [_Part(s.start, s.start + s.duration, (False, s.start), (_NAMES[s.lane], s.name)) for s in spans]
    parts = sorted([p._replace(start=max(p.start, step.start), end=min(p.end, end)) for p in parts])
    moments = sorted({step.start, end, *[p.start for p in parts if p.start < end], *[p.end for p in parts]})
    later = iter([*events, None])
    coming, at = next(later), 0
    open_ones = list[_Part]()
    for first, last in pairwise(moments):
        if last <= step.start:
            continue
        while at < len(parts) and parts[at].start <= first:
            open_ones.append(parts[at])
            at += 1
        open_ones = [p for p in open_ones if p.end > first]
        while coming is not None and coming.start < last:
            coming = next(later)
        if open_ones:
            yield max(open_ones, key=lambda p: p.inside).kind, last - first
        else:
            what = AFTER if coming is None else f"before operators, {coming.phase or 'forward'}"
            yield (PYTHON, what), last - first


def table(found: Recorded) -> list[list[object]]:
    """All rows together are the steps."""
    rows: list[list[object]] = [["where", "what", "total_time(ms)", "per_step(ms)", "percent"]]
    steps, whole = max(len(found.steps), 1), sum(s.duration for s in found.steps) or 1
    for (where, what), ns in spent(found).most_common():
        rows.append([where, what, f"{ns / 1e6:.6g}", f"{ns / 1e6 / steps:.6g}", f"{100 * ns / whole:.4g}"])
    return rows


__all__ = ["AFTER", "OPERATORS", "PYTHON", "spent", "table"]
