"""Reductions as functions and methods, in the spellings of both generations."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

A = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]], np.float32)


def matrix():
    return Tensor(A)


def close(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-6)


@pytest.mark.parametrize(("name", "reference"), [
    ("sum", np.sum), ("mean", np.mean), ("prod", np.prod), ("std", np.std), ("var", np.var),
    ("amax", np.max), ("amin", np.min), ("all", np.all), ("any", np.any), ("ptp", np.ptp),
])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_methods_reduce_as_numpy_does(name, reference, axis):
    method = getattr(matrix(), name)
    close(method() if axis is None else method(axis), reference(A, axis=axis))


@pytest.mark.parametrize("name", ["sum", "mean", "prod", "all", "any"])
def test_every_spelling_of_the_keywords_means_the_same(name):
    x = matrix()
    wanted = getattr(x, name)(1, True) if name != "prod" else x.prod(1, True)
    for keywords in ({"axis": 1, "keepdims": True}, {"dim": 1, "keepdim": True},
                     {"axis": 1, "keep_dims": True}):
        close(getattr(x, name)(**keywords), wanted.asnumpy())
        assert getattr(x, name)(**keywords).shape == (2, 1)


def test_two_spellings_at_once_are_an_error():
    with pytest.raises(TypeError, match="mean the same"):
        matrix().sum(axis=1, dim=1)


@pytest.mark.parametrize("dtype", [ms.bool_, ms.int8, ms.int32, ms.uint8])
def test_whole_numbers_are_summed_and_multiplied_in_int64(dtype):   # observed: MindSpore 2.10, CPU
    x = matrix().astype(dtype)
    assert ops.sum(x).dtype is ms.int64
    assert ops.prod(x).dtype is ms.int64
    assert x.sum().dtype is ms.int64


def test_the_primitive_keeps_the_type_of_whole_numbers():   # observed: MindSpore 2.10, CPU
    x = matrix().astype(ms.int32)
    assert ops.ReduceSum()(x).dtype is ms.int32
    assert ops.ReduceMean()(x).asnumpy() == 3


def test_sum_takes_a_dtype_and_an_initial_value():
    assert matrix().sum(1, ms.float64).dtype is ms.float64
    close(matrix().sum(initial=3), 24.0)


@pytest.mark.parametrize(("call", "value", "index"), [
    (lambda x: ops.max(x, 1), [5, 6], [1, 2]), (lambda x: ops.min(x, 1), [1, 3], [0, 1]),
    (lambda x: x.max(1), [5, 6], [1, 2]), (lambda x: x.max(dim=0), [4, 5, 6], [1, 0, 1]),
    (lambda x: x.min(axis=1, return_indices=True), [1, 3], [0, 1]), (ops.max, 6, 0),
    (lambda x: x.argmax_with_value(1), [5, 6], [1, 2]),
])
def test_extremes_with_their_index(call, value, index):
    found = call(matrix())
    close(found[0], value)
    close(found[1], index)
    assert found[1].dtype is ms.int64


@pytest.mark.parametrize(("call", "wanted"), [
    (lambda x: x.max(), 6), (lambda x: x.max(axis=1), [5, 6]), (lambda x: x.max((0, 1)), 6),
    (lambda x: x.min(axis=0), [1, 3, 2]), (lambda x: ops.amax(x, initial=9.0), 9),
    (lambda x: ops.amax(x, 1, True), [[5], [6]]),
])
def test_extremes_alone(call, wanted):
    close(call(matrix()), wanted)


def test_elements_can_be_left_out_of_an_extreme():
    chosen = Tensor([True, True, False])
    close(ops.max(matrix(), 1, initial=3.0, where=chosen)[0], [5, 4])
    with pytest.raises(ValueError, match="needs 'initial'"):
        ops.amax(matrix(), 1, where=chosen)


def test_places_of_extremes_have_the_recorded_types():   # observed: MindSpore 2.10, CPU
    x = matrix()
    assert ops.argmax(x).asnumpy() == 5
    assert ops.argmax(x, 1).dtype is ms.int64
    assert ops.argmin(x, 1).dtype is ms.int32
    assert ops.Argmax()(x).dtype is ms.int32


def test_equal_extremes_share_the_gradient():
    x = Tensor([3.0, 3.0, 1.0])
    close(ms.grad(lambda a: a.max())(x), [0.5, 0.5, 0.0])
    close(ms.grad(lambda a: ops.max(a, 0)[0])(x), [1.0, 0.0, 0.0])


def test_spread_with_and_without_bias():
    close(ops.std(matrix(), 1, 1, True), A.std(1, ddof=1, keepdims=True))
    close(ops.var_mean(matrix())[1], A.mean())
    close(matrix().std(dim=1), A.std(1, ddof=1))
    close(ops.ReduceStd(1)(matrix())[0], A.std(1, ddof=1))


def test_logsumexp_does_not_overflow():
    close(ops.logsumexp(Tensor([1000.0, 1000.0]), 0), 1000.0 + np.log(2.0))


def test_numbers_that_are_missing_are_left_out():
    x = Tensor([[1.0, float("nan")], [3.0, 4.0]])
    close(ops.nansum(x), 8.0)
    close(ops.nanmean(x, 0), [2.0, 4.0])
    close(ms.grad(lambda a: ops.nansum(a))(x), [[1.0, 0.0], [1.0, 1.0]])


def test_nonzero_elements_are_counted_in_int32():
    x = Tensor([[1.0, 0.0], [0.0, 0.0]])
    assert ops.count_nonzero(x).asnumpy() == 1
    assert ops.count_nonzero(x, 0).dtype is ms.int32


def test_running_sums_with_and_without_an_axis():
    close(ops.cumsum(matrix(), 1), np.cumsum(A, 1))
    close(matrix().cumsum(), np.cumsum(A))
    close(ops.CumSum(exclusive=True)(matrix(), 1), np.cumsum(A, 1) - A)
    close(ops.CumSum(reverse=True)(matrix(), 0), np.cumsum(A[::-1], 0)[::-1])
    close(ops.cumprod(matrix(), 0), np.cumprod(A, 0))
    close(ops.logcumsumexp(matrix(), 1), np.log(np.cumsum(np.exp(A), 1)))


@pytest.mark.parametrize(("call", "error"), [
    (lambda x: ops.sum(x, "a"), TypeError), (lambda x: ops.sum(x, 2), ValueError),
    (lambda x: ops.sum(x, 0, 1), TypeError), (lambda x: ops.sum(3), TypeError),
    (lambda x: x.sum((0, 0)), ValueError), (lambda x: ops.max(x, (0, 1)), TypeError),
    (lambda x: ops.cumsum(x, 2), ValueError), (lambda x: ops.std(x, ddof=0.5), TypeError),
])
def test_wrong_axes_and_types_are_refused(call, error):
    with pytest.raises(error):
        call(matrix())


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_places_of_the_greatest_and_the_least_among_flags(axis):
    flags = np.array([[False, True, True], [True, False, True]])
    np.testing.assert_array_equal(ops.argmax(Tensor(flags), axis).asnumpy(), np.argmax(flags, axis))
    np.testing.assert_array_equal(ops.argmin(Tensor(flags), axis).asnumpy(), np.argmin(flags, axis))


def test_any_and_all_have_the_type_of_their_kind():
    """observed: MindSpore 2.10, CPU"""
    x = np.array([[0, 3, 0], [0, 0, 0]])
    for dtype in (np.bool_, np.int32, np.float32):
        assert ops.any(Tensor(x.astype(dtype)), 1).dtype is ms.bool_
        assert ops.all(Tensor(x.astype(dtype)), 1).dtype is ms.bool_
    found = ops.any(Tensor(x.astype(np.uint8)), 1)
    assert (found.dtype, found.tolist()) == (ms.uint8, [1, 0])


@pytest.mark.parametrize("find", [ops.argmax, ops.argmin])
def test_the_place_in_all_of_a_tensor_is_a_single_number(find):
    assert find(Tensor([[3, 1], [2, 4]]), None, True).shape == ()
    assert find(Tensor([[3, 1], [2, 4]]), 1, True).shape == (2, 1)
