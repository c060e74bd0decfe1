"""Memory over time, and who allocated it."""
from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import Any, NamedTuple

from .recorded import Event, Memory, Recorded
from .trace import full_name


class Block(NamedTuple):
    """A piece of memory: what was allocated, when it was released (None: not within the measurement), and by whom.

    `event` is the application of an operator that asked for it; None for what ran between operators.
    """

    begun: Memory
    ended: Memory | None
    event: Event | None


def blocks(found: Recorded) -> list[Block]:
    """All pieces of memory that were allocated, in order of time."""
    events = sorted(found.events, key=lambda e: e.start)
    starts = [e.start for e in events]
    held: dict[tuple[str, int], int] = {}
    made: list[Block] = []
    for change in found.memory:
        key = change.device, change.pointer
        if change.size > 0:
            at = bisect_right(starts, change.time) - 1
            event = events[at] if at >= 0 and change.time <= events[at].start + events[at].duration else None
            held[key] = len(made)
            made.append(Block(change, None, event))
        elif key in held:
            at = held.pop(key)
            made[at] = made[at]._replace(ended=change)
    return made


def record(found: Recorded) -> list[list[Any]]:
    """Memory after every change, in the layout of the original; it counts from the start of the measurement."""
    rows: list[list[Any]] = [["Component", "Timestamp(us)", "Total Allocated(MB)", "Total Reserved(MB)",
                              "Total Active(MB)", "Device Type"]]
    return rows + [["MindSpore", found.clock(m.time), *_totals(m), m.device] for m in found.memory]


def by_block(found: Recorded) -> list[list[Any]]:
    """Every piece of memory with the operator and the line that asked for it, in the layout of the original."""
    rows: list[list[Any]] = [[
        "Name", "Size(KB)", "Allocation Time(us)", "Release Time(us)", "Active Release Time(us)", "Duration(us)",
        "Active Duration(us)", "Allocation Total Allocated(MB)", "Allocation Total Reserved(MB)",
        "Allocation Total Active(MB)", "Release Total Allocated(MB)", "Release Total Reserved(MB)",
        "Release Total Active(MB)", "Stream Ptr", "Device Type", "File", "Line", "Phase"]]
    for begun, ended, event in blocks(found):
        release, lasted, after = ("", "", ["", "", ""]) if ended is None else (
            found.clock(ended.time), f"{(ended.time - begun.time) / 1e3:.3f}", _totals(ended))
        rows.append([_name(event), f"{begun.size / 1024:.6g}", found.clock(begun.time), release, release, lasted,
                     lasted, *_totals(begun), *after, "", begun.device, *_line(event)])
    return rows


def at_peak(found: Recorded) -> list[list[Any]]:
    """What was held when most was held, by line of the program, the largest first."""
    rows: list[list[Any]] = [["File", "Line", "Name", "Phase", "Count", "Size(KB)", "Share"]]
    if not found.memory:
        return rows
    peak = max(found.memory, key=lambda m: m.total)
    held: dict[Any, list[int]] = defaultdict(list)
    for begun, ended, event in blocks(found):
        if begun.device == peak.device and begun.time <= peak.time and (ended is None or ended.time > peak.time):
            file, line, phase = _line(event)
            held[file, line, _name(event), phase].append(begun.size)
    total = sum(map(sum, held.values())) or 1
    for (file, line, name, phase), sizes in sorted(held.items(), key=lambda item: -sum(item[1])):
        rows.append([file, line, name, phase, len(sizes), f"{sum(sizes) / 1024:.6g}", f"{sum(sizes) / total:.4f}"])
    return rows


def _name(event: Event | None) -> str:
    return "between operators" if event is None else full_name(event)


def _line(event: Event | None) -> tuple[Any, Any, str]:
    return ("", "", "") if event is None else (event.file, event.line, event.phase)


def _mb(size: int) -> str:
    return f"{size / 2**20:.6g}"


def _totals(one: Memory) -> list[str]:
    return [_mb(one.total), _mb(max(one.reserved, one.total)), _mb(one.total)]
