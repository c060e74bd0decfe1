"""Dropout: which elements are zero, by seeds and by probability."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn


def kept(layer, x):
    ms.set_seed(5)
    return layer.set_train()(x).asnumpy() != 0


@pytest.mark.parametrize("layer", [nn.Dropout(p=0.5), nn.Dropout(0.3), nn.Dropout(p=0.0), nn.Dropout1d(0.5)])
def test_nothing_is_dropped_outside_of_training(layer):
    x = Tensor(np.arange(24, dtype=np.float32).reshape(2, 4, 3))
    np.testing.assert_array_equal(layer.set_train(False)(x).asnumpy(), x.asnumpy())
    assert (layer.set_train()(x).asnumpy() == x.asnumpy()).all() == (getattr(layer, "p", 0.5) == 0.0)


def test_each_of_two_seeds_counts():
    x = Tensor(np.ones((200,), np.float32))
    masks = [kept(nn.Dropout(p=0.5, seed0=a, seed1=b), x) for a, b in ((3, 1), (3, 2), (4, 1), (3, 1))]
    assert np.array_equal(masks[0], masks[3])
    assert not np.array_equal(masks[0], masks[1])
    assert not np.array_equal(masks[0], masks[2])


@pytest.mark.parametrize(("layer", "shape"), [
    (nn.Dropout1d, (50, 40, 3)), (nn.Dropout2d, (50, 40, 3, 2)), (nn.Dropout3d, (50, 40, 2, 3, 2))])
@pytest.mark.parametrize("p", [0.1, 0.8])
def test_channels_are_zero_with_the_probability_that_is_given(layer, shape, p):
    ms.set_seed(7)
    found = layer(p).set_train()(Tensor(np.ones(shape, np.float32))).asnumpy().reshape(*shape[:2], -1)
    assert ((found == 0).all(-1) | (found != 0).all(-1)).all()         # whole channels
    assert abs((found == 0).mean() - p) < 0.05                         # of 2,000: five standard deviations
    assert np.allclose(found[found != 0], 1.0 / (1.0 - p))
