"""The tables of a profile, in the layout of MindSpore 2.10 where it has them."""
from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import Any

from mindspore.formats.files import atomic

from . import memory, pipeline_tables, roofline, step_time, steps
from .kernels import DEVICE, HOST
from .recorded import Event, Recorded
from .summary import summary
from .trace import code_at, full_name, trace

Groups = dict[Any, list[Event]]
Rows = list[list[Any]]
IN_FRAMEWORK = {"op_line_info", "op_type_info"}         # which `write_framework` writes as texts


def write_framework(frame: Path, found: Recorded) -> None:
    """Write the files in `FRAMEWORK`, which hold times of operators.

    Args:
        frame: That folder.
        found: What was measured.
    """
    names = grouped(found.events, lambda e: (e.name, full_name(e)))
    write_table(frame / "cpu_op_detail_info_0.csv", by_name(names))
    write_table(frame / "cpu_op_type_info_0.csv", by_type(found))
    write_table(frame / "op_line_info_0.csv", by_user_line(found.events))
    if found.memory:
        totals = [f"{found.epoch + m.time},{m.total},{max(m.reserved, m.total)},{m.total}" for m in found.memory]
        head = "Timestamp(ns),Total Allocated(Byte),Total Reserved(Byte),Total Active(Byte)"
        write_text(frame / "cpu_ms_memory_record_0.txt", "\n".join([head, *totals, ""]))
    stamps = [f"{name};HostCpuOps;" + "".join(f"{found.epoch + e.start},{e.duration / 1e6:g},{e.thread} " for e in es)
              for (_, name), es in names.items()]
    write_text(frame / "cpu_op_execute_timestamp_0.txt", "".join(line + "\n" for line in stamps))
    shapes = [f"{e.name};{full_name(e)};0;" + "".join(f"input_{i}:{list(s)};" for i, s in enumerate(e.shapes, 1))
              for e in found.events]
    write_text(frame / "cpu_framework_0.txt", "".join(line + "\n" for line in shapes))


def write(folder: Path, found: Recorded, pretty: bool) -> None:
    """Write the tables and the trace.

    Args:
        folder: Of the measurement.
        found: What was measured.
        pretty: Whether JSON files have one line per value.
    """
    frame, out = folder / "FRAMEWORK", folder / "ASCEND_PROFILER_OUTPUT"
    frame.mkdir(exist_ok=True)
    out.mkdir(exist_ok=True)
    write_framework(frame, found)
    write_text(out / "trace_view.json", json.dumps(trace(found), indent=4 if pretty else None))
    write_text(out / "summary.txt", summary(found))
    if found.metadata:
        write_text(folder / "profiler_metadata.json", json.dumps(found.metadata, indent=4))
    tables = {"op_line_info": by_user_line(found.events), "op_type_info": by_type(found),
              "step_trace_time": steps.table(found), "step_time": step_time.table(found),
              "op_roofline": roofline.table(found)}
    if found.memory:
        tables |= {"memory_record": memory.record(found), "operator_memory": memory.by_block(found),
                   "memory_peak": memory.at_peak(found)}
    if kernels := by_kernel(found):
        tables["kernel_details"] = kernels
    if found.host:
        tables["host_info"] = [["Timestamp(us)", "Busy cores", "Memory(MB)"], *[
            [found.clock(time), cores, f"{size / 2**20:.6g}"] for time, cores, size in found.host]]
    if found.pipelines:
        tables["minddata_pipeline_raw_0"] = pipeline_tables.raw(found)
        columns = json.dumps(pipeline_tables.summary(found), indent=4 if pretty else None)
        write_text(out / "minddata_pipeline_summary_0.json", columns)
    if found.texts:
        for name in sorted(set(tables) - IN_FRAMEWORK):
            write_table(out / f"{name}.csv", tables[name])
    if found.databases:
        write_database(out / "ascend_mindspore_profiler_0.db", tables)


