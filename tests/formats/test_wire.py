from __future__ import annotations

import pytest

from mindspore.formats import wire


@pytest.mark.parametrize(
    ("value", "encoded"), [(0, "00"), (127, "7f"), (128, "8001"), (150, "9601"), (-1, "ff" * 9 + "01")]
)
def test_a_number_has_the_bytes_of_the_specification(value, encoded):
    assert wire.varint(value).hex() == encoded
    found, end = wire.read_varint(memoryview(bytes.fromhex(encoded)), 0)
    assert wire.signed(found) == value
    assert end == len(encoded) // 2


def test_fields_come_back_in_order_with_number_kind_and_value():
    message = wire.varint_field(1, 300) + wire.bytes_field(2, b"abc") + b"\x1d\x01\x02\x03\x04" + b"\x21" + bytes(8)
    found = [(n, k, v if isinstance(v, int) else bytes(v)) for n, k, v in wire.fields(memoryview(message))]
    assert found == [(1, 0, 300), (2, 2, b"abc"), (3, 5, b"\x01\x02\x03\x04"), (4, 1, bytes(8))]


@pytest.mark.parametrize("broken", [b"\x08", b"\x12\x05abc", b"\x1d\x01", b"\x0b", b"\x00\x01", b"\x08" + b"\xff" * 11])
def test_a_message_that_ends_inside_a_field_is_refused(broken):
    with pytest.raises(wire.WireError, match="byte"):
        list(wire.fields(memoryview(broken)))
