"""What is pooled is rectified afterwards, where that gives the same results."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.compiler import program

X = Tensor(np.random.default_rng(4).standard_normal((3, 2, 6, 6)).round(1).astype(np.float32))


@pytest.fixture
def order(monkeypatch):
    """The operators of the last graph that ran, in their order."""
    seen = []
    inner = program.assembled

    def assembled(given):
        made = inner(given)
        seen[:] = [getattr(n.op, "name", "") for n in given.graph.nodes]
        return made
    monkeypatch.setattr(program, "assembled", assembled)
    return seen


def same_in_both_modes(fn):
    for got, wanted in zip(ms.jit(fn)(X), fn(X), strict=True):
        np.testing.assert_array_equal(got.asnumpy(), wanted.asnumpy())


pool = nn.MaxPool2d(2, 2)


def test_maxima_are_rectified_in_place_of_all_elements(order):
    same_in_both_modes(lambda x: (pool(ops.relu(x - 1)),))
    assert order[-3:] == ["MaxPool", "item", "ReLU"]
    assert order.count("MaxPool") == order.count("ReLU") == 1


@pytest.mark.parametrize("more", [{}, {"pad_mode": "same"}, {"ceil_mode": True, "pad_mode": "pad"}])
def test_the_derivative_is_that_of_the_original_order(order, more):
    layer = nn.MaxPool2d(3, 2, **more)

    def fn(x):
        return ms.value_and_grad(lambda x: (layer(ops.relu(x - 1)) ** 2).sum())(x)
    same_in_both_modes(fn)
    assert order.index("MaxPool") < order.index("ReLU") < order.index("ReluGrad") < order.index("MaxPoolGrad")
    assert order.count("MaxPool") == order.count("ReLU") == 1


def test_second_derivatives_are_the_same(order):
    def slope(x):
        return (ms.grad(lambda x: (pool(ops.relu(x)) ** 3).sum())(x) ** 2).sum()
    same_in_both_modes(lambda x: (ms.grad(slope)(x),))
    assert order.index("MaxPool") < order.index("ReLU")


def test_what_else_uses_the_rectified_elements_leaves_them_where_they_are(order):
    def fn(x):
        y = ops.relu(x)
        return (pool(y), y.sum())
    same_in_both_modes(fn)
    assert order.index("ReLU") < order.index("MaxPool")


def test_rectified_elements_and_places_that_are_results_are_as_before():
    def fn(x):
        y = ops.relu(x - 1)
        return (*ops.max_pool2d(y, 2, 2, return_indices=True), y)
    same_in_both_modes(fn)


def test_results_beside_the_loss_are_as_before():
    def inner(x):
        y = ops.relu(x - 1)
        maxima, places = ops.max_pool2d(y, 2, 2, return_indices=True)
        return (maxima ** 2).sum(), y, places

    def fn(x):
        (loss, y, places), dx = ms.value_and_grad(inner, has_aux=True)(x)
        return loss, y, places, dx
    same_in_both_modes(fn)


def test_numbers_that_are_none_pass(order):
    x = X.asnumpy().copy()
    x[0, 0, 0, 0] = np.nan

    def fn(x):
        return ms.value_and_grad(lambda x: pool(ops.relu(x)).sum(), 0)(x)
    for got, wanted in zip(ms.jit(fn)(Tensor(x)), fn(Tensor(x)), strict=True):
        np.testing.assert_array_equal(got.asnumpy(), wanted.asnumpy())
    assert order.index("MaxPool") < order.index("ReLU")


def test_maxima_and_places_are_found_at_once(order):
    def fn(x):
        return ops.max_pool2d(ops.relu(x - 1), 2, 2, return_indices=True)
    same_in_both_modes(fn)
    assert order.count("MaxPool") == order.count("ReLU") == 1
