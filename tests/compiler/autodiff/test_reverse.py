"""Derivatives through control flow, of first to third order, against torch.autograd."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Parameter, Tensor, grad, nn, ops
from mindspore.compiler.jit import jit

X = np.array([0.5, -0.3, 0.8], np.float64)


def condition(x):
    if x.sum() > 0:
        y = x * x * x
    else:
        y = x * x
    return (y * x).sum()


def nested_condition(x):
    y = x * x
    if x[0] > 0:
        if x[1] > 0:
            y = y * x
        else:
            y = y * y * x
    return (y * y).sum()


def early_return(x):
    if x[0] > 10:
        return (x * x).sum()
    y = x * x * x
    if y.sum() > -5:
        return (y * x).sum()
    return y.sum()


def loop(x):
    y = x
    while (y * y).sum() < 30:
        y = y * x + y + 1
    return (y * x).sum()


def counted_loop(x):
    i = 0
    y = x
    while i < (x * 0).sum() + 3:
        y = y * x + x
        i = i + 1
    return y.sum()


def loop_with_condition(x):
    y = x * 1
    while y.sum() < 12:
        if y[0] > 2:
            y = y * 1.5
        else:
            y = y * y + 1
    return (y * y).sum()


def loop_with_break(x):
    y = x * 1
    for _ in range(6):
        y = y * y * 0.5 + 1
        if y.sum() > 5:
            break
    return (y * x).sum()


def nested_loop(x):
    y = x * 1
    while y.sum() < 20:
        z = y
        while z.sum() < 9:
            z = z * z + 1
        y = y + z * x * x
        y = y + 1
    return (y * y).sum()


def recursion(x):
    if (x * x).sum() > 40:
        return (x * x * x).sum()
    return recursion(x * x + 1) * x[0]


def closure(x):
    k = x * x

    def f(v):
        return v * k

    return f(f(x)).sum()


PROGRAMS = [condition, nested_condition, early_return, loop, counted_loop, loop_with_condition,
            loop_with_break, nested_loop, recursion, closure]  # fmt: skip


def expected(fn, order):
    """The derivative of that order of the sum of the lower one, by torch."""
    x = torch.tensor(X, requires_grad=True)
    value = fn(x)
    for _ in range(order):
        (g,) = torch.autograd.grad(value.sum(), x, create_graph=True)
        value = g
    return value.detach().numpy()


def derivative(fn, order):
    made = fn
    for _ in range(order):
        made = grad(made)
    return made


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives_are_torch_s(fn, order):
    found = jit(derivative(fn, order))(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), expected(fn, order), rtol=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("fn", [condition, loop, recursion], ids=lambda f: f.__name__)
def test_a_compiled_function_inside_eager_gradients(fn, order):
    found = derivative(jit(fn), order)(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), expected(fn, order), rtol=1e-9)


class Cube(nn.Cell):
    """x^3 with the derivative 7 x^2, to tell the two apart."""

    def construct(self, x):
        return x * x * x

    def bprop(self, x, out, dout):
        return (dout * 7 * x * x,)


@pytest.mark.parametrize("wrap", [jit, lambda f: f], ids=["graph", "pynative"])
def test_bprop_replaces_the_derivative(wrap):
    net = Cube()
    found = wrap(grad(net))(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), 7 * X**2, rtol=1e-9)


@pytest.mark.parametrize("wrap", [jit, lambda f: f], ids=["graph", "pynative"])
def test_bprop_is_differentiated_for_the_second_derivative(wrap):
    net = Cube()
    found = wrap(grad(grad(net)))(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), 14 * X, rtol=1e-9)


@pytest.mark.parametrize("wrap", [jit, lambda f: f], ids=["graph", "pynative"])
def test_bprop_inside_a_condition(wrap):
    net = Cube()

    def fn(x):
        return (net(x) if x.sum() > 0 else x).sum()

    np.testing.assert_allclose(wrap(grad(fn))(Tensor(X)).asnumpy(), 7 * X**2, rtol=1e-9)


def test_bprop_inside_a_loop():
    net = Cube()

    def fn(x):
        n = (x * 0).sum()
        y = x
        while n < 2:
            y = net(y)
            n = n + 1
        return y.sum()

    want = 7 * X**2 * 7 * (X**3) ** 2
    np.testing.assert_allclose(jit(grad(fn))(Tensor(X)).asnumpy(), want, rtol=1e-9)


@pytest.mark.parametrize("wrap", [jit, lambda f: f], ids=["graph", "pynative"])
def test_stop_gradient_stops(wrap):
    def fn(x):
        return (x * ops.stop_gradient(x * x)).sum()

    np.testing.assert_allclose(wrap(grad(fn))(Tensor(X)).asnumpy(), X**2, rtol=1e-12)


@pytest.mark.parametrize("wrap", [jit, lambda f: f], ids=["graph", "pynative"])
def test_what_does_not_depend_on_the_input_has_a_zero_gradient(wrap):
    found = wrap(grad(lambda x: Tensor([1.0, 2.0]).sum()))(Tensor(X))
    np.testing.assert_array_equal(found.asnumpy(), np.zeros(3))


class Assigning(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(X), name="w")
        self.steps = Parameter(Tensor(0.0), name="steps", requires_grad=False)

    def construct(self, x):
        self.steps += 1
        return (self.w * self.w * x).sum()


@pytest.mark.parametrize("wrap", [jit, lambda f: f], ids=["graph", "pynative"])
def test_weights_are_differentiated_and_state_is_written_once(wrap):
    net = Assigning()
    step = wrap(grad(net, None, net.w))
    for _ in range(2):
        found = step(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), 2 * X * X, rtol=1e-9)
    assert float(net.steps) == 2


@pytest.mark.parametrize("wrap", [jit, lambda f: f], ids=["graph", "pynative"])
def test_a_print_appears_once_however_often_it_is_differentiated(wrap, capsys):
    def fn(x):
        print("seen", x.shape)
        return (x * x * x).sum()

    wrap(grad(grad(fn)))(Tensor(X))
    assert capsys.readouterr().out == "seen (3,)\n"
