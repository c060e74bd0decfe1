"""Systems with triangular matrices, and what matrices are checked to be."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float64
from mindspore.core.errors import show
from mindspore.operators.linear_algebra import matrix_triangular_solve
from mindspore.ops.arguments import tensor


def square_matrix(owner: str, value: Any, **flags: Any) -> Any:
    """A square matrix of floating-point numbers; the flags are checked to be bools."""
    for name, flag in flags.items():
        check.boolean(owner, name, flag)
    x = tensor(owner, "a", value)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{owner}', the 'a' must be a square matrix, but got {show(x)}.")
    return floating(x)


def floating(x: Any) -> Any:
    return x if x.dtype.is_differentiable else x.astype(float64)


def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False,
                     overwrite_b: bool = False, debug: Any = None, check_finite: bool = True) -> Any:
    """The x with a x = b, for a triangular matrix.

    Args:
        a: The matrix (*, n, n); of the other triangle nothing counts.
        b: The right side (n,) or (*, n, k).
        trans: 0 or "N": a itself; 1 or "T": its transpose; 2 or "C": its conjugate transpose.
        lower: Whether the lower triangle counts.
        unit_diagonal: Whether the diagonal counts as ones.
        overwrite_b: A permission without an effect.
        debug: None.
        check_finite: A permission without an effect: elements are not looked at.

    Returns:
        x, in the shape of b.

    Raises:
        TypeError: If a or b is no tensor.
        ValueError: If the shapes do not fit, or `trans` is none of these.

    Examples:
        >>> mindspore.scipy.linalg.solve_triangular(Tensor([[2.0, 1.0], [0.0, 2.0]]), Tensor([4.0, 2.0])).tolist()
        [1.5, 1.0]
    """
    owner = "solve_triangular"
    x = square_matrix(owner, a, lower=lower, unit_diagonal=unit_diagonal, overwrite_b=overwrite_b,
                      check_finite=check_finite)
    if debug is not None:
        raise ValueError(f"For '{owner}', the 'debug' must be None, but got {debug!r}.")
    way = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}.get(trans)
    if way is None:
        raise ValueError(f"For '{owner}', the 'trans' must be 0, 1, 2, 'N', 'T' or 'C', but got {trans!r}.")
    right = floating(tensor(owner, "b", b))
    vector = right.ndim == x.ndim - 1
    right = ops.expand_dims(right, -1) if vector else right
    if right.ndim != x.ndim or right.shape[-2] != x.shape[-1]:
        raise ValueError(f"For '{owner}', 'b' must have as many rows as 'a', but got {show(b)} and {show(a)}.")
    part = ops.tril(x, -1 if unit_diagonal else 0) if lower else ops.triu(x, 1 if unit_diagonal else 0)
    if unit_diagonal:
        part = part + ops.eye(x.shape[-1], x.shape[-1], x.dtype)
    if way:
        part = ops.swapaxes(ops.conj(part) if way == 2 and part.dtype.is_complex else part, -1, -2)
    out = matrix_triangular_solve(part, right, lower=bool(lower) is (way == 0))
    return ops.squeeze(out, -1) if vector else out
