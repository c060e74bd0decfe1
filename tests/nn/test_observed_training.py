"""Optimizers of one group and of several, and metrics, with each option: what was observed in the original."""
from __future__ import annotations

import observed
import pytest

TABLE = observed.by_name("observed_training.txt")


@pytest.mark.parametrize("name", TABLE)
def test_steps_and_measures_are_those_that_were_observed(name):
    assert observed.differences(TABLE[name]) == {}
