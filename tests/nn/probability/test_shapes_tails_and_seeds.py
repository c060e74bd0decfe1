"""Distributions of parameters of unequal shapes, in their tails, at their limits, and from one seed to another."""
from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from mindspore import Tensor, float16, float32, float64, int32, ops, set_seed
from mindspore.nn.probability import bijector as B
from mindspore.nn.probability import distribution as D

COLUMN, ROW = np.float32([[0.5], [-1.0], [2.0]]), np.float32([0.7, 1.9])
KINDS = {
    "Normal": (D.Normal, (COLUMN, ROW), scipy.stats.norm),
    "HalfNormal": (D.HalfNormal, (COLUMN, ROW), scipy.stats.halfnorm),
    "Laplace": (D.Laplace, (COLUMN, ROW), scipy.stats.laplace),
    "Logistic": (D.Logistic, (COLUMN, ROW), scipy.stats.logistic),
    "Cauchy": (D.Cauchy, (COLUMN, ROW), scipy.stats.cauchy),
    "Gumbel": (D.Gumbel, (COLUMN, ROW), scipy.stats.gumbel_r),
    "LogNormal": (D.LogNormal, (COLUMN * 0.3, ROW * 0.4), lambda m, s: scipy.stats.lognorm(s, scale=np.exp(m))),
    "Uniform": (D.Uniform, (COLUMN, ROW + 2), lambda low, high: scipy.stats.uniform(low, high - low)),
    "Gamma": (D.Gamma, (COLUMN + 2.5, ROW), lambda a, rate: scipy.stats.gamma(a, scale=1 / rate)),
    "Beta": (D.Beta, (COLUMN + 2.5, ROW + 1), scipy.stats.beta),
    "StudentT": (D.StudentT, (np.float32([[[3.0]], [[7.5]]]), COLUMN, ROW), scipy.stats.t),
    "Exponential": (D.Exponential, (ROW,), lambda rate: scipy.stats.expon(scale=1 / rate)),
    "Bernoulli": (D.Bernoulli, (ROW / 2,), scipy.stats.bernoulli),
    "Geometric": (D.Geometric, (ROW / 2,), lambda p: scipy.stats.geom(p, -1)),
    "Poisson": (D.Poisson, (ROW,), scipy.stats.poisson),
}
CASES = [pytest.param(*case, id=name) for name, case in KINDS.items()]
NONE = {"Cauchy": ("mean", "sd", "var"), "Poisson": ("entropy",)}


@pytest.mark.parametrize(("kind", "own", "truth"), CASES)
def test_moments_have_the_shape_that_all_parameters_have_together(kind, own, truth):
    dist, expected = kind(*own), truth(*[x.astype(np.float64) for x in own])
    shape = np.broadcast_shapes(*[x.shape for x in own])
    for name, method in (("mean", "mean"), ("sd", "std"), ("var", "var"), ("entropy", "entropy")):
        if name not in NONE.get(kind.__name__, ()):
            found = getattr(dist, name)()
            assert found.shape == shape, name
            np.testing.assert_allclose(found.asnumpy(), getattr(expected, method)(), 3e-4, 1e-5, err_msg=name)
    if kind is not D.Uniform:
        assert dist.mode().shape == shape
    assert dist.sample((4,)).shape == (4, *shape)
    assert (dist.broadcast_shape, dist.is_scalar_batch) == (shape, False)


@pytest.mark.parametrize("name", ["Normal", "HalfNormal", "Laplace", "Logistic", "Cauchy", "Gumbel", "Exponential",
                                  "Gamma", "StudentT", "LogNormal"])
def test_far_tails_keep_their_digits(name):
    kind, own, truth = KINDS[name]
    first = [float(x.ravel()[-1]) for x in own]
    dist, expected = kind(*first), truth(*first)
    far = np.float32([expected.isf(p) for p in (1e-3, 1e-6)])
    np.testing.assert_allclose(dist.survival_function(Tensor(far)).asnumpy(), expected.sf(far), 5e-3)
    np.testing.assert_allclose(dist.log_survival(Tensor(far)).asnumpy(), np.log(expected.sf(far)), 5e-3)
    if expected.support()[0] == -math.inf:
        near = np.float32([expected.ppf(p) for p in (1e-3, 1e-6)])
        np.testing.assert_allclose(dist.cdf(Tensor(near)).asnumpy(), expected.cdf(near), 5e-3)
        np.testing.assert_allclose(dist.log_cdf(Tensor(near)).asnumpy(), np.log(expected.cdf(near)), 5e-3)


@pytest.mark.parametrize("name", ["Normal", "Logistic", "Exponential", "Laplace", "Cauchy"])
def test_logarithms_of_tails_go_on_where_shares_are_no_more_than_rounding(name):
    kind, own, truth = KINDS[name]
    first = [float(x.ravel()[-1]) for x in own]
    far = np.float32(truth(*first).isf(1e-12))
    found = kind(*first).log_survival(Tensor(far)).item()
    assert found == pytest.approx(truth(*first).logsf(float(far)), rel=1e-4)


