"""`vmap` where tensors change in place: gradients through views, and functions that begin again slice by slice."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops

X = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]], np.float32)


def whole(x):
    y = x * x
    y.add_(x)
    return (y * x).sum()


def part(x):
    y = x * x
    v = y[1:]
    v.mul_(2.0)
    return (y * x).sum()


def part_by_another(x):
    y = x * x
    v = y[1:]
    v.mul_(x[:2])
    return (y * x).sum()


def assigned(x):
    y = x * x
    y[1:] = y[1:] * x[:2]
    return (y * x).sum()


def reshaped(x):
    y = x * x
    v = y.reshape((3, 1))
    v.add_(x[0])
    y.mul_(x)
    return (v[:, 0] * y).sum()


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("fn", [whole, part, part_by_another, assigned, reshaped])
def test_gradients_are_those_of_the_slices(fn, compiled):
    found = ops.vmap(ms.grad(fn))
    found = (ms.jit(found) if compiled else found)(Tensor(X))
    # central differences of the plain values, in double precision
    wanted = np.zeros_like(X)
    for place in np.ndindex(*X.shape):
        ends = []
        for sign in (1, -1):
            x = X.astype(np.float64)
            x[place] += sign * 1e-6
            ends.append(float(fn(Tensor(x[place[0]]))))
        wanted[place] = (ends[0] - ends[1]) / 2e-6
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-4)


def test_what_changed_before_it_began_again():
    """Reading an element ends the run over all slices; what it had changed by then is changed once per slice."""
    c, p, rows = Tensor([0.0, 0.0, 0.0]), Parameter(Tensor([0.0, 0.0, 0.0]), name="p"), Tensor(X)

    def run(x):
        x.add_(1.0)
        x[2] = 0.0
        c.add_(1.0)
        ops.assign_add(p, Tensor([1.0, 1.0, 1.0]))
        return x * float(x[0])
    found = ops.vmap(run)(rows)
    expected = X + 1
    expected[:, 2] = 0
    np.testing.assert_array_equal(rows.asnumpy(), expected)
    np.testing.assert_array_equal(found.asnumpy(), expected * expected[:, :1])
    np.testing.assert_array_equal(c.asnumpy(), 2 * np.ones(3))
    np.testing.assert_array_equal(p.asnumpy(), 2 * np.ones(3))


def test_a_tensor_from_outside_that_a_gradient_inside_changes():
    c = Tensor([1.0, 1.0, 1.0])

    def run(x):
        def inner(x):
            c.add_(1.0)
            return (x * c * float(x[0])).sum()
        return ms.grad(inner)(x)
    found = ops.vmap(run)(Tensor(X))
    np.testing.assert_array_equal(found.asnumpy(), [[2.0] * 3, [6.0] * 3])
    np.testing.assert_array_equal(c.asnumpy(), 3 * np.ones(3))
