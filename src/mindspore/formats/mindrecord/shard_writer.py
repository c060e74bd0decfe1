"""Writing one data file and its index: pages are filled as rows come, the header is written at the end."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from mindspore.formats import files
from mindspore.formats.mindrecord import index
from mindspore.formats.mindrecord.errors import MRMWriteDatasetError
from mindspore.formats.mindrecord.header import BLOB, RAW, Header, Page, header_bytes
from mindspore.formats.mindrecord.row import EncodedRow

_SEALED = ".sealed"  # ends the name of a file that is being encrypted
Seal = Callable[[str, BinaryIO], None]  # encrypts a file (a path) into an open one


class ShardWriter:
    """A data file that does not exist yet, and its index beside it.

    Args:
        path: Where to write the data file.
        header: Sizes, schema and index fields; its pages are filled.
        name: The path that it will have, for errors.
        source: A data file to append to and its index, whose rows come first.
    """

    def __init__(self, path: str, header: Header, name: str, source: tuple[str, str] | None = None):
        self.path, self.header, self.name = path, header, name
        self._index = index.IndexWriter(index.index_path(path))
        self._file: Any = None
        try:
            if source is None:
                self._file = open(path, "xb")  # noqa: SIM115 - closed by `finish` or `close`
                fields = [header.schema.fields[name] for name in header.index_fields]
                self._index.create(os.path.basename(path), fields)
            else:
                files.copy_sparse(source[0], path)
                self._file = open(path, "r+b")  # noqa: SIM115 - as above
                self._index.go_on(source[1])
        except BaseException:  # raised again, without an open file
            self.close()
            raise
        groups = header.groups()
        self._rows = header.rows
        self._blob = groups[-1].blob.page if groups else -1  # number of the last blob page
        raws = [number for number, page in enumerate(header.pages) if page.kind == RAW]
        self._raw = raws[-1] if raws else -1
        self._group = len(groups) - 1  # number of the last group

    def write(self, rows: Sequence[EncodedRow]) -> None:
        """Add rows: to the last group while there is room in both its pages, then to new groups.

        All blob pages of a call come before its raw pages, as in the original.

        Raises:
            MRMWriteDatasetError: A row is larger than a page.
        """
        size = self.header.page_size
        for row in rows:
            if max(len(row.raw), len(row.blob)) > size:
                raise MRMWriteDatasetError(
                    f"A row needs {max(len(row.raw), len(row.blob))} bytes, but a page has {size}. Call "
                    "'set_page_size' with a larger number before writing."
                )
        going_on, rest = self._fitting(rows)
        groups = _groups(rest, size)
        blob_places, raw_places = [], []
        if going_on:
            blob_places += self._put(self._blob, [row.blob for row in going_on])
            self.header.pages[self._blob].end += len(going_on)
        first = self._rows + len(going_on)
        for group in groups:
            self._blob = self._new_page(Page(BLOB, self._group + 1, first, first + len(group)))
            self._group += 1
            blob_places += self._put(self._blob, [row.blob for row in group])
            first += len(group)
        numbers = [self._group - len(groups)] * len(going_on)
        if going_on:
            raw_places += self._put(self._raw, [row.raw for row in going_on])
        for number, group in enumerate(groups, self._group - len(groups) + 1):
            raw_places += self._put_group(number, [row.raw for row in group])
            numbers += [number] * len(group)
        self._record(rows, raw_places, blob_places, numbers)

    def _fitting(
        self, rows: Sequence[EncodedRow]
    ) -> tuple[Sequence[EncodedRow], Sequence[EncodedRow]]:
        """The rows for which there is room in the pages of the last group, and the others."""
        if self._blob < 0:
            return [], rows
        blob, raw = (self.header.pages[number].used for number in (self._blob, self._raw))
        for count, row in enumerate(rows):
            blob, raw = blob + len(row.blob), raw + len(row.raw)
            if max(blob, raw) > self.header.page_size:
                return rows[:count], rows[count:]
        return rows, []

    def _new_page(self, page: Page) -> int:
        self.header.pages.append(page)
        return len(self.header.pages) - 1

    def _put_group(self, group: int, contents: list[bytes]) -> list[tuple[int, int, int]]:
        """Write the raw rows of a new group to the last raw page or, without room there, to a new one."""
        size, page = sum(map(len, contents)), self.header.pages[self._raw]
        if self._raw < 0 or page.used + size > self.header.page_size:
            self._raw = self._new_page(Page(RAW, self._raw + 1, groups=[(group, 0)]))
        else:
            page.groups.append((group, page.used))
        return self._put(self._raw, contents)

    def _put(self, number: int, contents: list[bytes]) -> list[tuple[int, int, int]]:
        """Append to a page; for each content the page, where it begins and where it ends."""
        page, places = self.header.pages[number], []
        self._file.seek(self.header.position(number) + page.used)
        self._file.write(b"".join(contents))
        for content in contents:
            places.append((number, page.used, page.used + len(content)))
            page.used += len(content)
        return places

    def _record(
        self,
        rows: Sequence[EncodedRow],
        raws: list[tuple[int, int, int]],
        blobs: list[tuple[int, int, int]],
        groups: list[int],
    ) -> None:
        names = self.header.index_fields
        self._index.add(
            (number, *raw, *blob, group, *(row.values[name] for name in names))
            for number, raw, blob, group, row in zip(
                range(self._rows, self._rows + len(rows)), raws, blobs, groups, rows, strict=True
            )
        )
        self._rows += len(rows)

    def finish(self, seal: Seal | None = None) -> None:
        """Complete both files, encrypted by `seal`."""
        content = header_bytes(self.header)
        self._file.seek(0)
        self._file.write(content)
        self._file.close()
        self._index.finish()
        if seal is None:
            return
        for path in (self.path, self._index.path):
            sealed = path + _SEALED
            with open(sealed, "x+b") as file:
                seal(path, file)
            os.replace(sealed, path)

    def close(self) -> None:
        """Let go of both files, complete or not."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # what could not be written is of no use any more
                self._file.close()
        with contextlib.suppress(sqlite3.Error):
            self._index.close()


def _groups(rows: Sequence[EncodedRow], size: int) -> list[Sequence[EncodedRow]]:
    """Rows cut into groups whose blobs, and whose raw rows, fit into a page."""
    groups, begin, blob, raw = [], 0, 0, 0
    for number, row in enumerate(rows):
        blob, raw = blob + len(row.blob), raw + len(row.raw)
        if max(blob, raw) > size:
            groups.append(rows[begin:number])
            begin, blob, raw = number, len(row.blob), len(row.raw)
    return [*groups, rows[begin:]] if len(rows) else groups
