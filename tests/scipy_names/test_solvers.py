"""Iterative solvers, minima and assignments against NumPy and SciPy."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize as judge

import mindspore as ms
from mindspore import CSRTensor, Tensor, int32, ops
from mindspore.scipy import optimize
from mindspore.scipy.sparse import linalg

RNG = np.random.default_rng(5)
A = RNG.normal(size=(6, 6)) + 6 * np.eye(6)
S = A @ A.T
B = RNG.normal(size=6)
M = np.diag(1 / np.diag(A))
SOLVERS = [("cg", S, {}), ("bicgstab", A, {}), ("gmres", A, {}), ("gmres", A, {"solve_method": "incremental"}),
           ("gmres", A, {"restart": 3})]
MODES = pytest.mark.parametrize("mode", [lambda f: f, ms.jit], ids=["pynative", "graph"])


@MODES
@pytest.mark.parametrize(("name", "a", "options"), SOLVERS)
def test_solutions_and_their_derivatives_are_those_of_the_system(name, a, options, mode):
    def solve(a, b):
        return getattr(linalg, name)(a, b, tol=1e-12, **options)

    x, info = mode(solve)(Tensor(a), Tensor(B))
    np.testing.assert_allclose(x.asnumpy(), np.linalg.solve(a, B), rtol=1e-9)
    assert info == 0
    weights = RNG.normal(size=6)
    da, db = mode(ops.grad(lambda a, b: (solve(a, b)[0] * Tensor(weights)).sum(), (0, 1)))(Tensor(a), Tensor(B))
    back = np.linalg.solve(a.T, weights)
    np.testing.assert_allclose(db.asnumpy(), back, rtol=1e-8)
    np.testing.assert_allclose(da.asnumpy(), -np.outer(back, np.linalg.solve(a, B)), rtol=1e-8)
    column, _ = solve(Tensor(a), Tensor(B[:, None]))
    np.testing.assert_allclose(column.asnumpy()[:, 0], x.asnumpy(), rtol=1e-9)


@pytest.mark.parametrize(("name", "a", "options"), SOLVERS)
def test_a_function_a_sparse_matrix_and_a_preconditioner_are_taken(name, a, options):
    wanted, seen = np.linalg.solve(a, B), []
    solve = getattr(linalg, name)
    t = Tensor(a)
    rows, columns = np.nonzero(a)
    pointers = Tensor(np.arange(0, 37, 6), int32)
    sparse = CSRTensor(pointers, Tensor(columns, int32), Tensor(a[rows, columns]), (6, 6))
    more = {} if name == "bicgstab" else {"callback": seen.append}
    for given in (t, lambda v: t @ v, sparse):
        x, info = solve(given, Tensor(B), tol=1e-12, M=Tensor(M), **more, **options)
        np.testing.assert_allclose(x.asnumpy(), wanted, rtol=1e-8)
        assert info == 0
    assert bool(seen) == bool(more)
    _, info = solve(t, Tensor(B), tol=1e-12, maxiter=1, **({"restart": 1} if name == "gmres" else {}))
    assert info == 1


def rosen(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("method", ["BFGS", "LBFGS", "l-bfgs", None])
def test_the_minimum_of_rosenbrock_is_found(method):
    seen = []
    found = optimize.minimize(rosen, Tensor([1.3, 0.7, 0.8, 1.9]), method=method, tol=1e-3, callback=seen.append)
    np.testing.assert_allclose(found.x.asnumpy(), np.ones(4), atol=2e-3)
    assert (found.success, found.status) == (True, 0)
    assert found.nit == len(seen) <= found.nfev
    if method in ("BFGS", None):
        wanted = judge.minimize(judge.rosen, [1.3, 0.7, 0.8, 1.9], method="BFGS").hess_inv
        np.testing.assert_allclose(found.hess_inv.asnumpy(), wanted, rtol=0.2, atol=0.05)


def test_a_gradient_of_the_callers_arguments_and_options_count():
    def f(x, a, b):
        return a * ((x - b) ** 2).sum()

    found = optimize.minimize(f, Tensor([0.0, 5.0]), (2.0, 3.0), jac=lambda x, a, b: 2 * a * (x - b))
    np.testing.assert_allclose(found.x.asnumpy(), [3.0, 3.0], rtol=1e-5)
    short = optimize.minimize(rosen, Tensor([1.3, 0.7]), options={"maxiter": 2})
    assert (short.nit, short.status, short.success) == (2, 1, False)
    for wrong in ({"method": "CG"}, {"options": {"gtoll": 1}}, {"hess": rosen}, {"bounds": (0, 1)}):
        with pytest.raises(ValueError, match="For 'minimize'"):
            optimize.minimize(rosen, Tensor([1.3, 0.7]), **wrong)


def test_multipliers_keep_the_minimum_within_bounds_and_constraints():
    def f(x):
        return ((x - Tensor([2.0, 1.0])) ** 2).sum()

    found = optimize.minimize(f, Tensor([0.5, 0.0]), method="LAGRANGE", constraints=lambda x: 1 - (x * x).sum(),
                              bounds=(Tensor([-1.0, -1.0]), Tensor([1.0, 0.25])), tol=1e-4)
    np.testing.assert_allclose(found.x.asnumpy(), [np.sqrt(1 - 0.25**2), 0.25], atol=2e-3)


@pytest.mark.usefixtures("both_modes")
def test_a_line_search_satisfies_the_conditions_of_wolfe():
    x, p = np.float64([1.3, 0.7, 0.8]), -judge.rosen_der(np.float64([1.3, 0.7, 0.8]))
    found = optimize.line_search(rosen, Tensor(x), Tensor(p))
    new, slope = x + found.a_k * p, judge.rosen_der(x) @ p
    assert judge.rosen(new) <= judge.rosen(x) + 1e-4 * found.a_k * slope
    assert abs(judge.rosen_der(new) @ p) <= 0.9 * abs(slope)
    np.testing.assert_allclose(found.g_k.asnumpy(), judge.rosen_der(new), rtol=1e-9)
    assert not found.failed
    assert optimize.line_search(lambda x: -x.sum(), Tensor([0.0]), Tensor([1.0]), maxiter=3).failed


@MODES
def test_assignments_are_those_of_scipy(mode):
    for shape in ((4, 4), (3, 5), (5, 3)):
        costs = RNG.normal(size=shape)
        for most in (False, True):
            found = mode(lambda c, m=most: optimize.linear_sum_assignment(c, m))(Tensor(costs))
            for x, y in zip(found, judge.linear_sum_assignment(costs, most), strict=True):
                assert x.tolist() == y.tolist()
    rows, columns = optimize.linear_sum_assignment(Tensor(np.eye(3)), Tensor(False), Tensor(2))
    assert rows.tolist()[2] == columns.tolist()[2] == -1


@pytest.mark.parametrize(("call", "error"), [
    (lambda: linalg.cg(Tensor(A), Tensor(A)), ValueError), (lambda: linalg.cg(1, Tensor(B)), TypeError),
    (lambda: linalg.cg(Tensor(A[:3]), Tensor(B)), ValueError),
    (lambda: linalg.gmres(Tensor(A), Tensor(B), tol=-1.0), ValueError),
    (lambda: linalg.gmres(Tensor(A), Tensor(B), solve_method="all"), ValueError),
    (lambda: optimize.linear_sum_assignment(Tensor(B), False), ValueError),
    (lambda: optimize.line_search(rosen, Tensor(B), Tensor(B), c1=0.95), ValueError),
])
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()
