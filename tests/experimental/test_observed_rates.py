"""Optimizers of `experimental` and rates that change give what was observed in the original, by group, step by step."""
from __future__ import annotations

import observed
import pytest

TABLE = observed.by_name("observed_rates.txt")


@pytest.mark.parametrize("name", TABLE)
def test_parameters_and_rates_are_those_observed(name):
    assert observed.differences(TABLE[name]) == {}
