"""Transformations of functions: slices, Jacobians, higher derivatives along a direction."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

pytestmark = pytest.mark.usefixtures("both_modes")


def test_vmap_maps_over_the_named_axes():
    x, w = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((3, 4), np.float32)
    mapped = ms.vmap(lambda a, b: ops.matmul(a, b), in_axes=(0, None))(Tensor(x), Tensor(w))
    np.testing.assert_allclose(mapped.asnumpy(), x @ w)
    columns = ms.vmap(lambda a: a * 2, in_axes=1, out_axes=1)(Tensor(x))
    np.testing.assert_allclose(columns.asnumpy(), 2 * x)


def test_vmap_needs_one_extent():
    with pytest.raises(ValueError, match=r"must have one extent, but got \[2, 3\]"):
        ms.vmap(lambda a, b: a + b)(ops.ones((2, 1)), ops.ones((3, 1)))


@pytest.mark.parametrize("jacobian", [ms.jacrev, ms.jacfwd])
def test_both_jacobians_are_the_matrix_of_partial_derivatives(jacobian):
    x = np.array([1.0, 2.0, 3.0], np.float32)
    w = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]], np.float32)
    found = jacobian(lambda a: ops.matmul(Tensor(w), a * a))(Tensor(x))
    np.testing.assert_allclose(found.asnumpy(), w * 2 * x, rtol=1e-6)
