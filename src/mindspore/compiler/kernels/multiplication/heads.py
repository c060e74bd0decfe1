"""Attention of many heads by generated code: a thread computes whole heads, whose scores stay in its caches.

softmax(q k' scale + mask) v, all float32, where rows of the operands may lie anywhere, and its reverse from the
weights that are kept.  The exponential and the sums are those of `mathematics`; a row's sum is added in lanes.  What a
mask rules out for the last keys of a block of rows is left out (`reach`).
"""
from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from ..mathematics import exp
from ..native import WRITTEN_OUT, Code, machine
from ..once import Once
from ..text import Builder, Module, Value
from .reach import (
    SCRATCH,
    Limits,
    block_rows,
    blocks_of,
    cotangents_bounded,
    fill,
    limit_at,
    scores_bounded,
    write_reach,
)
from .writing import part, tile_rows, write_entries, write_parts, write_rows


class Sizes(IntEnum):
    """The first places of the tables: counts, extents, and where a thread's memory lies."""

    COUNT, HEADS, T, S, D, V, SCALE, THREADS, PANELS, ROWS, OWN, PANELS_EACH, ROWS_EACH, OWN_EACH, ZEROS = range(15)


# Behind them four places for each tensor: its address, and the distances of samples, heads and rows.
FORWARD = ("q", "k", "v", "mask", "y", "weights")
REVERSE = ("dout", "q", "k", "v", "weights", "dq", "dk", "dv")


@Once
def forward(width: int = 0) -> Code:
    """The code of attention, loaded."""
    return _made("forward", _write_forward, width)


@Once
def reverse(width: int = 0) -> Code:
    """The code of its reverse, loaded."""
    return _made("reverse", _write_reverse, width)


def expect() -> None:
    """Let the code be made beside what this thread does, as it will be needed."""
    forward.expect()
    reverse.expect()


def _made(name: str, write: Any, width: int) -> Code:
    module = Module(width or machine().width)
    write_parts(module, whole=False)
    write_rows(module, tile_rows(module.width))
    write_reach(module)
    write(module)
    write_entries(module, "heads", (Sizes.THREADS,))
    return machine().load(module.text(), passes=WRITTEN_OUT)


class _Head:
    """What is known while the code for one head is written."""

    def __init__(self, b: Builder, names: Sequence[str]):
        self.b, self.names, table = b, names, b.args[0]
        self.size = {s: b.load(table, int(s), "ptr" if s in (Sizes.PANELS, Sizes.ROWS, Sizes.OWN, Sizes.ZEROS)
                               else "i64", one=True) for s in Sizes}
        thread = b.args[1]
        self.start, self.stop = part(b, self.size[Sizes.COUNT], 1, thread, self.size[Sizes.THREADS])
        self.panels, self.rows, self.own = [
            b.address(self.size[s], thread * self.size[e], "float")
            for s, e in ((Sizes.PANELS, Sizes.PANELS_EACH), (Sizes.ROWS, Sizes.ROWS_EACH), (Sizes.OWN, Sizes.OWN_EACH))]
        self.given = {name: [b.load(table, len(Sizes) + 4 * k + i, "i64" if i else "ptr", one=True) for i in range(4)]
                      for k, name in enumerate(names)}
        blocks = blocks_of(b, self.size[Sizes.T])
        self.scratch = self.own
        self.reach = b.address(self.own, SCRATCH, "i32")
        self.whole = b.address(self.reach, blocks, "i32")
        self.starts = b.address(self.whole, blocks, "i32")
        self.own = b.address(self.starts, blocks_of(b, self.size[Sizes.S]), "i32")
        fill(b, self.whole, blocks, self.size[Sizes.S])
        self.extents = {s.name: self.size[s] for s in (Sizes.T, Sizes.S, Sizes.D, Sizes.V)}
        self.scale = b.bitcast(b.cast("trunc", self.size[Sizes.SCALE], "i32"), "float")

    def at(self, i: Value) -> dict[str, tuple[Value, Value]]:
        """Where the tensors of a head begin, and how far apart its rows are."""
        sample = i / self.size[Sizes.HEADS]
        head = i - sample * self.size[Sizes.HEADS]
        return {name: (self.b.address(p, sample * s + head * h, "float"), row)
                for name, (p, s, h, row) in self.given.items()}

    def multiply(self, a: tuple[Value, Value], turn_a: bool, c: tuple[Value, Value], turn_c: bool,
                 to: tuple[Value, Value], m: Value, n: Value, k: Value, which: Limits, limits: Value) -> None:
        """to = a c, either of which may be given transposed, within limits of the rows of a."""
        one = self.b.integer(1)
        self.b.call("within", [
            a[0], *((one, a[1]) if turn_a else (a[1], one)), c[0], *((one, c[1]) if turn_c else (c[1], one)), *to,
            m, n, k, self.size[Sizes.ZEROS], self.b.integer(int(which)), limits, self.panels, self.rows])

    def reaching(self, at: dict[str, tuple[Value, Value]], last: Any) -> Value:
        """How far the blocks of rows of a head reach by its mask; `last` is the mask that was looked at last."""
        b, mask, zeros = self.b, at["mask"], self.size[Sizes.ZEROS]
        with b.when(mask[0].compare("ne", last.get())):
            b.call("reach_of_mask", [*mask, self.size[Sizes.T], self.size[Sizes.S], self.reach])
            last.set(mask[0])
        limits = b.variable(self.whole)
        with b.when(mask[0].compare("ne", zeros)):
            bounded = scores_bounded(b, at, self.extents, self.scale, self.scratch)
            limits.set(b.select(bounded, self.reach, self.whole))
        return limits.get()

    def reached(self, at: dict[str, tuple[Value, Value]]) -> tuple[Value, Value]:
        """How far the blocks of rows of a head reached, by its weights; and where those of keys are reached first."""
        b, t, s = self.b, self.size[Sizes.T], self.size[Sizes.S]
        fill(b, self.reach, blocks_of(b, t), s)
        fill(b, self.starts, blocks_of(b, s), b.integer(0))
        with b.when(cotangents_bounded(b, at, self.extents, self.scratch)):
            b.call("reach_of_weights", [at["weights"][0], t, s, self.reach, self.starts])
        return self.reach, self.starts


