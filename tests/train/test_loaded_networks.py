"""A network that takes the parameters of another one has memory of its own."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import nn, ops


@pytest.mark.usefixtures("both_modes")
def test_a_target_network_keeps_what_it_was_given():
    net, target = nn.Dense(2, 1), nn.Dense(2, 1)
    assert ms.load_param_into_net(target, net.parameters_dict()) == ([], [])
    given = net.weight.asnumpy()
    np.testing.assert_array_equal(target.weight.asnumpy(), given)
    nn.SGD(net.trainable_params(), 0.5)((ops.ones((1, 2)), ops.ones(1)))
    np.testing.assert_allclose(net.weight.asnumpy(), given - 0.5, rtol=1e-6)
    np.testing.assert_array_equal(target.weight.asnumpy(), given)
