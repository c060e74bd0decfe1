"""Decompositions, inverses and determinants of matrices; leading dimensions are batches."""
from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.ir import Aval

from .labels import Whole, rank_of, whole
from .matmul import batch_mat_mul
from .registry import operator
from .rules import broadcast, in_single
from .structure import expand_dims, transpose
from .torch_private import is_of_slices, linalg
from .traits import WIDEN_HALF
from .values import Value

_SQUARE: list[Any] = [((3, 3),), ((2, 3, 3),)]


def _square(name: str, x: Aval) -> None:
    if len(x.shape) < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{name}', the input must be square matrices (..., n, n), but got "
                         f"{show(x)}.")
    if not x.dtype.is_differentiable:
        raise TypeError(f"For '{name}', the input must be floating point, but got {show(x)}.")


def _like_square(name: str) -> Any:
    def rule(x: Aval, **_: Any) -> Aval:
        _square(name, x)
        return x
    return rule


def _turned(x: Any) -> Any:
    n = len(x.shape)
    return transpose(x, perm=(*range(n - 2), n - 1, n - 2))


# ---------------------------------------------------------------------- inverse, determinant

def _solved(b: Any, lu: Any, pivots: Any) -> str:
    r = "r" if rank_of(b) == rank_of(lu) else ""
    return f"... m! {r}, ... m! n!, ... m! -> ... m! {r}"


def _unpacked(lu: Any, pivots: Any, *, unpack_data: bool = True, unpack_pivots: bool = True) -> str | Whole:
    if not (unpack_data and unpack_pivots):
        return whole("what is not unpacked has no elements")
    return "... m! n!, ... k! -> ... a! b!, ... c! d!, ... e! f!"


@operator(primitive="MatrixInverse(adjoint=False)(x)", function="inverse(input)",
          method="inverse()", samples=_SQUARE, dims="... m! n! -> ... m! n!", traits={WIDEN_HALF})
def matrix_inverse(x: Tensor, *, adjoint: bool = False):
    """The inverse of the matrices, or of their adjoints."""
    return linalg.inv(x.mH if adjoint else x)


matrix_inverse.shape(_like_square("MatrixInverse"))


@matrix_inverse.grad(needs="out")
def _(out: Value, dout: Value, *, adjoint: bool = False):
    turned = _turned(out)
    d = -batch_mat_mul(batch_mat_mul(turned, dout), turned)
    return (_turned(d) if adjoint else d),


@operator(primitive="MatrixDeterminant()(input)", method="det(); matrix_determinant()",
          function="det(input); matrix_determinant(input)", samples=_SQUARE, dims="... m! n! -> ...", onnx="Det",
          traits={WIDEN_HALF})
def matrix_determinant(x: Tensor):
    """The determinants of the matrices."""
    return linalg.det(x)


@matrix_determinant.shape
def _(x: Aval) -> Aval:
    _square("MatrixDeterminant", x)
    return Aval(x.shape[:-2], x.dtype)


@matrix_determinant.grad(needs="x")
def _(x: Value, dout: Value):
    return cofactors(x) * _lifted(dout),


@operator(hidden=True, grad="torch", samples=_SQUARE, dims="... m! n! -> ... m! n!", traits={WIDEN_HALF})
def cofactors(x: Tensor):
    """The derivatives of the determinants by the elements, conjugate; singular matrices have them, too."""
    if x.requires_grad:                                    # the derivative of the other form has differences of values
        return (linalg.inv(x).mT * linalg.det(x)[..., None, None]).conj()
    if not (x.is_meta or is_of_slices(x)):
        inverse, failed = linalg.inv_ex(x)
        if not failed.any():
            return (inverse.mT * linalg.det(x)[..., None, None]).conj().resolve_conj()
    u, s, vh = linalg.svd(x)
    n = s.shape[-1]
    others = torch.where(torch.eye(n, dtype=torch.bool, device=x.device), s.new_ones(()), s[..., None, :]).prod(-1)
    sign = (linalg.det(u) * linalg.det(vh)).conj()[..., None, None]
    return (u * others[..., None, :]) @ vh * sign


cofactors.shape(_like_square("MatrixDeterminant"))


def _lifted(d: Any) -> Any:
    return expand_dims(expand_dims(d, axis=-1), axis=-1)


@operator(primitive="LogMatrixDeterminant()(input)", samples=_SQUARE,
          function="log_matrix_determinant(input); slogdet(input)",
          method="log_matrix_determinant(); slogdet()", dims="... m! n! -> ..., ...", traits={WIDEN_HALF})
def log_matrix_determinant(x: Tensor):
    """The signs of the determinants, and the logarithms of their absolute values."""
    sign, logarithm = linalg.slogdet(x)
    return sign, logarithm.to(x.dtype)                     # of complex matrices complex, too


