"""Triangles, diagonals, and the coordinates of grids."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32, int32

from ._filled import arange, linspace
from .arguments import cast, lengths, stacked, tensor


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float32) -> Any:
    """Ones on the k-th diagonal of zeros (N, M).

    Args:
        N, M: Rows and columns; as many columns as rows by default.
        k: Which diagonal: 0 is the main one, positive numbers stand above it.
        dtype: Type of the elements.

    Examples:
        >>> print(mnp.eye(2, 3, 1))
        [[0. 1. 0.]
         [0. 0. 1.]]
    """
    rows, columns = (
        ops.arange(N).reshape((-1, 1)),
        ops.arange(N if M is None else M).reshape((1, -1)),
    )
    return (columns - rows == k).astype(as_dtype(dtype))


def identity(n: int, dtype: Any = float32) -> Any:
    """Ones on the diagonal of zeros (n, n).

    Args:
        n: Rows and columns.
        dtype: Type of the elements.

    Examples:
        >>> print(mnp.identity(2, mnp.int32))
        [[1 0]
         [0 1]]
    """
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = float32) -> Any:
    """Ones on and below the k-th diagonal of zeros (N, M).

    Args:
        N, M: Rows and columns; as many columns as rows by default.
        k: Which diagonal: 0 is the main one, positive numbers stand above it.
        dtype: Type of the elements.

    Examples:
        >>> print(mnp.tri(3))
        [[1. 0. 0.]
         [1. 1. 0.]
         [1. 1. 1.]]
    """
    rows, columns = (
        ops.arange(N).reshape((-1, 1)),
        ops.arange(N if M is None else M).reshape((1, -1)),
    )
    return (columns - rows <= k).astype(as_dtype(dtype))


def tril(m: Any, k: int = 0) -> Any:
    """A matrix with zeros above the k-th diagonal.

    Args:
        m: A matrix, or several (..., M, N).
        k: Which diagonal: 0 is the main one, positive numbers stand above it.

    Examples:
        >>> print(mnp.tril([[1, 2], [3, 4]]))
        [[1 0]
         [3 4]]
    """
    return ops.tril(tensor(m), k)


def triu(m: Any, k: int = 0) -> Any:
    """A matrix with zeros below the k-th diagonal.

    Args:
        m: A matrix, or several (..., M, N).
        k: Which diagonal: 0 is the main one, positive numbers stand above it.

    Examples:
        >>> print(mnp.triu([[1, 2], [3, 4]]))
        [[1 2]
         [0 4]]
    """
    return ops.triu(tensor(m), k)


def diag(v: Any, k: int = 0) -> Any:
    """The k-th diagonal of a matrix, or a matrix with that diagonal.

    Args:
        v: A matrix, or a vector.
        k: Which diagonal: 0 is the main one, positive numbers stand above it.

    Examples:
        >>> print(mnp.diag([[1, 2], [3, 4]]), mnp.diag([1, 2]))
        [1 4] [[1 0]
         [0 2]]
    """
    v = tensor(v)
    if v.ndim == 2:
        return ops.diagonal(v, k)
    return diagflat(v, k)


def diagflat(v: Any, k: int = 0) -> Any:
    """A matrix with the flattened tensor on its k-th diagonal.

    Args:
        v: A tensor, or numbers that make one.
        k: Which diagonal: 0 is the main one, positive numbers stand above it.

    Examples:
        >>> print(mnp.diagflat([1, 2], 1))
        [[0 1 0]
         [0 0 2]
         [0 0 0]]
    """
    v = tensor(v).reshape((-1,))
    n = v.shape[0]
    square = v.reshape((-1, 1)) * eye(n, dtype=v.dtype)
    return ops.pad(square, (max(k, 0), max(-k, 0), max(-k, 0), max(k, 0))) if k else square


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """A diagonal of two axes, as the last axis.

    Args:
        a: A tensor, or numbers that make one.
        offset: Which diagonal: 0 is the main one, positive numbers stand above it.
        axis1, axis2: The two axes.

    Examples:
        >>> print(mnp.diagonal([[1, 2, 3], [4, 5, 6]], 1))
        [2 6]
    """
    return ops.diagonal(tensor(a), offset, axis1, axis2)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """Sum of a diagonal.

    Args:
        a: A tensor, or numbers that make one.
        offset: Which diagonal: 0 is the main one, positive numbers stand above it.
        axis1, axis2: The two axes of the matrices.
        dtype: Type of the elements that are added, and of the result.

    Examples:
        >>> print(mnp.trace([[1, 2], [3, 4]]))
        5
    """
    return cast(ops.sum(cast(diagonal(a, offset, axis1, axis2), dtype), dim=-1), dtype)


def meshgrid(*xi: Any, sparse: bool = False, indexing: str = "xy") -> Any:
    r"""Coordinates of a grid, one tensor for each vector.

    Args:
        xi: The vectors of coordinates.
        sparse: Give tensors that broadcast to the grid instead of repeating the coordinates.
        indexing: 'ij': axis k belongs to vector k; 'xy': the first two axes stand in each other's place.

    Returns:
        A list of tensors.

    Raises:
        TypeError: If `sparse` is no bool.
        ValueError: If `indexing` is another.

    Examples:
        >>> print(*mnp.meshgrid([1, 2], [10, 20]), sep="\n")
        [[1 2]
         [1 2]]
        [[10 10]
         [20 20]]
    """
    check.boolean("meshgrid", "sparse", sparse)
    if indexing not in ("xy", "ij"):
        raise ValueError(f"For 'meshgrid', the 'indexing' must be 'xy' or 'ij', but got {indexing!r}.")
    vectors = [tensor(x).reshape((-1,)) for x in xi]
    order = list(range(len(vectors)))
    if indexing == "xy" and len(order) > 1:
        order[0], order[1] = 1, 0
    grids = [v.reshape([-1 if i == order[k] else 1 for i in range(len(vectors))]) for k, v in enumerate(vectors)]
    if sparse:
        return grids
    sizes = {order[k]: v.shape[0] for k, v in enumerate(vectors)}
    return [ops.broadcast_to(g, tuple([sizes[i] for i in range(len(sizes))])) for g in grids]


class _Grid:
    """Slices as coordinates: `mgrid[0:3, 0:2]`."""

    def __init__(self, sparse: bool):
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        """Coordinates of a grid; a step such as 5j is a number of points."""
        single = not isinstance(key, tuple)
        grids = meshgrid(
            *[_points(k) for k in ((key,) if single else key)], sparse=self._sparse, indexing="ij"
        )
        if single:
            return grids[0]
        return grids if self._sparse else stacked(list(grids))


def _points(key: slice) -> Any:
    start = 0 if key.start is None else key.start
    if isinstance(key.step, complex):
        return linspace(start, key.stop, int(key.step.imag))
    return arange(start, key.stop, key.step)


mgrid, ogrid = _Grid(False), _Grid(True)


def indices(dimensions: Any, dtype: Any = int32, sparse: bool = False) -> Any:
    r"""Indices of a shape, one tensor for each axis.

    Args:
        dimensions: The shape.
        dtype: Type of the indices.
        sparse: Give tensors that broadcast to the shape instead of repeating the indices.

    Examples:
        >>> print(*mnp.indices((2, 2)), sep="\n")
        [[0 0]
         [1 1]]
        [[0 1]
         [0 1]]
    """
    return list(meshgrid(*[arange(n, dtype=dtype) for n in dimensions], sparse=sparse, indexing="ij"))


def ix_(*args: Any) -> Any:
    """Vectors as an open grid of indices.

    Args:
        args: The vectors, one for each axis.

    Returns:
        A tuple of tensors that broadcast with each other.

    Examples:
        >>> print(mnp.arange(9).reshape((3, 3))[mnp.ix_([0, 2], [1, 2])])
        [[1 2]
         [7 8]]
    """
    return tuple(meshgrid(*args, sparse=True, indexing="ij"))


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """Powers of a vector as columns, the highest first.

    Args:
        x: A vector.
        N: How many columns; as many as elements by default.
        increasing: The lowest power first.

    Examples:
        >>> print(mnp.vander([2, 3], 3))
        [[4 2 1]
         [9 3 1]]
    """
    x = tensor(x)
    (count,) = lengths("vander", x, 1)
    powers = list(range(count if N is None else check.non_negative_int("vander", "N", N)))
    return ops.stack([ops.pow(x, p) for p in (powers if increasing else powers[::-1])], 1)


__all__ = [
    "diag",
    "diagflat",
    "diagonal",
    "eye",
    "identity",
    "indices",
    "ix_",
    "meshgrid",
    "mgrid",
    "ogrid",
    "trace",
    "tri",
    "tril",
    "triu",
    "vander",
]
