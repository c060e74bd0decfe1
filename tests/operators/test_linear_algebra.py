"""Decompositions of matrices."""
import numpy as np
import pytest

from mindspore import Tensor, ops


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_eigenvalues_of_a_matrix_that_is_not_finite_are_nan_and_those_beside_it_are_right(both_modes, value):
    x = np.stack([np.array([[2, 1, 0], [0, 3, 1], [1, 0, 5]], np.float32)] * 3)
    x[1, 0, 1] = value
    values, vectors = ops.eig(Tensor(x))
    assert np.isnan(values.asnumpy()[1]).all()
    assert np.isnan(vectors.asnumpy()[1]).all()
    expected = np.sort_complex(np.linalg.eigvals(x[0]))
    for k in (0, 2):
        np.testing.assert_allclose(np.sort_complex(values.asnumpy()[k]), expected, 1e-4)
        np.testing.assert_allclose(x[0] @ vectors.asnumpy()[k], vectors.asnumpy()[k] * values.asnumpy()[k], atol=1e-4)
    assert np.isnan(ops.eigvals(Tensor(x)).asnumpy()[1]).all()