@log_matrix_determinant.shape
def _(x: Aval) -> tuple[Aval, Aval]:
    _square("LogMatrixDeterminant", x)
    return Aval(x.shape[:-2], x.dtype), Aval(x.shape[:-2], x.dtype)


@log_matrix_determinant.grad(needs="x")
def _(x: Value, dout: tuple[Value | None, ...]):
    return None if dout[1] is None else _turned(matrix_inverse(x)) * _lifted(dout[1]),


# ---------------------------------------------------------------------- solving

@operator(primitive="MatrixSolve(adjoint=False)(matrix, rhs)", grad="torch",
          function="matrix_solve(matrix, rhs, adjoint=False)",
          samples=[((3, 3), (3, 2)), ((2, 3, 3), (2, 3, 1), {"adjoint": True})],
          dims="... m! n!, ... m! r -> ... n! r", traits={WIDEN_HALF})
def matrix_solve(a: Tensor, b: Tensor, *, adjoint: bool = False):
    """The x with a @ x = b, or with the adjoint of `a`."""
    return linalg.solve(a.mH if adjoint else a, b)


@matrix_solve.shape
def _(a: Aval, b: Aval, *, adjoint: bool = False) -> Aval:
    _square("MatrixSolve", a)
    if len(b.shape) < 2 or b.shape[-2] != a.shape[-1] or b.shape[:-2] != a.shape[:-2]:
        raise ValueError(f"For 'MatrixSolve', the right side must have as many rows as the matrix, "
                         f"but got {show(a)} and {show(b)}.")
    return b


@operator(primitive="MatrixTriangularSolve(lower=True, adjoint=False)(matrix, rhs)", grad="torch",
          samples=[], dims="... m! n!, ... m! r -> ... n! r", traits={WIDEN_HALF})
def matrix_triangular_solve(a: Tensor, b: Tensor, *, lower: bool = True, adjoint: bool = False):
    """The x with a @ x = b for triangular `a`, or with the adjoint of `a`."""
    return linalg.solve_triangular(a.mH if adjoint else a, b, upper=lower is adjoint)


@operator(primitive="Lstsq(fast=True, l2_regularizer=0.0)(x, a)", function="lstsq(input, A)",
          method="lstsq(A)", grad="torch", samples=[((4, 3), (4, 2))],
          dims=lambda a, b, fast=True, l2_regularizer=0.0: (
              "... m! n!, ... m! r -> ... n! r" if rank_of(b) > 1 else "... m! n!, m! -> ... n! 1"),
          traits={WIDEN_HALF})
def lstsq(a: Tensor, b: Tensor, *, fast: bool = True, l2_regularizer: float = 0.0):
    """The x for which a @ x is closest to b.

    `fast` is the original's choice between two algorithms; the one here is the exact one.
    """
    column = b.unsqueeze(-1) if b.dim() == 1 else b
    if l2_regularizer:
        n = a.shape[-1]
        eye = torch.eye(n, dtype=a.dtype, device=a.device) * l2_regularizer
        return linalg.solve(a.mT @ a + eye, a.mT @ column)
    rows = a.isfinite().all(-1, keepdim=True).all(-2, keepdim=True)          # LAPACK takes no others
    finite = rows & column.isfinite().all(-2, keepdim=True)
    solution = linalg.lstsq(torch.where(rows, a, 0), torch.where(finite, column, 0)).solution
    return torch.where(finite, solution, torch.nan)


@lstsq.shape
def _(a: Aval, b: Aval, *, fast: bool = True, l2_regularizer: float = 0.0) -> Aval:
    if len(a.shape) < 2 or not b.shape or b.shape[-2 if len(b.shape) > 1 else -1] != a.shape[-2]:
        raise ValueError(f"For 'Lstsq', both inputs must have the same number of rows, but got "
                         f"{show(a)} and {show(b)}.")
    return Aval((*a.shape[:-2], a.shape[-1], b.shape[-1] if len(b.shape) > 1 else 1), b.dtype)


# ---------------------------------------------------------------------- decompositions

@operator(primitive="Cholesky(upper=False)(input_x)", function="cholesky(input_x, upper=False)",
          method="cholesky(upper=False)", grad="torch", samples=[], dims="... m! n! -> ... m! n!")
@in_single
def cholesky(x: Tensor, *, upper: bool = False):
    """The triangular l with l @ l.T = x, or its transpose."""
    return linalg.cholesky(x, upper=upper)


@operator(primitive="CholeskyInverse(upper=False)(input_x)",
          function="cholesky_inverse(input_x, upper=False)", method="cholesky_inverse(upper=False)",
          grad="torch", samples=[], dims="... m! n! -> ... m! n!")
@in_single
def cholesky_inverse(x: Tensor, *, upper: bool = False):
    """The inverse of the matrix whose Cholesky factor is x."""
    return torch.cholesky_inverse(x, upper=upper)


