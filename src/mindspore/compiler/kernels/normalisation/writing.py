"""Native code for normalisation over the batch, and back: images with the channels innermost are rows of channels.

A thread takes some of the rows.  Of blocks of rows, which stay near the processor, it computes the mean of each
channel and the squares around that, and joins these with those of the rows before (Chan, Golub, LeVeque, Algorithms for
computing the sample variance, 1983): so memory is read once for the statistics, and nothing cancels.  Threads meet,
each joins the statistics of all in their order, and goes over its rows once more.  Results are limited to a range
(ReLU: from 0 on); back, what was limited is found by computing the result again, by the same operations.
"""
from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from ..meeting import write_meeting
from ..multiplication.writing import least, part, write_meeting_entries
from ..native import WRITTEN_OUT, Code, machine
from ..once import Once
from ..text import Builder, Module, Value, Variable

_BLOCK = 32                  # rows that are gone over twice while they are near
_TOGETHER = 4                # vectors of a row


class Place(IntEnum):
    """The places of the tables: addresses, extents, numbers (by their bits).

    Back, OUT is the cotangent that comes in, RESULT that of the images; FIRST and SECOND are those of scale and shift.
    """

    IMAGES, OUT, RESULT, GAMMA, BETA, OLD_MEAN, OLD_VARIANCE, MEAN, SCALE, FIRST, SECOND, OWN, COUNTER, \
        ROWS, CHANNELS, EACH, THREADS, LIMITED, LOW, HIGH, MOMENTUM, EPSILON = range(22)


@Once
def forward(width: int = 0) -> Code:
    """The code of a normalisation, loaded."""
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
    write(module)
    write_meeting_entries(module, "whole", int(Place.THREADS))
    return machine().load(module.text(), passes=WRITTEN_OUT)


class _Rows:
    """What is known while the code is written: the table, the rows of this thread, its memory of four rows."""

    def __init__(self, b: Builder):
        self.b, self.thread, self.threads = b, b.args[1], b.args[2]
        self.at = {p: b.load(b.args[0], int(p), "ptr" if p <= Place.COUNTER else "i64", one=True) for p in Place}
        self.rows, self.channels = self.at[Place.ROWS], self.at[Place.CHANNELS]
        self.start, self.stop = part(b, self.rows, 1, self.thread, self.threads)
        self.own = self.memory(self.thread)
        self.low, self.high, self.momentum, self.epsilon = [
            b.bitcast(b.cast("trunc", self.at[p], "i32"), "float")
            for p in (Place.LOW, Place.HIGH, Place.MOMENTUM, Place.EPSILON)]
        self.everything = self.at[Place.LIMITED].compare("eq", 0)

    def memory(self, thread: Value) -> list[Value]:
        """The four rows of a thread."""
        row = self.at[Place.EACH]
        return [self.b.address(self.at[Place.OWN], (thread * 4 + k) * row, "float") for k in range(4)]

    def of(self, place: Place, i: Value, mask: Value | None) -> Value:
        """Some channels of a vector."""
        return self.b.load(self.at[place], i, mask=mask)

    def blocks(self, body: Callable[[Value, Value, Value, list[tuple[Value, Value | None]]], None]) -> None:
        """Go over the rows: the block's first row, how many it has, its place, the first channels and masks of vectors.

        Several vectors of a row are taken together, so that memory is read in its order.
        """
        b, step = self.b, self.b.width
        with b.loop(self.start, self.stop, _BLOCK) as first:
            count, at = least(b, self.stop - first, b.integer(_BLOCK)), first * self.channels
            whole = self.channels & b.integer(-_TOGETHER * step)
            with b.loop(0, whole, _TOGETHER * step) as i:
                body(first, count, at, [(i + k * step, None) for k in range(_TOGETHER)])
            rest = self.channels - whole
            with b.loop(0, rest & b.integer(-step), step) as i:
                body(first, count, at, [(i + whole, None)])
            with b.when((rest & (step - 1)) > 0):
                body(first, count, at, [(self.channels & b.integer(-step), b.lanes_below(rest & (step - 1)))])

    def added(self, count: Value, sums: int, body: Callable[[Value, list[Variable]], None]) -> list[Value]:
        """Sums over some rows: the body is told the offset of a row and the sums to add to."""
        zero = self.b.constant(0.0, self.b.vector_type("float"))
        found = [self.b.variable(zero) for _ in range(sums)]
        self.each(count, lambda r: body(r, found))
        return [s.get() for s in found]

    def each(self, count: Value, body: Callable[[Value], None]) -> None:
        """Some rows, by their offsets."""
        with self.b.loop(0, count) as r:
            body(r * self.channels)

    def ahead(self, place: Value, r: Value) -> None:
        """Let a vector come near that the next block of rows needs; it may lie behind the last one."""
        b = self.b
        b.module.declared["llvm.prefetch.p0"] = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
        there = b.emit(f"getelementptr float, ptr {place.name}, i64 {(r + self.channels * _BLOCK).name}", "ptr")
        b.line(f"call void @llvm.prefetch.p0(ptr {there.name}, i32 0, i32 2, i32 1)")

    def number(self, x: Value) -> Value:
        """A count as a float."""
        return self.b.cast("sitofp", x, "float")

    def meet(self) -> None:
        """Wait for all threads."""
        self.b.call("meet", [self.at[Place.COUNTER], self.threads])

    def vectors(self, i: Value, mask: Value | None) -> tuple[Value, Value, Value]:
        """The mean of some channels, and the factor and shift that normalise them."""
        mean = self.of(Place.MEAN, i, mask)
        return mean, *self.line(mean, self.of(Place.SCALE, i, mask), i, mask)

    def line(self, mean: Value, scale: Value, i: Value, mask: Value | None) -> tuple[Value, Value]:
        """The factor and the shift."""
        factor = self.of(Place.GAMMA, i, mask) * scale
        return factor, self.b.fma(-mean, factor, self.of(Place.BETA, i, mask))

    def passed(self, at: Value, i: Value, mask: Value | None) -> tuple[Value, Callable[[Value], list[Value]]]:
        """The factor of some channels, and what gives a row's cotangent that passes the limits, and x less its mean."""
        b = self.b
        mean, factor, shift = self.vectors(i, mask)
        images, douts = [b.address(self.at[p], at, "float") for p in (Place.IMAGES, Place.OUT)]

        def row(r: Value) -> list[Value]:
            self.ahead(images, r)
            self.ahead(douts, r)
            x, d = [b.load(p, r, mask=mask) for p in (images, douts)]
            y = b.fma(x, factor, shift)
            inside = y.compare("ugt", self.low) & y.compare("ult", self.high) | self.everything
            return [b.select(inside, d, 0.0), x - mean]
        return factor, row


