"""Functions that make, take and change diagonals."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import bool_, int64
from mindspore.core.errors import show
from mindspore.operators import creation, structure
from mindspore.operators import diagonal as diagonals
from mindspore.operators.masking import select
from mindspore.operators.rules import axes_of

from .arguments import in_int64, tensor
from .array import reshape
from .creation import arange
from .indexing import gather, masked_fill
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
    """The sum of the diagonal of a matrix, in its dtype."""
    if tensor("trace", "input", input).ndim != 2:
        raise ValueError(f"For 'trace', the input must be a matrix, but got {show(input)}.")
    total = structure.sum_to(diagonals.diagonal(input), shape=())
    return structure.cast(total, dtype=input.dtype)


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


# ---------------------------------------------------------------------- bands of diagonals

_ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


def _band(owner: str, k: Any, align: str) -> tuple[int, int]:
    """The lowest and the highest diagonal that `k` names."""
    check.option(owner, "align", align, _ALIGNMENTS)
    k = plain(k)
    k = (k,) if isinstance(k, int) else k
    low, high = k[0], k[-1]
    if len(k) > 2 or low > high:
        raise ValueError(f"For '{owner}', the 'k' must be one diagonal, or the lowest and the highest "
                         f"of a band, but got {k}.")
    return low, high


def _lines(rows: int, cols: int, low: int, high: int, align: str) -> tuple[list[Any], int]:
    """For every diagonal of a band, highest first, what stands in each place of its line: (row,
    column), or None where the line is longer than the diagonal; and the length of the lines."""
    counts = {d: max(min(rows + min(d, 0), cols - max(d, 0)), 0) for d in range(low, high + 1)}
    longest, lines = max(counts.values()), []
    above, below = align.split("_")
    for d in range(high, low - 1, -1):
        gap = longest - counts[d] if (above if d >= 0 else below) == "RIGHT" else 0
        line: list[Any] = [None] * longest
        for j in range(counts[d]):
            line[gap + j] = (j + max(-d, 0), j + max(d, 0))
        lines.append(line)
    return lines, longest


def _places(x: Any, places: list[int], shape: tuple[int, ...], rank: int, other: Any) -> Any:
    """Elements of the last `rank` dimensions of `x` by their places; `other` where that is -1."""
    lead = tuple(x.shape[:x.ndim - rank])
    flat = reshape(x, (*lead, -1))
    line = creation.constant(values=tuple([max(p, 0) for p in places]), shape=(len(places),),
                             dtype=int64)
    found = reshape(gather(flat, line, len(lead)), (*lead, *shape))
    if min(places, default=0) >= 0:
        return found
    mask = creation.constant(values=tuple([p >= 0 for p in places]), shape=shape, dtype=bool_)
    return select(mask, found, other)


@composed("MatrixDiagPartV3(align='RIGHT_LEFT')(x, k, padding_value)")
def _diag_part(x: Any, k: Any, padding_value: Any, *, align: str = "RIGHT_LEFT") -> Any:
    """The diagonals of a band, one per row, the highest first."""
    low, high = _band("MatrixDiagPartV3", k, align)
    if tensor("MatrixDiagPartV3", "x", x).ndim < 2:
        raise ValueError(f"For 'MatrixDiagPartV3', the input must have two dimensions at least, but "
                         f"got {show(x)}.")
    rows, cols = x.shape[-2:]
    lines, longest = _lines(rows, cols, low, high, align)
    places = [-1 if p is None else p[0] * cols + p[1] for line in lines for p in line]
    shape = (longest,) if low == high else (len(lines), longest)
    return _places(x, places, shape, 2, padding_value)


def matrix_diag_part(x: Any, k: Any, padding_value: Any, align: str = "RIGHT_LEFT") -> Any:
    """The diagonals of a band, one per row, the highest first.

    Args:
        k: One diagonal, or the lowest and the highest.
        padding_value: What fills up the rows of shorter diagonals.
        align: Where the diagonals above and below the main one stand in their rows.
    """
    return _diag_part(x, k, padding_value, align=align)


def _from_lines(x: Any, rows: int, cols: int, band: tuple[int, int], align: str, other: Any) -> Any:
    """A matrix with diagonals from the lines of `x`; elsewhere `other`."""
    lines, longest = _lines(rows, cols, *band, align)
    wide = 1 if band[0] == band[1] else 2
    if tuple(x.shape[x.ndim - wide:]) != ((longest,), (len(lines), longest))[wide - 1]:
        raise ValueError(f"For 'matrix_diag', the diagonals {band} of a matrix of {rows} rows and "
                         f"{cols} columns do not have the shape of {show(x)}.")
    places = [-1] * (rows * cols)
    for i, line in enumerate(lines):
        for j, place in enumerate(line):
            if place is not None:
                places[place[0] * cols + place[1]] = i * longest + j
    return _places(x, places, (rows, cols), wide, other)


@composed("MatrixDiagV3(align='RIGHT_LEFT')(x, k, num_rows, num_cols, padding_value)")
def _matrix_diag(x: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, *,
                 align: str = "RIGHT_LEFT") -> Any:
    """A matrix with the given diagonals."""
    low, high = _band("MatrixDiagV3", k, align)
    rows, cols = [v[0] if isinstance(v, tuple) else v for v in (plain(num_rows), plain(num_cols))]
    longest = tensor("MatrixDiagV3", "x", x).shape[-1]
    least = longest - min(high, 0), longest + max(low, 0)
    if rows == -1 and cols == -1:
        rows = cols = max(least)
    rows, cols = least[0] if rows == -1 else rows, least[1] if cols == -1 else cols
    return _from_lines(x, rows, cols, (low, high), align, padding_value)


def matrix_diag(x: Any, k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0,
                align: str = "RIGHT_LEFT") -> Any:
    """A matrix with the given diagonals.

    Args:
        x: A diagonal in the last dimension, or a band of them, the highest first, in the last two.
        k: The diagonal, or the lowest and the highest.
        num_rows, num_cols: The extents. Default: the least that fit.
        padding_value: What stands elsewhere.
        align: Where the diagonals above and below the main one stand in their rows.
    """
    return _matrix_diag(x, k, num_rows, num_cols, padding_value, align=align)


@composed("MatrixSetDiagV3(align='RIGHT_LEFT')(x, diagonal, k)")
def _set_diag(x: Any, diagonal: Any, k: Any, *, align: str = "RIGHT_LEFT") -> Any:
    """A matrix with some of its diagonals replaced."""
    rows, cols = x.shape[-2:]
    return _from_lines(diagonal, rows, cols, _band("MatrixSetDiagV3", k, align), align, x)


def matrix_set_diag(x: Any, diagonal: Any, k: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    """A matrix with some of its diagonals replaced, given as `matrix_diag` takes them."""
    return _set_diag(x, diagonal, k, align=align)


# ---------------------------------------------------------------------- methods

def _diag(self: Any, diagonal: int = 0) -> Any:
    """Zeros of the shape (*s, *s) with the tensor, of the shape s, on the diagonal."""
    if diagonal != 0:
        raise ValueError(f"For 'Tensor.diag', the 'diagonal' must be 0, but got {diagonal}; use "
                         f"'diag_embed' or 'diagonal'.")
    return diag(self)


def _trace(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """The sums of the diagonals of the plane (axis1, axis2)."""
    found = in_int64(diagonal(self, offset, axis1, axis2))
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
           "matrix_diag", "matrix_diag_part", "matrix_set_diag", "trace"]
