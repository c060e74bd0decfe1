"""Elements by place, by condition and in order."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32, float64, int64
from mindspore.operators.structure import cast
from mindspore.ops.arguments import only, tensor
from mindspore.ops.statistics import counted


def gather(input: Any, dim: int, index: Any) -> Any:
    """For each place of `index`, the element of the input there, but at the number `index` holds along `dim`.

    Args:
        input: A tensor.
        dim: The dimension.
        index: int32 or int64; as many dimensions as the input, no extent larger except along `dim`.

    Returns:
        The shape of `index`, the dtype of the input.

    Raises:
        TypeError: If the input is no tensor, or `index` holds no integers.
        ValueError: If the shapes do not fit.
        IndexError: If a number lies outside of the dimension.

    Examples:
        >>> mint.gather(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0], [1]])).tolist()
        [[1], [4]]
    """
    return ops.gather_elements(input, dim, index)


def index_select(input: Any, dim: int, index: Any) -> Any:
    """Slices of a dimension, by their places.

    Args:
        input: A tensor.
        dim: The dimension.
        index: The places (N,), int32 or int64.

    Returns:
        The slices, N along `dim`.

    Raises:
        TypeError: If the input is no tensor, or `index` holds no integers.
        ValueError: If `index` has several dimensions.
        IndexError: If a place does not exist.

    Examples:
        >>> mint.index_select(Tensor([[1, 2], [3, 4]]), 0, Tensor([1, 1])).tolist()
        [[3, 4], [3, 4]]
    """
    return ops.index_select(input, dim, index)


def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """The input with slices added at places along a dimension.

    Args:
        input: A tensor.
        dim: The dimension.
        index: The places (N,), int32 or int64; slices at equal places are added up.
        source: The slices, N along `dim`, otherwise the shape of the input.
        alpha: What they are multiplied by.

    Returns:
        Shape and dtype of the input, which keeps its own elements.

    Raises:
        TypeError: If dtypes do not fit.
        ValueError: If shapes do not fit.

    Examples:
        >>> mint.index_add(Tensor([1.0, 2.0]), 0, Tensor([1, 1]), Tensor([3.0, 4.0]), alpha=2).tolist()
        [1.0, 16.0]
    """
    x = only("index_add", input)
    return x.index_add(dim, index, source if alpha == 1 else source * alpha)


def scatter(input: Any, dim: int, index: Any, src: Any) -> Any:
    """The input with each element of `src` at its own place, but at the number `index` holds along `dim`.

    Args:
        input: A tensor.
        dim: The dimension.
        index: int32 or int64, as many dimensions as the input.
        src: A tensor at least as large as `index`, or a number.

    Returns:
        Shape and dtype of the input, which keeps its own elements.

    Raises:
        TypeError: If dtypes do not fit.
        ValueError: If shapes do not fit.

    Examples:
        >>> mint.scatter(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0], [1]]), 9).tolist()
        [[9, 2], [3, 9]]
    """
    return ops.scatter(input, dim, index, src)


def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """The input with each element of `src` added at its own place, but at the number `index` holds along `dim`.

    Args:
        input: A tensor.
        dim: The dimension.
        index: int32 or int64, as many dimensions as the input.
        src: A tensor at least as large as `index`.

    Returns:
        Shape and dtype of the input, which keeps its own elements.

    Raises:
        TypeError: If dtypes do not fit.
        ValueError: If shapes do not fit.

    Examples:
        >>> mint.scatter_add(Tensor([[1, 2]]), 1, Tensor([[0, 0]]), Tensor([[10, 20]])).tolist()
        [[31, 2]]
    """
    part = tuple([slice(0, n) for n in index.shape])
    return ops.tensor_scatter_elements(input, index, src[part], dim, "add")


def where(condition: Any, *args: Any, **kwargs: Any) -> Any:
    """`input` where the condition is true, else `other`; with the condition alone, the places where it is.

    Args:
        condition: A tensor of bools.
        args, kwargs: `input` and `other`, both or none, by place or by name:
        input: A tensor or a number.
        other: A tensor or a number; all shapes broadcast.

    Returns:
        The broadcast shape and the common dtype; with the condition alone, a tuple of int64, one per dimension.

    Raises:
        TypeError: If one of `input` and `other` is given alone.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> mint.where(Tensor([True, False]), Tensor([1, 2]), 7).tolist()
        [1, 7]
        >>> [place.tolist() for place in mint.where(Tensor([[False, True]]))]
        [[0], [1]]
    """
    if not args and not kwargs:
        return ops.nonzero(condition, as_tuple=True)
    return ops.where(condition, *args, **kwargs)


def argsort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The places that put the elements in order along a dimension.

    Args:
        input: A tensor.
        dim: The dimension.
        descending: Whether the largest comes first.
        stable: Whether equal elements keep their order; they always do.

    Returns:
        int64, the shape of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.argsort(Tensor([3, 1, 2])).tolist()
        [1, 2, 0]
    """
    return sort(input, dim=dim, descending=descending, stable=stable)[1]


