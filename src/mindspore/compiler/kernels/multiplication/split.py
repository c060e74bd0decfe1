"""Native code for products of float32 matrices on a processor that multiplies tiles of 16-bit floats (AMX).

A float32 x is the sum h + m + l of three floats of 8 significant bits, exactly.  Of the nine products of the parts of
two numbers, six are computed, the small ones first; the other three are below 2^-24 of the product.  Sums are float32,
as elsewhere (Henry, Tang, Heinecke, Leveraging the bfloat16 artificial intelligence datatype for higher-precision
computations, 2019).  The processor takes and gives 0 for numbers below 2^-126, parts of numbers near the end of the
range are beyond it, and infinities have none: at `Place.FLAG` stand whether the operands have magnitudes below `LEAST`
but 0, and the bits of their greatest.  What they tell of may have to be computed in another way (see `split_product`).

Operands are laid out in tiles of 16 lines by 32 elements along the inner dimension.  An element of the result is a sum
in the order of the inner dimension from the bias on, interrupted after `INNER` terms, whatever the threads.
"""
from __future__ import annotations

import ctypes
import functools
import platform
import sys
from enum import IntEnum

from ..meeting import write_meeting
from ..native import WRITTEN_OUT, Code, machine
from ..once import Once
from ..text import Builder, Module, Value
from .writing import least, part, turned_square, write_meeting_entries

LANES, DEPTH, EDGE = 16, 32, 32      # of a vector; inner elements of a tile; rows and columns of the result at once
INNER, COLUMNS, ROWS = 512, 256, 1024        # laid out at a time: inner elements, columns, rows of a thread
NEAR = 4                             # tiles along the inner dimension that stay in the first cache
TILE = 512                           # 16-bit floats of a tile
STRIPE = 6 * TILE // 2               # floats of two tiles of each part: 32 lines by 32 inner elements
LEAST = 2.0**-102                    # the magnitude from which on the processor computes with all parts
_LEAST_BITS = (127 - 102) << 23
_LOW, _HIGH, _MIDDLE = 0, 2, 4       # the first of two tiles of the parts in a stripe


class Place(IntEnum):
    """The places of the table: addresses, sizes, distances between elements."""

    A, B, C, BIAS, SHARED, OWN, FLAG, COUNTER, CONFIG, M, N, K, A_ROW, A_INNER, B_INNER, B_COLUMN, BIAS_STEP, \
        OWN_EACH, THREADS = range(19)


FIRST = EDGE * COLUMNS               # floats of a thread's own memory: rows of the result, what they begin with,
SEEN = FIRST + COLUMNS               # what was seen, tiles
OWN = SEEN + 4 * LANES


@functools.cache
def available() -> bool:
    """Whether the processor has such tiles, and the system lets this process use them."""
    if not (sys.platform == "linux" and platform.machine() == "x86_64"):
        return False
    features = machine().llvm.get_host_cpu_features()
    if not all(features.get(f) for f in ("amx-tile", "amx-bf16", "avx512f")):
        return False
    ask, data = 0x1023, 18           # ARCH_REQ_XCOMP_PERM, of the state of tiles: for all threads from then on
    arch_prctl = 158
    return ctypes.CDLL(None, use_errno=True).syscall(arch_prctl, ask, data) == 0


@Once
def code(width: int = 0) -> Code:
    """The code, loaded."""
    return machine().load(written(), passes=WRITTEN_OUT)


def expect() -> None:
    """Let the code be made beside what this thread does, as it will be needed."""
    code.expect()


def written() -> str:
    """The text of the module."""
    module = Module(LANES)
    write_meeting(module)
    _write_lines(module)
    _write_rows(module)
    _write_turned(module)
    _write_laid(module, "lines")
    _write_laid(module, "rows")
    _write_tiles(module)
    _write_finish(module)
    _write_product(module)
    write_meeting_entries(module, "product", int(Place.THREADS))
    return module.text()


# ---------------------------------------------------------------------- parts

def _parts(b: Builder, x: Value) -> list[Value]:
    """The bits of l, h and m: the upper halves of 32-bit floats, the lower halves are 0."""
    def high(value: Value) -> Value:
        return b.bitcast(value, "i32") + 0x8000 & -0x10000
    h = high(x)
    rest = x - b.bitcast(h, "float")
    m = high(rest)
    return [b.bitcast(rest - b.bitcast(m, "float"), "i32"), h, m]


