"""Iterative solvers begin where they are told to and stop at their limits; line searches shorten and lengthen steps."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize

from mindspore import Tensor, ops
from mindspore.scipy.optimize import line_search
from mindspore.scipy.sparse import linalg

RNG = np.random.default_rng(9)
A = RNG.normal(size=(7, 7)) + 7 * np.eye(7)
S = A @ A.T
B = RNG.normal(size=7)
SOLVERS = [("cg", S, {}), ("bicgstab", A, {}), ("gmres", A, {}), ("gmres", A, {"solve_method": "incremental"})]
BOTH = pytest.mark.parametrize("dense", [True, False], ids=["matrix", "function"])


def solved(name, a, dense, b=B, **options):
    given = Tensor(a) if dense else lambda v: Tensor(a) @ v
    made = {k: Tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
    return getattr(linalg, name)(given, Tensor(b), **made)[0].asnumpy()


@BOTH
@pytest.mark.parametrize(("name", "a", "options"), SOLVERS)
def test_a_start_is_where_the_search_begins(name, a, options, dense):
    x = np.linalg.solve(a, B)
    near = x + 1e-3 * RNG.normal(size=7)
    size = np.linalg.norm(B - a @ near)
    assert np.array_equal(solved(name, a, dense, x0=x, **options), x)             # nothing is left to do
    kept = solved(name, a, dense, x0=near, tol=0.0, atol=2 * size, **options)     # which is near enough
    assert np.array_equal(kept, near)
    better = solved(name, a, dense, x0=near, tol=0.0, atol=size / 100, **options)
    assert 0 < np.linalg.norm(B - a @ better) <= size / 100 * 1.001
    loose = solved(name, a, dense, tol=1e-2, **options)
    assert np.linalg.norm(B - a @ loose) <= 1e-2 * np.linalg.norm(B) * 1.001
    if name != "gmres" or options:                                 # else all of a cycle is computed
        assert np.linalg.norm(loose - x) > 1e-9


@BOTH
@pytest.mark.parametrize(("name", "a", "options"), SOLVERS)
def test_an_exact_condition_needs_one_step(name, a, options, dense):
    more = {"restart": 1} if name == "gmres" else {}
    x = np.linalg.solve(a, B)
    exact = solved(name, a, dense, M=np.linalg.inv(a), maxiter=1, tol=1e-9, **options, **more)
    np.testing.assert_allclose(exact, x, rtol=1e-8)
    alone = solved(name, a, dense, maxiter=1, tol=1e-9, **options, **more)
    assert np.linalg.norm(alone - x) > 1e-4 * np.linalg.norm(x)


@BOTH
def test_restarts_have_two_names(dense):
    three, other = (solved("gmres", A, dense, maxiter=1, tol=1e-12, **o) for o in ({"restart": 3}, {"restart": 5}))
    assert np.linalg.norm(three - other) > 1e-9
    assert np.array_equal(three, solved("gmres", A, dense, maxiter=1, tol=1e-12, restart=5, restrt=3))


def test_callbacks_see_vectors_or_residuals():
    seen, sizes = [], []
    condition = np.diag(1 / np.diag(A))
    options = {"tol": 1e-10, "restart": 2, "M": Tensor(condition)}
    linalg.gmres(Tensor(A), Tensor(B), callback=seen.append, callback_type="x", **options)
    linalg.gmres(Tensor(A), Tensor(B), callback=sizes.append, callback_type="pr_norm", **options)
    wanted = [np.linalg.norm(condition @ (B - A @ x.asnumpy())) / np.linalg.norm(condition @ B) for x in seen]
    np.testing.assert_allclose(sizes, wanted, rtol=1e-3, atol=1e-12)
    assert sizes[0] > 10 * sizes[-1]
    steps = []
    linalg.cg(Tensor(S), Tensor(B), tol=1e-10, callback=lambda x: steps.append(np.linalg.norm(B - S @ x.asnumpy())))
    assert 3 <= len(steps) <= 9
    assert steps[-1] <= 1e-9


FUNCTIONS = {
    "far": (lambda x: ((x - 50.0) ** 2).sum(), lambda x: ((x - 50.0) ** 2).sum(), [0.5, -1.0], [0.03, 0.02]),
    "steep": (lambda x: (x**4).sum(), lambda x: (x**4).sum(), [3.0, -2.0], [-30.0, 20.0]),
    "waves": (lambda x: (ops.sin(3 * x) + 0.1 * x * x).sum(), lambda x: (np.sin(3 * x) + 0.1 * x * x).sum(), [0.2, 1.9],
              [-1.0, -2.5]),
    "wall": (lambda x: (ops.exp(x) - x * 3).sum(), lambda x: (np.exp(x) - x * 3).sum(), [-4.0, -3.0], [9.0, 8.0]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(("c1", "c2"), [(1e-4, 0.9), (1e-4, 0.1), (0.3, 0.4)])
def test_steps_satisfy_the_conditions_of_wolfe_after_few_looks(name, c1, c2):
    f, plain, start, way = FUNCTIONS[name]
    x, p = np.array(start), np.array(way)
    found = line_search(f, Tensor(x), Tensor(p), c1=c1, c2=c2, maxiter=30)

    def slope(a):
        return float((ops.grad(f)(Tensor(x + a * p)) * Tensor(p)).sum())

    a = found.a_k
    assert not found.failed
    assert a > 0
    assert plain(x + a * p) <= plain(x) + c1 * a * slope(0) + 1e-12
    assert abs(slope(a)) <= -c2 * slope(0) * (1 + 1e-9)
    assert float(found.f_k) == pytest.approx(plain(x + a * p))
    assert found.nfev <= 25
    assert found.nfev == found.ngev


@pytest.mark.parametrize("before", [9.0, 30.0, 10.25, 1.0])
def test_an_earlier_value_gives_the_first_guess(before):
    """The first look is at 2 (f - before) / slope times 1.01, at most at 1; at 1 where that says nothing."""
    seen = []

    def f(x):
        seen.append(float(x[0]))
        return (x * x).sum()

    def slope(x):
        return x * 2

    x, p = Tensor([3.0]), Tensor([-6.0])
    line_search(f, x, p, slope, Tensor([6.0]), Tensor(9.0), before)
    guess = 1.01 * 2 * (9.0 - before) / -36.0
    first = min(1.0, guess) if guess > 0 else 1.0
    assert seen[0] == pytest.approx(3.0 - 6.0 * first)


def test_a_direction_of_the_callers_slope_is_taken():
    want = scipy.optimize.line_search(lambda x: (x**2).sum(), lambda x: 2 * x, np.array([3.0]), np.array([-1.0]))[0]
    found = line_search(lambda x: (x * x).sum(), Tensor([3.0]), Tensor([-1.0]), jac=lambda x: x * 2)
    assert found.a_k == pytest.approx(want)
