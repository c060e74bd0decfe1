"""`EnvProfiler`: measures what the variable MS_PROFILER_OPTIONS asks for, without a change of the program."""
from __future__ import annotations

import atexit
import json
import os
from typing import Any

from mindspore.core import log

from .handlers import tensorboard_trace_handler
from .profile import Profile
from .texts import arguments

VARIABLE = "MS_PROFILER_OPTIONS"


class EnvProfiler:
    """Measures from the import of this package to the end of the program, if MS_PROFILER_OPTIONS says so.

    The variable holds JSON: `start` (true to measure), `output_path`, and the names of `profile` and
    `_ExperimentalConfig`, without `schedule` and `on_trace_ready`.

    Examples:
        >>> from mindspore.profiler import EnvProfiler
        >>> EnvProfiler().analyse()
    """

    NOT_SUPPORTED_PARAMS = ["schedule", "on_trace_ready"]
    profiler: Profile | None = None

    @classmethod
    def init_profiler(cls) -> None:
        """Start to measure, if the variable asks for that and nothing of it runs."""
        text = os.environ.get(VARIABLE)
        if not text or cls.profiler is not None:
            return
        try:
            asked: Any = json.loads(text)
            if not isinstance(asked, dict):
                raise ValueError(f"{asked!r} is no object")
        except ValueError as error:
            log.error(f"The variable {VARIABLE} cannot be read, so nothing is measured: {error}.")
            return
        if asked.get("start"):
            ready = tensorboard_trace_handler(asked.get("output_path"))
            cls.profiler = Profile(on_trace_ready=ready, **arguments(VARIABLE, asked))
            atexit.register(cls().analyse)

    def analyse(self) -> None:
        """Stop, and write the tables and the trace; nothing happens where nothing is measured."""
        found = self.profiler
        if found is not None and found.running:
            found.stop()