def by_name(names: Groups) -> Rows:
    """What applications of operators took, by operator and cell."""
    total = sum(e.duration for es in names.values() for e in es) or 1
    rows: Rows = [["op_side", "op_type", "op_name", "full_op_name", "op_occurrences", "op_total_time(ms)",
                   "op_avg_time(ms)", "total_proportion", "subgraph", "pid"]]
    return rows + [["Host", kind, kind, name, len(es), *_times(es, total), "Default", os.getpid()]
                   for (kind, name), es in names.items()]


def by_type(found: Recorded) -> Rows:
    """What applications of operators took, by operator."""
    total, steps = sum(e.duration for e in found.events) or 1, max(len(found.steps), 1)
    rows: Rows = [["op_type", "type_occurrences", "execution_frequency(per-step)", "total_compute_time", "avg_time(ms)",
                   "percent"]]
    return rows + [[kind, len(es), f"{len(es) / steps:g}", *_times(es, total)]
                   for kind, es in grouped(found.events, lambda e: e.name).items()]


def by_kernel(found: Recorded) -> Rows:
    """What torch ran, in the layout of the original; nothing if that was not measured."""
    kernels = sorted([s for s in found.spans if s.lane in (HOST, DEVICE)], key=lambda s: s.start)
    rows: Rows = [["Step ID", "Name", "Type", "Accelerator Core", "Start Time(us)", "Duration(us)", "Wait Time(us)"]]
    last: dict[Any, int] = {}
    for s in kernels:
        place = s.lane, s.args.get("tid")
        waited = max(s.start - last.get(place, s.start), 0)
        last[place] = max(last.get(place, 0), s.start + s.duration)
        rows.append([s.step, s.name, s.name.partition("<")[0], "CPU" if s.lane == HOST else "GPU",
                     found.clock(s.start), f"{s.duration / 1e3:.3f}", f"{waited / 1e3:.3f}"])
    return rows if kernels else []


def by_user_line(events: list[Event]) -> Rows:
    """What applications of operators took, by line of the program and phase."""
    total = sum(e.duration for e in events) or 1
    rows: Rows = [["file", "line", "function", "code", "phase", "count", "total_time(ms)", "avg_time(ms)", "percent",
                   "flops", "gflop_per_s", "python_before(ms)"]]
    for (file, line, function, phase), es in by_line(events).items():
        spent, flops = sum(e.duration for e in es), sum(e.flops for e in es)
        rows.append([file, line, function, code_at(file, line), phase, len(es), *_times(es, total),
                     flops, f"{flops / (spent or 1):.6g}", f"{sum(e.lead for e in es) / 1e6:.6g}"])
    return rows


def grouped(events: list[Event], key: Any) -> Groups:
    """Events by a key, the most expensive group first."""
    found: Groups = defaultdict(list)
    for e in events:
        found[key(e)].append(e)
    return dict(sorted(found.items(), key=lambda item: -sum(e.duration for e in item[1])))


def by_line(events: list[Event]) -> Groups:
    """Events by the user's line and phase, the most expensive first."""
    return grouped(events, lambda e: (e.file, e.line, e.function, e.phase))


def _times(events: list[Event], total: int) -> list[str]:
    spent = sum(e.duration for e in events)
    return [f"{spent / 1e6:.6g}", f"{spent / 1e6 / len(events):.6g}", f"{spent / total:.6g}"]


def write_table(path: Path, rows: Rows) -> None:
    """Write rows as CSV, the names of the columns first."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_text(path, text.getvalue())


def write_text(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    with atomic(path, None) as file:
        file.write(text.encode())


def write_database(path: Path, tables: dict[str, Rows]) -> None:
    """Write tables as a database of SQLite."""
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        for name, (head, *rows) in tables.items():
            columns = ", ".join(f'"{column}"' for column in head)
            base.execute(f'CREATE TABLE "{name}" ({columns})')
            places = ", ".join("?" * len(head))
            base.executemany(f'INSERT INTO "{name}" VALUES ({places})', [list(map(_cell, row)) for row in rows])
        base.commit()
        with atomic(path, None) as file:
            file.write(base.serialize())


def _cell(value: Any) -> Any:
    """A value that SQLite can hold: its numbers have 64 bits."""
    return str(value) if isinstance(value, int) and not -(2**63) <= value < 2**63 else value
