"""`mindspore.Profiler`: time by operator and by line of the user's script."""
from __future__ import annotations

import json
import os
import platform
import time
from pathlib import Path
from typing import Any

from mindspore.core import check, log

from . import tables
from .recording import Event, Recording


class Profiler:
    """Measures the operators of a program, in both modes, and writes tables and a trace.

    What runs in PyNative mode is measured in the thread that starts the profiler, compiled programs in every thread.
    Where nothing is measured, nothing is slower.

    Args:
        output_path: The folder in which a folder for this profile is made. Default: "./data".
        start_profile: Whether to start at once. Default: True.
        sync_enable: Whether a GPU is waited for after every operator, so that its work counts. Default: True.
        **kwargs: Other names that a release knew; a warning says that they measure nothing here.

    Raises:
        RuntimeError: Another profiler measures already.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     profiler = mindspore.Profiler(output_path=folder)
        ...     _ = Tensor([1.0, 2.0]) * 2
        ...     profiler.analyse()
        ...     found = profiler.op_analyse("Mul")
        >>> '"op_type": "Mul"' in found
        True
    """

    def __init__(self, **kwargs: Any):
        parent = Path(check.string(self, "output_path", kwargs.pop("output_path", "./data")))
        begin = check.boolean(self, "start_profile", kwargs.pop("start_profile", True))
        synchronous = check.boolean(self, "sync_enable", kwargs.pop("sync_enable", True))
        for name in kwargs:
            log.warning(f"For 'Profiler', the argument '{name}' is not supported: it measures nothing.")
        stamp = f"{time.strftime('%Y%m%d%H%M%S')}{time.time_ns() // 1_000_000 % 1000:03d}"
        self._folder = parent / f"{platform.node()}_{os.getpid()}_{stamp}_ascend_ms"
        self._recording = Recording(synchronous)
        self._epoch = time.time_ns() - time.perf_counter_ns()
        self._running, self._metadata = False, dict[str, Any]()
        if begin:
            self.start()

    def start(self) -> None:
        """Measure from now on.

        Raises:
            RuntimeError: This profiler or another one measures already.
        """
        if self._running:
            raise RuntimeError("The profiler has already started: call 'stop' before 'start'.")
        self._recording.start()
        self._running = True

    def stop(self) -> None:
        """Measure no longer.

        Raises:
            RuntimeError: The profiler has not started.
        """
        if not self._running:
            raise RuntimeError("The profiler has not started, so it cannot be stopped.")
        self._recording.stop()
        self._running = False

    def step(self) -> None:
        """A step of the training has ended."""
        self._recording.step += 1

    def analyse(self) -> None:
        """Stop, and write the files of the profile."""
        if self._running:
            self.stop()
        tables.write(self._folder, self._recording.events(), self._epoch, max(self._recording.step, 1))
        if self._metadata:
            tables.write_text(self._folder / "profiler_metadata.json", json.dumps(self._metadata))

    def op_analyse(self, op_name: str | list[str]) -> str:
        """What applications of operators took, as JSON.

        Args:
            op_name: The types of operators.

        Returns:
            A list of objects: operator, count, total and average time in ms, floating-point operations.
        """
        wanted = [op_name] if isinstance(op_name, str) else check.names(self, "op_name", op_name)
        found = tables.grouped([e for e in self.events if e.name in wanted], lambda e: e.name)
        return json.dumps([_summary(kind, events) for kind, events in found.items()])

    def add_metadata(self, key: str, value: str) -> None:
        """Keep a text beside the profile."""
        self._metadata[check.string(self, "key", key)] = check.string(self, "value", value)

    def add_metadata_json(self, key: str, value: str) -> None:
        """Keep a text in JSON beside the profile.

        Raises:
            ValueError: `value` is no JSON.
        """
        self._metadata[check.string(self, "key", key)] = json.loads(check.string(self, "value", value))

    @property
    def events(self) -> list[Event]:
        """The applications that were measured so far, in order of time."""
        return self._recording.events()

    def __enter__(self) -> Profiler:
        if not self._running:
            self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.analyse()


def _summary(kind: str, events: list[Event]) -> dict[str, Any]:
    spent = sum(e.duration for e in events) / 1e6
    return {"op_type": kind, "op_occurrences": len(events), "op_total_time(ms)": spent,
            "op_avg_time(ms)": spent / len(events), "flops": sum(e.flops for e in events)}
