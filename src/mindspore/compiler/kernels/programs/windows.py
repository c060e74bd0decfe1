"""Native code over planes whose samples lie innermost: (channels, rows, columns, samples).

Every operation is then one on whole vectors of samples, without masks or shuffles: the number of samples is filled up
to a multiple of the lanes.  What is filled in is 0 where it is read from rows, and anything after that; what adds up
samples leaves it out.  Each function here writes the code for some of its items.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..text import Builder, Value, Variable


class Planes(NamedTuple):
    """The extents of a correlation of (channels, height, width) by steps of 1, padding included."""

    channels: int
    height: int
    width: int
    outputs: int
    kh: int
    kw: int
    samples: int
    count: int                   # of the samples, those that are not filled in

    @property
    def oh(self) -> int:
        """The height of the result."""
        return self.height - self.kh + 1

    @property
    def ow(self) -> int:
        """The width of the result."""
        return self.width - self.kw + 1


def _remainder(x: Value, n: int) -> tuple[Value, Value]:
    quotient = x / n
    return quotient, x - quotient * n


def _zeros(b: Builder, rows: int, columns: int) -> list[list[Variable]]:
    return [[b.variable(b.constant(0.0, b.vector_type("float"))) for _ in range(columns)] for _ in range(rows)]


def _only(b: Builder, value: Value, mask: Value | None) -> Value:
    """A value, 0 outside of a mask: what is filled in may be infinite."""
    return value if mask is None else b.select(mask, value, 0.0)


def over_samples(b: Builder, places: int, samples: int, count: int,
                 body: Callable[[Value, Value | None], None]) -> None:
    """The vectors of samples of so many places, which follow each other; the last of each with a mask if needed."""
    if samples == count:
        with b.loop(0, places * samples, b.width) as at:
            body(at, None)
        return
    with b.loop(0, places) as place:
        with b.loop(0, samples - b.width, b.width) as n:
            body(place * samples + n, None)
        body(place * samples + (samples - b.width), b.lanes_below(count - (samples - b.width)))


def _in_all_lanes(b: Builder, pointer: Value, index: Value | int) -> Value:
    return b.splat(b.load(pointer, index, one=True), b.vector_type("float"))


def _parts(n: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Loops over n: from, up to and step of those with equal parts, and one for what is left."""
    whole = n // most * most
    if whole:
        yield 0, whole, most
    if n > whole:
        yield whole, n, n - whole


def block(width: int, kw: int) -> tuple[int, int]:
    """How many channels and columns are computed at once: what the registers hold."""
    return (6, 4) if width == 16 and kw <= 5 else (4, 4) if width == 16 else (2, 4)


# ---------------------------------------------------------------------- correlations

def forward(b: Builder, p: Planes, x: Value, w: Value, y: Value, start: Value, stop: Value) -> None:
    """y = x correlated with w (outputs, channels, kh, kw); an item is a row of some samples."""
    at_once, columns = block(b.width, p.kw)
    blocks, taps = p.samples // b.width, p.kh * p.kw
    with b.loop(start, stop) as item:
        h, n = _remainder(item, blocks)
        for c0, c1, nc in _parts(p.outputs, at_once):
            with b.loop(c0, c1, nc) as c:
                for w0, w1, nw in _parts(p.ow, columns):
                    with b.loop(w0, w1, nw) as column:
                        sums = _zeros(b, nc, nw)
                        with b.loop(0, p.channels * p.kh) as row:
                            channel, k = _remainder(row, p.kh)
                            line = b.address(x, ((channel * p.height + h + k) * p.width + column) * p.samples
                                             + n * b.width, "float")
                            xs = [b.load(line, j * p.samples) for j in range(nw + p.kw - 1)]
                            weights = b.address(w, c * (p.channels * taps) + row * p.kw, "float")
                            for kw in range(p.kw):
                                for i in range(nc):
                                    weight = _in_all_lanes(b, weights, i * p.channels * taps + kw)
                                    for j in range(nw):
                                        sums[i][j].set(b.fma(xs[j + kw], weight, sums[i][j].get()))
                        for i in range(nc):
                            to = b.address(y, (((c + i) * p.oh + h) * p.ow + column) * p.samples + n * b.width, "float")
                            for j in range(nw):
                                b.store(sums[i][j].get(), to, j * p.samples)


