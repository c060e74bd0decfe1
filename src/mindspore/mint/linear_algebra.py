"""Inverses, decompositions and norms: `mindspore.mint.linalg`."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.ops.arguments import only


def inv(input: Any) -> Any:
    """The inverse of a square matrix.

    Args:
        input: Matrices (*, n, n).

    Returns:
        Their inverses.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If it is not square.
        RuntimeError: If it has no inverse.

    Examples:
        >>> mint.linalg.inv(Tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
        [[0.5, 0.0], [0.0, 0.25]]
    """
    return ops.inverse(input)


def matrix_norm(A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Any:
    """A norm of matrices.

    Args:
        A: Matrices (*, m, n).
        ord: "fro" (root of the sum of squares), "nuc" (sum of the singular values), 1, -1, 2, -2, inf or -inf.
        dim: The two dimensions of the matrices.
        keepdim: Whether they stay, with extent 1.
        dtype: What the elements are cast to before; None: as they are.

    Returns:
        The norms (*).

    Raises:
        TypeError: If A is no tensor.
        ValueError: If `ord` is none of these, or the dimensions do not exist.

    Examples:
        >>> mint.linalg.matrix_norm(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1).item()
        6.0
    """
    return ops.matrix_norm(only("matrix_norm", A), ord, dim, keepdim, dtype=dtype)


def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """sum(|x| ** ord) ** (1 / ord) over `dim`; the limits for 0 and the infinities.

    Args:
        x: A tensor.
        ord: A number.
        dim: A dimension, a tuple of them, or None for all.
        keepdim: Whether they stay, with extent 1.
        dtype: What the elements are cast to before; None: as they are.

    Returns:
        The norms.

    Raises:
        TypeError: If `x` is no tensor, or `ord` no number.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.linalg.vector_norm(Tensor([[3.0, 4.0]]), dim=1).tolist()
        [5.0]
    """
    return ops.vector_norm(only("vector_norm", x), ord, dim, keepdim, dtype=dtype)


def qr(A: Any, mode: str = "reduced") -> tuple[Any, Any]:
    """The orthogonal q and the upper triangular r with q @ r = A.

    Args:
        A: Matrices (*, m, n).
        mode: "reduced": q has min(m, n) columns; "complete": m columns; "r": q is empty.

    Returns:
        q and r.

    Raises:
        TypeError: If A is no tensor.
        ValueError: If the mode has another name.

    Examples:
        >>> q, r = mint.linalg.qr(Tensor([[3.0, 1.0], [4.0, 2.0]]))
        >>> mint.allclose(q @ r, Tensor([[3.0, 1.0], [4.0, 2.0]]), 1e-5, 1e-5)
        True
    """
    if mode != "r":
        return ops.qr(A, mode)
    return ops.zeros((0,), only("qr", A).dtype), ops.qr(A, "reduced")[1]


__all__ = ["inv", "matrix_norm", "qr", "vector_norm"]
