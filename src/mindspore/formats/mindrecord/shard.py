"""One data file, read as columns: where the values of each field lie is found out a page at a time, by NumPy."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore.formats import files
from mindspore.formats.mindrecord import index
from mindspore.formats.mindrecord.errors import MindRecordFileError
from mindspore.formats.mindrecord.gather import chain, numbers, pieces
from mindspore.formats.mindrecord.header import (
    BLOB,
    RAW,
    WORD,
    Group,
    Header,
    Span,
    broken,
    read_header,
)
from mindspore.formats.mindrecord.messagepack import DamagedMap, read_maps
from mindspore.formats.mindrecord.packing import unpack
from mindspore.formats.mindrecord.schema import Field
from mindspore.formats.mindrecord.staging import INDEX, Identity, identities, where

# A column of n rows: an array whose first axis has length n, or a list of n arrays of different shapes.
Column = Any


class Shard:
    """Rows of one data file by number, from 0.

    Args:
        path: The data file.
        copy: A decrypted copy of it, which is read in its place.
        indexed: Look at its index; else the rows are found by following the file.
        pinned: Open the file at once, so that its rows can still be read when it is replaced; else it is opened when
            its first row is read, and must be the same then.
        known: The identities that file and index must have.

    Raises:
        MindRecordFileError: The file or its index is missing or damaged.
    """

    def __init__(
        self,
        path: str,
        copy: str | None = None,
        indexed: bool = True,
        pinned: bool = True,
        known: list[Identity] | None = None,
    ):
        self.path, self._copy, self._indexed, self._pinned = path, copy, indexed, pinned
        self.known = known or identities([path])
        self.header: Header = read_header(self.content()[0], path)
        self.rows = self.header.rows
        self._data: np.ndarray | None = self._view() if pinned else None
        self._check_size()
        if indexed:
            index.check_index(self.content()[1], path, self.rows, self.header.index_fields)
        self._groups = self.header.groups()
        self._starts = np.array([group.start for group in self._groups], np.int64)
        self._known: dict[str, np.ndarray] = {kind: self._flags() for kind in ("raw", "blob")}
        self._values: dict[str, np.ndarray] = {}  # of numeric raw fields
        # Of all other fields: where each value begins in the file, and how long it is.
        self._begins: dict[str, np.ndarray] = {}
        self._lengths: dict[str, np.ndarray] = {}
        self._lock = threading.Lock()

    def _view(self) -> np.ndarray:
        """The bytes of the file, read from the disk as they are used."""
        try:
            data = np.frombuffer(files.view(self.content()[0]), np.uint8)
        except OSError as error:
            raise MindRecordFileError(f"The file '{self.path}' cannot be read: {error.strerror}.") from None
        if not self.is_current():
            raise MindRecordFileError(
                f"The file '{self.path}' was replaced while it was opened or since then. Open it again."
            )
        return data

    def is_current(self) -> bool:
        """Whether the file and its index are still those that were opened."""
        return identities([self.path]) == self.known

    def content(self) -> tuple[str, str]:
        """Where file and index can be read."""
        if self._copy is not None:
            return self._copy, self._copy + INDEX
        return where(self.path), where(self.path, INDEX)

    def _check_size(self) -> None:
        """Refuse a file that does not end where its last page does."""
        end, size = self.header.end, os.path.getsize(self.content()[0])
        if size != end:
            what = f"before byte {end}: it is cut off" if size < end else f"not at byte {end} as its header says"
            raise broken(self.path, f"ends at byte {size}, {what}")

    def __getstate__(self) -> dict[str, Any]:
        # A worker process opens the file anew.
        names = {"path": self.path, "copy": self._copy, "known": self.known}
        return {**names, "indexed": self._indexed, "pinned": self._pinned}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Shard.__init__(self, **state)

    def _flags(self) -> np.ndarray:
        return np.zeros(len(self._groups), bool)

    def column(self, field: Field, rows: np.ndarray) -> Column:
        """Values of the rows with these numbers.

        Numbers are arrays (n,) of int64 or float64; texts lists of str; bytes an array S<length> (n, 1), or a list of
        such arrays (1,) where the lengths differ; arrays (n, *shape), or a list where their shapes differ.
        """
        if field.type == "string":
            return self.texts(field, rows)
        self._load("blob" if field.is_blob else "raw", rows)
        if not field.is_blob:
            number = np.int64 if field.type.startswith("int") else np.float64
            return self._array(self._values, field.name, number)[rows]
        begins, lengths = self._places(field, rows)
        if field.type == "bytes":
            return _bytes(self.data, begins, lengths)
        if field.is_packed and self.header.is_packed:
            return self._packed(field, begins, lengths, rows)
        return self._plain(field, begins, lengths, rows)

    def texts(self, field: Field, rows: np.ndarray) -> list[str]:
        """Values of a field of texts."""
        self._load("raw", rows)
        try:
            return [str(value, "utf-8") for value in self._pieces(field, rows)]
        except UnicodeDecodeError as error:
            raise broken(
                self.path, f"has a text in '{field.name}' that is no UTF-8 ({error})"
            ) from None

    def contents(self, field: Field, rows: np.ndarray) -> list[bytes]:
        """Values of a field of type bytes, also those without any byte, which arrays cannot tell from a zero."""
        self._load("blob", rows)
        return [bytes(value) for value in self._pieces(field, rows)]

    @property
    def data(self) -> np.ndarray:
        """The bytes of the file."""
        if self._data is None:
            self._data = self._view()
        return self._data

    # ---- where values lie

    def _load(self, kind: str, rows: np.ndarray) -> None:
        """Find the places of all values in the pages of these rows."""
        known = self._known[kind]
        if known.all():
            return
        wanted = np.zeros_like(known)
        wanted[np.searchsorted(self._starts, rows, "right") - 1] = True
        if (wanted & ~known).any():
            with self._lock:
                for group in np.flatnonzero(wanted & ~known):
                    (self._load_raws if kind == "raw" else self._load_blobs)(self._groups[group])
                    known[group] = True

    def _places(self, field: Field, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where values that are no numbers begin in the file, and how long they are."""
        tables = self._begins, self._lengths
        begins, lengths = (self._array(table, field.name, np.int64)[rows] for table in tables)
        return begins, lengths

    def _pieces(self, field: Field, rows: np.ndarray) -> list[memoryview]:
        """The bytes of such values."""
        begins, lengths = self._places(field, rows)
        ranges = zip(begins.tolist(), (begins + lengths).tolist(), strict=True)
        return [self.data.data[begin:end] for begin, end in ranges]

    def _array(self, table: dict[str, np.ndarray], name: str, dtype: Any) -> np.ndarray:
        """The array of all rows of a table, made when it is first used: memory is taken as pages are filled."""
        if name not in table:
            table[name] = np.empty(self.rows, dtype)
        return table[name]

    def _load_raws(self, group: Group) -> None:
        if not self.header.schema.raws:
            return
        at, ends = self._records(group, group.raw, RAW)
        try:
            found = read_maps(self.data, at, ends, self.header.schema.raws)
        except DamagedMap as error:
            raise broken(
                self.path, f"has rows from {group.start} on that cannot be read ({error})"
            ) from None
        for name, values in found.items():
            if isinstance(values, tuple):
                self._store(name, group, *values)
            else:
                self._array(self._values, name, values.dtype)[group.start : group.end] = values

    def _store(self, name: str, group: Group, begins: np.ndarray, lengths: np.ndarray) -> None:
        self._array(self._begins, name, np.int64)[group.start : group.end] = begins
        self._array(self._lengths, name, np.int64)[group.start : group.end] = lengths

    def _load_blobs(self, group: Group) -> None:
        blobs = self.header.schema.blobs
        if not blobs:
            return
        at, ends = self._records(group, group.blob, BLOB)
        if len(blobs) == 1:
            self._store(blobs[0].name, group, at, ends - at)
            return
        for blob in blobs:
            if (at + WORD > ends).any():
                raise broken(self.path, f"has rows that end before the field '{blob.name}'")
            lengths = numbers(self.data, at, ">u8").astype(np.int64)
            at = at + WORD
            if (lengths < 0).any() or (lengths > ends - at).any():
                raise broken(self.path, f"has rows that end inside the field '{blob.name}'")
            self._store(blob.name, group, at, lengths)
            at = at + lengths
        if (at != ends).any():
            raise broken(self.path, "has rows with more bytes than fields")

    def _records(self, group: Group, span: Span, kind: str) -> tuple[np.ndarray, np.ndarray]:
        """Where the contents of the rows of a group begin and end in the file, after their length words."""
        bounds = self.header.position(span.page) + self.bounds(group, span, kind)
        return bounds[:-1] + WORD, bounds[1:]

    def bounds(self, group: Group, span: Span, kind: str) -> np.ndarray:
        """Where the rows of a group begin on a page of this kind, and at last where they end, (rows + 1,).

        The index, the length words and the header must say the same, and the rows follow each other without gap.

        Raises:
            MindRecordFileError: They do not.
        """
        start = self.header.position(span.page)
        if start + span.end > len(self.data):  # it became shorter since it was opened
            raise broken(self.path, f"ends at byte {len(self.data)}, before byte {start + span.end}")
        bounds = self._indexed_bounds(group, span, kind)
        if bounds is None:
            bounds = chain(self.data, start + span.begin, start + span.end) - start
        if len(bounds) != group.end - group.start + 1 or bounds[-1] != span.end:
            raise broken(self.path, f"does not have the rows {group.start} to {group.end} on page {span.page}")
        sizes = np.diff(bounds) - WORD
        if (sizes < 0).any():
            raise broken(self.path, f"has an index with wrong places on page {span.page}")
        if (numbers(self.data, start + bounds[:-1], "<u8").astype(np.int64) != sizes).any():
            raise broken(self.path, "has rows of other lengths than its index says")
        return bounds

    def _indexed_bounds(self, group: Group, span: Span, kind: str) -> np.ndarray | None:
        """The bounds that the index has; None without an index, or if it was moved or replaced just now."""
        if not self._indexed:
            return None
        lies = self.content()[1]
        try:
            places = index.read_places(lies, self.path, group.start, group.end)
        except MindRecordFileError:
            if lies == self.content()[1] and self.is_current():
                raise
            return None
        if not self.is_current():
            return None
        pages, begins, ends = places[:, 3:].T if kind == BLOB else places[:, :3].T
        bounds = np.append(begins[:1], ends)
        if (pages != span.page).any() or begins[0] != span.begin or (bounds[:-1] != begins).any():
            raise broken(self.path, f"has an index with other places on page {span.page} than its header")
        return bounds

    # ---- arrays

    def _plain(
        self, field: Field, begins: np.ndarray, lengths: np.ndarray, rows: np.ndarray
    ) -> Column:
        dtype = field.dtype
        if not len(rows) or (lengths == lengths[0]).all():
            length = int(lengths[0]) if len(rows) else 0
            shape = self._shape(field, length, rows)
            content = pieces(self.data, begins, length) if length else np.empty(0, dtype)
            return content.view(dtype).reshape(len(rows), *shape)
        return [
            np.frombuffer(self.data, dtype, length // dtype.itemsize, begin).reshape(shape).copy()
            for begin, length, shape in zip(
                begins.tolist(),
                lengths.tolist(),
                [self._shape(field, length, rows) for length in lengths.tolist()],
                strict=True,
            )
        ]

    def _shape(
        self, field: Field, length: int, rows: Sequence[int] | np.ndarray
    ) -> tuple[int, ...]:
        """Shape of an array of `length` bytes."""
        count, rest = divmod(length, field.dtype.itemsize)
        return self._shape_for(field, count) if not rest else self._shape_for(field, -1)

    def _shape_for(self, field: Field, count: int) -> tuple[int, ...]:
        shape = field.shape_for(count) if count >= 0 else None
        if shape is None:
            raise broken(
                self.path,
                f"has a value of '{field.name}' that does not have the shape {field.shape}",
            )
        return shape

    def _packed(
        self, field: Field, begins: np.ndarray, lengths: np.ndarray, rows: np.ndarray
    ) -> Column:
        found = unpack(self.data, begins, lengths, field.dtype)
        if found is None:
            raise broken(self.path, f"has values of '{field.name}' that are no packed integers")
        values, counts = found
        if not len(rows) or (counts == counts[0]).all():
            shape = self._shape_for(field, int(counts[0]) if len(rows) else 0)
            return values.reshape(len(rows), *shape)
        parts = np.split(values, np.cumsum(counts)[:-1])
        return [part.reshape(self._shape_for(field, len(part))) for part in parts]


def _bytes(data: np.ndarray, begins: np.ndarray, lengths: np.ndarray) -> Column:
    """Byte strings: one array of them where they are equally long, else one array each that shows the file."""
    if len(lengths) and (lengths == lengths[0]).all():
        length = int(lengths[0])
        if not length:
            return np.zeros((len(lengths), 1), "S1")
        return pieces(data, begins, length).view(f"S{length}").reshape(-1, 1)
    return [
        np.ndarray((1,), f"S{length}", data, begin) if length else np.zeros(1, "S1")
        for begin, length in zip(begins.tolist(), lengths.tolist(), strict=True)
    ]
