"""Small convolutions of few channels become products with windows that the reverse uses again."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import nn, ops
from mindspore.compiler import program


class Net(nn.Cell):
    def __init__(self, *convolutions):
        super().__init__()
        self.layers = nn.CellList(list(convolutions))
        self.pool = nn.MaxPool2d(2, 2)

    def construct(self, x):
        for layer in self.layers:
            x = self.pool(ops.relu(layer(x)))
        return x.reshape(x.shape[0], -1)


def small(**options):
    return Net(nn.Conv2d(1, 3, 3, has_bias=True, **options), nn.Conv2d(3, 8, 3, **options))


@pytest.fixture
def operators(monkeypatch):
    """The names of the operators of the last graph that ran."""
    seen = []
    inner = program.assembled

    def assembled(given):
        made = inner(given)
        seen[:] = [getattr(n.op, "name", "") for n in given.graph.nodes]
        return made
    monkeypatch.setattr(program, "assembled", assembled)
    return seen


def derivatives(net, x, graph):
    def loss(x):
        return (net(x) ** 2).sum()

    def both(x):
        return ms.value_and_grad(loss, 0, net.trainable_params())(x)
    value, (dx, dw) = (ms.jit(both) if graph else both)(x)
    return [t.asnumpy() for t in (value, dx, *dw)]


def images(*shape):
    return ms.Tensor(np.random.default_rng(1).standard_normal(shape, np.float32))


@pytest.mark.parametrize("options", [{"pad_mode": "valid"}, {"pad_mode": "same"},
                                     {"pad_mode": "pad", "padding": (1, 0, 2, 1)}])
def test_values_and_gradients_are_those_of_pynative_mode(operators, options):
    net, x = small(**options), images(16, 1, 14, 13)
    for got, wanted in zip(derivatives(net, x, True), derivatives(net, x, False), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-4, atol=2e-4)
    assert operators.count("SampleWindows") == operators.count("ConvolveWindows") == 2
    assert operators.count("WindowsInputGrad") == 2
    assert not any(name.startswith("Convolution") for name in operators)


def test_a_graph_without_a_derivative_is_rewritten_too(operators):
    net, x = small(), images(20, 1, 9, 9)
    np.testing.assert_allclose(ms.jit(net)(x).asnumpy(), net(x).asnumpy(), rtol=1e-4, atol=1e-5)
    assert operators.count("ConvolveWindows") == 2


@pytest.mark.parametrize(("net", "shape"), [
    (small(), (8, 1, 9, 9)),                                                    # few samples
    (small(), (600, 1, 28, 28)),                                                # much to compute
    (Net(nn.Conv2d(1, 3, 3), nn.Conv2d(3, 64, 3), nn.Conv2d(64, 64, 3)), (64, 1, 20, 20)),   # one of them is large
    (Net(nn.Conv2d(1, 3, 3, stride=2)), (16, 1, 9, 9)),
    (Net(nn.Conv2d(1, 3, 3, dilation=2)), (16, 1, 9, 9)),
    (Net(nn.Conv2d(4, 6, 3, group=2)), (16, 4, 9, 9)),
    (Net(nn.Conv2d(1, 3, 1)), (16, 1, 9, 9)),
    (Net(nn.Conv2d(8, 16, 3)), (16, 8, 9, 9)),                                  # channels that fill vectors
    (Net(nn.Conv2dTranspose(2, 3, 3)), (16, 2, 9, 9)),
])
def test_other_convolutions_stay(operators, net, shape):
    ms.jit(net)(images(*shape))
    assert "SampleWindows" not in operators
    assert "Convolution" in operators


def test_other_dtypes_stay(operators):
    net = small().to_float(ms.float16)
    ms.jit(net)(images(16, 1, 9, 9))
    assert "SampleWindows" not in operators
