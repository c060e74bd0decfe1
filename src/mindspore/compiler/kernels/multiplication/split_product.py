"""A product of float32 matrices by tiles of 16-bit floats: where the processor has them, and where it is worth it."""
from __future__ import annotations

import ctypes
import struct

import torch

from mindspore.operators.choices import choices

from . import split
from .memory import lines, space, step
from .split import Place

_MOST = 2.0**127
_Table = ctypes.c_int64 * len(Place)
_SHARED = 2 * split.INNER * split.COLUMNS * 3 // 2      # floats of tiles that all threads read, twice
# The processor's description of its tiles: palette 1, and for eight of them 64 bytes in each of 16 rows.
_CONFIG = ctypes.create_string_buffer(bytes([1, *[0] * 15, *[64, 0] * 8, *[0] * 16, *[16] * 8, *[0] * 8]), 64)


def worth(m: int, k: int, n: int) -> bool:
    """Whether a product (m, k) (k, n) is faster so."""
    known = choices()
    return min(m, k, n) >= known.split_edge and 2.0 * m * k * n >= known.split_least and split.available()


def multiply(x: torch.Tensor, y: torch.Tensor, turn_x: bool, turn_y: bool, out: torch.Tensor,
             bias: torch.Tensor | None = None, shared: bool = True) -> bool:
    """Write the product of two matrices, either of which may be given transposed, to `out` (contiguous).

    Returns:
        Whether `out` is right; if not, another way must compute it (see `split`).
    """
    m, k = x.shape[::-1] if turn_x else x.shape
    n = y.shape[0] if turn_y else y.shape[1]
    (x, turn_x), (y, turn_y) = lines(x, turn_x), lines(y, turn_y)
    code = split.code()
    threads = torch.get_num_threads() if shared and code.parallel else 1
    rows = m // threads + 1
    stripes = min(rows // split.EDGE + 2, split.ROWS // split.EDGE)
    each = split.OWN + stripes * min(-(-k // split.DEPTH), split.INNER // split.DEPTH) * split.STRIPE
    memory = space(_SHARED + threads * each + split.EDGE)
    start = memory.data_ptr()
    first = bias.contiguous() if bias is not None else memory[-split.EDGE:].zero_()
    state = (ctypes.c_int64 * 4)()           # a counter, the flag, and the bits of the greatest magnitudes
    x_step, y_step = step(x), step(y)
    table = _Table(
        x.data_ptr(), y.data_ptr(), out.data_ptr(), first.data_ptr(), start, start + 4 * _SHARED,
        ctypes.addressof(state) + 8, ctypes.addressof(state), ctypes.addressof(_CONFIG), m, n, k,
        *((1, x_step) if turn_x else (x_step, 1)), *((1, y_step) if turn_y else (y_step, 1)), bias is not None, each,
        threads)
    if threads > 1:
        code.run_parallel(table, threads)
    else:
        code.run(table)
    return not state[1] and (_bounded(k, *state[2:]) or bool(out.isfinite().all()))


def _bounded(k: int, *bits: int) -> bool:
    """Whether no sum of k products can leave the range, from the bits of the greatest magnitudes of both operands."""
    x, y = struct.unpack("<2f", struct.pack("<2i", *bits))
    return max(x, y) < _MOST and x * y * k < _MOST         # not where one of them is no number
