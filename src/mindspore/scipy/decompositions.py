"""Decompositions of matrices, with the arguments of `scipy.linalg`."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import bfloat16, float16, float32, int64
from mindspore.core.errors import show
from mindspore.operators.solvers import lu_factor as factored
from mindspore.operators.solvers import symmetric_eigen
from mindspore.ops.arguments import tensor

from .triangular import floating, solve_triangular


def _matrix(owner: str, name: str, value: Any, square: bool = False, **flags: Any) -> Any:
    """A matrix of floating-point numbers; the flags are checked to be bools."""
    for key, flag in flags.items():
        check.boolean(owner, key, flag)
    x = tensor(owner, name, value)
    if x.ndim != 2 or (square and x.shape[0] != x.shape[1]):
        raise ValueError(f"For '{owner}', the '{name}' must be a {'square ' if square else ''}matrix, but got "
                         f"{show(x)}.")
    return floating(x)


def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The triangles l and u and the permutation p with p l u = a.

    Args:
        a: The matrix (m, n).
        permute_l: Whether p l is wanted in the place of p and l.
        overwrite_a: A permission without an effect.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        (p, l, u) of the shapes (m, m), (m, k) and (k, n) with k = min(m, n), or (p l, u).

    Raises:
        TypeError: If a is no tensor.
        ValueError: If it is no matrix.

    Examples:
        >>> p, l, u = mindspore.scipy.linalg.lu(Tensor([[2.0, 1.0], [4.0, 4.0]]))
        >>> p.tolist(), l.tolist(), u.tolist()
        ([[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.5, 1.0]], [[4.0, 4.0], [0.0, -1.0]])
    """
    x = _matrix("lu", "a", a, permute_l=permute_l, overwrite_a=overwrite_a, check_finite=check_finite)
    p, lower, upper = ops.lu_unpack(*factored(x))
    return (p @ lower, upper) if permute_l else (p, lower, upper)


def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, Any]:
    """The triangles of `lu` in one matrix, and the exchanges of rows, for `lu_solve`.

    Args:
        a: The square matrix (n, n).
        overwrite_a: A permission without an effect.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        u with l below its diagonal; and with which row, from 0 on, each was exchanged, int32 (n,).

    Raises:
        TypeError: If a is no tensor.
        ValueError: If it is not square.

    Examples:
        >>> both, rows = mindspore.scipy.linalg.lu_factor(Tensor([[2.0, 1.0], [4.0, 4.0]]))
        >>> both.tolist(), rows.tolist()
        ([[4.0, 4.0], [0.5, -1.0]], [1, 1])
    """
    x = _matrix("lu_factor", "a", a, True, overwrite_a=overwrite_a, check_finite=check_finite)
    both, pivots = factored(x)
    return both, pivots - 1


def lstsq(A: Any, B: Any, rcond: float | None = None, driver: str | None = None) -> tuple[Any, Any, Any, Any]:
    """The x with the smallest |A x - B|, and of those the shortest.

    Args:
        A: The matrix (m, n).
        B: The right side (m,) or (m, k).
        rcond: Singular values below `rcond` times the largest count as 0. Default: the rounding of the dtype times the
            larger extent.
        driver: "gels", "gelsy", "gelsd" or "gelss": what to return beside x; x is the same. Default: "gelsy".

    Returns:
        (x, residuals, rank, singular values): the squared length of A x - B for each right side if m > n, else nothing;
        the rank as int64; the singular values with "gelsd" and "gelss", else nothing.

    Raises:
        TypeError: If A or B is no tensor.
        ValueError: If the shapes do not fit, or an option is none of these.

    Examples:
        >>> A, B = Tensor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]), Tensor([[1.0], [4.0], [3.0]])
        >>> x, residuals, rank, _ = mindspore.scipy.linalg.lstsq(A, B)
        >>> np.round(x.asnumpy().T, 5).tolist(), np.round(residuals.asnumpy(), 5).tolist(), rank.item()
        ([[1.0, 2.0]], [9.0], 2)
    """
    a, right = _matrix("lstsq", "A", A), tensor("lstsq", "B", B)
    if right.ndim not in (1, 2) or right.shape[0] != a.shape[0]:
        raise ValueError("For 'lstsq', 'B' must be a vector or a matrix with as many rows as 'A', but got "
                         f"{show(B)} and {show(A)}.")
    check.option("lstsq", "driver", driver, [None, "gels", "gelsy", "gelsd", "gelss"])
    check.optional(check.number, "lstsq", "rcond", rcond, 0.0)
    half, right = a.dtype, right.astype(a.dtype)
    if half in (float16, bfloat16):
        x, residuals, rank, values = lstsq(a.astype(float32), right.astype(float32), rcond, driver)
        return x.astype(half), residuals.astype(half), rank, values.astype(half)
    small = (1.1920929e-07 if a.dtype is float32 else 2.220446049250313e-16) * max(a.shape) if rcond is None else rcond
    x = ops.pinv(a, rtol=small) @ right
    values = ops.svd(a, compute_uv=False)
    rank = (values > small * values.max()).sum().astype(int64)
    error = right - a @ x
    nothing = ops.zeros((0,), a.dtype)
    squares = ops.real(error * ops.conj(error)) if error.dtype.is_complex else error * error
    residuals = squares.sum(0).reshape((-1,)) if a.shape[0] > a.shape[1] else nothing
    return x, residuals, rank, values if driver in ("gelsd", "gelss") else nothing


