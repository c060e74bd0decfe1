"""Reductions as functions and methods: sums, extremes, moments, running sums."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import DType, as_dtype, bool_, int8, int16, int32, int64, uint8
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor
from mindspore.operators import comparison, powers, reduction, rounding, scanning
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import cast, reshape

from .arguments import only
from .primitive import composed
from .signatures import plain
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
    """The sum over `dim`, over all dimensions by default; int64 for bools and integers."""
    x = _whole(only("sum", input), dtype)
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
    """The product over `axis`, over all dimensions by default; int64 for bools and integers."""
    x = _whole(only("prod", input), dtype)
    return reduction.reduce_prod(x, axis=_axis("prod", axis), keep_dims=_flag("prod", keep_dims))


@spelled(dim="axis", keepdim="keep_dims", keepdims="keep_dims")
def _prod(self: Any, axis: Any = None, keep_dims: bool = False, dtype: Any = None,
          initial: Any = None) -> Any:
    """The product over `axis`, times `initial`."""
    if keep_dims is None or isinstance(keep_dims, DType):     # prod(axis, dtype, keepdims) of 1.x
        keep_dims, dtype = bool(dtype), keep_dims
    total = prod(self, axis, keep_dims, dtype)
    return total if initial is None else total * initial


def _mean(self: Any, axis: Any = None, keep_dims: bool = False, *, dtype: Any = None) -> Any:
    """The mean over `axis`, over all dimensions by default.

    Examples:
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> x.mean().item(), x.mean(0).tolist()
        (2.5, [2.0, 3.0])
    """
    x = self if dtype is None else cast(self, dtype=as_dtype(dtype))
    return reduction.reduce_mean(x, axis=_axis("mean", axis), keep_dims=_flag("mean", keep_dims))


def nansum(input: Any, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The sum over `axis` of the elements that are not NaN, in the dtype of the input or `dtype`."""
    x = _without_nan(only("nansum", input))
    return sum(x, axis, keepdims, dtype=x.dtype if dtype is None and x.dtype.kind in "iu" else dtype)


