from __future__ import annotations

import io
import struct

import numpy as np
import pytest

from mindspore.formats.tfrecord import EXAMPLE, RecordError, features, frame, masked_crc, records
from mindspore.formats.wire import bytes_field, varint


def test_the_checksum_is_that_of_the_specification():
    """The check value of CRC-32C is 0xE3069283."""
    rotated = (0xE3069283 >> 15 | 0xE3069283 << 17) % 2**32
    assert (masked_crc(b"123456789") - 0xA282EAD8) % 2**32 == rotated


def test_records_come_back():
    wanted = [b"", b"a", bytes(1000)]
    data = b"".join(map(frame, wanted))
    assert list(records(io.BytesIO(data))) == wanted
    assert data[:8] == struct.pack("<Q", 0)


@pytest.mark.parametrize(("change", "message"), [
    (lambda d: d[:5], "frame 0 is none"),
    (lambda d: b"x" + d[1:], "frame 0 is none"),
    (lambda d: d + d[:-1], "cut off in record 1"),
    (lambda d: d[:13] + b"?" + d[14:], "record 0 is damaged"),
    (lambda d: d[:-1] + bytes([d[-1] ^ 1]), "record 0 is damaged"),
])  # fmt: skip
def test_damage_of_any_part_of_a_frame_is_noticed(change, message):
    with pytest.raises(RecordError, match=message):
        list(records(io.BytesIO(change(frame(b"record")))))


def feature(number, values):
    return bytes_field(2, bytes_field(number, values))


def example(**named):
    entries = [bytes_field(1, bytes_field(1, name.encode()) + value) for name, value in named.items()]
    return bytes_field(1, b"".join(entries))


@pytest.mark.parametrize(("encoded", "kind", "wanted"), [
    (feature(1, bytes_field(1, b"ab") + bytes_field(1, b"")), "uint8", [b"ab", b""]),
    (feature(2, bytes_field(1, struct.pack("<2f", 0.5, -1.0))), "float32", [0.5, -1.0]),
    (feature(2, b"\x0d" + struct.pack("<f", 2.0)), "float32", [2.0]),                       # not packed
    (feature(3, bytes_field(1, varint(-1) + varint(2**63 - 1))), "int64", [-1, 2**63 - 1]),
    (feature(3, b"\x08\x05"), "int64", [5]),
    (feature(3, b""), "int64", []),
])  # fmt: skip
def test_features_are_read_from_their_bytes(encoded, kind, wanted):
    values = features(example(v=encoded))["v"]
    assert values.kind == np.dtype(kind)
    assert list(values.content) == wanted


def test_a_feature_without_a_list_has_no_kind():
    assert features(example(v=bytes_field(2, b"")))["v"].kind is None


@pytest.mark.parametrize("record", [b"\x0a\x05abc", b"\x08\x01", b"\x12\x00", example(**{"a": b""})[:-1],
                                    bytes_field(1, bytes_field(1, bytes_field(1, b"\xff")))])
def test_what_is_no_example_is_refused(record):
    with pytest.raises(RecordError, match=r"must be a tf\.train\.Example"):
        features(record)


def test_examples_are_written_as_they_are_read():
    entry = EXAMPLE.Entry(key="v", value=EXAMPLE.Feature(int64_list=EXAMPLE.Int64List(value=[1, 300])))
    content = EXAMPLE.Example(features=EXAMPLE.Features(feature=[entry])).SerializeToString()
    assert content == example(v=feature(3, bytes_field(1, varint(1) + varint(300))))


@pytest.mark.parametrize("length", [2**30, 2**40, 2**62, 2**64 - 1])
def test_a_length_beyond_the_file_takes_no_memory(length):
    head = length.to_bytes(8, "little")
    content = head + struct.pack("<I", masked_crc(head)) + b"short"
    with pytest.raises(RecordError, match="cut off in record 0"):
        list(records(io.BytesIO(content)))


def test_long_records_are_read_whole():
    record = bytes(2**24 - 4) + b"12345678" * 3
    assert list(records(io.BytesIO(frame(record) + frame(b"a")))) == [record, b"a"]