for _op in (cholesky, cholesky_inverse):
    _op.shape(_like_square(_op.name))


@operator(primitive="CholeskySolve(upper=False)(x1, x2)",
          function="cholesky_solve(input, input2, upper=False)",
          method="cholesky_solve(input2, upper=False)", grad="torch", samples=[],
          dims="... m! r, ... m! n! -> ... m! r")
def cholesky_solve(b: Tensor, factor: Tensor, *, upper: bool = False):
    """The x with a @ x = b, where `factor` is the Cholesky factor of a."""
    return torch.cholesky_solve(b, factor, upper=upper)


@operator(primitive="Qr(full_matrices=False)(x)", grad="torch", samples=[((4, 3),), ((2, 3, 3),)],
          dims="... m! n! -> ... p! q!, ... r! s!", traits={WIDEN_HALF})
def qr(x: Tensor, *, full_matrices: bool = False):
    """The orthogonal q and the upper triangular r with q @ r = x."""
    return tuple(linalg.qr(x, "complete" if full_matrices else "reduced"))


@operator(primitive="Svd(full_matrices=False, compute_uv=True)(input)", grad="torch", samples=[], traits={WIDEN_HALF},
          dims=lambda x, full_matrices=False, compute_uv=True: (
              f"... m! n! -> ... k!, {'... p! q!, ... r! s!' if compute_uv else 'p!, r!'}"))
def svd(x: Tensor, *, full_matrices: bool = False, compute_uv: bool = True):
    """The singular values s and the orthogonal u, v with u @ diag(s) @ v.T = x."""
    if not compute_uv:
        empty = x.new_zeros((1,))
        return linalg.svdvals(x), empty, empty
    u, s, vh = linalg.svd(x, full_matrices=full_matrices)
    return s, u, vh.mH.resolve_conj()


@operator(primitive="Eig(compute_v=False)(x)", grad="torch", samples=[],
          dims=lambda x, compute_v=False: f"... m! n! -> ... n!, {'... p! q!' if compute_v else 'p!'}")
def eig(x: Tensor, *, compute_v: bool = False):
    """The eigenvalues, complex, and the eigenvectors as columns; NaN for matrices that are not finite."""
    finite = x.isfinite().all(-1).all(-1)
    x = torch.where(finite[..., None, None], x, 0)         # of others LAPACK does not come back
    values, vectors = linalg.eig(x) if compute_v else (linalg.eigvals(x), None)
    values = torch.where(finite[..., None], values, torch.nan)
    if vectors is None:
        return values, values.new_zeros((1,))
    return values, torch.where(finite[..., None, None], vectors, torch.nan)


@operator(primitive="Geqrf()(input)", function="geqrf(input)", method="geqrf()", samples=[((4, 3),)],
          dims="... m! n! -> ... m! n!, ... k!", traits={WIDEN_HALF})
def geqrf(x: Tensor):
    """The Householder reflectors of the QR decomposition below r, and their factors."""
    return tuple(torch.geqrf(x))


@geqrf.shape
def _(x: Aval) -> tuple[Aval, Aval]:
    return x, Aval((*x.shape[:-2], min(x.shape[-2:])), x.dtype)


@operator(primitive="Orgqr()(x, tau)", function="orgqr(input, input2)", method="orgqr(input2)",
          grad="torch", samples=[], dims="... m! n!, ... k! -> ... m! n!")
def orgqr(x: Tensor, tau: Tensor):
    """The first columns of the product of Householder reflectors."""
    return linalg.householder_product(x, tau)


@operator(primitive="Ormqr(left=True, transpose=False)(x, tau, other)", samples=[],
          function="ormqr(input, tau, other, left=True, transpose=False)",
          method="ormqr(input2, input3, left=True, transpose=False)", grad="torch",
          dims="... m! n!, ... k!, ... p! q! -> ... p! q!")
def ormqr(x: Tensor, tau: Tensor, other: Tensor, *, left: bool = True, transpose: bool = False):
    """The product of Householder reflectors times `other`."""
    return torch.ormqr(x, tau, other, left, transpose)


@operator(primitive="LuSolve()(x, lu_data, lu_pivots)", function="lu_solve(b, LU_data, LU_pivots)",
          method="lu_solve(LU_data, LU_pivots)", grad="torch", samples=[],
          dims=_solved)
def lu_solve(b: Tensor, lu: Tensor, pivots: Tensor):
    """The x with a @ x = b for the LU decomposition of a."""
    if b.dim() == lu.dim() - 1:
        return linalg.lu_solve(lu, pivots, b.unsqueeze(-1)).squeeze(-1)
    return linalg.lu_solve(lu, pivots, b)


