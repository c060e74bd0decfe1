"""Distributions between and beyond the values that they take, on a grid, beside SciPy."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from mindspore import Tensor, float32
from mindspore.nn.probability import distribution as D

CASES = {
    "Bernoulli": (D.Bernoulli(0.3), scipy.stats.bernoulli(0.3)),
    "Geometric": (D.Geometric(0.3), scipy.stats.geom(0.3, -1)),
    "Poisson": (D.Poisson(1.7), scipy.stats.poisson(1.7)),
    "Uniform": (D.Uniform(-0.5, 2.0), scipy.stats.uniform(-0.5, 2.5)),
    "Exponential": (D.Exponential(0.7), scipy.stats.expon(scale=1 / 0.7)),
    "Gamma": (D.Gamma(2.5, 0.7), scipy.stats.gamma(2.5, scale=1 / 0.7)),
    "HalfNormal": (D.HalfNormal(-0.5, 1.5), scipy.stats.halfnorm(-0.5, 1.5)),
    "Normal": (D.Normal(0.5, 1.5), scipy.stats.norm(0.5, 1.5)),
    "Laplace": (D.Laplace(0.5, 1.5), scipy.stats.laplace(0.5, 1.5)),
    "Cauchy": (D.Cauchy(0.5, 1.5), scipy.stats.cauchy(0.5, 1.5)),
    "Logistic": (D.Logistic(0.5, 1.5), scipy.stats.logistic(0.5, 1.5)),
    "Gumbel": (D.Gumbel(0.5, 1.5), scipy.stats.gumbel_r(0.5, 1.5)),
}
GRID = np.array([-3.25, -1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.25, 3.0, 3.75, 7.0], np.float32)


@pytest.mark.parametrize("name", CASES)
def test_shares_below_and_above_every_number(name):
    ours, truth = CASES[name]
    x = Tensor(GRID, float32)
    below, above = truth.cdf(GRID), truth.sf(GRID)
    np.testing.assert_allclose(ours.cdf(x).asnumpy(), below, 2e-4, 1e-6)
    np.testing.assert_allclose(ours.survival_function(x).asnumpy(), above, 2e-4, 1e-6)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(ours.log_cdf(x).asnumpy()[below > 1e-6], np.log(below[below > 1e-6]), 2e-4, 1e-6)
        some = above > 1e-6
        np.testing.assert_allclose(ours.log_survival(x).asnumpy()[some], np.log(above[some]), 2e-4, 1e-6)


@pytest.mark.parametrize("name", CASES)
def test_densities_beyond_the_support_are_zero(name):
    ours, truth = CASES[name]
    low, high = truth.support()
    outside = np.array([v for v in (low - 0.75, low - 2, high + 0.75, high + 2) if np.isfinite(v)], np.float32)
    inside = GRID[(low <= GRID) & (high >= GRID)]
    if hasattr(truth.dist, "pmf"):
        inside = inside[inside == np.round(inside)]
    wanted = (truth.pmf if hasattr(truth.dist, "pmf") else truth.pdf)(inside)
    np.testing.assert_allclose(ours.prob(Tensor(inside)).asnumpy(), wanted, 2e-4, 1e-7)
    inside = inside[wanted > 0]
    np.testing.assert_allclose(ours.log_prob(Tensor(inside)).asnumpy(), np.log(wanted[wanted > 0]), 2e-4, 1e-6)
    if len(outside):
        assert (ours.prob(Tensor(outside)).asnumpy() == 0).all()
        assert np.isneginf(ours.log_prob(Tensor(outside)).asnumpy()).all()
