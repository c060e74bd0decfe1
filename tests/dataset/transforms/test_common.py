from __future__ import annotations

import numpy as np
import pytest

from mindspore import dtype as mstype
from mindspore.dataset import transforms


def test_one_hot_vectors_are_rows_of_the_identity():
    assert (transforms.OneHot(4)(np.array([2, 0])) == np.eye(4)[[2, 0]]).all()
    smooth = transforms.OneHot(4, 0.2)(np.array(1))
    np.testing.assert_allclose(smooth, 0.8 * np.eye(4)[1] + 0.05)
    with pytest.raises(RuntimeError, match=r"in \[0, 3\], but contains 4"):
        transforms.OneHot(4)(np.array(4))


@pytest.mark.parametrize(("given", "wanted"), [
    ([[1], [0], [3]], [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]), ([[[1], [2]]], [[0, 1, 0, 0], [0, 0, 1, 0]]),
    ([[2]], [0, 0, 1, 0])])
def test_axes_of_one_element_are_left_out_of_one_hot_vectors(given, wanted):
    assert transforms.OneHot(4)(np.array(given)).tolist() == wanted          # observed: MindSpore 2.10
    with pytest.raises(RuntimeError, match=r"one axis longer than 1, but has shape \(2, 3\)"):
        transforms.OneHot(4)(np.ones((2, 3), np.int32))


def test_a_cast_cuts_decimals_off_and_integers_wrap():
    assert transforms.TypeCast(mstype.int8)(np.array([1.9, -1.9])).tolist() == [1, -1]
    assert transforms.TypeCast(np.uint8)(np.array([256, 257])).tolist() == [0, 1]
    with pytest.raises(TypeError, match="data_type"):
        transforms.TypeCast(5)


def test_slices_never_drop_axes():
    value = np.arange(12).reshape(3, 4)
    assert (transforms.Slice(1)(value) == value[1:2]).all()
    assert (transforms.Slice(..., [0, 3])(value) == value[:, [0, 3]]).all()
    assert (transforms.Slice(None, slice(3, 0, -2))(value) == value[:, 3:0:-2]).all()
    with pytest.raises(RuntimeError, match="as many slices as axes"):
        transforms.Slice(0, 0, 0)(value)


def test_padding_fills_and_cuts_ends():
    assert transforms.PadEnd([5], -1)(np.array([1, 2])).tolist() == [1, 2, -1, -1, -1]
    assert transforms.PadEnd([2, None])(np.ones((3, 1))).tolist() == [[1], [1]]
    assert transforms.PadEnd([3], "pad")(np.array(["a"])).tolist() == ["a", "pad", "pad"]


def test_masks_compare_in_the_type_of_the_input():
    mask = transforms.Mask(transforms.Relational.GT, 2, mstype.float32)(np.array([1, 2, 3]))
    assert mask.dtype == np.float32
    assert mask.tolist() == [0, 0, 1]


def test_unique_keeps_the_order_of_first_appearance():
    unique, where, counts = transforms.Unique()(np.array([[3, 1], [3, 2]]))
    assert (unique.tolist(), where.tolist(), counts.tolist()) == (
        [3, 1, 2],
        [0, 1, 0, 2],
        [2, 1, 1],
    )


def test_filling_joining_and_duplicating():
    assert transforms.Fill(2.9)(np.zeros(2, np.int32)).tolist() == [2, 2]
    joined = transforms.Concatenate(0, np.array([9]), np.array([7]))(np.array([1, 2]))
    assert joined.tolist() == [9, 1, 2, 7]
    first, second = transforms.Duplicate()(np.array([1]))
    assert first is not second
    assert first.tolist() == second.tolist()


def test_transforms_of_lists_of_transforms():
    double, one_more = (lambda x: x * 2), (lambda x: x + 1)
    assert transforms.Compose([double, one_more])(np.array(3)) == 7
    assert transforms.RandomApply([double], 0.0)(np.array(3)) == 3
    assert transforms.RandomApply([double], 1.0)(np.array(3)) == 6
    assert {int(transforms.RandomChoice([double, one_more])(np.array(3))) for _ in range(50)} == {
        6,
        4,
    }
    assert {int(transforms.RandomOrder([double, one_more])(np.array(3))) for _ in range(50)} == {
        7,
        8,
    }
    with pytest.raises(ValueError, match="not empty"):
        transforms.Compose([])


def test_random_transforms_repeat_with_the_seed():
    from mindspore.dataset import config

    def draws():
        config.set_seed(3)
        apply = transforms.RandomApply([lambda x: -x])
        return [int(apply(np.array(1))) for _ in range(30)]

    assert draws() == draws()
    assert set(draws()) == {1, -1}


def test_an_error_of_a_function_keeps_its_cause():
    def broken(x):
        raise ZeroDivisionError("by hand")

    with pytest.raises(RuntimeError, match="broken' failed: ZeroDivisionError: by hand") as caught:
        transforms.Compose([broken])(np.array(1))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_compiled_plugins_are_refused_with_what_to_do_instead():
    with pytest.raises(NotImplementedError, match="ctypes"):
        transforms.Plugin("library.so", "function")
    with pytest.raises(TypeError, match="lib_path"):
        transforms.Plugin(3, "function")


def test_a_chain_makes_arrays_of_what_is_given_and_of_what_functions_give():
    chain = transforms.Compose([lambda x: x + 1])
    assert chain([1, 2]).tolist() == [2, 3]
    assert isinstance(transforms.Compose([lambda x: 3])(np.zeros(2)), np.ndarray)
    with pytest.raises(RuntimeError, match="failed"):
        chain("text")


@pytest.mark.parametrize(
    ("given", "error"), [((np.negative,), TypeError), ([transforms.Unique], ValueError)]
)
def test_a_chain_takes_a_list_of_objects(given, error):
    with pytest.raises(error, match="transforms"):
        transforms.Compose(given)


def test_types_are_named_as_numpy_names_them():
    values = np.arange(3)
    assert transforms.TypeCast(float)(values).dtype == np.float64
    assert transforms.TypeCast("int16")(values).dtype == np.int16


def test_single_elements_have_no_end_to_pad():
    assert transforms.PadEnd([7])(np.array(3)).tolist() == 3
