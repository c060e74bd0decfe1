"""Covariances, and how many samples fall where."""

from __future__ import annotations

import builtins
from typing import Any

from mindspore import ops
from mindspore.core.dtype import float32, int32, int64

from .arguments import cast, floating, tensor


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    dtype: Any = None,
) -> Any:
    """Covariances of variables, which are the rows of `m` (and `y`) unless not `rowvar`.

    Args:
        m: A matrix whose rows are variables and whose columns are observations, or the vector of one
            variable.
        y: More variables in the same form.
        rowvar: The rows are the variables; False: the columns.
        bias: Divide by the number of observations instead of that less 1.
        ddof: What is taken off the number in its place.
        fweights: How often each observation occurs, ints.
        aweights: Weights of the observations.
        dtype: Type of the result.

    Raises:
        ValueError: If `m` or `y` has more than two axes.

    Examples:
        >>> print(mnp.cov([[1.0, 2.0, 3.0], [6.0, 4.0, 2.0]]))
        [[ 1. -2.]
         [-2.  4.]]
    """
    m = _variables(m, rowvar)
    if y is not None:
        m = ops.cat([m, _variables(y, rowvar)])
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            given = tensor(given).astype(m.dtype)
            weights = given if weights is None else weights * given
    if weights is None:
        m = m - ops.mean(m, 1, True)
        return cast(ops.matmul(m, m.T) / (m.shape[1] - ddof), dtype)
    total = ops.sum(weights)
    m = m - ops.sum(m * weights, dim=1, keepdim=True) / total
    last = total if aweights is None else ops.sum(weights * tensor(aweights)) / total
    return cast(
        ops.matmul(m * weights, m.T) / (total - ddof * (1 if aweights is None else last)), dtype
    )


