"""Linear algebra as functions and methods, composed of the operators."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import kind
from mindspore.eager.tensor import is_tensor
from mindspore.operators import linear_algebra as algebra
from mindspore.operators import norms, powers, reduction
from mindspore.operators.matmul import identity_matrices
from mindspore.operators.numbers import conj
from mindspore.operators.structure import cast, transpose

from .norms import matrix_norm
from .primitive import composed
from .products import matrix_power
from .signatures import flag, plain


def logdet(input: Any) -> Any:
    """The logarithm of the determinant; NaN if it is negative.

    Args:
        input: A tensor (*, n, n).

    Returns:
        A tensor (*).

    Examples:
        >>> print(ops.logdet(Tensor([[2.0, 0.0], [0.0, 3.0]])).asnumpy().round(3))
        1.792
    """
    sign, logarithm = algebra.log_matrix_determinant(input)
    return logarithm + powers.log(sign)


def svd(input: Any, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """The singular values s, u and v with u @ diag(s) @ v.T = input; s alone if not `compute_uv`.

    Args:
        input: A tensor (*, m, n).
        full_matrices: Whether u and v are square, (m, m) and (n, n), instead of (m, k) and (n, k) for k = min(m,
            n).
        compute_uv: Whether to return u and v.

    Returns:
        s (*, k) in falling order, u and v; or s.

    Raises:
        TypeError: If `full_matrices` or `compute_uv` is no bool.

    Examples:
        >>> print(ops.svd(Tensor([[3.0, 0.0], [0.0, 2.0]]), compute_uv=False).asnumpy().round(3))
        [3. 2.]
    """
    flag("svd", "full_matrices", full_matrices)
    flag("svd", "compute_uv", compute_uv)
    s, u, v = algebra.svd(input, full_matrices=full_matrices, compute_uv=compute_uv)
    return (s, u, v) if compute_uv else s


def qr(input: Any, mode: str = "reduced") -> tuple[Any, Any]:
    """The orthogonal q and the upper triangular r with q @ r = input.

    Args:
        input: A tensor (*, m, n).
        mode: "reduced" for q (*, m, k) and r (*, k, n), k = min(m, n); "complete" for q (*, m, m) and r (*, m, n).

    Returns:
        q and r.

    Raises:
        ValueError: If `mode` is another one.

    Examples:
        >>> q, r = ops.qr(Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> print((q @ r).asnumpy().round(3))
        [[3. 1.]
         [4. 2.]]
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"For 'qr', the 'mode' must be 'reduced' or 'complete', but got {mode!r}.")
    return algebra.qr(input, full_matrices=mode == "complete")


def eig(A: Any) -> tuple[Any, Any]:
    """The eigenvalues, complex, and the eigenvectors as columns.

    Args:
        A: A tensor (*, n, n).

    Returns:
        The eigenvalues (*, n) and the eigenvectors (*, n, n).

    Examples:
        >>> values, vectors = ops.eig(Tensor([[2.0, 0.0], [0.0, 3.0]]))
        >>> print(values.asnumpy().real)
        [2. 3.]
    """
    return algebra.eig(A, compute_v=True)


def eigvals(A: Any) -> Any:
    """The eigenvalues, complex.

    Args:
        A: A tensor (*, n, n).

    Returns:
        A tensor (*, n).

    Examples:
        >>> print(ops.eigvals(Tensor([[2.0, 1.0], [0.0, 3.0]])).asnumpy().real)
        [2. 3.]
    """
    return algebra.eig(A)[0]


