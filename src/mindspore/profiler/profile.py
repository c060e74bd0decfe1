"""`mindspore.profiler.profile`: measures the steps that a schedule chooses."""
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from mindspore.core import log

from .actions import ProfilerAction
from .handlers import tensorboard_trace_handler
from .measurement import Measurement
from .options import Settings
from .recorded import Event, Recorded

_KEPT = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class Profile:
    """Measures the operators of a program, in both modes, in the steps that a schedule chooses.

    Every cycle of the schedule leaves a folder of its own; without a schedule, all that runs until `stop` is one. What
    runs in PyNative mode is measured in the thread that starts the profiler, compiled programs in every thread. Where
    nothing is measured, nothing is slower. An argument that does not fit is told in a warning and has its default.

    Args:
        activities: Where is measured, of ProfilerActivity: CPU for operators, GPU or NPU for the kernels of a device.
            Default: None, all.
        with_stack: Whether the lines that led to an operator are kept. Default: False.
        profile_memory: Whether every allocation of memory is kept, with the operator that asked. Default: False.
        data_process: Whether the stages of data pipelines are measured. Default: False.
        parallel_strategy: Of Ascend; measures nothing here. Default: False.
        start_profile: Whether to start at once. Default: True.
        hbm_ddr: Of Ascend; measures nothing here. Default: False.
        pcie: Of Ascend; measures nothing here. Default: False.
        sync_enable: Whether a GPU is waited for after every operator, so that its work counts. Default: True.
        record_shapes: Whether the trace shows the shapes of inputs. Default: False.
        schedule: A function from the number of a step to what is done in it, see `schedule`. Default: None.
        on_trace_ready: Called with what was measured, which has a method `analyse`. Default: None, only what analysing
            needs is written.
        experimental_config: Further settings. Default: None.

    Raises:
        RuntimeError: Another profiler measures already.

    Examples:
        >>> import tempfile
        >>> from mindspore.profiler import profile, schedule, tensorboard_trace_handler
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ready = tensorboard_trace_handler(folder)
        ...     with profile(schedule=schedule(wait=1, warmup=1, active=1, repeat=1), on_trace_ready=ready) as measured:
        ...         for _ in range(4):
        ...             _ = Tensor([1.0, 2.0]) * 2
        ...             measured.step()
        ...     [(event.name, event.step) for event in measured.events]
        [('Mul', 2)]
    """

    _continues = False      # whether `start` after `stop` continues with the same measurement

    def __init__(self, activities: Any = None, with_stack: Any = False, profile_memory: Any = False,
                 data_process: Any = False, parallel_strategy: Any = False, start_profile: Any = True,
                 hbm_ddr: Any = False, pcie: Any = False, sync_enable: Any = True, record_shapes: Any = False,
                 schedule: Any = None, on_trace_ready: Any = None, experimental_config: Any = None):
        given = dict(locals())
        self._set_up({name: given[name] for name in given if name not in ("self", "__class__")})

    def _set_up(self, given: dict[str, Any]) -> None:
        self._running = False
        self._settings = Settings(given)
        if self._settings.ready is tensorboard_trace_handler:        # without the call that makes one of it
            self._settings.ready = tensorboard_trace_handler()
        self._action = ProfilerAction.NONE
        self._measured: Measurement | None = None
        self._metadata: dict[str, Any] = {}
        self.step_num = 0
        if self._settings.begins:
            self.start()

    # ------------------------------------------------------------------ what the program says

    def start(self) -> None:
        """Measure from now on, as the schedule says; it is told in a warning if that is so already.

        Raises:
            RuntimeError: Another profiler measures already.
        """
        if self._running:
            log.warning("The profiler has already started: 'start' does nothing.")
            return
        self._go(self._planned())
        self._running = True

    def stop(self) -> None:
        """Measure no longer; what was measured is handed to `on_trace_ready`."""
        if not self._running:
            log.error("The profiler has not started: 'stop' does nothing.")
            return
        self._running = False
        self._go(None)

    def step(self) -> None:
        """A step of the training has ended."""
        if not self._running:
            log.error("The profiler has not started: 'step' does nothing.")
            return
        self.step_num += 1
        if self._measured is not None and self._action is not ProfilerAction.NONE:
            self._measured.step(self.step_num)
        self._go(self._planned())

    def add_metadata(self, key: str, value: str) -> None:
        """Keep a text beside the profile, in `profiler_metadata.json`.

        Args:
            key: Its name.
            value: The text.
        """
        if _are_texts(key, value):
            self._metadata[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """Keep a value that is given as JSON beside the profile, in `profiler_metadata.json`.

        Args:
            key: Its name.
            value: The JSON text; what is none is told in a warning.
        """
        if not _are_texts(key, value):
            return
        try:
            self._metadata[key] = json.loads(value)
        except ValueError as error:
            log.warning(f"For 'add_metadata_json', the 'value' of '{key}' is no JSON ({error}): it is not kept.")

    # ------------------------------------------------------------------ what was measured

    @property
    def running(self) -> bool:
        """Whether it has started and not stopped."""
        return self._running

    @property
    def folder(self) -> Path | None:
        """The folder of the last measurement; None before there is one."""
        return None if self._measured is None else self._measured.folder

    @property
    def recorded(self) -> Recorded | None:
        """What the last measurement found so far; None before there is one."""
        return None if self._measured is None else self._measured.recorded

    @property
    def events(self) -> list[Event]:
        """The applications of operators that the last measurement found so far, in order of time."""
        return [] if self._measured is None else self._measured.events

    # ------------------------------------------------------------------ the way through a schedule

    def _planned(self) -> ProfilerAction:
        plan = self._settings.schedule
        return ProfilerAction.RECORD if plan is None else plan(self.step_num)

    def _go(self, action: ProfilerAction | None) -> None:
        """From what was done in the last step to what is done in the next one; None for no step."""
        before, self._action = self._action, action or ProfilerAction.NONE
        if before in _KEPT and (before is ProfilerAction.RECORD_AND_SAVE or action not in _KEPT):
            self._finish(before, action)
        elif before is ProfilerAction.WARM_UP and action in _KEPT and self._measured is not None:
            self._measured.forget()
            return
        elif before is ProfilerAction.WARM_UP and action is not ProfilerAction.WARM_UP and self._measured is not None:
            log.warning("The profiler ends while it warms up: nothing was measured.")
            self._measured.drop()
            self._measured = None
        elif before is not ProfilerAction.NONE:
            return
        if self._action is not ProfilerAction.NONE:
            self._begin()

    def _begin(self) -> None:
        if self._measured is None or not self._continues:
            self._measured = Measurement(self._settings, self.step_num)
            self._measured.metadata = self._metadata
        self._measured.start()

    def _finish(self, before: ProfilerAction, action: ProfilerAction | None) -> None:
        assert self._measured is not None, "a step was kept that nobody measured"
        self._measured.stop()
        unfinished = before is ProfilerAction.RECORD and self._settings.schedule is not None
        if unfinished:
            log.warning("The profiler ends within a cycle of its schedule: the last steps are missing.")
        if self._settings.ready is not None and not (unfinished and action is not None):
            self._settings.ready(self._measured)

    def __enter__(self) -> Any:
        if not self._running:
            self.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._running:
            self.stop()

    def __del__(self) -> None:
        if not getattr(self, "_running", False):
            return
        if sys.is_finalizing():
            log.warning("A profiler was not stopped before the end of the program: nothing of it is written.")
            return
        self.stop()
        log.warning("A profiler was not stopped; it is now, as nothing refers to it any more.")


def _are_texts(key: Any, value: Any) -> bool:
    fits = isinstance(key, str) and isinstance(value, str)
    if not fits:
        log.warning(f"The metadata of a profiler are texts, but got {key!r} and {value!r}: they are not kept.")
    return fits


__all__ = ["Profile"]
