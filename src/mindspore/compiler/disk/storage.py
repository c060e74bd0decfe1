"""The files of the cache of graphs: text, read only where this user alone could have written it.

A file is parsed, never executed; still it decides what a program computes.
"""
from __future__ import annotations

import os
from pathlib import Path

from mindspore.core import caching, context
from mindspore.formats import trusted
from mindspore.formats.trusted import Refused

_MAGIC = "anyspore graph 1"
_LIMIT_FILES, _LIMIT_BYTES = 1000, 512 << 20


def folder() -> Path | None:
    """The folder of the cache; None if the cache is off."""
    base = caching.place()
    rank = os.environ.get("RANK_ID") or str(context.parallel.global_rank)
    return base and base / f"rank_{rank}" / "graph_cache"


def read(file: Path) -> str | None:
    """The text in a file of the cache; None if there is no such file.

    Raises:
        Refused: If another user could have written it, or its content is damaged.
    """
    body = trusted.read(file, _MAGIC, _LIMIT_BYTES)
    return body.decode() if body is not None else None


def write(file: Path, text: str) -> None:
    """Write a file of the cache, at once and for this user only; the oldest files go.

    Raises:
        Refused: If others may write to the folder.
        OSError: If the folder cannot be written.
    """
    trusted.write(file, _MAGIC, text.encode())
    trusted.prune(file.parent, "*.graph", _LIMIT_FILES, _LIMIT_BYTES)


__all__ = ["Refused", "folder", "read", "write"]
