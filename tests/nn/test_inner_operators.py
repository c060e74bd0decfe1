"""Layers that derive from those of the library and call the operators inside of them, against torch, in both modes."""
from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, nn, ops

pytestmark = pytest.mark.usefixtures("both_modes")


class _Centred(nn.Conv2d):
    """A convolution with weights whose mean over a window is nought."""

    def construct(self, x):
        weight = self.weight - self.weight.mean((1, 2, 3), keep_dims=True)
        y = self.conv2d(x, weight)
        return self.bias_add(y, self.bias) if self.has_bias else y


class _Summed(nn.Dense):
    """An affine map with a part of low rank beside it."""

    def __init__(self, inputs, outputs, rank, **how):
        super().__init__(inputs, outputs, **how)
        self.down, self.up = nn.Dense(inputs, rank, has_bias=False), nn.Dense(rank, outputs, has_bias=False)

    def construct(self, x):
        shape = self.shape_op(x)
        x = self.reshape(x, (-1, shape[-1]))
        y = self.bias_add(self.matmul(x, self.weight), self.bias) + self.up(self.down(x))
        if self.activation_flag:
            y = self.activation(y)
        return self.reshape(y, (*shape[:-1], self.out_channels))


@pytest.mark.parametrize(("how", "peer"), [
    ({"stride": 2, "pad_mode": "pad", "padding": 1, "has_bias": True}, {"stride": 2, "padding": 1}),
    ({"dilation": 2, "pad_mode": "valid", "group": 2}, {"dilation": 2, "groups": 2})])
def test_a_convolution_that_changes_its_weight_calls_the_one_inside(how, peer):
    net = _Centred(4, 6, 3, **how)
    x = np.random.randn(2, 4, 9, 8).astype(np.float32)
    w = torch.tensor(net.weight.asnumpy())
    bias = torch.tensor(net.bias.asnumpy()) if net.has_bias else None
    expected = torch.nn.functional.conv2d(torch.tensor(x), w - w.mean((1, 2, 3), keepdim=True), bias, **peer)
    np.testing.assert_allclose(net(Tensor(x)).asnumpy(), expected.numpy(), 1e-4, 1e-5)


@pytest.mark.parametrize("activation", [None, "relu"])
def test_an_affine_map_with_more_beside_it_calls_the_operators_inside(activation):
    net = _Summed(4, 3, 2, activation=activation)
    x = np.random.randn(2, 5, 4).astype(np.float32)
    w, b, down, up = (p.asnumpy() for p in (net.weight, net.bias, net.down.weight, net.up.weight))
    expected = x @ w.T + b + x @ down.T @ up.T
    found = net(Tensor(x)).asnumpy()
    np.testing.assert_allclose(found, np.maximum(expected, 0) if activation else expected, 1e-4, 1e-5)


def test_the_axis_of_a_softmax_is_that_of_its_cell():
    x = Tensor(np.random.randn(3, 4).astype(np.float32))
    for cell, function in ((nn.Softmax(0), ops.softmax), (nn.LogSoftmax(0), ops.log_softmax)):
        inside = cell.softmax if isinstance(cell, nn.Softmax) else cell.log_softmax
        np.testing.assert_allclose(inside(x).asnumpy(), function(x, 0).asnumpy(), 1e-5, 1e-6)


@pytest.mark.parametrize("cell", [nn.MaxPool2d(3, 2), nn.MaxPool2d(2, 1, "same"), nn.AvgPool2d(3, 2),
                                  nn.AvgPool2d((2, 3), (1, 2), "same")])
def test_windows_inside_of_pooling_are_those_of_the_cell(cell):
    inside = cell.max_pool if isinstance(cell, nn.MaxPool2d) else cell.avg_pool
    x = Tensor(np.random.randn(2, 3, 7, 8).astype(np.float32))
    np.testing.assert_allclose(inside(x).asnumpy(), cell(x).asnumpy(), 1e-6)


def test_the_normalisation_inside_has_the_axes_and_the_epsilon_of_its_cell():
    cell = nn.LayerNorm((3, 4), 1, 1, epsilon=0.5)
    x = np.random.randn(2, 3, 4).astype(np.float32)
    expected = torch.nn.functional.layer_norm(torch.tensor(x), (3, 4), eps=0.5)
    found = cell.layer_norm(Tensor(x), cell.gamma, cell.beta)[0]
    np.testing.assert_allclose(found.asnumpy(), expected.numpy(), 1e-4, 1e-5)


@pytest.mark.parametrize("training", [True, False])
def test_the_batch_normalisation_inside_trains_or_takes_what_moves(training):
    cell = nn.BatchNorm2d(3, eps=0.25)
    cell.moving_mean.set_data(Tensor(np.array([0.5, 1.0, -1.0], np.float32)))
    x = np.random.randn(4, 3, 5, 5).astype(np.float32)
    mean, var = torch.tensor([0.5, 1.0, -1.0]), torch.ones(3)
    expected = torch.nn.functional.batch_norm(torch.tensor(x), mean, var, training=training, eps=0.25)
    inside = cell.bn_train if training else cell.bn_infer
    found = inside(Tensor(x), cell.gamma, cell.beta, cell.moving_mean, cell.moving_variance)[0]
    np.testing.assert_allclose(found.asnumpy(), expected.numpy(), 1e-4, 1e-5)
