"""What a pipeline does and how long it takes: `Dataset.explain` and `Iterator.report`."""

from __future__ import annotations

import dataclasses
from typing import Any

from mindspore.dataset import config
from mindspore.dataset.execution import chain
from mindspore.dataset.execution.profile import Profile
from mindspore.dataset.execution.run import Run


@dataclasses.dataclass(frozen=True)
class Report:
    """Times of an iterator so far.

    Attributes:
        seconds: Since it began.
        waited: Seconds that the reader waited for rows.
        stages: For each step of the pipeline its name, the rows that it gave and the seconds that its workers spent.
        queue: Samples (seconds, rows waiting), one every `config.get_monitor_sampling_interval()` ms.
        error_samples: Rows that were left out or replaced since a transform failed on them.
    """

    seconds: float
    waited: float
    stages: list[tuple[str, int, float]]
    queue: list[tuple[float, int]]
    error_samples: int

    def __str__(self) -> str:
        lines = [f"{self.seconds:.2f} s, of which the reader waited {self.waited:.2f} s"]
        for name, rows, seconds in self.stages:
            each = 1e6 * seconds / rows if rows else 0.0
            lines.append(f"  {name:40} {rows:10} rows {seconds:9.3f} s {each:10.1f} us a row")
        if self.error_samples:
            lines.append(f"  samples with errors: {self.error_samples}")
        return "\n".join(lines)


def report(shared: Any) -> Report:
    """The report of what passes with this common state have done so far."""
    profile: Profile = shared.profile
    stages = []
    for place in sorted(profile.works, key=len, reverse=True):
        work = profile.works[place]
        stages += [
            (f"{name} ({work.mode})" if work.mode else name, work.rows, seconds)
            for name, seconds in zip(work.names, work.seconds, strict=True)
        ]
    return Report(profile.elapsed, profile.waited, stages, list(profile.fills), shared.failed)


def explain(dataset: Any) -> str:
    """How a pipeline runs: which steps are joined, who reads, and what is left step by step.

    Args:
        dataset: The pipeline.

    Returns:
        A text of several lines, for people.

    Examples:
        >>> print(dataset.explain(dataset.NumpySlicesDataset([1, 2, 3], shuffle=False).batch(2)))
        one piece of work for each block, one thread:
          batch 2
          NumpySlices: in order, by one thread
    """
    run = Run(0, optimise=config.get_enable_optimizer() and not dataset.is_paced())
    lines: list[str] = []
    if not run.optimise:
        lines.append("not optimised" + (": rows are waited for" if dataset.is_paced() else ""))
    _explained(dataset, run, 0, lines)
    return "\n".join(lines)


def _explained(node: Any, run: Run, depth: int, lines: list[str]) -> None:
    margin = "  " * depth
    if not chain.starts(node, run):
        lines.append(f"{margin}{_name(node)}: in order, by one thread")
        for child in node.children:
            _explained(child, run, depth + 1, lines)
        return
    found = chain.collected(node, run)
    lines.append(f"{margin}one piece of work for each block, {_workers(found)}:")
    for stage in found.stages:
        lines += [f"{margin}  {stage.name}", *(f"{margin}    {note}" for note in stage.notes)]
    if found.reads:
        lines.append(f"{margin}  {_name(found.bottom)}: read by the same worker")
    if found.full > 1:
        lines.append(f"{margin}  rows that fill no batch of {found.full} are not read")
    if not found.reads:
        _explained(found.bottom, run, depth + 1, lines)


def _workers(found: chain.Chain) -> str:
    if found.processes:
        return f"{found.workers} processes"
    if found.workers == 1:
        return "one thread"
    return f"{found.workers} threads, or one where that is faster when measured"


def _name(node: Any) -> str:
    return type(node).__name__.removesuffix("Dataset")
