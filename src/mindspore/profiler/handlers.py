"""What happens to a measurement that is complete: `tensorboard_trace_handler`."""
from __future__ import annotations

import os
import platform
import time
from pathlib import Path
from typing import Any

from mindspore.core import log

_LONGEST = 226      # characters of a name before a folder's own part of the name


class Handler:
    """Writes the tables and the trace of what was measured; made by `tensorboard_trace_handler`."""

    def __init__(self, parent: Path | None, worker: str | None, analyse: bool, asynchronous: bool):
        self.parent, self.worker, self.analyse, self.asynchronous = parent, worker, analyse, asynchronous

    def __call__(self, measured: Any) -> None:
        if self.analyse:
            measured.analyse(async_mode=self.asynchronous)


def tensorboard_trace_handler(dir_name: Any = None, worker_name: Any = None, analyse_flag: Any = True,
                              async_mode: Any = False) -> Handler:
    """What `on_trace_ready` of a profiler calls: it writes what was measured in a folder of its own.

    The folder `<worker_name or host>_<process>_<time>_ascend_ms` holds tables and `trace_view.json`, which
    https://ui.perfetto.dev opens. An argument that does not fit is told in a warning and has its default.

    Args:
        dir_name: The folder above. Default: None, that of the profiler, "./data".
        worker_name: Begins the folder's name. Default: None, the host's name.
        analyse_flag: Whether tables and trace are written; else `analyse` does so later. Default: True.
        async_mode: Whether a thread writes them while the program continues. Default: False.

    Examples:
        >>> import tempfile
        >>> from mindspore.profiler import profile, tensorboard_trace_handler
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with profile(on_trace_ready=tensorboard_trace_handler(folder)) as measured:
        ...         _ = Tensor([1.0, 2.0]) * 2
        ...     measured.folder.parent.name in folder
        True
    """
    if dir_name is not None and not (isinstance(dir_name, (str, Path)) and str(dir_name)):
        dir_name = _reset("dir_name", dir_name, None)
    if worker_name is not None and not (isinstance(worker_name, str) and 0 < len(worker_name) < _LONGEST):
        worker_name = _reset("worker_name", worker_name, None)
    if not isinstance(analyse_flag, bool):
        analyse_flag = _reset("analyse_flag", analyse_flag, True)
    if not isinstance(async_mode, bool):
        async_mode = _reset("async_mode", async_mode, False)
    return Handler(None if dir_name is None else Path(dir_name), worker_name, analyse_flag, async_mode)


def _reset(name: str, value: Any, default: Any) -> Any:
    log.warning(f"For 'tensorboard_trace_handler', the '{name}' cannot be {value!r}: it is taken as {default}.")
    return default


def new_folder(parent: Path, worker: str | None = None) -> Path:
    """A folder for a measurement, which does not exist yet."""
    while True:
        now = time.time_ns()
        stamp = f"{time.strftime('%Y%m%d%H%M%S', time.gmtime(now // 10**9))}{now // 10**6 % 1000:03d}"
        found = parent / f"{worker or platform.node()}_{os.getpid()}_{stamp}_ascend_ms"
        try:
            found.mkdir(parents=True)
        except FileExistsError:
            time.sleep(0.001)
        else:
            return found
