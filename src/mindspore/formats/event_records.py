"""Records of a step, made here or by a process that does nothing else.

PNG and histograms take milliseconds, for most of which they hold the lock of Python's interpreter; a training in the
same process would wait for that.
"""
from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from mindspore.formats import tensorboard_events
from mindspore.formats.event_values import Sampled
from mindspore.formats.events import EVENTS

LEAST = 2**15            # bytes of values from which on another process makes the records
_NICE = 10               # it lets others go first
_ENDS = 10.0             # seconds that an idle process may take to end
_LENGTH = 8              # bytes that tell the length of what follows in a pipe
_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from mindspore.formats.event_records import serve; serve()"

Record = tuple[str, bytes]          # the key of a file, and the content of a record


def records(values: Sequence[Sampled], step: int, at: float, tensorboard: bool) -> list[Record]:
    """The record of a step, and the one that TensorBoard reads, if wanted."""
    event = EVENTS.Event(wall_time=at, step=step)
    for one in values:
        event.summary.value.append(one.message())
    made = [("summary", event.SerializeToString())]
    if tensorboard:
        made.append(("tensorboard", tensorboard_events.event(values, step, at)))
    return made


class Maker:
    """Makes records, large ones in a process that is started for the first of them.

    If there can be none, or it ends, they are made here.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._failed = False

    def records(self, values: Sequence[Sampled], step: int, at: float, tensorboard: bool) -> list[Record]:
        """As the function `records`."""
        task = (list(values), step, at, tensorboard)
        if self._failed or sum(one.array.nbytes for one in values) < LEAST:
            return records(*task)
        try:
            return self._asked(task)
        except (OSError, EOFError, pickle.PickleError):       # no such process, or no longer
            self._failed = True
            self.close()
            return records(*task)

    def _asked(self, task: Any) -> list[Record]:
        if self._process is None:
            self._process = subprocess.Popen([sys.executable, "-c", _PROGRAM, *sys.path], stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        _send(self._process.stdin, task)
        found = _received(self._process.stdout)
        if isinstance(found, BaseException):
            raise found
        return found

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:        # what waited in it is lost with the process
                pass
        try:
            process.wait(_ENDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def serve() -> None:
    """Make records for the process that started this one, until it closes its pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)         # an interrupt is for that process, which then closes the pipe
    if hasattr(os, "SCHED_BATCH"):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))     # not in real time, even if that process is
    os.nice(_NICE)
    asking, answering = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    while True:
        try:
            task = _received(asking)
        except EOFError:
            return
        try:
            made: Any = records(*task)
        except Exception as error:  # told to the process that asked
            made = error
        _send(answering, made)


def _send(pipe: Any, value: Any) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(data).to_bytes(_LENGTH, "little"))
    pipe.write(data)
    pipe.flush()


def _received(pipe: Any) -> Any:
    length = int.from_bytes(_whole(pipe, _LENGTH), "little")
    return pickle.loads(_whole(pipe, length))


def _whole(pipe: Any, length: int) -> bytes:
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError("the other process has ended")
    return data
