"""Checks of axes, shapes, texts and types that programs import from `mindspore._checkparam`."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Tensor
from mindspore import _checkparam as checks


@pytest.mark.parametrize(("found", "wanted"), [
    (lambda: checks.twice(3), (3, 3)),
    (lambda: checks.triple((1, 2, 3)), (1, 2, 3)),
    (lambda: checks.twice_sequence([1, 2]), (1, 2)),
    (lambda: checks.check_axis_in_range(-1, 3), 2),
    (lambda: checks.check_axis_valid(None, 2), (0, 1)),
    (lambda: checks.check_axis_valid(-1, 2), (1,)),
    (lambda: checks.check_transpose_axis((), 3), (2, 1, 0)),
    (lambda: checks.check_transpose_axis(([1, 0],), 2), (1, 0)),
    (lambda: checks.prepare_shape_for_squeeze((1, 2, 1), (0,)), (2, 1)),
    (lambda: checks.infer_out_shape((2, 1), (3,)), (2, 3)),
    (lambda: checks.expanded_shape(3, 5, 1), (1, 5, 1)),
    (lambda: checks.check_number_range(3, 1, 5, checks.INC_BOTH, int, "a", "P"), 3),
    (lambda: checks.check_int_positive(4), 4),
    (lambda: checks.check_file_name_by_regular("a/b.c"), True),
    (lambda: checks.check_pad_value_by_mode("pad", 1, "P"), 1),
    (lambda: checks.check_input_data([Tensor(1), {"a": Tensor(2)}], data_class=Tensor), None),
    (lambda: checks.check_output_data([]), None),
], ids=lambda v: getattr(v, "__name__", "x"))
def test_a_value_that_fits_is_given_back(found, wanted):
    assert found() == wanted


@pytest.mark.parametrize(("call", "error"), [
    (lambda: checks.twice([1, 2]), TypeError),
    (lambda: checks.twice((1, 2, 3)), TypeError),
    (lambda: checks.check_axis_in_range(3, 3), ValueError),
    (lambda: checks.check_axis_valid((0, 0), 2), ValueError),
    (lambda: checks.check_axis_type(1.5), TypeError),
    (lambda: checks.infer_out_shape((2,), (3,)), ValueError),
    (lambda: checks.check_number_range(3.0, 1, 5, checks.INC_BOTH, int, "a", "P"), TypeError),
    (lambda: checks.check_number_range(7, 1, 5, checks.INC_BOTH, int, "a", "P"), ValueError),
    (lambda: checks.check_is_number(True, int, "a", "P"), TypeError),
    (lambda: checks.check_is_number(float("nan"), float, "a", "P"), ValueError),
    (lambda: checks.check_int_positive(0), ValueError),
    (lambda: checks.check_str_by_regular("a b"), ValueError),
    (lambda: checks.check_file_name_by_regular("a b?"), ValueError),
    (lambda: checks.check_element_type_of_iterable("a", [1, "2"], [int], "P"), TypeError),
    (lambda: checks.check_element_type_of_dict("a", {1: 2}, [str], [int], "P"), TypeError),
    (lambda: checks.check_size_and_element_type_of_tuple("a", (1, 2), 3, int, "P"), ValueError),
    (lambda: checks.check_valid_input("a", None, "P"), ValueError),
    (lambda: checks.check_types_same_and_valid({"a": ms.float32, "b": ms.int32}, [ms.float32, ms.int32], "P"),
     TypeError),
    (lambda: checks.check_input_data((Tensor(1), 2), data_class=Tensor), TypeError),
    (lambda: checks.check_output_data(None), RuntimeError),
    (lambda: checks.check_input_format("NHWC"), ValueError),
    (lambda: checks.check_pad_value_by_mode("same", 1, "P"), ValueError),
    (lambda: checks.check_reduce_shape((2, 3), (2,), 0, "P", "a", "b"), ValueError),
    (lambda: checks.check_hook_fn(3), TypeError),
], ids=lambda v: getattr(v, "__name__", "x"))
def test_a_value_that_does_not_fit_has_the_errors_class(call, error):
    with pytest.raises(error):
        call()


def test_the_decorator_checks_arguments_by_name_and_lets_none_pass():
    @checks.args_type_check(a=int, b=str)
    def f(a, b=None):
        return a, b

    assert f(1) == (1, None)
    with pytest.raises(TypeError, match="parameter 'b'"):
        f(1, b=2)


def test_the_class_of_1x_has_every_check_as_a_static_method():
    assert checks.Validator.check_axis_in_range(-1, 2) == 1
    assert {n for n in checks.__all__ if n.startswith("check")} <= {*dir(checks.Validator)}
