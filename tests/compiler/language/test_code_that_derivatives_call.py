"""Hooks and `bprop` of cells in graphs: they see what tensors hold, and what they change stays; by closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, grad, jit, nn, ops

X = [1.0, 2.0]
MODES = {"plain": lambda fn: fn, "compiled": jit}


@pytest.fixture(params=MODES)
def mode(request):
    return MODES[request.param]


def _is(found, wanted):
    np.testing.assert_array_equal(found.asnumpy(), np.array(wanted))


def test_a_hook_sees_a_tensor_that_was_changed_in_place(mode):
    def f(x):
        y = x * 2
        z = y * 3
        y.add_(100.0)
        z.register_hook(lambda gradient: gradient * y)
        return z.sum()

    _is(mode(grad(f))(Tensor(X)), [6 * 102, 6 * 104])


def test_a_hook_sees_a_tensor_that_a_branch_changed(mode):
    def f(x):
        y = x * 2
        z = y * 3
        z.register_hook(lambda gradient: gradient * y)
        if x.sum() > 0:
            y.add_(100.0)
        return z.sum()

    _is(mode(grad(f))(Tensor(X)), [6 * 102, 6 * 104])
    _is(mode(grad(f))(-Tensor(X)), [-12, -24])


def test_what_a_hook_changes_in_its_gradient_counts(mode):
    def f(x):
        def double(gradient):
            gradient.mul_(2.0)

        z = x * 3
        z.register_hook(double)
        return (z * z).sum()

    _is(mode(grad(f))(Tensor(X)), [36, 72])


def test_what_a_hook_changes_elsewhere_stays(mode):
    def f(x):
        def inner(x):
            def hook(gradient):
                y.mul_(10.0)
                return gradient * 2

            z = x * 3
            z.register_hook(hook)
            return z.sum()

        y = x * 2
        found = grad(inner)(x)
        return found, y * 1

    found, y = mode(f)(Tensor(X))
    _is(found, [6, 6])
    _is(y, [20, 40])


def test_a_bprop_sees_its_input_as_it_was_and_other_tensors_as_they_are(mode):
    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.by = Tensor([1.0, 1.0])

        def construct(self, x):
            return x * 1

        def bprop(self, x, out, dout):
            return (dout * x * self.by,)

    cell = Scaled()

    def f(x):
        cell.by = x * 5
        y = x * 2
        z = cell(y)
        cell.by.add_(1.0)
        y.add_(100.0)
        return z.sum()

    _is(mode(grad(f))(Tensor(X)), [2 * 2 * 6, 2 * 4 * 11])


def test_views_of_a_gradient_share_its_memory(mode):
    def f(x):
        found = grad(lambda x: (x * x * x).sum())(x)
        view = found.reshape(2, 1)
        view.add_(1.0)
        return found * 1

    _is(mode(f)(Tensor(X)), [4, 13])


def test_a_gradient_in_a_gradient_with_hooks_that_see_changed_tensors(mode):
    def f(x):
        def inner(x):
            z = x * x * x
            z.register_hook(lambda gradient: gradient * y)
            return z.sum()

        y = ops.ones_like(x)
        y.add_(1.0)
        slope = grad(inner)(x)
        slope.register_hook(lambda gradient: gradient * y * 5)
        return slope.sum()

    _is(mode(grad(f))(Tensor(X)), [2 * 6 * 10, 2 * 12 * 10])


def test_a_hook_in_a_branch_that_uses_a_tensor_from_outside_of_it(mode):
    def f(x):
        a, b = x * 1, x * 3
        if x.sum() > 0:
            a = a * 1
            a.register_hook(lambda gradient: gradient * b)
        return a.sum()

    _is(mode(grad(f))(Tensor(X)), [3, 6])
    _is(mode(grad(f))(-Tensor(X)), [1, 1])
