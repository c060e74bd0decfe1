"""Reductions as functions and methods: sums, extremes, moments, running sums."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DType, as_dtype, int32, int64
from mindspore.core.errors import show
from mindspore.eager.automatic import computed_as
from mindspore.operators import comparison, reduction, statistics
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import cast
from mindspore.operators.values_and_indices import ValuesAndIndices

from .arguments import only
from .signatures import flag, plain
from .spelling import spelled

_AXES = {"dim": "axis", "keepdim": "keepdims", "keep_dims": "keepdims"}


def _axis(owner: str, axis: Any) -> Any:
    """An axis argument as None, an int or a tuple of ints."""
    if axis is None or type(axis) is int:
        return axis
    axis = plain(axis)
    if isinstance(axis, bool) or not (axis is None or isinstance(axis, (int, tuple))):
        raise TypeError(f"For '{owner}', the 'axis' must be None, an int or a tuple of ints, but got "
                        f"{axis!r}.")
    return axis


def _flag(owner: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"For '{owner}', 'keepdims' must be a bool, but got {value!r}.")
    return value


def _whole(x: Any, dtype: Any) -> Any:
    """x in the type in which it is summed: `dtype`, or int64 for bools and integers."""
    if dtype is None and x.dtype.is_differentiable:
        return x
    if dtype is None:
        wanted = int64 if x.dtype.kind in "bi" or x.dtype.name == "uint8" else x.dtype
    else:
        wanted = as_dtype(dtype)
    return x if x.dtype is wanted else cast(x, dtype=wanted)


# ---------------------------------------------------------------------- sums and products

def sum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum over `dim`.

    Args:
        input: A tensor of any shape.
        dim: An int, a tuple or a list of ints; None for all dimensions.
        keepdim: Whether the dimensions stay, with extent 1.
        dtype: The element type of the sum. Default: that of `input`, int64 for bools and integers.

    Returns:
        A tensor without the dimensions `dim`.

    Raises:
        TypeError: If `input` is no tensor or `keepdim` no bool.
        ValueError: If there is no such dimension.

    Examples:
        >>> x = Tensor([[1, 2], [3, 4]])
        >>> ops.sum(x).item(), ops.sum(x, 0).tolist()
        (10, [4, 6])
    """
    x = computed_as("SumExt", _whole(only("sum", input), dtype))
    return reduction.reduce_sum(x, axis=_axis("sum", dim), keep_dims=_flag("sum", keepdim))


@spelled(**_AXES)
def _sum(self: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False,
         initial: Any = None) -> Any:
    """The sum over `axis`, plus `initial`.

    Args:
        axis: A dimension or several; None: all of them.
        dtype: The element type; by default that of the tensor, int64 for bools and integers.
        keepdims: Whether those dimensions stay, with extent 1.
        initial: What is added.

    Examples:
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> x.sum().item(), x.sum(0).tolist(), x.sum(axis=1, keepdims=True).tolist()
        (10.0, [4.0, 6.0], [[3.0], [7.0]])
    """
    if isinstance(dtype, bool):            # sum(dim, keepdim)
        dtype, keepdims = None, dtype
    total = sum(self, axis, keepdims, dtype=dtype)
    return total if initial is None else total + initial


