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
from mindspore.formats.mindrecord.gather import numbers, pieces
from mindspore.formats.mindrecord.header import RAW, WORD, Header, Page, broken, read_header
from mindspore.formats.mindrecord.messagepack import DamagedMap, read_maps
from mindspore.formats.mindrecord.packing import unpack
from mindspore.formats.mindrecord.schema import Field

# A column of n rows: an array whose first axis has length n, or a list of n arrays of different shapes.
Column = Any


class Shard:
    """Rows of one data file by number, from 0.

    Args:
        path: The data file.
        name: How errors call it, where `path` is a decrypted copy.

    Raises:
        MindRecordFileError: The file or its index is missing or damaged.
    """

    def __init__(self, path: str, name: str | None = None):
        self.path, self.name = path, name or path
        self.header: Header = read_header(path)
        self.rows = self.header.rows
        self._check_size()
        index.check_index(path, self.rows)
        self._data: np.ndarray | None = None
        self._groups = self.header.blob_groups()
        self._starts = np.array([page.start for _, page in self._groups], np.int64)
        self._known: dict[str, np.ndarray] = {kind: self._flags() for kind in ("raw", "blob")}
        self._values: dict[str, np.ndarray] = {}  # of numeric raw fields
        self._begins: dict[
            str, np.ndarray
        ] = {}  # of all other fields: where each value begins in the file
        self._lengths: dict[str, np.ndarray] = {}
        self._lock = threading.Lock()

    def _check_size(self) -> None:
        """Refuse a file that ends before its pages do."""
        pages = enumerate(self.header.pages)
        end = max((self.header.position(n) + page.used for n, page in pages), default=0)
        size = os.path.getsize(self.path)
        if size < end:
            raise broken(self.name, f"ends at byte {size}, before byte {end}: it is cut off")

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "name": self.name}  # a worker process opens the file anew

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
            return self._values[field.name][rows]
        begins, lengths = self._begins[field.name][rows], self._lengths[field.name][rows]
        if field.type == "bytes":
            return _bytes(self.data, begins, lengths)
        if field.is_packed and self.header.is_packed:
            return self._packed(field, begins, lengths, rows)
        return self._plain(field, begins, lengths, rows)

    def texts(self, field: Field, rows: np.ndarray) -> list[str]:
        """Values of a field of texts."""
        self._load("raw", rows)
        data, begins = self.data.data, self._begins[field.name][rows]
        ends = begins + self._lengths[field.name][rows]
        ranges = zip(begins.tolist(), ends.tolist(), strict=True)
        try:
            return [str(data[begin:end], "utf-8") for begin, end in ranges]
        except UnicodeDecodeError as error:
            raise broken(
                self.name, f"has a text in '{field.name}' that is no UTF-8 ({error})"
            ) from None

    @property
    def data(self) -> np.ndarray:
        """The bytes of the file, read from the disk as they are used."""
        if self._data is None:
            try:
                self._data = np.frombuffer(files.view(self.path), np.uint8)
            except OSError as error:
                raise MindRecordFileError(
                    f"The file '{self.name}' cannot be read: {error.strerror}."
                ) from None
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
                    (self._load_raws if kind == "raw" else self._load_blobs)(*self._groups[group])
                    known[group] = True

    def _array(self, table: dict[str, np.ndarray], name: str, dtype: Any) -> np.ndarray:
        """The array of all rows of a table, made when it is first used: memory is taken as pages are filled."""
        if name not in table:
            table[name] = np.empty(self.rows, dtype)
        return table[name]

    def _load_raws(self, number: int, page: Page) -> None:
        if not self.header.schema.raws:
            return
        places = index.read_places(self.path, page.start, page.end)
        at, ends = self._records(places, RAW, index.RAW_PAGE, index.RAW_BEGIN, index.RAW_END)
        try:
            found = read_maps(self.data, at, ends, self.header.schema.raws)
        except DamagedMap as error:
            raise broken(
                self.name, f"has rows from {page.start} on that cannot be read ({error})"
            ) from None
        for name, values in found.items():
            if isinstance(values, tuple):
                self._store(name, page, *values)
            else:
                self._array(self._values, name, values.dtype)[page.start : page.end] = values

    def _store(self, name: str, page: Page, begins: np.ndarray, lengths: np.ndarray) -> None:
        self._array(self._begins, name, np.int64)[page.start : page.end] = begins
        self._array(self._lengths, name, np.int64)[page.start : page.end] = lengths

    def _load_blobs(self, number: int, page: Page) -> None:
        blobs = self.header.schema.blobs
        if not blobs:
            return
        places = index.read_places(self.path, page.start, page.end)
        if (places[:, index.BLOB_PAGE] != number).any():
            raise broken(self.name, f"has rows of page {number} elsewhere, as its index says")
        kinds = page.kind, index.BLOB_PAGE, index.BLOB_BEGIN, index.BLOB_END
        at, ends = self._records(places, *kinds)
        if len(blobs) == 1:
            self._store(blobs[0].name, page, at, ends - at)
            return
        for blob in blobs:
            if (at + WORD > ends).any():
                raise broken(self.name, f"has rows that end before the field '{blob.name}'")
            lengths = numbers(self.data, at, ">u8").astype(np.int64)
            at = at + WORD
            if (lengths < 0).any() or (lengths > ends - at).any():
                raise broken(self.name, f"has rows that end inside the field '{blob.name}'")
            self._store(blob.name, page, at, lengths)
            at = at + lengths
        if (at != ends).any():
            raise broken(self.name, "has rows with more bytes than fields")

    def _records(
        self, places: np.ndarray, kind: str, page: int, begin: int, end: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Where the contents of rows begin and end in the file, after their length words, which are checked."""
        number, begins, ends = places[:, page], places[:, begin], places[:, end]
        used = self._used(number, kind)
        if (begins < 0).any() or (begins + WORD > ends).any() or (ends > used).any():
            raise broken(self.name, "has an index with places outside of its pages")
        start = self.header.header_size + number * self.header.page_size
        at, ends = start + begins, start + ends
        if len(ends) and int(ends.max()) > len(self.data):  # it became shorter since it was opened
            raise broken(self.name, f"ends at byte {len(self.data)}, before byte {int(ends.max())}")
        lengths = numbers(self.data, at, "<u8").astype(np.int64)
        if (at + WORD + lengths != ends).any():
            raise broken(self.name, "has rows of other lengths than its index says")
        return at + WORD, ends

    def _used(self, numbers: np.ndarray, kind: str) -> np.ndarray:
        """Used bytes of the pages with these numbers, which must be of this kind."""
        sizes = np.array([page.used if page.kind == kind else -1 for page in self.header.pages])
        if (numbers < 0).any() or (numbers >= len(sizes)).any() or (sizes[numbers] < 0).any():
            raise broken(self.name, "has an index that names wrong pages")
        return sizes[numbers]

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
                self.name,
                f"has a value of '{field.name}' that does not have the shape {field.shape}",
            )
        return shape

    def _packed(
        self, field: Field, begins: np.ndarray, lengths: np.ndarray, rows: np.ndarray
    ) -> Column:
        found = unpack(self.data, begins, lengths, field.dtype)
        if found is None:
            raise broken(self.name, f"has values of '{field.name}' that are no packed integers")
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