def of_input(b: Builder, p: Planes, inner: tuple[int, int, int, int], dy: Value, w: Value, dx: Value, start: Value,
             stop: Value) -> None:
    """dx without its padding: rows and columns from inner[0] and inner[2], so many of them; an item is a row.

    Columns that some taps of the window do not reach are written out one by one, those between are a loop.
    """
    top, height, left, width = inner
    at_once, columns = block(b.width, p.kw)
    blocks, taps = p.samples // b.width, p.kh * p.kw
    with b.loop(start, stop) as item:
        line, n = _remainder(item, blocks)
        h = line + top
        first = h - (p.oh - 1)
        first = b.select(first > 0, first, b.integer(0))
        last = b.select(h < p.kh, h + 1, b.integer(p.kh))

        def part(c: Value, nc: int, column: Value | int, nw: int) -> None:
            """Some channels of some columns; all taps reach them if their place is a value."""
            known = None if isinstance(column, Value) else column
            sums = _zeros(b, nc, nw)
            with b.loop(0, p.outputs) as o, b.loop(first, last) as k:
                row = b.address(dy, (o * p.oh + h - k) * (p.ow * p.samples) + n * b.width, "float")
                from_ = b.integer(column) * p.samples
                near = {j: b.load(row, from_ + j * p.samples) for j in range(1 - p.kw, nw)
                        if known is None or 0 <= known + j < p.ow}
                weights = b.address(w, (o * p.channels + c) * taps + k * p.kw, "float")
                for kw in range(p.kw):
                    used = [j for j in range(nw) if j - kw in near]
                    for i in range(nc if used else 0):
                        weight = _in_all_lanes(b, weights, i * taps + kw)
                        for j in used:
                            sums[i][j].set(b.fma(near[j - kw], weight, sums[i][j].get()))
            for i in range(nc):
                to = b.address(dx, (((c + i) * height + line) * width + (b.integer(column) + -left)) * p.samples
                               + n * b.width, "float")
                for j in range(nw):
                    b.store(sums[i][j].get(), to, j * p.samples)

        begin, end = left, left + width
        inside, outside = max(begin, p.kw - 1), min(end, p.ow)       # where all taps reach
        for c0, c1, nc in _parts(p.channels, at_once):
            with b.loop(c0, c1, nc) as c:
                for low, high in ((begin, min(inside, end)), (max(outside, inside, begin), end)):
                    for column in range(low, high, columns):
                        part(c, nc, column, min(columns, high - column))
                for w0, w1, nw in _parts(max(outside - inside, 0), columns):
                    with b.loop(inside + w0, inside + w1, nw) as column:
                        part(c, nc, column, nw)