def prod(input: Any, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Any:
    """The product over `axis`.

    Args:
        input: A tensor of any shape.
        axis: An int or a tuple of ints; None for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.
        dtype: The element type of the product. Default: that of `input`, int64 for bools and integers.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        TypeError: If `input` is no tensor or `keep_dims` no bool.
        ValueError: If there is no such dimension.

    Examples:
        >>> x = Tensor([[1, 2], [3, 4]])
        >>> ops.prod(x).item(), ops.prod(x, 1).tolist()
        (24, [2, 12])
    """
    x = _whole(only("prod", input), dtype)
    return reduction.reduce_prod(x, axis=_axis("prod", axis), keep_dims=_flag("prod", keep_dims))


@spelled(dim="axis", keepdim="keep_dims", keepdims="keep_dims")
def _prod(self: Any, axis: Any = None, keep_dims: bool = False, dtype: Any = None,
          initial: Any = None) -> Any:
    """The product over `axis`, times `initial`.

    Args:
        axis: An int or a tuple of ints; None for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.
        dtype: The element type of the product. Default: that of the tensor, int64 for bools and integers.
        initial: A number, or None.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).prod(0, initial=10).tolist()
        [30, 80]
    """
    if keep_dims is None or isinstance(keep_dims, DType):     # prod(axis, dtype, keepdims) of 1.x
        keep_dims, dtype = bool(dtype), keep_dims
    total = prod(self, axis, keep_dims, dtype)
    return total if initial is None else total * initial


def _mean(self: Any, axis: Any = None, keep_dims: bool = False, *, dtype: Any = None) -> Any:
    """The mean over `axis`, over all dimensions by default.

    Args:
        axis: An int or a tuple of ints; None for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.
        dtype: The element type to compute in.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> x.mean().item(), x.mean(0).tolist()
        (2.5, [2.0, 3.0])
    """
    x = self if dtype is None else cast(self, dtype=as_dtype(dtype))
    mean = reduction.reduce_mean if x.dtype.is_differentiable else statistics.mean_of_whole
    return mean(x, axis=_axis("mean", axis), keep_dims=_flag("mean", keep_dims))


def nansum(input: Any, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The sum over `axis` of the elements that are not NaN.

    Args:
        input: A tensor.
        axis: An int or a tuple of ints; None for all dimensions.
        keepdims: Whether the dimensions stay, with extent 1.
        dtype: The element type of the sum. Default: that of `input`.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.nansum(Tensor([[1.0, float("nan")], [3.0, 4.0]]), 1).tolist()
        [1.0, 7.0]
    """
    x = _without_nan(only("nansum", input))
    return sum(x, axis, keepdims, dtype=x.dtype if dtype is None and x.dtype.kind in "iu" else dtype)


def nanmean(input: Any, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The mean over `axis` of the elements that are not NaN; NaN where there are none.

    Args:
        input: A floating-point tensor.
        axis: An int or a tuple of ints; None for all dimensions.
        keepdims: Whether the dimensions stay, with extent 1.
        dtype: The element type of the mean. Default: that of `input`.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        TypeError: If `input` is no floating-point tensor.

    Examples:
        >>> ops.nanmean(Tensor([[1.0, float("nan")], [3.0, 4.0]]), 1).tolist()
        [1.0, 3.5]
    """
    only("nanmean", input)
    if not input.dtype.is_floating:
        raise TypeError(f"For 'nanmean', the input must be floating point, but got {show(input)}.")
    numbers = cast(comparison.equal(input, input), dtype=input.dtype)
    mean = sum(_without_nan(input), axis, keepdims) / sum(numbers, axis, keepdims)
    return mean if dtype is None else cast(mean, dtype=as_dtype(dtype))


def _without_nan(x: Any) -> Any:
    """Zeros where x is NaN."""
    if not x.dtype.is_floating:
        return x
    return REGISTRY["Select"](comparison.is_nan(x), 0.0, x)


def count_nonzero(x: Any, axis: Any = (), keep_dims: bool = False, dtype: Any = int32) -> Any:
    """How many elements over `axis` are not zero.

    Args:
        x: A tensor.
        axis: An int or a tuple of ints; () for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.
        dtype: The element type of the numbers.

    Returns:
        A tensor without the dimensions `axis`.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> ops.count_nonzero(Tensor([[1, 0], [3, 4]]), 0).tolist()
        [2, 1]
    """
    marks = cast(comparison.not_equal(only("count_nonzero", x), 0), dtype=as_dtype(dtype))
    return reduction.reduce_sum(marks, axis=_axis("count_nonzero", axis), keep_dims=keep_dims)


@spelled(dim="axis", keepdim="keep_dims")
def _count_nonzero(self: Any, axis: Any = (), keep_dims: bool = False, dtype: Any = None) -> Any:
    """How many elements over `axis` are not zero.

    Args:
        axis: An int or a tuple of ints; () for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.
        dtype: The element type of the numbers. Default: int32.

    Returns:
        A tensor without the dimensions `axis`.

    Examples:
        >>> Tensor([[1, 0], [3, 4]]).count_nonzero(1).tolist()
        [1, 2]
    """
    return count_nonzero(self, axis, keep_dims, dtype or int32)


# ---------------------------------------------------------------------- extremes


def _extreme_method(with_index: Any, without: Any) -> Any:
    def method(self: Any, *place: Any, axis: Any = None, keepdims: bool = False, initial: Any = None,
               where: Any = True, return_indices: bool = False, **dims: Any) -> Any:
        """The extreme over `axis`; along `dim`, or one axis given by position, with its index.

        Args:
            place: One axis, then `keepdims`; the index is returned, too.
            axis: An int or a tuple of ints; None for all dimensions.
            keepdims: Whether the dimensions stay, with extent 1.
            initial: A number that takes part, too.
            where: A bool tensor that broadcasts to the tensor: the elements that take part.
            return_indices: Whether the index is returned, too.
            dims: `dim` and `keepdim`, other names of one axis and `keepdims`; the index is returned, too.

        Returns:
            A tensor, or the elements and their indices.

        Raises:
            TypeError: If there is another argument, or `return_indices` is no bool.
            ValueError: If there is no such dimension.

        Examples:
            >>> x = Tensor([[1, 5], [3, 2]])
            >>> x.max().item(), x.min(axis=0).tolist()
            (5, [1, 2])
            >>> value, index = x.max(1)
            >>> value.tolist(), index.tolist()
            ([5, 3], [1, 0])
        """
        unknown = dims.keys() - {"dim", "keepdim"}
        if unknown or len(place) > 2:
            raise TypeError(f"{method.__name__}() got unexpected arguments: {sorted(unknown) or place}.")
        flag(method.__name__, "return_indices", return_indices)
        keepdims = dims.get("keepdim", place[1] if len(place) > 1 else keepdims)
        axis = dims.get("dim", place[0] if place else axis)
        positional = bool(place) and not isinstance(plain(place[0]), tuple) and axis is not None
        numpy_form = initial is not None or where is not True
        if positional and not (return_indices or numpy_form or "dim" in dims):
            return ValuesAndIndices(*with_index(self, axis, keepdims))
        if return_indices or "dim" in dims:
            return with_index(self, axis, keepdims, initial=initial, where=where)
        return without(self, axis, keepdims, initial=initial, where=where)
    method.__name__ = with_index.__name__
    return method


# ---------------------------------------------------------------------- moments


def logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """log(sum(exp(input))) over `dim`, without overflow.

    Args:
        input: A floating-point tensor.
        dim: An int or a tuple of ints; () for all dimensions.
        keepdim: Whether the dimensions stay, with extent 1.

    Returns:
        A tensor without the dimensions `dim`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> print(ops.logsumexp(Tensor([[0.0, 0.0], [1000.0, 0.0]]), 1).asnumpy().round(3))
        [6.93e-01 1.00e+03]
    """
    return reduction.log_sum_exp(only("logsumexp", input), axis=_axis("logsumexp", dim),
                                 keep_dims=_flag("logsumexp", keepdim))


# ---------------------------------------------------------------------- running sums


__all__ = [
    "count_nonzero", "logsumexp", "nanmean", "nansum", "prod", "sum",
]

def _all(self: Any, axis: Any = None, keep_dims: bool = False) -> Any:
    """Whether all elements over `axis` are true, or not zero.

    Args:
        axis: An int or a tuple of ints; None for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.

    Returns:
        A tensor of bools without the dimensions.

    Examples:
        >>> Tensor([[True, False], [True, True]]).all(1).tolist()
        [False, True]
    """
    return reduction.reduce_all(self, axis=_axis("all", axis), keep_dims=_flag("all", keep_dims))


def _any(self: Any, axis: Any = None, keep_dims: bool = False) -> Any:
    """Whether any element over `axis` is true, or not zero.

    Args:
        axis: An int or a tuple of ints; None for all dimensions.
        keep_dims: Whether the dimensions stay, with extent 1.

    Returns:
        A tensor of bools without the dimensions.

    Examples:
        >>> Tensor([[True, False], [True, True]]).any(1).tolist()
        [True, True]
    """
    return reduction.reduce_any(self, axis=_axis("any", axis), keep_dims=_flag("any", keep_dims))


METHODS = {
    "sum": _sum, "prod": _prod, "mean": spelled(dim="axis", keepdim="keep_dims", keepdims="keep_dims")(_mean),
    "logsumexp": logsumexp, "nansum": spelled(**_AXES)(nansum), "nanmean": nanmean,
    "count_nonzero": _count_nonzero, "all": spelled(dim="axis", keepdim="keep_dims", keepdims="keep_dims")(_all),
    "any": spelled(dim="axis", keepdim="keep_dims", keepdims="keep_dims")(_any),
}
