"""Functions that order elements, find them and count them."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import int32, int64
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Node
from mindspore.operators import joining, ordering

from .arguments import tensor
from .signatures import plain


def sort(input_x: Any, axis: int = -1, descending: bool = False) -> tuple[Any, Any]:
    """The elements in order along `axis`, and their indices, int32."""
    return ordering.sort(tensor("Sort", "input_x", input_x), axis=plain(axis), descending=descending)


def argsort(input: Any, axis: int = -1, descending: bool = False) -> Any:
    """The indices, int32, that put the elements in order along `axis`."""
    return ordering.sort(tensor("argsort", "input", input), axis=plain(axis), descending=descending)[1]


def msort(input: Any) -> Any:
    """The elements in order along the first dimension."""
    return ordering.sort(tensor("msort", "input", input), axis=0)[0]


def topk(input: Any, k: int, dim: int | None = None, largest: bool = True,
         sorted: bool = True) -> tuple[Any, Any]:
    """The `k` greatest (or smallest) elements along `dim` and their indices, int32."""
    dim = -1 if dim is None else plain(dim)
    return ordering.top_k(tensor("topk", "input", input), k=plain(k), dim=dim,
                          largest=check.boolean("topk", "largest", largest),
                          sorted=check.boolean("topk", "sorted", sorted))


def top_k(input_x: Any, k: int, sorted: bool = True) -> tuple[Any, Any]:
    """The `k` greatest elements of the last dimension and their indices, int32."""
    return topk(input_x, k, sorted=sorted)


def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """The coordinates of the elements that are not zero: one row each, or a vector per dimension."""
    check.boolean("nonzero", "as_tuple", as_tuple)
    found = ordering.non_zero(tensor("nonzero", "input", input))
    return joining.unstack(found, axis=1) if as_tuple else found


def argwhere(input: Any) -> Any:
    """The coordinates of the elements that are not zero, one row each."""
    return ordering.non_zero(tensor("argwhere", "input", input))


def unique_with_pad(x: Any, pad_num: Any) -> tuple[Any, Any]:
    """The distinct elements, filled up with `pad_num` to as many as `x` has, and each one's place."""
    return ordering.unique_with_pad(tensor("unique_with_pad", "x", x), pad_num=plain(pad_num))


def unique_consecutive(input: Any, return_inverse: bool = False, return_counts: bool = False,
                       dim: int | None = None) -> Any:
    """The tensor without the repetitions that follow each other; on request each element's place,
    and how often each occurs."""
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
        out_int32: int32 instead of int64.
        right: After equal elements instead of before them.
        side: "left" or "right", the same choice by name.
        sorter: The indices that sort the sequence, if it is not in order.
    """
    if side is not None:
        check.option("searchsorted", "side", side, ("left", "right"))
        if right and side == "left":
            raise ValueError("For 'searchsorted', 'side' is 'left', but 'right' is True.")
        right = side == "right"
    values = values if is_tensor(values) else Tensor(values, sorted_sequence.dtype)
    return ordering.search_sorted(sorted_sequence, values, sorter,
                                  dtype=int32 if out_int32 else int64, right=right)


def _unique(self: Any, sorted: bool = True, return_inverse: bool = False,
            return_counts: bool = False, dim: int | None = None) -> Any:
    """The distinct elements; on request each element's place among them, and how often each occurs.

    Args:
        sorted: Rising order instead of that of the first occurrences; always with `dim`.
        dim: Slices along this dimension are compared instead of elements.
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
        ValueError: If the dimension does not exist.

    Examples:
        >>> Tensor([3, 1, 2]).argsort().tolist()
        [1, 2, 0]
    """
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
        ValueError: If the dimension does not exist.

    Examples:
        >>> values, indices = Tensor([3, 1, 2]).sort()
        >>> values.tolist(), indices.tolist()
        ([1, 2, 3], [1, 2, 0])
    """
    return sort(self, axis if dim is None else dim, descending)


METHODS = {
    "argsort": _argsort,
    "argwhere": argwhere, "msort": msort, "nonzero": nonzero,
    "searchsorted": lambda self, v, side="left", sorter=None: searchsorted(
        self, v, out_int32=True, side=side, sorter=sorter),
    "sort": _sort,
    "top_k": top_k, "topk": topk, "unique": _unique, "unique_consecutive": unique_consecutive,
    "unique_with_pad": unique_with_pad,
}
__all__ = ["argsort", "argwhere", "msort", "nonzero", "searchsorted", "sort", "top_k", "topk",
           "unique_consecutive", "unique_with_pad"]