def nanmean(input: Any, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The mean over `axis` of the elements that are not NaN."""
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
    """How many elements over `axis` are not zero."""
    marks = cast(comparison.not_equal(only("count_nonzero", x), 0), dtype=as_dtype(dtype))
    return reduction.reduce_sum(marks, axis=_axis("count_nonzero", axis), keep_dims=keep_dims)


@spelled(dim="axis", keepdim="keep_dims")
def _count_nonzero(self: Any, axis: Any = (), keep_dims: bool = False, dtype: Any = None) -> Any:
    """How many elements over `axis` are not zero."""
    return count_nonzero(self, axis, keep_dims, dtype or int32)


# ---------------------------------------------------------------------- extremes

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
    """The largest element over `axis`, over all dimensions by default."""
    return _extreme("amax", input, axis, keepdims, initial, where)


def amin(input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None,
         where: Any = None) -> Any:
    """The smallest element over `axis`, over all dimensions by default."""
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
    """The largest elements along `axis` and their indices; of all elements the largest and 0."""
    return _with_index("max", input, axis, keepdims, initial, where)


def min(input: Any, axis: Any = None, keepdims: bool = False, *, initial: Any = None,
        where: Any = None) -> tuple[Any, Any]:
    """The smallest elements along `axis` and their indices; of all elements the smallest and 0."""
    return _with_index("min", input, axis, keepdims, initial, where)


def _extreme_method(with_index: Any, without: Any) -> Any:
    def method(self: Any, *place: Any, axis: Any = None, keepdims: bool = False, initial: Any = None,
               where: Any = True, return_indices: bool = False, **dims: Any) -> Any:
        """The extreme over `axis`; along `dim`, or one axis given by position, with its index.

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
        keepdims = dims.get("keepdim", place[1] if len(place) > 1 else keepdims)
        axis = dims.get("dim", place[0] if place else axis)
        positional = bool(place) and not isinstance(plain(place[0]), tuple) and axis is not None
        numpy_form = initial is not None or where is not True
        if return_indices or "dim" in dims or (positional and not numpy_form):
            return with_index(self, axis, keepdims, initial=initial, where=where)
        return without(self, axis, keepdims, initial=initial, where=where)
    method.__name__ = with_index.__name__
    return method


def aminmax(input: Any, *, axis: Any = 0, keepdims: bool = False) -> tuple[Any, Any]:
    """The smallest and the largest element along `axis`; of all elements for None."""
    if axis is None:
        return amin(input, None, keepdims), amax(input, None, keepdims)
    return min(input, axis, keepdims)[0], max(input, axis, keepdims)[0]


def _ptp(self: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest minus the smallest element over `axis`."""
    return amax(self, axis, keepdims) - amin(self, axis, keepdims)


def _argument(owner: str, x: Any, axis: Any, keepdims: bool, output: DType) -> Any:
    only(owner, x)
    find = reduction.argmax if owner == "argmax" else reduction.argmin
    if axis is None:
        index = find(reshape(x, shape=(-1,)), axis=0, output_type=output)
        return reshape(index, shape=(1,) * x.ndim) if keepdims else index
    return find(x, axis=plain(axis), output_type=output, keep_dims=_flag(owner, keepdims))


def argmax(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The index of the largest element along `dim`, int64; in the flattened tensor for None.

    Examples:
        >>> Tensor([[1, 5], [3, 2]]).argmax(1).tolist()
        [1, 0]
    """
    return _argument("argmax", input, dim, keepdim, int64)


def argmin(input: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The index of the smallest element along `axis`, int32; in the flattened tensor for None."""
    return _argument("argmin", input, axis, keepdims, int32)


# ---------------------------------------------------------------------- moments

def _variance(owner: str, x: Any, axis: Any, ddof: Any, keepdims: Any) -> Any:
    if not isinstance(ddof, int):
        raise TypeError(f"For '{owner}', the 'ddof' must be an int, but got {ddof!r}.")
    return reduction.variance(only(owner, x), axis=_axis(owner, axis), ddof=int(ddof),
                              keep_dims=_flag(owner, keepdims))


def var(input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The variance over `axis`, with `ddof` less in the divisor."""
    return _variance("var", input, axis, ddof, keepdims)


def std(input: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The standard deviation over `axis`, with `ddof` less in the divisor."""
    return powers.sqrt(_variance("std", input, axis, ddof, keepdims))


def var_mean(input: Any, axis: Any = None, ddof: int = 0,
             keepdims: bool = False) -> tuple[Any, Any]:
    """The variance and the mean over `axis`."""
    return (_variance("var_mean", input, axis, ddof, keepdims),
            reduction.reduce_mean(input, axis=_axis("var_mean", axis), keep_dims=keepdims))


def std_mean(input: Any, axis: Any = None, ddof: int = 0,
             keepdims: bool = False) -> tuple[Any, Any]:
    """The standard deviation and the mean over `axis`."""
    spread, mean = var_mean(input, axis, ddof, keepdims)
    return powers.sqrt(spread), mean


def _moment_method(moment: Any) -> Any:
    @spelled(keepdim="keepdims", correction="ddof")
    def method(self: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False,
               **dims: Any) -> Any:
        """The moment over `axis`; over `dim` without bias."""
        if "dim" in dims:
            return moment(self, dims["dim"], ddof or 1, keepdims)
        # integers are measured in float32, as NumPy measures them in float64
        x = self if self.dtype.is_differentiable else cast(self, dtype=as_dtype("float32"))
        return moment(x, axis, ddof, keepdims)
    return method


@composed("ReduceStd(axis=[], unbiased=True, keep_dims=False)(x)")
def _reduce_std(x: Any, *, axis: Any = (), unbiased: bool = True,
                keep_dims: bool = False) -> tuple[Any, Any]:
    """The standard deviation and the mean over `axis`."""
    return std_mean(x, axis, int(unbiased), keep_dims)


def logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """log(sum(exp(input))) over `dim`, without overflow."""
    return reduction.log_sum_exp(only("logsumexp", input), axis=_axis("logsumexp", dim),
                                 keep_dims=_flag("logsumexp", keepdim))


# ---------------------------------------------------------------------- running sums

_NARROW = bool_, int8, int16, uint8       # what the method sums as int32

def cumsum(x: Any, axis: Any, dtype: Any = None) -> Any:
    """The running sums along `axis`."""
    only("cumsum", x)
    x = x if dtype is None else cast(x, dtype=as_dtype(dtype))
    return scanning.cum_sum(x, axis=plain(axis))


@spelled(dim="axis")
def _cumsum(self: Any, axis: Any = None, dtype: Any = None) -> Any:
    """The running sums along `axis`; over the flattened tensor for None."""
    if dtype is None and self.dtype in _NARROW:
        dtype = int32
    if axis is None:
        return cumsum(reshape(self, shape=(-1,)), 0, dtype)
    return cumsum(self, axis, dtype)


def cumprod(input: Any, dim: Any, dtype: Any = None) -> Any:
    """The running products along `dim`; of bools and integers as int64."""
    only("cumprod", input)
    if dtype is None and input.dtype.kind in "biu":
        dtype = int64
    x = input if dtype is None else cast(input, dtype=as_dtype(dtype))
    return scanning.cum_prod(x, axis=plain(dim))


def logcumsumexp(input: Any, axis: Any) -> Any:
    """log of the running sums of exp(input) along `axis`."""
    return scanning.cumulative_logsumexp(only("logcumsumexp", input), axis=plain(axis))


__all__ = [
    "amax", "amin", "aminmax", "argmax", "argmin", "count_nonzero", "cumprod", "cumsum",
    "logcumsumexp", "logsumexp", "max", "min", "nanmean", "nansum", "prod", "std", "std_mean", "sum",
    "var", "var_mean",
]

METHODS = {
    "sum": _sum, "prod": _prod, "mean": spelled(dim="axis", keepdim="keep_dims",
                                                keepdims="keep_dims")(_mean),
    "max": _extreme_method(max, amax), "min": _extreme_method(min, amin), "amax": amax,
    "amin": amin, "aminmax": aminmax, "ptp": _ptp,
    "argmax": spelled(axis="dim", keepdims="keepdim")(argmax),
    "argmin": spelled(dim="axis", keepdim="keepdims")(argmin),
    "argmax_with_value": lambda self, axis=0, keep_dims=False: max(self, axis, keep_dims),
    "argmin_with_value": lambda self, axis=0, keep_dims=False: min(self, axis, keep_dims),
    "std": _moment_method(std), "var": _moment_method(var), "logsumexp": logsumexp,
    "cumsum": _cumsum, "cumprod": cumprod, "logcumsumexp": logcumsumexp,
    "nansum": spelled(**_AXES)(nansum), "nanmean": nanmean, "count_nonzero": _count_nonzero,
    "all": spelled(dim="axis", keepdim="keep_dims", keepdims="keep_dims")(
        lambda self, axis=None, keep_dims=False: reduction.reduce_all(
            self, axis=_axis("all", axis), keep_dims=_flag("all", keep_dims))),
    "any": spelled(dim="axis", keepdim="keep_dims", keepdims="keep_dims")(
        lambda self, axis=None, keep_dims=False: reduction.reduce_any(
            self, axis=_axis("any", axis), keep_dims=_flag("any", keep_dims))),
}
