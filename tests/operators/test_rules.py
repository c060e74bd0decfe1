"""Helpers of the operators' rules."""
from __future__ import annotations

from mindspore.operators.rules import once


def test_a_value_that_is_computed_once_is_kept():
    calls = []
    value = once(lambda: calls.append(1) or len(calls))
    assert (value(), value(), len(calls)) == (1, 1, 1)
