"""Threads that work for a pipeline, and hold nobody up: one whose function does not return is left to itself."""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

EXIT = 0.25  # most seconds that a thread is waited for whose function does not return
_LIBRARIES = (
    os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")) + os.sep,
    sysconfig.get_paths()["stdlib"] + os.sep,
)


class Threads:
    """Up to `most` threads, begun as they are needed; they end with the program, too, unlike those of an executor."""

    def __init__(self, most: int):
        self._most = most
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple] | None] = SimpleQueue()
        self.running: list[threading.Thread] = []

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Let a thread call the function; what it gives or raises is the result of the future."""
        future: Future[Any] = Future()
        self._tasks.put((future, function, args))
        if len(self.running) < self._most:
            thread = threading.Thread(
                target=_work, args=(self._tasks,), name="dataset-worker", daemon=True
            )
            self.running.append(thread)
            thread.start()
        return future

    def stop(self) -> None:
        """End the threads as soon as they have done what they are at."""
        while not self._tasks.empty():
            self._tasks.get()
        for _ in self.running:
            self._tasks.put(None)
        end = time.monotonic() + EXIT
        for thread in self.running:
            thread.join(max(0.0, end - time.monotonic()))


def _work(tasks: SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple] | None]) -> None:
    while (task := tasks.get()) is not None:
        future, function, args = task
        try:
            result = function(*args)
        except BaseException as error:  # raised again where the result is asked for
            future.set_exception(error)
        else:
            future.set_result(result)
        del task, future, function, args  # nothing is kept while the thread waits


def places(threads: Iterable[threading.Thread]) -> list[str]:
    """The functions of the program in which threads are now, innermost, with their lines."""
    frames, found = sys._current_frames(), []
    for thread in threads:
        frame = frames.get(thread.ident or 0)
        while frame is not None and frame.f_code.co_filename.startswith(("<frozen", *_LIBRARIES)):
            frame = frame.f_back
        if frame is not None:
            code = frame.f_code
            found.append(f"'{code.co_qualname}' ({code.co_filename}:{frame.f_lineno})")
    return found
