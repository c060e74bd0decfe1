"""Decompositions under the names of `scipy.linalg` give what SciPy's give, in both modes, with derivatives."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as judge

import mindspore as ms
from mindspore import Tensor
from mindspore.scipy import linalg

RNG = np.random.default_rng(8)
A, TALL, B = RNG.normal(size=(4, 4)), RNG.normal(size=(5, 3)), RNG.normal(size=(5, 2))
S, D = A + A.T, A @ A.T + np.eye(4)
MODES = pytest.mark.parametrize("mode", [lambda f: f, ms.jit], ids=["pynative", "graph"])


@MODES
@pytest.mark.parametrize("a", [A, TALL, TALL.T])
def test_triangles_and_permutation_are_those_of_scipy(a, mode):
    for joined in (False, True):
        found = mode(lambda x, j=joined: linalg.lu(x, permute_l=j))(Tensor(a))
        for x, y in zip(found, judge.lu(a, permute_l=joined), strict=True):
            np.testing.assert_allclose(x.asnumpy(), y, rtol=1e-9, atol=1e-12)


@MODES
def test_factors_solve_and_are_those_of_scipy(mode):
    both, rows = mode(linalg.lu_factor)(Tensor(A))
    np.testing.assert_allclose(both.asnumpy(), judge.lu_factor(A)[0], rtol=1e-9)
    assert rows.tolist() == judge.lu_factor(A)[1].tolist()
    solved = mode(lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b))(Tensor(A), Tensor(A[0]))
    np.testing.assert_allclose(solved.asnumpy(), np.linalg.solve(A, A[0]), rtol=1e-8)


@MODES
@pytest.mark.parametrize("driver", [None, "gels", "gelsd"])
def test_least_squares_are_those_of_scipy(driver, mode):
    x, residuals, rank, values = mode(lambda a, b: linalg.lstsq(a, b, driver=driver))(Tensor(TALL), Tensor(B))
    wanted = judge.lstsq(TALL, B)
    np.testing.assert_allclose(x.asnumpy(), wanted[0], rtol=1e-9)
    np.testing.assert_allclose(residuals.asnumpy(), wanted[1], rtol=1e-9)
    assert rank.item() == 3
    np.testing.assert_allclose(values.asnumpy(), wanted[3] if driver == "gelsd" else [], rtol=1e-9)


def test_the_shortest_solution_of_a_matrix_without_full_rank():
    a = TALL[:, [0, 1, 1]]
    x, _, rank, _ = linalg.lstsq(Tensor(a), Tensor(B[:, 0]))
    np.testing.assert_allclose(x.asnumpy(), judge.lstsq(a, B[:, 0])[0], rtol=1e-8)
    assert rank.item() == 2
    x, _, rank, _ = linalg.lstsq(Tensor(TALL), Tensor(B), rcond=0.9)
    assert rank.item() == judge.lstsq(TALL, B, cond=0.9)[2]
    np.testing.assert_allclose(x.asnumpy(), judge.lstsq(TALL, B, cond=0.9)[0], rtol=1e-8)


@MODES
def test_eigenvalues_and_vectors_are_those_of_scipy(mode):
    for options in ({}, {"lower": False}, {"eigvals": (1, 2)}):
        other = np.tril(A, -1) if options == {"lower": False} else np.triu(A, 1)
        skewed = S + other                                          # of the other half nothing counts
        values, vectors = mode(lambda a, o=options: linalg.eigh(a, **o))(Tensor(skewed))
        chosen = {**options, "subset_by_index": options["eigvals"]} if "eigvals" in options else options
        chosen.pop("eigvals", None)
        wanted = judge.eigh(skewed, **chosen)
        np.testing.assert_allclose(values.asnumpy(), wanted[0], rtol=1e-9)
        np.testing.assert_allclose(abs(vectors.asnumpy()), abs(wanted[1]), rtol=1e-7)
    for kind in (1, 2, 3):
        values, vectors = mode(lambda a, b, k=kind: linalg.eigh(a, b, type=k))(Tensor(S), Tensor(D))
        wanted = judge.eigh(S, D, type=kind)
        np.testing.assert_allclose(values.asnumpy(), wanted[0], rtol=1e-8)
        np.testing.assert_allclose(abs(vectors.asnumpy()), abs(wanted[1]), rtol=1e-6)
    assert linalg.eigh(Tensor(S), eigvals_only=True).shape == (4,)


def test_derivatives_are_those_of_differences():
    step = RNG.normal(size=(4, 4)) * 1e-6
    for f in (lambda a: (linalg.lu(a)[2] ** 2).sum(),
              lambda a: (linalg.lstsq(a[:, :2], Tensor(A[:, :1]))[0] ** 2).sum(),
              lambda a: (linalg.eigh(a + a.T)[0] ** 3).sum(), lambda a: linalg.lu_factor(a)[0].sum()):
        change = f(Tensor(A + step)) - f(Tensor(A - step))
        np.testing.assert_allclose((ms.grad(f)(Tensor(A)).asnumpy() * step).sum() * 2, change.item(), rtol=1e-4)


@pytest.mark.parametrize(("call", "error"), [
    (lambda: linalg.lu(Tensor(A[0])), ValueError), (lambda: linalg.lu(A), TypeError),
    (lambda: linalg.lu_factor(Tensor(TALL)), ValueError), (lambda: linalg.lu(Tensor(A), permute_l=1), TypeError),
    (lambda: linalg.lstsq(Tensor(TALL), Tensor(A)), ValueError),
    (lambda: linalg.lstsq(Tensor(TALL), Tensor(B), driver="gelsx"), ValueError),
    (lambda: linalg.eigh(Tensor(A), type=4), ValueError), (lambda: linalg.eigh(Tensor(A), eigvals=(2, 4)), ValueError),
])
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()
