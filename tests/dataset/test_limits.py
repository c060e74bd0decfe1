"""Arguments of data operations begin and cease to be accepted at the numbers that were observed in the original."""
from __future__ import annotations

import limits
import pytest

TABLE = limits.by_name()


@pytest.mark.parametrize("name", TABLE)
def test_numbers_are_refused_from_the_observed_ones_on(name):
    with limits.silent():
        found = {template: limits.differences(template, pairs) for template, pairs in TABLE[name].items()}
    assert {template: numbers for template, numbers in found.items() if numbers} == {}


def test_a_limit_is_found_and_a_moved_one_is_seen():
    template = "vision.Posterize(bits=V)"
    assert list(limits.changes(template, whole=True)) == ["-1|0+", "8+|9"]
    assert limits.differences(template, "-1|0+ 8+|9") == []
    assert limits.differences(template, "-2|-1+ 7+|8") == ["-1+", "8"]
