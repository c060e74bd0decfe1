"""Records of TFRecord files, as bytes."""

from __future__ import annotations

import struct

from mindspore.formats.tfrecord import frame
from mindspore.formats.wire import bytes_field, varint


def feature(name, value):
    """An entry of an example: bytes, floats or integers; None for one without values."""
    if value is None:
        content = b""
    elif isinstance(value[0], bytes):
        content = bytes_field(1, b"".join(bytes_field(1, v) for v in value))
    elif isinstance(value[0], float):
        content = bytes_field(2, bytes_field(1, struct.pack(f"<{len(value)}f", *value)))
    else:
        content = bytes_field(3, bytes_field(1, b"".join(varint(v) for v in value)))
    return bytes_field(1, bytes_field(1, name.encode()) + bytes_field(2, content))


def framed(*examples):
    """A file of examples."""
    entries = [[feature(name, value) for name, value in example.items()] for example in examples]
    return b"".join([frame(bytes_field(1, b"".join(parts))) for parts in entries])
