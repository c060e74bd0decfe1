"""Sums, means, extremes, moments and medians over dimensions."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import int64
from mindspore.operators.structure import cast, reshape
from mindspore.ops.arguments import only


def _kept(dim: Any) -> Any:
    """No dimension in a tuple means all of them."""
    return None if isinstance(dim, (tuple, list)) and not dim else dim


def all(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Whether all elements over `dim` are true, that is, not zero.

    Args:
        input: A tensor of any dtype.
        dim: A dimension, a tuple of them, or None for all.
        keepdim: Whether these dimensions stay, with extent 1.

    Returns:
        Bools.

    Raises:
        TypeError: If the input is no tensor or `dim` no int.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.all(Tensor([[1, 0], [2, 3]]), 1).tolist()
        [False, True]
    """
    return only("all", input).bool().all(_kept(dim), keepdim)


def any(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Whether one element over `dim` is true, that is, not zero.

    Args:
        input: A tensor of any dtype.
        dim: A dimension, a tuple of them, or None for all.
        keepdim: Whether these dimensions stay, with extent 1.

    Returns:
        Bools.

    Raises:
        TypeError: If the input is no tensor or `dim` no int.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.any(Tensor([[1, 0], [0, 0]]), 1).tolist()
        [True, False]
    """
    return only("any", input).bool().any(_kept(dim), keepdim)


def amax(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
    """The largest element over `dim`; equal ones share the gradient.

    Args:
        input: A tensor.
        dim: A dimension, a tuple of them, or () for all.
        keepdim: Whether these dimensions stay, with extent 1.

    Returns:
        The dtype of the input.

    Raises:
        TypeError: If the input is no tensor or `dim` no int.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.amax(Tensor([[1, 5], [3, 2]]), 1).tolist()
        [5, 3]
    """
    return ops.amax(input, _kept(dim), keepdim)


def amin(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
    """The smallest element over `dim`; equal ones share the gradient.

    Args:
        input: A tensor.
        dim: A dimension, a tuple of them, or () for all.
        keepdim: Whether these dimensions stay, with extent 1.

    Returns:
        The dtype of the input.

    Raises:
        TypeError: If the input is no tensor or `dim` no int.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.amin(Tensor([[1, 5], [3, 2]]), 1).tolist()
        [1, 2]
    """
    return ops.amin(input, _kept(dim), keepdim)


def argmin(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The place of the smallest element along `dim`, of equal ones the first.

    Args:
        input: A tensor.
        dim: The dimension; None: of all elements, row by row.
        keepdim: Whether the dimension stays, with extent 1.

    Returns:
        int64.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.argmin(Tensor([[4, 1], [3, 2]]), 1).tolist()
        [1, 1]
    """
    return cast(ops.argmin(input, dim, keepdim), dtype=int64)


def count_nonzero(input: Any, dim: Any = None) -> Any:
    """How many elements over `dim` are not zero.

    Args:
        input: A tensor.
        dim: A dimension, a tuple of them, or None for all.

    Returns:
        int64.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.count_nonzero(Tensor([[4, 0], [3, 2]]), 1).tolist()
        [1, 2]
    """
    return ops.count_nonzero(input, () if dim is None else dim, dtype=int64)


def max(input: Any, *args: Any, **kwargs: Any) -> Any:
    """The largest element of all, along a dimension, or of two tensors at each place.

    Three forms: `max(input)`, `max(input, dim, keepdim=False)` and `max(input, other)`.

    Args:
        input: A tensor.
        args, kwargs: `dim` and `keepdim`, or `other`, by place or by name:
        dim: A dimension.
        keepdim: Whether it stays, with extent 1.
        other: A tensor whose shape broadcasts with that of `input`.

    Returns:
        The element; with `dim` the elements and their places, int64; with `other` the larger elements.

    Raises:
        TypeError: If the arguments are those of none of the forms.
        ValueError: If the dimension does not exist, or the shapes do not broadcast.

    Examples:
        >>> x = Tensor([[1, 5], [3, 2]])
        >>> mint.max(x).item(), mint.max(x, Tensor(3)).tolist()
        (5, [[3, 5], [3, 3]])
        >>> values, places = mint.max(x, 1)
        >>> values.tolist(), places.tolist()
        ([5, 3], [1, 0])
    """
    return _extreme("max", input, args, kwargs)


def min(input: Any, *args: Any, **kwargs: Any) -> Any:
    """The smallest element of all, along a dimension, or of two tensors at each place.

    Three forms: `min(input)`, `min(input, dim, keepdim=False)` and `min(input, other)`.

    Args:
        input: A tensor.
        args, kwargs: `dim` and `keepdim`, or `other`, by place or by name:
        dim: A dimension.
        keepdim: Whether it stays, with extent 1.
        other: A tensor whose shape broadcasts with that of `input`.

    Returns:
        The element; with `dim` the elements and their places, int64; with `other` the smaller elements.

    Raises:
        TypeError: If the arguments are those of none of the forms.
        ValueError: If the dimension does not exist, or the shapes do not broadcast.

    Examples:
        >>> x = Tensor([[1, 5], [3, 2]])
        >>> mint.min(x).item(), mint.min(x, Tensor(3)).tolist()
        (1, [[1, 3], [3, 2]])
        >>> values, places = mint.min(x, 1)
        >>> values.tolist(), places.tolist()
        ([1, 2], [0, 1])
    """
    return _extreme("min", input, args, kwargs)


def _extreme(owner: str, x: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    only(owner, x)
    by_place, of_two, of_all = {
        "max": (ops.max, ops.maximum, ops.amax),
        "min": (ops.min, ops.minimum, ops.amin),
    }[owner]
    if not args and not kwargs:
        return of_all(x)
    if "other" in kwargs or (args and ops.is_tensor(args[0])):
        return of_two(x, *args, **kwargs)
    return _along(by_place, x, *args, **kwargs)


def _along(by_place: Any, x: Any, dim: Any, keepdim: bool = False) -> Any:
    return by_place(x, dim, keepdim)


def mean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The mean over `dim`.

    Args:
        input: A tensor.
        dim: A dimension, a tuple of them, or None for all.
        keepdim: Whether these dimensions stay, with extent 1.
        dtype: What the elements are cast to before; None: as they are.

    Returns:
        The dtype of the input, or `dtype`.

    Raises:
        TypeError: If the input is no tensor or `dim` no int.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.mean(Tensor([[1.0, 5.0], [3.0, 2.0]]), 1).tolist()
        [3.0, 2.5]
    """
    return only("mean", input).mean(_kept(dim), keepdim, dtype=dtype)


def median(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The middle of all elements, or along a dimension; of two in the middle, the smaller.

    Args:
        input: A tensor.
        dim: A dimension; None: of all elements.
        keepdim: Whether it stays, with extent 1.

    Returns:
        The element; with `dim` the elements and their places, int64.

    Raises:
        TypeError: If the input is no tensor.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.median(Tensor([3.0, 1.0, 2.0])).item()
        2.0
        >>> values, places = mint.median(Tensor([[3.0, 1.0, 2.0]]), 1)
        >>> values.tolist(), places.tolist()
        ([2.0], [2])
    """
    if dim is None:
        return ops.median(reshape(only("median", input), shape=(-1,)), 0)[0]
    values, places = ops.median(input, dim, check.boolean("median", "keepdim", keepdim))
    return values, cast(places, dtype=int64)


def nansum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum over `dim` of the elements that are numbers.

    Args:
        input: A tensor.
        dim: A dimension, a tuple of them, or None for all.
        keepdim: Whether these dimensions stay, with extent 1.
        dtype: What the elements are cast to before; None: int64 for integers and bools.

    Returns:
        The sums.

    Raises:
        TypeError: If the input is no tensor or `dim` no int.
        ValueError: If a dimension does not exist.

    Examples:
        >>> mint.nansum(Tensor([[1.0, float("nan")], [3.0, 2.0]]), 1).tolist()
        [1.0, 5.0]
    """
    if dtype is None and not only("nansum", input).dtype.is_floating:
        dtype = None if input.dtype.is_complex else int64
    return ops.nansum(input, _kept(dim), keepdim, dtype=dtype)


def prod(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The product over `dim`.

    Args:
        input: A tensor.
        dim: A dimension, or None for all.
        keepdim: Whether the dimension stays, with extent 1.
        dtype: What the elements are cast to before; None: int64 for integers and bools.

    Returns:
        The products.

    Raises:
        TypeError: If the input is no tensor or `dim` no int.
        ValueError: If the dimension does not exist.

    Examples:
        >>> mint.prod(Tensor([[1, 5], [3, 2]]), 1).tolist()
        [5, 6]
    """
    return ops.prod(input, dim, keepdim, dtype)


def _spread(moment: Any, owner: str, first: str, example: str) -> Any:
    def function(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: bool = False) -> Any:
        return moment(only(owner, input), _kept(dim), correction, keepdim)

    function.__name__ = function.__qualname__ = owner
    function.__doc__ = _SPREAD.format(first=first, owner=owner, example=example)
    return function


_SPREAD = """{first}

Args:
    input: A floating-point tensor.
    dim: A dimension, a tuple of them, or None for all.
    correction: What is taken from the number of elements in the divisor.
    keepdim: Whether these dimensions stay, with extent 1.

Returns:
    The dtype of the input.

Raises:
    TypeError: If the input is no tensor of floating-point numbers.
    ValueError: If a dimension does not exist.

Examples:
    >>> mint.{owner}(Tensor([[1.0, 3.0], [2.0, 2.0]]), 1, correction=0){example}
"""


def _root(variance: Any) -> Any:
    """The root, whose derivative at 0 is taken to be 0, as torch does."""
    none = variance == 0
    return ops.where(none, variance, ops.sqrt(ops.where(none, ops.ones_like(variance), variance)))


def _std(*args: Any) -> Any:
    return _root(ops.var(*args))


def _std_mean(*args: Any) -> tuple[Any, Any]:
    variance, mean = ops.var_mean(*args)
    return _root(variance), mean


std = _spread(_std, "std", "The standard deviation over `dim`, the root of `var`.", ".tolist()\n    [1.0, 0.0]")
var = _spread(ops.var, "var", "The mean square distance from the mean over `dim`.", ".tolist()\n    [1.0, 0.0]")
std_mean = _spread(_std_mean, "std_mean", "The standard deviation over `dim`, and the mean.",
                   "[1].tolist()\n    [2.0, 2.0]")
var_mean = _spread(ops.var_mean, "var_mean", "The mean square distance from the mean over `dim`, and the mean.",
                   "[1].tolist()\n    [2.0, 2.0]")

__all__ = ["all", "amax", "amin", "any", "argmin", "count_nonzero", "max", "mean", "median", "min", "nansum", "prod",
           "std", "std_mean", "var", "var_mean"]
