"""Reading and writing whole files: memory maps, and writes that happen completely or not at all."""
from __future__ import annotations

import contextlib
import errno
import fcntl
import mmap
import os
import secrets
import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mindspore.core.plain_files import regular

PART = ".anyspore-part"  # ends the names of files and folders that are being written, each locked by its writer
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # why a disk takes no more: it is full, or there is a limit
_DISK = (*FULL, errno.EIO)
_NEW = 0o666  # access of new files, less what the process has switched off
_LONGEST = 48  # characters of a name that the name of its part has


class _Mapped(mmap.mmap):
    """A file in the address space, which can also be read: what is looked at here counts as memory of the program."""

    file: int

    def address(self) -> int:
        """Where it begins."""
        return np.frombuffer(self, np.uint8).ctypes.data


def view(path: str | os.PathLike[str]) -> memoryview:
    """The bytes of a file, read from the disk as they are used."""
    with open(path, "rb", opener=regular) as file:
        if not os.fstat(file.fileno()).st_size:
            return memoryview(b"")
        mapped = _Mapped(file.fileno(), 0, access=mmap.ACCESS_READ)
        mapped.file = os.dup(file.fileno())
        weakref.finalize(mapped, os.close, mapped.file)
        return memoryview(mapped)


def copy(source: Any, target: memoryview) -> None:
    """Fill `target` with as many bytes; those of a `view` come from the file and need no other memory.

    Raises:
        OSError: The file became shorter, or cannot be read.
    """
    mapped = source.obj if isinstance(source, memoryview) else None
    if not isinstance(mapped, _Mapped):
        target[:] = source
        return
    at = np.frombuffer(source, np.uint8).ctypes.data - mapped.address() if len(source) else 0
    done = 0
    while done < len(target):
        count = os.preadv(mapped.file, [target[done:]], at + done)
        if not count:
            raise OSError(f"A file became shorter while it was read: byte {at + done} is not there.")
        done += count


def forget(source: memoryview) -> None:
    """Let go of the memory of a `view` that was looked at; it is read from the disk again where it is used."""
    if isinstance(source.obj, _Mapped):
        source.obj.madvise(mmap.MADV_DONTNEED)


@contextlib.contextmanager
def atomic(path: str | os.PathLike[str], mode: int | None = stat.S_IRUSR) -> Iterator[BinaryIO]:
    """A file to write to that gets its name and its access `mode` when the block ends without an error.

    For the mode None the access is that of all new files.

    Until then an older file of that name is kept; after an error nothing of the new one is left. What killed
    writers have left in the folder is removed first. The disk is not waited for: a killed program leaves a whole
    file, a machine without power may not.

    Raises:
        OSError: The file cannot be written; its `filename` is `path`.
    """
    target = Path(path)
    remove_leftovers(target.parent)
    with _named(target):
        part, number = _new_part(target, _NEW if mode is None else stat.S_IRUSR | stat.S_IWUSR)
        lock = os.dup(number)  # of the same open file, so that the lock outlives `file`
        try:
            with os.fdopen(number, "wb") as file:
                yield file
            if mode is not None:
                os.chmod(part, mode)
            os.replace(part, target)
        except BaseException:  # raised again, without the half of a file
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part)
            raise
        finally:
            os.close(lock)


class _Plain:
    """A file that NumPy does not write to in a way of its own, whose errors say neither which one it is nor why."""

    def __init__(self, file: BinaryIO):
        self.write = file.write


def write_array(file: BinaryIO, array: np.ndarray) -> None:
    """Write an array as `numpy.save` does."""
    np.save(_Plain(file), array, allow_pickle=False)


@contextlib.contextmanager
def _named(target: Path) -> Iterator[None]:
    """Errors of the disk name the file that is written: not its part, and not nothing, as those of a full disk."""
    try:
        yield
    except OSError as error:
        unnamed = error.filename is None and error.errno in _DISK
        if unnamed or str(error.filename).endswith(PART):
            raise OSError(error.errno, error.strerror, str(target)) from error
        raise


def _new_part(target: Path, mode: int) -> tuple[Path, int]:
    """A new file beside `target`, open and locked."""
    while True:
        part = target.with_name(f".{target.name[:_LONGEST]}.{secrets.token_hex(4)}{PART}")
        number = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with contextlib.suppress(OSError):  # a disk without locks
            if not hold(number, part):  # it was taken for a leftover before it was locked
                os.close(number)
                continue
        return part, number


def scratch(owner: object, parent: str | os.PathLike[str] | None = None) -> str:
    """A new folder for temporary files, which goes with `owner`; those of killed programs go first.

    It is in the folder `parent`; for None, where the system wants temporary files.
    """
    where = tempfile.gettempdir() if parent is None else parent
    remove_leftovers(where)
    while True:
        folder = tempfile.mkdtemp(PART, ".", where)
        number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(owner, _drop, folder, number)
        with contextlib.suppress(OSError):  # a disk without locks
            if not hold(number, folder):  # it was taken for a leftover before it was locked
                continue
        return folder


def _drop(folder: str, number: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.close(number)


def hold(number: int, path: str | os.PathLike[str]) -> bool:
    """Lock an open file or folder; False if another has the lock, or `path` is not its name any more.

    Raises:
        OSError: The disk has no locks.
    """
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(number), os.stat(path, follow_symlinks=False))
    except (BlockingIOError, FileNotFoundError):
        return False


def is_held(path: str | os.PathLike[str]) -> bool:
    """Whether a writer has the lock of a file or folder."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except OSError as error:
        return isinstance(error, BlockingIOError)
    finally:
        os.close(number)


def remove_leftovers(folder: str | os.PathLike[str]) -> None:
    """Remove what writers that were killed have left in a folder: parts that nobody has a lock on."""
    try:
        with os.scandir(folder) as entries:
            parts = [entry.path for entry in entries if entry.name.startswith(".") and entry.name.endswith(PART)]
    except OSError:  # such as no folder, which the writer will tell
        return
    for part in parts:
        with contextlib.suppress(OSError):  # it is gone, belongs to another user, or the disk has no locks
            number = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                if hold(number, part):
                    remove = shutil.rmtree if stat.S_ISDIR(os.fstat(number).st_mode) else os.unlink
                    remove(part)
            finally:
                os.close(number)


def copy_sparse(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Copy a file to one that does not exist, without filling its holes; shares the blocks where the disk can."""
    with open(source, "rb") as old, open(target, "xb") as new:
        size, at = os.fstat(old.fileno()).st_size, 0
        while at < size:
            try:
                at = os.lseek(old.fileno(), at, os.SEEK_DATA)
            except OSError:  # only a hole is left
                break
            end = os.lseek(old.fileno(), at, os.SEEK_HOLE)
            os.lseek(new.fileno(), at, os.SEEK_SET)
            while at < end:
                count = os.sendfile(new.fileno(), old.fileno(), at, end - at)
                if not count:
                    raise OSError(f"The file '{source}' became shorter while it was copied.")
                at += count
        new.truncate(size)