def pinv(x: Any, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    """The Moore-Penrose inverse.

    Args:
        x: A tensor (*, m, n).
        atol, rtol: Singular values below max(atol, rtol * the largest) count as 0. Default: max(m, n) times the
            precision of the dtype, relatively.
        hermitian: Whether the matrices are Hermitian, of which only the lower triangle is read.

    Returns:
        A tensor (*, n, m).

    Examples:
        >>> print(ops.pinv(Tensor([[2.0, 0.0], [0.0, 0.0]])).asnumpy().round(3))
        [[0.5 0. ]
         [0.  0. ]]
    """
    return algebra.pseudo_inverse(x, atol=plain(atol), rtol=plain(rtol), hermitian=hermitian)


def cond(A: Any, p: Any = None) -> Any:
    """The condition number: the norm of the matrix times that of its inverse.

    Args:
        A: A tensor (*, n, n), for p = None, 2 and -2 also (*, m, n).
        p: None or 2 for the largest over the smallest singular value, -2 for the reverse, else an order that
            `ops.matrix_norm` takes.

    Returns:
        A tensor (*).

    Examples:
        >>> print(ops.cond(Tensor([[4.0, 0.0], [0.0, 2.0]])).asnumpy().round(3))
        2.0
    """
    x = A if A.dtype.is_differentiable else cast(A, dtype=float32)
    if p is None or p == 2:
        values = norms.singular_values(x)
        return reduction.reduce_max(values, axis=-1) / reduction.reduce_min(values, axis=-1)
    if p == -2:
        values = norms.singular_values(x)
        return reduction.reduce_min(values, axis=-1) / reduction.reduce_max(values, axis=-1)
    return matrix_norm(x, p) * matrix_norm(algebra.matrix_inverse(x), p)


@composed("Cdist(p=2.0)(x1, x2)")
def _cdist(x1: Any, x2: Any, *, p: float = 2.0) -> Any:
    """The norms of the differences of all pairs of rows."""
    return algebra.distances(x1, x2, p=float(_order("Cdist", p)))


def _order(owner: str, p: Any) -> Any:
    """A number of 0 or more."""
    if isinstance(p, bool) or not isinstance(p, (int, float)):
        raise TypeError(f"For '{owner}', the 'p' must be a number, but got {p!r}.")
    if p < 0:
        raise ValueError(f"For '{owner}', the 'p' must not be negative, but got {p}.")
    return p


def cdist(x1: Any, x2: Any, p: float = 2.0) -> Any:
    """The norms of the differences of all pairs of rows.

    Args:
        x1: A tensor (*, m, n).
        x2: A tensor (*, k, n).
        p: The order of the norm, a number of 0 or more.

    Returns:
        A tensor (*, m, k).

    Raises:
        TypeError: If one of them is no tensor, or `p` no number.
        ValueError: If `p` is negative.

    Examples:
        >>> ops.cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0], [0.0, 1.0]])).tolist()
        [[5.0, 1.0]]
    """
    for name, x in (("x1", x1), ("x2", x2)):
        if not is_tensor(x):
            raise TypeError(f"For 'cdist', the '{name}' must be a Tensor, but got {kind(x)}.")
    return _cdist(x1, x2, p=float(_order("cdist", p)))


@composed("NuclearNorm(dim=None, keepdim=False)(x)")
def _nuclear_norm(x: Any, *, dim: Any = None, keepdim: bool = False) -> Any:
    """The sum of the singular values."""
    return matrix_norm(x, "nuc", (-2, -1) if dim is None else dim, keepdim)


@composed("MatrixPower(n)(x)")
def _matrix_power(x: Any, *, n: int) -> Any:
    """The matrices multiplied with themselves n times."""
    return matrix_power(x, n)


@composed("ConjugateTranspose()(x, perm)")
def _conjugate_transpose(x: Any, perm: Any) -> Any:
    """The tensor with its dimensions in the order `perm`, conjugated."""
    turned = transpose(x, perm=plain(perm))
    return conj(turned) if x.dtype.is_complex else turned


@composed("TridiagonalMatMul()(superdiag, maindiag, subdiag, rhs)")
def _tridiagonal_mat_mul(superdiag: Any, maindiag: Any, subdiag: Any, rhs: Any) -> Any:
    """The product of a tridiagonal matrix and `rhs`."""
    from mindspore.operators.registry import REGISTRY

    up, main, down = [REGISTRY["Reshape"](d, shape=(*d.shape[:-2], d.shape[-1], 1))
                      for d in (superdiag, maindiag, subdiag)]
    zero = rhs[..., :1, :] * 0
    concat = REGISTRY["Concat"]
    above = concat(rhs[..., 1:, :], zero, axis=-2)
    below = concat(zero, rhs[..., :-1, :], axis=-2)
    return main * rhs + up * above + down * below


@composed("MatrixSolveLs(fast=True)(matrix, rhs, l2_regularizer)")
def _matrix_solve_ls(matrix: Any, rhs: Any, l2_regularizer: Any, *, fast: bool = True) -> Any:
    """The x (..., n, k) with the least norm of matrix @ x - rhs, plus l2_regularizer times that of x."""
    check.boolean("MatrixSolveLs", "fast", fast)
    if not fast:
        return pinv(matrix) @ rhs
    turned = matrix.swapaxes(-1, -2)
    turned = conj(turned) if turned.dtype.is_complex else turned
    square = turned @ matrix
    ridge = identity_matrices(square) * cast(l2_regularizer, dtype=square.dtype)
    return algebra.matrix_solve(square + ridge, turned @ rhs)


__all__ = ["cdist", "cond", "eig", "eigvals", "logdet", "pinv", "qr", "svd"]

def _qr(self: Any, some: bool = True) -> tuple[Any, Any]:
    """The orthogonal q and the upper triangular r with q @ r = self.

    Args:
        some: Whether q (*, m, k) and r (*, k, n) have k = min(m, n) columns and rows, instead of m.

    Returns:
        q and r.

    Examples:
        >>> q, r = Tensor([[3.0, 1.0], [4.0, 2.0]]).qr()
        >>> print((q @ r).asnumpy().round(3))
        [[3. 1.]
         [4. 2.]]
    """
    return qr(self, "reduced" if some else "complete")


METHODS = {
    "eigvals": eigvals, "logdet": logdet, "svd": svd,
    "qr": _qr,
}
