"""What takes time beside operators: compiling, calls of programs, callbacks, and data pipelines, stage by stage."""
from __future__ import annotations

import threading
import time
from typing import Any

from mindspore.compiler import cache
from mindspore.compiler.inspection import record as compilations
from mindspore.dataset import config
from mindspore.dataset.execution import profile as pipelines
from mindspore.train import watching

from .recorded import Pipeline, PipelineStage, Span

COMPILE, DATA = "Compile", "Data"
CALLBACK, ROWS, CALL = "Callback", "Rows", "Call"


class Surroundings:
    """Takes up compilations and waits for data, calls and callbacks of this thread, and what data pipelines do.

    Attributes:
        spans: The compilations and waits.
    """

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self._calls: list[tuple[str, str, int, int]] = []
        self._thread = 0
        self._profiles: dict[pipelines.Profile, dict[Any, Any]] = {}       # and where their counts stood
        self._queues: dict[pipelines.Profile, list[tuple[int, int]]] = {}
        self._waits: dict[pipelines.Profile, int] = {}

    def start(self) -> None:
        """Take up from now on."""
        self._look()
        pipelines.observers.append(self)
        compilations.listeners.append(self._compiled)
        self._thread = threading.get_ident()
        watching.observers.append(self._watched)
        cache.tell_calls(self._called)

    def stop(self) -> None:
        """Take up no longer."""
        pipelines.observers.remove(self)
        compilations.listeners.remove(self._compiled)
        watching.observers.remove(self._watched)
        cache.tell_calls(None)

    def clear(self) -> None:
        """Forget what was taken up."""
        self.spans.clear()
        self._calls.clear()
        self._queues.clear()
        self._waits.clear()
        self._look()

    def _look(self) -> None:
        """Note where the counts of the pipelines stand that there are."""
        for one in list(pipelines.living):
            self._profiles[one] = _counts(one)

    def _compiled(self, record: compilations.Record, stage: compilations.Stage, start: float) -> None:
        args = {"program": record.name, "reason": record.reason, "nodes": stage.nodes}
        self.spans.append(Span(COMPILE, stage.name, int(start * 1e9), int(stage.seconds * 1e9), -1, args))

    def _watched(self, what: str, name: str, start: int, end: int) -> None:
        if threading.get_ident() == self._thread:
            self._calls.append((CALLBACK if what == watching.CALLBACK else ROWS, name, start, end))

    def _called(self, name: str, start: int, end: int) -> None:
        if threading.get_ident() == self._thread:
            self._calls.append((CALL, name, start, end))

    @property
    def calls(self) -> list[Span]:
        """Calls of programs, callbacks, and where rows were taken."""
        return [Span(lane, name, start, end - start) for lane, name, start, end in self._calls]

    # ------------------------------------------------------------------ what pipelines tell

    def begun(self, profile: pipelines.Profile) -> None:
        """A pipeline begins."""
        self._profiles[profile] = {}

    def waited(self, profile: pipelines.Profile, begin: float, end: float) -> None:
        """The program had to wait for rows."""
        self._waits[profile] = self._waits.get(profile, 0) + 1
        self.spans.append(Span(DATA, "waiting for rows", int(begin * 1e9), int((end - begin) * 1e9)))

    def filled(self, profile: pipelines.Profile, rows: int) -> None:
        """So many rows are ready."""
        self._queues.setdefault(profile, []).append((time.perf_counter_ns(), rows))

    def pipelines(self) -> list[Pipeline]:
        """What each pipeline did meanwhile; those that did nothing are left out."""
        found = [self._pipeline(profile, before) for profile, before in list(self._profiles.items())]
        return [one for one in found if one.stages and one.stages[0].rows]

    def _pipeline(self, profile: pipelines.Profile, before: dict[Any, Any]) -> Pipeline:
        now = _counts(profile)
        waited = now["waited"] - before.get("waited", 0.0)
        stages: list[PipelineStage] = []
        deepest: dict[tuple[int, ...], int] = {}                 # by place: the stage that rows come in at
        for place in sorted(profile.works, key=lambda p: (len(p), p)):
            work = profile.works[place]
            parent = next((deepest[place[:n]] for n in range(len(place) - 1, -1, -1) if place[:n] in deepest), -1)
            rows, seconds = now[place]
            rows_then, seconds_then = before.get(place, (0, [0.0] * len(seconds)))
            for name, spent, spent_then in reversed(list(zip(work.names, seconds, seconds_then, strict=True))):
                stages.append(PipelineStage(len(stages), name, _workers(work.mode), rows - rows_then,
                                            spent - spent_then, parent))
                parent = len(stages) - 1
            deepest[place] = parent
        return Pipeline(stages, waited, self._waits.get(profile, 0), config.get_prefetch_size(),
                        self._queues.get(profile, []))


def _counts(profile: pipelines.Profile) -> dict[Any, Any]:
    """Rows and seconds of every place of a pipeline so far."""
    works = {place: (work.rows, list(work.seconds)) for place, work in list(profile.works.items())}
    return {"waited": profile.waited, **works}


def _workers(mode: str) -> int:
    """The number in "4 threads"; 1 for "one thread"."""
    first = mode.partition(" ")[0]
    return int(first) if first.isdigit() else 1
