"""A bounded queue of blocks between the thread that makes them and the reader."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from mindspore.dataset.execution.profile import Profile


class Channel:
    """Blocks that wait for a reader, at most about `capacity` rows; either side may end it.

    The writer calls `put`, `finish` when there is no more, `fail` when an error stopped it. The reader calls `get`,
    and `close` when he does not want more: `put` then answers False.

    Args:
        capacity: Number of rows.
        profile: Takes up how long the reader waits.
        patience: Seconds after which, again and again, `late` is called while the reader waits.
        late: Says what the reader waits for.
    """

    def __init__(
        self,
        capacity: int,
        profile: Profile | None = None,
        patience: float | None = None,
        late: Callable[[], None] | None = None,
    ):
        self._patience, self._late = patience, late
        self.awaited = False  # whether the reader waits now
        self._profile = profile or Profile()
        self._capacity = capacity
        self._items: deque[tuple[Any, int]] = deque()
        self._rows = 0
        self._error: BaseException | None = None
        self._finished = False
        self._closed = False
        self._changed = threading.Condition()

    def put(self, item: Any, rows: int = 1) -> bool:
        """Hand an item over, waiting while the queue is full; False if the reader has closed."""
        with self._changed:
            while self._rows >= self._capacity and not self._closed:
                self._changed.wait()
            if self._closed:
                return False
            self._items.append((item, rows))
            self._rows += rows
            self._profile.sample(self._rows)
            self._changed.notify_all()
            return True

    def finish(self) -> None:
        """No more items will come."""
        with self._changed:
            self._finished = True
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Raise `error` at the reader once the items before it are read."""
        with self._changed:
            self._error, self._finished = error, True
            self._changed.notify_all()

    def get(self) -> Any:
        """The next item, waiting for it.

        Raises:
            StopIteration: The writer has finished, or the channel is closed.
        """
        with self._changed:
            if not self._items:
                begin, self.awaited = time.perf_counter(), True
                try:
                    self._await()
                finally:
                    self.awaited = False
                self._profile.wait(begin, time.perf_counter())
            if self._items:
                item, rows = self._items.popleft()
                self._rows -= rows
                self._changed.notify_all()
                return item
            error, self._error = self._error, None
        if error is not None:
            raise error
        raise StopIteration

    def _await(self) -> None:
        """Wait until there is an item, or none will come; the reader has the lock."""
        while not self._items and not self._finished and not self._closed:
            if not self._changed.wait(self._patience) and self._late is not None:
                self._late()

    def close(self) -> None:
        """The reader wants no more; what waits is dropped."""
        with self._changed:
            self._closed = True
            self._items.clear()
            self._rows = 0
            self._changed.notify_all()

    @property
    def rows(self) -> int:
        """Rows that wait."""
        return self._rows

    @property
    def closed(self) -> bool:
        return self._closed
