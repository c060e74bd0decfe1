"""Types and kinds of what functions of mindspore.numpy give; observed: MindSpore 2.10, CPU."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor

INTS = Tensor(np.array([1, 2, 4], np.int32))
BYTES, BOOLS = INTS.astype(ms.uint8), Tensor([True, False])


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "arcsin", "arctan", "sinh", "tanh", "arccos"])
def test_angles_of_bytes_and_bools_are_float16(name):
    function = getattr(mnp, name)
    assert function(BOOLS).dtype is function(BYTES).dtype is ms.float16
    assert function(INTS).dtype is ms.float32


def test_parts_cut_at_indices_are_a_list_and_equal_parts_a_tuple():
    x = mnp.ones((2, 4))
    assert isinstance(mnp.hsplit(x, [1, 3]), list)
    assert isinstance(mnp.hsplit(x, 2), tuple)
    assert isinstance(mnp.indices((2, 3)), list)


def test_integers_stay_integers():
    assert mnp.reciprocal(INTS).asnumpy().tolist() == [1, 0, 0]
    assert mnp.convolve([1, 2, 3], [1, 1], "valid").dtype is ms.int32
    assert mnp.polymul([1, 2], [1, 3]).asnumpy().tolist() == [1, 5, 6]
    assert mnp.copysign(INTS, -1.0).asnumpy().tolist() == [-1, -2, -4]
    assert mnp.clip(INTS, 1.5, None).asnumpy().tolist() == [1, 2, 4]
    assert mnp.asarray([[1, False]]).dtype is ms.int32


def test_counts_and_places_are_int32():
    assert mnp.count_nonzero(INTS).dtype is mnp.argmin(INTS).dtype is ms.int32


def test_polynomials_have_floats_as_values():
    assert mnp.polyval([1, 2, 3], 2).dtype is ms.float32


def test_steps_may_be_tensors():
    assert mnp.arange(0, 1, Tensor(0.25)).asnumpy().tolist() == [0, 0.25, 0.5, 0.75]


@pytest.mark.parametrize("right", [False, True])
def test_bins_may_decrease(right):
    x, bins = [0, 1, 1.5, 2, 5], [3, 2, 1]
    assert mnp.digitize(x, bins, right).asnumpy().tolist() == np.digitize(x, bins, right).tolist()


def test_the_last_bin_holds_the_greatest_value():
    x = np.random.RandomState(0).rand(50, 10).astype(np.float32)
    for row in x:
        assert mnp.histogram(Tensor(row), 3)[0].asnumpy().sum() == 10


@pytest.mark.parametrize(("mode", "more"), [
    ("mean", {"stat_length": 2}), ("maximum", {"stat_length": (1, 2)}), ("minimum", {"stat_length": 1}),
    ("reflect", {"reflect_type": "odd"}), ("symmetric", {"reflect_type": "odd"})])
def test_pad_takes_the_options_of_numpy(mode, more):
    x = np.array([[1.0, 3.0, 4.0], [2.0, 8.0, 16.0]], np.float32)
    width = ((1, 1), (2, 0))
    np.testing.assert_allclose(mnp.pad(Tensor(x), width, mode, **more).asnumpy(), np.pad(x, width, mode, **more))


def test_vectors_of_two_elements_have_a_product_with_those_of_three():
    """NumPy 2 warns of them."""
    assert mnp.cross([1, 2], [3, 4]).asnumpy().tolist() == -2
    assert mnp.cross([1, 2], [3, 4, 5]).asnumpy().tolist() == [10, -5, -2]
    assert mnp.cross([3, 4, 5], [1, 2]).asnumpy().tolist() == [-10, 5, 2]


@pytest.mark.parametrize(("before", "after"), [
    ("int8", "int32"), ("uint8", "int32"), ("int16", "int32"), ("bool_", "int32"), ("uint16", "uint16"),
    ("int32", "int32"), ("int64", "int64"), ("float16", "float16")])
def test_running_sums_have_room(before, after):
    x = Tensor([1, 0, 1], getattr(ms, before))
    assert mnp.cumsum(x).dtype is mnp.cumprod(x).dtype is getattr(ms, after)
    assert mnp.cumsum(x).asnumpy().tolist() == [1, 1, 2]


def test_several_types_have_one_in_common_whatever_their_order():
    assert mnp.result_type(ms.float32, ms.int8, ms.int32) is mnp.result_type(ms.int8, ms.float32) is ms.float32
    assert mnp.result_type(ms.int8, ms.int32, ms.uint8) is ms.int32
    assert mnp.result_type(ms.float16, ms.int32) is ms.float16
    assert mnp.result_type(Tensor([1.5]), 2) is ms.float32


def test_whole_numbers_that_need_64_bits_have_them():
    assert mnp.array([2**31, -1]).dtype is ms.int64
    assert mnp.array([2**31, -1]).asnumpy().tolist() == [2**31, -1]
    assert mnp.array([2**31 - 1, -(2**31)]).dtype is ms.int32


def test_lists_hold_tensors_beside_numbers():
    assert mnp.array([Tensor(1.5), 2, Tensor([3])[0]]).asnumpy().tolist() == [1.5, 2, 3]
    assert mnp.add([Tensor(1.0), 2.0], [1, Tensor(3.0)]).asnumpy().tolist() == [2, 5]
    assert ms.grad(lambda x: mnp.sum(mnp.array([x * 2, 3.0])))(Tensor(1.5)).asnumpy() == 2


def test_an_array_is_a_copy_unless_it_is_told_not_to_be():
    x = Tensor([1.0, 2.0])
    made, kept = mnp.array(x), mnp.array(x, copy=False)
    x.add_(1)
    assert made.asnumpy().tolist() == [1, 2]
    assert kept.asnumpy().tolist() == [2, 3]
    assert mnp.asarray(x) is x


@pytest.mark.parametrize("axis", [-4, 3, (0, 3), (1, -4)])
def test_axes_beyond_either_end_are_refused(axis):
    for function in (mnp.sum, mnp.amax, mnp.var, mnp.flip):
        with pytest.raises(ValueError, match=rf"For '{function.__name__}', the 'axis' must be in \[-3, 2\]"):
            function(mnp.ones((2, 3, 4)), axis)


def test_tensors_like_others_have_their_type_or_the_one_that_is_asked_for():
    x = Tensor([[1, 2]], ms.int8)
    for made in (mnp.zeros_like, mnp.ones_like, mnp.empty_like, lambda v, **o: mnp.full_like(v, 3, **o)):
        assert made(x).dtype is ms.int8
        assert made(x, dtype=ms.float64, shape=(3,)).dtype is ms.float64
        assert made(x, shape=(3,)).shape == (3,)


def test_random_numbers_may_end_at_zero():
    assert set(mnp.randint(-3, 0, 200).asnumpy().tolist()) == {-3, -2, -1}
    assert set(mnp.randint(3, shape=(20, 10)).asnumpy().ravel().tolist()) == {0, 1, 2}


def test_floats_are_made_of_anything_and_of_no_other_type():
    assert mnp.asfarray([1, 2]).dtype is mnp.asfarray([1, 2], ms.int32).dtype is ms.float32
    assert mnp.asfarray([1, 2], ms.float16).dtype is ms.float16
    assert mnp.asfarray([1, 2], None).dtype is ms.float32


def test_whether_some_are_true_along_an_axis():
    x = Tensor([[0, -2, 0], [0, 0, 0]], ms.int32)
    assert mnp.sometrue(x, 1, True).asnumpy().tolist() == [[True], [False]]
    assert mnp.sometrue(x, 0).asnumpy().tolist() == [False, True, False]
    assert mnp.sometrue(x).asnumpy().tolist() is True
