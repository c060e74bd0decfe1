"""Ordered work by several processes, for Python functions that threads cannot run at the same time."""

from __future__ import annotations

import contextlib
import gc
import mmap
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from mindspore.core import log
from mindspore.core.errors import transferable
from mindspore.core.interrupts import ignore_interrupts, without_interrupts
from mindspore.dataset import config
from mindspore.dataset.execution import memory
from mindspore.dataset.execution.pool import FLUSH, Mark
from mindspore.dataset.execution.streams import Worker

AHEAD = 2  # items that each worker has: one at work, one waiting
SLOT = 2**26  # bytes of shared memory for a result; pages that are not written cost nothing


class WorkerTraceback(Exception):
    """The traceback of an error in a worker process, as text; the cause of that error in this one."""

    def __str__(self) -> str:
        return "in a worker process:\n" + self.args[0]


class Team:
    """Worker processes for one function; their results come in the order of the items.

    With the start method 'fork' the function may be any; with 'spawn' it must be possible to pickle it.
    """

    def __init__(self) -> None:
        self._workers: list[_Worker] = []
        self._number = 0

    def start(self, function: Callable[[Any], Any], workers: int) -> None:
        """Begin the processes."""
        for _ in range(workers):
            self._workers.append(_Worker(function))

    def ordered(self, items: Iterable[Any]) -> Iterator[Any]:
        """The function of each item.

        Raises:
            RuntimeError: A worker process died.
        """
        waiting: deque[Any] = deque()
        for item in items:
            if isinstance(item, Mark):
                waiting.append(item)
            else:
                worker = self._workers[self._number % len(self._workers)]
                worker.send(item)
                waiting.append(worker)
                self._number += 1
            while waiting and (item is FLUSH or len(waiting) >= AHEAD * len(self._workers)):
                yield from _result(waiting.popleft())
        while waiting:
            yield from _result(waiting.popleft())

    def stop(self) -> None:
        """End the processes, whatever they do."""
        for worker in self._workers:
            worker.stop()


def ordered(function: Callable[[Any], Any], items: Iterable[Any], workers: int) -> Iterator[Any]:
    """`function` of each item by processes that end with the items, or with the reader."""
    team = Team()
    try:
        team.start(function, workers)
        yield from team.ordered(items)
    finally:
        team.stop()


def _result(waited: Any) -> Iterator[Any]:
    if isinstance(waited, Mark):
        if waited is not FLUSH:
            yield waited
    else:
        yield waited.receive()


class _Worker:
    """A process and this side of the pipe to it."""

    def __init__(self, function: Callable[[Any], Any]):
        method = config.get_multiprocessing_start_method()
        context: Any = multiprocessing.get_context(method)
        shared = method == "fork" and config.get_enable_shared_mem()
        self._slots = [mmap.mmap(-1, SLOT) for _ in range(AHEAD)] if shared else []
        self._sent = self._received = 0
        self._stopped = False
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_work,
            args=(function, theirs, self._pipe if method == "fork" else None, self._slots),
            name="dataset-process",
            daemon=True,
        )
        with without_interrupts():
            self._process.start()
        theirs.close()

    def send(self, item: Any) -> None:
        content = pickle.dumps((item, self._sent % AHEAD), pickle.HIGHEST_PROTOCOL)
        self._sent += 1
        try:
            self._pipe.send_bytes(content)
        except (BrokenPipeError, ConnectionResetError, OSError):
            raise self._death() from None

    def receive(self) -> Any:
        slot, self._received = self._received % AHEAD, self._received + 1
        self._await()
        try:
            content, lengths = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, ConnectionResetError, OSError):
            raise self._death() from None
        result, error, text = pickle.loads(content, buffers=self._taken(slot, lengths))
        if error is not None:
            raise error from WorkerTraceback(text)
        return result

    def _await(self) -> None:
        """Wait for a result, or for the end of the process; a long wait is told."""
        seconds = config.get_multiprocessing_timeout_interval()
        try:
            while not self._pipe.poll():
                ready = wait([self._pipe, self._process.sentinel], seconds)
                if self._process.sentinel in ready and not self._pipe.poll():
                    raise self._death()
                if not ready:
                    log.warning(f"A worker process has worked on a block of rows for {seconds} s.")
        except (OSError, ValueError):  # closed by another thread
            raise self._death() from None

    def _taken(self, slot: int, lengths: list[int]) -> list[np.ndarray]:
        """The arrays that the worker left in shared memory, copied, so that it can use that memory again."""
        arrays, begin = [], 0
        for length in lengths:
            array = memory.empty((length,), np.uint8)
            array[:] = np.frombuffer(self._slots[slot], np.uint8, length, begin)
            arrays.append(array)
            begin += _padded(length)
        return arrays

    def _death(self) -> RuntimeError:
        if self._stopped:
            return RuntimeError("The data pipeline was stopped.")
        self._process.join(timeout=5)
        return RuntimeError(
            f"A worker process of the data pipeline ended with exit code {self._process.exitcode}. A function has "
            "ended it, or the machine ran out of memory; fewer workers need less."
        )

    def stop(self) -> None:
        if self._stopped:
            return
        self._stopped = True
        self._process.kill()
        self._process.join(timeout=10)
        self._pipe.close()
        if not self._process.is_alive():
            self._process.close()


def _padded(length: int) -> int:
    return -(-length // 64) * 64


def _work(
    function: Callable[[Any], Any],
    pipe: Connection,
    other_end: Connection | None,
    slots: list[mmap.mmap],
) -> None:
    """Body of a worker process: items come in through a thread, so that their sender need not wait for results."""
    Worker.inside = True
    gc.freeze()  # what the other process leaves behind is not this one's to tidy up
    ignore_interrupts()  # the reader is told, and ends the workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if other_end is not None:
        other_end.close()
    if "cv2" in sys.modules:
        sys.modules["cv2"].setNumThreads(0)  # the threads of its pool did not come along
    arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, arrived), daemon=True).start()
    while True:
        item, slot = pickle.loads(arrived.get())
        try:
            answer = _answer(function(item), slots[slot] if slots else None)
        except BaseException as error:  # `sys.exit` of a function, too, is for the reader to know
            answer = pickle.dumps((_error_answer(error), []))
        try:
            pipe.send_bytes(answer)
        except (BrokenPipeError, ConnectionResetError):
            return


def _answer(result: Any, slot: mmap.mmap | None) -> bytes:
    """A result for the pipe; its arrays go into shared memory if they fit."""
    buffers: list[pickle.PickleBuffer] = []
    whole = (result, None, "")
    content = pickle.dumps(whole, 5, buffer_callback=buffers.append if slot is not None else None)
    views = [buffer.raw() for buffer in buffers]
    lengths = [view.nbytes for view in views]
    if slot is None or sum(map(_padded, lengths)) > SLOT:
        return pickle.dumps((pickle.dumps(whole, 5), []), 5)
    begin = 0
    for view, length in zip(views, lengths, strict=True):
        slot[begin : begin + length] = view
        begin += _padded(length)
    return pickle.dumps((content, lengths), 5)


def _receive(pipe: Connection, arrived: queue.SimpleQueue[bytes]) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            arrived.put(pipe.recv_bytes())
    os._exit(0)  # the reader is gone


def _error_answer(error: BaseException) -> bytes:
    return pickle.dumps((None, transferable(error), "".join(traceback.format_exception(error))))
