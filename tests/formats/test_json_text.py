"""JSON texts that are none."""

from __future__ import annotations

import pytest

from mindspore.formats.json_text import parsed


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, b"\xff", "", "{", "9" * 5000])
def test_all_that_is_wrong_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 - of the parser, in words of its own
        parsed(text)


def test_values_are_those_of_json():
    assert parsed(b'[1, {"a": null}]') == [1, {"a": None}]
