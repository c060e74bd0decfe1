"""Events of what a recording has noted, see `recording`."""
from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import torch
from torch._C._profiler import CapturedTraceback, symbolize_tracebacks

from mindspore.compiler.codegen.instrument import Parts
from mindspore.core.dtype import from_torch
from mindspore.core.own_files import OWN_FILES
from mindspore.ir import Aval
from mindspore.ir import origin as phases
from mindspore.operators.fused import generated

from .recorded import Event

BEGIN = object()                    # a run of a compiled graph begins
PACKAGE, OPTIMIZER = 1, 2           # bits: the functions of the package led there, and those of an optimizer
Place = tuple[str, int, str]
CALL = "CallNative"                 # what a native program takes before its first stage
_NOWHERE: Place = "", 0, ""
_WIDTH = 9                          # values of an operator in PyNative mode
_UPDATES = str(Path(OWN_FILES[0], "nn", "optimizers"))


class Decoder:
    """Makes events of what threads have noted.

    Args:
        step_of: The number of the step at a time.
    """

    def __init__(self, step_of: Callable[[int], int]):
        self._step_of = step_of
        self._compiled_ones: dict[int, Event] = {}      # by the id of a statement, which the logs hold
        self._serials: Sequence[int] = ()               # of the records of the sweep that a program does
        self._forward: dict[int, tuple[Place, tuple[str, ...]]] = {}     # by the serial of a record

    def events(self, log: list[Any], thread: int) -> Iterator[Event]:
        """The events of a thread."""
        at, before, called = 0, _first(log), _NOWHERE
        last = before                                       # where the statement begins that ends next
        self._serials = ()
        starts, ends, found = list[int](), list[int](), list[Event]()
        while at < len(log):
            what = log[at]
            if what is BEGIN:
                code, where, last = log[at + 1:at + 4]
                if code is not None:
                    code, self._serials = code if type(code) is tuple else (code, ())
                    called = _NOWHERE if code is None else _place(code, where)
                at += 4
                continue
            if type(log[at + 1]) is Parts:
                for event in self._stages(log[at + 1], last, called):
                    found.append(event._replace(step=self._step_of(event.start), thread=thread,
                                                lead=max(event.start - before, 0)))
                    starts.append(event.start)
                    last = before = event.start + event.duration
                    ends.append(last)
                at += 2
                continue
            if type(log[at + 1]) is int:
                start, end = last, log[at + 1]
                at += 2
                event = self._compiled(what, called)
                within = 0
            else:
                row = log[at:at + _WIDTH]
                start, end = row[5], row[6]
                at += _WIDTH
                event = self._eager(row)
                first = bisect_left(starts, start)
                within = sum([e - s for s, e in zip(starts[first:], ends[first:], strict=True)])
                del starts[first:], ends[first:]
            found.append(event._replace(start=start, duration=end - start - within, step=self._step_of(start),
                                        thread=thread, lead=max(start - before, 0), within=within))
            starts.append(start)
            ends.append(end)
            last = before = max(before, end)
        return iter(found)

    def _stages(self, parts: Parts, start: int, called: Place) -> Iterator[Event]:
        """What a native program did: the call, until it began to compute, and its operators, whose stages follow."""
        moments = (np.frombuffer(parts.times, np.int64).reshape(-1, 2) @ np.array([10**9, 1])).tolist()
        yield Event(CALL, "", phases.FORWARD, *called, start, moments[0] - start, (), 0, 0)
        start, stages = moments[0], parts.statements
        for k, (what, end) in enumerate(zip(stages, moments[1:], strict=True)):
            if k + 1 == len(stages) or stages[k + 1] is not what:
                yield self._compiled(what, called)._replace(start=start, duration=end - start)
                start = end

    def _compiled(self, what: Any, called: Place) -> Event:
        loc, stack = what.loc, ()
        place = (loc.file, loc.line, loc.function) if loc is not None else called
        record = what.origin.notes.get(phases.RECORD, -1)
        if 0 <= record < len(self._serials):
            place, stack = self._forward.get(self._serials[record], (_NOWHERE, ()))
        made = self._compiled_ones.get(id(what))
        if made is None:
            op, origin = what.op, what.origin
            shapes, flops, moved = _work(op, what.inputs, what.attrs, what.aval)
            name = op.name
            if op is generated and what.attrs.get("of"):              # a kernel that represents one operator
                name, flops = what.attrs["of"]
            made = self._compiled_ones[id(what)] = Event(name, ".".join(origin.scope), origin.phase, "", 0, "", 0, 0,
                                                         shapes, flops, 0, moved=moved, effect=op.effect or "")
        return made._replace(file=place[0], line=place[1], function=place[2], stack=stack)

    def _eager(self, row: list[Any]) -> Event:
        op, inputs, attrs, code, at, _, _, serial, bits = row
        if code is None:
            phase = phases.REVERSE
            place, stack = self._forward.get(at, (_NOWHERE, ()))
        else:
            if type(code) is CapturedTraceback:
                places, bits = _users(code)
                place, stack = (places or [_NOWHERE])[0], tuple(map(_shown, places))
            else:
                place, stack = _place(code, at), ()
            phase = phases.OPTIMIZER if bits & OPTIMIZER else phases.FORWARD
            if serial:
                self._forward.setdefault(serial, (place, stack))
        avals = tuple([Aval(tuple(x[0]), from_torch(x[1])) if _is_tensor(x) else x for x in inputs])
        shapes, flops, moved = _work(op, avals, attrs, None)
        return Event(op.name, "", phase, *place, 0, 0, shapes, flops, 0, 0, stack, moved=moved,
                     effect=op.effect or "")


