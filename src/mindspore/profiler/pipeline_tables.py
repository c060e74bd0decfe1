"""The tables of data pipelines, in the layout of MindSpore 2.10, and what they advise."""
from __future__ import annotations

from typing import Any

from .recorded import Pipeline, PipelineStage, Recorded

_LEAST = 0.05       # share of the time in which the program waits, from which on that is worth a word


def raw(found: Recorded) -> list[list[Any]]:
    """One row per stage: workers, the queue before the program, the stages that it takes from and gives to."""
    rows: list[list[Any]] = [["op_id", "op_type", "num_workers", "output_queue_size", "output_queue_average_size",
                              "output_queue_length", "output_queue_usage_rate", "sample_interval", "parent_id",
                              "children_id", "rows", "seconds", "us_per_row"]]
    first = 0
    for one in found.pipelines:
        for stage in one.stages:
            queue = _queue(one) if stage.number == 0 else ["", "", "", ""]
            children = [first + n for n in _children(one, stage)]
            each = 1e6 * stage.seconds / stage.rows if stage.rows else 0.0
            rows.append([first + stage.number, stage.name, stage.workers, *queue, "",
                         "" if stage.parent < 0 else first + stage.parent, children or "", stage.rows,
                         f"{stage.seconds:.6f}", f"{each:.3f}"])
        first += len(one.stages)
    return rows


def summary(found: Recorded) -> dict[str, Any]:
    """The same by columns, with advice."""
    keys = ("pipeline_ops", "op_ids", "op_names", "num_workers", "queue_average_size", "queue_utilization_pct",
            "queue_empty_freq_pct", "children_ids", "parent_id")
    made: dict[str, Any] = {key: [] for key in keys}
    first = 0
    for one in found.pipelines:
        for stage in one.stages:
            _, mean, _, usage = _queue(one) if stage.number == 0 else ("", None, "", None)
            values = (f"{stage.name}(id={first + stage.number})", first + stage.number, stage.name, stage.workers, mean,
                      None if usage is None else round(100 * float(usage), 2),
                      round(100 * empty_share(one), 2) if stage.number == 0 else None,
                      [first + n for n in _children(one, stage)],
                      -1 if stage.parent < 0 else first + stage.parent)
            for key, value in zip(keys, values, strict=True):
                made[key].append(value)
        first += len(one.stages)
    return made | {"bottleneck_suggestion": advice(found)}


def advice(found: Recorded) -> list[str]:
    """What would make the program wait less for data."""
    total = sum(s.duration for s in found.steps) / 1e9
    said: list[str] = []
    for one in found.pipelines:
        waits = one.waited / total if total else 0.0
        if waits < _LEAST:
            said.append(f"The data pipeline keeps up: the program waited for it in {waits:.1%} of the time.")
            continue
        slowest = max(one.stages, key=lambda s: s.seconds / s.workers)
        share = slowest.seconds / (sum(s.seconds for s in one.stages) or 1.0)
        said.append(f"The program waited for rows in {waits:.0%} of the time, and found the queue empty in "
                    f"{empty_share(one):.0%} of the cases. The stage '{slowest.name}' takes {share:.0%} of the work of "
                    f"the pipeline: {_remedy(slowest)}.")
    return said


def empty_share(one: Pipeline) -> float:
    """In which share of the cases the program found no rows in the queue."""
    return min(one.waits / len(one.queue), 1.0) if one.queue else 0.0


def _remedy(stage: PipelineStage) -> str:
    name = stage.name
    if name.startswith(("map", "batch")):
        return (f"give it more workers than {stage.workers} (num_parallel_workers, python_multiprocessing for "
                "functions of Python), do less there, or keep what it makes (cache)")
    return "read from faster storage or larger files, or keep the rows (cache)"


def _queue(one: Pipeline) -> list[Any]:
    """Capacity, mean length, lengths and share of use of the queue before the program."""
    lengths = [rows for _, rows in one.queue]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    return [one.capacity, f"{mean:.3f}", len(lengths), f"{min(mean / one.capacity, 1.0):.4f}"]


def _children(one: Pipeline, stage: PipelineStage) -> list[int]:
    return [s.number for s in one.stages if s.parent == stage.number]
