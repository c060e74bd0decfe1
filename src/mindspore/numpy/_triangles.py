"""Indices of triangles and diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.core import check
from mindspore.core.dtype import int32
from mindspore.eager.tensor import Tensor

from ._filled import arange
from .arguments import lengths

_MOST_AXES = 64            # of a tensor


def tril_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """Rows and columns of the lower triangle of a matrix (n, m).

    Args:
        n, m: Rows and columns; as many columns as rows by default.
        k: Which diagonal: 0 is the main one, positive numbers stand above it.

    Returns:
        Two vectors, int32.

    Examples:
        >>> print(*mnp.tril_indices(2))
        [0 1 1] [0 0 1]
    """
    return _places("tril_indices", n, k, m, lower=True)


def triu_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """Rows and columns of the upper triangle of a matrix (n, m).

    Args:
        n, m: Rows and columns; as many columns as rows by default.
        k: Which diagonal: 0 is the main one, positive numbers stand above it.

    Returns:
        Two vectors, int32.

    Examples:
        >>> print(*mnp.triu_indices(2))
        [0 0 1] [0 1 1]
    """
    return _places("triu_indices", n, k, m, lower=False)


def _places(owner: str, n: int, k: int, m: int | None, lower: bool) -> Any:
    """Rows and columns of the elements on one side of a diagonal."""
    rows = np.arange(check.count(owner, "n", n, 0))
    columns = n if m is None else check.count(owner, "m", int(m) if isinstance(m, bool) else m, 0)
    behind = min(max(check.integer(owner, "k", k) + lower, -n), columns)           # the diagonal, in the first row
    ends = np.clip(rows + behind, 0, columns)
    counts = ends if lower else columns - ends
    first = np.repeat(np.cumsum(counts) - counts, counts)
    found = np.arange(len(first)) - first
    if not lower:
        found += np.repeat(ends, counts)
    return Tensor(np.repeat(rows, counts), int32), Tensor(found, int32)


def tril_indices_from(arr: Any, k: int = 0) -> Any:
    """Rows and columns of the lower triangle of a matrix.

    Args:
        arr: The matrix.
        k: Which diagonal: 0 is the main one, positive numbers stand above it.

    Returns:
        Two vectors, int32.

    Examples:
        >>> print(*mnp.tril_indices_from(mnp.ones((2, 3)), -1))
        [1] [0]
    """
    rows, columns = lengths("tril_indices_from", arr, 2)
    return tril_indices(rows, k, columns)


def triu_indices_from(arr: Any, k: int = 0) -> Any:
    """Rows and columns of the upper triangle of a matrix.

    Args:
        arr: The matrix.
        k: Which diagonal: 0 is the main one, positive numbers stand above it.

    Returns:
        Two vectors, int32.

    Examples:
        >>> print(*mnp.triu_indices_from(mnp.ones((2, 3)), 1))
        [0 0 1] [1 2 2]
    """
    rows, columns = lengths("triu_indices_from", arr, 2)
    return triu_indices(rows, k, columns)


def diag_indices(n: int, ndim: int = 2) -> Any:
    """Indices of the diagonal of a tensor whose axes are `n` long.

    Args:
        n: Length of the axes.
        ndim: How many axes.

    Returns:
        A tuple of `ndim` vectors.

    Examples:
        >>> print(*mnp.diag_indices(3))
        [0 1 2] [0 1 2]
    """
    check.integer("diag_indices", "ndim", ndim, high=_MOST_AXES)       # below zero there are no vectors, as for zero
    return tuple([arange(n) for _ in range(ndim)])


__all__ = ["diag_indices", "tril_indices", "tril_indices_from", "triu_indices", "triu_indices_from"]
