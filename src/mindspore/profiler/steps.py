"""Where the time of each step went: operators, compiling, waiting for data, Python."""
from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from mindspore.operators.communication import EFFECT

from .recorded import Event, Recorded, Span, Step
from .surroundings import COMPILE, DATA


class Parts(NamedTuple):
    """The parts of a step, in ns; they add up to `total`.

    Attributes:
        number: Of the step.
        operators: In operators of the thread that was measured.
        communication: Of these, in those that wait for other processes.
        compiling: Of the rest, in the compiler.
        data: Of the rest, waiting for rows.
        python: All the rest.
        total: From the end of the last step to its own.
        preparing: From its start to the first operator.
    """

    number: int
    operators: int
    communication: int
    compiling: int
    data: int
    python: int
    total: int
    preparing: int


def parts(found: Recorded) -> list[Parts]:
    """The parts of every step."""
    events: dict[int, list[Event]] = defaultdict(list)
    for e in found.events:
        if e.thread == 0:
            events[e.step].append(e)
    spans: dict[int, list[Span]] = defaultdict(list)
    for s in found.spans:
        spans[s.step].append(s)
    return [_parts(step, events[step.number], spans[step.number]) for step in found.steps]


def _parts(step: Step, events: list[Event], spans: list[Span]) -> Parts:
    operators = sum(e.duration for e in events)
    compiling, data = [_covered(step, [s for s in spans if s.lane == lane]) for lane in (COMPILE, DATA)]
    left = step.duration - operators
    compiling = min(compiling, max(left, 0))
    data = min(data, max(left - compiling, 0))
    first = min([e.start for e in events], default=step.start) - step.start
    communication = sum([e.duration for e in events if e.effect == EFFECT])
    return Parts(step.number, operators, communication, compiling, data, left - compiling - data, step.duration,
                 max(first, 0))


def _covered(step: Step, spans: list[Span]) -> int:
    """The time of a step that spans cover; they may lie in one another."""
    covered, until, end = 0, step.start, step.start + step.duration
    for span in sorted(spans, key=lambda s: s.start):
        first, last = max(span.start, until), min(span.start + span.duration, end)
        if last > first:
            covered += last - first
            until = last
    return covered


def table(found: Recorded) -> list[list[object]]:
    """The steps in the columns of the original, in microseconds, and in ours."""
    head: list[object] = ["Step", "Computing", "Communication(Not Overlapped)", "Overlapped", "Communication", "Free",
                          "Stage", "Bubble", "Communication(Not Overlapped and Exclude Receive)", "Preparing",
                          "Compiling", "Waiting for data", "Python", "Total"]
    rows = [head]
    for p in parts(found):
        free, alone = p.total - p.operators, p.communication
        numbers = (p.operators - alone, alone, 0, alone, free, p.total, 0, 0, p.preparing, p.compiling, p.data,
                   p.python, p.total)
        rows.append([p.number, *[f"{ns / 1e3:.3f}" for ns in numbers]])
    return rows
