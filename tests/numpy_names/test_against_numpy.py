"""Functions of `mindspore.numpy` against NumPy itself."""

from __future__ import annotations

import numpy as np
import numpy_options
import pytest
from numpy_calls import CASES, A, V, W

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, ops

EARLIER = {"trapz": "trapezoid", "in1d": "isin"}  # names that NumPy has changed


def tensors(value):
    if isinstance(value, (list, tuple)):
        return type(value)(tensors(v) for v in value)
    return Tensor(value) if isinstance(value, np.ndarray) else value


def arrays(value):
    if isinstance(value, (list, tuple)):
        return [arrays(v) for v in value]
    return value.asnumpy() if isinstance(value, Tensor) else value


def function(module, name):
    for part in name.split("."):
        module = getattr(module, part)
    return module


def assert_same(got, wanted):
    if isinstance(wanted, (list, tuple)):
        assert len(got) == len(wanted)
        for pair in zip(got, wanted, strict=True):
            assert_same(*pair)
    else:
        assert np.shape(got) == np.shape(wanted)
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


def expected(name, args, options):
    result = function(np, ".".join(EARLIER.get(part, part) for part in name.split(".")))(
        *args, **options
    )
    return result.ravel() if name == "in1d" else result


def title(case):
    return case[0]


@pytest.mark.parametrize("case", CASES + numpy_options.CASES, ids=title)
def test_results_are_those_of_numpy(case):
    name, args, options = case
    got = function(mnp, name.removeprefix("linalg."))(
        *tensors(args), **{k: tensors(v) for k, v in options.items()}
    )
    assert_same(arrays(got), expected(*case))


@pytest.mark.parametrize(
    "case", [c for c in (CASES + numpy_options.CASES)[::4] if c[0] not in ("histogram", "bincount")], ids=title
)
def test_compiled_functions_give_the_same(case):
    name, args, options = case
    options_of = {k: tensors(v) for k, v in options.items()}
    of_library = function(mnp, name.removeprefix("linalg."))
    compiled = ms.jit(lambda *values: of_library(*values, **options_of))
    assert_same(arrays(compiled(*tensors(args))), expected(*case))


def test_a_diagonal_in_a_compiled_function_leaves_its_matrix_alone():
    @ms.jit
    def scaled(x):
        x = x * 2
        return x / ops.sqrt(ops.diagonal(x))

    x = np.full((3, 3), 8, np.float32)
    np.testing.assert_array_equal(scaled(Tensor(x)).asnumpy(), np.full((3, 3), 4))


def test_gradients_flow_through_compositions():
    x = Tensor(A)
    got = ms.grad(lambda v: mnp.sum(mnp.sqrt(mnp.var(v, 1))))(x).asnumpy()
    distance = A - A.mean(1, keepdims=True)
    np.testing.assert_allclose(got, distance / 4 / A.std(1, keepdims=True), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "dtype"),
    [
        (lambda: mnp.array([1, 2]), ms.int32),
        (lambda: mnp.array([1, 2.5]), ms.float32),
        (lambda: mnp.full((2, 2), 7), ms.int32),
        (lambda: mnp.arange(3), ms.int32),
        (lambda: mnp.add(Tensor([1], ms.int32), 0.5), ms.float32),
        (lambda: mnp.true_divide(Tensor([1], ms.int32), 2), ms.float32),
        (lambda: mnp.mean(Tensor([1, 2], ms.int32)), ms.int32),
        (lambda: mnp.sum(Tensor([True, True])), ms.int64),
        (lambda: mnp.cumsum(Tensor([1, 2], ms.int8)), ms.int32),
        (lambda: mnp.add(Tensor([1.0]), 1, dtype=mnp.float16), ms.float16),
    ],
)
def test_types_of_results(make, dtype):
    assert make().dtype == dtype  # observed: MindSpore 2.10, CPU


def test_unique_keeps_the_order_of_first_occurrence():
    values, inverse = mnp.unique(Tensor([[5, 2], [5, 1]], ms.int32), True)
    assert values.asnumpy().tolist() == [5, 2, 1]
    assert inverse.asnumpy().tolist() == [0, 1, 0, 2]     # observed: MindSpore 2.10, and NumPy 1


def test_grids_are_indexed_by_slices():
    np.testing.assert_array_equal(mnp.mgrid[0:2, 1:4].asnumpy(), np.mgrid[0:2, 1:4])
    rows, columns = mnp.ogrid[0:2, 0:1:3j]
    assert rows.shape == (2, 1)
    assert columns.asnumpy().tolist() == [[0, 0.5, 1]]


def test_random_numbers_have_their_shape_and_range():
    assert mnp.rand(2, 3).shape == (2, 3)
    assert mnp.randn((2, 3)).shape == (2, 3)
    drawn = mnp.randint(2, 5, (100,)).asnumpy()
    assert set(drawn.tolist()) == {2, 3, 4}


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: mnp.clip(Tensor(A), None, None), ValueError),
        (lambda: mnp.split(Tensor(A), 3, 1), ValueError),
        (lambda: mnp.sum(Tensor(A), 2), ValueError),
        (lambda: mnp.sum(Tensor(A), 1.5), TypeError),
        (lambda: mnp.convolve(Tensor(V), Tensor(W), "all"), ValueError),
        (lambda: mnp.pad(Tensor(A), 1, "none"), ValueError),
        (lambda: mnp.meshgrid(Tensor(V), indexing="x"), ValueError),
    ],
)
def test_wrong_arguments_are_refused(make, error):
    with pytest.raises(error, match=r"^For '"):
        make()


def test_heaviside_of_infinite_values_and_nan():
    x = np.array([-np.inf, -1, 0, 2, np.inf, np.nan], np.float32)
    half = np.float32(0.5)
    np.testing.assert_array_equal(mnp.heaviside(ms.Tensor(x), ms.Tensor(half)).asnumpy(), np.heaviside(x, half))


def test_counts_of_no_numbers_are_none():
    assert mnp.bincount(mnp.array([], dtype=ms.int32)).shape == (0,)
    assert mnp.bincount(mnp.array([], dtype=ms.int32), minlength=3).asnumpy().tolist() == [0, 0, 0]


def test_no_axes_are_all_axes_of_a_variance():
    x = np.array([[1, 2, 4], [0, 1, 5]], np.float32)                   # observed; NumPy's own gives zeros
    for name in ("var", "std"):
        mine = getattr(mnp, name)(Tensor(x), axis=(), ddof=1)
        np.testing.assert_allclose(mine.asnumpy(), getattr(np, name)(x, ddof=1), rtol=1e-6)
