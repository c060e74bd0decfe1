"""Bands of diagonals as rows."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import bool_, int64
from mindspore.core.errors import show
from mindspore.operators import creation
from mindspore.operators import diagonal as diagonals
from mindspore.operators.masking import select

from .arguments import tensor
from .array import reshape
from .indexing import gather
from .primitive import composed
from .signatures import plain


@composed("MatrixBandPart()(x, lower, upper)")
def matrix_band_part(x: Any, lower: Any, upper: Any) -> Any:
    """The band of `lower` diagonals below and `upper` above the main one; negative numbers keep all.

    Args:
        x: A tensor (*, m, n).
        lower, upper: Ints, or tensors with one.

    Returns:
        A tensor of the shape of `x`, zero outside of the band.

    Raises:
        TypeError: If `x` is no tensor.
        ValueError: If it has fewer than two dimensions.

    Examples:
        >>> ops.matrix_band_part(Tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), 1, 0).tolist()
        [[1, 0, 0], [4, 5, 0], [0, 8, 9]]
    """
    lower, upper = plain(lower), plain(upper)
    if tensor("MatrixBandPart", "x", x).ndim < 2:
        raise ValueError(f"For 'MatrixBandPart', the input must have two dimensions at least, but got "
                         f"{show(x)}.")
    if lower >= 0:
        x = diagonals.triu(x, diagonal=-lower)
    return diagonals.tril(x, diagonal=upper) if upper >= 0 else x


_ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


def _band(owner: str, k: Any, align: str) -> tuple[int, int]:
    """The lowest and the highest diagonal that `k` names."""
    check.option(owner, "align", align, _ALIGNMENTS)
    k = plain(k)
    k = (k,) if isinstance(k, int) else k
    low, high = (k[0], k[-1]) if k else (1, 0)
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
        x: A tensor (*, m, n).
        k: One diagonal, or the lowest and the highest; 0 is the main one, positive ones lie above.
        padding_value: What fills up the rows of shorter diagonals.
        align: Where the diagonals above and below the main one stand in their rows: "RIGHT_LEFT", "LEFT_RIGHT",
            "LEFT_LEFT" or "RIGHT_RIGHT".

    Returns:
        A tensor (*, diagonals, length), or (*, length) for one.

    Examples:
        >>> ops.matrix_diag_part(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor(0), Tensor(0.0)).tolist()
        [1.0, 4.0]
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

    Returns:
        A tensor (*, num_rows, num_cols).

    Examples:
        >>> ops.matrix_diag(Tensor([1.0, 2.0])).tolist()
        [[1.0, 0.0], [0.0, 2.0]]
    """
    return _matrix_diag(x, k, num_rows, num_cols, padding_value, align=align)


@composed("MatrixSetDiagV3(align='RIGHT_LEFT')(x, diagonal, k)")
def _set_diag(x: Any, diagonal: Any, k: Any, *, align: str = "RIGHT_LEFT") -> Any:
    """A matrix with some of its diagonals replaced."""
    rows, cols = x.shape[-2:]
    tensor("MatrixSetDiagV3", "diagonal", diagonal)
    return _from_lines(diagonal, rows, cols, _band("MatrixSetDiagV3", k, align), align, x)


def matrix_set_diag(x: Any, diagonal: Any, k: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    """A matrix with some of its diagonals replaced, given as `matrix_diag` takes them.

    Args:
        x: A tensor (*, m, n).
        diagonal: The diagonals, the highest first.
        k: The diagonal, or the lowest and the highest.
        align: Where the diagonals above and below the main one stand in their rows.

    Returns:
        A tensor of the shape of `x`.

    Examples:
        >>> ops.matrix_set_diag(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([7.0, 8.0])).tolist()
        [[7.0, 2.0], [3.0, 8.0]]
    """
    return _set_diag(x, diagonal, k, align=align)


__all__ = [
    "matrix_band_part", "matrix_diag", "matrix_diag_part", "matrix_set_diag",
]
