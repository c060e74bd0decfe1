"""What the generic tests cannot tell about activations: kinks, limits, random slopes, reverse operators."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, ops
from mindspore.operators import activation
from mindspore.operators.activation import once


def slope(function, values):
    return mindspore.grad(lambda x: function(x).sum())(Tensor(np.array(values, np.float32))).asnumpy()


def test_relu_has_no_slope_at_zero():
    np.testing.assert_array_equal(slope(ops.relu, [-1.0, 0.0, 2.0]), [0, 0, 1])


def test_relu6_passes_the_gradient_at_six_but_not_beyond():
    # observed: MindSpore 2.10, CPU
    np.testing.assert_array_equal(slope(ops.relu6, [0.0, 3.0, 6.0, 6.5]), [0, 1, 1, 0])


def test_hardtanh_has_no_slope_outside_its_limits():
    np.testing.assert_array_equal(slope(lambda x: ops.hardtanh(x, -1.0, 2.0), [-2.0, 0.5, 3.0]), [0, 1, 0])


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_agrees_with_torch(agrees_with_torch, draw, approximate):
    agrees_with_torch(lambda x: ops.gelu(x, approximate),
                      lambda x: torch.nn.functional.gelu(x, approximate=approximate), draw(4, 5))


def test_large_inputs_have_the_same_gelu(agrees_with_torch, draw):
    agrees_with_torch(lambda x: ops.gelu(x, "tanh"),
                      lambda x: torch.nn.functional.gelu(x, approximate="tanh"), draw(200, 200) * 4)


def test_the_primitive_of_gelu_is_the_tanh_approximation(draw):
    x = draw(7)
    wanted = torch.nn.functional.gelu(torch.tensor(x), approximate="tanh").numpy()
    np.testing.assert_allclose(ops.GeLU()(Tensor(x)).asnumpy(), wanted, rtol=1e-5, atol=1e-6)


def test_the_second_derivative_of_tanh_follows_the_formula():
    x = Tensor(np.array([0.3, -1.2], np.float32))
    second = mindspore.grad(lambda v: mindspore.grad(lambda u: ops.tanh(u).sum())(v).sum())(x)
    t = np.tanh(x.asnumpy())
    np.testing.assert_allclose(second.asnumpy(), -2 * t * (1 - t * t), rtol=1e-5)


def test_softmax_takes_a_tuple_of_one_axis(draw):
    x = Tensor(draw(2, 3))
    np.testing.assert_array_equal(ops.Softmax((0,))(x).asnumpy(), ops.Softmax(0)(x).asnumpy())


def test_softmax_refuses_an_axis_that_is_not_there(draw):
    with pytest.raises(ValueError, match=r"'axis' must be in \[-2, 2\), but got 3"):
        ops.softmax(Tensor(draw(2, 3)), 3)


def test_softmax_refuses_integers():
    with pytest.raises(TypeError, match="floating-point"):
        ops.softmax(Tensor([1, 2]))


def test_prelu_has_one_weight_per_channel(agrees_with_torch, draw):
    agrees_with_torch(ops.prelu, torch.nn.functional.prelu, draw(2, 3, 4), draw(3))


def test_prelu_refuses_weights_that_fit_no_channel(draw):
    with pytest.raises(ValueError, match="must hold 1 or 3 elements"):
        ops.prelu(Tensor(draw(2, 3, 4)), Tensor(draw(2)))


def test_leaky_relu_takes_integers():
    np.testing.assert_array_equal(ops.leaky_relu(Tensor([-10, 4]), 0.3).asnumpy(), [-3, 4])


def test_rrelu_draws_slopes_between_the_limits_and_differentiates_with_them():
    x = Tensor(-np.ones(1000, np.float32))
    y, factor = activation.rrelu(x, lower=0.2, upper=0.4)
    assert 0.2 <= factor.asnumpy().min() < 0.21
    assert 0.39 < factor.asnumpy().max() <= 0.4
    np.testing.assert_array_equal(y.asnumpy(), -factor.asnumpy())
    d = mindspore.grad(lambda v: ops.rrelu(v, 0.25, 0.25).sum())(x)
    np.testing.assert_allclose(d.asnumpy(), 0.25)


def test_a_hard_gumbel_softmax_is_one_hot_and_has_a_gradient(draw):
    x = Tensor(draw(6, 4))
    y = ops.gumbel_softmax(x, hard=True)
    np.testing.assert_allclose(np.sort(y.asnumpy(), 1), np.tile([0, 0, 0, 1], (6, 1)), atol=1e-6)
    d = mindspore.grad(lambda v: (ops.gumbel_softmax(v, hard=True) * x).sum())(x)
    assert np.abs(d.asnumpy()).max() > 0


def test_swiglu_gates_one_half_by_the_other(agrees_with_torch, draw):
    def formula(x):
        a, b = x.chunk(2, -1)
        return torch.nn.functional.silu(a) * b
    agrees_with_torch(ops.swiglu, formula, draw(3, 6))


def test_glu_needs_an_even_extent(draw):
    with pytest.raises(ValueError, match="must be even"):
        ops.glu(Tensor(draw(2, 3)))


def test_a_value_that_is_computed_once_is_kept():
    calls = []
    value = once(lambda: calls.append(1) or len(calls))
    assert (value(), value(), len(calls)) == (1, 1, 1)
