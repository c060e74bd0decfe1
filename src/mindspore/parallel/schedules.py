"""In which order the stages of a pipeline work on the parts of a batch.

A stage goes forward (F) and backward (B) through its segments of the network, part by part.  The orders come from a
run by the clock in which every stage takes, of what is ready, what its schedule prefers: they never wait in a circle.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

GPIPE, ONE_F_ONE_B, ZERO_BUBBLE = "gpipe", "1f1b", "zero_bubble_v"
KINDS = (GPIPE, ONE_F_ONE_B, ZERO_BUBBLE)
TIMES = {"F": 1, "B": 1, "W": 1}          # B and W together are the backward pass


class Unit(NamedTuple):
    """What a stage does at once.

    Attributes:
        kind: "F", "B" (what other stages wait for), or "W" (the rest of the backward pass).
        micro: The part of the batch.
        segment: The segment of the network.
    """

    kind: str
    micro: int
    segment: int = 0


Line = Sequence[tuple[int, int]]          # the stage and the segment of each part of the network, in its order


def orders(kind: str, stages: int, micros: int, segments: int = 1, line: Line = ()) -> list[list[Unit]]:
    """What each stage does, in order.

    Args:
        kind: "gpipe": all forward, then all backward. "1f1b": backward as soon as can be, so that few parts are under
            way (with several segments: interleaved). "zero_bubble_v": as 1f1b, with what no other stage waits for
            put off to where a stage would wait (Qi et al. 2023).
        line: Which stages and segments the network goes through. Default: one after the other; with "zero_bubble_v"
            every second segment from the last stage to the first.
    """
    line = list(line) or [place(v, kind, stages) for v in range(stages * segments)]
    at = {where: v for v, where in enumerate(line)}
    early = {s: k for k, s in enumerate(dict.fromkeys([s for s, _ in line]))}       # how soon a part comes to a stage
    done: dict[tuple[int, Unit], float] = {}
    found: list[list[Unit]] = [[] for _ in range(stages)]
    left = [[Unit(k, m, v) for m in range(micros) for v in range(segments) for k in "FBW" if (s, v) in at]
            for s in range(stages)]
    free, now = [0.0] * stages, 0.0
    while any(left):
        for s in range(stages):
            if free[s] <= now:
                ready = [u for u in left[s] if _ready(u, s, line, at, done, now)]
                ready = [u for u in ready if u.kind != "F" or _room(found[s], u, early[s], kind, stages, segments)]
                if ready:
                    unit = min(ready, key=lambda u: _rank(u, kind, stages, segments))
                    left[s].remove(unit)
                    found[s].append(unit)
                    free[s] = done[s, unit] = now + TIMES[unit.kind]
        now += 1
    return found


def place(virtual: int, kind: str, stages: int) -> tuple[int, int]:
    """The stage and the segment of a part of the network, in the order of the network."""
    segment, s = divmod(virtual, stages)
    return (stages - 1 - s if kind == ZERO_BUBBLE and segment % 2 else s), segment


def virtual(s: int, segment: int, kind: str, stages: int) -> int:
    """The place in the network of a segment of a stage."""
    return segment * stages + (stages - 1 - s if kind == ZERO_BUBBLE and segment % 2 else s)


def _ready(u: Unit, s: int, line: Line, at: Mapping[tuple[int, int], int], done: dict[tuple[int, Unit], float],
           now: float) -> bool:
    def ended(where: tuple[int, int], kind: str) -> bool:
        return done.get((where[0], Unit(kind, u.micro, where[1])), now + 1) <= now
    here = s, u.segment
    v = at[here]
    if u.kind == "W":
        return ended(here, "B")
    if u.kind == "F":
        return not v or ended(line[v - 1], "F")
    return ended(here, "F") and (v == len(line) - 1 or ended(line[v + 1], "B"))


def _room(line: list[Unit], u: Unit, s: int, kind: str, stages: int, segments: int) -> bool:
    """Whether one more part may enter a stage; what has entered continues, so nothing waits in a circle."""
    if kind == GPIPE or u.segment:
        return True
    last = "W" if kind == ZERO_BUBBLE else "B"
    under_way = sum([o.kind == "F" and not o.segment for o in line]) - sum([o.kind == last and not o.segment
                                                                           for o in line])
    return under_way < (stages - s if segments == 1 and kind == ONE_F_ONE_B else 2 * stages - s - 1)


def _rank(u: Unit, kind: str, stages: int, segments: int) -> tuple[int, ...]:
    """What a stage prefers: the lowest."""
    if kind == GPIPE:
        return "FBW".index(u.kind), u.micro, u.segment
    if kind == ONE_F_ONE_B and u.kind == "W":                 # directly behind its first half
        return -1, u.micro, u.segment
    later = u.segment if kind == ONE_F_ONE_B and u.kind == "F" else segments - u.segment
    return "BFW".index(u.kind), u.micro // stages, later, u.micro
