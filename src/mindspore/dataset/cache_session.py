"""Rows of a cache that several processes of a user on this machine share.

A session is a number. Its rows lie in files of a folder that only the user can enter: in shared memory (`/dev/shm`),
or on disk. A process writes rows into files of its own, and then where they are into an index that all map,
eight bytes in one write; so a reader finds a row whole or not at all, and never waits. Locks of the system tell who is
alive: the last process removes the folder, and what a killed one left goes when the next session begins.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import mmap
import os
import shutil
import stat
import struct
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mindspore.dataset._given import given
from mindspore.dataset.describe import described
from mindspore.dataset.errors import PipelineError
from mindspore.formats.files import FULL

MEGABYTE = 2**20
ROOM = 16 * MEGABYTE
ALIGN = 64
_HEADER = struct.Struct("<qq")  # bytes of a row, and of the description of its arrays
ORDER = {  # arguments that change which rows are read, or how, but not what is in them
    "cache", "num_parallel_workers", "num_samples", "num_shards", "sampler", "shard_id", "shuffle",
}  # fmt: skip


class Session:
    """The files of a session, for as long as this object lives.

    Args:
        number: Of the session.

    Raises:
        PipelineError: The folder belongs to another user.
    """

    def __init__(self, number: int):
        memory = Path("/dev/shm") if os.path.isdir("/dev/shm") else Path(tempfile.gettempdir())
        self._folders = [
            _own(memory) / str(number),
            _own(Path(tempfile.gettempdir())) / str(number),
        ]
        self._base = self._folders[0].parent
        with _locked(self._base / "join"):
            _sweep(self._base, self._folders[1].parent)
            self._lock = os.open(self._base / f"{number}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            for folder in self._folders:
                folder.mkdir(mode=0o700, exist_ok=True)
            fcntl.flock(self._lock, fcntl.LOCK_SH)
        self._leave = weakref.finalize(
            self, _left, os.getpid(), self._lock, self._base, self._folders
        )
        self._rooms: dict[int, mmap.mmap] = {}
        self._own: tuple[int, mmap.mmap] | None = None
        self._used = 0
        self._full = False
        self.memory = 0  # bytes of all rooms in memory, when the last room was wanted

    def index(self, name: str, rows: int) -> Index | None:
        """The index of the rows of this name; None if there is no room for it."""
        try:
            return Index(self._folders[0] / f"{name}.index", rows)
        except OSError as error:
            if error.errno not in FULL:
                raise
            return None

    def put(self, row: list[np.ndarray], limit: int, spilling: bool) -> int:
        """Keep a row; where it is, for `row`, or 0 if there is no room, or if it holds dicts."""
        if any(array.dtype.hasobject for array in row):
            return 0
        arrays = [np.ascontiguousarray(array) for array in row]
        about = json.dumps([[a.dtype.str, a.shape] for a in row]).encode()
        begin = _padded(_HEADER.size + len(about))
        length = begin + sum(_padded(array.nbytes) for array in arrays)
        room = self._room(length, limit, spilling)
        if room is None:
            return 0
        number, content = room
        at = self._used
        _HEADER.pack_into(content, at, length, len(about))
        content[at + _HEADER.size : at + _HEADER.size + len(about)] = about
        place = at + begin
        for array in arrays:
            np.ndarray(array.shape, array.dtype, content, place)[...] = array
            place += _padded(array.nbytes)
        self._used = at + length
        return 1 + (number << 40 | at // ALIGN)

    def row(self, where: int) -> tuple[list[np.ndarray], int, bool]:
        """The arrays of a row, its bytes, and whether it is on disk."""
        number, at = (where - 1) >> 40, ((where - 1) & (2**40 - 1)) * ALIGN
        content = self._rooms.get(number)
        if content is None:
            content = self._rooms[number] = self._mapped(number)
        length, size = _HEADER.unpack_from(content, at)
        place = at + _padded(_HEADER.size + size)
        arrays = []
        for kind, shape in json.loads(content[at + _HEADER.size : at + _HEADER.size + size]):
            array = np.ndarray(tuple(shape), np.dtype(kind), content, place)
            array.flags.writeable = False
            arrays.append(array)
            place += _padded(array.nbytes)
        return arrays, length, bool(number & 1)

    def _room(self, length: int, limit: int, spilling: bool) -> tuple[int, mmap.mmap] | None:
        if self._own is not None and len(self._own[1]) - self._used >= length:
            return self._own
        if self._full:
            return None
        wanted = _padded(max(length, ROOM if not limit else min(ROOM, limit)), mmap.PAGESIZE)
        for folder in self._folders[: 2 if spilling else 1]:
            on_disk = folder is self._folders[1]
            with _locked(folder / "rooms"):
                taken = [path.stat().st_size for path in folder.glob("*.room")]
                self.memory = self.memory if on_disk else sum(taken)
                left = wanted if on_disk or not limit else limit - sum(taken)
                size = min(wanted, left // mmap.PAGESIZE * mmap.PAGESIZE)
                if size < length:
                    continue
                number = 2 * len(taken) + on_disk
                made = _made(folder / f"{number}.room", size)
            if made is not None:
                self._rooms[number] = made
                self._own, self._used = (number, made), 0
                return self._own
        self._full = True
        return None

    def _mapped(self, number: int) -> mmap.mmap:
        with open(self._folders[number & 1] / f"{number}.room", "r+b") as file:
            return mmap.mmap(file.fileno(), 0)


class Index:
    """Where the rows of one step of a pipeline are: a number each, 0 for those that are nowhere."""

    def __init__(self, path: Path, rows: int):
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        weakref.finalize(self, os.close, self._file)
        os.ftruncate(self._file, max(8 * rows, 8))
        self.places = np.frombuffer(mmap.mmap(self._file, 0, access=mmap.ACCESS_READ), np.int64)

    def set(self, number: int, where: int) -> None:
        """Tell all where a row is, if the disk takes it."""
        try:
            os.pwrite(self._file, np.int64(where).tobytes(), 8 * number)
        except OSError as error:
            if error.errno not in FULL:
                raise


def identity(step: Any) -> tuple[str, int] | None:
    """A name for the rows that a step gives, and how many there are in its source; equal names mean equal rows.

    None where that cannot be known: Python functions and objects take part, or arrays too large to compare.
    """
    source = step
    while source.children:
        source = source.children[0]
    if not _known(step):
        return None
    content = _without_order(described(step))
    text = json.dumps(content, sort_keys=True)
    if '"python_object"' in text:
        return None
    name = hashlib.blake2b((text + str(_states(content))).encode(), digest_size=16).hexdigest()
    return name, source.size()


def _known(value: Any) -> bool:
    """Whether datasets and transforms are all of this package, whose results do not change meanwhile."""
    if isinstance(value, (list, tuple)):
        return all(map(_known, value))
    if not hasattr(value, "_given"):
        return True
    ours = type(value).__module__.startswith("mindspore.dataset.")
    return ours and all(_known(v) for k, v in given(value).items() if k not in ORDER)


def _without_order(content: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in content.items() if name not in ORDER}
    return {**kept, "children": [_without_order(child) for child in content["children"]]}


def _states(content: dict[str, Any]) -> list[Any]:
    """When the files and folders that are named in a description were changed."""
    found: list[Any] = []
    for value in content.values():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and os.path.exists(text):
                state = os.stat(text)
                found.append((os.path.realpath(text), state.st_size, state.st_mtime_ns))
            elif isinstance(text, dict) and "children" in text:
                found += _states(text)
    return found


def _padded(length: int, unit: int = ALIGN) -> int:
    return -(-length // unit) * unit


def _own(parent: Path) -> Path:
    """The folder of this user's sessions in `parent`, which no other user may enter."""
    folder = parent / f"anyspore-cache-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    state = os.lstat(folder)
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid() or state.st_mode & 0o077:
        raise PipelineError(
            f"For 'DatasetCache', '{folder}' must be a folder that only this user may enter. Remove it."
        )
    return folder


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _alone(lock: int) -> bool:
    """Whether no other process holds the lock of a session; it is held alone then."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sweep(*bases: Path) -> None:
    """Remove what processes left that were killed."""
    for path in bases[0].glob("*.lock"):
        lock = os.open(path, os.O_RDWR)
        try:
            if _alone(lock):
                for base in bases:
                    shutil.rmtree(base / path.stem, ignore_errors=True)
                path.unlink()
        finally:
            os.close(lock)


def _left(process: int, lock: int, base: Path, folders: list[Path]) -> None:
    """The end of a session for this process; the last one removes the rows."""
    if os.getpid() == process:
        with _locked(base / "join"):
            if _alone(lock):
                for folder in folders:
                    shutil.rmtree(folder, ignore_errors=True)
                folders[0].with_suffix(".lock").unlink()
    os.close(lock)


def _made(path: Path, size: int) -> mmap.mmap | None:
    """A new file in memory, with its space taken at once; None if there is not enough."""
    with open(path, "x+b") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError as error:
            if error.errno not in FULL:
                raise
            file.truncate(0)  # the number stays taken
            return None
        return mmap.mmap(file.fileno(), size)
