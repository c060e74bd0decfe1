"""Every gradient has memory of its own: changing one in place changes neither another nor what it came from."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X, Y = np.array([1.0, 2.0, 3.0], np.float32), np.array([-1.0, 0.5, 2.0], np.float32)
ONES = np.ones(3, np.float32)
WAYS = {"plain": lambda f: f, "compiled": ms.jit}


def is_equal(found, expected):
    np.testing.assert_array_equal(found.asnumpy(), expected)


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def test_of_two_arguments(way):
    g = way(ms.grad(lambda a, b: (a + b).sum(), (0, 1)))(Tensor(X), Tensor(Y))
    g[0].add_(5.0)
    is_equal(g[1], ONES)


def test_of_two_parameters(way):
    weights = [Parameter(Tensor(v), name=name) for name, v in (("v", X), ("w", Y))]
    g = way(ms.grad(lambda x: (weights[0] + weights[1] + x).sum(), None, weights))(Tensor(X))
    g[0].mul_(5.0)
    is_equal(g[1], ONES)


def test_of_what_is_given_for_the_result(way):
    sens = Tensor(ONES)
    g = way(ops.GradOperation(get_all=True, sens_param=True)(lambda a, b: a + b))(Tensor(X), Tensor(Y), sens)
    g[0].add_(1.0)
    is_equal(g[1], ONES)
    is_equal(sens, ONES)


def test_of_calls_of_one_reverse(way):
    sens, column = Tensor(ONES), Tensor(ONES.reshape(3, 1))
    _, pull = ops.vjp(way(lambda a, b: a + b), Tensor(X), Tensor(Y))
    d = pull(sens)
    d[0].mul_(9.0)
    is_equal(sens, ONES)
    is_equal(d[1], ONES)
    is_equal(pull(sens)[0], ONES)
    _, pull = ops.vjp(way(lambda a: a.reshape((3, 1))), Tensor(X))
    pull(column)[0].mul_(4.0)
    is_equal(column, ONES.reshape(3, 1))


def test_inside_of_another_gradient(way):
    def f(x):
        a, b = ms.grad(lambda a, b: (a * x + b * x).sum(), (0, 1))(x, x)
        a.mul_(2.0)
        return (a * b).sum()                 # 2 * x * x
    is_equal(way(ms.grad(f))(Tensor(X)), 4 * X)


@pytest.mark.parametrize("on_first", [True, False])
def test_hooks_of_one_of_two_operands(on_first):
    def change(d):
        d.mul_(10.0)

    def f(x):
        u, v = x * 2, x * 3
        (u if on_first else v).register_hook(change)
        return u + v
    is_equal(ms.grad(f)(Tensor(X)), (23 if on_first else 32) * ONES)


def test_hooks_of_a_parameter():
    w = Parameter(Tensor(X), name="w")
    handle = w.register_hook(lambda d: d.mul_(10.0))
    of_x, of_w = ms.grad(lambda x: w + x, 0, [w])(Tensor(Y))
    is_equal(of_x, ONES)
    is_equal(of_w[0], 10 * ONES)
    handle.remove()


def test_backward_hooks_of_a_cell():
    def change(cell, of_inputs, of_results):
        of_results[0].mul_(10.0)
        of_inputs[0].mul_(3.0)

    def before(cell, of_results):
        of_results[0].mul_(5.0)
    for hook, factor in ((change, 3), (before, 5)):
        cell = nn.ReLU()
        (cell.register_backward_hook if hook is change else cell.register_backward_pre_hook)(hook)
        is_equal(ms.grad(lambda x, cell=cell: cell(x) + x)(Tensor(X)), (factor + 1) * ONES)


def test_a_derivative_that_changes_what_it_is_given():
    class Scaled(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return dout.mul_(7.0),
    cell = Scaled()
    is_equal(ms.grad(lambda x: cell(x) + x)(Tensor(X)), 8 * ONES)