class _Seen:
    """What was seen of an operand: the least bits of magnitudes, less 1, so that 0 is last, and the greatest bits."""

    def __init__(self, b: Builder, place: Value):
        self.b, self.place = b, place
        self.least, self.greatest = [b.variable(b.load(place, k * LANES, "i32")) for k in range(2)]

    def note(self, x: Value) -> None:
        """Look at a vector."""
        bits = self.b.bitcast(x, "i32") & 0x7FFFFFFF
        self.least.set(self.b.intrinsic("umin", self.least.get(), bits + -1, flags=False))
        self.greatest.set(self.b.intrinsic("umax", self.greatest.get(), bits, flags=False))

    def keep(self) -> None:
        """Write it to memory."""
        for k, found in enumerate((self.least, self.greatest)):
            self.b.store(found.get(), self.place, k * LANES, "i32")


def _store_pairs(b: Builder, seen: _Seen, near: Value, far: Value, to: Value, row: Value) -> None:
    """A row of tiles of all parts: elements of two vectors, whose inner numbers differ by 16, beside each other."""
    seen.note(near)
    seen.note(far)
    for k, (low, high) in enumerate(zip(_parts(b, near), _parts(b, far), strict=True)):
        both = b.emit(f"lshr {low.type} {low.name}, splat (i32 16)", low.type) | high
        b.store(both, to, row * LANES + 2 * k * (TILE // 2), "i32")


def _write_lines(module: Module) -> None:
    """lines(from, distance of lines, to, lines there are, inner there are, seen): 16 lines, inner elements together."""
    with module.function("lines", ["ptr", "i64", "ptr", "i64", "i64", "ptr"], internal=True) as b:
        source, step, to, count, inner, place = b.args
        seen = _Seen(b, place)
        masks = [b.lanes_below(inner), b.lanes_below(inner - LANES)]
        with b.loop(0, LANES) as r:      # a line beyond the last is any other: nobody reads what comes of it
            line = b.address(source, least(b, r, count - 1) * step, "float")
            near, far = [b.load(line, k * LANES, mask=m) for k, m in enumerate(masks)]
            _store_pairs(b, seen, near, far, to, r)
        seen.keep()


def _write_rows(module: Module) -> None:
    """rows(from, distance inside, to, columns there are, inner there are, seen): 32 rows of 16 columns together."""
    with module.function("rows", ["ptr", "i64", "ptr", "i64", "i64", "ptr"], internal=True) as b:
        source, step, to, count, inner, place = b.args
        seen = _Seen(b, place)
        with b.loop(0, LANES) as r:
            found: list[Value] = []
            for k in (r, r + LANES):     # rows beyond the last are 0
                inside = b.select(k < inner, count, b.integer(0))
                found.append(b.load(source, k * step, mask=b.lanes_below(inside)))
            _store_pairs(b, seen, found[0], found[1], to, r)
        seen.keep()


def _write_turned(module: Module) -> None:
    """turned(from, distance, to, distance, lines there are, elements there are): 16 by 16 elements, turned."""
    with module.function("turned", ["ptr", "i64", "ptr", "i64", "i64", "i64"], internal=True) as b:
        source, step, to, to_step, count, inner = b.args
        mask = b.lanes_below(inner)
        lines = [b.load(source, least(b, b.integer(c), count - 1) * step, mask=mask) for c in range(LANES)]
        for r, row in enumerate(turned_square(b, lines)):
            b.store(row, to, to_step * r)


def _write_laid(module: Module, name: str) -> None:
    """laid_*(from, distance of lines, distance inside, to, lines, inner, seen, scratch, first stripe, step).

    Lines (rows of the first operand, columns of the second one) become stripes of 32, each of them one behind the
    other along the inner dimension; those from `first stripe` on, every `step`-th.
    """
    straight = name == "lines"
    with module.function(f"laid_{name}", ["ptr", "i64", "i64", "ptr", "i64", "i64", "ptr", "ptr", "i64", "i64"],
                         internal=True) as b:
        source, line_step, inner_step, to, lines, inner, seen, scratch, first, step = b.args
        chunks = (inner + (DEPTH - 1)) / DEPTH
        together = (inner_step if straight else line_step).compare("eq", 1)
        stripes = (lines + (EDGE - 1)) / EDGE
        with b.loop(0, (stripes - first + step - 1) / step) as n, b.loop(0, 2) as half:
            stripe = first + n * step
            at = stripe * EDGE + half * LANES
            count = lines - at
            start = b.select(count > 0, at, b.integer(0))
            count = b.select(count > 0, least(b, count, b.integer(LANES)), b.integer(1))
            with b.loop(0, chunks) as c:
                k = c * DEPTH
                left = inner - k
                given = b.address(source, start * line_step + k * inner_step, "float")
                place = b.address(to, (stripe * chunks + c) * STRIPE + half * (TILE // 2), "float")
                step_there = line_step if straight else inner_step
                with b.when(together):
                    b.call(name, [given, step_there, place, count, left, seen])
                with b.when(together ^ True):
                    for h in range(2):
                        with b.when(left > h * LANES):
                            rest = left - h * LANES
                            if straight:         # given as rows of 16 lines
                                b.call("turned", [b.address(given, inner_step * (h * LANES), "float"), inner_step,
                                                  b.address(scratch, h * LANES, "float"), b.integer(DEPTH),
                                                  rest, count])
                            else:
                                b.call("turned", [b.address(given, h * LANES, "float"), line_step,
                                                  b.address(scratch, h * LANES * LANES, "float"), b.integer(LANES),
                                                  count, rest])
                    b.call(name, [scratch, b.integer(DEPTH if straight else LANES), place, b.integer(LANES), left,
                                  seen])


# ---------------------------------------------------------------------- products

def _tile(b: Builder, what: str, *args: Value | int) -> None:
    """One of the processor's operations on tiles: numbers are registers."""
    given = [("i8", str(a)) if isinstance(a, int) else (a.type, a.name) for a in args]
    b.module.declared[f"llvm.x86.{what}"] = f"declare void @llvm.x86.{what}({', '.join(t for t, _ in given)})"
    b.line(f"call void @llvm.x86.{what}({', '.join(f'{t} {n}' for t, n in given)})")


def _write_tiles(module: Module) -> None:
    """tiles(a, b, stripes, from, step, to, step): 32 by 32 elements, and the product of two stripes of the operands.

    Steps are bytes from row to row; 0 gives all of them one row.  Four registers alone hold anything: two sums and a
    tile of either operand.  Where something else computes on the same core, there are few more than eight that tiles
    are renamed to; with all eight in use every product then waits until one before it is done, and takes twice as long
    as with four.  Where the core is ours it makes no difference: loads are cheaper than products.
    """
    with module.function("tiles", ["ptr", "ptr", "i64", "ptr", "i64", "ptr", "i64"], internal=True) as b:
        a, c, count, source, step, to, to_step = b.args
        order = [(_LOW, _HIGH), (_MIDDLE, _HIGH), (_MIDDLE, _MIDDLE), (_HIGH, _MIDDLE), (_HIGH, _LOW), (_HIGH, _HIGH)]
        for column in range(2):
            for row in range(2):
                _tile(b, "tileloadd64", row, _square(b, source, step, row, column), step)
            with b.loop(0, count) as s:
                held = [-1, -1]
                for k, parts in enumerate(order):
                    for row in (range(2), range(1, -1, -1))[k % 2]:        # to and fro: what was last is first
                        wanted = [parts[0] + row, parts[1] + column]
                        for side, operand in enumerate((a, c)):
                            if held[side] != wanted[side]:
                                _tile(b, "tileloadd64", 2 + side, b.address(
                                    operand, s * STRIPE + wanted[side] * (TILE // 2), "float"), b.integer(64))
                        held = wanted
                        _tile(b, "tdpbf16ps", row, 2, 3)
            for row in range(2):
                _tile(b, "tilestored64", row, _square(b, to, to_step, row, column), to_step)


def _square(b: Builder, place: Value, step: Value, row: int, column: int) -> Value:
    """Where one of the four tiles of a block begins."""
    return b.address(b.address(place, step * (LANES * row), "i8"), LANES * column, "float")


def _write_finish(module: Module) -> None:
    """finish(own memory, c, distance of rows, rows, columns, adds): rows of the result, or added to it."""
    with module.function("finish", ["ptr", "ptr", "i64", "i64", "i64", "i64"], internal=True) as b:
        own, c, c_row, rows, columns, adds = b.args
        with b.loop(0, rows) as r, b.loop(0, columns, LANES) as j:
            mask = b.lanes_below(columns - j)
            place, sum_ = b.address(c, r * c_row + j, "float"), b.variable(b.load(own, r * COLUMNS + j))
            with b.when(adds > 0):
                sum_.set(b.load(place, 0, mask=mask) + sum_.get())
            b.store(sum_.get(), place, 0, mask=mask)


def _begin(b: Builder, own: Value) -> None:
    """Nothing was seen."""
    for k, first in enumerate((-1, 0, -1, 0)):
        b.store(b.constant(first, b.vector_type("i32")), own, SEEN + k * LANES, "i32")


def _judge(b: Builder, own: Value, found: Value) -> None:
    """Raise the flag if something was smaller than tiles compute with, and note the greatest of both operands."""
    least = b.intrinsic("umin", *[b.load(own, SEEN + k * LANES, "i32") for k in (0, 2)], flags=False)
    lanes = least.compare("ult", _LEAST_BITS - 1)
    small = b.emit(f"bitcast {lanes.type} {lanes.name} to i{LANES}", f"i{LANES}")
    with b.when(small.compare("ne", 0)):
        b.emit(f"atomicrmw or ptr {found.name}, i64 1 seq_cst", "i64")
    b.module.declared["umax"] = f"declare i32 @llvm.vector.reduce.umax.v{LANES}i32(<{LANES} x i32>)"
    for k in range(2):
        seen = b.load(own, SEEN + (2 * k + 1) * LANES, "i32")
        most = b.emit(f"call i32 @llvm.vector.reduce.umax.v{LANES}i32({seen.type} {seen.name})", "i32")
        place, most = b.address(found, b.integer(k + 1), "i64"), b.cast("zext", most, "i64")
        b.emit(f"atomicrmw umax ptr {place.name}, i64 {most.name} seq_cst", "i64")


def _write_product(module: Module) -> None:
    with module.function("product", ["ptr", "i64", "i64"], internal=True) as b:
        table, thread, threads = b.args
        at = {s: b.load(table, int(s), "ptr" if s <= Place.CONFIG else "i64", one=True) for s in Place}
        _tile(b, "ldtilecfg", at[Place.CONFIG])
        m, n, k = at[Place.M], at[Place.N], at[Place.K]
        own = b.address(at[Place.OWN], thread * at[Place.OWN_EACH], "float")
        lines, seen = b.address(own, OWN, "float"), b.address(own, SEEN, "float")
        _begin(b, own)
        rounds = b.variable(b.integer(0))
        start, stop = part(b, m, EDGE, thread, threads)
        longest, _ = part(b, m, EDGE, b.integer(1), threads)        # of the first thread: none has more rows
        with b.loop(0, longest, ROWS) as done, b.loop(0, k, INNER) as k0, b.loop(0, n, COLUMNS) as n0:
            top = least(b, start + done, stop)
            rows = least(b, stop - top, b.integer(ROWS))
            inner, columns = least(b, k - k0, b.integer(INNER)), least(b, n - n0, b.integer(COLUMNS))
            chunks = (inner + (DEPTH - 1)) / DEPTH
            with b.when(n0.compare("eq", 0) & (rows > 0)):
                b.call("laid_lines", [
                    b.address(at[Place.A], top * at[Place.A_ROW] + k0 * at[Place.A_INNER], "float"), at[Place.A_ROW],
                    at[Place.A_INNER], lines, rows, inner, seen, own, b.integer(0), b.integer(1)])
            half = b.emit(f"and i64 {rounds.get().name}, 1", "i64")          # the threads still read the other half
            shared = b.address(at[Place.SHARED], half * (INNER * COLUMNS * 3 // 2), "float")
            b.call("laid_rows", [
                b.address(at[Place.B], n0 * at[Place.B_COLUMN] + k0 * at[Place.B_INNER], "float"), at[Place.B_COLUMN],
                at[Place.B_INNER], shared, columns, inner, b.address(seen, 2 * LANES, "float"), own, thread,
                threads])
            rounds.set(rounds.get() + 1)
            b.call("meet", [at[Place.COUNTER], threads * rounds.get()])
            first = b.address(own, FIRST, "float")
            with b.loop(0, COLUMNS, LANES) as j:
                bias = b.address(at[Place.BIAS], (n0 + j) * at[Place.BIAS_STEP], "float")
                b.store(b.load(bias, 0, mask=b.lanes_below(b.select(k0 > 0, b.integer(0), columns - j))), first, j)
            with b.loop(0, rows, EDGE) as i:
                place = b.address(at[Place.C], (top + i) * n + n0, "float")
                down = least(b, rows - i, b.integer(EDGE))
                direct = k0.compare("eq", 0) & down.compare("eq", EDGE) & (columns / EDGE * EDGE).compare("eq", columns)
                to, row = b.select(direct, place, own), b.select(direct, n * 4, b.integer(COLUMNS * 4))
                with b.loop(0, chunks, NEAR) as near, b.loop(0, columns, EDGE) as j:
                    there, again = b.address(to, j, "float"), near > 0
                    b.call("tiles", [b.address(lines, (i / EDGE * chunks + near) * STRIPE, "float"),
                                     b.address(shared, (j / EDGE * chunks + near) * STRIPE, "float"),
                                     least(b, chunks - near, b.integer(NEAR)),
                                     b.select(again, there, b.address(first, j, "float")),
                                     b.select(again, row, b.integer(0)), there, row])
                with b.when(direct ^ True):
                    b.call("finish", [own, place, n, down, columns, k0])
        _tile(b, "tilerelease")
        _judge(b, own, at[Place.FLAG])
