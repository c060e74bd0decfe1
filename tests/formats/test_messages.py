from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mindspore.formats.messages import Messages

MADE = Messages("test", {
    "Leaf": {"n": (1, "int64"), "x": (2, "double"), "ok": (3, "bool")},
    "Tree": {"leaves": (1, ["Leaf"]), "text": (2, "string", "either"), "raw": (3, "bytes", "either")},
})


@pytest.mark.parametrize(("message", "encoded"), [
    (lambda: MADE.Leaf(n=150), "089601"),
    (lambda: MADE.Leaf(n=-1), "08" + "ff" * 9 + "01"),
    (lambda: MADE.Leaf(x=1.0, ok=True), "11" + "000000000000f03f" + "1801"),
    (lambda: MADE.Tree(leaves=[MADE.Leaf(n=1), MADE.Leaf()]), "0a0208010a00"),
    (lambda: MADE.Tree(text="a"), "120161"),
])
def test_messages_have_the_bytes_of_the_specification(message, encoded):
    assert message().SerializeToString().hex() == encoded
    assert type(message()).FromString(bytes.fromhex(encoded)) == message()


OLDER = Messages("older", {"Leaf": {"n": (1, "required double"), "m": (2, "int64"), "xs": (3, ["packed float"]),
                                    "ys": (4, ["int64"])}}, "proto2")


@pytest.mark.parametrize(("fields", "encoded"), [
    ({"n": 0.0}, "09" + "00" * 8),
    ({"n": 0.0, "m": 0}, "09" + "00" * 8 + "1000"),                      # a zero that was given is stored
    ({"n": 0.0, "xs": [0.0, 1.0]}, "09" + "00" * 8 + "1a08" + "00000000" + "0000803f"),
    ({"n": 0.0, "ys": [1, 2]}, "09" + "00" * 8 + "20012002"),
])
def test_messages_of_the_older_language_have_the_bytes_of_the_specification(fields, encoded):
    assert OLDER.Leaf(**fields).SerializeToString().hex() == encoded


def test_a_required_field_that_is_missing_is_noticed():
    assert not OLDER.Leaf.FromString(b"\x10\x00").IsInitialized()
    assert OLDER.Leaf.FromString(bytes.fromhex("09" + "00" * 8)).IsInitialized()


def test_a_message_has_one_field_of_a_choice():
    tree = MADE.Tree(text="a")
    tree.raw = b"b"
    assert (tree.WhichOneof("either"), tree.text) == ("raw", "")


def test_messages_that_are_not_in_the_table_are_no_attributes():
    with pytest.raises(AttributeError, match="have no 'Root'"):
        _ = MADE.Root


def test_the_formats_load_no_library_before_it_is_used():
    code = ("import sys, mindspore.formats.tfrecord, mindspore.formats.safetensors, mindspore.formats.checkpoint,"
            "mindspore.formats.events;"
            "print([n for n in ('google.protobuf', 'google_crc32c', 'safetensors', 'msgpack') if n in sys.modules])")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
