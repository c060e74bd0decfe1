"""Rows kept after they were read or transformed once: `mindspore.dataset.DatasetCache`."""

from __future__ import annotations

import dataclasses
import mmap
import os
import tempfile
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.dataset import checked as check
from mindspore.dataset.block import RowBlock, columns_of
from mindspore.formats.files import FULL

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
                if hasattr(os, "posix_fallocate"):  # now, as a full disk later would end the process
                    os.posix_fallocate(file.fileno(), 0, size)
                file.truncate(size)
                self._map = mmap.mmap(file.fileno(), size)
        else:
            self._map = mmap.mmap(-1, size)
        self.size = size

    def put(self, array: np.ndarray) -> np.ndarray:
        """A copy of an array that lives here; an array of objects itself."""
        if array.dtype.hasobject:
            return array
        place = np.ndarray(array.shape, array.dtype, self._map, self.used)
        place[...] = array
        place.flags.writeable = False
        self.used += -(-array.nbytes // 64) * 64
        return place


class DatasetCache:
    """Keeps the rows of the steps that it is given to (`cache=`), so that later passes need not make them again.

    A source, or a `map` whose transforms draw nothing at random, keeps each row under its number in the source,
    whatever the order of a pass. Processes of one user on this machine share the rows of equal steps under one
    `session_id`, as those of a distributed training do; a step is known to be equal if it and those before it
    consist of files and transforms of this package. Other rows belong to the process. Rows live in memory, beyond
    `size` on disk with `spilling`, and go with the last cache of the session. What does not fit is made anew in each
    pass.

    Args:
        session_id: Number of the session.
        size: Megabytes (2**20 bytes) of memory; 0: no limit.
        spilling: Put what exceeds `size` into temporary files.
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
            check.integer, self, "num_connections", num_connections, 1, check.INT32_MAX
        )
        self.prefetch_size = check.optional(
            check.integer, self, "prefetch_size", prefetch_size, 1, check.INT32_MAX
        )
        self._shelves: list[_Shelf] = []
        self._rooms: list[_Room] = []
        self._session: Any = None
        self._lock = threading.Lock()

    def get_stat(self) -> CacheStatistics:
        """How many rows there are, and where; of shared rows, those that this process has met."""
        rows = sum(len(shelf.rows) for shelf in self._shelves)
        on_disk = sum(shelf.on_disk for shelf in self._shelves)
        length = sum(shelf.bytes for shelf in self._shelves)
        return CacheStatistics(length // max(rows, 1), rows - on_disk, on_disk)

    def shelf(self, owner: Any) -> int:
        """A number for the rows of a step."""
        self._shelves.append(_Shelf(owner))
        return len(self._shelves) - 1

    def recall(self, shelf: int, numbers: list[int]) -> list[list[np.ndarray] | None]:
        """The arrays of rows, None for those that are not here."""
        kept = self._opened(shelf)
        found = [kept.rows.get(number) for number in numbers]
        if kept.index is not None and None in found:
            places = kept.index.places[numbers].tolist()
            for i, (number, place) in enumerate(zip(numbers, places, strict=True)):
                if place and found[i] is None:
                    with self._lock:
                        found[i] = kept.keep(number, *self._session.row(place))
        return found

    def put(self, shelf: int, number: int, row: list[np.ndarray]) -> None:
        """Keep a row, if there is room."""
        kept = self._opened(shelf)
        with self._lock:
            if number in kept.rows:
                return
            if kept.index is not None:
                place = self._session.put(row, self.size * MEGABYTE, self.spilling)
                if place:
                    kept.index.set(number, place)
                    kept.keep(number, *self._session.row(place))
                    return
            length = sum(-(-array.nbytes // 64) * 64 for array in row)
            room = self._room(length)
            if room is not None:
                kept.keep(number, [room.put(array) for array in row], length, room.on_disk)

    def _opened(self, shelf: int) -> _Shelf:
        """A shelf, with the index that processes share if its step is known to be equal in all of them."""
        kept = self._shelves[shelf]
        if not kept.is_open:
            with self._lock:
                kept.open(self._joined)
        return kept

    def _joined(self) -> Any:
        if self._session is None:
            from mindspore.dataset.cache_session import Session  # locks of Unix, for caches only

            self._session = Session(self.session_id)
        return self._session

    def _room(self, length: int) -> _Room | None:
        if self._rooms and self._rooms[-1].size - self._rooms[-1].used >= length:
            return self._rooms[-1]
        taken = sum(room.size for room in self._rooms if not room.on_disk)
        taken += 0 if self._session is None else self._session.memory
        left = self.size * MEGABYTE - taken if self.size else 2**62
        wanted = max(length, min(64 * MEGABYTE, max(MEGABYTE, left)))
        on_disk = wanted > left
        if on_disk and not self.spilling:
            return None
        try:
            self._rooms.append(_Room(wanted, on_disk))
        except OSError as error:
            if error.errno not in FULL:
                raise
            return None
        return self._rooms[-1]

    def __reduce__(self) -> Any:
        """In another process: the same session."""
        return DatasetCache, (self.session_id, self.size, self.spilling)


class _Shelf:
    """The rows of one step, as views of where they are kept."""

    def __init__(self, owner: Any):
        self._owner = weakref.ref(owner)  # which has the cache
        self.is_open = False
        self.index: Any = None
        self.rows: dict[int, list[np.ndarray]] = {}
        self.bytes = self.on_disk = 0

    def open(self, joined: Callable[[], Any]) -> None:
        """Find out whether other processes may have the same rows; `joined` gives the session."""
        if self.is_open:
            return
        if os.name == "posix":
            from mindspore.dataset.cache_session import identity  # locks of Unix, for caches only

            owner = self._owner()
            known = None if owner is None else identity(owner)
            if known is not None:
                self.index = joined().index(*known)
        self.is_open = True

    def keep(
        self, number: int, row: list[np.ndarray], length: int, on_disk: bool
    ) -> list[np.ndarray]:
        """Remember a row that is kept."""
        if number not in self.rows:
            self.bytes += length
            self.on_disk += on_disk
        self.rows[number] = row
        return row


class CachedStep:
    """A step from block to block, done only for rows that the cache does not have."""

    def __init__(self, step: Any, cache: DatasetCache, shelf: int):
        self.step, self.cache, self.shelf = step, cache, shelf

    def recalled(self, start: int, numbers: np.ndarray) -> RowBlock | None:
        """The rows with these numbers, if all are in the cache."""
        rows = self.cache.recall(self.shelf, numbers.tolist())
        known = [row for row in rows if row is not None]
        if len(known) < len(rows):
            return None
        return RowBlock(start, len(rows), columns_of(known), numbers=numbers)

    def __call__(self, block: RowBlock) -> RowBlock:
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
