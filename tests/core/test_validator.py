"""The argument checks that programs import from `mindspore._checkparam`."""

from __future__ import annotations

import pytest

import mindspore as ms
from mindspore._checkparam import INC_LEFT, Rel, Validator, check_positive_int
from mindspore._checkparam import Validator as validator


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (lambda v: validator.check_positive_int(v, "x", "Net"), 3),
        (lambda v: validator.check_non_negative_float(v, "x", "Net"), 0.0),
        (lambda v: validator.check_int_range(v, 0, 5, Rel.INC_LEFT, "x", "Net"), 0),
        (lambda v: validator.check_float_range(v, 0.0, 1.0, Rel.INC_RIGHT), 1.0),
        (lambda v: validator.check_int(v, 3, Rel.GE, "x", "Net"), 3),
        (lambda v: validator.check_value_type("x", v, [int, float], "Net"), 1),
        (lambda v: validator.check_value_type("x", v, bool), True),
        (lambda v: validator.check_string(v, ["a", "b"], "x", "Net"), "a"),
        (lambda v: validator.check_bool(v), False),
        (lambda v: validator.check_positive_int_sequence(v, "x", "Net"), (1, 2)),
        (lambda v: validator.check("x", v, "limit", 7, Rel.NE), 5),
        (lambda v: validator.check_type_name("x", v, [ms.float16, ms.float32], "Net"), ms.float32),
    ],
)
def test_a_good_value_is_returned(call, value):
    assert call(value) is value


@pytest.mark.parametrize(
    ("call", "error"),
    [  # observed: MindSpore 2.10, CPU
        (lambda: validator.check_positive_int(0, "x", "Net"), ValueError),
        (lambda: validator.check_positive_int(1.5, "x", "Net"), TypeError),
        (lambda: validator.check_positive_int(True, "x", "Net"), TypeError),
        (lambda: validator.check_int_range(5, 0, 5, INC_LEFT, "x", "Net"), ValueError),
        (lambda: validator.check_float_range(1, 0.0, 1.0, Rel.INC_BOTH, "x", "Net"), TypeError),
        (lambda: validator.check_value_type("x", True, [int], "Net"), TypeError),
        (lambda: validator.check_value_type("x", 1, [float], "Net"), TypeError),
        (lambda: validator.check_string("a", ["b"], "x", "Net"), ValueError),
        (lambda: validator.check_bool(1, "x", "Net"), TypeError),
        (lambda: validator.check_is_float(1, "x", "Net"), TypeError),
        (lambda: validator.check_isinstance("x", 1, (str,)), ValueError),
        (lambda: validator.check("a", 1, "b", 2, Rel.EQ, "Net"), ValueError),
        (lambda: validator.check_number("x", 1, 2, Rel.GE, "Net"), ValueError),
        (lambda: validator.check_subclass("x", ms.float32, [ms.int32], "Net"), TypeError),
        (lambda: validator.check_non_negative_int_sequence((1, -1), "x", "Net"), ValueError),
    ],
)
def test_a_bad_value_raises_the_class_of_the_original(call, error):
    with pytest.raises(error, match=r"x|a"):
        call()


def test_the_message_names_cell_argument_and_range():
    text = r"For 'Net', the 'x' must be int and must be in range of \[0, 5\), but got '5'"
    with pytest.raises(ValueError, match=text):
        validator.check_int_range(5, 0, 5, INC_LEFT, "x", "Net")


def test_functions_and_static_methods_are_the_same():
    assert Validator.check_positive_int is check_positive_int
    assert Rel.INC_LEFT == INC_LEFT == 8
