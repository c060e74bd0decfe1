"""JSON texts that are none."""

from __future__ import annotations

import pytest

from mindspore.core.json_text import parsed, read, writable


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, b"\xff", "", "{", "9" * 5000])
def test_all_that_is_wrong_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 - of the parser, in words of its own
        parsed(text)


def test_values_are_those_of_json():
    assert parsed(b'[1, {"a": null}]') == [1, {"a": None}]


def test_a_file_has_a_largest_size(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": [1]}')
    assert read(path) == {"a": [1]}
    assert read(str(path), 10) == {"a": [1]}
    with pytest.raises(ValueError, match="10 bytes, more than 9"):
        read(path, 9)


@pytest.mark.parametrize("text", [b'"\\ud800"', b'{"a": ["\\uDFFFx"]}', b'"\xed\xa0\x80"'])
def test_halves_of_characters_cannot_be_written_again(text):
    with pytest.raises(ValueError, match=r"surrogates not allowed|invalid continuation byte"):
        writable(text, parsed(text))


def test_whole_characters_in_two_parts_can():
    text = b'["\\ud83d\\ude00", "\xc3\xa4"]'
    assert writable(text, parsed(text)) == ["\U0001f600", "\u00e4"]
