"""A product of matrices as a kernel: called with torch tensors, it returns a new one."""
from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import torch

from mindspore.ir import Aval
from mindspore.operators.choices import choices

from ..native import machine
from . import split, split_product, writing
from .memory import lines, space, step
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
        split: Whether tiles of 16-bit floats compute it, which the processor must have.
        overwritable: Nothing: the operands are read until the end.
    """

    def __init__(self, x: Aval, y: Aval, transpose_x: bool, transpose_y: bool, out: Aval):
        self.made = x, y, transpose_x, transpose_y, out
        self.avals, self.overwritable = (out,), [[]]
        self.turned = transpose_x, transpose_y
        self.n, self.k = y.shape[::-1] if not transpose_y else y.shape
        self.m = prod(x.shape) // self.k
        self.width = 0
        self.split = split_product.worth(self.m, self.k, self.n)
        self.shared = 2 * self.m * self.n * self.k * choices().product_flop > choices().product_alone

    def __reduce__(self) -> Any:
        return MatrixProduct, self.made

    def __call__(self, x: torch.Tensor, y: torch.Tensor, bias: torch.Tensor | None = None,
                 into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        """The result; a bias is added to every row."""
        out = torch.empty(self.avals[0].shape, dtype=torch.float32)
        multiply(x if x.dim() == 2 else x.contiguous().view(-1, self.k), y, *self.turned, out, bias, self.shared,
                 self.split, self.width)
        return out,


def worth(m: int, k: int, n: int) -> bool:
    """Whether a product (m, k) (k, n) by generated code is faster than the vendor's."""
    known = choices()
    fits = min(m, k, n) >= known.product_edge and 2.0 * m * k * n >= known.product_least
    return fits or split_product.worth(m, k, n)


def expect(sizes: Iterable[tuple[int, int, int]]) -> None:
    """Let the code for some products be made beside what this thread does, as it will be needed."""
    for made in {split if split_product.worth(*each) else writing for each in sizes}:
        made.expect()


def multiply(x: torch.Tensor, y: torch.Tensor, turn_x: bool, turn_y: bool, out: torch.Tensor,
             bias: torch.Tensor | None = None, shared: bool = True, tiles: bool = False, width: int = 0) -> None:
    """Write the product of two matrices, either of which may be given transposed, to `out` (contiguous).

    Args:
        tiles: Whether tiles of 16-bit floats compute it, where they can (see `split`).
    """
    if not (tiles and split_product.multiply(x, y, turn_x, turn_y, out, bias, shared)):
        _multiply(x, y, turn_x, turn_y, out, bias, shared, width)


def _multiply(x: torch.Tensor, y: torch.Tensor, turn_x: bool, turn_y: bool, out: torch.Tensor,
              bias: torch.Tensor | None, shared: bool, width: int) -> None:
    m, k = x.shape[::-1] if turn_x else x.shape
    n = y.shape[0] if turn_y else y.shape[1]
    (x, turn_x), (y, turn_y) = lines(x, turn_x), lines(y, turn_y)
    run, across = code(width), VECTORS * (width or machine().width)
    threads = torch.get_num_threads() if shared and run.parallel else 1
    down, over = _blocks(m, n, threads)
    panels = min(k, INNER) * _filled(-(-n // over), across) + 2 * across * across
    rows = BLOCK * min(k, INNER) + 2 * across if turn_x else 0
    memory = space(threads * (panels + rows) + across)
    start = memory.data_ptr()
    first = bias.contiguous() if bias is not None else memory[-across:].zero_()
    x_step, y_step = step(x), step(y)
    table = _Table(
        x.data_ptr(), y.data_ptr(), out.data_ptr(), first.data_ptr(), start, start + 4 * threads * panels, m, n, k,
        *((1, x_step) if turn_x else (x_step, 1)), *((1, y_step) if turn_y else (y_step, 1)),
        bias is not None, panels, rows, down, over)
    if threads > 1:
        run.run_parallel(table, threads)
    else:
        run.run(table)


_Table = ctypes.c_int64 * len(Slot)


def _filled(n: int, grain: int) -> int:
    return -(-n // grain) * grain + grain


def _blocks(m: int, n: int, threads: int) -> tuple[int, int]:
    """Into how many blocks below and beside each other the result is cut: those whose operands are least."""
    ways = [(d, threads // d) for d in range(1, threads + 1) if threads % d == 0]
    return min(ways, key=lambda way: m / way[0] + n / way[1])


__all__ = ["MatrixProduct", "expect", "multiply", "worth"]
