"""Event files, written by a thread beside the training, which never waits for it.

What waits to be written is bounded: a disk that stands still costs values, not memory or time. Of a full disk, as of
values that were lost, the log tells once; the file keeps whole records, and continues when there is space again.
"""
from __future__ import annotations

import os
import stat
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from mindspore.core import log
from mindspore.formats.event_records import Record
from mindspore.formats.tfrecord import frame

MOST_WAITING = 2**28      # bytes of values that may wait for the disk
_STANDS_STILL = 30.0      # seconds without a record after which nobody waits for the disk any longer

Job = Callable[[], Iterable[Record]]       # what makes records of values


class EventFile:
    """A file of framed records, which is made with its first record and readable only when it is complete.

    Args:
        path: The file.
        first: The record that it begins with, if any.
        limit: The most bytes that it may have; 0 for any number.
    """

    def __init__(self, path: str, first: bytes = b"", limit: int = 0):
        self.path, self.limit = path, limit
        self._first, self._number, self._size = first, -1, 0
        self.full = False

    def write(self, record: bytes) -> None:
        """Append a record, whole or not at all.

        Raises:
            OSError: The disk takes no more.
        """
        if not self._size and self._first:
            self._append(frame(self._first))
        self._append(frame(record))

    def _append(self, data: bytes) -> None:
        if self.limit and self._size + len(data) > self.limit:
            if not self.full:
                log.warning("For 'SummaryRecord', the 'max_file_size' of %s bytes is reached: %s has %s, and the next "
                            "record has %s. What follows is not written.", self.limit, self.path, self._size, len(data))
            self.full = True
        if self.full:
            return
        if self._number < 0:
            self._number = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC,
                                   stat.S_IRUSR | stat.S_IWUSR)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(self._number, left):]
        except OSError:
            os.ftruncate(self._number, self._size)      # no half of a record
            raise
        self._size += len(data)

    def close(self) -> None:
        """Write nothing more; the file can only be read from now on."""
        if self._number >= 0:
            number, self._number = self._number, -1
            os.close(number)
            os.chmod(self.path, stat.S_IRUSR)


class Waiting(NamedTuple):
    """Values that wait to be written, and their bytes."""

    job: Job
    size: int


class Writer:
    """A thread that writes records to files.

    Args:
        files: The files by the keys that records have.
        raises: Whether an error is raised at the next call, too.
        after: What is done at the end, in the thread.
    """

    def __init__(self, files: dict[str, EventFile], raises: bool = False, after: Callable[[], None] | None = None):
        self._files, self._raises, self._after = files, raises, after
        self._jobs: deque[Waiting] = deque()
        self._changed = threading.Condition()
        self._waiting = self._taken = self._done = self.lost = 0
        self._closed, self._error = False, None
        self._progress = time.monotonic()
        self._thread: threading.Thread | None = None

    def put(self, job: Job, size: int) -> bool:
        """Let a job be done; False if too much waits already.

        Raises:
            OSError: An earlier record could not be written, and that is to be raised.
        """
        self._raise()
        with self._changed:
            if self._waiting + size > MOST_WAITING and self._jobs:
                self._lose(f"more than {MOST_WAITING >> 20} MiB wait for a disk that takes nothing")
                return False
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="write summary", daemon=True)
                self._thread.start()
            if not self._jobs:
                self._progress = time.monotonic()
            self._jobs.append(Waiting(job, size))
            self._waiting += size
            self._taken += 1
            self._changed.notify_all()
        return True

    def flush(self) -> bool:
        """Wait for all that was put; False if the disk stands still meanwhile.

        Raises:
            OSError: A record could not be written, and that is to be raised.
        """
        begin = time.monotonic()
        with self._changed:
            wanted = self._taken
            while self._done < wanted:
                still = time.monotonic() - max(self._progress, begin)
                if still > _STANDS_STILL:
                    log.error("For 'SummaryRecord', the disk has taken nothing for %.0f seconds; %s steps are not "
                              "written: %s", still, wanted - self._done, self._paths())
                    return False
                self._changed.wait(1.0)
        self._raise()
        return True

    def close(self) -> None:
        """Wait for all that was put, then close the files.

        Raises:
            OSError: A record could not be written, and that is to be raised.
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        try:
            whole = self.flush()
        finally:          # also where the error is raised
            if self.lost:
                log.error("For 'SummaryRecord', the values of %s steps are lost: %s", self.lost, self._paths())
                self.lost = 0
        if whole and self._thread is not None:
            self._thread.join()

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._jobs:
                    if self._closed:
                        return self._close()
                    self._changed.wait()
                one = self._jobs[0]
            try:
                for key, record in one.job():
                    self._files[key].write(record)
            except Exception as error:  # in a thread of its own, where no caller catches it
                with self._changed:
                    self._error = error
                    self._lose(f"{type(error).__name__}: {error}")
            with self._changed:
                self._jobs.popleft()
                self._waiting -= one.size
                self._done += 1
                self._progress = time.monotonic()
                self._changed.notify_all()

    def _close(self) -> None:
        for file in self._files.values():
            file.close()
        if self._after is not None:
            self._after()

    def _lose(self, reason: str) -> None:
        self.lost += 1
        if self.lost == 1:
            log.error("For 'SummaryRecord', values are not written, the training continues: %s (%s)", reason,
                      self._paths())

    def _paths(self) -> str:
        return ", ".join(file.path for file in self._files.values() if not file.full)

    def _raise(self) -> None:
        with self._changed:
            error, self._error = self._error, None
        if error is not None and self._raises:
            raise error