def eigh(a: Any, b: Any = None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False,
         overwrite_b: bool = False, turbo: bool = True, eigvals: tuple[int, int] | None = None, type: int = 1,
         check_finite: bool = True) -> Any:
    """The eigenvalues and eigenvectors of a symmetric matrix.

    Args:
        a: The matrix (n, n).
        b: A positive definite matrix (n, n) of the generalised problem. Default: the unit matrix.
        lower: Whether the lower triangles count.
        eigvals_only: Whether only the eigenvalues are wanted.
        overwrite_a, overwrite_b, turbo: Permissions without an effect.
        eigvals: The first and the last eigenvalue that are wanted, from 0 on. Default: all.
        type: 1: a v = w b v; 2: a b v = w v; 3: b a v = w v.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        The eigenvalues (k,), rising, and the eigenvectors as columns (n, k), or the eigenvalues.

    Raises:
        TypeError: If a or b is no tensor.
        ValueError: If the shapes do not fit, or an option is none of these.

    Examples:
        >>> values, vectors = mindspore.scipy.linalg.eigh(Tensor([[2.0, 1.0], [1.0, 2.0]]))
        >>> np.round(values.asnumpy(), 5).tolist(), mindspore.scipy.linalg.eigh(
        ...     Tensor([[2.0, 1.0], [1.0, 2.0]]), eigvals_only=True).shape
        ([1.0, 3.0], (2,))
    """
    x = _matrix("eigh", "a", a, True, lower=lower, eigvals_only=eigvals_only, overwrite_a=overwrite_a,
                overwrite_b=overwrite_b, turbo=turbo, check_finite=check_finite)
    check.option("eigh", "type", type, (1, 2, 3))
    n = x.shape[0]
    low, high = (0, n - 1) if eigvals is None else check.ints("eigh", "eigvals", eigvals, 2, 0)
    if not low <= high < n:
        raise ValueError(f"For 'eigh', the 'eigvals' must be two rising numbers below {n}, but got {eigvals}.")
    if b is None:
        values, vectors = symmetric_eigen(x, lower=lower)
    else:
        values, vectors = _generalised(_mirrored(x, lower), _mirrored(_matrix("eigh", "b", b, True), lower), type)
    return values[low:high + 1] if eigvals_only else (values[low:high + 1], vectors[:, low:high + 1])


def _mirrored(x: Any, lower: bool) -> Any:
    """The symmetric matrix of one triangle."""
    return ops.tril(x) + ops.tril(x, -1).T if lower else ops.triu(x) + ops.triu(x, 1).T


def _generalised(a: Any, b: Any, type: int) -> tuple[Any, Any]:
    """The problem with b, brought to one without by the factor of Cholesky."""
    low = ops.cholesky(b)
    if type == 1:
        half = solve_triangular(low, a, lower=True)
        values, vectors = symmetric_eigen(solve_triangular(low, half.T, lower=True))
    else:
        values, vectors = symmetric_eigen(low.T @ a @ low)
    if type == 3:
        return values, low @ vectors
    return values, solve_triangular(low, vectors, "T", lower=True)
