"""Numbers at equal distances, their powers, and coordinates of triangles."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32, int64
from mindspore.core.errors import GraphValueError
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.operators import creation, structure

from .arguments import tensor
from .array import reshape
from .creation import span
from .primitive import composed
from .signatures import plain


def linspace(start: Any, end: Any, steps: int) -> Any:
    """`steps` numbers at equal distances from `start` to `end`, both included.

    Args:
        start, end: Numbers, or tensors with one element.
        steps: Their number, an int.

    Returns:
        A vector.

    Raises:
        ValueError: If `steps` is not positive.

    Examples:
        >>> ops.linspace(1.0, 2.0, 3).tolist()
        [1.0, 1.5, 2.0]
    """
    return creation.lin_space(*[_float(v) for v in (start, end)], num=_count("linspace", steps))


def _float(value: Any) -> Any:
    if isinstance(value, int):
        return float(value)
    return check.real("LinSpace", "start and end", value) if hasattr(value, "dtype") else value


def _count(owner: str, steps: Any) -> int:
    return check.positive_int(owner, "steps", plain(steps))


def logspace(start: Any, end: Any, steps: int, base: int = 10, *, dtype: Any = float32) -> Any:
    """`steps` powers of `base` whose exponents have equal distances from `start` to `end`.

    Args:
        start, end: The first and the last exponent, numbers or tensors with one element.
        steps: Their number, an int.
        base: The base.
        dtype: The element type of the result.

    Returns:
        A vector.

    Raises:
        ValueError: If `steps` or `base` is negative.

    Examples:
        >>> ops.logspace(0.0, 2.0, 3, base=2).tolist()
        [1.0, 2.0, 4.0]
    """
    if base < 0:
        raise ValueError(f"For 'logspace', the 'base' must not be negative, but got {base}.")
    exponents = creation.lin_space(*[_float(v) for v in (start, end)], num=_count("logspace", steps))
    return structure.cast(Tensor(float(base), exponents.dtype) ** exponents, dtype=as_dtype(dtype))


@composed("LogSpace(steps=10, base=10, dtype=float32)(start, end)")
def _logspace(start: Any, end: Any, *, steps: int = 10, base: int = 10, dtype: Any = float32) -> Any:
    """Powers of `base` whose exponents have equal distances from `start` to `end`."""
    return logspace(start, end, steps, base, dtype=dtype)


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = int64) -> Any:
    """The coordinates of the lower triangle of a matrix: a row of rows and a row of columns.

    Args:
        row, col: The extents of the matrix, ints.
        offset: The highest diagonal that counts: 0 is the main one, positive ones lie above.
        dtype: int32 or int64.

    Returns:
        A tensor (2, elements).

    Examples:
        >>> ops.tril_indices(2, 2).tolist()
        [[0, 1, 1], [0, 0, 1]]
    """
    return _triangle("tril_indices", row, col, offset, dtype, lambda i, j: j - i <= offset)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = int64) -> Any:
    """The coordinates of the upper triangle of a matrix: a row of rows and a row of columns.

    Args:
        row, col: The extents of the matrix, ints.
        offset: The lowest diagonal that counts: 0 is the main one, positive ones lie above.
        dtype: int32 or int64.

    Returns:
        A tensor (2, elements).

    Examples:
        >>> ops.triu_indices(2, 2).tolist()
        [[0, 0, 1], [0, 1, 1]]
    """
    return _triangle("triu_indices", row, col, offset, dtype, lambda i, j: j - i >= offset)


def _triangle(owner: str, row: int, col: int, offset: int, dtype: Any, inside: Any) -> Any:
    for name, value in (("row", row), ("col", col)):
        check.non_negative_int(owner, name, value)
    check.integer(owner, "offset", offset)
    places = [(i, j) for i in span(row) for j in span(col) if inside(i, j)]
    flat = tuple([i for i, _ in places] + [j for _, j in places])
    return creation.constant(values=flat, shape=(2, len(places)), dtype=as_dtype(dtype))


@composed("TrilIndices(row, col, offset=0, dtype=int32)()")
def _tril_indices(*, row: int, col: int, offset: int = 0, dtype: Any) -> Any:
    """The coordinates of the lower triangle of a matrix."""
    return tril_indices(row, col, offset, dtype=dtype)


@composed("TriuIndices(row, col, offset=0, dtype=int32)()")
def _triu_indices(*, row: int, col: int, offset: int = 0, dtype: Any) -> Any:
    """The coordinates of the upper triangle of a matrix."""
    return triu_indices(row, col, offset, dtype=dtype)


def vander(x: Any, N: int | None = None) -> Any:
    """The powers of a vector's elements in falling order, one element per row.

    Args:
        x: A vector (n,).
        N: The number of columns. Default: n.

    Returns:
        A tensor (n, N), whose last column is 1.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> ops.vander(Tensor([2, 3]), 3).tolist()
        [[4, 2, 1], [9, 3, 1]]
    """
    if tensor("vander", "x", x).ndim != 1:
        raise ValueError(f"For 'vander', the 'x' must be a vector, but has the shape {x.shape}.")
    count = x.shape[0]
    n = count if N is None else check.non_negative_int("vander", "N", N)
    if x.dtype.kind in "biu":
        x = structure.cast(x, dtype=int64)
    powers = creation.arange(start=n - 1, stop=-1, step=-1, dtype=int64 if x.dtype.kind == "c" else x.dtype)
    return reshape(x, (-1, 1)) ** powers


_MOST = 2**32          # elements: 4 GiB of bools that nobody asked for by a number in the program


def sequence_mask(lengths: Any, maxlen: int | None = None) -> Any:
    """For every length a row whose first so many elements are true.

    Args:
        lengths: A tensor of ints.
        maxlen: The length of the rows. Default: the greatest length.

    Returns:
        A tensor of bools with one dimension more than `lengths`.

    Raises:
        TypeError: If `lengths` is no tensor.
        ValueError: If the greatest length makes a mask of 2^32 elements or more.

    Examples:
        >>> ops.sequence_mask(Tensor([1, 3]), 3).tolist()
        [[True, False, False], [True, True, True]]
    """
    tensor("sequence_mask", "lengths", lengths)
    if maxlen is None:
        if isinstance(lengths, Node):
            raise GraphValueError("For 'sequence_mask', the 'maxlen' must be given while a graph is "
                                  "compiled.")
        maxlen = int(lengths.asnumpy().max())
        if maxlen * lengths.size >= _MOST:
            raise ValueError(f"For 'sequence_mask', the greatest of the 'lengths' is {maxlen}, which makes a mask of "
                             f"{maxlen * lengths.size} elements; give a 'maxlen' or check the lengths.")
    line = creation.arange(start=0, stop=check.positive_int("sequence_mask", "maxlen", plain(maxlen)),
                           step=1, dtype=lengths.dtype)
    return line < structure.expand_dims(lengths, axis=-1)


__all__ = [
    "linspace", "logspace", "sequence_mask", "tril_indices", "triu_indices", "vander",
]
