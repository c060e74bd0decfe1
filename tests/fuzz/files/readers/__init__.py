"""The readers that are tried: each writes whole files, and reads a folder of them as a program would."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

MODULES = ("formats", "images", "lists", "models", "numbers", "programs", "sounds", "texts", "others", "records",
           "states", "converters", "sets")
TABLE: dict[str, Reader] = {}


@dataclass
class Reader:
    """A reader of a table.

    Attributes:
        write: Writes whole files into an empty folder.
        read: All that a program gets of them.
        errors: What damage is told by; nothing else may come.
        same: Whether what is read of damaged files is what they held: for files with checksums. None: a changed
            value cannot be noticed.
        repaired: The file with checksums as its content needs them, so that damage gets further.
        names_the_file: Whether errors say which file it is; not for readers that are given bytes.
        only: Pattern of the files that are damaged.
        structure: Other damage, which keeps the outer form of the format: for half of the cases.
    """

    name: str
    write: Callable[[Path], Any]
    read: Callable[[Path], Any]
    errors: tuple[type[BaseException], ...]
    same: Callable[[Any, Any], bool] | None = None
    repaired: Callable[[bytes], bytes] | None = None
    names_the_file: bool = True
    only: str = "*"
    structure: Callable[[Any, bytes], bytes] | None = None


def reader(write: Callable[[Path], Any], *errors: type[BaseException], name: str = "", **more: Any):
    """Enter a function that reads a folder."""

    def enter(read):
        called = name or read.__name__.strip("_")
        assert called not in TABLE, called
        TABLE[called] = Reader(called, write, read, errors, **more)
        return read

    return enter


def table() -> dict[str, Reader]:
    """All readers by name."""
    for module in MODULES:
        importlib.import_module(f"readers.{module}")
    return TABLE


def plain(value: Any) -> Any:
    """A value whose `==` compares types, shapes and bits."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes() if value.dtype != object else plain(value.tolist())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if isinstance(value, (str, bytes, int, type(None))) else repr(value)


def rows(data: Any) -> list[dict[str, Any]]:
    """The rows of a pass, as values that can be compared."""
    return plain(list(data.create_dict_iterator(num_epochs=1, output_numpy=True)))


def equal(found: Any, whole: Any) -> bool:
    """All of it is the same."""
    return found == whole


def beginning(found: Any, whole: Any) -> bool:
    """Rows of the whole file, none of them changed: records that have checksums, but whose number has none."""
    return all(row in whole for row in found)
