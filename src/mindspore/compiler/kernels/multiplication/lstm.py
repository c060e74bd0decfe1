"""A layer of long short-term memory as kernels: called with torch tensors, they return new ones."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.ir import Aval
from mindspore.operators.choices import choices

from ..native import machine
from . import recurrence, split_product
from .memory import space
from .product import multiply
from .recurrence import Place
from .writing import VECTORS


class _Layer:
    """What both directions share.

    Args:
        shape: Steps, samples, elements of an input, units.
        backwards: Whether the sequence is read from its end.
        avals: Of the results.

    Attributes:
        overwritable: Nothing.
    """

    def __init__(self, shape: tuple[int, int, int, int], backwards: bool, avals: tuple[Any, ...]):
        self.made: tuple[Any, ...] = shape, backwards, avals
        self.shape, self.backwards, self.avals = shape, backwards, avals
        self.overwritable: list[list[int]] = [[] for _ in avals]
        steps, samples, inputs, units = shape
        self.tiles = [split_product.worth(steps * samples, k, 4 * units) for k in (inputs, units)]
        self.shared = 8 * shape[1] * shape[3] ** 2 * choices().lstm_flop > choices().lstm_alone

    def __reduce__(self) -> Any:
        return type(self), self.made

    def parts(self, kept: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The gates, the cells and the states before the steps, in what is kept for the reverse."""
        t, n, _, h = self.shape
        gates, cells, past = kept.split([4 * t * n * h, t * n * h, t * n * h])
        return gates.view(t * n, 4 * h), cells.view(t, n, h), past.view(t, n, h)

    def run(self, code: Any, given: dict[Place, torch.Tensor], inner: int) -> None:
        """Call the code, with memory for the panels of each thread."""
        t, n, _, h = self.shape
        width = machine().width
        across = VECTORS * width
        grains = -(-h // width)
        threads = min(torch.get_num_threads(), grains) if self.shared and code.parallel else 1
        each = -(-grains // threads) * width
        panels = inner * (-(-each // across) + 1) * across * (4 * h // inner) + 2 * across * across
        memory = space(threads * panels + across)
        zeros = memory[threads * panels:threads * panels + across].zero_()
        counter = torch.zeros(1, dtype=torch.int64)
        given = {**given, Place.PANELS: memory, Place.ZEROS: zeros, Place.COUNTER: counter}
        sizes = {Place.STEPS: t, Place.SAMPLES: n, Place.UNITS: h, Place.BACKWARDS: self.backwards,
                 Place.PANELS_EACH: panels, Place.THREADS: threads}
        table = (ctypes.c_int64 * len(Place))(*[
            sizes[p] if p in sizes else given[p].data_ptr() if p in given else 0 for p in Place])
        if threads > 1:
            code.run_parallel(table, threads)
        else:
            code.run(table)


class LstmLayer(_Layer):
    """States (T, N, H), the last state and cells, and what the reverse needs."""

    def __call__(self, x: torch.Tensor, w_ih: torch.Tensor, w_hh: torch.Tensor, b_ih: torch.Tensor,
                 b_hh: torch.Tensor, h: torch.Tensor, c: torch.Tensor,
                 into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        t, n, i, size = self.shape
        kept = torch.empty(6 * t * n * size)
        gates, cells, past = self.parts(kept)
        multiply(x.reshape(t * n, i), w_ih, False, True, gates, b_ih + b_hh, tiles=self.tiles[0])
        first, last = (t - 1, 0) if self.backwards else (0, t - 1)
        past[first].copy_(h)
        y, state = torch.empty(t, n, size), torch.empty(n, size)
        self.run(recurrence.forward(), {
            Place.GATES: gates, Place.WEIGHT: w_hh.contiguous(), Place.FIRST_CELL: c.contiguous(), Place.CELLS: cells,
            Place.PAST: past, Place.Y: y, Place.DH: state}, size)
        return y, state, cells[last].clone(), kept


class LstmLayerReverse(_Layer):
    """The cotangents of the seven operands, from those of the results that have some.

    Args:
        have: Which of the three results have cotangents.
    """

    def __init__(self, shape: tuple[int, int, int, int], backwards: bool, avals: tuple[Aval, ...],
                 have: tuple[bool, bool, bool]):
        super().__init__(shape, backwards, avals)
        self.made, self.have = (*self.made, have), have

    def __call__(self, *tensors: torch.Tensor, into: Sequence[int | None] = ()) -> tuple[torch.Tensor, ...]:
        t, n, i, size = self.shape
        *given, x, w_ih, w_hh, c, kept = tensors
        each = iter(given)
        dy, dh, dc = [next(each) if has else None for has in self.have]
        gates, cells, past = self.parts(kept)
        dh, dc = [torch.zeros(n, size) if d is None else d.clone(memory_format=torch.contiguous_format)
                  for d in (dh, dc)]
        dgates = torch.empty_like(gates)
        self.run(recurrence.reverse(), {
            Place.GATES: gates, Place.WEIGHT: w_hh.contiguous(), Place.FIRST_CELL: c.contiguous(), Place.CELLS: cells,
            Place.Y: torch.zeros(t, n, size) if dy is None else dy.contiguous(), Place.DGATES: dgates, Place.DH: dh,
            Place.DC: dc}, 4 * size)
        dx, dw_ih, dw_hh = torch.empty(t * n, i), torch.empty(4 * size, i), torch.empty(4 * size, size)
        multiply(dgates, w_ih, False, False, dx, tiles=self.tiles[0])
        multiply(dgates, x.reshape(t * n, i), True, False, dw_ih, tiles=self.tiles[0])
        multiply(dgates, past.view(t * n, size), True, False, dw_hh, tiles=self.tiles[1])
        db = dgates.sum(0)
        return dx.view(t, n, i), dw_ih, dw_hh, db, db.clone(), dh, dc
