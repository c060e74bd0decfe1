"""Products of matrices inside of native programs: calls of `sgemm_` of the library that torch brings.

A matrix of rows is to BLAS the transpose of one of columns, so C = A B is asked for as C' = B' A'.  Each thread
computes some columns of the result, or some rows where there are many of them, by a call of its own.
"""
from __future__ import annotations

import ctypes
import functools
import os
from typing import NamedTuple

from ..openmp import loaded_libraries
from ..text import Builder, Value

NEEDED, ALONE = "sgemm_", "MKL_Set_Num_Threads_Local"
GRAIN = 16               # columns or rows that a thread gets at least


class Matrix(NamedTuple):
    """How an operand lies in memory.

    Attributes:
        step: From one line to the next.
        turned: Whether lines are the columns of what is multiplied.
    """

    step: int
    turned: bool


@functools.cache
def symbols() -> dict[str, int]:
    """The addresses of what products call, in torch's library; {} where it offers no `sgemm_`."""
    for file in loaded_libraries():
        if os.path.basename(file).startswith("libtorch_cpu"):
            library = ctypes.CDLL(file)
            if hasattr(library, NEEDED):
                return {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
                        for name in (NEEDED, ALONE) if hasattr(library, name)}
    return {}


def _number(b: Builder, n: Value | int) -> Value:
    """The address of an int32."""
    if isinstance(n, Value):
        place = b.fresh("%n")
        b.places.append(f"{place} = alloca i32")
        b.line(f"store i32 {b.cast('trunc', n, 'i32').name}, ptr {place}")
        return Value(b, place, "ptr")
    b.module.declared[f"n{n}"] = f"@n{n} = private constant i32 {n}"
    return Value(b, f"@n{n}", "ptr")


def _letter(b: Builder, letter: str) -> Value:
    b.module.declared[f"is{letter}"] = f"@is{letter} = private constant i8 {ord(letter)}"
    return Value(b, f"@is{letter}", "ptr")


def _factor(b: Builder, x: float) -> Value:
    name = "one" if x else "zero"
    b.module.declared[name] = f"@{name} = private constant float {b.constant(x, 'float').name}"
    return Value(b, f"@{name}", "ptr")


def product(b: Builder, m: int, n: int, k: int, a: tuple[Value, Matrix], c: tuple[Value, Matrix], out: Value,
            start: Value, stop: Value, by_columns: bool) -> None:
    """The columns (or rows) of out (m, n) from `start` to `stop`, of a (m, k) times c (k, n)."""
    (pa, la), (pc, lc) = a, c
    count = stop - start
    if by_columns:
        pc = b.address(pc, start * lc.step if lc.turned else start, "float")
        to, sizes = b.address(out, start, "float"), (count, m)
    else:
        pa = b.address(pa, start if la.turned else start * la.step, "float")
        to, sizes = b.address(out, start * n, "float"), (n, count)
    b.call(NEEDED, [_letter(b, "T" if lc.turned else "N"), _letter(b, "T" if la.turned else "N"),
                    _number(b, sizes[0]), _number(b, sizes[1]), _number(b, k), _factor(b, 1.0), pc, _number(b, lc.step),
                    pa, _number(b, la.step), _factor(b, 0.0), to, _number(b, n)])
