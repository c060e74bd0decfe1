"""Invertible functions against torch's derivatives and closed forms."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, float16, nn, ops
from mindspore.nn.probability import bijector as B

X = np.float32([0.5, -0.75, 1.5])
FORMULAS = [
    (B.Exp(), np.exp), (B.PowerTransform(0.5), lambda x: (1 + x / 2) ** 2),
    (B.PowerTransform([0.5, 0.0, 1.0]), lambda x: np.stack([(1 + x[0] / 2) ** 2, np.exp(x[1]), 1 + x[2]])),
    (B.ScalarAffine(-2.0, 1.0), lambda x: 1 - 2 * x), (B.Softplus(2.0), lambda x: np.log1p(np.exp(2 * x)) / 2),
    (B.GumbelCDF(1.0, 2.0), lambda x: np.exp(-np.exp(-(x - 1) / 2))),
    (B.Invert(B.Invert(B.ScalarAffine(3.0, 0.5))), lambda x: 3 * x + 0.5),
]


class Asked(nn.Cell):
    def __init__(self, bijector):
        super().__init__()
        self.bijector = bijector

    def construct(self, x, y):
        b = self.bijector
        return (b("forward", x), b.inverse(y), b("forward_log_jacobian", x), b.inverse_log_jacobian(y))


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("bijector", "formula"), FORMULAS, ids=[b.name for b, _ in FORMULAS])
def test_a_bijector_goes_forth_and_back_and_knows_its_derivative(bijector, formula):
    y = formula(X.astype(np.float64))
    forth, back, log_forth, log_back = Asked(bijector)(Tensor(X), Tensor(y.astype(np.float32)))
    np.testing.assert_allclose(forth.asnumpy(), y, rtol=1e-5)
    np.testing.assert_allclose(back.asnumpy(), X, rtol=1e-3, atol=1e-4)
    step = 1e-6
    slope = np.log(abs(formula(X + step * np.float64(1)) - formula(X - step * np.float64(1))) / (2 * step))
    np.testing.assert_allclose(np.broadcast_to(log_forth.asnumpy(), 3), slope, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(np.broadcast_to(log_back.asnumpy(), 3), -slope, rtol=1e-3, atol=1e-4)


@pytest.mark.usefixtures("both_modes")
def test_softplus_stays_exact_for_large_and_small_numbers():
    b = B.Softplus()
    np.testing.assert_allclose(b.forward(Tensor([100.0, -30.0])).asnumpy(), [100.0, np.exp(-30.0)], rtol=1e-5)
    np.testing.assert_allclose(b.inverse(Tensor([100.0, 1e-4, 1e-20])).asnumpy(),
                               [100.0, np.log(np.expm1(1e-4)), np.log(1e-20)], rtol=1e-5)
    grad = ops.grad(lambda x: b.forward(x).sum())(Tensor([100.0, -100.0]))
    np.testing.assert_allclose(grad.asnumpy(), [1.0, 0.0], atol=1e-6)


def test_properties_tell_what_a_bijector_is():
    b = B.GumbelCDF([1.0, 2.0], 3.0)
    assert (b.name, b.dtype, b.is_constant_jacobian, b.is_injective) == ("GumbelCDF", None, False, True)
    assert b.batch_shape == (2,)
    assert not b.is_scalar_batch
    assert b.shape_mapping((3, 1)) == (3, 2)
    assert b.parameters["param_dict"] == {"loc": [1.0, 2.0], "scale": 3.0}
    assert B.ScalarAffine().is_constant_jacobian
    assert repr(B.Exp()) == "Exp(exp)"
    assert repr(B.ScalarAffine(2.0)) == "ScalarAffine(scale = 2.0, shift = 0.0)"
    assert B.ScalarAffine(2.0, 1.0).forward(Tensor(1.0, float16)).dtype is float16
    assert B.Exp().power.item() == 0.0


@pytest.mark.parametrize(("make", "error", "text"), [
    (lambda: B.PowerTransform(-1.0), ValueError, "at least zero"),
    (lambda: B.ScalarAffine(0.0), ValueError, "other than zero"),
    (lambda: B.ScalarAffine(2), TypeError, "floating-point type"),
    (lambda: B.ScalarAffine("a"), TypeError, "'scale' must be a number"),
    (lambda: B.GumbelCDF(1.0, -1.0), ValueError, "greater than zero"),
    (lambda: B.Exp().forward(1.0), TypeError, "'value' must be a Tensor"),
    (lambda: B.Exp().forward(Tensor([1])), TypeError, "floating-point type"),
    (lambda: B.Exp()("back", Tensor(1.0)), ValueError, "must be one of"),
    (lambda: B.Bijector(), TypeError, "'name'"),
    (lambda: B.Bijector(name="b").forward(Tensor(1.0)), NotImplementedError, "forward is not implemented"),
    (lambda: B.Invert(1), TypeError, "'bijector'"),
])
def test_wrong_arguments_are_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()
