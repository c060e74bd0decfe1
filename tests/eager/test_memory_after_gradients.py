"""What is assigned while a gradient is taken has memory of its own afterwards, as without one; views share theirs."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = np.array([1.0, 2.0, 3.0], np.float32)
WAYS = {
    "plain": lambda f: f(Tensor(X)),
    "grad": lambda f: ms.grad(f)(Tensor(X)),
    "vjp": lambda f: ops.vjp(f, Tensor(X)),
    "jit": lambda f: ms.jit(f)(Tensor(X)),
    "jit of grad": lambda f: ms.jit(ms.grad(f))(Tensor(X)),
}


@pytest.fixture(params=WAYS)
def run(request):
    return WAYS[request.param]


def is_equal(found, expected):
    np.testing.assert_array_equal(found.asnumpy(), expected)


@pytest.mark.parametrize("give", [ops.assign, lambda p, v: p.set_data(v), lambda p, v: p.copy_(v)])
def test_a_parameter_and_what_it_is_given(run, give):
    p, held = Parameter(Tensor(X), name="p"), []

    def f(x):
        z = x * 2
        give(p, z)
        held.append(z)
        return (p * z).sum()
    run(f)
    p.set_data(Tensor(7 * X))
    is_equal(held[0], 2 * X)
    held[0].zero_()
    is_equal(p, 7 * X)


def test_a_parameter_and_an_attribute(run):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p, self.last = Parameter(Tensor(X), name="p"), None

        def construct(self, x):
            z = x * 2
            self.p = z
            self.last = z
            return (self.p * x).sum()
    net = Net()
    run(net)
    net.p.set_data(Tensor(9 * X))
    is_equal(net.last, 2 * X)


def test_two_parameters(run):
    p, q = Parameter(Tensor(X), name="p"), Parameter(Tensor(3 * X), name="q")

    def f(x):
        ops.assign(p, q)
        return (p * q * x).sum()
    run(f)
    nn.SGD([q], 1.0)((Tensor(X),))
    is_equal(p, 3 * X)
    is_equal(q, 2 * X)


@pytest.mark.parametrize("way", ["plain", "grad", "vjp"])
def test_views_that_leave(way):
    held = []

    def f(x):
        y = x * 2
        held.extend([y, y[1:]])
        y.mul_(3.0)
        return y.sum()
    WAYS[way](f)
    held[0].add_(1.0)
    is_equal(held[1], 6 * X[1:] + 1)
