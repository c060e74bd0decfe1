"""The process while it is measured: how busy its threads are, and its memory, ten times a second."""
from __future__ import annotations

import os
import threading
import time

_PERIOD = 0.1


class Host:
    """Watches the process in a thread.

    Attributes:
        samples: Time (ns of `time.perf_counter_ns`), cores that were busy since the last one, bytes of memory.
    """

    def __init__(self) -> None:
        self.samples: list[tuple[int, float, int]] = []
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Watch from now on."""
        self._stopped.clear()
        self._thread = threading.Thread(target=self._watch, name="profiler-host", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no longer."""
        if self._thread is not None:
            self._stopped.set()
            self._thread.join()
            self._thread = None

    def _watch(self) -> None:
        wall, busy = time.perf_counter_ns(), time.process_time_ns()
        while True:
            last = self._stopped.wait(_PERIOD)
            now, spent = time.perf_counter_ns(), time.process_time_ns()
            self.samples.append((now, round((spent - busy) / max(now - wall, 1), 3), resident()))
            wall, busy = now, spent
            if last:
                return


def resident() -> int:
    """Bytes of memory that the process has in use."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
