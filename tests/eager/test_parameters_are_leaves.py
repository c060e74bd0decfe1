"""What a parameter is given is a leaf: values and gradients in closed form, as release 2.10 gives them."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X, W, U = (np.array(v, np.float32) for v in ([2.0, 3.0], [5.0, 7.0], [1.0, 2.0]))


def assigned(net, x):
    ops.assign(net.w, x * x)
    return net.w * x


def what_assign_returns(net, x):
    return ops.assign(net.w, x * x) * x


def by_attribute(net, x):
    net.w = net.w * 0.5 + x * 0.5
    return net.w * x


def momentum_encoder(net, x):
    ops.assign(net.w, net.w * 0.5 + net.u * 0.5)
    return net.w * x


def data(net, x):
    net.w.set_data(x * x)
    return net.w * x


def value(net, x):
    net.w.assign_value(x * x)
    return net.w * x


def element(net, x):
    net.w[0] = x[0] * x[0]
    return net.w * x


def in_place(net, x):
    net.w.add_(net.u * x)
    return net.w * x


def added(net, x):
    ops.assign_add(net.w, net.u * x)
    return net.w * x


def the_sum(net, x):
    return ops.assign_add(net.w, net.u * x) * x


def sum_and_parameter(net, x):
    y = ops.assign_add(net.w, net.u * x)
    return y * net.w


def used_before(net, x):
    y = net.w * x
    ops.assign(net.w, x * x)
    return y * net.w


def one_from_the_other(net, x):
    ops.assign(net.w, x)
    ops.assign(net.u, net.w * net.w)
    return net.u * x


def in_a_loop(net, x):
    for _ in range(3):
        ops.assign(net.w, net.w * x)
    return net.w


def on_a_condition(net, x):
    if x.sum() > 0:
        ops.assign(net.w, x * x)
    return net.w * x


def on_a_loop(net, x):
    k = x.sum()
    while k > 0:
        ops.assign(net.w, net.w * x)
        k = k - 2.0
    return net.w * x


def returned_and_changed(net, x):
    y = ops.assign(net.w, net.u * x)
    ops.assign(net.w, net.w * 2.0)
    return y * net.w


# what w holds then, and the gradients for x, w and u
CASES = {
    assigned: (X * X, X * X, X, 0),
    what_assign_returns: (X * X, X * X, X, 0),
    by_attribute: ((W + X) / 2, (W + X) / 2, X, 0),
    momentum_encoder: ((W + U) / 2, (W + U) / 2, X, 0),
    data: (X * X, X * X, X, 0),
    value: (X * X, X * X, X, 0),
    element: ([4, 7], [4, 7], X, 0),
    in_place: (W + U * X, W + U * X, X, 0),
    added: (W + U * X, W + U * X, X, 0),
    the_sum: (W + U * X, W + 2 * U * X, X, X * X),
    sum_and_parameter: (W + U * X, (W + U * X) * U, 2 * (W + U * X), (W + U * X) * X),
    used_before: (X * X, W * X * X, X * X * X + W * X, 0),
    one_from_the_other: (X, X * X, 0, X),
    in_a_loop: (W * X ** 3, 0, 1, 0),
    on_a_condition: (X * X, X * X, X, 0),
    on_a_loop: (W * X ** 3, W * X ** 3, X, 0),
    returned_and_changed: (2 * U * X, 0, 3 * U * X, 0),
}


class Net(nn.Cell):
    def __init__(self, fn, trained):
        super().__init__()
        self.w = Parameter(Tensor(W), name="w", requires_grad=trained)
        self.u = Parameter(Tensor(U), name="u")
        self.fn = fn

    def construct(self, x):
        return self.fn(self, x).sum()


WAYS = {
    "grad": lambda net: ms.grad(net, 0, [net.w, net.u])(Tensor(X)),
    "jit of grad": lambda net: ms.jit(ms.grad(net, 0, [net.w, net.u]))(Tensor(X)),
    "grad of jit": lambda net: ms.grad(ms.jit(lambda x: net(x)), 0, [net.w, net.u])(Tensor(X)),
    "vjp": lambda net: ops.vjp(net, Tensor(X), weights=[net.w, net.u])[1](Tensor(1.0)),
}


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fn", CASES, ids=lambda f: f.__name__)
def test_closed_forms(fn, way, trained):
    held, *wanted = CASES[fn]
    net = Net(fn, trained)
    of_x, of_weights = WAYS[way](net)
    of_x = of_x[0] if isinstance(of_x, tuple) else of_x
    np.testing.assert_allclose(net.w.asnumpy(), held)
    for found, one in zip((of_x, *of_weights), wanted, strict=True):
        np.testing.assert_allclose(found.asnumpy(), np.broadcast_to(np.float32(one), 2), rtol=1e-6)


@pytest.mark.usefixtures("both_modes")
def test_second_derivatives_lead_to_the_parameter_too():
    w = Parameter(Tensor(W), name="w")

    def cubes():
        ops.assign(w, w * 2.0)
        return (w * w * w).sum()
    found = ms.grad(lambda: ms.grad(cubes, None, w)().sum(), None, w)()
    np.testing.assert_allclose(found.asnumpy(), 6 * 2 * W)
    np.testing.assert_allclose(w.asnumpy(), 2 * W)


@pytest.mark.usefixtures("both_modes")
def test_a_step_trains_what_is_held():
    """Weights that are scaled to length 1 in the network: the step starts from the scaled ones."""
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([3.0, 4.0]), name="w")

        def construct(self, x):
            ops.assign(self.w, self.w / (self.w * self.w).sum().sqrt())
            return (self.w * x).sum()
    net = Scaled()
    nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.5))(Tensor(X))
    np.testing.assert_allclose(net.w.asnumpy(), [0.6 - 1.0, 0.8 - 1.5], rtol=1e-6)


def test_elements_given_to_a_tensor_are_followed_and_its_own():
    def run(x):
        y, view = x * 1, None
        view = y[0]
        ops.assign(y, x * x)
        return (y * x).sum() + view
    value, d = ms.value_and_grad(run)(Tensor(X))
    np.testing.assert_allclose([float(value), *d.asnumpy()], [8 + 27 + 4, 12 + 4, 27])
    y, x = Tensor(W), Tensor(X)
    ops.assign(y, x)
    y.add_(1.0)
    np.testing.assert_array_equal(x.asnumpy(), X)
