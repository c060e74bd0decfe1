"""The stages of a native program: what is computed between two meetings of the threads, and where it lies in memory."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

from mindspore.core.dtype import DType
from mindspore.operators.loops import Element

from ..emit import Body, add_rows, computed_per_element, partial_row, unrolled
from ..plan import Plan, overwritable, plain
from ..text import Builder, Module, Value

ROWS, SAMPLES = "rows", "samples"


class Place(NamedTuple):
    """A tensor of a program.

    Attributes:
        slot: Its number in the table of addresses.
        shape, dtype: Its own.
        layout: `ROWS`, or `SAMPLES` where the first dimension lies innermost, filled up to `samples`.
        samples: The extent of that, else 0.
    """

    slot: int
    shape: tuple[int, ...]
    dtype: DType
    layout: str = ROWS
    samples: int = 0

    @property
    def size(self) -> int:
        """How many elements lie in memory."""
        return prod(self.shape[1:]) * self.samples if self.samples else prod(self.shape)


Emit = Callable[[Builder, Sequence[Value], Value, Value], None]


class Stage:
    """Some items, shared out over threads.

    Args:
        items: How many there are.
        reads, writes: The slots that it uses, in the order in which `emit` gets their addresses.
        emit: Writes the code for items from a start to a stop, in a function of its own.
        time: Nanoseconds on one thread, roughly.
        grain: Threads get multiples of so many items.
        partial: The slot of a row of memory per thread, its addresses' last, and its extent in elements.
    """

    def __init__(self, items: int, reads: Sequence[int], writes: Sequence[int], emit: Emit, time: float,
                 grain: int = 1, partial: tuple[int, int] | None = None, with_threads: bool = False):
        self.items, self.reads, self.writes, self.emit, self.time = items, tuple(reads), tuple(writes), emit, time
        self.grain, self.partial, self.with_threads = grain, partial, with_threads
        self.over: dict[int, list[int]] = {}     # for what it writes, the slots whose memory that may take

    def touches(self) -> set[int]:
        """The slots whose memory it may change."""
        return {*self.writes, *[k for slots in self.over.values() for k in slots]}

    def write(self, module: Module, name: str, shared: bool) -> None:
        """The function of the stage: of the table, the thread, and their number."""
        with module.function(name, ["ptr", "i64", "i64"], internal=True) as b:
            table, thread, threads = b.args
            pointers = [b.load(table, slot, "ptr", one=True) for slot in (*self.reads, *self.writes)]
            if self.partial:
                slot, row = self.partial
                pointers.append(b.address(b.load(table, slot, "ptr", one=True), thread * row, "float"))
            start, stop = b.integer(0), b.integer(self.items)
            if self.with_threads:
                with b.when(thread.compare("eq", 0)):
                    self.emit(b, [*pointers, threads], start, stop)
                return
            if shared and self.items > self.grain:
                each = ((threads + -1) + -(-self.items // self.grain)) / threads * self.grain
                start = thread * each
                stop = b.select(start + each < self.items, start + each, stop)
            elif shared:
                stop = b.select(thread.compare("eq", 0), stop, start)
            with b.when(start < stop):
                self.emit(b, pointers, start, stop)


def of_plan(plan: Plan, width: int, inputs: Sequence[int], outs: Sequence[int], samples: int = 0,
            partial: int = -1) -> list[Stage]:
    """The stages of elements over rows and columns.

    Args:
        inputs: The slots of the inputs that the plan reads, in their order.
        samples: Where samples lie innermost: how many elements there are in memory.
        partial: A slot for sums of rows.
    """
    places = sorted({e.value for e in plan.elements if e.word == "input"})
    sums, row = plan.column_sums(), partial_row(plan, width)
    unroll = unrolled(plan, width)
    slots: list[tuple[int, Element]] = list(zip(outs, plan.outs, strict=True))
    summed = [(k, slot) for k, e in enumerate(sums) for slot, out in slots if plain(out) is e]
    own = [slot for slot, _ in slots]

    def emit(b: Builder, pointers: Sequence[Value], start: Value, stop: Value) -> None:
        given = list(pointers) if partial >= 0 else [*pointers, Value(b, "null", "ptr")]
        b.args = [*given, start, stop]
        Body(b, plan, places, unroll).write()
    items = samples or (plan.columns if plan.flat else plan.rows)
    time = (samples or plan.rows * plan.columns) * computed_per_element(plan)
    found = [Stage(items, inputs, own, emit, time, width * unroll if plan.flat else 1,
                   (partial, row) if partial >= 0 else None)]
    if summed:
        def add(b: Builder, pointers: Sequence[Value], start: Value, stop: Value) -> None:
            rows, *to, threads = pointers
            for (k, _), out in zip(summed, to, strict=True):
                add_rows(b, plan, rows, k, row, threads, out)
        found.append(Stage(1, [partial], [slot for _, slot in summed], add, plan.columns * 0.2, with_threads=True))
    by_place = dict(zip(places, inputs, strict=True))
    if not samples:
        found[0].over = {slot: [by_place[k] for k in overwritable(plan, out)] for slot, out in slots}
    return found
