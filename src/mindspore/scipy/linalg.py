"""Linear algebra of matrices, with the arguments of `scipy.linalg`.

Integers are taken as float64.  Nothing is overwritten: `overwrite_a` and `overwrite_b` are permissions, not orders.
"""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core.dtype import float64
from mindspore.core.errors import show
from mindspore.ops.arguments import tensor

from .decompositions import eigh, lstsq, lu, lu_factor
from .triangular import floating, solve_triangular, square_matrix


def block_diag(*arrs: Any) -> Any:
    """A matrix with the given ones on its diagonal, elsewhere 0.

    Args:
        arrs: Tensors of at most two dimensions; numbers and vectors count as rows.

    Returns:
        The matrix; without any, one of shape (1, 0).

    Raises:
        TypeError: If one is no tensor.
        ValueError: If one has more dimensions.

    Examples:
        >>> mindspore.scipy.linalg.block_diag(Tensor([[1.0]]), Tensor([2.0, 3.0])).tolist()
        [[1.0, 0.0, 0.0], [0.0, 2.0, 3.0]]
    """
    for x in arrs:
        if tensor("block_diag", "arrs", x).ndim > 2:
            raise ValueError(f"For 'block_diag', the tensors must have at most 2 dimensions, but got {show(x)}.")
    return ops.block_diag(*arrs) if arrs else ops.zeros((1, 0))


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The inverse of a square matrix.

    Args:
        a: Matrices (*, n, n).
        overwrite_a: A permission without an effect.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        Their inverses.

    Raises:
        TypeError: If a is no tensor.
        ValueError: If it is not square.
        RuntimeError: If it has no inverse.

    Examples:
        >>> mindspore.scipy.linalg.inv(Tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
        [[0.5, 0.0], [0.0, 0.25]]
    """
    return ops.inverse(square_matrix("inv", a, overwrite_a=overwrite_a, check_finite=check_finite))


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The determinant of a square matrix.

    Args:
        a: Matrices (*, n, n).
        overwrite_a: A permission without an effect.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        Their determinants (*).

    Raises:
        TypeError: If a is no tensor.
        ValueError: If it is not square.

    Examples:
        >>> mindspore.scipy.linalg.det(Tensor([[2.0, 0.0], [0.0, 4.0]])).item()
        8.0
    """
    return ops.det(square_matrix("det", a, overwrite_a=overwrite_a, check_finite=check_finite))


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The triangular u with u^T u = a, or l with l l^T = a.

    Args:
        a: Symmetric, positive definite matrices (*, n, n).
        lower: Whether l is wanted.
        overwrite_a: A permission without an effect.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        The factors; the other triangle is 0.

    Raises:
        TypeError: If a is no tensor.
        ValueError: If it is not square.
        RuntimeError: If it is not positive definite.

    Examples:
        >>> mindspore.scipy.linalg.cholesky(Tensor([[4.0, 2.0], [2.0, 2.0]])).tolist()
        [[2.0, 1.0], [0.0, 1.0]]
    """
    x = square_matrix("cholesky", a, lower=lower, overwrite_a=overwrite_a, check_finite=check_finite)
    return ops.cholesky(x, not lower)


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, bool]:
    """The factor of `cholesky` and which triangle it is, for `cho_solve`.

    Args:
        a: Symmetric, positive definite matrices (*, n, n).
        lower: Whether the lower triangle is wanted.
        overwrite_a: A permission without an effect.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        The factor, and `lower`.

    Raises:
        TypeError, ValueError, RuntimeError: As `cholesky`.

    Examples:
        >>> factor, lower = mindspore.scipy.linalg.cho_factor(Tensor([[4.0, 2.0], [2.0, 2.0]]))
        >>> factor.tolist(), lower
        ([[2.0, 1.0], [0.0, 1.0]], False)
    """
    return cholesky(a, lower, overwrite_a, check_finite), lower


def cho_solve(c_and_lower: tuple[Any, bool], b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """The x with a x = b, from what `cho_factor` gave for a.

    Args:
        c_and_lower: The factor, and whether it is the lower triangle.
        b: The right side (n,) or (*, n, k).
        overwrite_b: A permission without an effect.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        x, in the shape of b.

    Raises:
        TypeError: If the factor or b is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> factor = mindspore.scipy.linalg.cho_factor(Tensor([[4.0, 2.0], [2.0, 2.0]]))
        >>> mindspore.scipy.linalg.cho_solve(factor, Tensor([6.0, 4.0])).tolist()
        [1.0, 1.0]
    """
    factor, lower = c_and_lower
    first, second = ("N", "T") if lower else ("T", "N")
    half = solve_triangular(factor, b, first, lower, False, overwrite_b, None, check_finite)
    return solve_triangular(factor, half, second, lower)


def lu_solve(lu_and_piv: tuple[Any, Any], b: Any, trans: int = 0, overwrite_b: bool = False,
             check_finite: bool = True) -> Any:
    """The x with a x = b, from a decomposition of a into triangles with exchanged rows.

    Args:
        lu_and_piv: Both triangles in one matrix (n, n), the lower with ones on its diagonal; and with which row, from
            0 on, each was exchanged (n,).
        b: The right side (n,) or (n, k).
        trans: 0: a itself; 1: its transpose; 2: its conjugate transpose.
        overwrite_b: A permission without an effect.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        x, in the shape of b.

    Raises:
        TypeError: If an argument is no tensor.
        ValueError: If the shapes do not fit, or `trans` is none of these.

    Examples:
        >>> factors = Tensor([[4.0, 2.0], [0.5, 1.0]]), Tensor([0, 1], mindspore.int32)
        >>> mindspore.scipy.linalg.lu_solve(factors, Tensor([6.0, 4.0])).tolist()
        [1.0, 1.0]
    """
    lu, pivots = lu_and_piv
    x = square_matrix("lu_solve", lu, overwrite_b=overwrite_b, check_finite=check_finite)
    if x.ndim != 2 or tuple(tensor("lu_solve", "piv", pivots).shape) != x.shape[:1]:
        raise ValueError(f"For 'lu_solve', there must be one pivot per row of one matrix, but got {show(pivots)} and "
                         f"{show(x)}.")
    if trans not in (0, 1, 2):
        raise ValueError(f"For 'lu_solve', the 'trans' must be 0, 1 or 2, but got {trans!r}.")
    rows = lu_pivots_to_permutation(pivots, x.shape[0])
    right = floating(tensor("lu_solve", "b", b))
    if trans == 0:
        half = solve_triangular(x, right[rows], 0, True, True)
        return solve_triangular(x, half)
    half = solve_triangular(x, right, trans)
    return solve_triangular(x, half, trans, True, True)[ops.argsort(rows.astype(float64))]


def lu_pivots_to_permutation(pivots: Any, permutation_size: int) -> Any:
    """The order of the rows after exchanges.

    Args:
        pivots: With which row, from 0 on, each was exchanged, one after the other (k,).
        permutation_size: How many rows there are.

    Returns:
        The old place of each row (permutation_size,), in the dtype of the pivots.

    Raises:
        TypeError: If the pivots are no tensor.
        ValueError: If they are no vector.

    Examples:
        >>> mindspore.scipy.linalg.lu_pivots_to_permutation(Tensor([2, 2, 2]), 3).tolist()
        [2, 0, 1]
    """
    if tensor("lu_pivots_to_permutation", "pivots", pivots).ndim != 1:
        raise ValueError(f"For 'lu_pivots_to_permutation', the 'pivots' must be a vector, but got {show(pivots)}.")
    places = ops.arange(permutation_size).astype(pivots.dtype)
    order = places
    for i in range(pivots.shape[0]):
        j = pivots[i]
        order = ops.where(places == i, order[j], ops.where(places == j, order[i], order))
    return order


__all__ = ["block_diag", "cho_factor", "cho_solve", "cholesky", "det", "eigh", "inv", "lstsq", "lu", "lu_factor",
           "lu_pivots_to_permutation", "lu_solve", "solve_triangular"]
