"""What a derivative keeps of the loops of a program: a value for each iteration of the loops around it."""
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .bounds import Context, Sum
from .errors import KernelLanguageError
from .independence import Places
from .tree import Loop, Tensor, Value
from .writer import Writer


class Kept:
    """The memory of such values.

    Args:
        w: Writes the derivative.
        places: Where things stand in the program.
        get: The value that represents a value of the program.

    Attributes:
        loops: Those of the program that are written now, with their index in the derivative.
    """

    def __init__(self, w: Writer, places: Places, get: Callable[[Value], Value]):
        self.w, self.places, self.get = w, places, get
        self.loops: list[tuple[Loop, Value]] = []
        self.tapes: dict[Value, Tensor] = {}
        self.lows: dict[Loop, tuple[Value, Value]] = {}

    def note(self, key: Value, value: Value) -> None:
        """Keep a value of this iteration of all loops."""
        tape = self.tape(key, value.dtype)
        if tape is not None:
            self.w.store(tape, self.numbers(), value)

    def recall(self, key: Value, dtype: str) -> Value:
        """What was kept."""
        tape = self.tape(key, dtype)
        if tape is None:
            loop = next(loop for loop, _ in self.loops if self.extent(loop) is None)
            raise KernelLanguageError(
                f"The derivative of '{self.w.program.name}' needs the values of a loop whose length depends on data.\n"
                f'  File "{self.w.program.where}", line {loop.line}, in {self.w.program.name}')
        return self.w.load(tape, self.numbers())

    def tape(self, key: Value, dtype: str) -> Tensor | None:
        """Memory for a value in all iterations; None if their number depends on data."""
        if key not in self.tapes:
            extents = [self.extent(loop) for loop, _ in self.loops]
            if any(e is None for e in extents):
                return None
            shape = [e[1] for e in extents if e]
            self.tapes[key] = self.w.temporary("kept", dtype, shape)
        return self.tapes[key]

    def numbers(self) -> list[Value]:
        """The numbers of the iterations now, from 0."""
        found = []
        for loop, index in self.loops:
            extent = self.extent(loop)
            assert extent
            found.append(self.w.op("sub", index, extent[0]))
        return found

    def extent(self, loop: Loop) -> tuple[Value, Value] | None:
        """The least index of a loop, and how many there are at most; None if that depends on data."""
        if loop not in self.lows:
            context = Context({}, [])
            for outer in [*self.places.loops(loop), loop]:
                context = context.inside(outer)
            ends = [next((s for s in context.extremes({loop.index: Fraction(1)}, low)
                          if all(c.denominator == 1 for c in s.values())), None) for low in (True, False)]
            if ends[0] is None or ends[1] is None:
                return None
            low, high = [self.of_sum(s) for s in ends if s is not None]
            one = self.w.const(1, "int64", True)
            self.lows[loop] = low, self.w.op("add", self.w.op("sub", high, low), one)
        return self.lows[loop]

    def of_sum(self, total: Sum) -> Value:
        """A sum over sizes as a value, written before all loops."""
        w = self.w
        w.blocks, inner = w.blocks[:1], w.blocks
        w.known, known = w.known[:1], w.known
        found = w.const(int(total.get(None, 0)), "int64", True)
        for k, c in total.items():
            if k is not None:
                size = self.get(k if isinstance(k, Value) else k[0].shape[k[1]])
                found = w.op("add", found, w.op("mul", w.const(int(c), "int64", True), size))
        w.blocks, w.known = inner, known
        return found
