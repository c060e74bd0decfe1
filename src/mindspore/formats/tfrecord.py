"""TFRecord files: framed records, and the messages (`Example`) that those of data sets hold.

A frame is a length of eight bytes, its checksum, the record and its checksum, all little endian. A checksum is a
CRC-32C (Castagnoli), rotated by 15 bits and shifted by a constant. Event files of summaries have the same frames.

Source: TensorFlow's documentation of TFRecord and tf.train.Example.
"""
from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

import numpy as np

from mindspore.formats.messages import Messages

_HEAD, _SUM = struct.Struct("<QI"), struct.Struct("<I")
_PIECE = 2**24  # bytes that are read at once
KINDS = {"bytes_list": np.dtype(np.uint8), "float_list": np.dtype("<f4"), "int64_list": np.dtype("<i8")}

EXAMPLE = Messages("tensorflow", {
    "Example": {"features": (1, "Features")},
    "Features": {"feature": (1, ["Entry"])},
    "Entry": {"key": (1, "string"), "value": (2, "Feature")},
    "Feature": {
        "bytes_list": (1, "BytesList", "kind"),
        "float_list": (2, "FloatList", "kind"),
        "int64_list": (3, "Int64List", "kind"),
    },
    "BytesList": {"value": (1, ["bytes"])},
    "FloatList": {"value": (1, ["float"])},
    "Int64List": {"value": (1, ["int64"])},
})  # fmt: skip


class RecordError(ValueError):
    """A file that has no frames, is cut off or damaged, or a record that is no `Example`."""


class Values(NamedTuple):
    """The values of a feature.

    Attributes:
        kind: Type of one element: uint8 for byte strings, float32 or int64; None if the feature has no list.
        content: A list of byte strings, or an array.
    """

    kind: np.dtype | None
    content: Any


def masked_crc(data: bytes) -> int:
    """CRC-32C of `data`, rotated and shifted as frames store it."""
    import google_crc32c  # compiled; few programs read such files

    crc = google_crc32c.value(bytes(data))
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def frame(record: bytes) -> bytes:
    """A record as a file holds it."""
    length = len(record).to_bytes(8, "little")
    return length + _SUM.pack(masked_crc(length)) + record + _SUM.pack(masked_crc(record))


def records(stream: IO[bytes]) -> Iterator[bytes]:
    """The records of a file, from where the stream stands.

    Raises:
        RecordError: What comes is no frame, is cut off, or has another checksum than it should.
    """
    for number, head in enumerate(iter(lambda: stream.read(_HEAD.size), b"")):
        if len(head) < _HEAD.size or masked_crc(head[:8]) != _HEAD.unpack(head)[1]:
            raise RecordError(f"frame {number} is none: it is damaged, compressed or of another format")
        length = _HEAD.unpack(head)[0]
        content = _up_to(stream, length + _SUM.size)
        if len(content) < length + _SUM.size:
            raise RecordError(f"it is cut off in record {number}")
        record = content[:length]
        if masked_crc(record) != _SUM.unpack_from(content, length)[0]:
            raise RecordError(f"record {number} is damaged: its content does not have its checksum")
        yield record


def _up_to(stream: IO[bytes], length: int) -> bytes:
    """So many bytes, or those that are left; a length that is made up takes no memory."""
    content = stream.read(min(length, _PIECE))
    if len(content) < length and len(content) == _PIECE:
        parts = [content]
        while length > _PIECE and (more := stream.read(min(length - _PIECE, _PIECE))):
            parts.append(more)
            length -= len(more)
        content = b"".join(parts)
    return content


def features(record: bytes) -> dict[str, Values]:
    """The features of an `Example` by name.

    Raises:
        RecordError: The record is no such message.
    """
    from google.protobuf.message import DecodeError  # loaded by need, as the messages are
    from google.protobuf.unknown_fields import UnknownFieldSet

    try:
        example = EXAMPLE.Example.FromString(record)
    except DecodeError as error:
        raise RecordError(f"it must be a tf.train.Example, but: {error}") from None
    if unknown := [field.field_number for field in UnknownFieldSet(example)]:
        raise RecordError(f"it must be a tf.train.Example, which has no field {unknown[0]}")
    return {entry.key: _values(entry.value) for entry in example.features.feature}


def _values(feature: Any) -> Values:
    which = feature.WhichOneof("kind")
    if which is None:
        return Values(None, None)
    kind, value = KINDS[which], getattr(feature, which).value
    return Values(kind, list(value) if which == "bytes_list" else np.array(value, kind))
