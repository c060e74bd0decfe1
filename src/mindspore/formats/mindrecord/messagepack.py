"""Raw rows: maps from field name to number or text, in MessagePack.

Source: the MessagePack specification; keys sorted, numbers in the shortest form, a float in single precision where that
is exact. Maps are written by the library `msgpack`. They are read here, field by field for all rows at once: the
library reads one map after the other into objects of Python.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import msgpack
import numpy as np

from mindspore.formats.mindrecord.gather import numbers, pieces
from mindspore.formats.mindrecord.schema import Field

Ranges = tuple[np.ndarray, np.ndarray]  # where texts begin, and their lengths in bytes
_SINGLE, _LARGEST = struct.Struct(">f"), 3.4028234663852886e38  # the largest number in single precision


NO_FIELDS = b"\x81\xa2id\x00"  # a map without entries
_pack = msgpack.Packer().pack
_pack_single = msgpack.Packer(use_single_float=True).pack


def map_bytes(fields: Sequence[Field], values: Sequence[Any]) -> bytes:
    """A map; the fields are in name order."""
    entries = [_pack(field.name) + _value(v) for field, v in zip(fields, values, strict=True)]
    return _map_head(len(entries)) + b"".join(entries)


def _map_head(count: int) -> bytes:
    return msgpack.Packer().pack_map_header(count)


def _value(value: Any) -> bytes:
    """A text or number; a float in single precision where that is exact."""
    if isinstance(value, float) and abs(value) <= _LARGEST and _SINGLE.unpack(_SINGLE.pack(value))[0] == value:
        return _pack_single(value)
    return _pack(value)


# What a tag says: (bytes of the number or length after it, type of that), or the value itself for short ones.
_FIXED_INT, _FIXED_TEXT, _NOTHING = -1, -2, -3
_AFTER = {
    0xCC: ">u1", 0xCD: ">u2", 0xCE: ">u4", 0xCF: ">u8", 0xD0: ">i1", 0xD1: ">i2", 0xD2: ">i4",
    0xD3: ">i8", 0xCA: ">f4", 0xCB: ">f8", 0xD9: ">u1", 0xDA: ">u2", 0xDB: ">u4",
}  # fmt: skip
_TEXTS, _FLOATS = (0xD9, 0xDA, 0xDB), (0xCA, 0xCB)


def _classes() -> np.ndarray:
    """Of each tag the tag itself, or what it is if the value stands in it."""
    classes = np.full(256, _NOTHING, np.int16)
    classes[:0x80] = classes[0xE0:] = _FIXED_INT
    classes[0xA0:0xC0] = _FIXED_TEXT
    for tag in _AFTER:
        classes[tag] = tag
    return classes


_CLASS = _classes()


class DamagedMap(ValueError):
    """Bytes that are no map of the expected fields."""


def read_maps(
    data: np.ndarray, at: np.ndarray, ends: np.ndarray, fields: Sequence[Field]
) -> dict[str, np.ndarray | Ranges]:
    """Fields of many maps: numbers as arrays (n,) of int64 or float64, texts as their places.

    Args:
        data: Bytes of a file, uint8 (bytes,).
        at, ends: Where each map begins and ends.
        fields: All fields of the maps, in name order.

    Raises:
        DamagedMap: A map does not have just these fields, or ends too early.
    """
    cursor = _expect(data, at, ends, _map_head(len(fields)))
    found: dict[str, np.ndarray | Ranges] = {}
    for field in fields:
        cursor = _expect(data, cursor, ends, _pack(field.name))
        read = _read_texts if field.type == "string" else _read_numbers
        found[field.name], cursor = read(data, cursor, ends, field)
    if (cursor != ends).any():
        raise DamagedMap("a row has more bytes than fields")
    return found


def _expect(data: np.ndarray, at: np.ndarray, ends: np.ndarray, wanted: bytes) -> np.ndarray:
    """The positions after these bytes, which must stand at all positions."""
    after = at + len(wanted)
    if (after > ends).any() or (pieces(data, at, len(wanted)) != np.void(wanted)).any():
        raise DamagedMap(f"a row does not have {wanted!r} where it is expected")
    return after


def _tags(
    data: np.ndarray, cursor: np.ndarray, ends: np.ndarray, field: Field
) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """First byte of each value, the classes of these, and which classes there are."""
    if (cursor >= ends).any():
        raise DamagedMap(f"a row ends before the value of '{field.name}'")
    tags = data[cursor]
    classes = _CLASS[tags]
    return tags, classes, np.unique(classes).tolist()


def _number(
    data: np.ndarray, at: np.ndarray, ends: np.ndarray, form: str, name: str
) -> tuple[np.ndarray, int]:
    width = np.dtype(form).itemsize
    if (at + width > ends).any():
        raise DamagedMap(f"a row ends inside the value of '{name}'")
    return numbers(data, at, form), width


def _read_numbers(
    data: np.ndarray, cursor: np.ndarray, ends: np.ndarray, field: Field
) -> tuple[np.ndarray, np.ndarray]:
    tags, classes, present = _tags(data, cursor, ends, field)
    whole = field.type.startswith("int")
    values, after = np.empty(len(cursor), np.int64 if whole else np.float64), cursor + 1
    for kind in present:
        where = slice(None) if len(present) == 1 else classes == kind
        if kind == _FIXED_INT:
            values[where] = tags[where].view(np.int8)
            continue
        if kind not in _AFTER or kind in _TEXTS or (whole and kind in _FLOATS):
            raise DamagedMap(f"a value of '{field.name}' is no {field.type}")
        number, width = _number(data, after[where], ends[where], _AFTER[kind], field.name)
        values[where] = number.astype(values.dtype)
        after[where] += width
    return values, after


def _read_texts(
    data: np.ndarray, cursor: np.ndarray, ends: np.ndarray, field: Field
) -> tuple[Ranges, np.ndarray]:
    tags, classes, present = _tags(data, cursor, ends, field)
    lengths, starts = np.empty(len(cursor), np.int64), cursor + 1
    for kind in present:
        where = slice(None) if len(present) == 1 else classes == kind
        if kind == _FIXED_TEXT:
            lengths[where] = tags[where] & 31
            continue
        if kind not in _TEXTS:
            raise DamagedMap(f"a value of '{field.name}' is no text")
        number, width = _number(data, starts[where], ends[where], _AFTER[kind], field.name)
        lengths[where] = number
        starts[where] += width
    after = starts + lengths
    if (after > ends).any():
        raise DamagedMap(f"a row ends inside the text of '{field.name}'")
    return (starts, lengths), after
