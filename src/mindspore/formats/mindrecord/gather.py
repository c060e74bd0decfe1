"""Reading many small pieces of a file at once: no loop over rows."""

from __future__ import annotations

import numpy as np


def pieces(data: np.ndarray, at: np.ndarray, width: int) -> np.ndarray:
    """The `width` bytes at each position, as an array (n,) of void elements; `width` must be positive.

    Source: an array whose elements overlap, one beginning at each byte, of which those at `at` are copied.

    Args:
        data: Bytes of a file, uint8 (bytes,); every piece lies inside.
    """
    count = max(len(data) - width + 1, 0)
    return np.ndarray((count,), f"V{width}", data, 0, (1,))[at]


def numbers(data: np.ndarray, at: np.ndarray, dtype: str | np.dtype) -> np.ndarray:
    """The number of `dtype` at each position, as an array (n,)."""
    dtype = np.dtype(dtype)
    return pieces(data, at, dtype.itemsize).view(dtype)


def spread(starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """starts[0], starts[0] + 1, ... (counts[0] numbers), starts[1], ...: all positions of ragged ranges."""
    total = int(counts.sum())
    ends = np.cumsum(counts)
    return np.repeat(starts - (ends - counts), counts) + np.arange(total)


def chain(data: np.ndarray, begin: int, end: int) -> np.ndarray:
    """Bounds (n + 1,) of the n contents from `begin` on that follow each other, each with its length word before it.

    The last one may end elsewhere than at `end`, if the bytes are none of such contents.
    """
    bounds, words = [begin], data.data
    while begin + 8 <= end:
        begin += 8 + int.from_bytes(words[begin : begin + 8], "little")
        bounds.append(min(begin, len(data) + 1))
    return np.array(bounds, np.int64)
