"""Reading and writing whole files: memory maps, and writes that happen completely or not at all."""
from __future__ import annotations

import contextlib
import mmap
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def view(path: str | os.PathLike[str]) -> memoryview:
    """The bytes of a file, read from the disk as they are used."""
    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


@contextlib.contextmanager
def atomic(path: str | os.PathLike[str], mode: int = stat.S_IRUSR) -> Iterator[BinaryIO]:
    """A file to write to that gets its name and its access `mode` when the block ends without an error.

    Until then an older file of that name is kept; after an error nothing of the new one is left. The disk is
    not waited for: a killed program leaves a whole file, a machine without power may not.
    """
    target = Path(path)
    number, temporary = tempfile.mkstemp(".tmp", f"{target.stem}-", target.parent)
    try:
        with os.fdopen(number, "wb") as file:
            yield file
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:  # raised again, without the half of a file
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


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
