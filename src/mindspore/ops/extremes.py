"""The largest and smallest elements and their places."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DType, int32, int64
from mindspore.eager.tensor import Tensor
from mindspore.operators import reduction, rounding
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import cast, reshape

from .arguments import only
from .reductions import _axis, _extreme_method, _flag
from .signatures import plain
from .spelling import spelled


def _limited(x: Any, where: Any, initial: Any) -> Any:
    """x with `initial` instead of the elements that `where` leaves out."""
    if where is None or where is True:
        return x
    if initial is None:
        raise ValueError("For 'max' and 'min', 'where' needs 'initial'.")
    return REGISTRY["Select"](where, x, initial)


def _extreme(owner: str, x: Any, axis: Any, keepdims: bool, initial: Any, where: Any) -> Any:
    larger = owner == "amax"
    x = _limited(only(owner, x), where, initial)
    reduce_ = reduction.reduce_max if larger else reduction.reduce_min
    out = reduce_(x, axis=_axis(owner, axis), keep_dims=_flag(owner, keepdims))
    if initial is None:
        return out
    return rounding.maximum(out, initial) if larger else rounding.minimum(out, initial)


def amax(input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None,
         where: Any = None) -> Any:
    """The largest element over `axis`; equal ones share the gradient.

    Args:
        input: A tensor.
        axis: An int or a tuple of ints; None for all dimensions.
        keepdims: Whether the dimensions stay, with extent 1.
        initial: A number that takes part, too; needed where `where` leaves no element.
        where: A bool tensor that broadcasts to `input`: only the elements where it is True take part.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.amax(Tensor([[1.0, 5.0], [3.0, 2.0]]), 0).tolist()
        [3.0, 5.0]
    """
    return _extreme("amax", input, axis, keepdims, initial, where)


def amin(input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None,
         where: Any = None) -> Any:
    """The smallest element over `axis`; equal ones share the gradient.

    Args:
        input: A tensor.
        axis: An int or a tuple of ints; None for all dimensions.
        keepdims: Whether the dimensions stay, with extent 1.
        initial: A number that takes part, too; needed where `where` leaves no element.
        where: A bool tensor that broadcasts to `input`: only the elements where it is True take part.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.amin(Tensor([[1.0, 5.0], [3.0, 2.0]]), 0).tolist()
        [1.0, 2.0]
    """
    return _extreme("amin", input, axis, keepdims, initial, where)


def _with_index(owner: str, x: Any, axis: Any, keepdims: bool, initial: Any,
                where: Any) -> tuple[Any, Any]:
    """The extreme along one axis and its index, int64; of all elements for None."""
    only(owner, x)
    larger = owner == "max"
    if axis is None:
        extreme = _extreme("a" + owner, x, None, False, initial, where)
        return extreme, Tensor(0, int64)
    place = plain(axis)
    if isinstance(place, bool) or not isinstance(place, int):
        raise TypeError(f"For '{owner}', the 'axis' must be an int, but got {place!r}.")
    x = _limited(x, where, initial)
    find = reduction.arg_max_with_value if larger else reduction.arg_min_with_value
    index, value = find(x, axis=place, keep_dims=_flag(owner, keepdims))
    if initial is not None:
        value = rounding.maximum(value, initial) if larger else rounding.minimum(value, initial)
    return value, cast(index, dtype=int64)


def max(input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None,
        where: Any = None) -> tuple[Any, Any]:
    """The largest elements along `axis` and their indices; of all elements the largest and 0.

    Args:
        input: A tensor.
        axis: An int; None for all elements.
        keepdims: Whether the dimension stays, with extent 1.
        initial: A number that takes part, too.
        where: A bool tensor that broadcasts to `input`: only the elements where it is True take part.

    Returns:
        The elements, and the place of the first of them along `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> value, index = ops.max(Tensor([[1.0, 5.0], [3.0, 2.0]]), 1)
        >>> value.tolist(), index.tolist()
        ([5.0, 3.0], [1, 0])
    """
    return _with_index("max", input, axis, keepdims, initial, where)


def min(input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None,
        where: Any = None) -> tuple[Any, Any]:
    """The smallest elements along `axis` and their indices; of all elements the smallest and 0.

    Args:
        input: A tensor.
        axis: An int; None for all elements.
        keepdims: Whether the dimension stays, with extent 1.
        initial: A number that takes part, too.
        where: A bool tensor that broadcasts to `input`: only the elements where it is True take part.

    Returns:
        The elements, and the place of the first of them along `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> value, index = ops.min(Tensor([[1.0, 5.0], [3.0, 2.0]]), 1)
        >>> value.tolist(), index.tolist()
        ([1.0, 2.0], [0, 1])
    """
    return _with_index("min", input, axis, keepdims, initial, where)


def aminmax(input: Any, *, axis: Any = 0, keepdims: bool = False) -> tuple[Any, Any]:
    """The smallest and the largest element along `axis`.

    Args:
        input: A tensor.
        axis: An int; None for all elements.
        keepdims: Whether the dimension stays, with extent 1.

    Returns:
        Two tensors without the dimension `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> low, high = ops.aminmax(Tensor([[1.0, 5.0], [3.0, 2.0]]))
        >>> low.tolist(), high.tolist()
        ([1.0, 2.0], [3.0, 5.0])
    """
    if axis is None:
        return amin(input, None, keepdims), amax(input, None, keepdims)
    return min(input, axis, keepdims)[0], max(input, axis, keepdims)[0]


def _ptp(self: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest minus the smallest element over `axis`.

    Args:
        axis: An int or a tuple of ints; None for all dimensions.
        keepdims: Whether the dimensions stay, with extent 1.

    Returns:
        A tensor without the dimensions `axis`.

    Examples:
        >>> Tensor([[1.0, 5.0], [3.0, 2.0]]).ptp(1).tolist()
        [4.0, 1.0]
    """
    return amax(self, axis, keepdims) - amin(self, axis, keepdims)


def _argument(owner: str, x: Any, axis: Any, keepdims: bool, output: DType) -> Any:
    only(owner, x)
    find = reduction.argmax if owner == "argmax" else reduction.argmin
    keepdims = keepdims is not None and _flag(owner, keepdims)
    if axis is None:
        return find(reshape(x, shape=(-1,)), axis=0, output_type=output)
    return find(x, axis=plain(axis), output_type=output, keep_dims=keepdims)


def argmax(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The index of the largest element along `dim`; the first of equal ones.

    Args:
        input: A tensor.
        dim: An int; None counts in the flattened tensor.
        keepdim: Whether the dimension stays, with extent 1; without `dim` none does.

    Returns:
        A tensor of int64 without the dimension `dim`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.argmax(Tensor([[1, 5], [3, 2]]), 1).tolist()
        [1, 0]
    """
    return _argument("argmax", input, dim, keepdim, int64)


def argmin(input: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The index of the smallest element along `axis`; the first of equal ones.

    Args:
        input: A tensor.
        axis: An int; None counts in the flattened tensor.
        keepdims: Whether the dimension stays, with extent 1; without `axis` none does.

    Returns:
        A tensor of int32 without the dimension `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.argmin(Tensor([[1, 5], [3, 2]]), 1).tolist()
        [0, 1]
    """
    return _argument("argmin", input, axis, keepdims, int32)


__all__ = [
    "amax", "amin", "aminmax", "argmax", "argmin", "max", "min",
]

def _argmax_with_value(self: Any, axis: Any = 0, keep_dims: bool = False) -> tuple[Any, Any]:
    """The largest elements along `axis` and their indices.

    Args:
        axis: An int; None for all elements.
        keep_dims: Whether the dimension stays, with extent 1.

    Returns:
        Two tensors.

    Examples:
        >>> value, index = Tensor([[1.0, 5.0], [3.0, 2.0]]).argmax_with_value(1)
        >>> value.tolist(), index.tolist()
        ([5.0, 3.0], [1, 0])
    """
    return max(self, axis, keep_dims)


def _argmin_with_value(self: Any, axis: Any = 0, keep_dims: bool = False) -> tuple[Any, Any]:
    """The smallest elements along `axis` and their indices.

    Args:
        axis: An int; None for all elements.
        keep_dims: Whether the dimension stays, with extent 1.

    Returns:
        Two tensors.

    Examples:
        >>> value, index = Tensor([[1.0, 5.0], [3.0, 2.0]]).argmin_with_value(1)
        >>> value.tolist(), index.tolist()
        ([1.0, 2.0], [0, 1])
    """
    return min(self, axis, keep_dims)


METHODS = {
    "max": _extreme_method(max, amax), "min": _extreme_method(min, amin), "amax": amax, "amin": amin,
    "aminmax": aminmax, "ptp": _ptp, "argmax": spelled(axis="dim", keepdims="keepdim")(argmax),
    "argmin": spelled(dim="axis", keepdim="keepdims")(argmin),
    "argmax_with_value": _argmax_with_value,
    "argmin_with_value": _argmin_with_value,
}
