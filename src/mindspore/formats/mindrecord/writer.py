"""Writing a set of data files: rows are shared out, and the files appear together when all are whole."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.formats.mindrecord.errors import MRMOpenForAppendError, MRMWriteDatasetError
from mindspore.formats.mindrecord.header import HEADER_SIZE, PAGE_SIZE, Header
from mindspore.formats.mindrecord.records import RecordSet
from mindspore.formats.mindrecord.row import EncodedRow
from mindspore.formats.mindrecord.schema import Schema
from mindspore.formats.mindrecord.shard_writer import Seal, ShardWriter
from mindspore.formats.mindrecord.staging import Staging


def shard_paths(path: str, count: int) -> list[str]:
    """Paths of the data files of a set: the path itself for one, else with zero-filled numbers."""
    width = len(str(count - 1))
    return [path] if count == 1 else [f"{path}{number:0{width}d}" for number in range(count)]


class SetWriter:
    """A set of data files that is being written.

    Args:
        shards: Writers of the files.
        staging: Where they lie until they are complete; None if another one cares for them.
        seal: Encrypts a file (a path) into an open one; None for plain files.
    """

    def __init__(self, shards: list[ShardWriter], staging: Staging | None, seal: Seal | None = None):
        self.shards, self._staging, self._seal = shards, staging, seal

    def write(self, rows: Sequence[EncodedRow]) -> None:
        """Share rows out: equal ranges in their order; what is left over goes to shards chosen at random.

        Raises:
            MRMWriteDatasetError: A row is too large, or the disk is full or fails.
        """
        count = len(self.shards)
        share, left = divmod(len(rows), count)
        sizes = [share] * count
        for number in random.sample(range(count), left):
            sizes[number] += 1
        begin = 0
        for shard, size in zip(self.shards, sizes, strict=True):
            if size:
                _writing(shard, lambda s=shard, part=rows[begin : begin + size]: s.write(part))
            begin += size
        saved = sum(row.saved for row in rows)
        for shard in self.shards:
            shard.header.compression_size += saved

    def finish(self) -> None:
        """Complete the files.

        Raises:
            MRMWriteDatasetError: The disk is full or fails.
        """
        for shard in self.shards:
            _writing(shard, lambda s=shard: s.finish(self._seal))

    def commit(self) -> None:
        """Complete the files and give them their names, in one step for readers.

        Raises:
            MRMWriteDatasetError: The disk is full or fails.
        """
        try:
            self.finish()
            if self._staging is not None:
                self._staging.complete()
        finally:
            self.abort()

    def abort(self) -> None:
        """Remove what was written and has no name yet."""
        for shard in self.shards:
            shard.close()
        if self._staging is not None:
            self._staging.abort()


def _writing(shard: ShardWriter, action: Callable[[], Any]) -> None:
    try:
        action()
    except (OSError, sqlite3.Error) as error:
        raise MRMWriteDatasetError(
            f"The file '{shard.name}' cannot be written: {getattr(error, 'strerror', None) or error}. Nothing of it is "
            "kept."
        ) from error


def new_set(
    paths: Sequence[str],
    schema: Schema,
    index_fields: Sequence[str],
    desc: str = "",
    header_size: int = HEADER_SIZE,
    page_size: int = PAGE_SIZE,
    seal: Seal | None = None,
    staging: Staging | None = None,
) -> SetWriter:
    """Begin a set of new files.

    Args:
        paths: The data files.
        schema, index_fields, desc, header_size, page_size: What they have in common.
        seal: As for `SetWriter`.
        staging: Where others put these files together with further ones; None for a place of their own.

    Raises:
        MRMWriteDatasetError: A file cannot be created, or another writer writes it.
    """
    names = [os.path.basename(path) for path in paths]
    place = staging or Staging(paths)
    shards: list[ShardWriter] = []
    try:
        for number, path in enumerate(paths):
            header = Header(
                schema=schema,
                index_fields=list(index_fields),
                shard_addresses=names,
                shard_id=number,
                desc=desc,
                header_size=header_size,
                page_size=page_size,
            )
            shards.append(ShardWriter(place.place(path), header, path))
    except (OSError, sqlite3.Error) as error:
        SetWriter(shards, None if staging else place).abort()
        raise MRMWriteDatasetError(f"The files cannot be created: {error}.") from error
    return SetWriter(shards, None if staging else place, seal)


def going_on(records: RecordSet, seal: Seal | None = None) -> SetWriter:
    """Begin with the rows of a set, to which others are added.

    Raises:
        MRMOpenForAppendError: The files cannot be copied, or were replaced since `records` was opened.
        MRMWriteDatasetError: Another writer writes them.
    """
    staging = Staging(records.paths)
    shards: list[ShardWriter] = []
    try:
        if not records.is_current():
            raise MRMOpenForAppendError(f"The file '{records.paths[0]}' was replaced since it was opened.")
        for shard in records.shards:
            place = staging.place(shard.path)
            shards.append(ShardWriter(place, shard.header, shard.path, shard.content()))
    except BaseException as error:  # raised again, without the half of a set
        SetWriter(shards, staging).abort()
        if isinstance(error, (OSError, sqlite3.Error)):
            raise MRMOpenForAppendError(f"The file '{records.paths[0]}' cannot be copied: {error}.") from error
        raise
    return SetWriter(shards, staging, seal)
