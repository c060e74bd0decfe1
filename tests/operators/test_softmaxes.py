"""What the generic tests cannot tell about softmax: axes and types that it takes."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore
from mindspore import Tensor, ops


def test_softmax_takes_a_tuple_of_one_axis(draw):
    x = Tensor(draw(2, 3))
    np.testing.assert_array_equal(ops.Softmax((0,))(x).asnumpy(), ops.Softmax(0)(x).asnumpy())


def test_softmax_refuses_an_axis_that_is_not_there(draw):
    with pytest.raises(ValueError, match=r"'axis' must be in \[-2, 2\), but got 3"):
        ops.softmax(Tensor(draw(2, 3)), 3)


def test_softmax_refuses_integers():
    with pytest.raises(TypeError, match="floating-point"):
        ops.softmax(Tensor([1, 2]))


def test_a_hard_gumbel_softmax_is_one_hot_and_has_a_gradient(draw):
    x = Tensor(draw(6, 4))
    y = ops.gumbel_softmax(x, hard=True)
    np.testing.assert_allclose(np.sort(y.asnumpy(), 1), np.tile([0, 0, 0, 1], (6, 1)), atol=1e-6)
    d = mindspore.grad(lambda v: (ops.gumbel_softmax(v, hard=True) * x).sum())(x)
    assert np.abs(d.asnumpy()).max() > 0
