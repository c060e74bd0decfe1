"""Functions of samples in a row: differences, integrals, interpolation, convolution, phases."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops

from .arguments import axes_of, floating, tensor


def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours, `n` times.

    Args:
        a: A tensor, or numbers that make one.
        n: How often.
        axis: The axis, which gets `n` shorter.
        prepend, append: Values that stand before and behind first, as numbers or tensors; other axes than `axis` are
            broadcast.

    Raises:
        TypeError: If `axis` is no int.
        ValueError: If `n` is negative or no int.

    Examples:
        >>> print(mnp.diff([1, 4, 9, 16]), mnp.diff([1, 4, 9, 16], n=2), mnp.diff([1, 4], prepend=0))
        [3 5 7] [2 2] [1 3]
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise ValueError(f"For 'diff', the 'n' must be an int of 0 or more, but got {n!r}.")
    parts = [a if v is None else v for v in (prepend, a, append)]
    parts = [
        tensor(p) for p, v in zip(parts, (prepend, True, append), strict=True) if v is not None
    ]
    like = tensor(a)
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise TypeError(f"For 'diff', the 'axis' must be an int, but got {axis!r}.")
    axis = axes_of("diff", axis, like.ndim)[0]
    parts = [_along(p, like.shape, axis) for p in parts]
    result = ops.cat(parts, axis) if len(parts) > 1 else parts[0]
    for _ in range(n):
        size = result.shape[axis]
        result = ops.narrow(result, axis, 1, size - 1) - ops.narrow(result, axis, 0, size - 1)
    return result


def _along(part: Any, shape: tuple[int, ...], axis: int) -> Any:
    """Values with the extents of a shape, but for those along an axis."""
    own = (1,) * (len(shape) - part.ndim) + part.shape
    return ops.broadcast_to(part, (*shape[:axis], own[axis], *shape[axis + 1 :]))


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of neighbours of the flattened tensor, with something before and after.

    Args:
        ary: A tensor, or numbers that make one.
        to_end, to_begin: What stands behind and before the differences.

    Examples:
        >>> print(mnp.ediff1d([1, 4, 9], to_end=[0], to_begin=[-1, -2]))
        [-1 -2  3  5  0]
    """
    result = diff(tensor(ary).reshape((-1,)))
    parts = [to_begin, result, to_end]
    parts = [tensor(p).reshape((-1,)).astype(result.dtype) for p in parts if p is not None]
    return ops.cat(parts) if len(parts) > 1 else result


def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """Integral by the trapezoidal rule.

    Args:
        y: The samples.
        x: Their places: a vector, or a tensor in the shape of `y`.
        dx: The distance of the places if `x` is None.
        axis: The axis of the samples.

    Examples:
        >>> print(mnp.trapz([0.0, 1.0, 4.0]), mnp.trapz([0.0, 1.0, 4.0], x=[0.0, 2.0, 3.0]))
        3.0 3.5
    """
    y = floating(y)
    axis = axes_of("trapz", axis, y.ndim)[0]
    size = y.shape[axis]
    means = (ops.narrow(y, axis, 1, size - 1) + ops.narrow(y, axis, 0, size - 1)) / 2
    if x is None:
        return ops.sum(means * dx, dim=axis)
    steps = diff(floating(x))
    if steps.ndim == 1:
        steps = steps.reshape([-1 if i == axis else 1 for i in range(y.ndim)])
    return ops.sum(means * steps, dim=axis)


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """Values at `x` on the lines through the points (xp, fp), `xp` increasing.

    Args:
        x: Where, of any shape.
        xp, fp: Coordinates of the points, two vectors.
        left, right: Values below the first and above the last point; by default those of these points.

    Examples:
        >>> print(mnp.interp([0.5, 2.0, 9.0], [0.0, 1.0, 3.0], [0.0, 10.0, 30.0], right=-1.0))
        [ 5. 20. -1.]
    """
    x, xp, fp = floating(x), floating(xp), floating(fp)
    at = ops.clamp(ops.searchsorted(xp, x.reshape((-1,)), right=True), 1, xp.shape[0] - 1)
    low, high = ops.gather(xp, at - 1, 0), ops.gather(xp, at, 0)
    begin, end = ops.gather(fp, at - 1, 0), ops.gather(fp, at, 0)
    flat = x.reshape((-1,))
    result = begin + (end - begin) * (flat - low) / (high - low)
    result = ops.where(
        flat < xp[0], tensor(fp[0] if left is None else left).astype(fp.dtype), result
    )
    result = ops.where(
        flat > xp[-1], tensor(fp[-1] if right is None else right).astype(fp.dtype), result
    )
    return result.reshape(x.shape)


