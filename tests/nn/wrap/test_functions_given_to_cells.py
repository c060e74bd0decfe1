"""Functions of the program that cells of the library call: their effects are there at every run, in both modes."""
from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, nn, ops

X = np.array([[1.0, -2.0, 3.0], [0.5, 1.0, -1.0]], np.float32)
ZERO = np.zeros((2, 1), np.float32)


def dense():
    return nn.Dense(3, 1, weight_init="ones", bias_init="zeros")


@pytest.mark.usefixtures("both_modes")
def test_a_loss_that_counts():
    calls = []

    def loss(output, label):
        calls.append(1)
        if output.sum() > 0:
            return ((output - label) ** 2).mean() * len(calls)
        return ((output - label) ** 2).mean() * -len(calls)

    net = nn.WithLossCell(dense(), loss)
    plain = (X.sum(1) ** 2).mean()
    assert [float(net(Tensor(sign * X), Tensor(ZERO))) for sign in (1, -1, 1)] == [plain, -2 * plain, 3 * plain]
    assert len(calls) == 3
    assert float(nn.WithEvalCell(dense(), loss)(Tensor(X), Tensor(ZERO))[0]) == 4 * plain


@pytest.mark.usefixtures("both_modes")
def test_a_loss_that_counts_in_a_step_of_training():
    calls = []

    def loss(output, label):
        calls.append(1)
        return (output - label).sum() * len(calls)

    net = dense()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.SGD(net.trainable_params(), 0.5))
    weight, bias, wanted = np.ones(3), 0.0, []
    for k in (1, 2, 3):
        wanted.append(k * ((X @ weight) + bias).sum())
        weight, bias = weight - 0.5 * k * X.sum(0), bias - 0.5 * k * 2
    found = [float(step(Tensor(X), Tensor(ZERO))) for _ in range(3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.usefixtures("both_modes")
def test_a_distance_and_an_activation_that_count():
    calls = []

    def distance(a, b):
        calls.append(1)
        return ops.abs(a - b).sum(1) * len(calls)

    loss = nn.TripletMarginWithDistanceLoss(distance_function=distance, margin=0.0, reduction="sum")
    x = Tensor(np.array([[4.0]], np.float32))
    near, far = Tensor(np.array([[1.0]], np.float32)), Tensor(np.array([[3.0]], np.float32))
    assert [float(loss(x, near, far)) for _ in range(2)] == [3 * 1 - 1 * 2, 3 * 3 - 1 * 4]

    def activation(x):
        calls.append(1)
        return x * len(calls)

    calls.clear()
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, activation=activation)
    layer.set_train(False)
    for _ in range(2):
        layer(Tensor(np.ones((1, 2, 4), np.float32)))
    assert len(calls) == 2
