"""Making the indexes of a set again from its data files alone."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.formats.mindrecord.errors import MindRecordFileError, MRMWriteDatasetError
from mindspore.formats.mindrecord.header import BLOB, RAW, read_header
from mindspore.formats.mindrecord.index import IndexWriter, index_path
from mindspore.formats.mindrecord.records import set_of
from mindspore.formats.mindrecord.sealed import is_sealed
from mindspore.formats.mindrecord.shard import Shard
from mindspore.formats.mindrecord.staging import Staging, exists, where


def rebuild(path: str, sound: bool = False) -> dict[str, bool]:
    """Make the indexes of a set that are missing or damaged, as `FileWriter` writes them; they appear together.

    Files of a writer that was killed when they were complete get their names.

    Args:
        path: A data file, which represents its whole set.
        sound: Also make those again in which nothing is wrong.

    Returns:
        Of each data file, whether its index is new.

    Raises:
        MindRecordFileError: A data file is missing, damaged or encrypted.
        MRMWriteDatasetError: Another writer writes the set, or the disk is full or fails.
    """
    staging = Staging(_paths(path))
    try:
        paths = _paths(path)  # which nobody replaces any more
        news = {one: sound or not _is_sound(one) for one in paths}
        for one in paths:
            if news[one]:
                _write(one, index_path(staging.place(one)))
        staging.complete()
    except (OSError, sqlite3.Error) as error:
        raise MRMWriteDatasetError(f"The indexes of the set of '{path}' cannot be written: {error}.") from error
    finally:
        staging.abort()
    return news


def _paths(path: str) -> list[str]:
    """The data files of the set."""
    if not exists(path):
        raise MindRecordFileError(f"The file '{path}' does not exist. Give a data file of the set.")
    if is_sealed(where(path)):
        raise MindRecordFileError(f"The file '{path}' is encrypted, so that its rows cannot be found without the key.")
    return set_of(path, read_header(where(path), path).shard_addresses)


def _is_sound(path: str) -> bool:
    """Whether the index of a data file says where its rows are."""
    try:
        shard = Shard(path)
        for group in shard.header.groups():
            shard.bounds(group, group.raw, RAW)
            shard.bounds(group, group.blob, BLOB)
    except MindRecordFileError:
        return False
    return True


def _write(path: str, target: str) -> None:
    """Write the index of the data file `path` to the new file `target`."""
    shard = Shard(path, indexed=False)
    fields = shard.header.schema.fields
    writer = IndexWriter(target)
    with contextlib.closing(writer):
        writer.create(os.path.basename(path), [fields[name] for name in shard.header.index_fields])
        writer.add(_rows(shard))
        writer.finish()


def _rows(shard: Shard) -> Iterator[tuple[Any, ...]]:
    """What the index has of each row."""
    fields = [shard.header.schema.fields[name] for name in shard.header.index_fields]
    for number, group in enumerate(shard.header.groups()):
        raws = shard.bounds(group, group.raw, RAW).tolist()
        blobs = shard.bounds(group, group.blob, BLOB).tolist()
        rows = np.arange(group.start, group.end)
        columns = [list(shard.column(field, rows)) for field in fields]
        for i, row in enumerate(rows.tolist()):
            raw, blob = (group.raw.page, raws[i], raws[i + 1]), (group.blob.page, blobs[i], blobs[i + 1])
            yield row, *raw, *blob, number, *(_plain(column[i]) for column in columns)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
