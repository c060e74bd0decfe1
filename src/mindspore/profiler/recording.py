"""Takes up what operators take: an interpreter in PyNative mode, calls in the source of compiled programs.

What runs beside the program costs it time, so a thread only appends to a list of its own, of which `decoding` makes
events:

    BEGIN, code and instruction of the user's that calls it (None, 0 for a graph that another one calls), time
                                    a run of a compiled graph begins
    BEGIN, (code, serials of records), instruction, time
                                    the run of a program begins that does the sweep over these records of the tape
    statement, time                 the statement of an operator has ended
    statement, `Parts`              that of a native program, with the times of its stages
    operator, avals of inputs, attributes, code and instruction of the user's (the stack and 0 if stacks are kept; None
        and the serial of the record, while the derivative of a record is computed), start, end, serial of the record
        that was made or 0, bits of the files that led there
"""
from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import torch
from torch._C._profiler import gather_traceback

from mindspore.compiler.codegen.instrument import watching
from mindspore.eager.tensor import Tensor
from mindspore.ir.runtime import Interpreter, runtime

from .decoding import BEGIN, Decoder, kind_of
from .recorded import Event, Span

_PLAIN = {int, float, bool, str, type(None)}


class Recording(Interpreter):
    """Records operators of this thread in PyNative mode, and those of compiled programs of all threads.

    It stands above what records for gradients and below what builds graphs, so it sees what is computed.

    Args:
        synchronous: Whether a GPU is waited for after every operator; else its work is not in the times.
        operators: Whether operators are recorded at all.
        stacks: Whether all lines that led to an operator are kept.

    Attributes:
        step: The number of the step.
        spans: What others have measured meanwhile.
    """

    rank, measuring = 1.5, True

    def __init__(self, synchronous: bool = True, operators: bool = True, stacks: bool = False):
        self.spans: list[Span] = []
        self.operators, self.stacks = operators, stacks
        self.step = 0
        self._logs: list[list[Any]] = []
        self._local = threading.local()
        self._kinds: dict[str, int] = {}                 # of files: the user's is 0; codes themselves hash slowly
        waits = synchronous and torch.cuda.is_available()
        self._now: Callable[[], int] = _waited if waits else time.perf_counter_ns
        self._note = self._log().extend

    def start(self) -> None:
        """Record from now on.

        Raises:
            RuntimeError: Another recording runs.
        """
        if self.operators:
            watching.start(self.begin)
            self._note = self._log().extend
            runtime.push(self)

    def stop(self) -> None:
        """Record no longer."""
        if self.operators:
            watching.stop()
            runtime.drop(self)

    def clear(self) -> None:
        """Forget what was recorded."""
        self.spans.clear()
        for log in self._logs:
            log.clear()

    @property
    def size(self) -> int:
        """How much was noted."""
        return sum(map(len, self._logs))

    def events(self, step_of: Callable[[int], int] = lambda _: 0) -> list[Event]:
        """What was recorded, in order of time.

        Args:
            step_of: The number of the step at a time.
        """
        decoder = Decoder(step_of)
        found = [e for thread, log in enumerate(self._logs) for e in decoder.events(list(log), thread)]
        return sorted(found, key=lambda e: e.start)

    # ------------------------------------------------------------------ beside the program

    def _log(self) -> list[Any]:
        """What this thread appends to."""
        try:
            return self._local.log
        except AttributeError:
            self._local.log = log = list[Any]()
            self._logs.append(log)
            return log

    def begin(self, outermost: bool) -> tuple[Callable[[Any], None], Callable[[], int]]:
        """A run of a compiled graph begins: what takes up its statements and times, and what tells the time."""
        log, now = self._log(), self._now
        frame = self._users(sys._getframe(2), 0)[0] if outermost else None
        code, at = (None, 0) if frame is None else (frame.f_code, frame.f_lasti)
        if outermost and type(runtime.swept) is list:
            code = code, [record.serial for record in runtime.swept]
        log += BEGIN, code, at, now()
        return log.append, now

    def apply(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Let an operator compute, and note how long that took."""
        swept, bits = runtime.swept, 0
        if swept is None:
            if self.stacks:
                code, at = gather_traceback(True, False, False), 0
            else:
                frame: Any = sys._getframe(1)
                kinds = self._kinds
                try:
                    while kind := kinds[frame.f_code.co_filename]:
                        bits |= kind
                        frame = frame.f_back
                except (KeyError, AttributeError):      # a file that is new, or no line of the user's at all
                    frame, bits = self._users(frame, bits)
                code, at = (None, 0) if frame is None else (frame.f_code, frame.f_lasti)
        else:
            code, at = None, swept.serial
        avals = [((data := x._data).shape, data.dtype) if isinstance(x, Tensor) else x if type(x) in _PLAIN else
                 _plain(x) for x in inputs]
        now = self._now
        start = now()
        out = self.below.apply(op, inputs, attrs)
        end = now()
        made = out[0] if type(out) is tuple and out else out
        var = made._var if isinstance(made, Tensor) else None
        self._note((op, avals, attrs, code, at, start, end, 0 if var is None else var[0].serial, bits))
        return out

    def _users(self, frame: Any, bits: int) -> tuple[Any, int]:
        """The innermost frame of the user's from a frame on, while kinds of files are found out."""
        while frame is not None:
            file = frame.f_code.co_filename
            kind = self._kinds.get(file)
            if kind is None:
                kind = self._kinds[file] = kind_of(file)
            if not kind:
                break
            bits |= kind
            frame = frame.f_back
        return frame, bits


def _plain(value: Any) -> Any:
    """A constant among the inputs of an operator; of what may hold memory only the type."""
    if type(value) is tuple:
        return tuple([_plain(v) for v in value])
    return value if type(value) in _PLAIN else type(value)


def _waited() -> int:
    """The time when a GPU has done what was asked of it."""
    torch.cuda.synchronize()
    return time.perf_counter_ns()
