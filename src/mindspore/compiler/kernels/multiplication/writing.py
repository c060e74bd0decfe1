"""Native code for products of matrices of any size: c = a b + bias, all float32.

The second operand is laid out anew in panels of two vectors of columns, the first one only where its columns lie
together (in panels of as many rows as a tile has).  A tile of the result stays in registers while rows of a panel are
multiplied with single elements of the first operand (Goto, van de Geijn, Anatomy of high-performance matrix
multiplication, 2008).  An element of the result is one sum in the order of the inner dimension, interrupted after
`INNER` terms, whatever the threads: each of them computes a block of the result by itself, with panels of its own.
"""
from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from ..native import WRITTEN_OUT, Code, machine
from ..once import Once
from ..text import Builder, Module, Value

VECTORS = 2                  # of columns in a panel
INNER = 1024                 # of the inner dimension at a time: a panel of that stays in the second cache
BLOCK = 96                   # rows at a time, a multiple of the rows of every tile


class Slot(IntEnum):
    """The places of the table: addresses, sizes, distances between elements, how threads share the result."""

    A, B, C, BIAS, PANELS, ROWS, M, N, K, A_ROW, A_INNER, B_INNER, B_COLUMN, BIAS_STEP, PANELS_EACH, ROWS_EACH, \
        BLOCKS_DOWN, BLOCKS_ACROSS = range(18)


def tile_rows(width: int) -> int:
    """How many rows a tile has, so that its vectors fit the registers."""
    return {16: 8, 8: 6}.get(width, 4)


@Once
def code(width: int = 0) -> Code:
    """The code, loaded."""
    return machine().load(written(width or machine().width), passes=WRITTEN_OUT)


def expect() -> None:
    """Let the code be made beside what this thread does, as it will be needed."""
    code.expect()


def written(width: int) -> str:
    """The text of the module."""
    module = Module(width)
    write_parts(module)
    _write_block(module, tile_rows(width))
    write_entries(module, "block", (Slot.BLOCKS_DOWN, Slot.BLOCKS_ACROSS))
    return module.text()


def write_parts(module: Module, whole: bool = True) -> None:
    """The functions that products consist of: tiles, panels and strips, and `multiply` if it is the whole."""
    tile = tile_rows(module.width)
    heights = [tile] + [n for n in (4, 2, 1) if n < tile]
    for rows in heights:
        _write_tile(module, rows)
    _write_panels(module)
    _write_strip(module, heights)
    if whole:
        write_rows(module, tile)
        _write_multiply(module, tile)


def write_entries(module: Module, name: str, parts: Sequence[int]) -> None:
    """`run` and `run_parallel`, which call a function of the table and the number of a part.

    Args:
        parts: The places of the table whose numbers multiply to the number of parts: OpenMP may give fewer threads.
    """
    with module.function("run", ["ptr"]) as b:
        b.call(name, [b.args[0], b.integer(0)])
    with module.function("share", ["ptr"], internal=True) as b:
        thread, threads = [b.cast("sext", b.call(f"omp_get_{what}", [], "i32"), "i64")
                           for what in ("thread_num", "num_threads")]
        count = b.integer(1)
        for p in parts:
            count = b.load(b.args[0], p, "i64", one=True) * count
        with b.loop(0, (count - 1 - thread + threads) / threads) as i:
            b.call(name, [b.args[0], i * threads + thread])
    with module.function("run_parallel", ["ptr", "i32"]) as b:
        b.call("GOMP_parallel", [Value(b, "@share", "ptr"), b.args[0], b.args[1], b.constant(0, "i32")])


def write_meeting_entries(module: Module, name: str, threads_at: int) -> None:
    """`run` and `run_parallel` of name(table, thread, threads), whose threads meet.

    Args:
        threads_at: The place of the table that says how many threads were asked for: one thread does it all where
            OpenMP gives fewer, as nothing is laid out for another number.
    """
    with module.function("run", ["ptr"]) as b:
        b.call(name, [b.args[0], b.integer(0), b.integer(1)])
    with module.function("share", ["ptr"], internal=True) as b:
        thread, threads = [b.cast("sext", b.call(f"omp_get_{what}", [], "i32"), "i64")
                           for what in ("thread_num", "num_threads")]
        wanted = threads.compare("eq", b.load(b.args[0], threads_at, "i64", one=True))
        with b.when(wanted):
            b.call(name, [b.args[0], thread, threads])
        with b.when((wanted ^ True) & thread.compare("eq", 0)):
            b.call(name, [b.args[0], b.integer(0), b.integer(1)])
    with module.function("run_parallel", ["ptr", "i32"]) as b:
        b.call("GOMP_parallel", [Value(b, "@share", "ptr"), b.args[0], b.args[1], b.constant(0, "i32")])


