"""Machine code of generated kernels on disk, for all processes.

It lies beside the compiled graphs where these are kept (`enable_compile_cache`), else among the caches of the user, or
in the folder that ANYSPORE_KERNEL_CACHE names ("off": none is kept).

A file's name is a digest of all that its code follows from: LLVM's text, the processor and its features, how it is
optimised, the versions of LLVM, llvmlite and this package.  Addresses are not part of it; they are filled in when the
code is loaded.  Files and folders that other users could write are not used, since what they hold is executed.
"""
from __future__ import annotations

import hashlib
from pathlib import Path

from mindspore._names.version import ANYSPORE
from mindspore.core import caching, log
from mindspore.formats import trusted

_MAGIC = "anyspore object 1"
_LIMIT_FILES, _LIMIT_BYTES = 4000, 512 << 20
_refused: set[Path] = set()          # folders that could not be written


def folder() -> Path | None:
    """The folder of the code; None if none is kept.  It does not depend on the rank, as the code does not."""
    base = caching.place()
    if base:
        return base / "kernel_cache"
    return None if caching.refused() else caching.of_user("ANYSPORE_KERNEL_CACHE", "kernels")


def key(*parts: str) -> str:
    """The name of code that follows from some texts and the version of this package."""
    found = hashlib.blake2b(digest_size=20)
    for part in (ANYSPORE, *parts):
        data = part.encode()
        found.update(f"{len(data)} ".encode() + data)
    return found.hexdigest()


def find(name: str) -> bytes | None:
    """The code of that name; None if there is none that can be used."""
    where = folder()
    if where is None:
        return None
    try:
        return trusted.read(where / f"{name}.o", f"{_MAGIC} {name}", _LIMIT_BYTES)
    except trusted.Refused as error:
        log.warning("The machine code %s is not used: %s.", where / f"{name}.o", error)
        return None


def keep(name: str, code: bytes) -> None:
    """Keep code on disk, if code is kept; the oldest goes."""
    where = folder()
    if where is None or where in _refused:
        return
    try:
        trusted.write(where / f"{name}.o", f"{_MAGIC} {name}", code)
        trusted.prune(where, "*.o", _LIMIT_FILES, _LIMIT_BYTES)
    except (trusted.Refused, OSError) as error:
        if where not in _refused:               # one line, not one for each kernel
            _refused.add(where)
            log.warning("Machine code is not stored in %s: %s.", where, error)
