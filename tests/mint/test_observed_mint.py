"""Functions of `mint` give what was observed in the original: values, types, gradients, refused arguments."""
from __future__ import annotations

import observed
import pytest

TABLE = observed.by_name("observed_mint.txt")


@pytest.mark.parametrize("name", TABLE)
def test_a_function_gives_what_was_observed(name):
    assert observed.differences(TABLE[name]) == {}
