"""Files of a cache that decide what a program computes: only those that this user alone could have written are read.

Such a file must be a plain file of this user (or of root) that no other may write, in a folder of which the same
holds, and its content must have the digest that it states.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

from .files import atomic

_FOREIGN = stat.S_IWGRP | stat.S_IWOTH


class Refused(Exception):
    """Why a file is not used."""


def read(file: Path, magic: str, limit: int) -> bytes | None:
    """The content of a file; None if there is no such file.

    Args:
        file: The file.
        magic: What its first line begins with.
        limit: The most bytes that it may have.

    Raises:
        Refused: If another user could have written it, or its content is damaged.
    """
    try:
        folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(str(error)) from None
    try:
        check(os.fstat(folder), stat.S_ISDIR, "the folder")
        # a pipe would wait for its writer; in the folder that was looked at, whatever has its name by now
        number = os.open(file.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(str(error)) from None
    finally:
        os.close(folder)
    try:
        data = _content(number, limit)
    except OSError as error:
        raise Refused(str(error)) from None
    finally:
        os.close(number)
    head, _, body = data.partition(b"\n")
    if head != f"{magic} {_digest(body)}".encode():
        raise Refused("its content is damaged")
    with contextlib.suppress(OSError):
        os.utime(file)                      # the oldest unused goes first
    return body


def _content(number: int, limit: int) -> bytes:
    found = os.fstat(number)
    check(found, stat.S_ISREG, "the file")
    if found.st_size > limit:
        raise Refused(f"the file has {found.st_size} bytes, more than all files may have together")
    with os.fdopen(number, "rb", closefd=False) as opened:
        return opened.read()


def check(found: os.stat_result, is_kind: Callable[[int], bool], what: str) -> None:
    """Whether a file or folder is of a kind, of this user (or root), and no other may write it.

    Raises:
        Refused: If not.
    """
    if not is_kind(found.st_mode):
        raise Refused(f"{what} is of another kind")
    if found.st_uid not in (os.geteuid(), 0):
        raise Refused(f"{what} belongs to another user")
    if found.st_mode & _FOREIGN:
        raise Refused(f"others may write to {what}")


def write(file: Path, magic: str, body: bytes) -> None:
    """Write a file, at once and for this user only.

    Raises:
        Refused: If others may write to the folder.
        OSError: If the folder cannot be written.
    """
    folder(file.parent)
    with atomic(file, stat.S_IRUSR | stat.S_IWUSR) as opened:
        opened.write(f"{magic} {_digest(body)}\n".encode() + body)


def folder(path: Path) -> Path:
    """A folder that only this user may write; made if it is not there.

    Raises:
        Refused: If others may write to it.
        OSError: If it cannot be made.
    """
    path.mkdir(0o700, parents=True, exist_ok=True)
    check(os.stat(path, follow_symlinks=False), stat.S_ISDIR, "the folder")
    return path


def _digest(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=20).hexdigest()


def prune(where: Path, pattern: str, files: int, size: int) -> None:
    """Remove the files of a folder that were not used for longest, until no more than that are left."""
    found: list[tuple[int, int, Path]] = []
    for file in where.glob(pattern):
        with contextlib.suppress(FileNotFoundError):
            state = file.lstat()
            found.append((state.st_mtime_ns, state.st_size, file))
    total, count = sum(n for _, n, _ in found), len(found)
    for _, n, file in sorted(found):
        if count <= files and total <= size:
            return
        with contextlib.suppress(OSError):                       # gone, or a folder
            file.unlink()
        total, count = total - n, count - 1
