"""Ordered work by several threads, as many as turn out to be of use.

Threads help where the work leaves the interpreter for long (decoding a JPEG), and harm where it does so often and
briefly (scaling images of 28 x 28), since each return waits for the other thread. Which of the two it is shows when it
is measured, so the work is first done without threads, then with them, and the faster one is kept.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any

from mindspore.core import log
from mindspore.dataset import config
from mindspore.dataset.execution.streams import Worker, shared_draws
from mindspore.dataset.execution.threads import Threads


class Mark:
    """An item that keeps its place in the order, and is not worked on."""


class PassBegin(Mark):
    """Before the rows of a pass, of which the first `skip` are to be left out."""

    def __init__(self, skip: int):
        self.skip = skip


PASS_END = Mark()
FLUSH = Mark()  # asks for all results before it, and is not passed to the reader
DRAWS = 3  # items in which numbers were drawn before threads are told of it
FIRST, LAST = 64, 512  # items until the slower mode is tried again: at first, at most
GAIN = 0.9  # part of the time without threads that threads may need at most


class Choice:
    """Whether items are worked on by threads or by the thread that asks; kept from pass to pass.

    Args:
        workers: Number of threads.
        always: Threads, without a trial.
        program: Name of the step if functions of the program take part, which may draw from generators that all threads
            share. Then one thread does the work, in order.
        others: The choices of all steps of the iterator.

    Attributes:
        seconds: Time of an item without threads, and with them (divided by their number); 0 while not known.
        threads: Whether the next item is worked on by threads.
        draws: Whether functions of the program draw, so that one thread calls them.
    """

    def __init__(
        self,
        workers: int,
        always: bool = False,
        program: str = "",
        others: dict[Any, Choice] | None = None,
    ):
        self.program, self._others = program, {} if others is None else others
        self.watches = bool(program)  # whether draws are looked for
        self.draws, self._drawn = False, 0
        self.workers = workers
        self.seconds = [0.0, 0.0]
        self.always = always
        self.threads = always
        self._left = 2  # items until the next decision
        self._settled = False
        self._later = config.get_autotune_interval() or FIRST
        self._tried = self._warm = False
        self._running = 0
        self._lock = threading.Lock()

    def measured(self, seconds: float, threads: bool, full: bool = True) -> None:
        """Take note of the time of an item; of threads it counts only if all were at work (`full`)."""
        if self.always:
            return
        with self._lock:
            self._measured(seconds, threads, full)

    def _measured(self, seconds: float, threads: bool, full: bool) -> None:
        if not self._warm:  # the first one includes what is done once
            self._warm = True
        elif full or not threads:
            seconds /= self.workers if threads else 1
            known = self.seconds[threads]
            self.seconds[threads] = 0.7 * known + 0.3 * seconds if known else seconds
        if threads is self.threads:
            self._left -= 1
            if not self._left:
                self._decide()

    def _decide(self) -> None:
        if self._settled or not self._tried:  # a trial of the other mode
            self.threads, self._settled, self._tried = not self.threads, False, True
            self.seconds[self.threads], self._left = 0.0, 3 * self.workers + 2
            return
        alone, together = self.seconds
        # threads that never worked at the same time were not needed: the reader is slower than they are
        self.threads, self._settled = 0.0 < together < GAIN * alone, True
        self._left = self._later
        self._later = config.get_autotune_interval() or min(4 * self._later, LAST)

    def drew(self, threads: bool) -> None:
        """Take note that numbers were drawn while an item was worked on."""
        with self._lock:
            if not self.watches:
                return
            self._drawn += 1
            if not self._warm and not threads:  # nobody else was at work, since the reader has no row yet
                self.workers, self.threads, self.always, self.draws = 1, False, True, True
            elif self._drawn < DRAWS:
                return
            self.watches = False
        if self.draws:
            log.warning(
                f"A function of {self.program} draws from 'random' or 'numpy.random', which threads share, so it is "
                "called by one thread in place of several: equal seeds give equal rows. With "
                "python_multiprocessing=True several processes have streams of their own for each row."
            )
        elif not any(choice.draws for choice in list(self._others.values())):  # which would be the one
            log.warning(
                f"Numbers were drawn from 'random' or 'numpy.random' while {self.workers} threads worked on "
                f"{self.program}. If its function drew them, rows depend on the order of the threads: use "
                "num_parallel_workers=1 or python_multiprocessing=True."
            )

    def begin(self) -> bool:
        """A thread takes an item; whether all of them are at work now."""
        with self._lock:
            self._running += 1
            return self._running == self.workers

    def end(self) -> bool:
        """A thread has done an item; whether all of them were at work until now."""
        with self._lock:
            self._running -= 1
            return self._running == self.workers - 1


def ordered(
    function: Callable[[Any], Any],
    items: Iterable[Any],
    workers: int,
    choice: Choice | None = None,
    known: weakref.WeakSet[threading.Thread] | None = None,
) -> Iterator[Any]:
    """`function` of each item by up to `workers` threads; at most `2 * workers` items are worked on at a time.

    Without a `choice` threads are used in any case. The items are taken by the thread that asks for results. An error
    of the function is raised where its result is asked for, with the worker's own traceback. However the reader ends,
    the threads end with it; `known` takes them up.
    """
    chosen = choice or Choice(workers, always=True)
    pool: Threads | None = None
    waiting: deque[Future[Any] | Mark] = deque()
    try:
        for item in items:
            threads = chosen.threads
            if isinstance(item, Mark):
                waiting.append(item)
            elif threads:
                pool = pool or Threads(workers)
                waiting.append(pool.submit(_timed, function, item, chosen, True))
                if known is not None:
                    known.update(pool.running)
            at_once = item is FLUSH or not threads
            while waiting and (at_once or len(waiting) >= 2 * workers):
                yield from _result(waiting.popleft())
            if not isinstance(item, Mark) and not threads:
                yield _timed(function, item, chosen, False)
        while waiting:
            yield from _result(waiting.popleft())
    finally:
        if pool is not None:
            pool.stop()


def _result(waited: Future[Any] | Mark) -> Iterator[Any]:
    if not isinstance(waited, Mark):
        yield waited.result()
    elif waited is not FLUSH:
        yield waited


def _timed(function: Callable[[Any], Any], item: Any, choice: Choice, threads: bool) -> Any:
    before = shared_draws() if choice.watches and not Worker.inside else None
    begin = time.perf_counter()
    full = threads and choice.begin()
    try:
        result = function(item)
    finally:
        full = threads and choice.end() and full
    spent = time.perf_counter() - begin
    if before is not None and shared_draws() != before:
        choice.drew(threads)
    choice.measured(spent, threads, full)
    return result