def _write_forward(module: Module) -> None:
    with module.function("heads", ["ptr", "i64"], internal=True) as b:
        head = _Head(b, FORWARD)
        t, s, d, v = head.extents.values()
        last = b.variable(head.size[Sizes.ZEROS])
        with b.loop(head.start, head.stop) as i:
            at = head.at(i)
            limits = head.reaching(at, last)
            head.multiply(at["q"], False, at["k"], True, at["weights"], t, s, d, Limits.COLUMNS, limits)
            with b.loop(0, t) as row:
                reach = limit_at(b, limits, row / block_rows(b.width))
                line = b.address(at["weights"][0], row * s, "float")
                _softmax(b, line, b.address(at["mask"][0], row * at["mask"][1], "float"), reach, head.scale)
                _zero(b, line, reach, s)
            head.multiply(at["weights"], False, at["v"], False, at["y"], t, v, s, Limits.BEFORE, limits)


def _zero(b: Builder, line: Value, start: Value, stop: Value) -> None:
    """Zeros from one place to another."""
    rest = b.address(line, start, "float")
    b.columns(stop - start, lambda i, lanes, _: b.store(b.constant(0.0, b.vector_type("float")), rest, i, mask=lanes))


def _softmax(b: Builder, line: Value, mask: Value, count: Value, scale: Value) -> None:
    """A row of scores becomes one of weights."""
    type_ = b.vector_type("float")
    most = b.variable(b.constant(float("-inf"), type_))
    total = b.variable(b.constant(0.0, type_))

    def scored(i: Value, lanes: Value | None, _: int) -> None:
        x = b.load(line, i, mask=lanes) * scale + b.load(mask, i, mask=lanes)
        b.store(x, line, i, mask=lanes)
        most.set(b.greatest(most.get(), x if lanes is None else b.select(lanes, x, float("-inf"))))
    b.columns(count, scored)
    highest = b.across("max", most.get())

    def raised(i: Value, lanes: Value | None, _: int) -> None:
        x = exp(b, b.load(line, i, mask=lanes) - highest)
        b.store(x, line, i, mask=lanes)
        total.set(total.get() + (x if lanes is None else b.select(lanes, x, 0.0)))
    b.columns(count, raised)
    factor = b.constant(1.0, "float") / b.across("sum", total.get())

    def divided(i: Value, lanes: Value | None, _: int) -> None:
        b.store(b.load(line, i, mask=lanes) * factor, line, i, mask=lanes)
    b.columns(count, divided)


def _write_reverse(module: Module) -> None:
    with module.function("heads", ["ptr", "i64"], internal=True) as b:
        head = _Head(b, REVERSE)
        t, s, d, v = head.extents.values()
        scores = (head.own, s)
        with b.loop(head.start, head.stop) as i:
            at = head.at(i)
            limits, starts = head.reached(at)
            head.multiply(at["weights"], True, at["dout"], False, at["dv"], s, v, t, Limits.FROM, starts)
            head.multiply(at["dout"], False, at["v"], True, scores, t, s, v, Limits.COLUMNS, limits)
            with b.loop(0, t) as row:
                reach, line = limit_at(b, limits, row / block_rows(b.width)), b.address(head.own, row * s, "float")
                _softmax_reverse(b, line, b.address(at["weights"][0], row * s, "float"), reach, head.scale)
                _zero(b, line, reach, s)
            head.multiply(scores, False, at["k"], False, at["dq"], t, d, s, Limits.BEFORE, limits)
            head.multiply(scores, True, at["q"], False, at["dk"], s, d, t, Limits.FROM, starts)


def _softmax_reverse(b: Builder, line: Value, weights: Value, count: Value, scale: Value) -> None:
    """A row of cotangents of weights becomes one of scores before the scale."""
    total = b.variable(b.constant(0.0, b.vector_type("float")))

    def added(i: Value, lanes: Value | None, _: int) -> None:
        total.set(b.fma(b.load(line, i, mask=lanes), b.load(weights, i, mask=lanes), total.get()))
    b.columns(count, added)
    mean = b.across("sum", total.get())

    def changed(i: Value, lanes: Value | None, _: int) -> None:
        x = (b.load(line, i, mask=lanes) - mean) * b.load(weights, i, mask=lanes) * scale
        b.store(x, line, i, mask=lanes)
    b.columns(count, changed)
