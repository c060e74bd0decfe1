"""The files of the cache: only those that this user alone could have written are read.

A file is parsed, never executed; still it decides what a program computes, so it must be a plain file
of this user (or of root) that no other may write, in a folder of which the same holds, and its
content must have the digest that it states.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

from mindspore.core import context
from mindspore.formats.files import atomic

_MAGIC = "anyspore graph 1"
_LIMIT_FILES, _LIMIT_BYTES = 1000, 512 << 20
_FOREIGN = stat.S_IWGRP | stat.S_IWOTH


class Refused(Exception):
    """Why a file is not used."""


def folder() -> Path | None:
    """The folder of the cache; None if the cache is off."""
    state = context.state
    if "enable_compile_cache" in state.given:
        wanted = state.enable_compile_cache
    else:
        wanted = os.environ.get("MS_COMPILER_CACHE_ENABLE") == "1" or (
            state.save_compile_cache or state.load_compile_cache)
    if not wanted:
        return None
    base = state.compile_cache_path or os.environ.get("MS_COMPILER_CACHE_PATH") or "."
    rank = os.environ.get("RANK_ID") or str(context.parallel.global_rank)
    return Path(base, f"rank_{rank}", "graph_cache")


def read(file: Path) -> str | None:
    """The text in a file of the cache; None if there is no such file.

    Raises:
        Refused: If another user could have written it, or its content is damaged.
    """
    try:
        _check(os.stat(file.parent, follow_symlinks=False), stat.S_ISDIR, "the folder")
        number = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)         # a pipe would wait for its writer
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refused(str(error)) from None
    try:
        found = os.fstat(number)
        _check(found, stat.S_ISREG, "the file")
        if found.st_size > _LIMIT_BYTES:
            raise Refused(f"the file has {found.st_size} bytes, more than all files may have together")
        with os.fdopen(number, "rb", closefd=False) as opened:
            data = opened.read()
    except OSError as error:
        raise Refused(str(error)) from None
    finally:
        os.close(number)
    head, _, body = data.partition(b"\n")
    if head != f"{_MAGIC} {_digest(body)}".encode():
        raise Refused("its content is damaged")
    with contextlib.suppress(OSError):
        os.utime(file)                      # the oldest unused goes first
    return body.decode()


def _check(found: os.stat_result, is_kind: Callable[[int], bool], what: str) -> None:
    if not is_kind(found.st_mode):
        raise Refused(f"{what} is of another kind")
    if found.st_uid not in (os.geteuid(), 0):
        raise Refused(f"{what} belongs to another user")
    if found.st_mode & _FOREIGN:
        raise Refused(f"others may write to {what}")


def write(file: Path, text: str) -> None:
    """Write a file of the cache, at once and for this user only; the oldest files go.

    Raises:
        Refused: If others may write to the folder.
        OSError: If the folder cannot be written.
    """
    file.parent.mkdir(0o700, parents=True, exist_ok=True)
    _check(os.stat(file.parent, follow_symlinks=False), stat.S_ISDIR, "the folder")
    body = text.encode()
    with atomic(file, stat.S_IRUSR | stat.S_IWUSR) as opened:
        opened.write(f"{_MAGIC} {_digest(body)}\n".encode() + body)
    _prune(file.parent)


def _digest(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=20).hexdigest()


def _prune(where: Path) -> None:
    """Keep the folder below its limits."""
    found: list[tuple[int, int, Path]] = []
    for file in where.glob("*.graph"):
        with contextlib.suppress(FileNotFoundError):
            state = file.lstat()
            found.append((state.st_mtime_ns, state.st_size, file))
    total, count = sum(size for _, size, _ in found), len(found)
    for _, size, file in sorted(found):
        if count <= _LIMIT_FILES and total <= _LIMIT_BYTES:
            return
        with contextlib.suppress(OSError):                       # gone, or a folder
            file.unlink()
        total, count = total - size, count - 1
