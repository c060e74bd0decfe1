"""A set of data files, read as one sequence of rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore.formats import files
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.formats.mindrecord.header import read_header
from mindspore.formats.mindrecord.schema import Field
from mindspore.formats.mindrecord.sealed import Function, is_sealed, unseal
from mindspore.formats.mindrecord.shard import Column, Shard
from mindspore.formats.mindrecord.staging import INDEX, exists, identities, is_moving, where

_ATTEMPTS = 100  # to open a set that is written anew all the time
_PINNED = 256  # most files of a set that are kept open


class RecordSet:
    """Rows of one or more data files by number, from 0: files in their order, rows in that of each file.

    Args:
        source: A data file, which represents all files of its set (in the same folder), or a list of just the files
            to read.
        key: Key of encrypted files.
        mode: How they are encrypted: "AES-GCM", or a function of an open file, its size, a file to write to and the
            key that decrypts. The decrypted copies lie in the folder for temporary files as long as they are used.

    Raises:
        MindRecordFileError: A file is missing, damaged, encrypted (or not, contrary to the key), or files do not
            belong together.
    """

    def __init__(
        self,
        source: str | Sequence[str],
        key: str | None = None,
        mode: str | Function = "AES-GCM",
    ):
        given = [source] if isinstance(source, str) else list(source)
        if not given:
            raise MindRecordFileError("There must be at least one file, but the list is empty.")
        failed: Exception = MindRecordFileError(f"The file '{given[0]}' is replaced all the time while it is opened.")
        for _ in range(_ATTEMPTS):  # until no file is replaced or moved by a writer while all are opened
            before, moving = identities(given), is_moving(given)
            try:
                self._open(given, isinstance(source, str), _Plain(key, mode))
                if self.is_current():
                    return
            except (MindRecordFileError, OSError) as error:
                failed = error
                if not moving and not is_moving(given) and identities(given) == before:
                    break
        if isinstance(failed, OSError):
            failed = MindRecordFileError(f"The file '{given[0]}' cannot be read: {failed}.")
        raise failed

    def _open(self, paths: list[str], alone: bool, opened: _Plain) -> None:
        copy = opened.copy(paths[0])
        if alone:
            header = read_header(copy or where(paths[0]), paths[0])
            paths = set_of(paths[0], header.shard_addresses)
        self.paths = paths
        pinned = len(paths) <= _PINNED
        self.shards = [Shard(path, opened.copy(path), pinned=pinned) for path in paths]
        self._opened = opened  # keeps decrypted copies
        self.header = self.shards[0].header
        names = [os.path.basename(path) for path in paths]
        for number, shard in enumerate(self.shards):
            if shard.header.kinship() != self.header.kinship():
                raise MindRecordFileError(
                    f"The files of a set must have the same schema, index fields and sizes, but '{shard.path}' "
                    f"differs from '{self.shards[0].path}'. They were not written by one writer."
                )
            if alone and (shard.header.shard_addresses, shard.header.shard_id) != (names, number):
                raise MindRecordFileError(
                    f"The file '{shard.path}' is number {shard.header.shard_id} of the set "
                    f"{shard.header.shard_addresses}, but '{self.shards[0].path}' says that it is number {number} of "
                    f"{names}. They were not written by one writer; give a list of the files that belong together."
                )
        self.ends = np.cumsum([shard.rows for shard in self.shards])

    def is_current(self) -> bool:
        """Whether all files are still those that were opened."""
        return all(shard.is_current() for shard in self.shards)

    @property
    def rows(self) -> int:
        """Number of rows of all files."""
        return int(self.ends[-1])

    def row_counts(self) -> list[int]:
        """Number of rows of each file."""
        return [shard.rows for shard in self.shards]

    def fields(self, names: Sequence[str] | None = None) -> list[Field]:
        """The fields with these names in this order; all, in name order, for None.

        Raises:
            MindRecordFileError: There is no field of that name.
        """
        known = self.header.schema.fields
        for name in names or ():
            if name not in known:
                raise MindRecordFileError(
                    f"The file '{self.paths[0]}' has no field {name!r}; its fields are {list(known)}."
                )
        return list(known.values()) if names is None else [known[name] for name in names]

    def column(self, field: Field, numbers: np.ndarray) -> Column:
        """Values of a field of the rows with these numbers, as `Shard.column` gives them."""
        return self._gathered(numbers, lambda shard, rows: shard.column(field, rows))

    def contents(self, field: Field, numbers: np.ndarray) -> list[bytes]:
        """Values of a field of type bytes of the rows with these numbers."""
        return self._gathered(numbers, lambda shard, rows: shard.contents(field, rows))

    def _gathered(self, numbers: np.ndarray, read: Callable[[Shard, np.ndarray], Column]) -> Column:
        """What `read` gives of the rows of each file, in the order of the numbers."""
        if len(self.shards) == 1:
            return read(self.shards[0], numbers)
        shards = np.searchsorted(self.ends, numbers, "right")
        present = np.unique(shards).tolist()
        begins = self.ends - [shard.rows for shard in self.shards]
        if len(present) == 1:
            return read(self.shards[present[0]], numbers - begins[present[0]])
        places = [np.flatnonzero(shards == shard) for shard in present]
        parts = [
            read(self.shards[shard], numbers[where] - begins[shard])
            for shard, where in zip(present, places, strict=True)
        ]
        return _merged(parts, places, len(numbers))


def _merged(parts: list[Column], places: list[np.ndarray], count: int) -> Column:
    """Columns of rows that stand at these places of a column of `count` rows."""
    first = parts[0]
    if all(
        isinstance(part, np.ndarray)
        and part.shape[1:] == first.shape[1:]
        and part.dtype == first.dtype
        for part in parts
    ):
        merged = np.empty((count, *first.shape[1:]), first.dtype)
        for part, where in zip(parts, places, strict=True):
            merged[where] = part
        return merged
    rows: list[Any] = [None] * count
    for part, where in zip(parts, places, strict=True):
        for place, row in zip(where.tolist(), part, strict=True):
            rows[place] = row
    return rows


def set_of(path: str, names: list[str]) -> list[str]:
    """Paths of the files of the set to which the file `path` belongs."""
    folder, name = os.path.split(path)
    if name not in names:
        raise MindRecordFileError(
            f"The file '{path}' belongs to a set of {names}. The files must keep the names that they were "
            "written with."
        )
    paths = [os.path.join(folder, other) for other in names]
    for other in paths:
        if not exists(other):
            raise MindRecordFileError(
                f"The file '{path}' belongs to a set of which '{other}' is missing. Give a list of the files to "
                "read only some of them."
            )
    return paths


class _Plain:
    """Files themselves, or decrypted copies of them."""

    def __init__(self, key: str | None, mode: str | Function):
        self._key, self._mode = key, mode
        self._copies: dict[str, str] = {}
        self._folder: str | None = None

    def copy(self, path: str) -> str | None:
        """The decrypted copy of the data file `path`; None if there is no key."""
        if not exists(path):
            raise MindRecordFileError(f"The file '{path}' does not exist.")
        sealed = is_sealed(where(path))
        if self._key is None:
            if sealed:
                raise MindRecordFileError(
                    f"The file '{path}' is encrypted. Call 'mindspore.mindrecord.set_enc_key' with its key."
                )
            return None
        if not sealed:
            raise MindRecordFileError(
                f"The file '{path}' is not encrypted. Call 'mindspore.mindrecord.set_enc_key(None)' to read it."
            )
        if path not in self._copies:
            self._copies[path] = self._copy(path, self._key)
        return self._copies[path]

    def _copy(self, path: str, key: str) -> str:
        if self._folder is None:
            self._folder = files.scratch(self)
        folder = os.path.join(self._folder, str(len(self._copies)))
        os.mkdir(folder)
        copy = os.path.join(folder, os.path.basename(path))
        for end in ("", INDEX):
            if os.path.isfile(where(path, end)):
                unseal(where(path, end), copy + end, key, self._mode, path + end)
        return copy
