"""Initializers draw what their formulas say, and the same with the same seed."""
from __future__ import annotations

import math

import numpy as np
import pytest

import mindspore
from mindspore import Parameter, Tensor, set_seed
from mindspore.common import initializer as module
from mindspore.common.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Initializer,
    Normal,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    initializer,
)

SHAPE = (300, 400)            # fan in 400, fan out 300
DRAWN = {                     # name -> (init, standard deviation, bound)
    "normal": (Normal(), 0.01, None), "normal name": ("normal", 0.01, None),
    "uniform": (Uniform(0.5), 0.5 / math.sqrt(3), 0.5), "uniform name": ("Uniform", 0.07 / math.sqrt(3), 0.07),
    "truncated": (TruncatedNormal(1.0, 0.0, -1.0, 1.0), 0.5396, 1.0),
    "truncated wide": ("TruncatedNormal", 0.01, None),
    "xavier uniform": ("xavier_uniform", math.sqrt(2 / 700), math.sqrt(6 / 700)),
    "xavier gain": (XavierUniform(2), 2 * math.sqrt(2 / 700), 2 * math.sqrt(6 / 700)),
    "xavier normal": (XavierNormal(), math.sqrt(2 / 700), None),
    "he uniform": ("he_uniform", math.sqrt(2 / 400), math.sqrt(6 / 400)),
    "he slope": (HeUniform(math.sqrt(5)), math.sqrt(1 / 1200), math.sqrt(1 / 400)),
    "he normal": ("he_normal", math.sqrt(2 / 400), None),
    "he fan out": (HeNormal(mode="fan_out", nonlinearity="relu"), math.sqrt(2 / 300), None),
    "scaling": (VarianceScaling(), math.sqrt(1 / 400), 2 * math.sqrt(1 / 400) / 0.8796),
    "scaling uniform": (VarianceScaling(2.0, "fan_avg", "uniform"), math.sqrt(2 / 350), math.sqrt(6 / 350)),
    "scaling normal": (VarianceScaling(1.0, "fan_out", "untruncated_normal"), math.sqrt(1 / 300), None),
}


@pytest.mark.parametrize(("init", "deviation", "bound"), DRAWN.values(), ids=DRAWN)
def test_the_spread_is_that_of_the_formula(init, deviation, bound):
    set_seed(5)
    drawn = initializer(init, SHAPE).asnumpy()
    assert drawn.dtype == np.float32
    assert abs(drawn.mean()) < 5 * deviation / math.sqrt(drawn.size)
    assert abs(drawn.std() - deviation) < 0.01 * deviation
    if bound is not None:
        assert 0.98 * bound < abs(drawn).max() <= bound * 1.0001


@pytest.mark.parametrize("init", [i for i, _, _ in DRAWN.values()], ids=DRAWN)
def test_the_seed_repeats_the_stream(init):
    set_seed(11)
    first, second = [initializer(init, (3, 4)).asnumpy() for _ in range(2)]
    set_seed(11)
    np.testing.assert_array_equal(initializer(init, (3, 4)).asnumpy(), first)
    assert (first != second).all()


def test_the_fans_of_a_kernel_count_its_field():
    assert module._calculate_fan_in_and_fan_out((8, 4, 3, 3)) == (36, 72)
    drawn = initializer("he_normal", (64, 32, 3, 3)).asnumpy()
    assert abs(drawn.std() - math.sqrt(2 / 288)) < 0.02 * drawn.std()


def test_constants_fill_every_place():
    np.testing.assert_array_equal(initializer("zeros", (2, 3)).asnumpy(), np.zeros((2, 3)))
    np.testing.assert_array_equal(initializer("ONE", 2, mindspore.int32).asnumpy(), [1, 1])
    np.testing.assert_array_equal(initializer(1.5, (2,)).asnumpy(), [1.5, 1.5])
    np.testing.assert_array_equal(initializer(Constant(3), [2], mindspore.float16).asnumpy(), [3, 3])


def test_matrices_and_kernels_that_hand_on_their_input():
    np.testing.assert_array_equal(initializer(Identity(), (2, 4)).asnumpy(), np.eye(2, 4))
    kernel = initializer(Dirac(groups=2), (4, 2, 3, 3)).asnumpy()
    assert np.argwhere(kernel).tolist() == [[0, 0, 1, 1], [1, 1, 1, 1], [2, 0, 1, 1], [3, 1, 1, 1]]


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 2)], ids=str)
def test_an_orthogonal_matrix_times_its_transpose_is_the_unit_matrix(shape):
    drawn = initializer(Orthogonal(2.0), shape).asnumpy().reshape(shape[0], -1)
    square = drawn @ drawn.T if drawn.shape[0] <= drawn.shape[1] else drawn.T @ drawn
    np.testing.assert_allclose(square, 4 * np.eye(len(square)), atol=1e-5)


def test_a_sparse_matrix_has_the_same_share_of_zeros_in_every_column():
    drawn = initializer(Sparse(0.25), (10, 8)).asnumpy()
    assert (drawn == 0).sum(0).tolist() == [3] * 8


def test_a_user_fills_the_array_himself():
    class Counting(Initializer):
        def _initialize(self, arr):
            arr[...] = np.arange(arr.size).reshape(arr.shape)

    wanted = [[0, 1], [2, 3]]
    np.testing.assert_array_equal(initializer(Counting(), (2, 2)).asnumpy(), wanted)
    np.testing.assert_array_equal(
        Tensor(shape=(2, 2), dtype=mindspore.float32, init=Counting()).init_data().asnumpy(), wanted)
    assert Counting(a=1)._kwargs == {"a": 1}


def test_an_initializer_fills_an_array_in_place():
    array = np.zeros((2, 2), np.float32)
    module.One()(array)
    np.testing.assert_array_equal(array, np.ones((2, 2)))


def test_a_tensor_is_given_back():
    x = Tensor([1.0, 2.0])
    assert initializer(x, (2,)) is x


def test_a_parameter_is_cloned_with_other_values():
    p = Parameter(Tensor([1.0, 2.0]), name="p").clone("ones")
    np.testing.assert_array_equal(p.asnumpy(), [1, 1])


@pytest.mark.parametrize(("arguments", "error"), [
    (("no_such", (2, 2)), ValueError), (("xavier_uniform", (2,)), ValueError), (("zeros", "a"), ValueError),
    (("ones", (0,)), ValueError), (("ones", (1.5,)), ValueError), ((None, (2,)), TypeError),
    (([1, 2], (2,)), TypeError), ((Tensor([1.0, 2.0]), (3,)), ValueError),
    ((Identity(), (3,)), ValueError), ((Dirac(3), (4, 2, 3)), ValueError),
    ((Orthogonal(), (3,)), ValueError), ((Sparse(0.1), (3,)), ValueError),
])
def test_wrong_arguments_are_refused(arguments, error):
    with pytest.raises(error):
        initializer(*arguments)


@pytest.mark.parametrize("arguments", [(-1.0,), (1.0, "x"), (1.0, "fan_in", "x")], ids=str)
def test_variance_scaling_refuses_what_it_does_not_know(arguments):
    with pytest.raises(ValueError, match="VarianceScaling"):
        VarianceScaling(*arguments)
