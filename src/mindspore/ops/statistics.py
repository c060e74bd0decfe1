"""Statistics and calculus of samples: medians, covariance, differences, trapezoids, einsum."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import float32, int64
from mindspore.core.errors import kind, show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import arithmetic, matmul, powers, reduction, rounding
from mindspore.operators import statistics as measures
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import cast

from .arguments import only
from .primitive import composed
from .signatures import plain
from .spelling import spelled


def median(input: Any, axis: Any = -1, keepdims: bool = False) -> tuple[Any, Any]:
    """The middle elements along `axis`, of two the smaller, and their indices."""
    return measures.median(only("median", input), axis=plain(axis), keep_dims=keepdims)


def nanmedian(input: Any, axis: Any = -1, keepdims: bool = False) -> tuple[Any, Any]:
    """The middle elements along `axis` without those that are NaN, and their indices."""
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
    """The elements along `axis` below which the fraction `q` of the others lies, interpolated."""
    return _quantile("quantile", input, q, axis, keepdims, False)


def nanquantile(input: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The same as `quantile`, without the elements that are NaN."""
    return _quantile("nanquantile", input, q, axis, keepdims, True)


@composed("Quantile(dim=None, keep_dims=False, ignore_nan=False)(x, q)")
def _quantile_of(x: Any, q: Any, *, dim: Any = None, keep_dims: bool = False,
                 ignore_nan: bool = False) -> Any:
    """The elements along `dim` below which the fraction `q` of the others lies."""
    return _quantile("Quantile", x, q, dim, keep_dims, ignore_nan)


def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each of the numbers 0, 1, ... occurs, float32; or the sums of their weights."""
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
    if weights is not None and weights.shape != input.shape:
        raise ValueError(f"For 'bincount', the 'weights' must have the shape of the input, but got "
                         f"{show(weights)} and {show(input)}.")
    return measures.count_values(input, weights, minlength=minlength)


# ---------------------------------------------------------------------- covariance, similarity

def cov(input: Any, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """The covariances of the variables in the rows, with the columns as samples."""
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
    """The cosine of the angle between vectors along `dim`."""
    product = reduction.reduce_sum(x1 * x2, axis=dim)
    sizes = [powers.sqrt(reduction.reduce_sum(powers.square(x), axis=dim)) for x in (x1, x2)]
    return product / (rounding.maximum(sizes[0], eps) * rounding.maximum(sizes[1], eps))


def cross(input: Any, other: Any, dim: Any = None) -> Any:
    """The vector products along `dim`, by default along the first dimension of extent 3."""
    for name, x in (("input", input), ("other", other)):
        if not is_tensor(x):
            raise TypeError(f"For 'cross', the '{name}' must be a Tensor, but got {kind(x)}.")
    if dim is None or dim == -65530:
        fits = [i for i, e in enumerate(input.shape) if e == 3]
        if not fits:
            raise ValueError(f"For 'cross', a dimension of extent 3 is needed, but got {show(input)}.")
        dim = fits[0]
    if input.shape[dim] != 3 or other.shape[dim] != 3:
        raise ValueError(f"For 'cross', the dimension {dim} must have extent 3, but got {show(input)} "
                         f"and {show(other)}.")
    return arithmetic.sub(_rolled(input, 1, dim) * _rolled(other, 2, dim),
                          _rolled(input, 2, dim) * _rolled(other, 1, dim))


def _part(x: Any, start: Any, stop: Any, dim: int) -> Any:
    index = [slice(None)] * x.ndim
    index[dim] = slice(start, stop)
    return x[tuple(index)]


def _rolled(x: Any, by: int, dim: int) -> Any:
    """The components from number `by` on, then those before."""
    return REGISTRY["Concat"](_part(x, by, None, dim), _part(x, 0, by, dim), axis=dim)


@composed("Cross(dim=-65530)(input, other)")
def _cross(input: Any, other: Any, *, dim: int = -65530) -> Any:
    """The vector products along `dim`."""
    return cross(input, other, dim)


# ---------------------------------------------------------------------- differences, integrals

def diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours along `axis`, `n` times."""
    only("diff", x)
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"For 'diff', the 'n' must be an int, but got {n!r}.")
    if not x.ndim:
        raise ValueError("For 'diff', the input must have at least 1 dimension.")
    parts = [p for p in (prepend, x, append) if p is not None]
    x = x if len(parts) == 1 else REGISTRY["Concat"](*parts, axis=axis)
    for _ in range(n):
        x = arithmetic.sub(_part(x, 1, None, axis), _part(x, None, -1, axis))
    return x


def trapz(y: Any, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Any:
    """The integral of samples `y` along `dim` by the trapezoidal rule, at places `x` or `dx` apart."""
    only("trapz", y)
    if isinstance(dim, bool) or not isinstance(dim, int):
        raise TypeError(f"For 'trapz', the 'dim' must be an int, but got {dim!r}.")
    if not -y.ndim <= dim < y.ndim:
        raise ValueError(f"For 'trapz', the 'dim' must be in [{-y.ndim}, {y.ndim}), but got {dim}.")
    y = y if y.dtype.is_differentiable else cast(y, dtype=float32)
    middle = (_part(y, 1, None, dim) + _part(y, None, -1, dim)) * 0.5
    if x is None:
        return reduction.reduce_sum(middle, axis=dim) * dx
    if x.ndim == 1:
        steps = diff(x).reshape((-1,) + (1,) * (y.ndim - 1 - dim % y.ndim))
    else:
        steps = diff(x, 1, dim)
    return reduction.reduce_sum(middle * steps, axis=dim)


# ---------------------------------------------------------------------- einsum

def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products over the labels that the result lacks: "ij,jk->ik" multiplies matrices."""
    if not isinstance(equation, str):
        raise TypeError(f"For 'einsum', the 'equation' must be a str, but got {equation!r}.")
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    if not operands:
        raise ValueError("For 'einsum', at least one operand is needed.")
    return measures.einsum(*operands, equation=equation)


@composed("Einsum(equation)(x)")
def _einsum(x: Any, *, equation: str) -> Any:
    """The sum of products over the labels that the result lacks."""
    return einsum(equation, *x)


__all__ = ["bincount", "cosine_similarity", "cov", "cross", "diff", "einsum", "median", "nanmedian",
           "nanquantile", "quantile", "trapz"]


@spelled(dim="axis", keepdim="keepdims")
def _median(self: Any, *axis: Any, keepdims: bool = False, **named: Any) -> Any:
    """The middle elements along `axis`, the last by default, and their indices."""
    place = [*axis, *named.values()]
    return median(self, place[0] if place else -1, place[1] if len(place) > 1 else keepdims)


METHODS = {
    "bincount": bincount, "cov": cov, "cross": cross, "diff": diff, "median": _median,
    "nanmedian": nanmedian, "quantile": quantile, "nanquantile": nanquantile,
}
