"""The text of tensors, to the last blank. All texts: observed on MindSpore 2.10, CPU."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor

HEAD = "Tensor(shape={}, dtype={}, value="


def text(values, dtype, shape=None):
    tensor = Tensor(np.array(values) if shape is None else np.full(shape, values), dtype)
    head = HEAD.format(list(tensor.shape), tensor.dtype)
    assert repr(tensor).startswith(head)
    return repr(tensor)[len(head):]


@pytest.mark.parametrize(("values", "dtype", "expected"), [
    ([1, -200, 30], ms.int32, " [   1, -200,   30])"),
    ([True, False], ms.bool_, " [ True, False])"),
    ([[1.5, -2.25], [100, 0.001]], ms.float16, "\n[[ 1.5000e+00, -2.2500e+00],\n [ 1.0000e+02,  1.0004e-03]])"),
    ([np.nan, 1, -np.inf], ms.float32, " [            nan,  1.00000000e+00,            -inf])"),
    ([-np.nan, -0.0], ms.float32, " [           -nan, -0.00000000e+00])"),
    ([1e300, 1e-300], ms.float64, " [1.00000000e+300, 1.00000000e-300])"),
    ([[1.5, -2.25], [100, 0.001]], ms.bfloat16, "\n[[        1.5,       -2.25],\n [        100, 0.000999451]])"),
    ([1 + 2j, -1.5 - 0.25j], ms.complex64, " [1+2j, -1.5-0.25j])"),
])
def test_elements_have_one_width_or_their_shortest_form(values, dtype, expected):
    assert text(values, dtype) == expected


@pytest.mark.parametrize(("value", "dtype", "expected"), [
    (1 / 3, ms.float32, " 0.333333)"),
    (1.0, ms.float64, " 1)"),
    (1e20, ms.bfloat16, " 9.97277e+19)"),
    (1.5 - 2j, ms.complex64, " 1.5-2j)"),
    (-5, ms.int64, " -5)"),
    (True, ms.bool_, " True)"),
])
def test_a_scalar_has_its_shortest_form(value, dtype, expected):
    assert text(value, dtype) == expected


@pytest.mark.parametrize(("shape", "expected"), [((0,), " )"), ((2, 0), "\n)")])
def test_nothing_is_shown_of_a_tensor_without_elements(shape, expected):
    assert text(1.0, ms.float32, shape) == expected


def test_six_entries_of_an_axis_are_shown():
    assert text(1, ms.int32, (2, 7)) == "\n[[1, 1, 1 ... 1, 1, 1],\n [1, 1, 1 ... 1, 1, 1]])"
    assert text(1, ms.int32, (7, 1)) == "\n[[1],\n [1],\n [1],\n ...\n [1],\n [1],\n [1]])"
    assert text(1, ms.int32, (1, 2, 7)) == "\n[[[1, 1, 1 ... 1, 1, 1],\n  [1, 1, 1 ... 1, 1, 1]]])"
    assert text(1, ms.int32, (2, 1, 2)) == "\n[[[1, 1]],\n [[1, 1]]])"


def test_a_thousand_elements_of_one_axis_are_shown():
    assert text(1, ms.int8, (1000,)).count("1") == 1000
    assert text(1, ms.int8, (1001,)) == " [1, 1, 1 ... 1, 1, 1])"


def test_only_what_is_shown_decides_the_width():
    values = [1] * 1100
    values[500] = -10000
    assert text(values, ms.int32) == " [1, 1, 1 ... 1, 1, 1])"


@pytest.mark.parametrize(("value", "dtype", "count"), [(1, ms.int64, 24), (True, ms.bool_, 12), (1.0, ms.float32, 12)])
def test_a_line_holds_so_many_elements(value, dtype, count):
    lines = text(value, dtype, (count + 1,)).split("\n")
    assert [line.count(",") for line in lines] == [count, 0]
    assert (lines[0][-2:], lines[1][0]) == (", ", " ")
    assert text(value, dtype, (count,)).endswith("\n ])")


def test_bfloat16_prints_six_decimals():
    assert str(Tensor([1.5, -2.25, float("nan")], ms.bfloat16)) == "[1.500000 -2.250000 nan]"
    assert str(Tensor(1.5, ms.bfloat16)) == "1.500000"
