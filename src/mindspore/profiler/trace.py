"""A profile in Chrome's trace format, which https://ui.perfetto.dev opens."""
from __future__ import annotations

import linecache
import os
from typing import Any

from .recorded import LANES, Event, Recorded, Span

_STEPS, _OPERATORS, _QUEUES, _COUNTS = 1, 2, 6, 9               # 2 is where the original shows operators
_PROCESSES = {_STEPS: "Steps", _OPERATORS: "CPU OP", 3: "Compiling", 4: "Marks", 5: "Waiting for data",
              _QUEUES: "Data pipelines", 7: "Torch", 8: "Device", _COUNTS: "Memory and cores",
              10: "Callbacks", 11: "Taking rows", 12: "Calls of programs"}


def trace(found: Recorded) -> list[dict[str, Any]]:
    """What was measured as events of the format; times are texts in microseconds, as the original has them."""
    events = [_operator(found, e) for e in found.events]
    events += [_span(found, s) for s in found.spans]
    events += [_count(found, _QUEUES, f"rows ready, pipeline {i}", time, "rows", rows)
               for i, one in enumerate(found.pipelines) for time, rows in one.queue]
    events += [_count(found, _COUNTS, f"memory of {m.device}", m.time, "bytes", m.total) for m in found.memory]
    events += [_count(found, _COUNTS, *what) for time, cores, size in found.host
               for what in (("busy cores", time, "cores", cores), ("memory of the process", time, "bytes", size))]
    events += [{"ph": "X", "name": f"ProfilerStep#{s.number}", "pid": _STEPS, "tid": 0, "cat": "step", "args": {},
                **_time(found, s.start, s.duration)} for s in found.steps]
    threads = {(e["pid"], e["tid"]) for e in events}
    return [*_names(threads), *events]


def full_name(e: Event) -> str:
    """The name of an operator with its cells."""
    return "/".join(["Default", *e.scope.split("."), e.name] if e.scope else ["Default", e.name])


def code_at(file: str, line: int) -> str:
    """A line of the program; "" where its file is not there any more, or is none."""
    return linecache.getline(file, line).strip() if os.path.isfile(file) or file.startswith("<") else ""


def _names(threads: set[tuple[int, int]]) -> list[dict[str, Any]]:
    """The events that name processes and threads, in order of appearance."""
    found: list[dict[str, Any]] = []
    for pid in sorted({pid for pid, _ in threads}):
        found += [{"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": _PROCESSES[pid]}},
                  {"ph": "M", "name": "process_sort_index", "pid": pid, "tid": 0, "args": {"sort_index": pid}},
                  {"ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "args": {"labels": "CPU"}}]
    for pid, tid in sorted(threads):
        found += [{"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": f"Thread {tid}"}},
                  {"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": {"sort_index": tid}}]
    return found


def _time(found: Recorded, start: int, duration: int) -> dict[str, str]:
    return {"ts": found.clock(start), "dur": f"{duration / 1e3:.3f}"}


def _count(found: Recorded, pid: int, name: str, time: int, unit: str, value: float) -> dict[str, Any]:
    return {"ph": "C", "name": name, "pid": pid, "tid": 0, "args": {unit: value}, "ts": found.clock(time)}


def _operator(found: Recorded, e: Event) -> dict[str, Any]:
    args: dict[str, Any] = {"type": "HostCpuOps", "step": e.step}
    if found.shapes:
        args["Input Dims"] = [list(s) for s in e.shapes]
    if e.file:
        args["line"] = f"{e.file}:{e.line} in {e.function}"
    if e.flops:
        args["flops"] = e.flops
    if e.stack:
        args["Call stack"] = "\n".join(e.stack)
    return {"ph": "X", "name": full_name(e), "pid": _OPERATORS, "tid": e.thread, "cat": e.phase, "args": args,
            **_time(found, e.start, e.duration + e.within)}


def _span(found: Recorded, s: Span) -> dict[str, Any]:
    made = {"name": s.name, "pid": LANES[s.lane], "tid": s.args.get("tid", 0), "cat": s.lane, "args": s.args}
    if s.duration < 0:
        return {"ph": "i", "s": "t", "ts": found.clock(s.start), **made}
    return {"ph": "X", **made, **_time(found, s.start, s.duration)}
