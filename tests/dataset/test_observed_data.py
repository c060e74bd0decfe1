"""Operations and pipelines of data give what was observed in the original: values, types, order, refused arguments."""
from __future__ import annotations

import observed_data
import pytest

TABLES = {name: observed_data.by_name(f"observed_{name}.txt")
          for name in ("vision", "audio", "text", "transforms", "pipelines")}


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, table in TABLES.items() for name in table])
def test_an_operation_gives_what_was_observed(module, name):
    assert observed_data.differences(TABLES[module][name]) == {}


def test_a_difference_is_seen():
    assert observed_data.agree("u1[2] 1.00001 10", "u1[2] 1 10")
    assert not observed_data.agree("u1[2] 1.1 10", "u1[2] 1 10")
    assert not observed_data.agree("u1[2] 1 11", "u1[2] 1 10")
    assert not observed_data.agree("u2[2] 1 10", "u1[2] 1 10")
    assert not observed_data.agree("text[2] 100000000", "text[2] 100000001")
    assert not observed_data.agree("( 6 1 1 'a' 6 700000001 )", "( 6 1 1 'a' 6 700000002 )")
    assert observed_data.agree("error TypeError", "error")
    assert not observed_data.agree("error TypeError", "error ValueError")
