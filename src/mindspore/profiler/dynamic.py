"""`DynamicProfilerMonitor`: measures steps of a running training that a file asks for."""
from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from mindspore.core import check, json_text, log
from mindspore.formats.files import atomic
from mindspore.train.callback.callback import Callback, RunContext

from .actions import ProfilerAction
from .handlers import tensorboard_trace_handler
from .profile import Profile
from .texts import arguments

_FILE = "profiler_config.json"
_DEFAULT: dict[str, Any] = {
    "start_step": -1, "stop_step": -1, "aic_metrics": "AiCoreNone", "profiler_level": "Level0", "analyse_mode": -1,
    "activities": ["CPU", "NPU"], "export_type": ["text"], "profile_memory": False, "mstx": False,
    "parallel_strategy": False, "with_stack": False, "data_simplification": True, "l2_cache": False, "analyse": False,
    "record_shapes": False, "prof_path": "./", "mstx_domain_include": [], "mstx_domain_exclude": [], "host_sys": [],
    "sys_io": False, "sys_interconnection": False}


class DynamicProfilerMonitor(Callback):
    """Measures steps of a running training that a file asks for, `<cfg_path>/profiler_config.json`.

    The file, which is made with defaults if there is none, is read again while the training runs: `start_step` and
    `stop_step` are the first and the last step that is measured (the first of a training is 1), and the other names are
    those of `profile` and `_ExperimentalConfig`, `prof_path` (in place of `output_path`) and `analyse`: whether the
    tables and the trace are written (`analyse_mode` 1: by a thread beside the training). Steps that lie in the past,
    and files that cannot be read, are told in a warning.

    Args:
        cfg_path: The folder of the file.
        output_path: The folder above those of the measurements. Default: "./dyn_profile_data".
        poll_interval: The seconds after which the file is looked at again, at least 1. Default: 2.
        **kwargs: What earlier releases took; a warning names it.

    Raises:
        TypeError: `cfg_path` is no text.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.profiler import DynamicProfilerMonitor
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     monitor = DynamicProfilerMonitor(cfg_path=folder)
        ...     os.listdir(folder)
        ['profiler_config.json']
    """

    def __init__(self, cfg_path: Any = None, output_path: Any = "./dyn_profile_data", poll_interval: Any = 2,
                 **kwargs: Any):
        self._file = Path(check.string(self, "cfg_path", cfg_path)) / _FILE
        if not isinstance(output_path, str):
            log.warning(f"For 'DynamicProfilerMonitor', 'output_path' cannot be {output_path!r}: it has its default.")
            output_path = "./dyn_profile_data"
        if type(poll_interval) is not int or poll_interval < 1:
            log.warning(f"For 'DynamicProfilerMonitor', the 'poll_interval' cannot be {poll_interval!r}: it is 2 s.")
            poll_interval = 2
        if kwargs:
            log.warning(f"For 'DynamicProfilerMonitor', there are no arguments {', '.join(sorted(kwargs))}.")
        self._output, self._interval = output_path, poll_interval
        self._rank = int(os.environ.get("RANK_ID", "0") or 0)
        self._looked, self._changed = -float(poll_interval), -1
        self._asked: dict[str, Any] = {}
        self._range = self._done = (-1, -1)
        self._profile: Profile | None = None
        self._number = 0
        if not self._file.exists() and self._rank == 0:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with atomic(self._file, None) as file:
                file.write(json.dumps(_DEFAULT, indent=4).encode())

    # ------------------------------------------------------------------ moments of the training

    def step_begin(self, run_context: RunContext) -> None:
        """Start to measure, if the file asks for this step."""
        self._begin(run_context.original_args().cur_step_num)

    def step_end(self, run_context: RunContext) -> None:
        """Stop after the last step that the file asks for."""
        self._end(run_context.original_args().cur_step_num)

    def step(self) -> None:
        """A step has ended, in a training that is not run by `Model`."""
        self._end(self._number)
        self._number += 1
        self._begin(self._number)

    def on_train_end(self, run_context: RunContext) -> None:
        """Stop, if the training ends within the steps that are measured."""
        if self._profile is not None:
            log.warning(f"The training ends before step {self._range[1]}, up to which it was to be measured.")
            self._stop()

    # ------------------------------------------------------------------ what they do

    def _begin(self, number: int) -> None:
        if self._profile is not None:
            return
        self._look()
        first, last = self._range
        if self._range == self._done or min(first, last) < 1 or number < first:
            return
        self._done = self._range
        if first > last or number > first:
            log.warning(f"In '{self._file}', 'start_step' {first} and 'stop_step' {last} cannot be measured: "
                        f"the training is at step {number}.")
            return
        parent = self._asked["prof_path"] if self._asked["prof_path"] != "./" else self._output
        folder = Path(parent) / f"rank{self._rank}_start{first}_stop{last}"
        ready = tensorboard_trace_handler(folder, None, bool(self._asked["analyse"]), self._asked["analyse_mode"] == 1)
        given = arguments(f"'{self._file}'", self._asked) | {"start_profile": False}
        self._profile = Profile(schedule=_every, on_trace_ready=ready, **given)
        self._profile.step_num = number
        self._profile.start()
        log.info(f"Steps {first} to {last} are measured, in '{folder}'.")

    def _end(self, number: int) -> None:
        if self._profile is not None:
            if number >= self._range[1]:
                self._stop()
            else:
                self._profile.step()

    def _stop(self) -> None:
        assert self._profile is not None, "nothing is measured"
        self._profile.stop()
        self._profile = None

    def _look(self) -> None:
        """Read the file again if it has changed, and it is time to look."""
        now = time.monotonic()
        if now - self._looked < self._interval:
            return
        self._looked = now
        try:
            changed = self._file.stat().st_mtime_ns
            if changed == self._changed:
                return
            asked = json_text.read(self._file)
            self._changed = changed
            self._asked = _DEFAULT | asked
            steps = self._asked["start_step"], self._asked["stop_step"]
            if not all([type(n) is int for n in steps]):
                raise ValueError(f"'start_step' and 'stop_step' must be numbers, but are {steps}")
            self._range = steps
        except (OSError, ValueError, TypeError) as error:
            log.warning(f"'{self._file}' does not say what is to be measured: {error}.")


def _every(step: int) -> ProfilerAction:
    return ProfilerAction.RECORD_AND_SAVE if step < 0 else ProfilerAction.RECORD