def _joined(b: Builder, before: tuple[Value, Value], block: tuple[Value, Value], part_: Value, both: Value
            ) -> tuple[Value, Value]:
    """Mean and squares around it of two parts; `part_` is the share of the second, `both` counts n m / (n + m)."""
    apart = block[0] - before[0]
    return b.fma(apart, part_, before[0]), b.fma(apart * apart, both, before[1] + block[1])


def _write_forward(module: Module) -> None:
    with module.function("whole", ["ptr", "i64", "i64"], internal=True) as b:
        own = _Rows(b)
        means, squares, factors, shifts = own.own
        zero = b.constant(0.0, b.vector_type("float"))

        def cleared(i: Value, mask: Value | None, _: int) -> None:
            b.store(zero, means, i, mask=mask)
            b.store(zero, squares, i, mask=mask)
        b.columns(own.channels, cleared)

        def gathered(first: Value, count: Value, at: Value, vectors: list[tuple[Value, Value | None]]) -> None:
            rows, seen = own.number(count), own.number(first - own.start)
            images = [b.address(own.at[Place.IMAGES], at + i, "float") for i, _ in vectors]

            def add(r: Value, s: list[Variable]) -> None:
                for total, place, (_, mask) in zip(s, images, vectors, strict=True):
                    own.ahead(place, r)
                    total.set(total.get() + b.load(place, r, mask=mask))
            found = [total / rows for total in own.added(count, len(vectors), add)]

            def squared(r: Value, s: list[Variable]) -> None:
                for total, place, mean, (_, mask) in zip(s, images, found, vectors, strict=True):
                    apart = b.load(place, r, mask=mask) - mean
                    total.set(b.fma(apart, apart, total.get()))
            share = rows / (rows + seen)
            for mean, around, (i, mask) in zip(found, own.added(count, len(vectors), squared), vectors, strict=True):
                before = b.load(means, i, mask=mask), b.load(squares, i, mask=mask)
                joined = _joined(b, before, (mean, around), share, share * seen)
                for value, place in zip(joined, (means, squares), strict=True):
                    b.store(value, place, i, mask=mask)
        own.blocks(gathered)
        own.meet()
        _write_statistics(own)

        def limited(_: Value, count: Value, at: Value, vectors: list[tuple[Value, Value | None]]) -> None:
            places = [[b.address(own.at[p], at + i, "float") for p in (Place.IMAGES, Place.RESULT)] for i, _ in vectors]
            lines = [[b.load(p, i, mask=mask) for p in (factors, shifts)] for i, mask in vectors]
            low, high = [b.splat(x, b.vector_type("float")) for x in (own.low, own.high)]

            def row(r: Value) -> None:
                for (images, to), (factor, shift), (_, mask) in zip(places, lines, vectors, strict=True):
                    own.ahead(images, r)
                    y = b.fma(b.load(images, r, mask=mask), factor, shift)
                    y = b.intrinsic("minimum", b.intrinsic("maximum", y, low), high)
                    b.store(y, to, r, mask=mask)
            own.each(count, row)
        own.blocks(limited)


