"""Memory for arrays that come and go with every block: taken again instead of asked of the system anew.

Fresh pages cost more than the work that most transforms do on them, so large arrays live in chunks that return here
when the last view of them is gone.
"""

from __future__ import annotations

import mmap
import os
from collections import deque
from math import prod
from typing import Any

import numpy as np

from mindspore.core.plain_files import regular
from mindspore.dataset import checked as check

SMALL = 2**16  # bytes below which the allocator of Python does well
KEPT = 2**26  # bytes of idle chunks that are kept for each size, about
_HUGE = 2**21  # bytes of a large page

_idle: dict[int, deque[mmap.mmap]] = {}


class _Lease(np.ndarray):
    """The use of a chunk; every view of it keeps it, and its end gives the chunk back."""

    def __array_finalize__(self, other: Any) -> None:
        self.chunk: Any = None

    def __del__(self) -> None:
        chunk, self.chunk = self.chunk, None
        if chunk is not None:
            waiting = _idle.get(len(chunk))           # None since `release`: the chunk goes, too
            if waiting is not None and len(waiting) < max(4, KEPT // len(chunk)):
                waiting.append(chunk)


def empty(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array with any content, as `numpy.empty`."""
    dtype = np.dtype(dtype)
    wanted = prod(shape) * dtype.itemsize
    if wanted < SMALL or dtype.kind not in "biufc":
        return np.empty(shape, dtype)
    size = _rounded(wanted)
    try:
        chunk = _idle.setdefault(size, deque()).pop()
    except IndexError:
        chunk = _fresh(size)
    lease = _Lease((wanted,), np.uint8, chunk)
    lease.chunk = chunk
    return np.ndarray(shape, dtype, lease)


def gathered(array: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """`array[numbers]`, the rows with these numbers, as an array of their own."""
    result = empty((len(numbers), *array.shape[1:]), array.dtype)
    if not len(numbers):
        return result
    return np.take(
        array, numbers, 0, result, mode="wrap"
    )  # the numbers are checked by the samplers


def file_bytes(path: str) -> np.ndarray:
    """The content of a file, which may be changed; faster than `numpy.fromfile` for small files."""
    number = regular(path, os.O_RDONLY)
    try:
        content = np.empty(os.fstat(number).st_size, np.uint8)
        done = 0
        while done < len(content):
            read = os.readv(number, [content[done:].data])
            if not read:  # it has become shorter
                return content[:done]
            done += read
    finally:
        os.close(number)
    return content


def file_mapped(path: str) -> np.ndarray:
    """The content of a file, which may not be changed, read from the disk as it is used."""
    number = regular(path, os.O_RDONLY)
    try:
        if not os.fstat(number).st_size:
            return np.empty(0, np.uint8)
        mapped = mmap.mmap(number, 0, access=mmap.ACCESS_READ)
    finally:
        os.close(number)
    if hasattr(mmap, "MADV_WILLNEED"):
        mapped.madvise(mmap.MADV_WILLNEED)
    return np.frombuffer(mapped, np.uint8)


def _rounded(size: int) -> int:
    """The next size of the form 4..7 * 2**n, so that few sizes serve all."""
    step = 1 << max(12, size.bit_length() - 3)
    return -(-size // step) * step


def _fresh(size: int) -> mmap.mmap:
    chunk = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size >= _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        chunk.madvise(mmap.MADV_HUGEPAGE)
    return chunk


def release() -> None:
    """Give idle chunks back to the system."""
    _idle.clear()


def rowsize(owner: Any, value: Any) -> Any:
    """A size of shared memory in MB, -1 for one that grows, or such for inputs and outputs; it is not needed here."""
    for size in value if isinstance(value, list) else [value]:
        check.optional(check.integer, owner, "max_rowsize", size, -1, check.INT32_MAX)
    if isinstance(value, list) and len(value) != 2:
        raise check.fail(TypeError, owner, "max_rowsize", "an int or a list of two", value)
    return value