@operator(primitive="LuUnpack(unpack_data=True, unpack_pivots=True)(LU_data, LU_pivots)", samples=[],
          function="lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True)", grad="torch",
          dims=_unpacked)
def lu_unpack(lu: Tensor, pivots: Tensor, *, unpack_data: bool = True, unpack_pivots: bool = True):
    """The permutation, the lower and the upper triangular matrix of an LU decomposition."""
    return tuple(torch.lu_unpack(lu, pivots, unpack_data, unpack_pivots))


# ---------------------------------------------------------------------- functions of matrices

@operator(primitive="MatrixExp()(input)", function="matrix_exp(input)", grad="torch",
          samples=_SQUARE, dims="... m! n! -> ... m! n!")
def matrix_exp(x: Tensor):
    """The exponential of the matrices."""
    return linalg.matrix_exp(x)


matrix_exp.shape(_like_square("MatrixExp"))

_NODES, _SHARES = [torch.tensor(v) for v in np.polynomial.legendre.leggauss(16)]


@operator(primitive="MatrixLogarithm()(x)", grad="torch", samples=[],
          dims=whole("how many square roots are taken follows from all matrices together"))
def matrix_logarithm(x: Tensor):
    """The principal logarithm of complex matrices (..., n, n).

    Square roots bring them near the identity, from where log(a) is the integral of (a - 1) / (1 + t (a - 1)) over t in
    [0, 1], here by Gauss and Legendre's rule with 16 points; the roots are Denman and Beavers' (Higham 2008).
    """
    if not x.is_complex():
        raise TypeError(f"For 'MatrixLogarithm', the input must be complex, but got {x.dtype}.")
    one = torch.eye(x.shape[-1], dtype=torch.complex128, device=x.device)
    a, halvings = x.to(torch.complex128), 0
    while a.numel() and float(linalg.matrix_norm(a.detach() - one, 1).max()) > 0.25:
        if halvings == 60:
            raise ValueError("For 'MatrixLogarithm', a matrix has no logarithm that is found: it is singular, or has a "
                             "negative eigenvalue.")
        a, halvings = _square_root(a, one), halvings + 1
    away = a - one
    nodes, shares = _NODES.to(x.device), _SHARES.to(x.device)
    parts = [linalg.solve(one + away * ((node + 1) / 2), away) * (share / 2)
             for node, share in zip(nodes, shares, strict=True)]
    return (torch.stack(parts).sum(0) * 2.0**halvings).to(x.dtype)


def _square_root(a: Tensor, one: Tensor) -> Tensor:
    y, z = a, one.expand_as(a)
    for _ in range(40):
        y, z, before = (y + linalg.inv(z)) / 2, (z + linalg.inv(y)) / 2, y
        if float((y - before).detach().abs().max()) <= 1e-14 * float(y.detach().abs().max()):
            break
    return y


matrix_logarithm.shape(_like_square("MatrixLogarithm"))



@operator(hidden=True, grad="torch", samples=[((4, 3),)], dims="... m! n! -> ... n! m!")
def pseudo_inverse(x: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False):
    """The Moore-Penrose inverse of the matrices."""
    return linalg.pinv(x, atol=atol, rtol=rtol, hermitian=hermitian)


@operator(hidden=True, grad="torch", samples=[((3, 4), (2, 4), {"p": 2.0}), ((3, 4), (2, 4), {"p": 1.0})],
          dims="... a k!, ... b k! -> ... a b")
@in_single
def distances(x: Tensor, y: Tensor, *, p: float = 2.0):
    """The norms of the differences of all pairs of rows."""
    if not (x.requires_grad or y.requires_grad):
        return torch.cdist(x, y, p, compute_mode="donot_use_mm_for_euclid_dist")
    # torch can differentiate this form twice
    return linalg.vector_norm(x.unsqueeze(-2) - y.unsqueeze(-3), p, -1)


@distances.shape
def _(x: Aval, y: Aval, *, p: float = 2.0) -> Aval:
    if len(x.shape) < 2 or len(y.shape) < 2 or x.shape[-1] != y.shape[-1]:
        raise ValueError(f"For 'cdist', both inputs must have rows of the same length, but got "
                         f"{show(x)} and {show(y)}.")
    lead = broadcast(x.shape[:-2], y.shape[:-2], name="cdist")
    return Aval((*lead, x.shape[-2], y.shape[-2]), x.dtype)


@operator(primitive="Pdist(p=2.0)(x)", function="pdist(input, p=2.0)", grad="torch",
          samples=[((4, 3),)], dims=whole("every row is compared with all later ones"))
def pdist(x: Tensor, *, p: float = 2.0):
    """The norms of the differences of all pairs of rows i < j."""
    n = x.shape[-2]
    i, j = torch.triu_indices(n, n, 1, device=x.device)
    return linalg.vector_norm(x.index_select(-2, i) - x.index_select(-2, j), p, -1)
