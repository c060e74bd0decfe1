"""One measurement, from where it starts to the files that it leaves."""
from __future__ import annotations

import shutil
import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import roofline, tables
from .handlers import Handler, new_folder
from .host import Host
from .kernels import Kernels
from .marks import marking
from .options import ExportType, ProfilerLevel, Settings
from .recorded import FILE, Event, Peak, Recorded, Step
from .recording import Recording
from .surroundings import Surroundings


class Measurement:
    """What is measured while it runs, and the folder that it goes to.

    Args:
        settings: What is wanted.
        step: The number of the step in which it starts.

    Attributes:
        folder: Where its files are.
    """

    def __init__(self, settings: Settings, step: int = 0):
        ready = settings.ready if isinstance(settings.ready, Handler) else None
        parent = (ready and ready.parent) or settings.folder
        self.settings = settings
        self.folder = new_folder(parent, ready.worker if ready else None)
        self.metadata: dict[str, Any] = {}
        self._recording = Recording(settings.waits, settings.operators, settings.stacks)
        self._recording.step = step
        self._around = Surroundings()
        self._host = Host() if settings.host else None
        self._kernels: Kernels | None = None
        self._peak: Peak | None = None
        if settings.kernels or settings.memory:
            shapes = settings.level is ProfilerLevel.Level2
            self._kernels = Kernels(settings.host_kernels, settings.memory, shapes)
        self._steps: list[Step] = []
        self._began = self._size = 0
        self._epoch = time.time_ns() - time.perf_counter_ns()

    def start(self) -> None:
        """Measure from now on.

        Raises:
            RuntimeError: Another measurement runs.
        """
        try:
            self._recording.start()
        except RuntimeError:
            shutil.rmtree(self.folder)
            raise
        if self.settings.marks:
            marking.keeper, marking.domains = self._recording, (self.settings.include, self.settings.exclude)
        self._around.start()
        for one in (self._host, self._kernels):
            if one is not None:
                one.start()
        self._began = time.perf_counter_ns()

    def stop(self) -> None:
        """Measure no longer, and keep what was measured."""
        if self._recording.size != self._size or not self._steps:        # a step has begun since the last one
            self._ended()
        self._halt()
        if self.settings.operators:
            self._peak = roofline.peak()
        self.save()

    def _halt(self) -> None:
        for one in (self._host, self._kernels):
            if one is not None:
                one.stop()
        self._around.stop()
        self._recording.stop()
        marking.keeper = None
        marking.ranges.clear()

    def drop(self) -> None:
        """Measure no longer, and leave nothing."""
        self._halt()
        shutil.rmtree(self.folder, ignore_errors=True)

    def forget(self) -> None:
        """Drop what was measured so far."""
        self._recording.clear()
        self._around.clear()
        if self._kernels is not None:
            self._kernels.clear()
        if self._host is not None:
            self._host.samples.clear()
        self._steps.clear()
        self._began, self._size = time.perf_counter_ns(), 0

    def step(self, number: int) -> None:
        """A step has ended; the next one has that number."""
        self._ended()
        self._recording.step = number

    def _ended(self) -> None:
        now = time.perf_counter_ns()
        if now > self._began:
            self._steps.append(Step(self._recording.step, self._began, now - self._began))
        self._began, self._size = now, self._recording.size

    @property
    def events(self) -> list[Event]:
        """The applications of operators that were measured so far, in order of time."""
        return self._recording.events(self._step_of())

    @property
    def recorded(self) -> Recorded:
        """What was measured so far."""
        settings, step_of = self.settings, self._step_of()
        kernels = self._kernels.spans(self._epoch) if self._kernels else []
        spans = [*self._around.spans, *self._around.calls, *kernels]
        around = [span._replace(step=step_of(span.start)) for span in spans]
        return Recorded(
            self._epoch, self._recording.events(step_of), list(self._steps), [*self._recording.spans, *around],
            memory=self._kernels.memory(self._epoch) if self._kernels else [],
            host=list(self._host.samples) if self._host else [],
            pipelines=self._around.pipelines() if settings.data else [],
            peak=self._peak, shapes=settings.shapes, databases=ExportType.Db in settings.export,
            texts=ExportType.Text in settings.export, metadata=self.metadata)

    def _step_of(self) -> Callable[[int], int]:
        """What gives the number of the step at a time."""
        steps = [*self._steps, Step(self._recording.step, self._began, 0)]
        starts = [s.start for s in steps]
        return lambda time: steps[max(bisect_right(starts, time) - 1, 0)].number

    def save(self) -> None:
        """Write what was measured, and the tables that the original writes without analysing."""
        frame = self.folder / "FRAMEWORK"
        frame.mkdir(parents=True, exist_ok=True)
        found = self.recorded
        found.save(frame)
        tables.write_framework(frame, found)

    def analyse(self, async_mode: bool = False, pretty: bool = False, step_list: list[int] | None = None) -> None:
        """Write the tables and the trace.

        Args:
            async_mode: Whether a thread does that while the program continues.
            pretty: Whether JSON files have one line per value.
            step_list: The only steps that count; None for all.
        """
        found = self.recorded.of_steps(step_list)
        given = self.folder, found, pretty, self.settings.simplified
        if async_mode:
            threading.Thread(target=finish, name="profiler", args=given).start()
        else:
            finish(*given)


def finish(folder: Path, found: Recorded, pretty: bool, simplified: bool) -> None:
    """Write the tables and the trace of what was measured.

    Args:
        folder: The folder of the measurement.
        found: What was measured.
        pretty: Whether JSON files have one line per value.
        simplified: Whether what analysing anew needs is removed.
    """
    tables.write(folder, found, pretty)
    if simplified:
        (folder / "FRAMEWORK" / FILE).unlink(missing_ok=True)
