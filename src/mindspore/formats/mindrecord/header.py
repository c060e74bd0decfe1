"""The header of a data file: a length word and JSON."""

from __future__ import annotations

import itertools
import json
import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mindspore.core.plain_files import regular
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


class Span(NamedTuple):
    """Bytes of a page, from its start."""

    page: int
    begin: int
    end: int


class Group(NamedTuple):
    """The rows `start` to `end`, which have a blob page of their own, and where their raw rows and blobs lie.

    Within a span they follow each other without gap.
    """

    start: int
    end: int
    raw: Span
    blob: Span


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
    size: int = 0  # of what was read: length word and JSON

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

    @property
    def end(self) -> int:
        """Where the file ends: after the last page, or after the header without any."""
        pages = enumerate(self.pages)
        return max((self.position(number) + page.used for number, page in pages), default=self.size)

    def groups(self) -> list[Group]:
        """The groups of rows, in their order.

        Raises:
            ValueError: The pages contradict each other.
        """
        raws: dict[int, Span] = {}
        for number, page in enumerate(self.pages):
            if page.kind == RAW:
                groups, begins = zip(*page.groups, strict=True)
                bounds = [*begins, page.used]
                if begins[0] or bounds != sorted(bounds) or not raws.keys().isdisjoint(groups):
                    raise ValueError(f"page {number} has its groups at {page.groups}")
                spans = itertools.pairwise(bounds)
                raws |= {group: Span(number, *span) for group, span in zip(groups, spans, strict=True)}
        blobs = [(number, page) for number, page in enumerate(self.pages) if page.kind == BLOB]
        blobs.sort(key=lambda item: item[1].start)
        if [page.kind_id for _, page in blobs] != sorted(raws) or sorted(raws) != list(range(len(raws))):
            raise ValueError("blob pages and raw pages have different groups")
        found = [Group(p.start, p.end, raws[p.kind_id], Span(n, 0, p.used)) for n, p in blobs]
        for group, start in zip(found, [0, *(group.end for group in found)], strict=False):
            if group.start != start or not 0 < (group.end - start) * WORD <= group.blob.end:
                raise ValueError(f"the rows from {start} on are not in their pages")
        return found

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


def read_header(path: str, name: str | None = None) -> Header:
    """The header of the data file `path`, which errors call `name`.

    Raises:
        MindRecordFileError: The file is missing, or its header is damaged or of an unknown version.
    """
    name = name or path
    try:
        size = os.path.getsize(path)
        with open(path, "rb", opener=regular) as file:
            word = file.read(WORD)
            length = int.from_bytes(word, "little")
            if len(word) < WORD:
                raise broken(name, f"has {size} bytes, fewer than the length of a header takes")
            if length + WORD > min(size, HEADER_SIZES[1]):
                raise broken(name, f"has a header of {length} bytes, which is more than can be")
            text = file.read(length)
    except OSError as error:
        raise MindRecordFileError(f"The file '{name}' cannot be read: {error.strerror}.") from None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise broken(name, f"has a header that is no JSON ({error})") from None
    try:
        header = _parsed(content, name)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        what = f"{type(error).__name__}: {error}"
        raise broken(name, f"has a header with missing or wrong entries ({what})") from None
    header.size = WORD + length
    return header


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
    known = {raw.name for raw in schema.raws}
    if not known.issuperset(index_fields) or len(set(index_fields)) < len(index_fields):
        raise broken(path, f"has the index fields {index_fields}, unlike its schema")
    header = Header(
        schema=schema,
        index_fields=index_fields,
        shard_addresses=[_base_name(name, path) for name in content["shard_addresses"]],
        shard_id=_whole(content["shard_id"]),
        desc=described["desc"],
        header_size=content["header_size"],
        page_size=content["page_size"],
        compression_size=_whole(content.get("compression_size", 0), -(2**63)),
        pages=_pages(content["page"] or [], content["page_size"], path),
        version=version,
    )
    if header.shard_id >= len(header.shard_addresses) or not isinstance(header.desc, str):
        raise broken(path, "has a header with a wrong number of its file or a description that is no text")
    try:
        header.groups()
    except ValueError as error:
        raise broken(path, f"has a header with wrong pages: {error}") from None
    return header


def _whole(value: Any, low: int = 0) -> int:
    """A whole number."""
    if type(value) is not int or not low <= value < 2**63:
        raise TypeError(f"{value!r} is no int from {low} on")
    return value


def _base_name(name: Any, path: str) -> str:
    """The name of a file of the set, which lies in the same folder."""
    if not isinstance(name, str) or not name or os.path.basename(name) != name:
        raise broken(path, f"names a file {name!r} of its set, which is none of the same folder")
    return name


def _pages(entries: list[dict[str, Any]], page_size: int, path: str) -> list[Page]:
    pages = []
    for number, entry in enumerate(sorted(entries, key=lambda e: e["page_id"])):
        groups = [(_whole(group["id"]), _whole(group["offset"])) for group in entry["row_group_ids"]]
        kind_id, start, end, used = (
            _whole(entry[name]) for name in ("page_type_id", "start_row_id", "end_row_id", "page_size")
        )
        page = Page(entry["page_type"], kind_id, start, end, groups, used)
        if entry["page_id"] != number or page.kind not in (BLOB, RAW) or not groups:
            raise broken(path, f"has no sound page {number}: {entry}")
        if page.used > page_size or page.start > page.end:
            raise broken(path, f"has a page {number} with impossible numbers: {entry}")
        pages.append(page)
    return pages
