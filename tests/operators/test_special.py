"""Derivatives of special functions where the registry's samples cannot go."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.special

import mindspore as ms
from mindspore import Tensor, ops


def _slope(function, x, step=1e-6):
    """Central differences in float64."""
    return (function(x + step) - function(x - step)) / (2 * step)


A, X = np.array([0.7, 1.5, 2.5]), np.array([0.5, 1.2, 3.0])


@pytest.mark.parametrize(("ours", "known"), [(ops.igamma, scipy.special.gammainc),
                                             (ops.igammac, scipy.special.gammaincc)])
def test_incomplete_gamma_functions_have_both_derivatives(ours, known):
    da, dx = ms.grad(ours, (0, 1))(Tensor(A), Tensor(X))
    # torch approximates how a sample moves by rational functions, which are good to four digits
    np.testing.assert_allclose(da.asnumpy(), _slope(lambda a: known(a, X), A), rtol=1e-4)
    np.testing.assert_allclose(dx.asnumpy(), _slope(lambda x: known(A, x), X), rtol=1e-5)


def test_zeta_has_the_derivative_by_its_second_argument():
    d = ms.grad(ops.zeta, 1)(Tensor(A + 1), Tensor(X))
    np.testing.assert_allclose(d.asnumpy(), _slope(lambda q: scipy.special.zeta(A + 1, q), X), rtol=1e-5)


@pytest.mark.parametrize("name", ["bessel_j1", "bessel_i1", "bessel_i1e"])
def test_bessel_functions_of_order_one_have_the_slope_one_half_at_zero(name):
    d = ms.grad(getattr(ops, name))(Tensor(np.zeros(1)))
    np.testing.assert_allclose(d.asnumpy(), [0.5], rtol=1e-6)


def test_bessel_functions_take_half_precision():
    out = ops.bessel_j0(Tensor(X, ms.float16))
    assert out.dtype == ms.float16
    np.testing.assert_allclose(out.asnumpy(), scipy.special.j0(X), atol=2e-3)


def test_logit_outside_of_its_domain_has_no_slope():
    d = ms.grad(ops.logit)(Tensor([0.5, 1.5, -0.5])).asnumpy()
    np.testing.assert_array_equal(d, [4, np.nan, np.nan])


def test_weights_of_counted_numbers_have_a_gradient():
    def counted(weights):
        return (ops.bincount(Tensor([0, 1, 1]), weights) * Tensor([2.0, 3.0])).sum()
    assert ms.grad(counted)(Tensor([1.0, 1.0, 1.0])).asnumpy().tolist() == [2, 3, 3]
