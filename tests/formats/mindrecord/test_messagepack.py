from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindspore.formats.mindrecord.messagepack import DamagedMap, map_bytes, read_maps
from mindspore.formats.mindrecord.schema import Field

INT, FLOAT, TEXT = Field("i", "int64"), Field("f", "float64"), Field("s", "string")


def read(contents, fields):
    data = np.frombuffer(b"".join(contents), np.uint8)
    lengths = np.array([len(c) for c in contents])
    ends = np.cumsum(lengths)
    found = read_maps(data, ends - lengths, ends, fields)
    return {
        name: [bytes(data[b : b + n]).decode() for b, n in zip(*v, strict=True)]
        if isinstance(v, tuple)
        else v.tolist()
        for name, v in found.items()
    }


@pytest.mark.parametrize(
    ("value", "content"),
    [
        (0, b"\x00"),
        (127, b"\x7f"),
        (128, b"\xcc\x80"),
        (256, b"\xcd\x01\x00"),
        (2**16, b"\xce\x00\x01\x00\x00"),
        (2**32, b"\xcf\x00\x00\x00\x01\x00\x00\x00\x00"),
        (-1, b"\xff"),
        (-32, b"\xe0"),
        (-33, b"\xd0\xdf"),
        (-129, b"\xd1\xff\x7f"),
        (-(2**31), b"\xd2\x80\x00\x00\x00"),
        (-(2**31) - 1, b"\xd3" + struct.pack(">q", -(2**31) - 1)),
        (0.5, b"\xca" + struct.pack(">f", 0.5)),
        (0.1, b"\xcb" + struct.pack(">d", 0.1)),
        (1e300, b"\xcb" + struct.pack(">d", 1e300)),
        (float("inf"), b"\xcb" + struct.pack(">d", float("inf"))),
        ("ä", b"\xa2\xc3\xa4"),
        ("x" * 32, b"\xd9\x20" + b"x" * 32),
        ("x" * 256, b"\xda\x01\x00" + b"x" * 256),
        ("x" * 65536, b"\xdb\x00\x01\x00\x00" + b"x" * 65536),
    ],
)
def test_values_take_the_shortest_form(value, content):
    kind = {int: "int64", float: "float64", str: "string"}[type(value)]
    whole = map_bytes([Field("a", kind)], [value])
    assert whole == b"\x81\xa1a" + content
    assert read([whole], [Field("a", kind)]) == {"a": [value]}


def test_more_than_fifteen_fields_need_a_longer_head():
    fields = [Field(f"f{i:02d}", "int64") for i in range(16)]
    content = map_bytes(fields, list(range(16)))
    assert content[:3] == b"\xde\x00\x10"
    assert read([content], fields)["f15"] == [15]


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.floats(allow_nan=False), st.integers(-(2**63), 2**63 - 1), st.text(max_size=40)
        ),
        min_size=1,
        max_size=6,
    )
)
def test_maps_of_any_values_come_back_together(rows):
    fields = [FLOAT, INT, TEXT]
    found = read([map_bytes(fields, row) for row in rows], fields)
    assert list(zip(found["f"], found["i"], found["s"], strict=True)) == rows


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x81",
        b"\x82\xa1i\x01",
        b"\x81\xa1j\x01",
        b"\x81\xa1i",
        b"\x81\xa1i\xcd\x01",
        b"\x81\xa1i\xa1x",
        b"\x81\xa1i\xca\x00\x00\x00\x00",
        b"\x81\xa1i\xc0",
        b"\x81\xa1i\x01\x00",
    ],
)
def test_other_bytes_are_noticed(content):
    with pytest.raises(DamagedMap):
        read([content], [INT])


@pytest.mark.parametrize(
    "content", [b"\x81\xa1s\x01", b"\x81\xa1s\xa5ab", b"\x81\xa1s\xd9", b"\x81\xa1s\xd9\x09a"]
)
def test_damaged_texts_are_noticed(content):
    with pytest.raises(DamagedMap):
        read([content], [TEXT])