def test_what_is_not_defined_follows_from_what_is():
    class Triangle(D.Distribution):
        """Density 2 x on [0, 1]."""

        def __init__(self):
            super().__init__(None, float32, "Triangle", {})

        def _cdf(self, value):
            return value * value

        def _sd(self):
            return Tensor(1 / math.sqrt(18))

    x = Tensor([0.25, 0.5])
    assert Triangle().log_cdf(x).asnumpy() == pytest.approx(np.log([0.0625, 0.25]))
    assert Triangle().survival_function(x).asnumpy() == pytest.approx([0.9375, 0.75])
    assert Triangle().log_survival(x).asnumpy() == pytest.approx(np.log([0.9375, 0.75]))
    assert Triangle().var().item() == pytest.approx(1 / 18)
    for name in ("prob", "log_prob"):
        with pytest.raises(NotImplementedError, match=name):
            getattr(Triangle(), name)(x)


@pytest.mark.parametrize(("kind", "own", "truth"), CASES)
def test_seeds_repeat_samples_and_differ_from_each_other(kind, own, truth):
    given = [float(x.ravel()[-1]) for x in own]

    def drawn_after(count, seed):
        set_seed(1)
        ops.standard_normal((count,))           # which moves the stream of all that have no seed
        return kind(*given, seed=seed).sample((400,)).asnumpy()

    drawn = {seed: [drawn_after(count, seed) for count in (1, 5)] for seed in (3, 4, None)}
    assert np.array_equal(*drawn[3])
    assert np.array_equal(*drawn[4])
    assert not np.array_equal(*drawn[None])
    assert not np.array_equal(drawn[3][0], drawn[4][0])
    expected = truth(*given)
    if not hasattr(expected.dist, "pmf"):        # what several draws make is right with a seed, too
        assert scipy.stats.kstest(kind(*given, seed=3).sample((2000,)).asnumpy(), expected.cdf).pvalue > 1e-3
    else:
        assert abs(drawn[3][0].astype(float).mean() - expected.mean()) < 5 * expected.std() / 20


def test_another_seed_is_a_distribution_of_its_own():
    first = D.Normal(1.0, 2.0, seed=3)
    second = D.TransformedDistribution(B.ScalarAffine(1.0, 0.0), first, seed=0)
    assert (first.seed, second.seed, first.reseeded(7).seed, first.seed) == (3, 0, 7, 3)
    assert D.Normal(1.0, 2.0).seed == D.Normal(1.0, 2.0, seed=None).seed == 0


@pytest.mark.parametrize(("kind", "own"), [(D.Normal, (0.5, 1.5)), (D.Gamma, (2.0, 1.0)), (D.Uniform, (0.0, 1.0)),
                                           (D.Exponential, (2.0,)), (D.Beta, (2.0, 3.0)), (D.StudentT, (4.0, 0.5, 2.0)),
                                           (D.Poisson, (2.0,)), (D.Bernoulli, (0.5,))])
def test_samples_are_of_the_type_that_was_asked_for(kind, own):
    for dtype in (float16, float32, float64):
        dist = kind(*own, dtype=dtype)
        assert dist.sample((3,)).dtype is dtype
        assert dist.parameter_type is dtype
    if kind in (D.Poisson, D.Bernoulli):
        assert kind(*own, dtype=int32).sample((3,)).dtype is int32
        assert kind(*own, dtype=int32).parameter_type is float32


def test_tensors_say_which_type_the_results_have():
    dist = D.Normal(Tensor([0.5], float64), 1.5)
    assert dist.parameter_type is float64
    assert dist.log_prob(Tensor([0.25], float64)).dtype is float64
    assert D.Normal(Tensor([2], int32), Tensor([3], int32)).mean().dtype is float32
    with pytest.raises(TypeError, match="one element type"):
        D.Normal(Tensor([0.5], float64), Tensor([1.5], float32))


def test_divergences_from_what_cannot_be_are_infinite():
    one = Tensor(np.float32([0.5, 0.5, 0.5, 0.5])), Tensor(np.float32([2.0] * 4))
    low, high = Tensor(np.float32([0.5, 0.25, 0.75, 0.0])), Tensor(np.float32([2.0, 1.5, 2.5, 3.0]))
    found = D.Uniform().kl_loss("Uniform", low, high, *one).asnumpy()
    np.testing.assert_allclose(found, [0.0, math.inf, math.inf, math.log(2.0)], rtol=1e-6)
    begins = Tensor(np.float32([0.5, 0.75, 0.25]))
    found = D.HalfNormal(0.5, 2.0).kl_loss("HalfNormal", begins, Tensor(np.float32([2.0] * 3))).asnumpy()
    assert found[:2].tolist() == [0.0, math.inf]
    assert 0 < found[2] < math.inf
    sure = D.Categorical([0.0, 0.25, 0.75])
    wanted = 0.25 * math.log(0.25 / 0.5) + 0.75 * math.log(0.75 / 0.2)
    assert sure.kl_loss("Categorical", Tensor([0.3, 0.5, 0.2])).item() == pytest.approx(wanted)
    assert sure.entropy().item() == pytest.approx(-0.25 * math.log(0.25) - 0.75 * math.log(0.75))


