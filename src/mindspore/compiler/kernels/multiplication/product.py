"""A product of matrices as a kernel: called with torch tensors, it returns a new one."""
from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from math import prod
from typing import Any

import torch

from mindspore.ir import Aval
from mindspore.operators.choices import choices

from ..native import machine
from .writing import BLOCK, INNER, VECTORS, Slot, code


class MatrixProduct:
    """The product of an operand (..., k), or its transpose (k, m), with a matrix.

    Args:
        x, y: What the operands are.
        transpose_x, transpose_y: Whether they are given as (k, m) and (n, k).
        out: What the result is.

    Attributes:
        avals: Of the result.
        width: Of the vectors; 0 for the processor's.
        overwritable: Nothing: the operands are read until the end.
    """

    def __init__(self, x: Aval, y: Aval, transpose_x: bool, transpose_y: bool, out: Aval):
        self.made = x, y, transpose_x, transpose_y, out
        self.avals, self.overwritable = (out,), [[]]
        self.turned = transpose_x, transpose_y
        self.n, self.k = y.shape[::-1] if not transpose_y else y.shape
        self.m = prod(x.shape) // self.k
        self.width = 0
        self.shared = 2 * self.m * self.n * self.k * choices().product_flop > choices().product_alone

    def __reduce__(self) -> Any:
        return MatrixProduct, self.made

    def __call__(self, x: torch.Tensor, y: torch.Tensor, bias: torch.Tensor | None = None,
                 into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        """The result; a bias is added to every row."""
        out = torch.empty(self.avals[0].shape, dtype=torch.float32)
        multiply(x if x.dim() == 2 else x.contiguous().view(-1, self.k), y, *self.turned, out, bias, self.shared,
                 self.width)
        return out,


def multiply(x: torch.Tensor, y: torch.Tensor, turn_x: bool, turn_y: bool, out: torch.Tensor,
             bias: torch.Tensor | None = None, shared: bool = True, width: int = 0) -> None:
    """Write the product of two matrices, either of which may be given transposed, to `out` (contiguous)."""
    m, k = x.shape[::-1] if turn_x else x.shape
    n = y.shape[0] if turn_y else y.shape[1]
    (x, turn_x), (y, turn_y) = _lines(x, turn_x), _lines(y, turn_y)
    run, across = code(width), VECTORS * (width or machine().width)
    threads = torch.get_num_threads() if shared and run.parallel else 1
    down, over = _blocks(m, n, threads)
    panels = min(k, INNER) * _filled(-(-n // over), across) + 2 * across * across
    rows = BLOCK * min(k, INNER) + 2 * across if turn_x else 0
    memory = space(threads * (panels + rows) + across)
    start = memory.data_ptr()
    first = bias.contiguous() if bias is not None else memory[-across:].zero_()
    x_step, y_step = _step(x), _step(y)
    table = _Table(
        x.data_ptr(), y.data_ptr(), out.data_ptr(), first.data_ptr(), start, start + 4 * threads * panels, m, n, k,
        *((1, x_step) if turn_x else (x_step, 1)), *((1, y_step) if turn_y else (y_step, 1)),
        bias is not None, panels, rows, down, over)
    if threads > 1:
        run.run_parallel(table, threads)
    else:
        run.run(table)


_Table = ctypes.c_int64 * len(Slot)


def _step(x: torch.Tensor) -> int:
    return x.stride(0) if x.shape[0] > 1 else x.shape[1]


def _lines(x: torch.Tensor, turned: bool) -> tuple[torch.Tensor, bool]:
    """A matrix whose lines lie in memory one by one, and whether these are the columns of what is multiplied."""
    if x.stride(1) == 1 and x.stride(0) >= x.shape[1]:
        return x, turned
    if x.stride(0) == 1 and x.stride(1) >= x.shape[0]:
        return x.t(), not turned
    return x.contiguous(), turned


def _filled(n: int, grain: int) -> int:
    return -(-n // grain) * grain + grain


def _blocks(m: int, n: int, threads: int) -> tuple[int, int]:
    """Into how many blocks below and beside each other the result is cut: those whose operands are least."""
    ways = [(d, threads // d) for d in range(1, threads + 1) if threads % d == 0]
    return min(ways, key=lambda way: m / way[0] + n / way[1])


class _Spaces(threading.local):
    """The memory of panels, one block per thread of Python."""

    def __init__(self) -> None:
        self.block = torch.empty(0)


_spaces = _Spaces()


def space(count: int) -> torch.Tensor:
    """Memory of this thread of Python, at least so many floats."""
    if _spaces.block.numel() < count:
        _spaces.block = torch.empty(count)
    return _spaces.block


__all__ = ["MatrixProduct"]
