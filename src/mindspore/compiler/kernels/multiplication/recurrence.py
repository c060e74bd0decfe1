"""The steps of a layer of long short-term memory, and back, by generated code.

A thread computes some units: their gates, which is a product of the state before with its columns of the weight, kept
in panels through all steps, and their state.  Threads meet once in a step, when the state is complete.
"""
from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from ..mathematics import FUNCTIONS
from ..meeting import write_meeting
from ..native import WRITTEN_OUT, Code, machine
from ..once import Once
from ..text import Builder, Module, Value
from .writing import VECTORS, part, write_meeting_entries, write_parts


class Place(IntEnum):
    """The places of the table.  PAST holds the state before each step; forwards DH is the last state."""

    GATES, WEIGHT, FIRST_CELL, CELLS, PAST, Y, DGATES, DH, DC, PANELS, ZEROS, COUNTER, \
        STEPS, SAMPLES, UNITS, BACKWARDS, PANELS_EACH, THREADS = range(18)


@Once
def forward(width: int = 0) -> Code:
    """The code of the steps, loaded."""
    return _made(_write_forward, width)


@Once
def reverse(width: int = 0) -> Code:
    """The code of the way back, loaded."""
    return _made(_write_reverse, width)


def expect() -> None:
    """Let the code be made beside what this thread does, as it will be needed."""
    forward.expect()
    reverse.expect()


def _made(write: Callable[[Module], None], width: int) -> Code:
    module = Module(width or machine().width)
    write_meeting(module)
    write_parts(module, whole=False)
    write(module)
    write_meeting_entries(module, "steps", int(Place.THREADS))
    return machine().load(module.text(), passes=WRITTEN_OUT)


class _Steps:
    """What is known while the code is written: extents, the units of this thread, where a step's rows begin."""

    def __init__(self, b: Builder):
        self.b = b
        at = {p: b.load(b.args[0], int(p), "ptr" if p <= Place.COUNTER else "i64", one=True) for p in Place}
        self.at, self.units, self.samples, self.steps = at, at[Place.UNITS], at[Place.SAMPLES], at[Place.STEPS]
        self.start, self.stop = part(b, self.units, b.width, b.args[1], b.args[2])
        self.wide, self.across = self.stop - self.start, VECTORS * b.width
        self.filled = (self.wide + (self.across - 1)) / self.across * self.across
        self.panels = b.address(at[Place.PANELS], b.args[1] * at[Place.PANELS_EACH], "float")
        self.line, self.lines = self.samples * self.units, self.samples * self.units * 4

    def step(self, s: Value) -> Value:
        """Which step is the s-th in the order of the sequence."""
        return self.b.select(self.at[Place.BACKWARDS] > 0, self.steps - 1 - s, s)

    def of(self, place: Place, offset: Value) -> Value:
        """A place in memory from the first unit of this thread on."""
        return self.b.address(self.at[place], offset + self.start, "float")

    def meet(self, count: Value) -> None:
        """Wait for all threads."""
        self.b.call("meet", [self.at[Place.COUNTER], count * self.b.args[2]])

    def gates(self, place: Value, row: Value) -> list[Value]:
        """Where the four gates of a row of this thread begin."""
        return [self.b.address(place, row * (self.units * 4) + self.units * g, "float") for g in range(4)]


def _write_forward(module: Module) -> None:
    with module.function("steps", ["ptr", "i64", "i64"], internal=True) as b:
        own = _Steps(b)
        with b.loop(0, 4) as g:
            b.call("panels", [b.address(own.at[Place.WEIGHT], (g * own.units + own.start) * own.units, "float"),
                              b.integer(1), own.units, b.address(own.panels, g * own.filled * own.units, "float"),
                              own.units, own.wide])
        with b.loop(0, own.steps) as s:
            t, after = own.step(s), own.step(s + 1)
            state = b.address(own.at[Place.PAST], t * own.line, "float")
            gates = own.of(Place.GATES, t * own.lines)
            with b.loop(0, 4) as g, b.loop(0, own.wide, own.across) as j:
                b.call("strip", [state, own.units, b.integer(1),
                                 b.address(own.panels, (g * own.filled + j) * own.units, "float"),
                                 b.address(gates, g * own.units + j, "float"), own.units * 4, own.units,
                                 own.at[Place.ZEROS], b.integer(1), own.wide - j, own.samples])
            before = b.select(s > 0, own.of(Place.CELLS, own.step(s - 1) * own.line), own.of(Place.FIRST_CELL,
                                                                                            b.integer(0)))
            last = b.select(own.steps - 1 > s, own.of(Place.PAST, after * own.line), own.of(Place.DH, b.integer(0)))
            _cells(own, gates, before, [own.of(Place.CELLS, t * own.line)],
                   [own.of(Place.Y, t * own.line), last])
            own.meet(s + 1)


