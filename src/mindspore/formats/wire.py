"""Protocol-buffer wire format: the part that the file formats need.

For checkpoints, whose contents stay views of the file; the library `protobuf` copies them, and refuses messages above
2 GB. Everything else is in `messages`.

Source: Protocol Buffers encoding specification. A message is a sequence of fields; a field is a varint
`number << 3 | kind` and a value: kind 0 varint, 1 eight bytes, 2 varint length and bytes, 5 four bytes.
"""
from __future__ import annotations

from collections.abc import Iterator

VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES = 0, 1, 2, 5
_FIXED = {EIGHT_BYTES: 8, FOUR_BYTES: 4}


class WireError(ValueError):
    """Bytes that are no message, or end inside a field."""


def varint(value: int) -> bytes:
    """`value` in base 128, low digits first; negative numbers as their 64-bit two's complement."""
    value &= 2**64 - 1
    digits = bytearray()
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    digits.append(value)
    return bytes(digits)


def read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """The number at position `at` and the position after it."""
    value = shift = 0
    while shift < 70:
        if at >= len(data):
            raise WireError(f"a number is cut off at byte {at}")
        digit = data[at]
        at += 1
        value |= (digit & 127) << shift
        if digit < 128:
            return value & (2**64 - 1), at
        shift += 7
    raise WireError(f"a number of more than ten bytes ends at byte {at}")


def signed(value: int) -> int:
    """A varint as int64."""
    return value - 2**64 if value >> 63 else value


def varint_field(number: int, value: int) -> bytes:
    """A field that holds an integer."""
    return varint(number << 3) + varint(value)


def bytes_head(number: int, length: int) -> bytes:
    """What precedes `length` bytes of a text, byte string or message in field `number`."""
    return varint(number << 3 | BYTES) + varint(length)


def bytes_field(number: int, value: bytes) -> bytes:
    """A field that holds a byte string, a text in UTF-8 or a message."""
    return bytes_head(number, len(value)) + value


def fields(data: memoryview) -> Iterator[tuple[int, int, int | memoryview]]:
    """(number, kind, value) of every field; values of kind 0 are unsigned, all others views of the bytes."""
    at = 0
    while at < len(data):
        start = at
        head, at = read_varint(data, at)
        number, kind = head >> 3, head & 7
        if not number:
            raise WireError(f"field number 0 at byte {start}")
        if kind == VARINT:
            value, at = read_varint(data, at)
            yield number, kind, value
            continue
        if kind == BYTES:
            length, at = read_varint(data, at)
        elif kind in _FIXED:
            length = _FIXED[kind]
        else:
            raise WireError(f"unknown kind {kind} of field {number} at byte {start}")
        if at + length > len(data):
            raise WireError(f"field {number} at byte {start} needs {length} bytes, but {len(data) - at} are left")
        yield number, kind, data[at : at + length]
        at += length
