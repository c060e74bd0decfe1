"""Distributions against torch's, SciPy's, and integrals and sums of their densities."""
from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
import torch

from mindspore import Parameter, Tensor, float16, float32, int32, nn, ops, set_seed
from mindspore.nn.probability import bijector as B
from mindspore.nn.probability import distribution as D

A = np.array
# class, parameters, other parameters, values, SciPy's distribution of the parameters
CONTINUOUS = [
    (D.Normal, {"mean": A([0.5, -1.0]), "sd": A([2.0, 0.7])}, (0.2, 1.3), (-1.5, 2.0),
     lambda mean, sd: scipy.stats.norm(mean, sd)),
    (D.HalfNormal, {"mean": A([0.5, -1.0]), "sd": A([2.0, 0.7])}, (-1.2, 1.3), (0.75, 2.0),
     lambda mean, sd: scipy.stats.halfnorm(mean, sd)),
    (D.Laplace, {"mean": A([0.5, -1.0]), "sd": A([2.0, 0.7])}, (0.2, 1.3), (-1.5, 2.0),
     lambda mean, sd: scipy.stats.laplace(mean, sd)),
    (D.Logistic, {"loc": A([0.5, -1.0]), "scale": A([2.0, 0.7])}, None, (-1.5, 2.0),
     lambda loc, scale: scipy.stats.logistic(loc, scale)),
    (D.Cauchy, {"loc": A([0.5, -1.0]), "scale": A([2.0, 0.7])}, (0.2, 1.3), (-1.5, 2.0),
     lambda loc, scale: scipy.stats.cauchy(loc, scale)),
    (D.StudentT, {"df": A([3.0, 5.5]), "mean": A([0.5, -1.0]), "sd": A([2.0, 0.7])}, None, (-1.5, 2.0),
     lambda df, mean, sd: scipy.stats.t(df, mean, sd)),
    (D.Exponential, {"rate": A([0.5, 3.0])}, (1.7,), (0.25, 2.0), lambda rate: scipy.stats.expon(scale=1 / rate)),
    (D.Gamma, {"concentration": A([1.5, 4.0]), "rate": A([0.5, 3.0])}, (2.0, 1.7), (0.25, 2.0),
     lambda a, rate: scipy.stats.gamma(a, scale=1 / rate)),
    (D.Uniform, {"low": A([0.0, -1.0]), "high": A([2.0, 3.0])}, (-1.5, 4.0), (0.25, 1.5),
     lambda low, high: scipy.stats.uniform(low, high - low)),
    (D.Beta, {"concentration1": A([1.5, 4.0]), "concentration0": A([2.5, 3.0])}, (2.0, 1.7), (0.25, 0.8),
     scipy.stats.beta),
    (D.LogNormal, {"loc": A([0.5, -1.0]), "scale": A([0.6, 0.7])}, (0.2, 1.3), (0.25, 2.0),
     lambda loc, scale: scipy.stats.lognorm(scale, scale=np.exp(loc))),
    (D.Gumbel, {"loc": A([0.5, -1.0]), "scale": A([2.0, 0.7])}, (0.2, 1.3), (-1.5, 2.0),
     lambda loc, scale: scipy.stats.gumbel_r(loc, scale)),
]
DISCRETE = [
    (D.Bernoulli, {"probs": A([0.3, 0.8])}, (0.4,), (0.0, 1.0), scipy.stats.bernoulli),
    (D.Geometric, {"probs": A([0.3, 0.8])}, (0.4,), (0.0, 3.0), lambda p: scipy.stats.geom(p, -1)),
    (D.Poisson, {"rate": A([0.7, 3.2])}, (1.5,), (0.0, 4.0), scipy.stats.poisson),
]
EVERY = [pytest.param(*case, id=case[0].__name__) for case in [*CONTINUOUS, *DISCRETE]]
VALUED = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival")


class Asked(nn.Cell):
    """Answers all questions, each by its name in `construct`."""

    def __init__(self, dist, moments):
        super().__init__()
        self.dist, self.moments = dist, moments

    def construct(self, value, *own):
        asked = [self.dist(name, value, *own) for name in VALUED]
        return asked + [self.dist(name, *own) for name in self.moments]


def tensors(numbers):
    return [Tensor(np.asarray(x, np.float32)) for x in numbers]


