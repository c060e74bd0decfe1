"""What the generic tests cannot tell about piecewise linear activations: kinks and limits."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore
from mindspore import Tensor, ops


def slope(function, values):
    return mindspore.grad(lambda x: function(x).sum())(Tensor(np.array(values, np.float32))).asnumpy()


def test_relu_has_no_slope_at_zero():
    np.testing.assert_array_equal(slope(ops.relu, [-1.0, 0.0, 2.0]), [0, 0, 1])


def test_relu6_passes_the_gradient_at_six_but_not_beyond():
    # observed: MindSpore 2.10, CPU
    np.testing.assert_array_equal(slope(ops.relu6, [0.0, 3.0, 6.0, 6.5]), [0, 1, 1, 0])


def test_hardtanh_has_no_slope_outside_its_limits():
    np.testing.assert_array_equal(slope(lambda x: ops.hardtanh(x, -1.0, 2.0), [-2.0, 0.5, 3.0]), [0, 1, 0])


def test_prelu_has_one_weight_per_channel(agrees_with_torch, draw):
    agrees_with_torch(ops.prelu, torch.nn.functional.prelu, draw(2, 3, 4), draw(3))


def test_prelu_refuses_weights_that_fit_no_channel(draw):
    with pytest.raises(ValueError, match="must hold 1 or 3 elements"):
        ops.prelu(Tensor(draw(2, 3, 4)), Tensor(draw(2)))


def test_leaky_relu_takes_integers():
    np.testing.assert_array_equal(ops.leaky_relu(Tensor([-10, 4]), 0.3).asnumpy(), [-3, 4])


@pytest.mark.parametrize("limit", [0.3, 0.5, 1.2])
@pytest.mark.parametrize("name", ["hardshrink", "softshrink"])
def test_shrinking_has_its_limit_in_the_gradient(agrees_with_torch, name, limit):
    x = np.array([-2.0, -1.0, -0.4, -0.1, 0.0, 0.2, 0.45, 0.9, 3.0], np.float32)
    agrees_with_torch(lambda x: getattr(ops, name)(x, limit),
                      lambda x: getattr(torch.nn.functional, name)(x, limit), x)


def test_the_gradient_of_a_threshold_asks_for_the_threshold_not_for_the_value(agrees_with_torch):
    x = np.array([-2.0, -0.5, 0.0, 0.3, 0.7, 2.5], np.float32)
    for threshold, value in ((0.5, 2.0), (-1.0, 0.4), (1.0, -3.0)):
        agrees_with_torch(lambda x, t=threshold, v=value: ops.threshold(x, t, v),
                          lambda x, t=threshold, v=value: torch.nn.functional.threshold(x, t, v), x)


def test_limits_of_a_clamp_are_those_of_its_gradient():
    """Neither -1 and 1 nor symmetric."""
    x = np.array([-3, -0.6, -0.4, 0.9, 1.5, 2.5], np.float32)
    gradient = mindspore.grad(lambda v: (ops.hardtanh(v, -0.5, 2.0) * Tensor([1.0, 2, 3, 4, 5, 6])).sum())(Tensor(x))
    assert gradient.asnumpy().tolist() == [0, 0, 3, 4, 5, 0]
