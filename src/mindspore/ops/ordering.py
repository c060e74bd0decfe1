"""Functions that order elements, find them and count them."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import int32, int64
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Node
from mindspore.operators import joining, ordering

from .arguments import tensor
from .signatures import flag, plain


def sort(input_x: Any, axis: int = -1, descending: bool = False) -> tuple[Any, Any]:
    """The elements in order along `axis`, and their indices, int32.

    Args:
        input_x: A tensor.
        axis: The dimension, an int.
        descending: Whether the greatest comes first.

    Returns:
        Two tensors of the shape of `input_x`.

    Raises:
        TypeError: If `input_x` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> values, places = ops.sort(Tensor([3.0, 1.0, 2.0]))
        >>> values.tolist(), places.tolist()
        ([1.0, 2.0, 3.0], [1, 2, 0])
    """
    return ordering.sort(tensor("Sort", "input_x", input_x), axis=plain(axis), descending=descending)


def argsort(input: Any, axis: int = -1, descending: bool = False) -> Any:
    """The indices, int32, that put the elements in order along `axis`.

    Args:
        input: A tensor.
        axis: The dimension, an int.
        descending: Whether the greatest comes first.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.argsort(Tensor([3.0, 1.0, 2.0])).tolist()
        [1, 2, 0]
    """
    return ordering.sort(tensor("argsort", "input", input), axis=plain(axis), descending=descending)[1]


def msort(input: Any) -> Any:
    """The elements in order along the first dimension.

    Args:
        input: A tensor.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.msort(Tensor([[3.0, 1.0], [2.0, 5.0]])).tolist()
        [[2.0, 1.0], [3.0, 5.0]]
    """
    return ordering.sort(tensor("msort", "input", input), axis=0)[0]


def topk(input: Any, k: int, dim: int | None = None, largest: bool = True,
         sorted: bool = True) -> tuple[Any, Any]:
    """The `k` greatest (or smallest) elements along `dim` and their indices, int32.

    Args:
        input: A tensor.
        k: Their number, an int.
        dim: The dimension, an int. Default: the last one.
        largest: Whether the greatest are wanted.
        sorted: Whether they are in order.

    Returns:
        Two tensors with the extent `k` along `dim`.

    Raises:
        TypeError: If `input` is no tensor, or a flag no bool.
        ValueError: If `k` exceeds the extent.

    Examples:
        >>> values, places = ops.topk(Tensor([3.0, 1.0, 2.0]), 2)
        >>> values.tolist(), places.tolist()
        ([3.0, 2.0], [0, 2])
    """
    dim = -1 if dim is None else plain(dim)
    return ordering.top_k(tensor("topk", "input", input), k=plain(k), dim=dim,
                          largest=check.boolean("topk", "largest", largest),
                          sorted=check.boolean("topk", "sorted", sorted))


def top_k(input_x: Any, k: int, sorted: bool = True) -> tuple[Any, Any]:
    """The `k` greatest elements of the last dimension and their indices, int32.

    Args:
        input_x: A tensor.
        k: Their number, an int.
        sorted: Whether they are in order.

    Returns:
        Two tensors with the last extent `k`.

    Raises:
        TypeError: If `input_x` is no tensor.
        ValueError: If `k` exceeds the extent.

    Examples:
        >>> values, places = ops.top_k(Tensor([3.0, 1.0, 2.0]), 2)
        >>> values.tolist(), places.tolist()
        ([3.0, 2.0], [0, 2])
    """
    return topk(input_x, k, sorted=sorted)


def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """The coordinates of the elements that are not zero: one row each, or a vector per dimension.

    Args:
        input: A tensor with n dimensions.
        as_tuple: Whether to return a vector per dimension instead of rows.

    Returns:
        A tensor of int64 (elements, n), or a tuple of n tensors (elements,).

    Raises:
        TypeError: If `input` is no tensor or `as_tuple` no bool.

    Examples:
        >>> ops.nonzero(Tensor([[0, 5], [7, 0]])).tolist()
        [[0, 1], [1, 0]]
    """
    check.boolean("nonzero", "as_tuple", as_tuple)
    found = ordering.non_zero(tensor("nonzero", "input", input))
    return joining.unstack(found, axis=1) if as_tuple else found


def argwhere(input: Any) -> Any:
    """The coordinates of the elements that are not zero, one row each.

    Args:
        input: A tensor with n dimensions.

    Returns:
        A tensor of int64 (elements, n).

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.argwhere(Tensor([[0, 5], [7, 0]])).tolist()
        [[0, 1], [1, 0]]
    """
    return ordering.non_zero(tensor("argwhere", "input", input))


def unique_with_pad(x: Any, pad_num: Any) -> tuple[Any, Any]:
    """The distinct elements, filled up with `pad_num` to as many as `x` has, and each one's place.

    Args:
        x: A vector.
        pad_num: The number that fills up.

    Returns:
        Two tensors (n,): the elements in the order of their first occurrences, and for each element of `x` its
        place among them.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> values, places = ops.unique_with_pad(Tensor([1, 1, 4, 2, 4]), 0)
        >>> values.tolist(), places.tolist()
        ([1, 4, 2, 0, 0], [0, 0, 1, 2, 1])
    """
    return ordering.unique_with_pad(tensor("unique_with_pad", "x", x), pad_num=plain(pad_num))


def unique_consecutive(input: Any, return_inverse: bool = False, return_counts: bool = False,
                       dim: int | None = None) -> Any:
    """The tensor without the repetitions that follow each other; on request each element's place, and how often
    each occurs.

    Args:
        input: A tensor.
        return_inverse: Whether to return the places.
        return_counts: Whether to return the numbers of repetitions.
        dim: The dimension along which slices are compared; None compares the elements of the flattened tensor.

    Returns:
        A tensor, or a tuple of two or three.

    Raises:
        TypeError: If `input` is no tensor, or a flag no bool.

    Examples:
        >>> values, counts = ops.unique_consecutive(Tensor([1, 1, 4, 1]), return_counts=True)
        >>> values.tolist(), counts.tolist()
        ([1, 4, 1], [2, 1, 1])
    """
    for name, value in (("return_inverse", return_inverse), ("return_counts", return_counts)):
        check.boolean("unique_consecutive", name, value)
    tensor("unique_consecutive", "input", input)
    values, places, counts = ordering.unique_consecutive(
        input, return_inverse=return_inverse, return_counts=return_counts, dim=plain(dim))
    out = (values, *([places] if return_inverse else []), *([counts] if return_counts else []))
    return out if len(out) > 1 else values


def searchsorted(sorted_sequence: Any, values: Any, *, out_int32: bool = False, right: bool = False,
                 side: str | None = None, sorter: Any = None) -> Any:
    """Where each value has to be inserted to keep the last dimension of the sequence in order.

    Args:
        sorted_sequence: A tensor (*, n) whose last dimension is in rising order.
        values: A tensor (*, m), or a number.
        out_int32: int32 instead of int64.
        right: After equal elements instead of before them.
        side: "left" or "right", the same choice by name.
        sorter: The indices that sort the sequence, if it is not in order.

    Returns:
        A tensor of the shape of `values`.

    Raises:
        TypeError: If the sequence is no tensor, or `out_int32` no bool.
        ValueError: If `side` is another one, or contradicts `right`.

    Examples:
        >>> ops.searchsorted(Tensor([1, 3, 5]), Tensor([0, 3, 9])).tolist()
        [0, 1, 3]
    """
    flag("searchsorted", "out_int32", out_int32)
    tensor("searchsorted", "sorted_sequence", sorted_sequence)
    if side is not None:
        check.option("searchsorted", "side", side, ("left", "right"))
        if right and side == "left":
            raise ValueError("For 'searchsorted', 'side' is 'left', but 'right' is True.")
        right = side == "right"
    if not is_tensor(values):
        if isinstance(values, (str, bytes)) or values is None:
            raise TypeError(f"For 'searchsorted', the 'values' must be a Tensor or numbers, but got {values!r}.")
        values = Tensor(values, sorted_sequence.dtype)
    return ordering.search_sorted(sorted_sequence, values, sorter,
                                  dtype=int32 if out_int32 else int64, right=right)


def _unique(self: Any, sorted: bool = True, return_inverse: bool = False,
            return_counts: bool = False, dim: int | None = None) -> Any:
    """The distinct elements; on request each element's place among them, and how often each occurs.

    Args:
        sorted: Rising order instead of that of the first occurrences; always with `dim`.
        return_inverse: Whether to return the places.
        return_counts: Whether to return the numbers.
        dim: Slices along this dimension are compared instead of elements.

    Returns:
        A tensor, or a tuple of two or three.

    Examples:
        >>> values, counts = Tensor([4, 1, 4]).unique(return_counts=True)
        >>> values.tolist(), counts.tolist()
        ([1, 4], [1, 2])
    """
    if isinstance(self, Node):
        ordering.unique(self)             # raises: the extent is not known while compiling
    found = ordering.distinct(self, sorted=sorted, dim=plain(dim))
    out = (found[0], *([found[1]] if return_inverse else []), *([found[2]] if return_counts else []))
    return out if len(out) > 1 else found[0]


def _argsort(self: Any, axis: int = -1, descending: bool = False, stable: bool = False, *,
             dim: int | None = None) -> Any:
    """The indices that sort the elements along a dimension.

    Args:
        axis: The dimension.
        descending: Whether the largest comes first.
        stable: Whether equal elements keep their order; they always do.
        dim: Another name of `axis`.

    Returns:
        Indices, the shape of the tensor.

    Raises:
        TypeError: If `stable` is no bool.
        ValueError: If the dimension does not exist.

    Examples:
        >>> Tensor([3, 1, 2]).argsort().tolist()
        [1, 2, 0]
    """
    flag("argsort", "stable", stable)
    return argsort(self, axis if dim is None else dim, descending)


def _sort(self: Any, axis: int = -1, descending: bool = False, stable: bool = False, *,
          dim: int | None = None) -> tuple[Any, Any]:
    """The elements in order along a dimension, and where they were.

    Args:
        axis: The dimension.
        descending: Whether the largest comes first.
        stable: Whether equal elements keep their order; they always do.
        dim: Another name of `axis`.

    Returns:
        The elements and their indices, both of the shape of the tensor.

    Raises:
        TypeError: If `stable` is no bool.
        ValueError: If the dimension does not exist.

    Examples:
        >>> values, indices = Tensor([3, 1, 2]).sort()
        >>> values.tolist(), indices.tolist()
        ([1, 2, 3], [1, 2, 0])
    """
    flag("sort", "stable", stable)
    return sort(self, axis if dim is None else dim, descending)


def _searchsorted(self: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where each value has to be inserted to keep the last dimension of the tensor in order, int32.

    Args:
        v: The values, a tensor or a number.
        side: "left" before equal elements, "right" after them.
        sorter: The indices that sort the tensor, if it is not in order.

    Returns:
        A tensor of the shape of `v`.

    Examples:
        >>> Tensor([1, 3, 5]).searchsorted(Tensor([0, 3, 9])).tolist()
        [0, 1, 3]
    """
    return searchsorted(self, v, out_int32=True, side=side, sorter=sorter)


METHODS = {
    "argsort": _argsort,
    "argwhere": argwhere, "msort": msort, "nonzero": nonzero,
    "searchsorted": _searchsorted,
    "sort": _sort,
    "top_k": top_k, "topk": topk, "unique": _unique, "unique_consecutive": unique_consecutive,
    "unique_with_pad": unique_with_pad,
}
__all__ = ["argsort", "argwhere", "msort", "nonzero", "searchsorted", "sort", "top_k", "topk",
           "unique_consecutive", "unique_with_pad"]
