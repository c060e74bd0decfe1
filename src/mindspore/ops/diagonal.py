"""Functions that make, take and change diagonals."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.operators import diagonal as diagonals
from mindspore.operators import structure
from mindspore.operators.indexing import select
from mindspore.operators.rules import axes_of

from .array import reshape, tensor
from .creation import arange
from .indexing import masked_fill
from .primitive import composed
from .signatures import plain


def diag(input: Any) -> Any:
    """Zeros of the shape (*s, *s) with the tensor, of the shape s, on the diagonal."""
    return diagonals.diag(tensor("diag", "input", input))


def diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The diagonals of the plane (dim1, dim2), as the last dimension."""
    tensor("diagonal", "input", input)
    return diagonals.diagonal(input, offset=offset, dim1=dim1, dim2=dim2)


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Zeros with the last dimension of the tensor on the diagonals of a new plane (dim1, dim2)."""
    rank = tensor("diag_embed", "input", input).ndim + 1
    for name, value in (("offset", offset), ("dim1", dim1), ("dim2", dim2)):
        check.integer("diag_embed", name, value)
    a, b = axes_of((dim1, dim2), rank, "diag_embed")
    n = input.shape[-1] + abs(offset)
    shape = list(input.shape[:-1])
    for axis in sorted((a, b)):
        shape.insert(axis, n)
    return diagonals.diagonal_grad(input, shape=tuple(shape), offset=offset, dim1=a, dim2=b)


def diagflat(input: Any, offset: int = 0) -> Any:
    """A matrix with the elements of the tensor on a diagonal."""
    return diag_embed(reshape(tensor("diagflat", "input", input), (-1,)), offset)


def diagonal_scatter(input: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The tensor with `src` on the diagonals of the plane (dim1, dim2)."""
    old = diagonal(input, offset, dim1, dim2)
    if tuple(src.shape) != tuple(old.shape):
        raise ValueError(f"For 'diagonal_scatter', the shape of 'src' must be {tuple(old.shape)}, that "
                         f"of the diagonals, but got {tuple(src.shape)}.")
    one = structure.ones_like(old)
    place = diagonals.diagonal_grad(one, shape=tuple(input.shape), offset=offset, dim1=dim1, dim2=dim2)
    new = diagonals.diagonal_grad(src, shape=tuple(input.shape), offset=offset, dim1=dim1, dim2=dim2)
    return select(place != 0, new, input)


def trace(input: Any) -> Any:
    """The sum of the diagonal of a matrix."""
    if tensor("trace", "input", input).ndim != 2:
        raise ValueError(f"For 'trace', the input must be a matrix, but got {show(input)}.")
    return structure.sum_to(diagonals.diagonal(input), shape=())


@composed("MatrixBandPart()(x, lower, upper)")
def matrix_band_part(x: Any, lower: Any, upper: Any) -> Any:
    """The band of `lower` diagonals below and `upper` above the main one; negative numbers keep all."""
    lower, upper = plain(lower), plain(upper)
    if tensor("MatrixBandPart", "x", x).ndim < 2:
        raise ValueError(f"For 'MatrixBandPart', the input must have two dimensions at least, but got "
                         f"{show(x)}.")
    if lower >= 0:
        x = diagonals.triu(x, diagonal=-lower)
    return diagonals.tril(x, diagonal=upper) if upper >= 0 else x


@composed("FillDiagonal(fill_value, wrap=False)(input_x)")
def _fill_diagonal(x: Any, *, fill_value: float, wrap: bool = False) -> Any:
    """The tensor with a number on its main diagonal."""
    if tensor("FillDiagonal", "input_x", x).ndim < 2:
        raise ValueError(f"For 'FillDiagonal', the input must have two dimensions at least, but got "
                         f"{show(x)}.")
    if x.ndim > 2 and len(set(x.shape)) > 1:
        raise ValueError(f"For 'FillDiagonal', a tensor of more than two dimensions must have equal "
                         f"extents, but got {show(x)}.")
    step, n = 1, 1
    for extent in reversed(x.shape[1:]):
        n *= extent
        step += n
    limit = x.size if wrap or x.ndim > 2 else min(x.shape[0], x.shape[1]) * n
    line = arange(x.size)
    mask = ((line % step) == 0) & (line < limit)
    return masked_fill(x, reshape(mask, x.shape), fill_value)


def _diag(self: Any, diagonal: int = 0) -> Any:
    """Zeros of the shape (*s, *s) with the tensor, of the shape s, on the diagonal."""
    if diagonal != 0:
        raise ValueError(f"For 'Tensor.diag', the 'diagonal' must be 0, but got {diagonal}; use "
                         f"'diag_embed' or 'diagonal'.")
    return diag(self)


def _trace(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """The sums of the diagonals of the plane (axis1, axis2)."""
    found = diagonal(self, offset, axis1, axis2)
    total = structure.sum_to(found, shape=(*found.shape[:-1], 1))
    total = reshape(total, total.shape[:-1])
    return total if dtype is None else structure.cast(total, dtype=dtype)


METHODS = {
    "diag": _diag, "diagflat": diagflat,
    "diagonal": lambda self, offset=0, axis1=0, axis2=1: diagonal(self, offset, axis1, axis2),
    "diagonal_scatter": diagonal_scatter,
    "fill_diagonal": lambda self, fill_value, wrap=False: _fill_diagonal(
        self, fill_value=fill_value, wrap=wrap),
    "trace": _trace,
}
__all__ = ["diag", "diag_embed", "diagflat", "diagonal", "diagonal_scatter", "matrix_band_part",
           "trace"]