def sort(input: Any, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Any, Any]:
    """The elements in order along a dimension, and where they were.

    Args:
        input: A tensor.
        dim: The dimension.
        descending: Whether the largest comes first.
        stable: Whether equal elements keep their order; they always do.

    Returns:
        The elements, and their places as int64.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> values, places = mint.sort(Tensor([3, 1, 2]))
        >>> values.tolist(), places.tolist()
        ([1, 2, 3], [1, 2, 0])
    """
    check.boolean("sort", "stable", stable)
    return _wide(ops.sort(input, dim, check.boolean("sort", "descending", descending)))


def _wide(found: tuple[Any, Any]) -> tuple[Any, Any]:
    """Elements and their places, these as int64."""
    return found[0], cast(found[1], dtype=int64)


def topk(input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Any, Any]:
    """The `k` largest (or smallest) elements along a dimension, and their places.

    Args:
        input: A tensor.
        k: How many.
        dim: The dimension.
        largest: Whether the largest are wanted.
        sorted: Whether they stand in order.

    Returns:
        The elements, and their places as int64.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If there are fewer than `k`, or the dimension does not exist.

    Examples:
        >>> values, places = mint.topk(Tensor([3, 1, 2]), 2)
        >>> values.tolist(), places.tolist()
        ([3, 2], [0, 2])
    """
    return _wide(ops.topk(input, k, dim, largest, sorted))


def kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Any, Any]:
    """The `k`-th smallest element along a dimension, and its place.

    Args:
        input: A tensor.
        k: Which one, from 1 on.
        dim: The dimension.
        keepdim: Whether it stays, with extent 1.

    Returns:
        The elements, and their places as int64.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If there are fewer than `k`, or the dimension does not exist.

    Examples:
        >>> value, place = mint.kthvalue(Tensor([3, 1, 2]), 2)
        >>> value.item(), place.item()
        (2, 2)
    """
    ordered = sort(input, dim=dim)
    if not input.ndim:
        return ordered
    number = check.integer("kthvalue", "k", k, 1, input.shape[dim])
    at = dim % input.ndim
    chosen = slice(number - 1, number) if check.boolean("kthvalue", "keepdim", keepdim) else number - 1
    values, places = [part[(*[slice(None)] * at, chosen)] for part in ordered]
    return values, places


def cummax(input: Any, dim: int) -> tuple[Any, Any]:
    """The largest element so far along a dimension, and its place.

    Args:
        input: A tensor.
        dim: The dimension.

    Returns:
        The elements, and their places as int64; of equal ones the last.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> values, places = mint.cummax(Tensor([1, 3, 2]), 0)
        >>> values.tolist(), places.tolist()
        ([1, 3, 3], [0, 1, 1])
    """
    return _wide(ops.cummax(input, dim))


def cummin(input: Any, dim: int) -> tuple[Any, Any]:
    """The smallest element so far along a dimension, and its place.

    Args:
        input: A tensor.
        dim: The dimension.

    Returns:
        The elements, and their places as int64; of equal ones the last.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> values, places = mint.cummin(Tensor([3, 1, 2]), 0)
        >>> values.tolist(), places.tolist()
        ([3, 1, 1], [0, 1, 1])
    """
    return _wide(ops.cummin(input, dim))


def cumsum(input: Any, dim: int, dtype: Any = None) -> Any:
    """The sums of all elements so far along a dimension.

    Args:
        input: A tensor.
        dim: The dimension.
        dtype: What the elements are cast to before; None: int64 for integers and bools.

    Returns:
        The shape of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.cumsum(Tensor([1, 2, 3]), 0).tolist()
        [1, 3, 6]
    """
    return ops.cumsum(input, dim, _summed(only("cumsum", input), dtype))


def cumprod(input: Any, dim: int, dtype: Any = None) -> Any:
    """The products of all elements so far along a dimension.

    Args:
        input: A tensor.
        dim: The dimension.
        dtype: What the elements are cast to before; None: int64 for integers and bools.

    Returns:
        The shape of the input.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.cumprod(Tensor([1, 2, 3]), 0).tolist()
        [1, 2, 6]
    """
    return ops.cumprod(input, dim, _summed(only("cumprod", input), dtype))


def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each number from 0 on occurs.

    Args:
        input: A vector of integers that are not negative.
        weights: A vector of as many numbers, which are summed up instead; None for ones.
        minlength: The smallest extent of the result.

    Returns:
        int64 without weights; float32 for float32 weights, float64 for others.

    Raises:
        TypeError: If the input or `weights` is no tensor.
        ValueError: If it is no vector, holds negative numbers, or has another extent than the weights.

    Examples:
        >>> mint.bincount(Tensor([0, 2, 2])).tolist(), mint.bincount(Tensor([0, 1]), Tensor([0.5, 2.0])).tolist()
        ([1, 0, 2], [0.5, 2.0])
    """
    if weights is None:
        return cast(counted(input, None, minlength), dtype=int64)
    wide = float32 if tensor("bincount", "weights", weights).dtype == float32 else float64
    return counted(input, cast(weights, dtype=wide), minlength)


def _summed(x: Any, dtype: Any) -> Any:
    """The type in which elements are summed up."""
    return int64 if dtype is None and not x.dtype.is_differentiable else dtype


__all__ = ["argsort", "bincount", "cummax", "cummin", "cumprod", "cumsum", "gather", "index_add", "index_select",
           "kthvalue", "scatter", "scatter_add", "sort", "topk", "where"]
