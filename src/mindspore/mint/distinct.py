"""The distinct elements of a tensor, and how many lie in intervals."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.ops.arguments import only

from .choosing import sort


def unique(input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
           dim: int | None = None) -> Any:
    """The distinct elements in rising order, or slices of a dimension; on request places and numbers of occurrences.

    Args:
        input: A tensor.
        sorted: Whether an order is asked for; there is one in any case.
        return_inverse: Whether to tell for each element its place among the distinct ones.
        return_counts: Whether to tell how often each occurs.
        dim: The dimension whose slices are compared, first elements first; None for the elements of all dimensions.

    Returns:
        A vector, or slices; or a tuple of it and one or two tensors of int64. Places have the shape of the input, or
        are a vector for slices.

    Raises:
        TypeError: If `input` is no tensor or a flag no bool.

    Examples:
        >>> mint.unique(Tensor([3, 1, 1, 2])).tolist()
        [1, 2, 3]
        >>> [x.tolist() for x in mint.unique(Tensor([[3, 1], [1, 2], [3, 1]]), dim=0, return_counts=True)]
        [[[1, 2], [3, 1]], [1, 2]]
    """
    for name, flag in (("sorted", sorted), ("return_inverse", return_inverse), ("return_counts", return_counts)):
        check.boolean("unique", name, flag)
    only("unique", input)
    if dim is None:
        order = ops.sort(input.reshape((-1,)))[1]
        ordered = ops.gather(input.reshape((-1,)), order, 0)
    else:
        order = _rising(ops.movedim(input, dim, 0).reshape((input.shape[dim], -1)))
        ordered = ops.index_select(input, dim, order)
    values, places, counts = ops.unique_consecutive(ordered, True, True, dim)
    back = ops.gather(places, ops.sort(order)[1], 0).reshape(input.shape if dim is None else (-1,))
    out = (values, *([back] if return_inverse else []), *([counts] if return_counts else []))
    return out if len(out) > 1 else values


def _rising(rows: Any) -> Any:
    """The order of rows by their first elements, then their second ones, and so on."""
    order = ops.arange(rows.shape[0])
    for column in range(rows.shape[1] - 1, -1, -1):
        found = ops.gather(rows[:, column], order, 0)
        order = ops.gather(order, sort(found, stable=True)[1], 0)
    return order



def histc(input: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    """How many elements lie in each of `bins` intervals between `min` and `max`, in the type of the input.

    Args:
        input: A tensor of real numbers.
        bins: The number of intervals.
        min, max: The ends; equal ones mean the least and the greatest element.

    Returns:
        A tensor (bins,).

    Raises:
        TypeError: If `input` is no tensor of real numbers.
        ValueError: If `bins` is not positive, or `min` is greater than `max`.

    Examples:
        >>> mint.histc(Tensor([1.0, 2.0, 1.0]), 4, 0, 4).tolist()
        [0.0, 2.0, 1.0, 0.0]
    """
    return ops.histc(input, bins, min, max).astype(input.dtype)


__all__ = ["histc", "unique"]