def _first(log: list[Any]) -> int:
    """The time at which a thread begins its first operator or graph."""
    if not log:
        return 0
    return log[3] if log[0] is BEGIN else log[5]


def _is_tensor(x: Any) -> bool:
    return type(x) is tuple and len(x) == 2 and type(x[1]) is torch.dtype


def _work(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any],
          out: Any) -> tuple[tuple[tuple[int, ...], ...], int, int]:
    """The shapes of an application, its floating-point operations, and the bytes of its inputs and results."""
    avals = [x for x in inputs if type(x) is Aval]
    try:
        out = op.inferred(inputs, attrs) if out is None else out
        results = [out] if type(out) is Aval else list(out)
        moved = sum([math.prod(map(int, x.shape)) * x.dtype.itemsize for x in [*avals, *results]])
    except Exception:           # whatever a rule raises: it wants elements, which were not kept
        moved = 0
    flops = int(op.cost_rule(*inputs, **attrs)) if op.cost_rule else 0
    return tuple([tuple(map(int, x.shape)) for x in avals]), flops, moved


def kind_of(file: str) -> int:
    """The bits of a file; 0 for one of the user's."""
    if not file.startswith(OWN_FILES):
        return 0
    return PACKAGE | (OPTIMIZER if file.startswith(_UPDATES) else 0)


def _users(stack: CapturedTraceback) -> tuple[list[Place], int]:
    """The places of a stack from the innermost of the user's on, and the bits of the files that it led to."""
    (frames,), bits = symbolize_tracebacks([stack]), 0
    for k, frame in enumerate(frames):
        kind = kind_of(frame["filename"])
        if not kind:
            return [(f["filename"], int(f["line"]), f["name"]) for f in frames[k:]], bits
        bits |= kind
    return [], bits


def _place(code: CodeType, at: int) -> Place:
    """File, line and function of an instruction."""
    return code.co_filename, _lines(code)[at // 2] or code.co_firstlineno, code.co_name


@cache
def _lines(code: CodeType) -> list[int | None]:
    return [line for line, *_ in code.co_positions()]


def _shown(place: Place) -> str:
    return f"{place[0]}({place[1]}): {place[2]}"