def _write_tile(module: Module, rows: int) -> None:
    """tile(a, distance of rows, distance inside, panel, c, distance of rows, inner, first, adds, columns)."""
    width, across = module.width, VECTORS * module.width
    with module.function(f"tile{rows}", ["ptr", "i64", "i64", "ptr", "ptr", "i64", "i64", "ptr", "i64", "i64"],
                         internal=True) as b:
        a, a_row, a_inner, panel, c, c_row, inner, first, adds, columns = b.args
        masks = [b.lanes_below(columns - v * width) for v in range(VECTORS)]
        start = [b.load(first, v * width, mask=masks[v]) for v in range(VECTORS)]
        sums = [[b.variable(start[v]) for v in range(VECTORS)] for _ in range(rows)]
        with b.when(adds > 0):
            for r in range(rows):
                for v in range(VECTORS):
                    sums[r][v].set(b.load(c, c_row * r + v * width, mask=masks[v]))
        lines = [b.address(a, a_row * r, "float") if r else a for r in range(rows)]
        with b.loop(0, inner) as k:
            given = [b.load(panel, k * across + v * width) for v in range(VECTORS)]
            at = k * a_inner
            for r in range(rows):
                x = b.splat(b.load(lines[r], at, one=True), b.vector_type("float"))
                for v in range(VECTORS):
                    sums[r][v].set(b.fma(x, given[v], sums[r][v].get()))
        for r in range(rows):
            for v in range(VECTORS):
                b.store(sums[r][v].get(), c, c_row * r + v * width, mask=masks[v])


def _write_panels(module: Module) -> None:
    """panels(b, distance inside, distance of columns, to, inner, columns): one of the distances is 1."""
    width, across = module.width, VECTORS * module.width
    with module.function("panels", ["ptr", "i64", "i64", "ptr", "i64", "i64"], internal=True) as b:
        source, step_inner, step_column, to, inner, columns = b.args
        with b.loop(0, columns, across) as j:
            panel, rest = b.address(to, j * inner, "float"), columns - j
            together = step_column.compare("eq", 1)
            with b.when(together):
                masks = [b.lanes_below(rest - v * width) for v in range(VECTORS)]
                with b.loop(0, inner) as k:
                    for v in range(VECTORS):
                        b.store(b.load(source, k * step_inner + j + v * width, mask=masks[v]), panel,
                                k * across + v * width)
            with b.when(together ^ True), b.loop(0, across, width) as v:
                lines: list[Value] = []
                for c in range(width):          # a column beyond the last is any other: nothing reads it
                    column = j + v + c
                    lines.append(b.address(source, b.select(column < columns, column, b.integer(0))
                                           * step_column, "float"))
                with b.loop(0, inner, width) as k:
                    mask = b.lanes_below(inner - k)
                    found = turned_square(b, [b.load(p, k, mask=mask) for p in lines])
                    for r, row in enumerate(found):      # rows beyond the last lie where the next panel will
                        b.store(row, panel, (k + r) * across + v)


def turned_square(b: Builder, rows: list[Value]) -> list[Value]:
    """The columns of a square of vectors: in blocks of half its size, and so on down to elements."""
    width, half = b.width, b.width // 2
    while half:
        for i in [i for i in range(width) if not i & half]:
            low, high = rows[i], rows[i + half]
            rows[i] = _shuffled(b, low, high, [n if not n & half else width + n - half for n in range(width)])
            rows[i + half] = _shuffled(b, low, high, [n + half if not n & half else width + n for n in range(width)])
        half //= 2
    return rows


def _shuffled(b: Builder, x: Value, y: Value, places: list[int]) -> Value:
    lanes = ", ".join([f"i32 {p}" for p in places])
    return b.emit(f"shufflevector {x.type} {x.name}, {y.type} {y.name}, <{len(places)} x i32> <{lanes}>", x.type)


def write_rows(module: Module, tile: int) -> None:
    """rows(a, distance inside, to, inner, rows): panels of rows, whose elements lie together."""
    with module.function("rows", ["ptr", "i64", "ptr", "i64", "i64"], internal=True) as b:
        source, step_inner, to, inner, rows = b.args
        with b.loop(0, inner) as k:           # outside, as the lines of what is read lie far from each other
            line, place = b.address(source, k * step_inner, "float"), b.address(to, k * tile, "float")
            with b.loop(0, rows, tile) as i:
                rest = rows - i
                mask = b.lanes_below(b.select(rest < tile, rest, b.integer(tile)))
                b.store(b.load(line, i, mask=mask), place, i * inner, mask=mask)