def weights_at_once(p: Planes, width: int) -> int:
    """For how many outputs the cotangent of weights is computed at once."""
    most = max(1, (24 if width == 16 else 8) // p.kw)
    return next(n for n in range(most, 0, -1) if p.outputs % n == 0)


def of_weight(b: Builder, p: Planes, x: Value, dy: Value, dw: Value, start: Value, stop: Value) -> None:
    """dw (outputs, channels, kh, kw); an item is a row of the windows of some outputs and a channel."""
    at_once = weights_at_once(p, b.width)
    with b.loop(start, stop) as item:
        rest, k = _remainder(item, p.kh)
        group, c = _remainder(rest, p.channels)
        sums = _zeros(b, at_once, p.kw)
        with b.loop(0, p.oh) as h:
            line = b.address(x, (c * p.height + h + k) * (p.width * p.samples), "float")
            row = b.address(dy, (group * (at_once * p.oh) + h) * (p.ow * p.samples), "float")

            def add(at: Value, mask: Value | None) -> None:
                xs = [_only(b, b.load(line, at + j * p.samples), mask) for j in range(p.kw)]
                for i in range(at_once):
                    d = _only(b, b.load(row, at + i * p.oh * p.ow * p.samples), mask)
                    for j in range(p.kw):
                        sums[i][j].set(b.fma(xs[j], d, sums[i][j].get()))
            over_samples(b, p.ow, p.samples, p.count, add)
        for i in range(at_once):
            to = b.address(dw, ((group * at_once + i) * p.channels + c) * (p.kh * p.kw) + k * p.kw, "float")
            for j in range(p.kw):
                b.store(b.across("sum", sums[i][j].get()), to, j)


def channel_sums(b: Builder, p: Planes, dy: Value, db: Value, start: Value, stop: Value) -> None:
    """The sum of all elements of a channel; an item is a channel."""
    with b.loop(start, stop) as c:
        plane = b.address(dy, c * (p.oh * p.ow * p.samples), "float")
        (total,), = _zeros(b, 1, 1)
        over_samples(b, p.oh * p.ow, p.samples, p.count, lambda at, mask: total.set(
            total.get() + _only(b, b.load(plane, at), mask)))
        b.store(b.across("sum", total.get()), db, c)


def add_bias(b: Builder, size: int, y: Value, bias: Value, start: Value, stop: Value) -> None:
    """Add a number per channel; an item is a channel."""
    with b.loop(start, stop) as c:
        plane, number = b.address(y, c * size, "float"), _in_all_lanes(b, bias, c)
        b.columns(size, lambda i, mask, u: b.store(b.load(plane, i) + number, plane, i), 4)


# ---------------------------------------------------------------------- maxima

class Pool(NamedTuple):
    """The extents of maxima over windows of (channels, height, width)."""

    channels: int
    height: int
    width: int
    window: tuple[int, int]
    stride: tuple[int, int]
    samples: int

    @property
    def oh(self) -> int:
        """The height of the result."""
        return (self.height - self.window[0]) // self.stride[0] + 1

    @property
    def ow(self) -> int:
        """The width of the result."""
        return (self.width - self.window[1]) // self.stride[1] + 1

    @property
    def apart(self) -> bool:
        """Whether windows share no element."""
        return self.stride[0] >= self.window[0] and self.stride[1] >= self.window[1]

    @property
    def covers(self) -> bool:
        """Whether every element is in exactly one window."""
        return (self.stride == self.window and self.height % self.stride[0] == 0 and self.width % self.stride[1] == 0)

    def taps(self) -> list[tuple[int, int]]:
        """The places of a window."""
        return [(i, j) for i in range(self.window[0]) for j in range(self.window[1])]


def maxima(b: Builder, p: Pool, x: Value, y: Value, places: Value, start: Value, stop: Value) -> None:
    """The maxima, and where in their planes they are; NaN if one is, and the first of equal ones. An item is a row."""
    with b.loop(start, stop) as item:
        c, h = _remainder(item, p.oh)
        with b.loop(0, p.ow) as w, b.loop(0, p.samples, b.width) as n:
            corner = h * (p.stride[0] * p.width) + w * p.stride[1]
            window = b.address(x, (c * (p.height * p.width) + corner) * p.samples + n, "float")
            small = b.cast("trunc", corner, "i32")
            best, where = b.load(window, 0), b.splat(small, b.vector_type("i32"))
            for i, j in p.taps()[1:]:
                value = b.load(window, (i * p.width + j) * p.samples)
                place = b.splat(small + (i * p.width + j), b.vector_type("i32"))
                better = (value > best) | value.compare("uno", value)
                best, where = b.select(better, value, best), b.select(better, place, where)
            at = (item * p.ow + w) * p.samples + n
            b.store(best, y, at)
            b.store(where, places, at, "i32")


def to_maxima(b: Builder, p: Pool, dy: Value, places: Value, dx: Value, start: Value, stop: Value) -> None:
    """dy at the places of the maxima, else 0; an item is a row of windows if they cover the plane, else a channel."""
    zero = b.constant(0.0, b.vector_type("float"))

    def windows(c: Value, h: Value) -> None:
        with b.loop(0, p.ow) as w, b.loop(0, p.samples, b.width) as n:
            corner = h * (p.stride[0] * p.width) + w * p.stride[1]
            window = b.address(dx, (c * (p.height * p.width) + corner) * p.samples + n, "float")
            at = ((c * p.oh + h) * p.ow + w) * p.samples + n
            d, place = b.load(dy, at), b.load(places, at, "i32")
            small = b.cast("trunc", corner, "i32")
            for i, j in p.taps():
                here = place.compare("eq", b.splat(small + (i * p.width + j), b.vector_type("i32")))
                value, to = b.select(here, d, zero), (i * p.width + j) * p.samples
                b.store(value if p.apart else b.load(window, to) + value, window, to)

    with b.loop(start, stop) as item:
        if p.covers:
            windows(*_remainder(item, p.oh))
        else:
            size = p.height * p.width * p.samples
            plane = b.address(dx, item * size, "float")
            b.columns(size, lambda i, mask, u: b.store(zero, plane, i), 4)
            with b.loop(0, p.oh) as h:
                windows(item, h)


# ---------------------------------------------------------------------- layouts

def to_samples(b: Builder, features: int, count: int, samples: int, scalar: str, x: Value, y: Value, start: Value,
               stop: Value, given: str = "") -> None:
    """(count, features) as (features, samples), the samples filled up with 0; an item is a feature.

    `given` are wider whole numbers, of which the lower bits are taken.
    """
    type_ = b.vector_type(scalar)
    with b.loop(start, stop) as f:
        for n in range(0, samples, b.width):
            value = b.constant(0, type_)
            for k in range(min(b.width, count - n)):
                one = b.load(x, f + (n + k) * features, given or scalar, one=True)
                one = b.cast("trunc", one, scalar) if given else one
                value = b.emit(f"insertelement {type_} {value.name}, {scalar} {one.name}, i64 {k}", type_)
            b.store(value, y, f * samples + n, scalar)


def resized(b: Builder, samples: int, word: str, x: Value, y: Value, start: Value, stop: Value) -> None:
    """Whole numbers of 64 bits as those of 32 ("trunc"), or the other way ("sext"); an item is so many of them."""
    old, new = ("i64", "i32") if word == "trunc" else ("i32", "i64")
    with b.loop(start, stop) as f, b.loop(0, samples, b.width) as n:
        b.store(b.cast(word, b.load(x, f * samples + n, old), new), y, f * samples + n, new)


def to_rows(b: Builder, features: int, count: int, samples: int, scalar: str, x: Value, y: Value, start: Value,
            stop: Value) -> None:
    """(features, samples) as (count, features); an item is a feature."""
    with b.loop(start, stop) as f:
        for n in range(0, count, b.width):
            value = b.load(x, f * samples + n, scalar)
            for k in range(min(b.width, count - n)):
                one = b.emit(f"extractelement {value.type} {value.name}, i64 {k}", scalar)
                b.store(one, y, f + (n + k) * features, scalar)


def padded(b: Builder, channels: int, height: int, width: int, samples: int, padding: tuple[int, int, int, int],
           x: Value, y: Value, start: Value, stop: Value) -> None:
    """Planes with zeros around them; an item is a row of the result."""
    top, bottom, left, right = padding
    wide, size = width + left + right, width * samples
    zero = b.constant(0.0, b.vector_type("float"))

    def fill(pointer: Value, count: int) -> None:
        b.columns(count, lambda i, mask, u: b.store(zero, pointer, i))
    with b.loop(start, stop) as item:
        c, h = _remainder(item, height + top + bottom)
        line = b.address(y, item * (wide * samples), "float")
        inside = (h + -top).compare("ult", height)
        with b.when(inside):
            row = b.address(x, (c * height + h + -top) * size, "float")
            fill(line, left * samples)
            to = b.address(line, left * samples, "float")
            b.columns(size, lambda i, mask, u: b.store(b.load(row, i), to, i), 4)
            fill(b.address(line, (left + width) * samples, "float"), right * samples)
        with b.when(inside ^ 1):
            fill(line, wide * samples)
