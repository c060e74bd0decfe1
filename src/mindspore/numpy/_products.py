"""Products of vectors and matrices, and norms."""

from __future__ import annotations

from typing import Any

from mindspore import ops

from .arguments import axes_of, floating, tensor


def dot(a: Any, b: Any) -> Any:
    """Sum over the last axis of `a` and the second last of `b` (its only one).

    Args:
        a, b: Tensors, or numbers that make some; a number multiplies the other.

    Examples:
        >>> print(mnp.dot([[1, 2], [3, 4]], [10, 1]))
        [12 34]
    """
    a, b = tensor(a), tensor(b)
    if not (a.ndim and b.ndim):
        return a * b
    return ops.tensor_dot(a, b, ((a.ndim - 1,), (b.ndim - 2 if b.ndim > 1 else 0,)))


def inner(a: Any, b: Any) -> Any:
    """Sum over the last axes of both.

    Args:
        a, b: Tensors whose last axes have one length; a number multiplies the other.

    Examples:
        >>> print(mnp.inner([[1, 2], [3, 4]], [[1, 0], [0, 2]]))
        [[1 4]
         [3 8]]
    """
    a, b = tensor(a), tensor(b)
    if not (a.ndim and b.ndim):
        return a * b
    return ops.tensor_dot(a, b, ((a.ndim - 1,), (b.ndim - 1,)))


def outer(a: Any, b: Any) -> Any:
    """Products of all elements of `a` with all of `b`.

    Args:
        a, b: Tensors, or numbers that make some; they are flattened.

    Returns:
        A matrix (elements of `a`, elements of `b`).

    Examples:
        >>> print(mnp.outer([1, 2], [10, 20, 30]))
        [[10 20 30]
         [20 40 60]]
    """
    return tensor(a).reshape((-1, 1)) * tensor(b).reshape((1, -1))


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sum over axes of both.

    Args:
        a, b: Tensors, or numbers that make some.
        axes: How many of the last axes of `a` and first of `b`, or a pair: the axes of `a`, the axes of
            `b`.

    Examples:
        >>> print(mnp.tensordot(mnp.ones((2, 3)), mnp.ones((2, 3)), axes=([0, 1], [0, 1])))
        6.0
    """
    return ops.tensor_dot(tensor(a), tensor(b), axes)


def kron(a: Any, b: Any) -> Any:
    """Kronecker product.

    Args:
        a, b: Tensors, or numbers that make some.

    Examples:
        >>> print(mnp.kron([1, 10], [1, 2]))
        [ 1  2 10 20]
    """
    return ops.kron(tensor(a), tensor(b))


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """Cross product of vectors of two or three elements.

    Args:
        a, b: Tensors of vectors, which are broadcast; a third element that lacks is 0.
        axisa, axisb: The axes of the vectors.
        axisc: The axis of the vectors of the result; without meaning if all have two elements, as the
            product is a number.
        axis: All three at once.

    Raises:
        ValueError: If the vectors have other lengths.

    Examples:
        >>> print(mnp.cross([1, 0, 0], [0, 1, 0]), mnp.cross([1, 2], [3, 4]))
        [0 0 1] -2
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = tensor(a), tensor(b)
    a, b = [ops.movedim(x, *axes_of("cross", axis, x.ndim), -1) for x, axis in ((a, axisa), (b, axisb))]
    sizes = a.shape[-1], b.shape[-1]
    if not set(sizes) <= {2, 3}:
        raise ValueError(f"For 'cross', the vectors must have 2 or 3 elements, but have {sizes}.")
    x = [a[..., i] if i < sizes[0] else a[..., 0] * 0 for i in range(3)]
    y = [b[..., i] if i < sizes[1] else b[..., 0] * 0 for i in range(3)]
    last = x[0] * y[1] - x[1] * y[0]
    if sizes == (2, 2):
        return last
    result = ops.stack([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], last], -1)
    return ops.movedim(result, -1, axisc)


def matrix_power(a: Any, n: int) -> Any:
    """A square matrix to a whole power of 0 or more.

    Args:
        a: A square matrix, or several (..., M, M).
        n: The power.

    Raises:
        ValueError: If `n` is negative.

    Examples:
        >>> print(mnp.matrix_power([[1.0, 1.0], [0.0, 1.0]], 3))
        [[1. 3.]
         [0. 1.]]
    """
    if n < 0:
        raise ValueError(f"For 'matrix_power', the 'n' must be 0 or more, but got {n}.")
    return ops.matrix_power(tensor(a), n)


def multi_dot(arrays: Any) -> Any:
    """Product of several matrices.

    Args:
        arrays: The matrices, from left to right; the first and last may be vectors.

    Examples:
        >>> print(mnp.multi_dot([[[1, 2]], [[3], [4]], [[5]]]))
        [[55]]
    """
    result = tensor(arrays[0])
    for array in arrays[1:]:
        result = dot(result, array)
    return result


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Norm of vectors or matrices, as `numpy.linalg.norm`.

    Args:
        x: A tensor, or numbers that make one.
        ord: Which norm; None: the square root of the sum of squares.
        axis: The axes of the vectors (an int) or matrices (a pair); None for all.
        keepdims: Keep these axes with length 1.

    Examples:
        >>> print(mnp.norm([[3.0, 4.0], [0.0, 5.0]], axis=1), mnp.norm([3.0, -4.0], 1))
        [5. 5.] 7.0
    """
    x = floating(x)
    if ord is None:
        axes = axes_of("norm", axis, x.ndim)
        x = ops.abs(x) if x.dtype.is_complex else x
        return ops.sqrt(ops.sum(x * x, dim=axes, keepdim=keepdims)) if axes else ops.abs(x)
    return ops.norm(x, ord, axis, keepdims)


__all__ = [
    "cross",
    "dot",
    "inner",
    "kron",
    "matrix_power",
    "multi_dot",
    "norm",
    "outer",
    "tensordot",
]
