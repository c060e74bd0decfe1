"""The files of a profile: tables in the layout of MindSpore 2.10 on CPU, a table by user line, a trace for Perfetto."""
from __future__ import annotations

import csv
import io
import json
import linecache
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

from mindspore.formats.files import atomic

from .recording import Event

Groups = dict[Any, list[Event]]


def write(folder: Path, events: list[Event], epoch: int, steps: int) -> None:
    """Write all files of a profile.

    Args:
        folder: Where `FRAMEWORK` and `ASCEND_PROFILER_OUTPUT` are made.
        events: What was recorded.
        epoch: ns since 1970 at which the clock of the events was 0.
        steps: How many steps there were.
    """
    frame, out = folder / "FRAMEWORK", folder / "ASCEND_PROFILER_OUTPUT"
    frame.mkdir(parents=True, exist_ok=True)
    out.mkdir(exist_ok=True)
    total = sum(e.duration for e in events) or 1
    names = grouped(events, lambda e: (e.name, full_name(e)))
    rows: list[list[Any]] = [["op_side", "op_type", "op_name", "full_op_name", "op_occurrences", "op_total_time(ms)",
                              "op_avg_time(ms)", "total_proportion", "subgraph", "pid"]]
    rows += [["Host", kind, kind, name, len(es), *_times(es, total), "Default", os.getpid()]
             for (kind, name), es in names.items()]
    _table(frame / "cpu_op_detail_info_0.csv", rows)
    rows = [["op_type", "type_occurrences", "execution_frequency(per-step)", "total_compute_time", "avg_time(ms)",
             "percent"]]
    rows += [[kind, len(es), f"{len(es) / steps:g}", *_times(es, total)]
             for kind, es in grouped(events, lambda e: e.name).items()]
    _table(frame / "cpu_op_type_info_0.csv", rows)
    rows = [["file", "line", "function", "code", "phase", "count", "total_time(ms)", "avg_time(ms)", "percent",
             "flops", "gflop_per_s"]]
    for (file, line, function, phase), es in by_line(events).items():
        spent, flops = sum(e.duration for e in es), sum(e.flops for e in es)
        rows.append([file, line, function, linecache.getline(file, line).strip(), phase, len(es),
                     *_times(es, total), flops, f"{flops / (spent or 1):.6g}"])
    _table(frame / "op_line_info_0.csv", rows)
    stamps = [f"{name};HostCpuOps;" + "".join(f"{epoch + e.start},{e.duration / 1e6:g},0 " for e in es)
              for (_, name), es in names.items()]
    write_text(frame / "cpu_op_execute_timestamp_0.txt", "".join(line + "\n" for line in stamps))
    write_text(out / "trace_view.json", json.dumps(trace(events, epoch)))


def grouped(events: list[Event], key: Any) -> Groups:
    """Events by a key, the most expensive group first."""
    found: Groups = defaultdict(list)
    for e in events:
        found[key(e)].append(e)
    return dict(sorted(found.items(), key=lambda item: -sum(e.duration for e in item[1])))


def by_line(events: list[Event]) -> Groups:
    """Events by the user's line and phase, the most expensive first."""
    return grouped(events, lambda e: (e.file, e.line, e.function, e.phase))


def full_name(e: Event) -> str:
    """The name of an operator with its cells."""
    return "/".join(["Default", *e.scope.split("."), e.name] if e.scope else ["Default", e.name])


def trace(events: list[Event], epoch: int) -> list[dict[str, Any]]:
    """The events in Chrome's trace format, which Perfetto opens; times are in microseconds."""
    found: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": 2, "tid": 0, "args": {"name": "CPU OP"}},
        {"ph": "M", "name": "thread_name", "pid": 2, "tid": 0, "args": {"name": "Thread 0"}}]
    for e in events:
        args: dict[str, Any] = {"type": "HostCpuOps", "step": e.step, "shapes": [list(s) for s in e.shapes]}
        if e.file:
            args["line"] = f"{e.file}:{e.line} in {e.function}"
        if e.flops:
            args["flops"] = e.flops
        found.append({"ph": "X", "name": full_name(e), "pid": 2, "tid": 0, "ts": f"{(epoch + e.start) / 1e3:.3f}",
                      "dur": f"{e.duration / 1e3:.3f}", "cat": e.phase, "args": args})
    return found


def _times(events: list[Event], total: int) -> list[str]:
    spent = sum(e.duration for e in events)
    return [f"{spent / 1e6:.6g}", f"{spent / 1e6 / len(events):.6g}", f"{spent / total:.6g}"]


def _table(path: Path, rows: list[list[Any]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_text(path, text.getvalue())


def write_text(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    with atomic(path, None) as file:
        file.write(text.encode())
