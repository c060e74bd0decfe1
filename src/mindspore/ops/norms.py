"""Norms of vectors and matrices, and clipping by norm."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32
from mindspore.core.errors import kind, show
from mindspore.eager.automatic import computed_as
from mindspore.eager.tensor import is_tensor
from mindspore.operators import comparison, norms, numbers, powers, reduction, rounding
from mindspore.operators.structure import cast, reshape, transpose

from .arguments import only, signed
from .primitive import composed
from .signatures import plain


def _floating(owner: str, x: Any, dtype: Any) -> Any:
    only(owner, x)
    if dtype is not None:
        return cast(x, dtype=as_dtype(dtype))
    return x if x.dtype.is_differentiable else cast(x, dtype=float32)


def _size(x: Any) -> Any:
    """The absolute values, which are real."""
    return numbers.complex_abs(x) if x.dtype.is_complex else powers.abs_(x)


def vector_norm(x: Any, ord: Any = 2, axis: Any = None, keepdims: bool = False, *,
                dtype: Any = None) -> Any:
    """sum(|x| ** ord) ** (1 / ord) over `axis`; the limits for 0 and the infinities.

    Args:
        x: A tensor.
        ord: A number; 0 counts the elements that are not zero, infinities give the greatest or smallest absolute
            value.
        axis: An int or a tuple of ints; None for all dimensions.
        keepdims: Whether the dimensions stay, with extent 1.
        dtype: The type to compute in.

    Returns:
        A tensor without the dimensions.

    Raises:
        TypeError: If `ord` is no number.

    Examples:
        >>> ops.vector_norm(Tensor([[3.0, 4.0], [0.0, 5.0]]), axis=1).tolist()
        [5.0, 5.0]
    """
    x = _floating("vector_norm", x, dtype)
    attrs = {"axis": plain(axis), "keep_dims": keepdims}
    if ord == 2:
        return norms.euclidean(x, **attrs)
    size = _size(x)
    if ord == math.inf:
        return reduction.reduce_max(size, **attrs)
    if ord == -math.inf:
        return reduction.reduce_min(size, **attrs)
    if ord == 0:
        return reduction.reduce_sum(cast(comparison.not_equal(x, 0), dtype=size.dtype), **attrs)
    if ord == 1:
        return reduction.reduce_sum(size, **attrs)
    if isinstance(ord, bool) or not isinstance(ord, (int, float)):
        raise TypeError(f"For 'vector_norm', the 'ord' must be a number, but got {ord!r}.")
    return powers.pow_(reduction.reduce_sum(powers.pow_(size, ord), **attrs), 1.0 / ord)


def matrix_norm(A: Any, ord: Any = "fro", axis: Any = (-2, -1), keepdims: bool = False, *,
                dtype: Any = None) -> Any:
    """A norm of the matrices in two dimensions: "fro", "nuc", 1, -1, 2, -2, inf or -inf.

    Args:
        A: A tensor with two dimensions at least.
        ord: "fro", "nuc", 1, -1, 2, -2, inf or -inf.
        axis: The dimensions of the rows and of the columns.
        keepdims: Whether the dimensions stay, with extent 1.
        dtype: The type to compute in.

    Returns:
        A tensor without the dimensions.

    Raises:
        ValueError: If `axis` are not two dimensions, or `ord` is another one.

    Examples:
        >>> x = Tensor([[3.0, 0.0], [0.0, 4.0]])
        >>> ops.matrix_norm(x).item(), ops.matrix_norm(x, 1).item()
        (5.0, 4.0)
    """
    x = _floating("matrix_norm", A, dtype)
    axis = plain(axis)
    if not isinstance(axis, tuple) or len(axis) != 2:
        raise ValueError(f"For 'matrix_norm', the 'axis' must hold two ints, but got {axis!r}.")
    rows, columns = [a % x.ndim for a in axis]
    if rows == columns:
        raise ValueError(f"For 'matrix_norm', the 'axis' must name two dimensions, but got {axis}.")
    if ord == "fro":
        return norms.euclidean(x, axis=(rows, columns), keep_dims=keepdims)
    if ord in (1, -1, math.inf, -math.inf):
        inner, outer = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = reduction.reduce_sum(_size(x), axis=inner, keep_dims=True)
        pick = reduction.reduce_max if ord > 0 else reduction.reduce_min
        out = pick(sums, axis=outer, keep_dims=True)
        return out if keepdims else _dropped(out, rows, columns)
    return _spectral(x, ord, rows, columns, keepdims)


def _spectral(x: Any, ord: Any, rows: int, columns: int, keepdims: bool) -> Any:
    if ord not in ("nuc", 2, -2):
        raise ValueError(f"For 'matrix_norm', the 'ord' must be one of 'fro', 'nuc', inf, -inf, 1, "
                         f"-1, 2, -2, but got {ord!r}.")
    order = [i for i in range(x.ndim) if i not in (rows, columns)]
    values = norms.singular_values(transpose(x, perm=(*order, rows, columns)))
    pick = {"nuc": reduction.reduce_sum, 2: reduction.reduce_max, -2: reduction.reduce_min}[ord]
    out = pick(values, axis=-1)
    if not keepdims:
        return out
    return reshape(out, shape=tuple([1 if i in (rows, columns) else e
                                     for i, e in enumerate(x.shape)]))


def _dropped(x: Any, *axes: int) -> Any:
    return reshape(x, shape=tuple([e for i, e in enumerate(x.shape) if i not in axes]))


def norm(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *,
         dtype: Any = None) -> Any:
    """A vector norm over one dimension, or over all; a matrix norm over two, where `ord` asks for it.

    Args:
        A: A tensor.
        ord: The order as `ops.vector_norm` or `ops.matrix_norm` take it; None for the root of the sum of squares.
        dim: An int, or a tuple of ints; None for all dimensions.
        keepdim: Whether the dimensions stay, with extent 1.
        dtype: The type to compute in.

    Returns:
        A tensor without the dimensions.

    Raises:
        ValueError: If `ord` does not go with the dimensions.

    Examples:
        >>> ops.norm(Tensor([[3.0, 0.0], [0.0, 4.0]])).item()
        5.0
    """
    if ord in (None, "fro") and dtype is None and not only("norm", A).dtype.is_differentiable:
        A = A / 1                  # the derivative is one of floats, as in the original, unlike that of a cast
    x = _floating("norm", A, dtype)
    dim = plain(dim)
    out = _norm(x, ord, dim, keepdim)
    two = x.ndim if dim is None else len(dim) if isinstance(dim, tuple) else 1
    spectral = ord == "nuc" or (ord in (2, -2) and two == 2)
    return cast(out, dtype=x.dtype) if x.dtype.is_complex and not spectral else out      # as the original


def _norm(x: Any, ord: Any, dim: Any, keepdim: bool) -> Any:
    if ord is None:
        return vector_norm(x, 2, dim, keepdim)
    if dim is None and not isinstance(ord, str) and x.ndim != 2:
        if x.ndim > 2:
            raise ValueError(f"For 'norm', with 'ord' and without 'dim' the input must have 1 or 2 "
                             f"dimensions, but got {show(x)}.")
        return vector_norm(x, ord, None, keepdim)
    if dim is None and x.ndim != 2:
        raise ValueError(f"For 'norm', 'ord' {ord!r} needs a matrix, but got {show(x)}.")
    axes = (-2, -1) if dim is None else dim
    if isinstance(axes, tuple) and len(axes) == 2:
        return matrix_norm(x, ord, axes, keepdim)
    return vector_norm(x, ord, axes, keepdim)


@composed("LpNorm(axis, p=2, keep_dims=False, epsilon=1e-12)(input)")
def _lp_norm(input: Any, *, axis: Any, p: int = 2, keep_dims: bool = False,
             epsilon: float = 1e-12) -> Any:
    """The vector norm of order `p` over `axis`, at least `epsilon`."""
    if p == 0:
        return vector_norm(input, 0, axis, keep_dims)
    return rounding.maximum(vector_norm(input, p, axis, keep_dims), epsilon)


@composed("EuclideanNorm(keep_dims=False)(x, axes)")
def _euclidean_norm(x: Any, axes: Any, *, keep_dims: bool = False) -> Any:
    """sqrt(sum(x * x)) over `axes`."""
    return vector_norm(x, 2, axes, keep_dims)


@composed("SquareSumAll()(x, y)")
def _square_sum_all(x: Any, y: Any) -> tuple[Any, Any]:
    """The sums of the squares of both tensors."""
    return (reduction.reduce_sum(powers.square(x)), reduction.reduce_sum(powers.square(y)))


def dist(input: Any, other: Any, p: Any = 2) -> Any:
    """The norm of order `p` of the difference.

    Args:
        input, other: Tensors of broadcastable shapes.
        p: The order, as `ops.vector_norm` takes it.

    Returns:
        A tensor without dimensions.

    Examples:
        >>> ops.dist(Tensor([1.0, 2.0]), Tensor([4.0, 6.0])).item()
        5.0
    """
    return vector_norm(signed("dist", "input", input) - signed("dist", "other", other), p)


def renorm(input: Any, p: int, axis: int, maxnorm: float) -> Any:
    """The tensor with each slice along `axis` scaled down to a norm of at most `maxnorm`.

    Args:
        input: A floating-point tensor.
        p: The order of the norm.
        axis: The dimension, an int.
        maxnorm: The greatest norm.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> print(ops.renorm(Tensor([[3.0, 4.0], [0.0, 1.0]]), 2, 0, 1.0).asnumpy().round(3))
        [[0.6 0.8]
         [0.  1. ]]
    """
    input = computed_as("Renorm", only("renorm", input))
    others = tuple([i for i in range(input.ndim) if i != axis % input.ndim])
    size = vector_norm(input, p, others, True)
    scale = rounding.minimum(maxnorm / (size + 1e-7), 1.0)
    return input * scale


# ---------------------------------------------------------------------- clipping

def _listed(owner: str, x: Any) -> list[Any]:
    tensors = list(x) if isinstance(x, (list, tuple)) else [x]
    if not tensors or not all(is_tensor(t) for t in tensors):
        raise TypeError(f"For '{owner}', 'x' must be a Tensor or a list of Tensors, but got "
                        f"{kind(x)}.")
    return tensors


def clip_by_norm(x: Any, max_norm: float, norm_type: float = 2.0,
                 error_if_nonfinite: bool = False) -> Any:
    """The tensors scaled down so that their common norm is at most `max_norm`.

    Args:
        x: A tensor, or a list or tuple of tensors.
        max_norm: A number.
        norm_type: The order of the norm.
        error_if_nonfinite: Whether a norm that is NaN or infinite is an error.

    Returns:
        A tensor, or a tuple of tensors.

    Raises:
        TypeError: If `max_norm` is no number.
        RuntimeError: If the norm is not finite, where asked for.

    Examples:
        >>> print(ops.clip_by_norm(Tensor([3.0, 4.0]), 1.0).asnumpy().round(3))
        [0.6 0.8]
    """
    tensors = [check.real("clip_by_norm", "x", t) for t in _listed("clip_by_norm", x)]
    if isinstance(max_norm, bool) or not isinstance(max_norm, (int, float)):
        raise TypeError(f"For 'clip_by_norm', the 'max_norm' must be a number, but got {max_norm!r}.")
    total = _total_norm(tensors, norm_type)
    if error_if_nonfinite and not bool(comparison.is_finite(total)):
        raise RuntimeError(f"For 'clip_by_norm', the norm of order {norm_type} is not finite.")
    scale = rounding.minimum(max_norm / (total + 1e-6), 1.0)
    clipped = tuple([t * (cast(scale, dtype=t.dtype) if t.dtype.is_differentiable else scale)
                     for t in tensors])
    return clipped if isinstance(x, (list, tuple)) else clipped[0]


def _total_norm(tensors: list[Any], order: float) -> Any:
    if order == 2:
        squares = [reduction.reduce_sum(powers.square(cast(t, dtype=float32))) for t in tensors]
        return powers.sqrt(_added(squares))
    parts = [vector_norm(cast(t, dtype=float32), order) for t in tensors]
    if order == math.inf:
        total = parts[0]
        for part in parts[1:]:
            total = rounding.maximum(total, part)
        return total
    return powers.pow_(_added([powers.pow_(p, order) for p in parts]), 1.0 / order)


def _added(values: list[Any]) -> Any:
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total


def clip_by_global_norm(x: Any, clip_norm: float = 1.0, use_norm: Any = None) -> Any:
    """The tensors scaled by clip_norm / max(norm, clip_norm), with the norm of all of them together.

    The norm is the root of the sum of the squares of all elements.  Pascanu, Mikolov and Bengio 2013.

    Args:
        x: Tensors in a tuple or list, such as gradients, or one.
        clip_norm: The norm that the tensors have at most together, positive.
        use_norm: Only None is taken.

    Returns:
        A tuple of tensors of the same shapes and dtypes; a tensor for one.

    Raises:
        TypeError: If `x` holds anything but tensors, or `clip_norm` no number.
        ValueError: If `clip_norm` is not positive, or `use_norm` is given.

    Examples:
        >>> [g.tolist() for g in ops.clip_by_global_norm((Tensor([3.0]), Tensor([4.0])), 2.5)]
        [[1.5], [2.0]]
    """
    tensors = [check.real("clip_by_global_norm", "x", t) for t in _listed("clip_by_global_norm", x)]
    if use_norm is not None:
        raise ValueError("For 'clip_by_global_norm', only None is supported for 'use_norm', but got "
                         f"{use_norm!r}.")
    if not is_tensor(clip_norm):
        if isinstance(clip_norm, bool) or not isinstance(clip_norm, (int, float)):
            raise TypeError(f"For 'clip_by_global_norm', the 'clip_norm' must be a number, but got "
                            f"{clip_norm!r}.")
        if clip_norm <= 0:
            raise ValueError(f"For 'clip_by_global_norm', the 'clip_norm' must be positive, but got "
                             f"{clip_norm}.")
        clip_norm = float(clip_norm)
    total = rounding.maximum(_total_norm(tensors, 2), clip_norm)
    clipped = tuple([cast(t * clip_norm / total, dtype=t.dtype) for t in tensors])
    return clipped if isinstance(x, (list, tuple)) else clipped[0]


__all__ = ["clip_by_global_norm", "clip_by_norm", "dist", "matrix_norm", "norm", "renorm",
           "vector_norm"]
METHODS = {"norm": norm, "dist": dist, "renorm": renorm}
