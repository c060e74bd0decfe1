"""The cotangent of the weight of convolutions with windows of three by three, by generated code.

It is the way back of `winograd`: the sums of products of a tile's points, instead of products of its elements, take 16
multiplications where they would take 36.  Tiles are taken in chunks: all threads transform some tiles of the images and
of the cotangents, then each multiplies for some points, and continues with the next chunk.  So an element of the result
is one sum over the tiles in their order, whatever the threads.
"""
from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from ..meeting import write_meeting
from ..native import WRITTEN_OUT, Code, machine
from ..once import Once
from ..text import Builder, Module, Value
from .winograd import POINTS, inside, of_images, twice
from .writing import (
    BLOCK,
    VECTORS,
    least,
    part,
    tile_rows,
    write_meeting_entries,
    write_parts,
    write_rows,
)


class Spot(IntEnum):
    """The places of the table: addresses, extents, floats of a point's panels, how many threads there are."""

    IMAGES, COTANGENTS, RESULT, POINTS_IN, POINTS_OUT, SUMS, ROWS, ZEROS, COUNTER, N, H, W, C, OUTS, OH, OW, TOP, \
        LEFT, CHUNK, IN_EACH, ROWS_EACH, THREADS = range(22)


@Once
def code(width: int = 0) -> Code:
    """The code, loaded."""
    module = Module(width or machine().width)
    write_meeting(module)
    write_parts(module, whole=False)
    write_rows(module, tile_rows(module.width))
    _write_images(module)
    _write_cotangents(module)
    _write_point(module)
    _write_weight(module)
    _write_whole(module)
    write_meeting_entries(module, "whole", int(Spot.THREADS))
    return machine().load(module.text(), passes=WRITTEN_OUT)


def expect() -> None:
    """Let the code be made beside what this thread does, as it will be needed."""
    code.expect()


def _table(b: Builder) -> dict[Spot, Value]:
    return {s: b.load(b.args[0], int(s), "ptr" if s <= Spot.COUNTER else "i64", one=True) for s in Spot}


# Those of `winograd` turned: from 2 values to 4, and from 4 to 3.

def _of_cotangents(y: Sequence[Value]) -> list[Value]:
    return [y[0], y[0] + y[1], y[0] - y[1], -y[1]]


def _of_sums(u: Sequence[Value]) -> list[Value]:
    half = (u[1] + u[2]) * 0.5
    return [u[0] + half, (u[1] - u[2]) * 0.5, half + u[3]]


def _tile(b: Builder, at: dict[Spot, Value], tile: Value) -> tuple[Value, Value, Value]:
    """The image of a tile, and the first row and column of its cotangents."""
    down, over = (at[Spot.OH] + 1) / 2, (at[Spot.OW] + 1) / 2
    line = tile / over
    image = line / down
    return image, (line - image * down) * 2, (tile - line * over) * 2


def _places(b: Builder, base: Value, zeros: Value, image: Value, size: tuple[Value, Value], channels: Value,
            y: Value, x: Value, edge: int) -> list[Value]:
    """Where the elements of a square of an image begin; zeros where they are outside of it."""
    found: list[Value] = []
    for k in range(edge * edge):
        row, column = y + k // edge, x + k % edge
        place = ((image * size[0] + row) * size[1] + column) * channels
        given = b.emit(f"getelementptr float, ptr {base.name}, i64 {place.name}", "ptr")
        found.append(b.select(inside(row, size[0]) & inside(column, size[1]), given, zeros))
    return found


