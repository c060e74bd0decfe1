"""The rows of a dataset, pass after pass, prepared ahead of the reader by a thread."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Generator, Iterator
from typing import Any

from mindspore.core import log
from mindspore.dataset import config
from mindspore.dataset.block import RowBlock
from mindspore.dataset.describe import described, write
from mindspore.dataset.execution.channel import Channel
from mindspore.dataset.execution.pool import FLUSH, PASS_END
from mindspore.dataset.execution.run import Run, Shared
from mindspore.dataset.execution.threads import EXIT, places

TIDY = 3  # most seconds that the thread of an iterator is waited for while no function of the program runs

class Feed:
    """Blocks of the passes over a dataset, one pass at a time.

    A thread prepares rows, at most one pass ahead of the reader. Without a given number of passes it prepares the
    second one only when that is asked for, since most readers that give no number read once.

    Args:
        dataset: The root of the tree.
        epochs: Number of passes, -1 for no end.
        skip: Rows left out at the start of the first pass.
        first: Number of the first pass.
        seed: Of all random choices, None for the one of `config`.
    """

    def __init__(
        self, dataset: Any, epochs: int, skip: int = 0, first: int = 0, seed: int | None = None
    ):
        debug = config.get_debug_mode()
        self.shared = Shared()
        simple = debug or dataset.is_paced()
        self.seed = config.run_seed() if seed is None else seed
        run = Run(
            self.seed,
            parallel=not simple,
            block_rows=1 if simple else None,
            common_seed=config.effective_seed() or 0,
            optimise=config.get_enable_optimizer() and not simple,
            shared=self.shared,
        )
        self._passes_begun = 0
        self._endless = epochs < 0
        self._channel = None if debug else _channel(self.shared)
        self._permits = threading.Semaphore(
            1 if self._endless else 2
        )  # passes that may be prepared
        permits = None if debug else self._permits
        turns = _turns(first, epochs, skip, permits, self._channel)
        self._passes = _passes(dataset, run, turns)
        if self._channel is not None:
            thread = threading.Thread(
                target=_fill, args=(self._channel, self._passes), name="dataset-feed", daemon=True
            )
            arguments = os.getpid(), self._channel, self._permits, self.shared, thread
            self._stop = weakref.finalize(self, _stop, *arguments)
            self.shared.threads.add(thread)
            thread.start()

    def blocks(self) -> Iterator[RowBlock]:
        """The blocks of the next pass; none when all passes were read."""
        self._passes_begun += 1
        if self._passes_begun > 1:
            self._permits.release(2 if self._endless and self._passes_begun == 2 else 1)
        for item in self._passes if self._channel is None else iter(self._channel.get, None):
            if item is PASS_END:
                return
            yield item

    def waiting(self) -> int:
        """Number of rows that are ready."""
        return 0 if self._channel is None else self._channel.rows

    def stop(self) -> None:
        """End the thread; what was prepared is dropped."""
        if self._channel is None:
            self._passes.close()
        else:
            self._stop()


def _channel(shared: Shared) -> Channel:
    """The queue of an iterator, whose reader is told what he waits for."""
    seconds = config.get_multiprocessing_timeout_interval()
    channel = Channel(
        config.get_prefetch_size(),
        shared.profile,
        seconds,
        functools.partial(_tell, shared, seconds),
    )
    shared.reader_waits = lambda: channel.awaited
    return channel


def _tell(shared: Shared, seconds: float) -> None:
    """Say that no row has come; worker processes are watched by themselves."""
    found = places(list(shared.threads))
    if found or not shared.teams:
        where = f" At work in threads: {', '.join(found)}." if found else ""
        log.warning(f"The reader of a data pipeline has waited {seconds:g} s for a row.{where}")


def _turns(
    first: int, epochs: int, skip: int, permits: threading.Semaphore | None, channel: Channel | None
) -> Iterator[Any]:
    """Number and first row of each pass, when it may be prepared; FLUSH before a wait for that."""
    epoch = first
    while epochs < 0 or epoch < first + epochs:
        if permits is not None and not permits.acquire(blocking=False):
            yield FLUSH
            permits.acquire()
        if channel is not None and channel.closed:
            return
        yield epoch, skip
        skip, epoch = 0, epoch + 1


def _passes(dataset: Any, run: Run, turns: Iterator[Any]) -> Generator[Any, None, None]:
    """Blocks of all passes, with `PASS_END` after each."""
    try:
        yield from dataset.passes(run, turns)
    finally:
        if run.shared is not None:
            run.shared.close()
            _write_tuning(dataset, run.shared)


def _write_tuning(dataset: Any, shared: Shared) -> None:
    """Write down the numbers of workers that were found to be fast, if that is wanted."""
    path = config.autotune_file()
    if path is None:
        return
    modes = [f"{' + '.join(w.names)}: {w.mode}" for w in shared.profile.works.values()]
    content = {
        "remark": "Numbers of workers as measured.",
        "summary": modes,
        "tree": described(dataset),
    }
    write(content, path)


def _fill(channel: Channel, passes: Generator[Any, None, None]) -> None:
    """Body of the thread; it holds no reference to the feed, so that a dropped iterator ends it."""
    try:
        for item in passes:
            if not channel.put(item, 1 if item is PASS_END else item.count):
                return
        channel.finish()
    except BaseException as error:  # raised again at the reader
        channel.fail(error)
    finally:
        passes.close()


def _stop(
    process: int,
    channel: Channel,
    permits: threading.Semaphore,
    shared: Shared,
    thread: threading.Thread,
) -> None:
    if os.getpid() != process:  # the copy of an iterator in a worker process, without its thread
        return
    channel.close()
    permits.release()
    shared.close()
    if thread is not threading.current_thread():
        thread.join(EXIT)
        if thread.is_alive() and not places(list(shared.threads)):  # it tidies up
            thread.join(TIDY)
