from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindspore.formats.mindrecord.packing import pack, unpack


def test_the_packed_form_is_that_of_the_specification():
    array = np.array([1, -129, 40000, 2**40, -1], np.int64)
    marks = bytes([0b00_01_10_11, 0b00_00_00_00])
    body = b"\x01" + b"\x7f\xff" + b"\x40\x9c\x00\x00" + (2**40).to_bytes(8, "little") + b"\xff"
    assert pack(array) == b"\x00\x00\x00\x05" + marks + body


def unpacked(contents, dtype):
    data = np.frombuffer(b"".join(contents), np.uint8)
    lengths = np.array([len(c) for c in contents])
    return unpack(data, np.cumsum(lengths) - lengths, lengths, np.dtype(dtype))


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=9), min_size=1, max_size=5))
def test_arrays_of_any_lengths_come_back(lists):
    values, counts = unpacked([pack(np.array(part, np.int64)) for part in lists], "<i8")
    assert counts.tolist() == [len(part) for part in lists]
    assert values.tolist() == [number for part in lists for number in part]


def test_arrays_of_one_width_come_back():
    arrays = [np.arange(6, dtype=np.int32) + i for i in range(3)]
    values, counts = unpacked([pack(array) for array in arrays], "<i4")
    assert values.dtype == np.int32
    assert np.array_equal(values.reshape(3, 6), arrays)
    assert counts.tolist() == [6, 6, 6]


@pytest.mark.parametrize(
    "damage", [lambda c: c[:3], lambda c: c[:-1], lambda c: c + b"\x00", lambda c: b"\xff" + c[1:]]
)
def test_damaged_arrays_are_noticed(damage):
    assert unpacked([pack(np.arange(5)), damage(pack(np.arange(5)))], "<i8") is None
