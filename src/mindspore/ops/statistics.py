"""Statistics and calculus of samples: medians, covariance, differences, trapezoids, einsum."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import float32, float64, int64
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import matmul, powers, reduction, rounding
from mindspore.operators import statistics as measures
from mindspore.operators.structure import cast

from .arguments import only, tensor
from .differences import cross, einsum
from .primitive import composed
from .signatures import plain
from .spelling import spelled


def median(input: Any, axis: Any = -1, keepdims: bool = False) -> tuple[Any, Any]:
    """The middle elements along `axis`, of two the smaller, and their indices.

    Args:
        input: A tensor.
        axis: The dimension, an int.
        keepdims: Whether the dimension stays, with extent 1.

    Returns:
        Two tensors.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> value, place = ops.median(Tensor([[3.0, 1.0, 2.0]]))
        >>> value.tolist(), place.tolist()
        ([2.0], [2])
    """
    return measures.median(only("median", input), axis=plain(axis), keep_dims=keepdims)


def nanmedian(input: Any, axis: Any = -1, keepdims: bool = False) -> tuple[Any, Any]:
    """The middle elements along `axis` without those that are NaN, and their indices.

    Args:
        input: A tensor.
        axis: The dimension, an int.
        keepdims: Whether the dimension stays, with extent 1.

    Returns:
        Two tensors.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> value, place = ops.nanmedian(Tensor([[3.0, float("nan"), 2.0]]))
        >>> value.tolist(), place.tolist()
        ([2.0], [2])
    """
    return measures.median(only("nanmedian", input), axis=plain(axis), keep_dims=keepdims,
                           ignore_nan=True)


def _quantile(owner: str, input: Any, q: Any, axis: Any, keepdims: bool, ignore_nan: bool) -> Any:
    only(owner, input)
    if not is_tensor(q):
        if not 0 <= q <= 1:
            raise ValueError(f"For '{owner}', the 'q' must be in [0, 1], but got {q}.")
        q = Tensor(q, input.dtype)
    return measures.quantile(input, q, axis=plain(axis), keep_dims=keepdims, ignore_nan=ignore_nan)


def quantile(input: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The elements along `axis` below which the fraction `q` of the others lies, interpolated.

    Args:
        input: A floating-point tensor.
        q: The fraction, a float in [0, 1], or a vector of them.
        axis: The dimension, an int; None for all elements.
        keepdims: Whether the dimension stays, with extent 1.

    Returns:
        A tensor; with a vector `q` its elements are the first dimension.

    Raises:
        ValueError: If `q` lies outside of [0, 1], or there is no such dimension.

    Examples:
        >>> ops.quantile(Tensor([1.0, 2.0, 3.0, 4.0, 5.0]), 0.25).tolist()
        2.0
    """
    return _quantile("quantile", input, q, axis, keepdims, False)


