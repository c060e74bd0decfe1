"""Functions of `mindspore.ops` give what was observed in the original: values, types, gradients, refused arguments."""
from __future__ import annotations

import observed
import pytest

TABLES = observed.by_name("observed_ops.txt")


@pytest.mark.parametrize("name", TABLES)
def test_a_function_gives_what_was_observed(name):
    assert observed.differences(TABLES[name]) == {}
