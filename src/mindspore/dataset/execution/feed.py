"""The rows of a dataset, pass after pass, prepared ahead of the reader by a thread."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from typing import Any

from mindspore.dataset import config
from mindspore.dataset.block import Block
from mindspore.dataset.execution.channel import Channel
from mindspore.dataset.execution.run import Run

PASS_END = object()


class Feed:
    """Blocks of the passes over a dataset, one pass at a time.

    Without a given number of passes the second one is prepared only when it is asked for, since most readers that give
    no number read once.

    Args:
        dataset: The root of the tree.
        epochs: Number of passes, -1 for no end.
        skip: Rows left out at the start of the first pass.
        first: Number of the first pass.
    """

    def __init__(self, dataset: Any, epochs: int, skip: int = 0, first: int = 0):
        debug = config.get_debug_mode()
        run = Run(config.run_seed(), parallel=not debug, block_rows=1 if debug else None)
        self._passes = _passes(dataset, run, epochs, skip, first)
        self._channel = None if debug else Channel(config.get_prefetch_size())
        self._passes_read = 0
        self._go_on = threading.Event()
        if epochs > 0:
            self._go_on.set()
        if self._channel is not None:
            thread = threading.Thread(
                target=_fill,
                args=(self._channel, self._passes, self._go_on),
                name="dataset-feed",
                daemon=True,
            )
            self._stop = weakref.finalize(self, _stop, self._channel, self._go_on, thread)
            thread.start()

    def blocks(self) -> Iterator[Block]:
        """The blocks of the next pass."""
        if self._passes_read:
            self._go_on.set()
        for item in self._passes if self._channel is None else iter(self._channel.get, None):
            if item is PASS_END:
                self._passes_read += 1
                return
            yield item

    def stop(self) -> None:
        """End the thread; what was prepared is dropped."""
        if self._channel is None:
            self._passes.close()
        else:
            self._stop()


def _passes(dataset: Any, run: Run, epochs: int, skip: int, first: int) -> Iterator[Any]:
    """Blocks of all passes, with `PASS_END` after each."""
    epoch = first
    while epochs < 0 or epoch < first + epochs:
        yield from _without(dataset.blocks(run.during(epoch)), skip)
        yield PASS_END
        skip, epoch = 0, epoch + 1


def _without(blocks: Iterator[Block], skip: int) -> Iterator[Block]:
    for block in blocks:
        if skip < block.count:
            yield block.part(skip, block.count) if skip else block
        skip = max(0, skip - block.count)


def _fill(channel: Channel, passes: Iterator[Any], go_on: threading.Event) -> None:
    """Body of the thread; it holds no reference to the feed, so that a dropped iterator ends it."""
    try:
        for item in passes:
            if not channel.put(item, 0 if item is PASS_END else item.count):
                return
            if item is PASS_END:
                go_on.wait()
                if channel.closed:
                    return
        channel.finish()
    except BaseException as error:  # raised again at the reader
        channel.fail(error)
    finally:
        passes.close()


def _stop(channel: Channel, go_on: threading.Event, thread: threading.Thread) -> None:
    channel.close()
    go_on.set()
    if thread is not threading.current_thread():
        thread.join(timeout=10)