def least(b: Builder, x: Value, y: Value) -> Value:
    """The smaller of two numbers."""
    return b.select(x < y, x, y)


def _write_strip(module: Module, heights: list[int]) -> None:
    """strip(..., rows): the tiles below each other in a panel."""
    tile = heights[0]
    with module.function("strip", ["ptr", "i64", "i64", "ptr", "ptr", "i64", "i64", "ptr", "i64", "i64", "i64"],
                         internal=True) as b:
        a, a_row, a_inner, panel, c, c_row, inner, first, adds, columns, rows = b.args
        done = b.variable(b.integer(0))
        a_tile = b.select(a_row.compare("eq", 1), inner, a_row)         # panels of rows lie one after the other
        for height in heights:
            with b.loop(done.get(), rows - (height - 1), height) as i:
                inside = b.select(a_row.compare("eq", 1), i - _whole(i, tile), b.integer(0))
                b.call(f"tile{height}", [b.address(a, (i - inside) * a_tile + inside, "float"), a_row, a_inner, panel,
                                         b.address(c, i * c_row, "float"), c_row, inner, first, adds, columns])
                done.set(i + height)


def _write_multiply(module: Module, tile: int) -> None:
    """multiply(a, distances of rows and inside, b, inside and of columns, c, of rows, m, n, k, first, step, memory)."""
    across = VECTORS * module.width
    with module.function("multiply", [*["ptr", "i64", "i64"] * 2, "ptr", "i64", "i64", "i64", "i64", "ptr", "i64",
                                      "ptr", "ptr"], internal=True) as b:
        a, a_row, a_inner, source, b_inner, b_column, c, c_row, m, n, k, first, first_step, panels, own = b.args
        turned = a_inner > 1
        step_row = b.select(turned, b.integer(1), a_row)
        step_inner = b.select(turned, b.integer(tile), b.integer(1))
        with b.loop(0, k, INNER) as done:
            inner = least(b, k - done, b.integer(INNER))
            b.call("panels", [b.address(source, done * b_inner, "float"), b_inner, b_column, panels, inner, n])
            with b.loop(0, m, BLOCK) as i:
                rows = least(b, m - i, b.integer(BLOCK))
                part = b.address(a, i * a_row + done * a_inner, "float")
                with b.when(turned):
                    b.call("rows", [part, a_inner, own, inner, rows])
                lines = b.select(turned, own, part)
                with b.loop(0, n, across) as j:
                    b.call("strip", [lines, step_row, step_inner, b.address(panels, j * inner, "float"),
                                     b.address(c, i * c_row + j, "float"), c_row, inner,
                                     b.address(first, j * first_step, "float"), done, n - j, rows])


def _write_block(module: Module, tile: int) -> None:
    """block(table, thread): what a thread computes of the result."""
    across = VECTORS * module.width
    with module.function("block", ["ptr", "i64"], internal=True) as b:
        table, thread = b.args
        at = {s: b.load(table, int(s), "ptr" if s <= Slot.ROWS else "i64", one=True) for s in Slot}
        down = thread / at[Slot.BLOCKS_ACROSS]
        over = thread - down * at[Slot.BLOCKS_ACROSS]
        top, bottom = part(b, at[Slot.M], tile, down, at[Slot.BLOCKS_DOWN])
        left, right = part(b, at[Slot.N], across, over, at[Slot.BLOCKS_ACROSS])
        b.call("multiply", [
            b.address(at[Slot.A], top * at[Slot.A_ROW], "float"), at[Slot.A_ROW], at[Slot.A_INNER],
            b.address(at[Slot.B], left * at[Slot.B_COLUMN], "float"), at[Slot.B_INNER], at[Slot.B_COLUMN],
            b.address(at[Slot.C], top * at[Slot.N] + left, "float"), at[Slot.N], bottom - top, right - left,
            at[Slot.K], b.address(at[Slot.BIAS], left * at[Slot.BIAS_STEP], "float"), at[Slot.BIAS_STEP],
            b.address(at[Slot.PANELS], thread * at[Slot.PANELS_EACH], "float"),
            b.address(at[Slot.ROWS], thread * at[Slot.ROWS_EACH], "float")])


def _whole(i: Value, n: int) -> Value:
    """The greatest multiple of n that is not above i."""
    return i / n * n


def part(b: Builder, extent: Value, grain: int, part: Value, parts: Value) -> tuple[Value, Value]:
    """From where to where one part goes, in whole grains."""
    each = ((extent + (grain - 1)) / grain + parts - 1) / parts * grain
    start = part * each
    return least(b, start, extent), least(b, start + each, extent)
