"""A profile in Chrome's trace format, which https://ui.perfetto.dev opens."""
from __future__ import annotations

from typing import Any

from .recorded import Event, Recorded, Span

_OPERATORS = 2                                                  # the process that the original shows them in
_STEPS = 1
_LANES = {"Compile": (3, "Compiling"), "mstx": (4, "Marks"), "Data": (5, "Waiting for data")}
_QUEUES = 6


def trace(found: Recorded) -> list[dict[str, Any]]:
    """What was measured as events of the format; times are texts in microseconds, as the original has them."""
    events = [_operator(found, e) for e in found.events]
    events += [_span(found, s) for s in found.spans]
    events += [{"ph": "C", "name": f"rows ready, pipeline {i}", "pid": _QUEUES, "tid": 0, "args": {"rows": rows},
                "ts": _time(found, time, 0)["ts"]} for i, one in enumerate(found.pipelines) for time, rows in one.queue]
    events += [{"ph": "X", "name": f"ProfilerStep#{s.number}", "pid": _STEPS, "tid": 0, "cat": "step", "args": {},
                **_time(found, s.start, s.duration)} for s in found.steps]
    threads = {(e["pid"], e["tid"]) for e in events}
    return [*_names(threads), *events]


def full_name(e: Event) -> str:
    """The name of an operator with its cells."""
    return "/".join(["Default", *e.scope.split("."), e.name] if e.scope else ["Default", e.name])


def _names(threads: set[tuple[int, int]]) -> list[dict[str, Any]]:
    """The events that name processes and threads, in order of appearance."""
    processes = {_STEPS: "Steps", _OPERATORS: "CPU OP", _QUEUES: "Data pipelines", **dict(_LANES.values())}
    found: list[dict[str, Any]] = []
    for pid in sorted({pid for pid, _ in threads}):
        found += [{"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": processes[pid]}},
                  {"ph": "M", "name": "process_sort_index", "pid": pid, "tid": 0, "args": {"sort_index": pid}},
                  {"ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "args": {"labels": "CPU"}}]
    for pid, tid in sorted(threads):
        found += [{"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": f"Thread {tid}"}},
                  {"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": {"sort_index": tid}}]
    return found


def _time(found: Recorded, start: int, duration: int) -> dict[str, str]:
    return {"ts": f"{(found.epoch + start) / 1e3:.3f}", "dur": f"{duration / 1e3:.3f}"}


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
            **_time(found, e.start, e.duration)}


def _span(found: Recorded, s: Span) -> dict[str, Any]:
    made = {"name": s.name, "pid": _LANES[s.lane][0], "tid": 0, "cat": s.lane, "args": s.args}
    if s.duration < 0:
        return {"ph": "i", "s": "t", "ts": _time(found, s.start, 0)["ts"], **made}
    return {"ph": "X", **made, **_time(found, s.start, s.duration)}