def wanted_of(truth, values, moments):
    mass = truth.pmf if hasattr(truth.dist, "pmf") and not hasattr(truth.dist, "_pdf_is_density") else truth.pdf
    with np.errstate(divide="ignore"):
        probs = mass(values)
        found = [probs, np.log(probs), truth.cdf(values), np.log(truth.cdf(values)), truth.sf(values),
                 np.log(truth.sf(values))]
    named = {"mean": truth.mean, "sd": truth.std, "var": truth.var, "entropy": truth.entropy}
    return found + [named[name]() for name in moments]


def moments_of(kind):
    return {D.Cauchy: ("entropy",), D.Poisson: ("mean", "sd", "var")}.get(kind, ("mean", "sd", "var", "entropy"))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("kind", "own", "other", "values", "truth"), EVERY)
def test_answers_are_those_of_scipy_with_parameters_of_construction_and_of_the_call(kind, own, other, values, truth):
    moments = moments_of(kind)
    wanted = wanted_of(truth(*own.values()), A(values), moments)
    for dist, given in ((kind(**own), ()), (kind(*(None if kind is not D.Gumbel else 1.0 for _ in own)), own.values())):
        found = Asked(dist, moments)(Tensor(A(values), float32), *tensors(given))
        for name, a, b in zip([*VALUED, *moments], found, wanted, strict=True):
            assert a.dtype is float32
            np.testing.assert_allclose(a.asnumpy(), b, rtol=2e-4, atol=2e-6, err_msg=f"{kind.__name__}.{name}")


@pytest.mark.parametrize(("kind", "own", "other", "values", "truth"), [e for e in EVERY if e.values[2] is not None])
def test_divergences_are_expectations_of_the_logarithm_of_the_ratio(kind, own, other, values, truth):
    first, second = truth(*[v[0] for v in own.values()]), truth(*other)
    given = tensors(other)
    found = kind(**{k: float(v[0]) for k, v in own.items()}).kl_loss(kind.__name__, *given)
    if hasattr(first.dist, "logpmf"):
        ks = np.arange(0, 80 if kind is not D.Bernoulli else 2)
        wanted = sum(first.pmf(k) * (first.logpmf(k) - second.logpmf(k)) for k in ks)
    else:
        low, high = first.ppf(1e-12), first.ppf(1 - 1e-12)
        u = (np.arange(20_000) + 0.5) / 20_000                  # quantiles, equally likely
        x = first.ppf(u)
        assert low < x.min() < x.max() < high
        wanted = np.mean(first.logpdf(x) - second.logpdf(x))
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=3e-3)
    same = kind(**own).kl_loss(kind.__name__, *tensors(own.values()))
    np.testing.assert_allclose(same.asnumpy(), 0, atol=1e-5)
    if kind is not D.Poisson:
        crossed = kind(**own).cross_entropy(kind.__name__, *given) - kind(**own).entropy()
        np.testing.assert_allclose(crossed.asnumpy()[0], wanted, rtol=3e-3, atol=1e-4)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("kind", "own", "other", "values", "truth"), EVERY)
def test_samples_have_the_distribution(kind, own, other, values, truth):
    set_seed(3)
    first = {k: float(v[0]) for k, v in own.items()}
    dist, expected = kind(**first), truth(*first.values())
    drawn = dist.sample((4000,)).asnumpy()
    assert dist.sample((3, 2), *tensors(own.values())).shape == (3, 2, 2)
    assert kind(**own).sample().shape == (2,)
    if hasattr(expected.dist, "pmf"):
        for k in range(3):
            p = expected.pmf(k)
            assert abs((drawn == k).mean() - p) < 5 * math.sqrt(p * (1 - p) / 4000) + 1e-12
    else:
        assert scipy.stats.kstest(drawn, expected.cdf).pvalue > 1e-3
    assert dist.sample().dtype is (int32 if kind in (D.Bernoulli, D.Geometric) else float32)


def test_a_seed_makes_samples_repeat_from_one_distribution_to_the_next():
    first, second = (D.Gamma(2.0, 3.0, seed=11).sample((5,)).asnumpy() for _ in range(2))
    parts = D.Beta(2.0, 2.0, seed=11).sample((500,)).asnumpy()
    assert first.shape == second.shape == (5,)
    assert parts.std() > 0.15                       # two independent draws, not one twice: sd is 0.2236