def _cells(own: _Steps, gates: Value, before: Value, cells: list[Value], states: list[Value]) -> None:
    """The activations of a step, in place of what they are of, and its cells and states."""
    b, sigmoid, tanh = own.b, FUNCTIONS["sigmoid"], FUNCTIONS["tanh"]
    with b.loop(0, own.samples) as row:
        places, line = own.gates(gates, row), row * own.units

        def body(i: Value, mask: Value | None, _: int) -> None:
            of = (sigmoid, sigmoid, tanh, sigmoid)
            n, f, g, o = [f(b, b.load(p, i, mask=mask)) for f, p in zip(of, places, strict=True)]
            for p, value in zip(places, (n, f, g, o), strict=True):
                b.store(value, p, i, mask=mask)
            c = f * b.load(before, line + i, mask=mask) + n * g
            for p in cells:
                b.store(c, p, line + i, mask=mask)
            for p in states:
                b.store(o * tanh(b, c), p, line + i, mask=mask)
        b.columns(own.wide, body)


def _write_reverse(module: Module) -> None:
    with module.function("steps", ["ptr", "i64", "i64"], internal=True) as b:
        own = _Steps(b)
        four = own.units * 4
        b.call("panels", [b.address(own.at[Place.WEIGHT], own.start, "float"), own.units, b.integer(1), own.panels,
                          four, own.wide])
        with b.loop(0, own.steps) as done:
            s = own.steps - 1 - done
            t = own.step(s)
            before = b.select(s > 0, own.of(Place.CELLS, own.step(s - 1) * own.line), own.of(Place.FIRST_CELL,
                                                                                            b.integer(0)))
            _cells_reverse(own, own.of(Place.GATES, t * own.lines), own.of(Place.DGATES, t * own.lines), before,
                           own.of(Place.CELLS, t * own.line), own.of(Place.Y, t * own.line))
            own.meet(done + 1)
            with b.loop(0, own.wide, own.across) as j:
                b.call("strip", [b.address(own.at[Place.DGATES], t * own.lines, "float"), four, b.integer(1),
                                 b.address(own.panels, j * four, "float"), own.of(Place.DH, j), own.units, four,
                                 own.at[Place.ZEROS], b.integer(0), own.wide - j, own.samples])


def _cells_reverse(own: _Steps, gates: Value, to: Value, before: Value, cells: Value, dy: Value) -> None:
    """The cotangents of a step's gates, and those that its cells pass back; `dy` are those of its states."""
    b, zero = own.b, own.b.integer(0)
    dh, dc = own.of(Place.DH, zero), own.of(Place.DC, zero)
    with b.loop(0, own.samples) as row:
        places, results, line = own.gates(gates, row), own.gates(to, row), row * own.units

        def body(i: Value, mask: Value | None, _: int) -> None:
            n, f, g, o = [b.load(p, i, mask=mask) for p in places]
            at = line + i
            d = b.load(dh, at, mask=mask) + b.load(dy, at, mask=mask)
            high = FUNCTIONS["tanh"](b, b.load(cells, at, mask=mask))
            dcell = b.load(dc, at, mask=mask) + d * o * (1.0 - high * high)
            b.store(dcell * f, dc, at, mask=mask)
            found = (dcell * g * n * (1.0 - n), dcell * b.load(before, at, mask=mask) * f * (1.0 - f),
                     dcell * n * (1.0 - g * g), d * high * o * (1.0 - o))
            for p, value in zip(results, found, strict=True):
                b.store(value, p, i, mask=mask)
        b.columns(own.wide, body)
