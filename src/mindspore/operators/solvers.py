"""Linear systems solved by iterations, decompositions for `scipy.linalg`, and assignments.

The iterations are written once, over anything that is multiplied and added like a tensor: kernels run them on torch's
tensors, `mindspore.scipy.sparse.linalg` on its own where the matrix is a function.
"""
from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from mindspore.core.dtype import int32, int64
from mindspore.core.errors import show
from mindspore.ir import Aval

from .labels import whole
from .registry import operator
from .torch_private import linalg
from .traits import WIDEN_HALF
from .values import Value

_ALL = "every step of the iteration needs the whole matrix"


class Found(NamedTuple):
    """Where an iteration ended."""

    x: Any
    info: int            # 0, or the number of steps if the tolerance was not reached


Map = Callable[[Any], Any]


def dot(x: Any, y: Any) -> Any:
    """The inner product of two vectors, or of all their elements."""
    return (x * y).sum()


def size(x: Any) -> float:
    """The norm, as a number."""
    return float(dot(x, x)) ** 0.5


# ---------------------------------------------------------------------- iterations

def conjugate_gradients(apply: Map, b: Any, x: Any, tol: float, atol: float, maxiter: int, condition: Map,
                        see: Callable[[Any], Any] | None = None) -> Found:
    """Hestenes and Stiefel 1952, with a preconditioner."""
    enough = max(tol * size(b), atol)
    r = b - apply(x)
    z = condition(r)
    p, rz = z, dot(r, z)
    for _ in range(maxiter):
        if size(r) <= enough:
            return Found(x, 0)
        q = apply(p)
        step = rz / dot(p, q)
        x, r = x + step * p, r - step * q
        z = condition(r)
        rz, before = dot(r, z), rz
        p = z + (rz / before) * p
        if see is not None:
            see(x)
    return Found(x, 0 if size(r) <= enough else maxiter)


def stabilised(apply: Map, b: Any, x: Any, tol: float, atol: float, maxiter: int, condition: Map,
               see: Callable[[Any], Any] | None = None) -> Found:
    """Biconjugate gradients, stabilised: van der Vorst 1992."""
    enough = max(tol * size(b), atol)
    r = b - apply(x)
    first, p, rho = r, r, dot(r, r)
    for _ in range(maxiter):
        if size(r) <= enough:
            return Found(x, 0)
        turned = condition(p)
        v = apply(turned)
        alpha = rho / dot(first, v)
        half = r - alpha * v
        if size(half) <= enough:
            return Found(x + alpha * turned, 0)
        other = condition(half)
        t = apply(other)
        omega = dot(t, half) / dot(t, t)
        x = x + alpha * turned + omega * other
        r = half - omega * t
        rho, before = dot(first, r), rho
        if not float(rho) or not float(omega):          # the search has broken down
            return Found(x, 0 if size(r) <= enough else maxiter)
        p = r + (rho / before) * (alpha / omega) * (p - omega * v)
        if see is not None:
            see(x)
    return Found(x, 0 if size(r) <= enough else maxiter)


def minimal_residuals(apply: Map, b: Any, x: Any, tol: float, atol: float, maxiter: int, condition: Map,
                      restart: int, early: bool, see: Callable[[Any], Any] | None = None) -> Found:
    """GMRES, restarted: Saad and Schultz 1986. `early` ends a round as soon as its residual is small enough."""
    enough = max(tol * size(condition(b)), atol)
    for done in range(maxiter + 1):
        r = condition(b - apply(x))
        norm = size(r)
        if norm <= enough:
            return Found(x, 0)
        if done == maxiter:
            break
        x = x + _round(lambda v: condition(apply(v)), r, enough if early else 0.0, restart)
        if see is not None:
            see(x)
    return Found(x, maxiter)


def _round(apply: Map, r: Any, enough: float, restart: int) -> Any:
    """The correction with the smallest residual in the space of `restart` powers, by rotations."""
    beta = dot(r, r) ** 0.5
    basis: list[Any] = [r / beta]
    columns: list[list[Any]] = []
    turns: list[tuple[Any, Any]] = []
    right: list[Any] = [beta]
    for _ in range(restart):
        w: Any = apply(basis[-1])
        column: list[Any] = []
        for v in basis:                                  # Gram and Schmidt, as modified for stability
            column.append(dot(v, w))
            w = w - column[-1] * v
        below = dot(w, w) ** 0.5
        for k, (c, s) in enumerate(turns):
            column[k], column[k + 1] = c * column[k] + s * column[k + 1], c * column[k + 1] - s * column[k]
        length = (column[-1] * column[-1] + below * below) ** 0.5
        if not float(length):
            break
        c, s = column[-1] / length, below / length
        turns.append((c, s))
        column[-1] = length
        columns.append(column)
        right[-1:] = [c * right[-1], -s * right[-1]]
        if abs(float(right[-1])) <= enough or float(below) <= 1e-12 * float(length):
            break
        basis.append(w / below)
    factors: list[Any] = [0.0] * len(columns)
    for k in reversed(range(len(columns))):
        rest = right[k]
        for j in range(k + 1, len(columns)):
            rest = rest - columns[j][k] * factors[j]
        factors[k] = rest / columns[k][k]
    total = r * 0.0
    for factor, v in zip(factors, basis, strict=False):
        total = total + factor * v
    return total


