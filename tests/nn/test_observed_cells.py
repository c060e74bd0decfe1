"""Cells give what was observed in the original: values, types, gradients, refused arguments, statistics kept."""
from __future__ import annotations

import observed
import pytest

TABLES = observed.by_name("observed_nn.txt")


@pytest.mark.parametrize("name", TABLES)
def test_a_cell_gives_what_was_observed(name):
    assert observed.differences(TABLES[name]) == {}