def nanquantile(input: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The same as `quantile`, without the elements that are NaN.

    Args:
        input: A floating-point tensor.
        q: The fraction, a float in [0, 1], or a vector of them.
        axis: The dimension, an int; None for all elements.
        keepdims: Whether the dimension stays, with extent 1.

    Returns:
        A tensor; with a vector `q` its elements are the first dimension.

    Raises:
        ValueError: If `q` lies outside of [0, 1], or there is no such dimension.

    Examples:
        >>> ops.nanquantile(Tensor([1.0, float("nan"), 3.0]), 0.5).tolist()
        2.0
    """
    return _quantile("nanquantile", input, q, axis, keepdims, True)


@composed("Quantile(dim=None, keep_dims=False, ignore_nan=False)(x, q)")
def _quantile_of(x: Any, q: Any, *, dim: Any = None, keep_dims: bool = False,
                 ignore_nan: bool = False) -> Any:
    """The elements along `dim` below which the fraction `q` of the others lies."""
    return _quantile("Quantile", x, q, dim, keep_dims, ignore_nan)


def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each of the numbers 0, 1, ... occurs, float32; or the sums of their weights.

    Args:
        input: A vector of integers that are not negative.
        weights: A tensor of its shape, or None.
        minlength: The least length of the result.

    Returns:
        A tensor of float32, as long as the greatest number demands.

    Raises:
        TypeError: If `input` is no tensor of real numbers, or `minlength` no int.
        ValueError: If `input` is no vector, `minlength` is negative or the shapes differ.

    Examples:
        >>> ops.bincount(Tensor([0, 2, 2])).tolist()
        [1.0, 0.0, 2.0]
    """
    return cast(counted(input, weights, minlength), dtype=float32)


def counted(input: Any, weights: Any = None, minlength: int = 0) -> Any:
    """As `bincount`, but sums of weights have the type of the weights."""
    only("bincount", input)
    if input.dtype.kind == "c":
        raise TypeError(f"For 'bincount', the input must hold real numbers, but got {show(input)}.")
    if input.dtype.kind in "bf":
        input = cast(input, dtype=int64)
    if input.ndim != 1:
        raise ValueError(f"For 'bincount', the input must have 1 dimension, but got {show(input)}.")
    if isinstance(minlength, bool) or not isinstance(minlength, int):
        raise TypeError(f"For 'bincount', the 'minlength' must be an int, but got {minlength!r}.")
    if minlength < 0:
        raise ValueError(f"For 'bincount', the 'minlength' must not be negative, but got {minlength}.")
    if weights is not None and tensor("bincount", "weights", weights).shape != input.shape:
        raise ValueError(f"For 'bincount', the 'weights' must have the shape of the input, but got "
                         f"{show(weights)} and {show(input)}.")
    if weights is not None and weights.dtype.kind == "b":
        weights = cast(weights, dtype=float64)             # torch's type of these sums
    return measures.count_values(input, weights, minlength=minlength)


# ---------------------------------------------------------------------- covariance, similarity

def cov(input: Any, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """The covariances of the variables in the rows, with the columns as samples.

    Args:
        input: A tensor (variables, samples), or (samples,) for one variable.
        correction: What is subtracted from the number of samples in the divisor.
        fweights: How often each sample counts, integers (samples,), or None.
        aweights: The weight of each sample, (samples,), or None.

    Returns:
        A tensor (variables, variables); without dimensions for one variable.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it has more dimensions.

    Examples:
        >>> ops.cov(Tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])).tolist()
        [[1.0, -1.0], [-1.0, 1.0]]
    """
    only("cov", input)
    if input.ndim > 2:
        raise ValueError(f"For 'cov', the input must have at most 2 dimensions, but got {show(input)}.")
    narrow = not input.dtype.is_differentiable or input.dtype.itemsize < 4
    x = cast(input, dtype=float32) if narrow else input
    x = x.reshape((1, -1)) if x.ndim < 2 else x
    weights = _weights(x, fweights, aweights)
    if weights is None:
        total = float(x.shape[1])
        mean = reduction.reduce_mean(x, axis=1, keep_dims=True)
    else:
        total = reduction.reduce_sum(weights)
        mean = reduction.reduce_sum(x * weights, axis=1, keep_dims=True) / total
    centred = x - mean
    weighted = centred if weights is None else centred * weights
    if aweights is None or correction == 0:
        divisor = total - correction
    else:
        lost = reduction.reduce_sum(weights * cast(aweights, dtype=x.dtype)) / total
        divisor = total - lost * correction
    divisor = max(divisor, 0.0) if isinstance(divisor, float) else rounding.maximum(divisor, 0.0)
    out = matmul.mat_mul(weighted, centred, transpose_b=True) / divisor
    return out.reshape(()) if input.ndim < 2 else out


def _weights(x: Any, fweights: Any, aweights: Any) -> Any:
    given = [cast(w, dtype=x.dtype) for w in (fweights, aweights) if w is not None]
    if not given:
        return None
    return given[0] if len(given) == 1 else given[0] * given[1]


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between vectors along `dim`: sum(x1 * x2) / (max(|x1|, eps) * max(|x2|, eps)).

    Args:
        x1, x2: Floating-point tensors of broadcastable shapes.
        dim: The dimension, an int.
        eps: The least length that counts.

    Returns:
        A tensor without the dimension.

    Examples:
        >>> print(ops.cosine_similarity(Tensor([[1.0, 0.0]]), Tensor([[1.0, 1.0]])).asnumpy().round(3))
        [0.707]
    """
    product = reduction.reduce_sum(x1 * x2, axis=dim)
    sizes = [powers.sqrt(reduction.reduce_sum(powers.square(x), axis=dim)) for x in (x1, x2)]
    return product / (rounding.maximum(sizes[0], eps) * rounding.maximum(sizes[1], eps))


@composed("Cross(dim=-65530)(input, other)")
def _cross(input: Any, other: Any, *, dim: int = -65530) -> Any:
    """The vector products along `dim`."""
    return cross(input, other, dim)


# ---------------------------------------------------------------------- differences, integrals


# ---------------------------------------------------------------------- einsum


@composed("Einsum(equation)(x)")
def _einsum(x: Any, *, equation: str) -> Any:
    """The sum of products over the labels that the result lacks."""
    return einsum(equation, *x)


__all__ = [
    "bincount", "cosine_similarity", "cov", "median", "nanmedian", "nanquantile", "quantile",
]


@spelled(dim="axis", keepdim="keepdims")
def _median(self: Any, *axis: Any, keepdims: bool = False, **named: Any) -> Any:
    """The middle elements along `axis`, the last by default, and their indices.

    Args:
        axis: The dimension, an int; then `keepdims`.
        keepdims: Whether the dimension stays, with extent 1.
        named: `axis` or `dim`, then `keepdim`, by name.

    Returns:
        Two tensors.

    Examples:
        >>> value, place = Tensor([[3.0, 1.0, 2.0]]).median()
        >>> value.tolist(), place.tolist()
        ([2.0], [2])
    """
    place = [*axis, *named.values()]
    return median(self, place[0] if place else -1, place[1] if len(place) > 1 else keepdims)


METHODS = {
    "bincount": bincount, "cov": cov, "median": _median, "nanmedian": nanmedian, "quantile": quantile,
    "nanquantile": nanquantile,
}
