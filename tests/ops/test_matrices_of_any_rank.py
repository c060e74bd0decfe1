"""Determinants and decompositions of singular matrices, and derivatives on half precision, against formulas."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, ops
from mindspore.scipy import linalg

RNG = np.random.default_rng(3)
WHOLE = np.array([[1.0, 2, 0], [2, 4, 0], [0, 0, 1]])
MATRICES = np.zeros((3, 3)), WHOLE, np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]]), np.outer([1.0, 2, 3], [1, 0, 2])


def minors(a):
    """The cofactors, each a determinant without a row and a column."""
    n = range(len(a))
    return np.array([[(-1) ** (i + j) * np.linalg.det(np.delete(np.delete(a, i, 0), j, 1)) for j in n] for i in n])


@pytest.mark.parametrize("a", MATRICES)
@pytest.mark.parametrize("wrap", [lambda f: f, jit], ids=["pynative", "graph"])
def test_the_derivative_of_a_determinant_is_made_of_minors(a, wrap):
    found = wrap(ms.grad(ops.det))(Tensor(a, ms.float64))
    assert found.asnumpy() == pytest.approx(minors(a), abs=1e-12)


def test_a_stack_may_hold_singular_matrices():
    found = ms.grad(lambda x: ops.det(x).sum())(Tensor(np.stack(MATRICES), ms.float64))
    assert found.asnumpy() == pytest.approx(np.stack([minors(a) for a in MATRICES]), abs=1e-12)
    found = ms.vmap(ms.grad(ops.det))(Tensor(np.stack(MATRICES), ms.float64))
    assert found.asnumpy() == pytest.approx(np.stack([minors(a) for a in MATRICES]), abs=1e-12)


def test_the_second_derivative_of_a_determinant():
    a = np.array([[2.0, 1.0], [3.0, 5.0]])          # a * d - b * c
    found = ms.grad(lambda x: (ms.grad(ops.det)(x) * Tensor([[1.0, 10.0], [100.0, 1000.0]], ms.float64)).sum())(
        Tensor(a, ms.float64))
    assert found.asnumpy() == pytest.approx(np.array([[1000, -100], [-10, 1]]))


@pytest.mark.parametrize("a", MATRICES)
def test_a_singular_matrix_has_triangles(a):
    p, lower, upper = linalg.lu(Tensor(a, ms.float64))
    assert (p @ lower @ upper).asnumpy() == pytest.approx(a, abs=1e-12)


REGULAR = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]])
RIGHT = Tensor([[1.0], [2.0], [3.0]])
OF_HALVES = {
    "inverse": ops.inverse, "det": ops.det, "slogdet": lambda x: ops.slogdet(x)[1],
    "matrix_solve": lambda x: ops.matrix_solve(x, RIGHT.astype(x.dtype)), "qr": lambda x: ops.qr(x)[1],
    "solve_triangular": lambda x: linalg.solve_triangular(x, RIGHT.astype(x.dtype)),
    "lu": lambda x: linalg.lu(x)[2], "svd": lambda x: ops.svd(x, compute_uv=False),
    "norm": lambda x: ops.norm(x, "nuc"), "lstsq": lambda x: linalg.lstsq(x, RIGHT.astype(x.dtype))[0]}


@pytest.mark.parametrize("name", OF_HALVES)
def test_derivatives_on_half_precision_are_those_of_single_precision(name):
    def total(x):
        return OF_HALVES[name](x).sum()

    wanted = ms.grad(total)(Tensor(REGULAR, ms.float32)).asnumpy()
    for run in (ms.grad(total), jit(ms.grad(total))):
        found = run(Tensor(REGULAR, ms.float16))
        assert found.dtype is ms.float16
        assert found.asnumpy() == pytest.approx(wanted, rel=5e-3, abs=5e-3)


def test_residuals_of_complex_systems_are_squared_lengths():
    a = RNG.normal(size=(4, 2)) + 1j * RNG.normal(size=(4, 2))
    b = RNG.normal(size=(4, 3)) + 1j * RNG.normal(size=(4, 3))
    x, residuals, _, _ = linalg.lstsq(Tensor(a), Tensor(b))
    wanted = np.linalg.lstsq(a, b, rcond=None)
    assert x.asnumpy() == pytest.approx(wanted[0])
    assert residuals.asnumpy() == pytest.approx(wanted[1])
