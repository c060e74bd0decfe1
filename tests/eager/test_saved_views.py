"""Records that hold a view keep its elements when the memory changes; torch computes the same on clones."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, ops

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)
W = np.array([3.0, -2.0], np.float32)


def column_times(x, w, part):
    y = x * 2
    y[:, 0] = part(y[:, 0]) * w
    return (y * y).sum()


def column_times_in_place(x, w, part):
    y = x * 2
    column = part(y[:, 1])
    column = column * w
    y[:, 1] = column
    y[:, 1] = part(y[:, 1]) * part(y[:, 2])
    return (y * x).sum()


def rows_by_turns(x, w, part):
    y = x * 1
    for _ in range(3):
        for i in range(2):
            y[i] = part(y[i]) * part(y[1 - i]) * w[i]
    return y.sum()


def view_that_lives_on(x, w, part):
    y = x * 2
    row = y[0]
    product = part(row) * w[0]
    row.add_(1)
    return (product * row).sum() + y.sum()


def view_of_a_view(x, w, part):
    y = x * 2
    inner = y[1:][:, 1:]
    product = part(inner) * w[1] * part(inner)
    y[1, 2] = w[0] * w[1]
    return (product * y[1, 2]).sum() + (y * y).sum()


def boxes(x, w, part):
    y = x.reshape(2, 3) * 1
    y[:, 0:2] = part(y[:, 0:2]).exp() * w.reshape(2, 1)
    y[:, 2] = part(y[:, 2]) * part(y[:, 0])
    return y.sum()


PROGRAMS = [column_times, column_times_in_place, rows_by_turns, view_that_lives_on, view_of_a_view, boxes]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
def test_values_and_gradients_are_those_of_torch_on_clones(fn):
    leaves = [torch.tensor(v, requires_grad=True) for v in (X, W)]
    wanted = fn(*leaves, lambda part: part.clone())
    gradients = torch.autograd.grad(wanted, leaves)
    value, found = ms.value_and_grad(lambda x, w: fn(x, w, lambda part: part), (0, 1))(Tensor(X), Tensor(W))
    np.testing.assert_allclose(float(value), wanted.item(), rtol=1e-5)
    for one, other in zip(found, gradients, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.numpy(), rtol=1e-5)
    np.testing.assert_allclose(float(fn(Tensor(X), Tensor(W), lambda part: part)), wanted.item(), rtol=1e-5)


def test_augmented_assignment_of_a_part():
    def fn(x, w):
        y = x * 2
        y[:, 0] *= w
        return (y * y).sum()

    value, (dx, dw) = ms.value_and_grad(fn, (0, 1))(Tensor(X), Tensor(W))
    first = 2 * X[:, 0]
    assert float(value) == (4 * X[:, 1:] ** 2).sum() + ((first * W) ** 2).sum()
    np.testing.assert_allclose(dx.asnumpy(), np.stack([4 * first * W * W, 8 * X[:, 1], 8 * X[:, 2]], 1))
    np.testing.assert_allclose(dw.asnumpy(), 2 * first ** 2 * W)


def test_second_derivatives_through_a_replaced_column():
    def fn(x):
        y = x * 1
        y[:, 0] = y[:, 0] * y[:, 0] * y[:, 1]
        return y.sum()

    second = ms.grad(lambda x: ms.grad(fn)(x).sum())(Tensor(X)).asnumpy()
    wanted = np.zeros_like(X)
    wanted[:, 0], wanted[:, 1] = 2 * X[:, 1] + 2 * X[:, 0], 2 * X[:, 0]
    np.testing.assert_allclose(second, wanted)


def test_copies_are_made_of_what_a_record_holds_only():
    from mindspore.ir.runtime import runtime

    def fn(x):
        y = x * 1
        for i in range(2):
            y[i] = y[i] * y[i]
        assert len(runtime.saved) <= 1                # the memory of `x`; that of `y` was copied
        return y.sum()

    ms.grad(fn)(Tensor(X))
    assert not runtime.saved


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("name", ["cumprod", "cumsum"])
def test_what_torch_derives_keeps_views_too(name):
    def fn(x, part, cumulated):
        y = x * 2
        z = cumulated(part(y[:, 1:]))
        y[:, 2] = y[:, 0]
        return (z * z).sum() + (y * x).sum()
    leaf = torch.tensor(X, requires_grad=True)
    wanted = fn(leaf, lambda part: part.clone(), lambda part: getattr(torch, name)(part, 1))
    value, found = ms.value_and_grad(lambda x: fn(x, lambda part: part, lambda part: getattr(ops, name)(part, 1)))(
        Tensor(X))
    np.testing.assert_allclose(value.asnumpy(), wanted.item(), rtol=1e-6)
    np.testing.assert_allclose(found.asnumpy(), torch.autograd.grad(wanted, leaf)[0].numpy(), rtol=1e-6)
