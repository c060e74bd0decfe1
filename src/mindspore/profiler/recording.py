"""Takes up what operators take: an interpreter in PyNative mode, calls in the source of compiled programs."""
from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from mindspore.compiler.codegen.instrument import watching
from mindspore.eager.tensor import Tensor
from mindspore.ir.runtime import Interpreter, runtime

from .recorded import Event, Span

_PACKAGE = str(Path(__file__).resolve().parents[1])


class Recording(Interpreter):
    """Records operators of this thread in PyNative mode, and those of compiled programs of all threads.

    Args:
        synchronous: Whether a GPU is waited for after every operator; else its work is not in the times.
        operators: Whether operators are recorded at all.
    """

    def __init__(self, synchronous: bool = True, operators: bool = True):
        self.raw: list[tuple[Any, ...]] = []
        self.spans: list[Span] = []
        self.operators = operators
        self.step = self.inner = 0
        self.clock = threading.local()
        self.wait = torch.cuda.synchronize if synchronous and torch.cuda.is_available() else None

    def now(self) -> int:
        """The time, when a GPU has done what was asked of it."""
        if self.wait is not None:
            self.wait()
        return time.perf_counter_ns()

    def start(self) -> None:
        """Record from now on."""
        if self.operators:
            watching.start(self.begin)
            runtime.push(self)

    def stop(self) -> None:
        """Record no longer."""
        if self.operators:
            watching.stop()
            runtime.drop(self)

    def begin(self) -> Callable[[Any], None]:
        """A run of a compiled graph begins: what takes up its statements."""
        clock, raw, now, step = self.clock, self.raw, self.now, self.step
        clock.last = now()                      # shared with graphs that this one calls: no time counts twice

        def ended(statement: Any) -> None:
            at, last = now(), clock.last
            raw.append((statement, None, last, at - last, step))
            clock.last = at
        return ended

    def apply(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Let an operator compute, and note how long that took."""
        if runtime.building is not None:
            return self.below.apply(op, inputs, attrs)
        frame: Any = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            frame = frame.f_back
        place = frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
        avals = tuple([x.aval if isinstance(x, Tensor) else x for x in inputs])
        outer, self.inner = self.inner, 0
        start = self.now()
        try:
            return self.below.apply(op, inputs, attrs)
        finally:
            taken = self.now() - start
            self.raw.append(((op, avals, attrs), place, start, taken - self.inner, self.step))
            self.inner = outer + taken

    def events(self) -> list[Event]:
        """What was recorded, in order of time."""
        found = [_event(*one) for one in self.raw]
        return sorted(found, key=lambda e: e.start)


def _event(what: Any, place: Any, start: int, duration: int, step: int) -> Event:
    op, inputs, attrs = what[:3]
    scope = phase = ""
    file, line, function = place or ("", 0, "")
    if place is None:
        loc, scope, phase = what.loc, ".".join(what.origin.scope), what.origin.phase
        if loc is not None:
            file, line, function = loc.file, loc.line, loc.function
    shapes = tuple([tuple(map(int, x.shape)) for x in inputs if hasattr(x, "shape") and hasattr(x, "dtype")])
    flops = int(op.cost_rule(*inputs, **attrs)) if op.cost_rule else 0
    return Event(op.name, scope, phase, file, line, function, start, duration, shapes, flops, step)
