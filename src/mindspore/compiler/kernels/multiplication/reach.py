"""How far rows of attention reach: keys behind that a mask rules out are left out of the products.

A weight is 0 where the score lies more than 88 below the greatest of its row, which the mask alone shows if scores
before it are bounded: keys from some column on, for all rows of a block.  That holds exactly, for any finite operands;
where they are not finite, or too large, all is computed.  Sums lose terms that are 0, so that results are the same.
"""
from __future__ import annotations

from enum import IntEnum
from typing import Any

from ..text import Builder, Module, Value
from .writing import BLOCK, INNER, VECTORS, least, tile_rows

_GAP = 4096.0                # by which a mask must lie below the greatest of its row
_SCORE = 1900.0              # what scores are below then
_SLACK = 2.0**-22            # relative, of sums of scores and masks
_PRODUCT = 1e18              # what cotangents of weights are below
_FINITE = 0x7F800000         # the bits of infinity
SCRATCH = 4                  # integers behind which a thread's limits lie


class Limits(IntEnum):
    """What the limit of a block of rows of the first operand says."""

    COLUMNS, BEFORE, FROM = range(3)


def block_rows(width: int) -> int:
    """How many rows have a limit in common."""
    return 4 * tile_rows(width)


def limits_count(t: int, s: int, width: int) -> int:
    """The 4-byte places for the limits of so many queries and keys."""
    rows = block_rows(width)
    return SCRATCH + 2 * -(-t // rows) + -(-s // rows)


def write_reach(module: Module) -> None:
    """The functions of this file."""
    _write_largest(module)
    _write_within(module)
    _write_of_mask(module)
    _write_of_weights(module)


def blocks_of(b: Builder, rows: Value) -> Value:
    """How many blocks so many rows are."""
    each = block_rows(b.width)
    return (rows + (each - 1)) / each


def limit_at(b: Builder, limits: Value, block: Value) -> Value:
    """The limit of a block."""
    return b.cast("sext", b.load(limits, block, "i32", one=True), "i64")


def fill(b: Builder, limits: Value, count: Value, value: Value) -> None:
    """Give all blocks one limit."""
    with b.loop(0, count) as i:
        b.store(b.cast("trunc", value, "i32"), limits, i, "i32")


def _write_largest(module: Module) -> None:
    """largest(x, distance of rows, rows, columns, to): the bits of the greatest absolute value, NaN above all."""
    with module.function("largest", ["ptr", "i64", "i64", "i64", "ptr"], internal=True) as b:
        x, step, rows, columns, to = b.args
        most = b.variable(b.constant(0, b.vector_type("i32")))

        def found(i: Value, lanes: Value | None, _: int) -> None:
            bits = b.load(line, i, "i32", mask=lanes) & 0x7FFFFFFF
            most.set(b.intrinsic("smax", most.get(), bits, flags=False))
        with b.loop(0, rows) as row:
            line = b.address(x, row * step, "float")
            b.columns(columns, found)
        b.store(b.across("max", most.get()), to, 0, "i32")


def _largest(b: Builder, x: tuple[Value, Value], rows: Value, columns: Value, scratch: Value) -> Value:
    """The greatest absolute value."""
    b.call("largest", [*x, rows, columns, scratch])
    return b.bitcast(b.load(scratch, 0, "i32", one=True), "float")


def scores_bounded(b: Builder, at: dict[str, tuple[Value, Value]], size: Any, scale: Value, scratch: Value) -> Value:
    """Whether all scores are so small that a mask's gap decides, and values finite."""
    q, k, v = [_largest(b, at[x], size[rows], size[columns], scratch)
               for x, rows, columns in (("q", "T", "D"), ("k", "S", "D"), ("v", "S", "V"))]
    bound = q * k * b.cast("sitofp", size["D"], "float") * b.intrinsic("fabs", scale)
    return (bound < _SCORE) & (v < float("inf"))


def cotangents_bounded(b: Builder, at: dict[str, tuple[Value, Value]], size: Any, scratch: Value) -> Value:
    """Whether what is multiplied with weights of 0 is finite."""
    dout, q, k, v = [_largest(b, at[x], size[rows], size[columns], scratch) for x, rows, columns in
                     (("dout", "T", "V"), ("q", "T", "D"), ("k", "S", "D"), ("v", "S", "V"))]
    bound = dout * v * b.cast("sitofp", size["V"], "float")
    return (bound < _PRODUCT) & (q < float("inf")) & (k < float("inf"))


def _write_of_mask(module: Module) -> None:
    """reach_of_mask(mask, distance of rows, rows, columns, limits): where the mask rules out the rest, by block."""
    with module.function("reach_of_mask", ["ptr", "i64", "i64", "i64", "ptr"], internal=True) as b:
        mask, step, rows, columns, limits = b.args
        each, type_ = block_rows(b.width), b.vector_type("float")
        with b.loop(0, rows, each) as i:
            last = b.variable(b.constant(0, b.vector_type("i32")))
            with b.loop(i, least(b, rows, i + each)) as row:
                line = b.address(mask, row * step, "float")
                most = b.variable(b.constant(float("-inf"), type_))

                def raised(j: Value, lanes: Value | None, _: int, line: Value = line, most: Any = most) -> None:
                    x = b.load(line, j, mask=lanes)
                    x = x if lanes is None else b.select(lanes, x, float("-inf"))
                    most.set(b.greatest(most.get(), x))
                b.columns(columns, raised)
                high = b.across("max", most.get())
                down, up = high * (1 - _SLACK), high * (1 + _SLACK)
                limit = b.splat(b.select(down < up, down, up) - _GAP + (high - high), type_)     # NaN if not finite

                def lives(j: Value, lanes: Value | None, _: int, line: Value = line, limit: Value = limit) -> None:
                    x = b.load(line, j, mask=lanes)
                    down, up = x * (1 - _SLACK), x * (1 + _SLACK)
                    live = b.select(up < down, down, up).compare("uge", limit)
                    live = live if lanes is None else live & lanes
                    place = b.lane_numbers("i32") + (b.cast("trunc", j, "i32") + 1)
                    last.set(b.intrinsic("smax", last.get(), b.select(live, place, 0), flags=False))
                b.columns(columns, lives)
            _keep(b, limits, i / each, b.cast("sext", b.across("max", last.get()), "i64"), columns)


def _keep(b: Builder, limits: Value, block: Value, reach: Value, columns: Value) -> None:
    """Note where a block ends, in whole panels."""
    across = VECTORS * b.width
    whole = (reach + (across - 1)) / across * across
    b.store(b.cast("trunc", least(b, whole, columns), "i32"), limits, block, "i32")


def _write_of_weights(module: Module) -> None:
    """reach_of_weights(weights, rows, columns, limits, starts): behind which column weights of a block are 0.

    `starts` gets for each block of columns the first row of the first block of rows that reaches it.
    """
    with module.function("reach_of_weights", ["ptr", "i64", "i64", "ptr", "ptr"], internal=True) as b:
        weights, rows, columns, limits, starts = b.args
        each, across = block_rows(b.width), VECTORS * b.width
        panels = (columns + (across - 1)) / across
        with b.loop(0, rows, each) as i:
            found = b.variable(b.integer(0))
            with b.loop(0, panels) as p, b.when(found.get().compare("eq", 0)):
                first = (panels - 1 - p) * across
                bits = b.variable(b.constant(0, b.vector_type("i32")))
                with b.loop(i, least(b, rows, i + each)) as row:
                    line = b.address(weights, row * columns + first, "float")
                    for v in range(VECTORS):
                        lanes = b.lanes_below(least(b, columns - first - v * b.width, b.integer(b.width)))
                        bits.set(bits.get() | (b.load(line, v * b.width, "i32", mask=lanes) & 0x7FFFFFFF))
                with b.when(b.across("max", bits.get()).compare("ne", 0)):
                    found.set(first + across)
            _keep(b, limits, i / each, found.get(), columns)
        blocks = blocks_of(b, rows)
        with b.loop(0, columns, each) as j:
            start = b.variable(rows)
            with b.loop(0, blocks) as x:
                block = blocks - 1 - x
                with b.when(limit_at(b, limits, block) > j):
                    start.set(block * each)
            b.store(b.cast("trunc", start.get(), "i32"), starts, j / each, "i32")


def _write_within(module: Module) -> None:
    """within(a, distances of rows and inside, b, the same, c, of rows, m, n, k, zeros, which, limits, memory).

    A product whose blocks of rows end at columns (`Limits.COLUMNS`), or sum up before (`BEFORE`) or from (`FROM`)
    a place of the inner dimension; the rest is left out.
    """
    across, tile, each = VECTORS * module.width, tile_rows(module.width), block_rows(module.width)
    with module.function("within", [*["ptr", "i64", "i64"] * 2, "ptr", "i64", "i64", "i64", "i64", "ptr", "i64", "ptr",
                                    "ptr", "ptr"], internal=True) as b:
        a, a_row, a_inner, source, b_inner, b_column, c, c_row, m, n, k, zeros, which, limits, panels, own = b.args
        turned = a_inner > 1
        step_row = b.select(turned, b.integer(1), a_row)
        step_inner = b.select(turned, b.integer(tile), b.integer(1))
        before, start, beside = [which.compare("eq", int(w)) for w in (Limits.BEFORE, Limits.FROM, Limits.COLUMNS)]

        def extent(b: Builder, row: Value, done: Value, inner: Value) -> tuple[Value, Value]:
            """Where the sums of a block of rows begin in this part of the inner dimension, and how long they are."""
            limit = limit_at(b, limits, row / each)
            low = _inside(b, b.select(start, limit, b.integer(0)) - done, inner)
            count = _inside(b, b.select(before, limit, k) - done, inner) - low
            return low, b.select(count < 0, b.integer(0), count)
        with b.loop(0, k, INNER) as done:
            inner = least(b, k - done, b.integer(INNER))
            b.call("panels", [b.address(source, done * b_inner, "float"), b_inner, b_column, panels, inner, n])
            with b.loop(0, m, BLOCK) as i:
                stop = least(b, m, i + BLOCK)
                with b.when(turned), b.loop(i, stop, each) as row:
                    low, count = extent(b, row, done, inner)
                    part = b.address(a, row * a_row + (done + low) * a_inner, "float")
                    b.call("rows", [part, a_inner, b.address(own, (row - i) * inner, "float"), count,
                                    least(b, stop - row, b.integer(each))])
                with b.loop(0, n, across) as j, b.loop(i, stop, each) as row:
                    low, count = extent(b, row, done, inner)
                    with b.when(j < b.select(beside, limit_at(b, limits, row / each), n)):
                        part = b.address(a, row * a_row + (done + low) * a_inner, "float")
                        lines = b.select(turned, b.address(own, (row - i) * inner, "float"), part)
                        panel = b.address(panels, j * inner + low * across, "float")
                        b.call("strip", [lines, step_row, step_inner, panel, b.address(c, row * c_row + j, "float"),
                                         c_row, count, zeros, done, n - j, least(b, stop - row, b.integer(each))])


def _inside(b: Builder, x: Value, most: Value) -> Value:
    """A number, or the nearer of 0 and `most`."""
    return least(b, b.select(x < 0, b.integer(0), x), most)
