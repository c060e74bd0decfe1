"""Functions of `scipy` beside SciPy: oblong and complex matrices, each triangle, axes and lengths, searches."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.optimize

from mindspore import Tensor, float32, float64, ops
from mindspore.scipy import fft, linalg
from mindspore.scipy.optimize import minimize

RNG = np.random.default_rng(3)


def close(found, want, atol=1e-9):
    np.testing.assert_allclose(found.asnumpy() if hasattr(found, "asnumpy") else found, want, rtol=1e-6, atol=atol)


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4), (5, 3, "deficient")])
@pytest.mark.parametrize("columns", [(), (2,)])
@pytest.mark.parametrize("driver", [None, "gelsd", "gelsy"])
def test_least_squares_of_every_shape(shape, columns, driver):
    a = RNG.standard_normal(shape[:2])
    if len(shape) > 2:
        a[:, 2] = a[:, 0] - 2 * a[:, 1]
    b = RNG.standard_normal((shape[0], *columns))
    x, residuals, rank, values = linalg.lstsq(Tensor(a), Tensor(b), driver=driver)
    wx, _, wrank, wvalues = scipy.linalg.lstsq(a, b, lapack_driver="gelsd")
    close(x, wx)
    assert int(rank) == wrank
    oblong = shape[0] > shape[1]
    close(residuals, ((b - a @ wx) ** 2).sum(0).reshape(-1) if oblong else np.zeros(0))
    close(values, wvalues if driver == "gelsd" else np.zeros(0), atol=1e-7)


def test_a_small_value_counts_nothing_where_the_bound_says_so():
    a = np.diag([2.0, 1.0, 0.05])
    for bound, rank in ((None, 3), (0.1, 2), (0.02, 3), (0.6, 1)):
        found = linalg.lstsq(Tensor(a), Tensor(np.ones(3)), bound)
        assert int(found[2]) == rank
        close(found[0], [v if i < rank else 0 for i, v in enumerate((0.5, 1.0, 20.0))])
    steps = np.diag([1.0, 5e-7])
    for size, rank in ((2, 2), (9, 1)):                            # the bound grows with the greater extent
        tall = np.concatenate([steps, np.zeros((size - 2, 2))]).astype(np.float32)
        assert int(linalg.lstsq(Tensor(tall), Tensor(np.ones(size, np.float32)))[2]) == rank


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("type", [None, 1, 2, 3])
def test_eigenvalues_look_at_one_triangle(lower, type):
    a, b = RNG.standard_normal((4, 4)), RNG.standard_normal((4, 4))
    b = b @ b.T + 4 * np.eye(4)
    half = np.tril(b) + np.triu(np.full((4, 4), 99.0), 1) if lower else np.triu(b) + np.tril(np.full((4, 4), 99.0), -1)
    given = () if type is None else (half,)
    more = {} if type is None else {"type": type}
    values, vectors = linalg.eigh(Tensor(a), *map(Tensor, given), lower=lower, **more)
    want, _ = scipy.linalg.eigh(a, *given, lower=lower, **more)
    close(values, want)
    x, full = vectors.asnumpy(), (np.tril(a) + np.tril(a, -1).T if lower else np.triu(a) + np.triu(a, 1).T)
    left, right = {None: (full @ x, x), 1: (full @ x, b @ x), 2: (full @ b @ x, x), 3: (b @ full @ x, x)}[type]
    close(left, right * values.asnumpy(), 1e-8)
    some, few = linalg.eigh(Tensor(a), *map(Tensor, given), lower=lower, eigvals=(1, 2), **more)
    close(some, want[1:3])
    close(np.abs(few.asnumpy()), np.abs(x[:, 1:3]), 1e-8)
    close(linalg.eigh(Tensor(a), *map(Tensor, given), lower=lower, eigvals_only=True, eigvals=(2, 3), **more), want[2:])


@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("kind", [np.float64, np.complex128, np.int32])
def test_triangles_of_every_kind_are_solved(trans, lower, unit, kind):
    a = (RNG.integers(1, 5, (4, 4)) + (1j * RNG.integers(-3, 4, (4, 4)) if kind is np.complex128 else 0)).astype(kind)
    for b in (RNG.integers(-4, 5, (4,)), RNG.integers(-4, 5, (4, 3))):
        found = linalg.solve_triangular(Tensor(a), Tensor(b.astype(kind)), trans, lower, unit)
        close(found, scipy.linalg.solve_triangular(a, b.astype(kind), trans, lower, unit))
        assert found.dtype is {np.int32: float64}.get(kind, found.dtype)


@pytest.mark.parametrize("trans", [0, 1, 2])
@pytest.mark.parametrize("columns", [(), (3,)])
def test_factors_solve_systems_and_their_transposes(trans, columns):
    a, b = RNG.standard_normal((4, 4)), RNG.standard_normal((4, *columns))
    close(linalg.lu_solve(linalg.lu_factor(Tensor(a)), Tensor(b), trans), scipy.linalg.lu_solve(
        scipy.linalg.lu_factor(a), b, trans), 1e-8)
    a = a + 1j * RNG.standard_normal((4, 4))
    both, pivots = scipy.linalg.lu_factor(a)
    found = linalg.lu_solve((Tensor(both), Tensor(pivots.astype(np.int32))), Tensor(b.astype(complex)), trans)
    close(found, scipy.linalg.lu_solve((both, pivots), b, trans), 1e-8)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 4)])
def test_factors_of_oblong_matrices(shape):
    a = RNG.standard_normal(shape)
    for joined in (False, True):
        for found, want in zip(linalg.lu(Tensor(a), joined), scipy.linalg.lu(a, joined), strict=True):
            close(found, want)


@pytest.mark.parametrize("lower", [True, False])
def test_roots_of_one_triangle_solve(lower):
    a = RNG.standard_normal((4, 4))
    a = a @ a.T + np.eye(4)
    b = RNG.standard_normal((4, 2))
    close(linalg.cholesky(Tensor(a), lower), scipy.linalg.cholesky(a, lower))
    close(linalg.cho_solve(linalg.cho_factor(Tensor(a), lower), Tensor(b)), np.linalg.solve(a, b), 1e-8)


@pytest.mark.parametrize("name", ["dctn", "idctn"])
@pytest.mark.parametrize(("s", "axes"), [(None, None), ((3, 7), None), (None, (0, 2)), ((5, 2), (2, 0)), ((6,), (1,)),
                                         (4, 1), ((4, 3, 6), None)])
def test_cosines_over_some_axes_of_some_lengths(name, s, axes):
    x = RNG.standard_normal((4, 3, 5))
    want = getattr(scipy.fft, name)(x, s=s, axes=axes, norm="ortho")
    close(getattr(fft, name)(Tensor(x), s=s, axes=axes), want)
    turned = x + 1j * RNG.standard_normal(x.shape)
    found = getattr(fft, name)(Tensor(turned), s=s, axes=axes).asnumpy()
    close(found, getattr(scipy.fft, name)(turned, s=s, axes=axes, norm="ortho"))
    assert getattr(fft, name)(Tensor(x.astype(np.float32)), s=s, axes=axes).dtype is float32


def bowl(x, shift, power):
    return (((x - shift) ** 2) * Tensor([1.0, 10.0, 100.0], float64)).sum() + (x**power).sum() * 0.01


@pytest.mark.parametrize("method", ["BFGS", "L-BFGS"])
@pytest.mark.parametrize("options", [{}, {"norm": 2.0}, {"gtol": 1e-6}, {"maxiter": 2}])
def test_a_search_finds_the_bottom_and_says_how(method, options):
    start, seen = Tensor(np.array([3.0, -2.0, 1.0])), []
    shift = Tensor(np.array([0.5, -0.25, 2.0]))
    found = minimize(bowl, start, (shift, 4), method, options=options, callback=lambda x: seen.append(x.asnumpy()))
    assert len(seen) == found.nit
    assert found.fun == pytest.approx(float(bowl(found.x, shift, 4)))
    close(found.jac, ops.grad(bowl)(found.x, shift, 4).asnumpy())
    if options.get("maxiter"):
        assert (found.nit, found.success) == (2, False)
        return
    assert found.success
    s, p = np.array([0.5, -0.25, 2.0]), np.array([1.0, 10.0, 100.0])
    want = scipy.optimize.minimize(lambda x: ((x - s) ** 2 * p).sum() + (x**4).sum() * 0.01, np.zeros(3), tol=1e-10).x
    close(found.x, want, 1e-4)
    length = np.linalg.norm(found.jac.asnumpy(), options.get("norm", np.inf))
    assert length <= options.get("gtol", 1e-5)
    loose = minimize(bowl, start, (shift, 4), method, tol=1.0)
    assert loose.nit < found.nit
    slope = lambda x, shift, power: ops.grad(bowl)(x, shift, power)  # noqa: E731  # an argument like another
    close(minimize(bowl, start, (shift, 4), method, jac=slope, options=options).x, found.x, 1e-9)


def test_few_remembered_steps_make_other_steps():
    """What is remembered are the last ones: on a curved valley the search goes on to its end."""
    def valley(x):
        return ((1 - x[:-1]) ** 2 + 100 * (x[1:] - x[:-1] ** 2) ** 2).sum()

    start = Tensor(np.array([-1.2, 1.0, -0.5, 2.0]))
    counts = {}
    for kept in (1, 3, 10):
        found = minimize(valley, start, method="LBFGS", options={"maxcor": kept, "maxiter": 400})
        assert found.success
        close(found.x, np.ones(4), 1e-4)
        counts[kept] = found.nfev
    assert counts[10] < 120
    want = scipy.optimize.minimize(scipy.optimize.rosen, start.asnumpy(), method="L-BFGS-B")
    assert counts[10] < 3 * want.nfev


def test_limits_of_a_search_hold():
    centre = Tensor(np.array([2.0, -3.0]))

    def far(x, by):
        return ((x - centre) ** 2).sum() * by

    low, high = Tensor(np.array([-1.0, -1.0])), Tensor(np.array([1.5, 4.0]))
    found = minimize(far, Tensor(np.zeros(2)), (3.0,), "LAGRANGE", bounds=(low, high))
    assert found.success
    close(found.x, [1.5, -1.0], 1e-3)
    found = minimize(far, Tensor(np.zeros(2)), (3.0,), "LAGRANGE", constraints=[lambda x: 1 - (x * x).sum()])
    close(found.x, np.array([2.0, -3.0]) / 13**0.5, 1e-3)
    free = minimize(far, Tensor(np.zeros(2)), (3.0,), "LAGRANGE", constraints=lambda x: x + 9.0)
    close(free.x, [2.0, -3.0], 1e-3)