def _write_statistics(own: _Rows) -> None:
    """Every thread: those of all, the line of each channel; the first one tells them."""
    b = own.b

    def channel(i: Value, mask: Value | None, _: int) -> None:
        zero = b.constant(0.0, b.vector_type("float"))
        mean, square = b.variable(zero), b.variable(zero)
        with b.loop(0, own.threads) as t:
            start, stop = part(b, own.rows, 1, t, own.threads)
            rows, seen = own.number(stop - start), own.number(start)
            with b.when(stop > start):
                theirs = own.memory(t)
                share = rows / (rows + seen)
                found = _joined(b, (mean.get(), square.get()),
                                (b.load(theirs[0], i, mask=mask), b.load(theirs[1], i, mask=mask)), share, share * seen)
                mean.set(found[0])
                square.set(found[1])
        rows = own.number(own.rows)
        scale = 1.0 / b.intrinsic("sqrt", square.get() / rows + own.epsilon)
        factor, shift = own.line(mean.get(), scale, i, mask)
        b.store(factor, own.own[2], i, mask=mask)
        b.store(shift, own.own[3], i, mask=mask)
        with b.when(own.thread.compare("eq", 0)):
            told = {Place.MEAN: mean.get(), Place.SCALE: scale}
            for place, new, now in ((Place.FIRST, Place.OLD_MEAN, mean.get()),
                                    (Place.SECOND, Place.OLD_VARIANCE, square.get() / (rows - 1.0))):
                old = own.of(new, i, mask)
                told[place] = b.fma(now - old, b.splat(own.momentum, now.type), old)
            for place, value in told.items():
                b.store(value, own.at[place], i, mask=mask)
    b.columns(own.channels, channel)


def _write_reverse(module: Module) -> None:
    with module.function("whole", ["ptr", "i64", "i64"], internal=True) as b:
        own = _Rows(b)
        sums = own.own[:2]
        zero = b.constant(0.0, b.vector_type("float"))

        def cleared(i: Value, mask: Value | None, _: int) -> None:
            for place in sums:
                b.store(zero, place, i, mask=mask)
        b.columns(own.channels, cleared)

        def gathered(_: Value, count: Value, at: Value, vectors: list[tuple[Value, Value | None]]) -> None:
            rows = [own.passed(at + i, i, mask)[1] for i, mask in vectors]

            def one(r: Value, s: list[Variable]) -> None:
                for k, row in enumerate(rows):
                    d, apart = row(r)
                    s[2 * k].set(s[2 * k].get() + d)
                    s[2 * k + 1].set(b.fma(d, apart, s[2 * k + 1].get()))
            found = own.added(count, 2 * len(vectors), one)
            for k, (i, mask) in enumerate(vectors):
                for place, more in zip(sums, found[2 * k:2 * k + 2], strict=True):
                    b.store(b.load(place, i, mask=mask) + more, place, i, mask=mask)
        own.blocks(gathered)
        own.meet()
        _write_sums(own)

        def changed(_: Value, count: Value, at: Value, vectors: list[tuple[Value, Value | None]]) -> None:
            given = [own.passed(at + i, i, mask) for i, mask in vectors]
            taken = [[b.load(p, i, mask=mask) for p in own.own[2:]] for i, mask in vectors]
            to = [b.address(own.at[Place.RESULT], at + i, "float") for i, _ in vectors]

            def one(r: Value) -> None:
                for (factor, row), (slope, level), place, (_, mask) in zip(given, taken, to, vectors, strict=True):
                    d, apart = row(r)
                    b.store(b.fma(d, factor, -b.fma(apart, slope, level)), place, r, mask=mask)
            own.each(count, one)
        own.blocks(changed)


def _write_sums(own: _Rows) -> None:
    """Every thread: the sums of all, and what they take from the cotangents; the first one tells them."""
    b = own.b

    def channel(i: Value, mask: Value | None, _: int) -> None:
        zero = b.constant(0.0, b.vector_type("float"))
        totals = [b.variable(zero) for _ in range(2)]
        with b.loop(0, own.threads) as t:
            for total, place in zip(totals, own.memory(t), strict=False):
                total.set(total.get() + b.load(place, i, mask=mask))
        scale = own.of(Place.SCALE, i, mask)
        factor = own.of(Place.GAMMA, i, mask) * scale
        first, second = [t.get() for t in totals]
        each = factor / own.number(own.rows)
        b.store(each * scale * scale * second, own.own[2], i, mask=mask)
        b.store(each * first, own.own[3], i, mask=mask)
        with b.when(own.thread.compare("eq", 0)):
            b.store(second * scale, own.at[Place.FIRST], i, mask=mask)
            b.store(first, own.at[Place.SECOND], i, mask=mask)
    b.columns(own.channels, channel)
