"""A network's training gives the same numbers, to the last bit, in graph mode and in PyNative mode."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.operators import im2col_convolution


class LeNet(nn.Cell):
    """LeCun et al. 1998, for images of 16 x 16."""

    def __init__(self, bias, pool, normalised):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, has_bias=bias)
        self.conv2 = nn.Conv2d(6, 16, 3, pad_mode="valid", has_bias=bias)
        self.norm = nn.BatchNorm2d(6) if normalised else None
        self.relu, self.pool, self.flatten = nn.ReLU(), pool(2, 2), nn.Flatten()
        self.fc1, self.fc2 = nn.Dense(144, 30), nn.Dense(30, 10)

    def construct(self, x):
        x = self.conv1(x)
        if self.norm is not None:
            x = self.norm(x)
        x = self.pool(self.relu(self.conv2(self.pool(self.relu(x)))))
        return self.fc2(self.relu(self.fc1(self.flatten(x))))


@pytest.fixture(autouse=True)
def _context():
    yield
    ms.context.reset_context()


@pytest.fixture(autouse=True, params=[True, False], ids=["products", "general"])
def _kernels(request, monkeypatch):
    """Small convolutions as products with windows, as on one thread, or not."""
    monkeypatch.setattr(im2col_convolution, "alone", lambda: request.param)


def trained(mode, *options):
    """The losses of ten steps, and the parameters after them."""
    ms.set_context(mode=mode, jit_config={"jit_level": "O0"})         # generated code rounds in its own way
    ms.set_seed(5)
    net = LeNet(*options)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.05, 0.9))
    step.set_train()
    random = np.random.default_rng(2)
    x = Tensor(random.standard_normal((32, 1, 16, 16), np.float32))
    y = Tensor(random.integers(0, 10, 32).astype(np.int32))
    losses = [step(x, y).asnumpy() for _ in range(10)]
    return losses, [p.asnumpy() for p in net.get_parameters()]


@pytest.mark.parametrize("options", [
    (False, nn.MaxPool2d, False), (True, nn.MaxPool2d, False), (False, nn.AvgPool2d, False),
    (False, nn.MaxPool2d, True)], ids=["plain", "bias", "mean", "normalised"])
def test_training_of_a_small_convolutional_network_is_the_same_in_both_modes(options):
    (losses, weights), (same_losses, same_weights) = (
        trained(mode, *options) for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE))
    assert losses[-1] < losses[0]
    assert losses == same_losses
    for one, other in zip(weights, same_weights, strict=True):
        np.testing.assert_array_equal(one, other)