def test_modes_are_where_the_density_is_largest():
    x = np.linspace(-4, 6, 20001)
    for kind, own, _, _, truth in CONTINUOUS:
        if kind is D.Uniform:
            with pytest.raises(NotImplementedError, match="mode is not implemented"):
                kind(**own).mode()
            continue
        peak = x[np.argmax(truth(*[v[1] for v in own.values()]).pdf(x))]
        np.testing.assert_allclose(kind(**own).mode().asnumpy()[1], peak, atol=6e-4)
    assert D.Bernoulli([0.5, 0.2, 0.7]).mode().tolist() == [0, 0, 1]
    assert D.Geometric([0.5]).mode().tolist() == [0]
    assert D.Poisson([0.5, 2.7]).mode().tolist() == [0, 2]


@pytest.mark.usefixtures("both_modes")
def test_categories_are_those_of_torch():
    probs = A([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]])
    truth = torch.distributions.Categorical(torch.tensor(probs))
    dist, values = D.Categorical(probs), Tensor([2, 1], int32)
    np.testing.assert_allclose(dist("log_prob", values).asnumpy(), truth.log_prob(torch.tensor([2, 1])), rtol=1e-6)
    np.testing.assert_allclose(dist.entropy().asnumpy(), truth.entropy(), rtol=1e-6)
    other = A([[0.4, 0.4, 0.2], [0.3, 0.4, 0.3]])
    apart = torch.distributions.kl_divergence(truth, torch.distributions.Categorical(torch.tensor(other)))
    np.testing.assert_allclose(dist.kl_loss("Categorical", *tensors([other])).asnumpy(), apart, rtol=1e-5)
    np.testing.assert_allclose(dist.cdf(values).asnumpy(), [1.0, 1.0], rtol=1e-6)
    np.testing.assert_allclose(dist.cdf(Tensor([0.5, 0.0])).asnumpy(), [0.2, 0.6], rtol=1e-6)
    np.testing.assert_allclose(dist.mean().asnumpy(), [[1.3], [0.4]], rtol=1e-6)
    np.testing.assert_allclose(dist.var().asnumpy(), [[0.61], [0.24]], rtol=1e-5)
    assert dist.mode().tolist() == [2, 0]
    set_seed(1)
    drawn = dist.sample((5000,)).asnumpy()
    counts = np.stack([(drawn == k).mean(0) for k in range(3)], 1)
    np.testing.assert_allclose(counts, probs, atol=0.03)
    assert not counts[1, 2]
    assert dist.broadcast_shape == (2,)
    assert dist.batch_shape == (2, 3)


def test_nothing_is_probable_outside_of_the_support():
    outside = Tensor([-1.0, 2.5])
    assert D.Bernoulli(0.3).prob(outside).tolist() == [0.0, 0.0]
    assert D.Beta([2.0], [3.0]).prob(outside).tolist() == [0.0, 0.0]
    assert D.Uniform(0.0, 2.0).log_prob(outside).tolist() == [-math.inf, -math.inf]
    for dist in (D.Gamma([2.0], [1.0]), D.Exponential(2.0), D.Poisson([2.0]), D.Geometric(0.3), D.LogNormal(0.0, 1.0),
                 D.HalfNormal(0.0, 1.0)):
        below = Tensor([-1.0])
        assert dist.prob(below).tolist() == [0.0]
        assert dist.cdf(below).tolist() == [0.0]
        assert dist.survival_function(below).tolist() == [1.0]
        assert ops.grad(lambda x, d=dist: d.cdf(x).sum())(below).tolist() == [0.0]
    assert D.Categorical([0.3, 0.7]).prob(Tensor([-1, 2])).tolist() == [0.0, 0.0]


