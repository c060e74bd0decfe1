"""Writing a set of data files: rows are shared out, and the files appear together when all are whole."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.formats.mindrecord.errors import MRMWriteDatasetError
from mindspore.formats.mindrecord.header import HEADER_SIZE, PAGE_SIZE, Header
from mindspore.formats.mindrecord.index import index_path
from mindspore.formats.mindrecord.row import EncodedRow
from mindspore.formats.mindrecord.schema import Schema
from mindspore.formats.mindrecord.shard_writer import Seal, ShardWriter, remove


def shard_paths(path: str, count: int) -> list[str]:
    """Paths of the data files of a set: the path itself for one, else with zero-filled numbers."""
    width = len(str(count - 1))
    return [path] if count == 1 else [f"{path}{number:0{width}d}" for number in range(count)]


class SetWriter:
    """A set of data files that is being written.

    Args:
        shards: Writers of the files.
        seal: Encrypts a file (first path) into another one (second path); None for plain files.
    """

    def __init__(self, shards: list[ShardWriter], seal: Seal | None = None):
        self.shards, self._seal = shards, seal

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

    def finish(self) -> list[tuple[str, str]]:
        """Complete the files; answers (temporary name, name) of each, for `give_names`."""
        names: list[tuple[tuple[str, str], tuple[str, str]]] = []
        for shard in self.shards:
            _writing(shard, lambda s=shard: s.finish(self._seal))
            names.append(shard.take_names())
        return [pair for both in names for pair in both]

    def abort(self) -> None:
        """Remove what was written."""
        for shard in self.shards:
            shard.abort()


def _writing(shard: ShardWriter, action: Callable[[], Any]) -> None:
    try:
        action()
    except OSError as error:
        raise MRMWriteDatasetError(
            f"The file '{shard.path}' cannot be written: {error.strerror or error}. Nothing of it is kept."
        ) from error


def give_names(names: Sequence[tuple[str, str]]) -> None:
    """Give complete files (temporary name, name) their names.

    A set is whole only with all its indexes: they go first where they stood before and come last, so that a killed
    program leaves no mixture of old and new files that looks whole.
    """
    data = [pair for pair in names if not pair[1].endswith(index_path(""))]
    indexes = [pair for pair in names if pair not in data]
    try:
        for _, path in indexes:
            remove(path)
        for temporary, path in [*data, *indexes]:
            os.replace(temporary, path)
    except OSError as error:
        raise MRMWriteDatasetError(f"The files cannot get their names: {error}.") from error


def new_set(
    paths: Sequence[str],
    schema: Schema,
    index_fields: Sequence[str],
    desc: str = "",
    header_size: int = HEADER_SIZE,
    page_size: int = PAGE_SIZE,
    seal: Seal | None = None,
) -> SetWriter:
    """Begin a set of new files.

    Raises:
        MRMWriteDatasetError: A file cannot be created.
    """
    names = [os.path.basename(path) for path in paths]
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
            shards.append(ShardWriter(path, header))
    except OSError as error:
        SetWriter(shards).abort()
        raise MRMWriteDatasetError(f"The files cannot be created: {error}.") from error
    return SetWriter(shards, seal)