def _variables(m: Any, rowvar: bool) -> Any:
    m = floating(m)
    if m.ndim > 2:
        raise ValueError(
            f"For 'cov', the variables must be a matrix or a vector, but have shape {m.shape}."
        )
    m = m.reshape((1, -1)) if m.ndim < 2 else m
    return m if rowvar or m.shape[0] == 1 else m.T


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Any:
    """Correlation coefficients of variables; see cov.

    Args:
        x, y, rowvar: As `m`, `y` and `rowvar` of cov.
        dtype: Type of the result.

    Examples:
        >>> print(mnp.corrcoef([[1.0, 2.0, 3.0], [6.0, 4.0, 2.0]]))
        [[ 1. -1.]
         [-1.  1.]]
    """
    c = cov(x, y, rowvar)
    if not c.ndim or c.shape == (1, 1):
        return cast(c / c, dtype)
    d = ops.sqrt(ops.diagonal(c))
    return cast(c / d.reshape((-1, 1)) / d.reshape((1, -1)), dtype)


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """Number of the bin of each value; `bins` increase or decrease.

    Args:
        x: A tensor, or numbers that make one.
        bins: The edges, a vector that increases or decreases.
        right: A value that equals an edge belongs to the bin which that edge closes, and not to the next.

    Returns:
        int32, in the shape of `x`: 0 before the first edge, the number of edges behind the last.

    Examples:
        >>> print(mnp.digitize([0.5, 1.0, 9.0], [1.0, 2.0, 3.0]))
        [0 1 3]
    """
    bins = floating(bins)
    behind = searchsorted(ops.flip(bins, (0,)), x, "left" if right else "right")
    before = searchsorted(bins, x, "left" if right else "right")
    return ops.where(bins[0] > bins[-1], bins.shape[0] - behind, before)


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where values belong into a sorted vector.

    Args:
        a: A vector that increases, unless there is a `sorter`.
        v: Values, of any shape.
        side: 'left' puts a value before equal ones, 'right' behind them.
        sorter: Indices that sort `a`.

    Returns:
        int32, in the shape of `v`.

    Raises:
        ValueError: If `side` is another.

    Examples:
        >>> print(mnp.searchsorted([1, 2, 2, 5], [2, 4]), mnp.searchsorted([1, 2, 2, 5], [2, 4], "right"))
        [1 3] [3 3]
    """
    if side not in ("left", "right"):
        raise ValueError(
            f"For 'searchsorted', the 'side' must be 'left' or 'right', but got {side!r}."
        )
    a, v = tensor(a), tensor(v)
    if a.dtype.kind != "i" or v.dtype.kind != "i":        # integers are compared as they are
        a, v = floating(a), floating(v)
    a = a if sorter is None else ops.gather(a, tensor(sorter), 0)
    place = ops.searchsorted(a, v.reshape((-1,)), right=side == "right")
    return place.reshape(v.shape).astype(int32)


_MOST = 2**30          # counts: 4 GiB of float32 that nobody asked for by a number in the program


def bincount(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    """How often each number occurs, or the sum of its weights, as float32.

    Args:
        x: Ints of 0 or more; they are flattened.
        weights: What each of them counts instead of 1.
        minlength: Least length of the result.
        length: Exact length of the result; greater numbers are not counted.

    Examples:
        >>> print(mnp.bincount([1, 3, 1]), mnp.bincount([1, 3, 1], weights=[0.5, 1.0, 2.0]))
        [0. 2. 0. 1.] [0.  2.5 0.  1. ]
    """
    x = tensor(x).reshape((-1,))
    size = length
    if size is None:
        greatest = int(ops.amax(x).asnumpy()) if x.size else -1
        if greatest >= _MOST:
            raise ValueError(f"For 'bincount', the greatest number in 'x' is {greatest}, which makes as many counts; "
                             f"give a 'length' or check the numbers.")
        size = builtins.max(greatest + 1, minlength)
    each = ops.ones(x.shape, float32) if weights is None else floating(weights).reshape((-1,))
    inside = ops.logical_and(x >= 0, x < size)
    counts = ops.zeros((size,), each.dtype)
    return ops.index_add(counts, ops.where(inside, x, 0).astype(int32 if size < 2**31 else int64),
                         ops.where(inside, each, 0), 0) if x.size else counts


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """Edges of bins of equal width, or those given; `weights` move none of them, as in NumPy.

    Args:
        a: The values.
        bins: The number of bins, or their edges.
        range: (lower, upper) edge of all; by default the least and greatest value.
        weights: Weights of the values.

    Examples:
        >>> print(mnp.histogram_bin_edges([0.0, 1.0, 8.0], bins=4))
        [0. 2. 4. 6. 8.]
    """
    if not isinstance(bins, int):
        return tensor(bins)
    if bins < 1:
        raise ValueError(f"For 'histogram', the 'bins' must be at least 1, but got {bins}.")
    a = floating(a)
    if range is not None and not (isinstance(range, (list, tuple)) and len(range) == 2):
        raise ValueError(f"For 'histogram', the 'range' must be a pair (lower, upper), but got {range!r}.")
    low, high = (ops.amin(a), ops.amax(a)) if range is None else (float(range[0]), float(range[1]))
    share = ops.arange(bins + 1).astype(float32) / bins
    return ops.where(share == 1, high, low + (high - low) * share)  # the last edge exactly


def histogram(
    a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> Any:
    """Number (or weight) of values in each bin, as float32, and the edges.

    Args:
        a: The values; they are flattened.
        bins: The number of bins, or their edges.
        range: (lower, upper) edge of all; by default the least and greatest value.
        weights: What each value counts instead of 1.
        density: Divide so that the integral over all bins is 1.

    Returns:
        The counts, and the edges, of which there is one more.

    Examples:
        >>> count, edges = mnp.histogram([0.0, 0.5, 3.0, 4.0], bins=2)
        >>> print(count, edges)
        [2. 2.] [0. 2. 4.]
    """
    a = floating(a).reshape((-1,))
    edges = histogram_bin_edges(a, bins, range).astype(float32)
    marks = _marks(a, edges)
    if weights is not None:
        marks = marks * floating(weights).reshape((-1, 1))
    count = ops.sum(marks, dim=0)
    if density:
        count = count / ops.sum(count) / (edges[1:] - edges[:-1])
    return count, edges if isinstance(bins, int) else tensor(bins)


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> Any:
    """Number of points in each bin of a plane, and the edges of both axes.

    Args:
        x, y: Coordinates of the points, two vectors.
        bins: The number of bins or the edges for both axes, or a pair of these.
        range: A (lower, upper) edge for each axis; by default the least and greatest coordinates.
        weights: What each point counts instead of 1.
        density: Divide so that the integral over all bins is 1.

    Returns:
        The counts (bins of `x`, bins of `y`), the edges of `x`, the edges of `y`.

    Examples:
        >>> count, xedges, yedges = mnp.histogram2d([0.0, 1.0, 1.0], [0.0, 2.0, 2.0], bins=2)
        >>> print(count, xedges, yedges)
        [[1. 0.]
         [0. 2.]] [0.  0.5 1. ] [0. 1. 2.]
    """
    if not isinstance(bins, int) and len(bins) != 2:
        bins = [bins, bins]
    count, edges = histogramdd([x, y], bins, range, weights, density)
    return count, edges[0], edges[1]


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> Any:
    """Number of points (rows of a matrix, or a list of coordinates) in each bin, and the edges of each axis.

    Args:
        sample: A matrix with a point in each row, or a list with a vector for each coordinate.
        bins: The number of bins of every axis, or a number or edges for each.
        range: A (lower, upper) edge for each axis; by default the least and greatest coordinates.
        weights: What each point counts instead of 1.
        density: Divide so that the integral over all bins is 1.

    Returns:
        The counts, and a list with the edges of each axis.

    Examples:
        >>> count, edges = mnp.histogramdd([[0.0, 0.0], [1.0, 2.0], [1.0, 2.0]], bins=2)
        >>> print(count)
        [[[0. 0.]
          [0. 0.]]
        <BLANKLINE>
         [[1. 0.]
          [0. 1.]]]
    """
    columns = (
        [floating(c) for c in sample]
        if isinstance(sample, (list, tuple))
        else list(floating(sample).T)
    )
    bins = [bins] * len(columns) if isinstance(bins, int) else bins
    count: Any = None
    edges = []
    for i, column in enumerate(columns):
        edge = histogram_bin_edges(column, bins[i], None if range is None else range[i]).astype(
            float32
        )
        marks = _marks(column, edge)
        count = (
            marks
            if count is None
            else ops.expand_dims(count, -1)
            * marks.reshape([marks.shape[0]] + [1] * (count.ndim - 1) + [marks.shape[1]])
        )
        edges.append(edge)
    if weights is not None:
        count = count * floating(weights).reshape([-1] + [1] * (count.ndim - 1))
    count = ops.sum(count, dim=0)
    if density:
        for i, edge in enumerate(edges):
            shape = [-1 if i == k else 1 for k in builtins.range(count.ndim)]
            count = count / (edge[1:] - edge[:-1]).reshape(shape)
        volumes = [(e[1:] - e[:-1]) for e in edges]
        total = count
        for i, volume in enumerate(volumes):
            total = total * volume.reshape(
                [-1 if i == k else 1 for k in builtins.range(count.ndim)]
            )
        count = count / ops.sum(total)
    return count, edges


def _marks(column: Any, edges: Any) -> Any:
    """1 where a value (row) lies in a bin (column); the last bin holds its upper edge."""
    column, n = column.reshape((-1, 1)), edges.shape[0] - 1
    inside = ops.logical_and(column >= edges[:-1], column < edges[1:])
    last = ops.logical_and(column == edges[-1], ops.arange(n) == n - 1)
    return ops.logical_or(inside, last).astype(float32)


__all__ = [
    "bincount",
    "corrcoef",
    "cov",
    "digitize",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "searchsorted",
]