@pytest.mark.usefixtures("both_modes")
def test_gradients_reach_parameters_through_densities_and_samples():
    class Model(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dist = D.Normal(Parameter(Tensor([0.5]), name="mean"), Parameter(Tensor([2.0]), name="sd"))

        def construct(self, x):
            return self.dist.log_prob(x).sum()

    model = Model()
    assert [p.name for p in model.trainable_params()] == ["dist._mean_value", "dist._sd_value"]
    found = ops.grad(model, None, model.trainable_params())(Tensor([1.0, -3.0]))
    mean, sd = (torch.tensor([v], requires_grad=True) for v in (0.5, 2.0))
    torch.distributions.Normal(mean, sd).log_prob(torch.tensor([1.0, -3.0])).sum().backward()
    np.testing.assert_allclose([g.asnumpy() for g in found], [mean.grad, sd.grad], rtol=1e-5)
    moved = ops.grad(lambda m, s: D.Normal(dtype=float32).sample((1000,), m, s).mean(), (0, 1))(
        Tensor(0.0), Tensor(1.0))
    assert moved[0].item() == pytest.approx(1.0)
    assert abs(moved[1].item()) < 0.2


@pytest.mark.usefixtures("both_modes")
def test_a_transformed_distribution_is_that_of_the_images():
    y = Tensor([0.3, 2.0])
    scaled = D.TransformedDistribution(B.ScalarAffine(-2.0, 1.0), D.Normal(0.5, 1.5))
    truth = scipy.stats.norm(0.0, 3.0)
    for name, method in (("prob", truth.pdf), ("cdf", truth.cdf), ("survival_function", truth.sf)):
        np.testing.assert_allclose(scaled(name, y).asnumpy(), method(y.asnumpy()), rtol=1e-5)
    assert (scaled.mean().item(), scaled.sd().item(), scaled.mode().item()) == pytest.approx((0.0, 3.0, 0.0))
    assert scaled.entropy().item() == pytest.approx(truth.entropy())
    assert scaled.is_linear_transformation
    grown = B.Exp()(D.Normal())
    np.testing.assert_allclose(grown.cdf(y, *tensors((0.1, 0.7))).asnumpy(),
                               scipy.stats.lognorm(0.7, scale=math.exp(0.1)).cdf(y.asnumpy()), rtol=1e-5)
    with pytest.raises(ValueError, match="follows only from a linear function"):
        grown.mean(*tensors((0.1, 0.7)))
    assert D.TransformedDistribution(B.Exp(), D.Normal(0.0, 1.0), seed=5).distribution.seed == 5


def test_properties_tell_what_a_distribution_was_made_with():
    dist = D.Normal([1.0, 2.0], 3.0, seed=4, name="heights")
    assert (dist.name, dist.seed, dist.dtype) == ("heights", 4, float32)
    assert dist.batch_shape == dist.broadcast_shape == (2,)
    assert dist.parameters["param_dict"] == {"mean": [1.0, 2.0], "sd": 3.0}
    assert not dist.is_scalar_batch
    assert repr(dist) == "Normal(batch_shape = (2,))"
    assert repr(D.Normal(0.0, 0.1)) == "Normal(mean = 0.0, standard deviation = 0.1)"
    assert [p.dtype for p in D.Normal(Tensor([1.0], float16), 1.0).get_dist_args()] == [float16, float16]
    assert D.Normal().broadcast_shape is None
    assert dist.get_dist_type() == "Normal"
    assert D.Bernoulli().mean(probs1=Tensor(0.25)).item() == 0.25


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: D.Normal(0.0, -1.0), ValueError, "'sd' must be greater than zero"),
    (lambda: D.Normal("a", 1.0), TypeError, "'mean' must be a number"),
    (lambda: D.Normal(0.0, 1.0, seed=-1), ValueError, "'seed'"),
    (lambda: D.Normal(0.0, 1.0, dtype=int32), TypeError, "a float type"),
    (lambda: D.Normal([1.0, 2.0], [1.0, 2.0, 3.0]).batch_shape, ValueError, "cannot be broadcast"),
    (lambda: D.Bernoulli(1.5), ValueError, "less than one"),
    (lambda: D.Uniform(2.0, 1.0), ValueError, "less than 'high'"),
    (lambda: D.Categorical([0.3, 0.3]), ValueError, "sum to one"),
    (lambda: D.Categorical(0.3), ValueError, "at least one axis"),
    (lambda: D.Normal(0.0, 1.0).prob(1.0), TypeError, "'value' must be a Tensor"),
    (lambda: D.Normal().prob(Tensor(1.0)), TypeError, "given neither at construction nor at the call"),
    (lambda: D.Normal(0.0, 1.0).sample([3]), TypeError, "'shape' must be a tuple"),
    (lambda: D.Normal(0.0, 1.0).kl_loss("Uniform", Tensor(0.0), Tensor(1.0)), ValueError, "'dist' must be 'Normal'"),
    (lambda: D.Normal(0.0, 1.0).kl_loss("Normal", Tensor(0.0)), TypeError, "no 'sd_b'"),
    (lambda: D.Normal(0.0, 1.0)("width"), NotImplementedError, "width is not implemented for Normal"),
    (lambda: D.Normal(0.0, 1.0).mean(Tensor(1.0), mean=Tensor(2.0)), TypeError, "twice"),
    (lambda: D.Cauchy(0.0, 1.0).mean(), ValueError, "undefined"),
    (lambda: D.TransformedDistribution(1, D.Normal(0.0, 1.0)), TypeError, "'bijector'"),
])
def test_wrong_arguments_are_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()
