"""Directional derivatives run the function once: what it changes is changed once, what it draws is drawn once."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X, ONES = np.array([1.0, 2.0, 3.0], np.float32), np.ones(3, np.float32)


@pytest.fixture(params=[lambda f: f, ms.jit], ids=["plain", "compiled"])
def way(request):
    return request.param


def test_a_parameter_is_assigned_once(way):
    p = Parameter(Tensor(X), name="p")

    def f(x):
        ops.assign(p, x * p)
        return p * x
    value, tangent = way(lambda x, v: ops.jvp(f, x, v))(Tensor(X), Tensor(ONES))
    np.testing.assert_allclose(p.asnumpy(), X ** 2)
    np.testing.assert_allclose(value.asnumpy(), X ** 3)
    np.testing.assert_allclose(tangent.asnumpy(), X ** 2)          # what the parameter holds is a leaf


@pytest.mark.parametrize("has_aux", [False, True])
def test_a_jacobian(way, has_aux):
    p, seen = Parameter(Tensor(X), name="p"), []

    def f(x):
        ops.assign_add(p, Tensor(ONES))
        seen.append(x * 3)
        return (x * x * p, x) if has_aux else x * x * p
    found = way(ms.jacfwd(f, 0, has_aux))(Tensor(X))
    found = found[0] if has_aux else found
    np.testing.assert_allclose(p.asnumpy(), X + 1)
    np.testing.assert_allclose(found.asnumpy(), np.diag(2 * X * (X + 1)))
    assert [s.tolist() for s in seen] == [(3 * X).tolist()]


def test_value_and_tangent_have_the_same_mask(way):
    drop = nn.Dropout(p=0.5).set_train()
    x, v = Tensor(np.ones(1000, np.float32)), Tensor(np.ones(1000, np.float32))
    value, tangent = way(lambda x, v: ops.jvp(lambda x: drop(x) * x, x, v))(x, v)
    np.testing.assert_allclose(tangent.asnumpy(), 2 * value.asnumpy())
    assert 0 < (value.asnumpy() == 0).sum() < 1000


def test_changes_in_place(way):
    def f(x):
        x.add_(1.0)
        return x * x
    x = Tensor(X)
    value, tangent = way(lambda x, v: ops.jvp(f, x, v))(x, Tensor(ONES))
    np.testing.assert_allclose(x.asnumpy(), X + 1)
    np.testing.assert_allclose(value.asnumpy(), (X + 1) ** 2)
    np.testing.assert_allclose(tangent.asnumpy(), 2 * (X + 1))


def test_forward_over_reverse_and_back(way):
    def f(x):
        return (ops.sin(x) * x[0]).sum()
    hessian = way(ms.jacfwd(ms.grad(f)))(Tensor(X)).asnumpy()
    np.testing.assert_allclose(hessian, way(ms.jacrev(ms.grad(f)))(Tensor(X)).asnumpy(), rtol=1e-6)
    found = way(ms.grad(lambda x: ops.jvp(f, x, Tensor(X))[1]))(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), hessian @ X, rtol=1e-5)
    inner = way(lambda x: ops.jvp(lambda y: ops.jvp(f, y, Tensor(X))[1], x, Tensor(X))[1])(Tensor(X))
    np.testing.assert_allclose(inner.asnumpy(), X @ hessian @ X, rtol=1e-5)


def test_of_a_compiled_function():
    value, tangent = ops.jvp(ms.jit(lambda x: ops.exp(x) * x), Tensor(X), Tensor(ONES))
    np.testing.assert_allclose(value.asnumpy(), np.exp(X) * X, rtol=1e-6)
    np.testing.assert_allclose(tangent.asnumpy(), np.exp(X) * (X + 1), rtol=1e-6)
