"""Ordered work by several processes, for Python functions that threads cannot run at the same time."""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import random
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from mindspore.dataset import config

AHEAD = 2  # items that each worker has: one at work, one waiting


class WorkerTraceback(Exception):
    """The traceback of an error in a worker process, as text; the cause of that error in this one."""

    def __str__(self) -> str:
        return "in a worker process:\n" + self.args[0]


def ordered(
    function: Callable[[Any], Any], items: Iterable[Any], workers: int, seed: int
) -> Iterator[Any]:
    """`function` of each item by `workers` processes, in the order of the items.

    With the start method 'fork' the function may be any; with 'spawn' it must be possible to pickle it. `random` and
    `numpy.random` begin differently in each worker, from `seed`. However the reader ends, the processes end with it.

    Raises:
        RuntimeError: A worker process died.
    """
    team = [_Worker(function, seed + number) for number in range(workers)]
    waiting: deque[_Worker] = deque()
    try:
        for number, item in enumerate(items):
            worker = team[number % workers]
            worker.send(item)
            waiting.append(worker)
            if len(waiting) >= AHEAD * workers:
                yield waiting.popleft().receive()
        while waiting:
            yield waiting.popleft().receive()
    finally:
        for worker in team:
            worker.stop()


class _Worker:
    """A process and this side of the pipe to it."""

    def __init__(self, function: Callable[[Any], Any], seed: int):
        context: Any = multiprocessing.get_context(config.get_multiprocessing_start_method())
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_work,
            args=(function, theirs, self._pipe, seed % 2**32),
            name="dataset-process",
            daemon=True,
        )
        self._process.start()
        theirs.close()

    def send(self, item: Any) -> None:
        try:
            self._pipe.send_bytes(pickle.dumps(item, pickle.HIGHEST_PROTOCOL))
        except (BrokenPipeError, ConnectionResetError):
            raise self._death() from None

    def receive(self) -> Any:
        try:
            result, error, text = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, ConnectionResetError):
            raise self._death() from None
        if error is not None:
            raise error from WorkerTraceback(text)
        return result

    def _death(self) -> RuntimeError:
        self._process.join(timeout=5)
        return RuntimeError(
            f"A worker process of the data pipeline ended with exit code {self._process.exitcode}. A function has "
            "ended it, or the machine ran out of memory; fewer workers need less."
        )

    def stop(self) -> None:
        self._pipe.close()
        self._process.terminate()
        self._process.join(timeout=10)
        self._process.close() if not self._process.is_alive() else None


def _work(
    function: Callable[[Any], Any], pipe: Connection, other_end: Connection, seed: int
) -> None:
    """Body of a worker process: items come in through a thread, so that their sender need not wait for results."""
    if multiprocessing.get_start_method(allow_none=True) != "spawn":
        other_end.close()
    random.seed(seed)
    np.random.seed(seed)
    if "cv2" in sys.modules:
        sys.modules["cv2"].setNumThreads(0)  # the threads of its pool did not come along
    arrived: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, arrived), daemon=True).start()
    while (content := arrived.get()) is not None:
        try:
            answer = pickle.dumps(
                (function(pickle.loads(content)), None, ""), pickle.HIGHEST_PROTOCOL
            )
        except Exception as error:
            answer = _error_answer(error)
        try:
            pipe.send_bytes(answer)
        except (BrokenPipeError, ConnectionResetError):
            return


def _receive(pipe: Connection, arrived: queue.SimpleQueue[bytes | None]) -> None:
    try:
        while True:
            arrived.put(pipe.recv_bytes())
    except (EOFError, OSError):
        arrived.put(None)


def _error_answer(error: Exception) -> bytes:
    text = "".join(traceback.format_exception(error))
    try:
        content = pickle.dumps((None, error, text))
        pickle.loads(content)
    except Exception:  # an exception class that cannot be pickled
        content = pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}"), text))
    return content
