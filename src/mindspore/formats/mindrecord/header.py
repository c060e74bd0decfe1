"""The header of a data file: a length word and JSON."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

from mindspore.formats.mindrecord.errors import (
    MindRecordException,
    MindRecordFileError,
    MRMSetHeaderError,
)
from mindspore.formats.mindrecord.schema import Schema, parse_schema

VERSIONS = ("2.0", "3.0")
BLOB, RAW = "BLOB_DATA", "RAW_DATA"
HEADER_SIZES = 2**14, 2**27  # least and most bytes of the header area
PAGE_SIZES = 2**15, 2**28
HEADER_SIZE, PAGE_SIZE = 2**24, 2**25  # the defaults
WORD = 8  # bytes of a length word


@dataclass
class Page:
    """A page: blob pages hold the rows `start` to `end`, raw pages the rows of the groups (number, offset)."""

    kind: str
    kind_id: int
    start: int = 0
    end: int = 0
    groups: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])
    used: int = 0

    def as_json(self, number: int, shard: int) -> dict[str, Any]:
        return {
            "end_row_id": self.end,
            "page_id": number,
            "page_size": self.used,
            "page_type": self.kind,
            "page_type_id": self.kind_id,
            "row_group_ids": [{"id": group, "offset": offset} for group, offset in self.groups],
            "shard_id": shard,
            "start_row_id": self.start,
        }


@dataclass
class Header:
    """What a data file says about itself and its set."""

    schema: Schema
    index_fields: list[str]
    shard_addresses: list[str]
    shard_id: int = 0
    desc: str = ""
    header_size: int = HEADER_SIZE
    page_size: int = PAGE_SIZE
    compression_size: int = 0
    pages: list[Page] = field(default_factory=list)
    version: str = "3.0"

    @property
    def is_packed(self) -> bool:
        """Whether arrays of integers are packed."""
        return self.version == "3.0"

    @property
    def rows(self) -> int:
        """Number of rows of the file."""
        return max((page.end for page in self.pages if page.kind == BLOB), default=0)

    def position(self, page: int) -> int:
        """Where a page begins in the file."""
        return self.header_size + page * self.page_size

    def blob_groups(self) -> list[tuple[int, Page]]:
        """Numbers and pages of the blob pages, in the order of their rows."""
        found = [(number, page) for number, page in enumerate(self.pages) if page.kind == BLOB]
        return sorted(found, key=lambda item: item[1].start)

    def kinship(self) -> tuple[Any, ...]:
        """What all files of a set have in common."""
        return self.header_size, self.page_size, self.version, self.index_fields, self.schema


def header_bytes(header: Header) -> bytes:
    """Length word and JSON, keys in the order of the original.

    Raises:
        MRMSetHeaderError: They do not fit into the header area.
    """
    pages = [page.as_json(number, header.shard_id) for number, page in enumerate(header.pages)]
    schema = {
        "blob_fields": [blob.name for blob in header.schema.blobs],
        "desc": header.desc,
        "schema": header.schema.as_json(),
    }
    content = {
        "header_size": header.header_size,
        "index_fields": [{"index_field": name, "schema_id": 0} for name in header.index_fields]
        or None,
        "page": pages or None,
        "page_size": header.page_size,
        "compression_size": header.compression_size,
        "schema": [schema],
        "shard_addresses": header.shard_addresses,
        "shard_id": header.shard_id,
        "statistics": None,
        "version": header.version,
    }
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
    if WORD + len(text) > header.header_size:
        raise MRMSetHeaderError(
            f"The header needs {WORD + len(text)} bytes, but its area has {header.header_size}. Call "
            "'set_header_size' with a larger number before writing, or 'set_page_size' for fewer pages."
        )
    return len(text).to_bytes(WORD, "little") + text


def read_header(path: str) -> Header:
    """The header of the data file `path`.

    Raises:
        MindRecordFileError: The file is missing, or its header is damaged or of an unknown version.
    """
    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            word = file.read(WORD)
            length = int.from_bytes(word, "little")
            if len(word) < WORD:
                raise broken(path, f"has {size} bytes, fewer than the length of a header takes")
            if length + WORD > min(size, HEADER_SIZES[1]):
                raise broken(path, f"has a header of {length} bytes, which is more than can be")
            text = file.read(length)
    except OSError as error:
        raise MindRecordFileError(f"The file '{path}' cannot be read: {error.strerror}.") from None
    try:
        content = json.loads(text)
    except ValueError as error:
        raise broken(path, f"has a header that is no JSON ({error})") from None
    try:
        return _parsed(content, path)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        what = f"{type(error).__name__}: {error}"
        raise broken(path, f"has a header with missing or wrong entries ({what})") from None


def broken(path: str, what: str) -> MindRecordFileError:
    """The error that `path` is no sound MindRecord file."""
    return MindRecordFileError(f"The file '{path}' is damaged or no MindRecord file: it {what}.")


def _parsed(content: dict[str, Any], path: str) -> Header:
    version = content["version"]
    if version not in VERSIONS:
        raise MindRecordFileError(
            f"The file '{path}' has the version {version!r}, but only {' and '.join(VERSIONS)} can be read."
        )
    sizes = {"header_size": HEADER_SIZES, "page_size": PAGE_SIZES}
    for name, (low, high) in sizes.items():
        if type(content[name]) is not int or not low <= content[name] <= high:
            raise broken(path, f"has the {name} {content[name]!r}, not in [{low}, {high}]")
    if len(content["schema"]) != 1:
        raise broken(path, f"has {len(content['schema'])} schemas instead of one")
    described = content["schema"][0]
    try:
        schema = parse_schema(described["schema"])
    except MindRecordException as error:
        raise broken(path, f"has a wrong schema: {error.error_msg}") from None
    if sorted(described["blob_fields"]) != [blob.name for blob in schema.blobs]:
        raise broken(path, f"has the blob fields {described['blob_fields']}, unlike its schema")
    index_fields = [entry["index_field"] for entry in content["index_fields"] or []]
    if not set(index_fields) <= {raw.name for raw in schema.raws}:
        raise broken(path, f"has the index fields {index_fields}, unlike its schema")
    return Header(
        schema=schema,
        index_fields=index_fields,
        shard_addresses=[str(name) for name in content["shard_addresses"]],
        shard_id=int(content["shard_id"]),
        desc=described["desc"],
        header_size=content["header_size"],
        page_size=content["page_size"],
        compression_size=int(content.get("compression_size", 0)),
        pages=_pages(content["page"] or [], content["page_size"], path),
        version=version,
    )


def _pages(entries: list[dict[str, Any]], page_size: int, path: str) -> list[Page]:
    pages = []
    for number, entry in enumerate(sorted(entries, key=lambda e: e["page_id"])):
        groups = [(int(group["id"]), int(group["offset"])) for group in entry["row_group_ids"]]
        page = Page(
            entry["page_type"],
            int(entry["page_type_id"]),
            int(entry["start_row_id"]),
            int(entry["end_row_id"]),
            groups,
            int(entry["page_size"]),
        )
        if entry["page_id"] != number or page.kind not in (BLOB, RAW):
            raise broken(path, f"has no sound page {number}: {entry}")
        if not 0 <= page.used <= page_size or not 0 <= page.start <= page.end:
            raise broken(path, f"has a page {number} with impossible numbers: {entry}")
        pages.append(page)
    ends = [0]
    for page in sorted((p for p in pages if p.kind == BLOB), key=lambda p: p.start):
        if page.start != ends[-1]:
            raise broken(path, f"has no page for row {ends[-1]}")
        ends.append(page.end)
    return pages
