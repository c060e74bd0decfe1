"""When two values are one constant to a program."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore.core.constants import constant_key, same_constant

DIFFERENT = [
    True, 1, 1.0, 1 + 0j, np.float32(1), np.float64(1), np.int64(1), np.int32(1), "1", b"1", 0.0, -0.0, 0, False, None,
    0j, complex(0, -0.0), complex(1, -0.0), float("nan"), complex(0, float("nan")), np.float32("nan"), np.float32(-0.0),
    float("inf"), range(3), range(0, 4, 2), range(0, 3, 2), slice(3), slice(0, 3), slice(0.0), slice(-0.0),
    np.dtype("float32"), np.dtype(">f4"), np.datetime64(1, "s"), np.datetime64(1, "ms"),
    frozenset({1}), frozenset({True}), frozenset({1.0}), frozenset(), frozenset({frozenset({0.0})}),
    frozenset({frozenset({-0.0})}), ...]
MAKERS = [lambda: float("nan"), lambda: float("-0.0"), lambda: complex("nan"), lambda: "".join(["a", "b"]),
          lambda: 10 ** 20, lambda: range(5, 1, -2), lambda: slice(None, 10 ** 20), lambda: np.float32("nan"),
          lambda: np.str_("ab"), lambda: frozenset({float("nan"), "ab", None}), lambda: np.dtype("int8")]


@pytest.mark.parametrize("a", DIFFERENT, ids=repr)
def test_constants_that_a_program_can_tell_apart_differ(a):
    for b in DIFFERENT:
        assert (constant_key(a) == constant_key(b)) is (a is b), b
        assert type(a) is not type(b) or same_constant(a, b) is (a is b), b


@pytest.mark.parametrize("make", MAKERS)
def test_a_constant_that_is_made_anew_is_the_same(make):
    assert hash(constant_key(make())) == hash(constant_key(make()))
    assert constant_key(make()) == constant_key(make())
    assert same_constant(make(), make())


@pytest.mark.parametrize("value", [[1], {1: 2}, {1}, object(), np.ones(2), frozenset({object()}), slice([1]), print])
def test_what_can_change_is_no_constant(value):
    assert constant_key(value) is None
    assert not same_constant(value, value)
