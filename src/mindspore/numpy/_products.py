"""Products of vectors and matrices, and norms."""

from __future__ import annotations

from typing import Any

from mindspore import ops

from .arguments import axes_of, floating, tensor


def dot(a: Any, b: Any) -> Any:
    """Sum over the last axis of `a` and the second last of `b` (its only one)."""
    a, b = tensor(a), tensor(b)
    if not (a.ndim and b.ndim):
        return a * b
    return ops.tensor_dot(a, b, ((a.ndim - 1,), (b.ndim - 2 if b.ndim > 1 else 0,)))


def inner(a: Any, b: Any) -> Any:
    """Sum over the last axes of both."""
    a, b = tensor(a), tensor(b)
    if not (a.ndim and b.ndim):
        return a * b
    return ops.tensor_dot(a, b, ((a.ndim - 1,), (b.ndim - 1,)))


def outer(a: Any, b: Any) -> Any:
    """Products of all elements of `a` with all of `b`."""
    return tensor(a).reshape((-1, 1)) * tensor(b).reshape((1, -1))


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sum over axes of both."""
    return ops.tensor_dot(tensor(a), tensor(b), axes)


def kron(a: Any, b: Any) -> Any:
    """Kronecker product."""
    return ops.kron(tensor(a), tensor(b))


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """Cross product of vectors of two or three elements."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = ops.movedim(tensor(a), axisa, -1), ops.movedim(tensor(b), axisb, -1)
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
    """A square matrix to a whole power of 0 or more."""
    if n < 0:
        raise ValueError(f"For 'matrix_power', the 'n' must be 0 or more, but got {n}.")
    return ops.matrix_power(tensor(a), n)


def multi_dot(arrays: Any) -> Any:
    """Product of several matrices."""
    result = tensor(arrays[0])
    for array in arrays[1:]:
        result = dot(result, array)
    return result


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Norm of vectors or matrices, as `numpy.linalg.norm`."""
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