def test_moments_that_do_not_exist_are_none_of_the_numbers():
    t = D.StudentT([0.5, 1.0, 1.5, 2.0, 4.0], 3.0, 2.0)
    np.testing.assert_array_equal(t.mean().asnumpy(), np.float32([math.nan, math.nan, 3, 3, 3]))
    np.testing.assert_allclose(t.var().asnumpy(), np.float32([math.nan, math.nan, math.inf, math.inf, 8]))
    np.testing.assert_array_equal(D.Gamma([0.5, 1.0, 3.0], 2.0).mode().asnumpy(), np.float32([math.nan, 0, 1]))
    modes = D.Beta([3.0, 0.5, 3.0, 1.0], [2.0, 3.0, 0.5, 1.0]).mode().asnumpy()
    np.testing.assert_allclose(modes, np.float32([2 / 3, math.nan, math.nan, math.nan]), 1e-6)
    for name in ("mean", "sd", "var"):
        with pytest.raises(ValueError, match="undefined"):
            getattr(D.Cauchy(0.0, 1.0), name)()


def test_the_ends_belong_to_the_support():
    ends = Tensor([0.5, 2.0])
    assert D.Uniform(0.5, 2.0).prob(ends).asnumpy() == pytest.approx([1 / 1.5] * 2)
    assert D.Beta(1.0, 1.0).prob(Tensor([0.0, 1.0])).tolist() == [1.0, 1.0]
    assert D.Exponential(2.0).prob(Tensor([0.0])).tolist() == [2.0]
    assert D.HalfNormal(0.5, 2.0).prob(Tensor([0.5])).item() == pytest.approx(math.sqrt(2 / math.pi) / 2)
    assert D.Categorical([0.25, 0.75]).cdf(Tensor([-0.5, 0.0, 0.5, 1.0, 7.0])).tolist() == [0.0, 0.25, 0.25, 1.0, 1.0]
    assert D.Geometric(0.5).prob(Tensor([2.0, 2.5])).tolist() == [0.125, 0.125]
    with pytest.raises(ValueError, match="less than 'high'"):
        D.Uniform(1.0, [2.0, 1.0])


def test_parameters_are_given_by_their_names_each_once():
    p, q = Tensor([0.3]), Tensor([0.6])
    by_place = D.Bernoulli().kl_loss("Bernoulli", q, p).item()
    assert D.Bernoulli().kl_loss("Bernoulli", probs1_b=q, probs1=p).item() == pytest.approx(by_place)
    assert D.Bernoulli().kl_loss("Bernoulli", probs=p, probs_b=q).item() == pytest.approx(by_place)
    assert D.Bernoulli().mean(probs1=p).item() == D.Bernoulli().mean(p).item() == pytest.approx(0.3)
    for more in ({"mean": Tensor(1.0)}, {"other": Tensor(1.0)}):
        with pytest.raises(TypeError, match="the parameters are"):
            D.Normal().prob(Tensor(1.0), Tensor(0.0), Tensor(2.0), **more)
    with pytest.raises(TypeError, match="'sd_b'"):
        D.Normal(0.0, 1.0).kl_loss("Normal", Tensor(0.0))


def test_a_distribution_of_categories_is_as_wide_as_its_rows():
    single, rows = D.Categorical([0.25, 0.75]), D.Categorical(np.full((3, 2), 0.5))
    assert (single.broadcast_shape, single.is_scalar_batch) == ((), True)
    assert (rows.broadcast_shape, rows.is_scalar_batch) == ((3,), False)
    assert single.sample((5,)).shape == (5,)
    assert rows.sample((5,)).shape == (5, 3)
    three = np.float32([[0.1, 0.9], [0.9, 0.1], [0.5, 0.5]])
    drawn = D.Categorical(three, seed=5).sample((3000,)).asnumpy()
    np.testing.assert_allclose(drawn.mean(0), three[:, 1], atol=0.03)


def test_samples_of_what_is_transformed_are_the_images():
    truth = scipy.stats.norm(-2.0 * 0.5 + 1.0, 3.0)
    scaled = D.TransformedDistribution(B.ScalarAffine([-2.0, 2.0], 1.0), D.Normal(0.5, 1.5), seed=3)
    drawn = scaled.sample((2000, 2)).asnumpy()
    assert scaled.batch_shape == (2,)
    assert scipy.stats.kstest(drawn[:, 0], truth.cdf).pvalue > 1e-3
    assert scipy.stats.kstest(drawn[:, 1], scipy.stats.norm(2.0, 3.0).cdf).pvalue > 1e-3
    y = Tensor(np.float32([0.75, 0.75]))
    np.testing.assert_allclose(scaled.cdf(y).asnumpy(), [truth.cdf(0.75), scipy.stats.norm(2, 3).cdf(0.75)], 1e-5)
    np.testing.assert_allclose(scaled.survival_function(y).asnumpy(), [truth.sf(0.75), scipy.stats.norm(2, 3).sf(0.75)],
                               1e-5)
    assert not B.Exp()(D.Normal(0.0, 1.0)).is_linear_transformation
