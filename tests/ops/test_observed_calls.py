"""Functions, primitives and methods give what was observed in the original: values, gradients, refused arguments."""
from __future__ import annotations

import observed
import pytest

TABLES = observed.by_name("observed_ops.txt")
PRIMITIVES = observed.by_name("observed_primitives.txt")
METHODS = observed.by_name("observed_methods.txt")


@pytest.mark.parametrize("name", TABLES)
def test_a_function_gives_what_was_observed(name):
    assert observed.differences(TABLES[name]) == {}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_of_tensors_gives_what_was_observed(name):
    assert observed.differences(METHODS[name]) == {}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_a_primitive_gives_what_was_observed(name):
    assert observed.differences(PRIMITIVES[name]) == {}
