"""Operators on dtypes that programs seldom use: values by NumPy, dtypes as recorded from MindSpore 2.10."""
import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops
from mindspore import numpy as mnp

C = np.array([1 + 2j, 3 - 1j, -2j], np.complex64)
D = np.array([1j, 2 + 0.5j, -1], np.complex64)
U = np.array([1, 60000, 7, 65535], np.uint16)
BIG = np.array([2**31 + 5, 3, 2**32 - 1], np.uint32)
WHOLE = np.array([-5, -2, -1, 0, 1, 2, 3, 7], np.int32)
MASK = np.array([True, False, True, False])
NARROW = np.array([100, 90, -80], np.int8)
IMAGE = np.arange(20, dtype=np.int32).reshape(1, 1, 4, 5)
HALF = np.array([[4, 2], [2, 3]], np.float16)


def windows(x):
    """The columns of two by two windows of an image (1, 1, h, w)."""
    found = np.lib.stride_tricks.sliding_window_view(x[0, 0], (2, 2))
    return found.reshape(-1, 4).T[None]


def with_value(x, i, value):
    x = x.copy()
    x[i] = value
    return x


CASES = {
    "mean of complex": (mnp.mean, (C,), C.mean()),
    "var of complex": (lambda x: mnp.var(x).astype(ms.complex64), (C,), np.complex64(C.var())),
    "norm of complex": (lambda x: mnp.norm(x).astype(ms.complex64), (C,), np.complex64(np.linalg.norm(C))),
    "squared difference of complex": (lambda x, y: ops.SquaredDifference()(x, y), (C, D),
                                      (np.abs(C - D) ** 2).astype(np.complex64)),
    "subtract of bools": (ops.subtract, (MASK, ~MASK), MASK.astype(np.int64) - (~MASK).astype(np.int64)),
    "relu of bools": (ops.relu, (MASK,), MASK),
    "relu of unsigned": (ops.relu, (U,), U),
    "hardswish of ints": (ops.hardswish, (WHOLE,), np.trunc(WHOLE * np.clip(WHOLE + 3, 0, 6) / 6).astype(np.int32)),
    "bounds that cross": (lambda x: ops.clip_by_value(x, 6.0, 3.0), (np.float32([1, 5, 9]),), np.float32([3, 3, 3])),
    "running sums of narrow ints": (lambda x: x.cumsum(0), (NARROW,), NARROW.cumsum(dtype=np.int32)),
    "running products of narrow ints": (lambda x: ops.cumprod(x, 0), (NARROW,), NARROW.cumprod(dtype=np.int64)),
    "powers of narrow ints": (ops.vander, (NARROW,), np.vander(NARROW.astype(np.int64))),
    "trace of narrow ints": (lambda x: x.trace(), (np.full((3, 3), 100, np.int8),), np.int64(300)),
    "bins of floats": (ops.bincount, (np.float32([1, 2, 2, 4]),), np.float32([0, 1, 2, 0, 1])),
    "gather of unsigned": (lambda x: ops.gather(x, Tensor([3, -1, 1]), 0), (U,), U[[3, -1, 1]]),
    "gather of wide unsigned": (lambda x: ops.gather(x, Tensor([2, 0]), 0), (BIG,), BIG[[2, 0]]),
    "chosen of unsigned": (lambda x, m: ops.masked_select(x, m), (U, MASK), U[MASK]),
    "filled unsigned": (lambda x, m: ops.masked_fill(x, m, Tensor(5, ms.uint16)), (U, MASK), np.where(MASK, 5, U)),
    "windows of ints": (lambda x: ops.unfold(x, 2), (IMAGE,), windows(IMAGE)),
    "a grid of one number": (lambda x, y: ops.meshgrid(x, y)[1], (np.float32(1), np.float32([2, 5, 7])),
                             np.float32([[2], [5], [7]])),
    "largest of unsigned": (lambda x: ops.tensor_scatter_elements(x, Tensor([1]), Tensor([9], ms.uint16)), (U,),
                            with_value(U, 1, 9)),
}


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_values_and_dtypes_are_those_of_numpy_and_of_the_original(mode):
    wrong = {}
    for name, (program, arrays, expected) in CASES.items():
        found = (ms.jit(program) if mode == "graph" else program)(*map(Tensor, arrays)).asnumpy()
        expected = np.asarray(expected)
        if (found.dtype, found.shape) != (expected.dtype, expected.shape) or not np.allclose(found, expected, 1e-6):
            wrong[name] = found, expected
    assert not wrong


@pytest.mark.parametrize(("program", "expected"), [
    (lambda x, y: ops.mse_loss(x, y, "none"), [0, 1, 0.25]), (lambda x, y: ops.l1_loss(x, y, "none"), [0, 1, 0.5]),
    (lambda x, y: ops.huber_loss(x, y, "none"), [0, 0.5, 0.125])])
def test_losses_of_two_types_are_of_the_wider_one(both_modes, program, expected):
    found = program(Tensor([1, 2, 3], ms.float16), Tensor([1, 3, 3.5], ms.float32))
    assert found.dtype == ms.float32
    np.testing.assert_allclose(found.asnumpy(), expected)


def test_half_precision_factors_as_single_precision_does_and_is_rounded(both_modes):
    found = ops.cholesky(Tensor(HALF))
    assert found.dtype == ms.float16
    np.testing.assert_array_equal(found.asnumpy(), np.linalg.cholesky(HALF.astype(np.float32)).astype(np.float16))


def test_crops_of_ints_have_fractions(both_modes):
    image = Tensor(np.arange(16).reshape(1, 4, 4, 1), ms.int32)
    found = ops.crop_and_resize(image, Tensor([[0, 0, 1, 0.5]], ms.float32), Tensor([0], ms.int32), (2, 3))
    np.testing.assert_allclose(found.asnumpy()[0, :, :, 0], [[0, 0.75, 1.5], [12, 12.75, 13.5]])


def test_the_slope_of_the_squared_difference_of_complex_numbers_is_twice_the_difference():
    x, y = Tensor(C), Tensor(D)
    found = ms.grad(lambda a, b: ops.real(ops.SquaredDifference()(a, b)).sum(), (0, 1))(x, y)
    a, b = [torch.tensor(v, requires_grad=True) for v in (C, D)]
    ((a - b) * (a - b).conj()).real.sum().backward()
    for mine, theirs in zip(found, (a, b), strict=True):
        np.testing.assert_allclose(mine.asnumpy(), theirs.grad.numpy(), 1e-6)


def test_no_indices_leave_a_tensor_as_it_is(both_modes):
    x = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))
    found = ops.tensor_scatter_add(x, Tensor(np.zeros((0, 1), np.int32)), Tensor(np.zeros((0, 2), np.float32)))
    np.testing.assert_array_equal(found.asnumpy(), x.asnumpy())
