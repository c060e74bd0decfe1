"""Rows kept after they were read or transformed once: `mindspore.dataset.DatasetCache`."""

from __future__ import annotations

import dataclasses
import mmap
import tempfile
import threading
from typing import Any

import numpy as np

from mindspore.dataset import _check as check
from mindspore.dataset.block import Block, columns_of

MEGABYTE = 2**20
LOCAL = (None, "127.0.0.1", "localhost")


@dataclasses.dataclass(frozen=True)
class CacheStatistics:
    """What a cache holds.

    Attributes:
        avg_cache_sz: Bytes of a row, on average.
        num_mem_cached: Rows in memory.
        num_disk_cached: Rows on disk.
    """

    avg_cache_sz: int
    num_mem_cached: int
    num_disk_cached: int


class _Room:
    """A piece of memory, or of a file without a name, that rows are put into one after the other."""

    def __init__(self, size: int, on_disk: bool):
        self.on_disk, self.used = on_disk, 0
        if on_disk:
            with tempfile.TemporaryFile() as file:
                file.truncate(size)
                self._map = mmap.mmap(file.fileno(), size)
        else:
            self._map = mmap.mmap(-1, size)
        self.size = size

    def put(self, array: np.ndarray) -> np.ndarray:
        """A copy of an array that lives here."""
        place = np.ndarray(array.shape, array.dtype, self._map, self.used)
        place[...] = array
        place.flags.writeable = False
        self.used += -(-array.nbytes // 64) * 64
        return place


class DatasetCache:
    """Keeps the rows of the steps that it is given to (`cache=`), so that later passes need not make them again.

    A source, or a `map` whose transforms draw nothing at random, keeps each row under its number in the source,
    whatever the order of a pass. The rows live in memory of this process, beyond `size` on disk with `spilling`, and go
    when the cache does. Each step has rows of its own; what does not fit is made anew in each pass.

    Args:
        session_id: Any number; kept for programs that started a cache server.
        size: Megabytes (2**20 bytes) of memory; 0: no limit.
        spilling: Put what exceeds `size` into a temporary file.
        hostname, port, num_connections, prefetch_size: Of a cache server, which is not needed; only this machine.

    Examples:
        >>> import mindspore.dataset as ds
        >>> cache = ds.DatasetCache(session_id=1, size=100)
        >>> data = ds.NumpySlicesDataset([1, 2, 3], shuffle=False).map(lambda x: x * x, cache=cache)
        >>> [int(x) for x, in data.create_tuple_iterator(num_epochs=1)], cache.get_stat().num_mem_cached
        ([1, 4, 9], 3)
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ):
        self.session_id = check.integer(self, "session_id", session_id, 0, 2**32 - 1)
        self.size = check.integer(self, "size", size, 0)
        self.spilling = check.boolean(self, "spilling", spilling)
        check.optional(check.string, self, "hostname", hostname)
        if hostname not in LOCAL:
            raise NotImplementedError(
                f"For 'DatasetCache', the 'hostname' must be this machine, but got '{hostname}'. Each machine "
                "keeps its own rows."
            )
        self.port = check.optional(check.integer, self, "port", port, 1025, 65535)
        self.num_connections = check.optional(
            check.integer, self, "num_connections", num_connections, 1
        )
        self.prefetch_size = check.optional(check.integer, self, "prefetch_size", prefetch_size, 1)
        self._owners: list[Any] = []
        self._rows: dict[tuple[int, int], list[np.ndarray]] = {}
        self._rooms: list[_Room] = []
        self._bytes = self._on_disk = 0
        self._lock = threading.Lock()

    def get_stat(self) -> CacheStatistics:
        """How many rows there are, and where."""
        count = len(self._rows)
        return CacheStatistics(self._bytes // max(count, 1), count - self._on_disk, self._on_disk)

    def shelf(self, owner: Any) -> int:
        """A number for the rows of a step, which stays in memory as long as the cache does."""
        self._owners.append(owner)
        return len(self._owners) - 1

    def recall(self, shelf: int, numbers: list[int]) -> list[list[np.ndarray] | None]:
        """The arrays of rows, None for those that are not here."""
        return [self._rows.get((shelf, number)) for number in numbers]

    def put(self, shelf: int, number: int, row: list[np.ndarray]) -> None:
        """Keep a row, if there is room."""
        key = shelf, number
        length = sum(-(-array.nbytes // 64) * 64 for array in row)
        with self._lock:
            if key in self._rows:
                return
            room = self._room(length)
            if room is None:
                return
            self._rows[key] = [room.put(array) for array in row]
            self._bytes += length
            self._on_disk += room.on_disk

    def _room(self, length: int) -> _Room | None:
        if self._rooms and self._rooms[-1].size - self._rooms[-1].used >= length:
            return self._rooms[-1]
        taken = sum(room.size for room in self._rooms if not room.on_disk)
        left = self.size * MEGABYTE - taken if self.size else 2**62
        wanted = max(length, min(64 * MEGABYTE, max(MEGABYTE, left)))
        on_disk = wanted > left
        if on_disk and not self.spilling:
            return None
        self._rooms.append(_Room(wanted, on_disk))
        return self._rooms[-1]

    def __reduce__(self) -> Any:
        """In another process: the same settings, and no rows."""
        return DatasetCache, (self.session_id, self.size, self.spilling)


class CachedStep:
    """A step from block to block, done only for rows that the cache does not have."""

    def __init__(self, step: Any, cache: DatasetCache, shelf: int):
        self.step, self.cache, self.shelf = step, cache, shelf

    def recalled(self, start: int, numbers: np.ndarray) -> Block | None:
        """The rows with these numbers, if all are in the cache."""
        rows = self.cache.recall(self.shelf, numbers.tolist())
        known = [row for row in rows if row is not None]
        if len(known) < len(rows):
            return None
        return Block(start, len(rows), columns_of(known), numbers=numbers)

    def __call__(self, block: Block) -> Block:
        if block.numbers is None:
            raise RuntimeError("For 'cache', the rows must have numbers.")
        whole = self.recalled(block.start, block.numbers)
        if whole is not None:
            return whole
        result = self.step(block)
        if result.count == block.count and not result.failed:
            for i, number in enumerate(block.numbers.tolist()):
                self.cache.put(self.shelf, number, result.row(i))
        return result