# ---------------------------------------------------------------------- operators

METHODS: dict[str, Callable[..., Found]] = {
    "cg": conjugate_gradients, "bicgstab": stabilised, "gmres": minimal_residuals}


@operator(hidden=True, samples=[], dims=whole(_ALL))
def iterative_solve(a: Tensor, b: Tensor, x0: Tensor, m: Tensor, *, method: str, tol: float, atol: float,
                    maxiter: int, restart: int = 0, early: bool = False):
    """The x with a @ x = b to within a tolerance, and 0 or the number of steps that did not lead there."""
    more = {"restart": restart, "early": early} if method == "gmres" else {}
    apply, condition = partial(torch.matmul, a), partial(torch.matmul, m)
    found = METHODS[method](apply, b, x0, tol, atol, maxiter, condition, **more)
    return found.x, torch.tensor(found.info, dtype=torch.int32)


@iterative_solve.shape
def _(a: Aval, b: Aval, x0: Aval, m: Aval, **_: Any) -> tuple[Aval, Aval]:
    for name, matrix in (("A", a), ("M", m)):
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] != b.shape[0]:
            raise ValueError(f"For a linear system, the '{name}' must be a square matrix with as many rows as 'b', but "
                             f"got {show(matrix)} and {show(b)}.")
    if b.shape != x0.shape:
        raise ValueError(f"For a linear system, the 'x0' must have the shape of 'b', but got {show(x0)} and {show(b)}.")
    return b, Aval((), int32)


@iterative_solve.grad(needs="a m out")
def _(a: Value, m: Value, out: Any, dout: Any, **attrs: Any):
    turned = _transposed(a)
    back, _ = iterative_solve(turned, dout[0], dout[0] * 0.0, _transposed(m), **attrs)
    return -_outer(back, out[0]), back, None, None


def _transposed(x: Any) -> Any:
    return x.swapaxes(-1, -2)


def _outer(x: Any, y: Any) -> Any:
    return x.reshape((-1, 1)) * y.reshape((1, -1))


@operator(hidden=True, grad="torch", samples=[((3, 3),), ((2, 4, 4),)], dims="... m! n! -> ... p! q!, ... k!",
          traits={WIDEN_HALF})
def lu_factor(x: Tensor):
    """Both triangles of an LU decomposition in one matrix, and with which row, from 1 on, each was exchanged."""
    return tuple(linalg.lu_factor_ex(x)[:2])             # singular matrices have one, too


@lu_factor.shape
def _(x: Aval) -> tuple[Aval, Aval]:
    return x, Aval((*x.shape[:-2], min(x.shape[-2:])), int32)


@operator(hidden=True, grad="torch", samples=[], dims=whole("a decomposition needs the whole matrix"))
def symmetric_eigen(x: Tensor, *, lower: bool = True):
    """The eigenvalues of symmetric matrices, rising, and the eigenvectors as columns."""
    return tuple(linalg.eigh(x, UPLO="L" if lower else "U"))


@operator(hidden=True, samples=[], dims=whole("an assignment needs the whole matrix of costs"))
def assignment(costs: Tensor, *, maximize: bool = False, limit: int = 2**63 - 1):
    """The rows and columns of the cheapest assignment; -1 behind those that the limit of the columns leaves."""
    # At its first use, because it takes long to load.
    solve: Any = importlib.import_module("scipy.optimize").linear_sum_assignment
    n = min(costs.shape)
    rows, columns = solve(costs[:, :limit].cpu().numpy(), maximize)
    padded = torch.full((2, n), -1, dtype=torch.int64)
    padded[0, :len(rows)], padded[1, :len(columns)] = torch.tensor(rows), torch.tensor(columns)
    return padded[0].clone(), padded[1].clone()


@assignment.shape
def _(costs: Aval, **_: Any) -> tuple[Aval, Aval]:
    if len(costs.shape) != 2:
        raise ValueError(f"For 'linear_sum_assignment', the 'cost_matrix' must be a matrix, but got {show(costs)}.")
    out = Aval((min(costs.shape),), int64)
    return out, out
