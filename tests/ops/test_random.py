"""Random numbers follow their distributions and repeat with the seed."""
from __future__ import annotations

import math

import numpy as np
import pytest

import mindspore
from mindspore import Tensor, grad, jit, ops, set_seed

COUNT = 20000
DRAWS = {          # name -> (draw, mean, standard deviation)
    "standard_normal": (lambda: ops.standard_normal((COUNT,)), 0, 1),
    "normal": (lambda: ops.normal((COUNT,), Tensor(2.0), Tensor(0.5)), 2, 0.5),
    "uniform": (lambda: ops.uniform((COUNT,), Tensor(-1.0), Tensor(3.0)), 1, 4 / math.sqrt(12)),
    "uniform int": (lambda: ops.uniform((COUNT,), Tensor(0), Tensor(4), dtype=mindspore.int32),
                    1.5, math.sqrt(15 / 12)),
    "rand": (lambda: ops.rand(COUNT), 0.5, 1 / math.sqrt(12)),
    "randn": (lambda: ops.randn(COUNT // 4, 4), 0, 1),
    "randint": (lambda: ops.randint(0, 4, (COUNT,)), 1.5, math.sqrt(15 / 12)),
    "laplace": (lambda: ops.laplace((COUNT,), Tensor(1.0), Tensor(2.0)), 1, 2 * math.sqrt(2)),
    "gamma": (lambda: ops.gamma((COUNT,), Tensor([4.0]), Tensor([2.0])), 2, 1),
    "poisson": (lambda: ops.random_poisson((COUNT,), Tensor([4.0])), 4, 2),
    "bernoulli": (lambda: ops.bernoulli(ops.zeros((COUNT,)), 0.25), 0.25, math.sqrt(3) / 4),
    "multinomial": (lambda: ops.multinomial(Tensor([1.0, 0.0, 3.0]), COUNT), 1.5, math.sqrt(0.75)),
    "categorical": (lambda: ops.random_categorical(Tensor([[0.0, math.log(3.0)]]), COUNT), 0.75,
                    math.sqrt(3) / 4),
    "TruncatedNormal": (lambda: ops.TruncatedNormal()((COUNT,)), 0, 0.8796),
    "UniformInt": (lambda: ops.UniformInt()((COUNT,), Tensor(0), Tensor(2)), 0.5, 0.5),
}


@pytest.mark.parametrize(("draw", "mean", "deviation"), DRAWS.values(), ids=DRAWS)
def test_mean_and_deviation_are_those_of_the_distribution(draw, mean, deviation):
    set_seed(3)
    drawn = draw().asnumpy().astype(float)
    assert abs(drawn.mean() - mean) < 5 * deviation / math.sqrt(COUNT)
    assert abs(drawn.std() - deviation) < 0.05 * deviation


@pytest.mark.parametrize("draw", [d for d, _, _ in DRAWS.values()], ids=DRAWS)
def test_the_global_seed_repeats_the_draws(draw):
    set_seed(11)
    first, second = draw().asnumpy(), draw().asnumpy()
    set_seed(11)
    np.testing.assert_array_equal(draw().asnumpy(), first)
    assert (first != second).any()


def test_two_primitives_with_one_seed_draw_the_same_stream():
    one, other = ops.StandardNormal(seed=7), ops.StandardNormal(seed=7)
    first = one((3,)).asnumpy()
    np.testing.assert_array_equal(other((3,)).asnumpy(), first)
    assert (one((3,)).asnumpy() != first).any()


def test_a_graph_draws_anew_in_each_run():
    draw = jit(lambda x: x + ops.standard_normal((4,)))
    first, second = [draw(ops.zeros((4,))).asnumpy() for _ in range(2)]
    assert (first != second).any()


def test_a_gradient_passes_through_what_is_done_with_the_numbers():
    assert float(grad(lambda s: ops.normal((4,), Tensor(0.0), s).sum() * 0 + s)(Tensor(2.0))) == 1
    set_seed(2)
    unit = ops.standard_normal((4,)).asnumpy().sum()
    set_seed(2)
    found = grad(lambda s: ops.normal((4,), Tensor(0.0), s).sum())(Tensor(2.0))
    np.testing.assert_allclose(found.asnumpy(), unit, rtol=1e-5)


def test_a_permutation_has_every_number_once():
    assert sorted(ops.randperm(10).asnumpy().tolist()) == list(range(10))
    x = np.arange(12).reshape(6, 2)
    assert sorted(ops.shuffle(Tensor(x)).asnumpy().tolist()) == x.tolist()


def test_a_choice_with_a_mask_says_which_coordinates_are_real():
    places, real = ops.choice_with_mask(Tensor([[True, False], [True, True]]), 4)
    assert real.asnumpy().tolist() == [True, True, True, False]
    assert sorted(places.asnumpy()[:3].tolist()) == [[0, 0], [1, 0], [1, 1]]


@pytest.mark.parametrize(("call", "error"), [
    (lambda: ops.rand(2.5), TypeError), (lambda: ops.randn(-1), ValueError),
    (lambda: ops.normal((2,), "a", 1.0), TypeError), (lambda: ops.randint(3, 3, (2,)), ValueError),
    (lambda: ops.uniform((2,), 0.0, 1.0, dtype=mindspore.bool_), TypeError),
    (lambda: ops.multinomial(Tensor([0.5, 0.5]), 3, replacement=False), ValueError),
    (lambda: ops.standard_normal((2,), seed=-1), ValueError),
    (lambda: ops.rand_like(Tensor([1, 2])), ValueError),
], ids=lambda v: getattr(v, "__name__", "x"))
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("dtype", [mindspore.float16, mindspore.float32, mindspore.float64], ids=str)
def test_log_normal_numbers_have_the_type_of_the_input(dtype):
    assert ops.LogNormalReverse()(ops.zeros((3,), dtype)).dtype is dtype
    with pytest.raises(TypeError, match="floating point"):
        ops.LogNormalReverse()(ops.zeros((3,), mindspore.int32))


def test_a_window_takes_its_length_as_a_vector():
    assert np.allclose(ops.HammingWindow()(Tensor([4])).asnumpy(), 0.54 - 0.46 * np.cos(np.pi / 2 * np.arange(4)))
