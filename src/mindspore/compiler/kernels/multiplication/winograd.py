"""Convolutions of windows of three by three by generated code, with fewer multiplications.

Four elements of a result, two by two, follow from sixteen of the images by 16 products instead of 36: images and
weights are transformed by additions, multiplied point by point, and the products transformed back (Winograd 1980;
Lavin, Gray, Fast algorithms for convolutional neural networks, 2016).  Each of the 16 points is a product of matrices
over the channels.  A thread transforms some tiles of the images, multiplies them and writes their results, all in its
caches.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

from ..meeting import write_meeting
from ..native import WRITTEN_OUT, Code, machine
from ..once import Once
from ..text import Builder, Module, Value
from .writing import VECTORS, part, write_meeting_entries, write_parts

POINTS = 16


class Spot(IntEnum):
    """The places of the table.  Images (N, H, W, inner) become (N, OH, OW, outer); the weight is (O, 3, 3, C)."""

    IMAGES, WEIGHT, RESULT, BIAS, TURNED, PANELS, POINTS_IN, POINTS_OUT, ZEROS, COUNTER, \
        N, H, W, INNER, OUTER, OH, OW, TOP, LEFT, ROWS, CHANNELS, B_INNER, B_COLUMN, BACK, EACH_PANEL, CHUNK, \
        BIAS_STEP, IN_EACH, OUT_EACH, THREADS = range(30)


@Once
def code(width: int = 0) -> Code:
    """The code, loaded."""
    module = Module(width or machine().width)
    write_meeting(module)
    write_parts(module, whole=False)
    _write_weight(module)
    _write_images(module)
    _write_results(module)
    _write_convolve(module)
    write_meeting_entries(module, "convolve", int(Spot.THREADS))
    return machine().load(module.text(), passes=WRITTEN_OUT)


def expect() -> None:
    """Let the code be made beside what this thread does, as it will be needed."""
    code.expect()


def _table(b: Builder) -> dict[Spot, Value]:
    return {s: b.load(b.args[0], int(s), "ptr" if s <= Spot.COUNTER else "i64", one=True) for s in Spot}


# Each of the transforms takes 3 or 4 values to 4, or 4 to 2, first along columns and then along rows.

def of_images(d: Sequence[Value]) -> list[Value]:
    """Those of images."""
    return [d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]]


def _of_weights(g: Sequence[Value]) -> list[Value]:
    ends = (g[0] + g[2]) * 0.5
    middle = g[1] * 0.5
    return [g[0], ends + middle, ends - middle, g[2]]


def _of_products(m: Sequence[Value]) -> list[Value]:
    return [m[0] + m[1] + m[2], m[1] - m[2] - m[3]]


def twice(rows: list[list[Value]], of: Callable[[Sequence[Value]], list[Value]]) -> list[list[Value]]:
    """A transform along both axes."""
    columns = [of([row[j] for row in rows]) for j in range(len(rows[0]))]
    return [of([columns[j][i] for j in range(len(columns))]) for i in range(len(columns[0]))]


def _write_weight(module: Module) -> None:
    """weight(table, from, to): the points of some outputs of the weight, (16, O, C)."""
    with module.function("weight", ["ptr", "i64", "i64"], internal=True) as b:
        at = _table(b)
        channels = at[Spot.CHANNELS]
        plane = at[Spot.ROWS] * channels
        with b.loop(b.args[1], b.args[2]) as o:
            base = b.address(at[Spot.WEIGHT], o * channels * 9, "float")
            taps = [b.address(base, b.select(at[Spot.BACK] > 0, b.integer(8 - k), b.integer(k)) * channels, "float")
                    for k in range(9)]
            to = b.address(at[Spot.TURNED], o * channels, "float")

            def body(i: Value, mask: Value | None, _: int, taps: list[Value] = taps, to: Value = to) -> None:
                g = [b.load(p, i, mask=mask) for p in taps]
                found = twice([g[:3], g[3:6], g[6:]], _of_weights)
                for k in range(POINTS):
                    b.store(found[k // 4][k % 4], to, plane * k + i, mask=mask)
            b.columns(channels, body)


def _place(b: Builder, at: dict[Spot, Value], tile: Value) -> tuple[Value, Value, Value]:
    """The image and the first row and column of the result of a tile."""
    down, over = (at[Spot.OH] + 1) / 2, (at[Spot.OW] + 1) / 2
    line = tile / over
    image = line / down
    return image, (line - image * down) * 2, (tile - line * over) * 2


def inside(x: Value, extent: Value) -> Value:
    """Whether a row or column is one of so many."""
    return (x > -1) & (x < extent)


def _write_images(module: Module) -> None:
    """images(table, first tile, count, to): the points of some tiles, (16, chunk, inner)."""
    with module.function("images", ["ptr", "i64", "i64", "ptr"], internal=True) as b:
        at = _table(b)
        channels, plane = at[Spot.INNER], at[Spot.CHUNK] * at[Spot.INNER]
        with b.loop(0, b.args[2]) as n:
            image, y, x = _place(b, at, b.args[1] + n)
            y, x = y - at[Spot.TOP], x - at[Spot.LEFT]
            places: list[Value] = []
            for k in range(POINTS):
                row, column = y + k // 4, x + k % 4
                place = ((image * at[Spot.H] + row) * at[Spot.W] + column) * channels
                given = b.emit(f"getelementptr float, ptr {at[Spot.IMAGES].name}, i64 {place.name}", "ptr")
                places.append(b.select(inside(row, at[Spot.H]) & inside(column, at[Spot.W]), given, at[Spot.ZEROS]))
            to = b.address(b.args[3], n * channels, "float")

            def body(i: Value, mask: Value | None, _: int, places: list[Value] = places, to: Value = to) -> None:
                d = [b.load(p, i, mask=mask) for p in places]
                found = twice([d[:4], d[4:8], d[8:12], d[12:]], of_images)
                for k in range(POINTS):
                    b.store(found[k // 4][k % 4], to, plane * k + i, mask=mask)
            b.columns(channels, body)


def _write_results(module: Module) -> None:
    """results(table, first tile, count, from): what products of points give, written where it belongs."""
    with module.function("results", ["ptr", "i64", "i64", "ptr"], internal=True) as b:
        at = _table(b)
        channels, plane = at[Spot.OUTER], at[Spot.CHUNK] * at[Spot.OUTER]
        with b.loop(0, b.args[2]) as n:
            image, y, x = _place(b, at, b.args[1] + n)
            first = ((image * at[Spot.OH] + y) * at[Spot.OW] + x) * channels
            steps = [b.integer(0), channels, at[Spot.OW] * channels, (at[Spot.OW] + 1) * channels]
            down, over = y + 1 < at[Spot.OH], x + 1 < at[Spot.OW]
            there = [None, over, down, over & down]
            # what lies outside is written where the first element overwrites it afterwards
            places = [b.address(at[Spot.RESULT], first + (s if t is None else b.select(t, s, b.integer(0))), "float")
                      for s, t in zip(steps, there, strict=True)]
            source = b.address(b.args[3], n * channels, "float")

            def body(i: Value, mask: Value | None, _: int, places: list[Value] = places,
                     source: Value = source) -> None:
                m = [b.load(source, plane * k + i, mask=mask) for k in range(POINTS)]
                found = twice([m[:4], m[4:8], m[8:12], m[12:]], _of_products)
                add = b.load(at[Spot.BIAS], i * at[Spot.BIAS_STEP], mask=mask)
                for k in reversed(range(4)):
                    b.store(found[k // 2][k % 2] + add, places[k], i, mask=mask)
            b.columns(channels, body)


def _write_convolve(module: Module) -> None:
    across = VECTORS * module.width
    with module.function("convolve", ["ptr", "i64", "i64"], internal=True) as b:
        table, thread, threads = b.args
        at = _table(b)
        inner, outer, chunk = at[Spot.INNER], at[Spot.OUTER], at[Spot.CHUNK]
        b.call("weight", [table, *part(b, at[Spot.ROWS], 1, thread, threads)])
        b.call("meet", [at[Spot.COUNTER], threads])
        start, stop = part(b, b.integer(POINTS), 1, thread, threads)
        with b.loop(start, stop) as p:
            b.call("panels", [b.address(at[Spot.TURNED], p * at[Spot.ROWS] * at[Spot.CHANNELS], "float"),
                              at[Spot.B_INNER], at[Spot.B_COLUMN],
                              b.address(at[Spot.PANELS], p * at[Spot.EACH_PANEL], "float"), inner, outer])
        b.call("meet", [at[Spot.COUNTER], threads * 2])
        tiles = at[Spot.N] * ((at[Spot.OH] + 1) / 2) * ((at[Spot.OW] + 1) / 2)
        start, stop = part(b, tiles, 1, thread, threads)
        own = b.address(at[Spot.POINTS_IN], thread * at[Spot.IN_EACH], "float")
        made = b.address(at[Spot.POINTS_OUT], thread * at[Spot.OUT_EACH], "float")
        with b.loop(0, (stop - start + chunk - 1) / chunk) as c:
            first = start + c * chunk
            left = stop - first
            count = b.select(left < chunk, left, chunk)
            b.call("images", [table, first, count, own])
            with b.loop(0, POINTS) as p, b.loop(0, outer, across) as j:
                b.call("strip", [b.address(own, p * chunk * inner, "float"), inner, b.integer(1),
                                 b.address(at[Spot.PANELS], p * at[Spot.EACH_PANEL] + j * inner, "float"),
                                 b.address(made, p * chunk * outer + j, "float"), outer, inner, at[Spot.ZEROS],
                                 b.integer(0), outer - j, count])
            b.call("results", [table, first, count, made])
