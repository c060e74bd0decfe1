"""Functions under the names of `scipy.linalg` give what SciPy's give, in both modes, with derivatives."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as judge

import mindspore as ms
from mindspore import Tensor
from mindspore.scipy import linalg

RNG = np.random.default_rng(6)
A = RNG.normal(size=(4, 4)) + 4 * np.eye(4)
S = A @ A.T + np.eye(4)
B, V = RNG.normal(size=(4, 2)), RNG.normal(size=4)
LU, PIVOTS = judge.lu_factor(A[[2, 0, 3, 1]])

CALLS = [
    *[("solve_triangular", (A, b), {"trans": t, "lower": low, "unit_diagonal": unit})
      for b in (B, V) for t in (0, 1, 2, "N", "T", "C") for low in (False, True) for unit in (False, True)],
    ("inv", (A,), {}), ("det", (A,), {}), ("cholesky", (S,), {}), ("cholesky", (S,), {"lower": True}),
    ("inv", (np.array([[2, 1], [1, 3]]),), {}), ("det", (np.array([[2, 1], [1, 3]]),), {}),
    ("block_diag", (A, V, B), {}), ("block_diag", (A,), {}),
]


@pytest.mark.parametrize("mode", [lambda f: f, ms.jit])
@pytest.mark.parametrize(("name", "args", "options"), CALLS)
def test_values_are_those_of_scipy(name, args, options, mode):
    got = mode(lambda *given: getattr(linalg, name)(*given, **options))(*map(Tensor, args))
    np.testing.assert_allclose(got.asnumpy(), getattr(judge, name)(*args, **options), rtol=1e-9, atol=1e-11)
    assert got.dtype == ms.float64


@pytest.mark.parametrize("mode", [lambda f: f, ms.jit])
@pytest.mark.parametrize("b", [B, V])
def test_decompositions_solve(b, mode):
    for lower in (False, True):
        solved = mode(lambda s, x, low=lower: linalg.cho_solve(linalg.cho_factor(s, low), x))(Tensor(S), Tensor(b))
        np.testing.assert_allclose(solved.asnumpy(), np.linalg.solve(S, b), rtol=1e-9)
    for trans in (0, 1, 2):
        solved = mode(lambda lu, p, x, t=trans: linalg.lu_solve((lu, p), x, t))(Tensor(LU), Tensor(PIVOTS), Tensor(b))
        np.testing.assert_allclose(solved.asnumpy(), judge.lu_solve((LU, PIVOTS), b, trans), rtol=1e-9)


def test_exchanges_in_order_make_the_permutation():
    want = np.arange(5)
    pivots = np.array([3, 1, 4, 3])
    for i, j in enumerate(pivots):
        want[[i, j]] = want[[j, i]]
    assert linalg.lu_pivots_to_permutation(Tensor(pivots), 5).tolist() == want.tolist()


def test_derivatives_are_those_of_differences():
    step = RNG.normal(size=(4, 4)) * 1e-6
    for f in (lambda a: (linalg.solve_triangular(a, Tensor(B)) ** 2).sum(),
              lambda a: linalg.det(a), lambda a: (linalg.inv(a) ** 2).sum()):
        change = f(Tensor(A + step)) - f(Tensor(A - step))
        np.testing.assert_allclose((ms.grad(f)(Tensor(A)).asnumpy() * step).sum() * 2, change.item(), rtol=1e-5)


@pytest.mark.parametrize(("error", "call"), [
    (ValueError, lambda: linalg.inv(Tensor(B))), (TypeError, lambda: linalg.inv(B)),
    (ValueError, lambda: linalg.solve_triangular(Tensor(A), Tensor(B), trans=3)),
    (ValueError, lambda: linalg.solve_triangular(Tensor(A), Tensor(B[:2]))),
    (ValueError, lambda: linalg.solve_triangular(Tensor(A), Tensor(B), debug=1)),
    (ValueError, lambda: linalg.block_diag(Tensor(A[None]))),
    (ValueError, lambda: linalg.lu_solve((Tensor(LU), Tensor(PIVOTS[:2])), Tensor(B))),
    (ValueError, lambda: linalg.lu_solve((Tensor(LU), Tensor(PIVOTS)), Tensor(B), 3)),
    (TypeError, lambda: linalg.cholesky(Tensor(S), lower=1)),
])
def test_what_does_not_fit_is_told(error, call):
    with pytest.raises(error, match="For '"):
        call()


def test_triangular_systems_of_halves_are_solved_in_float32():
    a, b = Tensor([[2.0, 1.0], [0.0, 4.0]], ms.float16), Tensor([3.0, 2.0], ms.float16)
    found = linalg.solve_triangular(a, b)
    assert found.dtype is ms.float16
    assert found.tolist() == [1.25, 0.5]
