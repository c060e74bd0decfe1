"""One row for a file: checked against the schema and turned into bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from mindspore.formats.mindrecord.errors import MRMValidateDataError
from mindspore.formats.mindrecord.messagepack import NO_FIELDS, map_bytes
from mindspore.formats.mindrecord.packing import pack
from mindspore.formats.mindrecord.schema import Field, Schema

_BITS = {"int32": 31, "int64": 63}
_NO_BLOB = bytes(4)  # written for the blobs of a schema without any


class EncodedRow(NamedTuple):
    """Bytes of a row in its raw page and in its blob page, and the values of its raw fields by name."""

    raw: bytes
    blob: bytes
    values: dict[str, Any]
    saved: int  # bytes that packing integers spared


def encode_row(schema: Schema, row: Mapping[str, Any]) -> EncodedRow:
    """A row as version 3.0 stores it. Keys that are no fields are left out.

    Raises:
        MRMValidateDataError: A field is missing or its value does not fit its type and shape.
    """
    values = {raw.name: _scalar(raw, _of(raw, row)) for raw in schema.raws}
    contents, saved = [], 0
    for blob in schema.blobs:
        content, plain = _content(blob, _of(blob, row))
        contents.append(content)
        saved += plain - len(content)
    raw = map_bytes(schema.raws, list(values.values())) if values else NO_FIELDS
    return EncodedRow(_measured(raw), _measured(_joined(contents)), values, saved)


def _of(field: Field, row: Mapping[str, Any]) -> Any:
    try:
        return row[field.name]
    except KeyError:
        raise MRMValidateDataError(f"The field '{field.name}' is missing.") from None


def _measured(content: bytes) -> bytes:
    return len(content).to_bytes(8, "little") + content


def _joined(contents: list[bytes]) -> bytes:
    if not contents:
        return _NO_BLOB
    if len(contents) == 1:
        return contents[0]
    return b"".join(part for c in contents for part in (len(c).to_bytes(8, "big"), c))


def _wrong(field: Field, wanted: str, value: Any) -> MRMValidateDataError:
    shown = repr(value)
    shown = shown if len(shown) <= 40 else shown[:37] + "..."
    return MRMValidateDataError(
        f"The field '{field.name}' must be {wanted}, but got {shown} of type '{type(value).__name__}'."
    )


def _scalar(field: Field, value: Any) -> Any:
    if field.type == "string":
        return _text(field, value)
    wanted, kind = (float, "a float") if field.type.startswith("float") else (int, "an int")
    if type(value) is field.dtype.type:
        value = value.item()
    if type(value) is not wanted:
        raise _wrong(field, f"{kind} or {field.type}", value)
    if wanted is int and not -(2 ** _BITS[field.type]) <= value < 2 ** _BITS[field.type]:
        raise _wrong(field, f"an int that {field.type} can hold", value)
    return value


def _text(field: Field, value: Any) -> str:
    if type(value) is not str:
        raise _wrong(field, "a str", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _wrong(field, "a str that UTF-8 can hold", value) from None
    return value


def _content(field: Field, value: Any) -> tuple[bytes, int]:
    """Bytes of a blob field, and how many they are without packing."""
    if field.type == "bytes":
        if not isinstance(value, bytes):
            raise _wrong(field, "bytes", value)
        return value, len(value)
    if not isinstance(value, np.ndarray) or value.dtype != field.dtype:
        raise _wrong(field, f"an array of {field.type}", value)
    if field.shape_for(value.size) is None:
        raise _wrong(field, f"an array of the shape {list(field.shape or ())}", value)
    if field.is_packed:
        return pack(value), value.nbytes
    return value.astype(field.dtype, copy=False).tobytes(), value.nbytes
