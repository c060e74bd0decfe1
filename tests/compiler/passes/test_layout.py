"""The weights of convolutions are laid out for the kernels, which programs do not see."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import nn, ops


@pytest.fixture
def trained():
    """A network after one step without a change, and its weights before."""
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(256, 2))
    before = [p.asnumpy().copy() for p in net.get_parameters()]
    optimizer = nn.Momentum(net.trainable_params(), 0.0, 0.9)
    step = ms.jit(nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer))
    step(ops.ones((2, 3, 8, 8)), ops.ones((2, 2)))
    return net, optimizer, before


def test_weights_and_moments_lie_as_the_kernels_want_them(trained):
    net, optimizer, _ = trained
    assert not net[0].weight.is_contiguous()
    assert not optimizer.moments[0].is_contiguous()
    assert net[3].weight.is_contiguous()


def test_the_elements_are_in_their_places(trained, tmp_path):
    net, _, before = trained
    for p, value in zip(net.get_parameters(), before, strict=True):
        np.testing.assert_array_equal(p.asnumpy(), value)
        assert p.asnumpy().flags.c_contiguous
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net, path)
    loaded = ms.load_checkpoint(path)
    np.testing.assert_array_equal(loaded["0.weight"].asnumpy(), before[0])


def test_a_view_of_a_weight_stays_its_view():
    conv = nn.Conv2d(3, 4, 3)
    first, kept = conv.weight[0], conv.weight.asnumpy()
    ms.jit(conv)(ops.ones((2, 3, 8, 8)))
    np.testing.assert_array_equal(conv.weight.asnumpy(), kept)
    first.add_(1.0)
    np.testing.assert_array_equal(conv.weight.asnumpy()[0], kept[0] + 1.0)