def _write_images(module: Module) -> None:
    """images(table, first tile, from, to): the points of some tiles of a chunk, as panels of columns."""
    across = VECTORS * module.width
    with module.function("images", ["ptr", "i64", "i64", "i64"], internal=True) as b:
        at = _table(b)
        channels, chunk = at[Spot.C], at[Spot.CHUNK]
        with b.loop(b.args[2], b.args[3]) as n:
            image, y, x = _tile(b, at, b.args[1] + n)
            places = _places(b, at[Spot.IMAGES], at[Spot.ZEROS], image, (at[Spot.H], at[Spot.W]), channels,
                             y - at[Spot.TOP], x - at[Spot.LEFT], 4)
            to = b.address(at[Spot.POINTS_IN], n * across, "float")

            def body(i: Value, mask: Value | None, _: int, places: list[Value] = places, to: Value = to) -> None:
                d = [b.load(p, i, mask=mask) for p in places]
                found = twice([d[:4], d[4:8], d[8:12], d[12:]], of_images)
                panel = i / across
                place = panel * chunk * across + (i - panel * across)
                for k in range(POINTS):      # columns beyond the last have room, too
                    b.store(found[k // 4][k % 4], to, at[Spot.IN_EACH] * k + place)
            b.columns(channels, body)


def _write_cotangents(module: Module) -> None:
    """cotangents(table, first tile, from, to): the points of some tiles of a chunk, (16, chunk, O)."""
    with module.function("cotangents", ["ptr", "i64", "i64", "i64"], internal=True) as b:
        at = _table(b)
        outs, plane = at[Spot.OUTS], at[Spot.CHUNK] * at[Spot.OUTS]
        with b.loop(b.args[2], b.args[3]) as n:
            image, y, x = _tile(b, at, b.args[1] + n)
            places = _places(b, at[Spot.COTANGENTS], at[Spot.ZEROS], image, (at[Spot.OH], at[Spot.OW]), outs, y, x, 2)
            to = b.address(at[Spot.POINTS_OUT], n * outs, "float")

            def body(i: Value, mask: Value | None, _: int, places: list[Value] = places, to: Value = to) -> None:
                d = [b.load(p, i, mask=mask) for p in places]
                found = twice([d[:2], d[2:]], _of_cotangents)
                for k in range(POINTS):
                    b.store(found[k // 4][k % 4], to, plane * k + i, mask=mask)
            b.columns(outs, body)


def _write_point(module: Module) -> None:
    """point(table, point, first output, thread, tiles, adds): sums of products for some outputs of a point."""
    across, tile = VECTORS * module.width, tile_rows(module.width)
    with module.function("point", ["ptr", "i64", "i64", "i64", "i64", "i64"], internal=True) as b:
        at = _table(b)
        _, p, first, thread, tiles, adds = b.args
        channels, outs, chunk = at[Spot.C], at[Spot.OUTS], at[Spot.CHUNK]
        count = least(b, outs - first, b.integer(BLOCK))
        own = b.address(at[Spot.ROWS], thread * at[Spot.ROWS_EACH], "float")
        b.call("rows", [b.address(at[Spot.POINTS_OUT], p * chunk * outs + first, "float"), outs, own, tiles, count])
        sums = b.address(at[Spot.SUMS], (p * outs + first) * channels, "float")
        with b.loop(0, channels, across) as j:
            b.call("strip", [own, b.integer(1), b.integer(tile),
                             b.address(at[Spot.POINTS_IN], p * at[Spot.IN_EACH] + j * chunk, "float"),
                             b.address(sums, j, "float"), channels, tiles, at[Spot.ZEROS], adds, channels - j, count])


def _write_weight(module: Module) -> None:
    """weight(table, from, to): the cotangents of some outputs of the weight, (O, 3, 3, C) in memory."""
    with module.function("weight", ["ptr", "i64", "i64"], internal=True) as b:
        at = _table(b)
        channels = at[Spot.C]
        plane = at[Spot.OUTS] * channels
        with b.loop(b.args[1], b.args[2]) as o:
            sums = b.address(at[Spot.SUMS], o * channels, "float")
            to = b.address(at[Spot.RESULT], o * channels * 9, "float")

            def body(i: Value, mask: Value | None, _: int, sums: Value = sums, to: Value = to) -> None:
                u = [b.load(sums, plane * k + i, mask=mask) for k in range(POINTS)]
                found = twice([u[:4], u[4:8], u[8:12], u[12:]], _of_sums)
                for k in range(9):
                    b.store(found[k // 3][k % 3], to, channels * k + i, mask=mask)
            b.columns(channels, body)


def _write_whole(module: Module) -> None:
    with module.function("whole", ["ptr", "i64", "i64"], internal=True) as b:
        table, thread, threads = b.args
        at = _table(b)
        chunk, counter = at[Spot.CHUNK], at[Spot.COUNTER]
        tiles = at[Spot.N] * ((at[Spot.OH] + 1) / 2) * ((at[Spot.OW] + 1) / 2)
        blocks = (at[Spot.OUTS] + (BLOCK - 1)) / BLOCK
        chunks = (tiles + chunk - 1) / chunk
        with b.loop(0, chunks) as c:
            first = c * chunk
            count = least(b, tiles - first, chunk)
            for name in ("images", "cotangents"):
                b.call(name, [table, first, *part(b, count, 1, thread, threads)])
            b.call("meet", [counter, threads * (c * 2 + 1)])
            start, stop = part(b, blocks * POINTS, 1, thread, threads)
            with b.loop(start, stop) as job:
                p = job / blocks
                b.call("point", [table, p, (job - p * blocks) * BLOCK, thread, count, c])
            b.call("meet", [counter, threads * (c * 2 + 2)])
        b.call("weight", [table, *part(b, at[Spot.OUTS], 1, thread, threads)])