def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """Convolution of two vectors, in their common type.

    Args:
        a, v: Two vectors.
        mode: 'full', 'same' (the middle, as long as the longer one) or 'valid' (where they overlap wholly).

    Raises:
        ValueError: If `mode` is another, or either is no vector.

    Examples:
        >>> print(mnp.convolve([1, 2, 3], [1, 1]), mnp.convolve([1, 2, 3], [1, 1], "valid"))
        [1 3 5 3] [3 5]
    """
    a, v = tensor(a), tensor(v)
    a, v = (v, a) if v.size > a.size else (a, v)         # the same, and the middle is that of the longer one
    result = correlate(a, ops.flip(v, (0,)), mode, "convolve")
    return result.astype((a.reshape((-1,))[:1] * v.reshape((-1,))[:1]).dtype)


def correlate(a: Any, v: Any, mode: str = "valid", _owner: str = "correlate") -> Any:
    """Correlation of two vectors.

    Args:
        a, v: Two vectors.
        mode: 'full', 'same' (the middle, as long as the longer one) or 'valid' (where they overlap wholly).

    Raises:
        ValueError: If `mode` is another, or either is no vector.

    Examples:
        >>> print(mnp.correlate([1, 2, 3], [0, 1]), mnp.correlate([1, 2, 3], [0, 1], "full"))
        [2. 3.] [1. 2. 3. 0.]
    """
    a, v = floating(a), floating(v)
    if mode not in ("full", "same", "valid"):
        raise ValueError(
            f"For '{_owner}', the 'mode' must be 'full', 'same' or 'valid', but got {mode!r}."
        )
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(
            f"For '{_owner}', both must be vectors, but have the shapes {a.shape} and {v.shape}."
        )
    turned = a.shape[0] < v.shape[0]
    long, short = (v, a) if turned else (a, v)
    n = short.shape[0]
    before = {"valid": 0, "full": n - 1, "same": n // 2}[mode]
    after = {"valid": 0, "full": n - 1, "same": n - 1 - before}[mode]
    long = ops.pad(long, (before, after))
    count = long.shape[0] - n + 1
    result = ops.stack([ops.sum(long[i : i + n] * short) for i in range(count)])
    return ops.flip(result, (0,)) if turned else result


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Slopes along axes: central differences inside, one-sided ones at the edges.

    Args:
        f: The samples.
        varargs: The distance of samples: none (1), one number for all axes, or one for each.
        axis: The axes; None for all.
        edge_order: 1; no other is supported.

    Returns:
        A tensor; a list of them, one for each axis, if there are several.

    Raises:
        ValueError: If an axis has less than two elements, or `edge_order` is not 1.
        TypeError: If there is neither one distance nor one for each axis.

    Examples:
        >>> print(mnp.gradient([1.0, 2.0, 4.0, 7.0]), mnp.gradient([1.0, 2.0, 4.0], 2.0))
        [1.  1.5 2.5 3. ] [0.5  0.75 1.  ]
    """
    f = floating(f)
    if edge_order != 1:
        raise ValueError(f"For 'gradient', the 'edge_order' must be 1, but got {edge_order}.")
    axes = axes_of("gradient", axis, f.ndim)
    steps = varargs * len(axes) if len(varargs) == 1 else varargs or (1,) * len(axes)
    if len(steps) != len(axes):
        raise TypeError(
            f"For 'gradient', there must be one step or one per axis, but got {len(varargs)}."
        )
    result = []
    for a, step in zip(axes, steps, strict=True):
        size = f.shape[a]
        if size < 2:
            raise ValueError(
                f"For 'gradient', every axis must have 2 elements, but the shape is {f.shape}."
            )
        parts = [ops.narrow(f, a, 1, 1) - ops.narrow(f, a, 0, 1)]
        if size > 2:
            parts.append((ops.narrow(f, a, 2, size - 2) - ops.narrow(f, a, 0, size - 2)) / 2)
        parts.append(ops.narrow(f, a, size - 1, 1) - ops.narrow(f, a, size - 2, 1))
        result.append(ops.cat(parts, a) / step)
    return result[0] if len(result) == 1 else result


def unwrap(p: Any, discont: float = math.pi, axis: int = -1) -> Any:
    """Angles without jumps of more than `discont`: whole turns are added.

    Args:
        p: Angles in radians.
        discont: The greatest jump that stays.
        axis: The axis of the angles.

    Examples:
        >>> print(mnp.unwrap([0.0, 3.0, -3.0]))
        [0.        3.        3.2831855]
    """
    p = floating(p)
    axis = axes_of("unwrap", axis, p.ndim)[0]
    steps = diff(p, axis=axis)
    turned = ops.floor_mod(steps + math.pi, 2 * math.pi) - math.pi
    turned = ops.where(ops.logical_and(turned == -math.pi, steps > 0), -turned, turned)
    correction = ops.where(ops.abs(steps) < discont, steps * 0, turned - steps)
    moved = ops.narrow(p, axis, 1, p.shape[axis] - 1) + ops.cumsum(correction, axis)
    return ops.cat([ops.narrow(p, axis, 0, 1), moved], axis)


__all__ = ["convolve", "correlate", "diff", "ediff1d", "gradient", "interp", "trapz", "unwrap"]
