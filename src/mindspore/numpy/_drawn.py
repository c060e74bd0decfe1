"""Windows, and random numbers."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import as_dtype, float32, int32


def _cosines(owner: str, length: int, *factors: float) -> Any:
    check.integer(owner, "M", length)
    t = 2 * math.pi * ops.arange(length).astype(float32) / max(length - 1, 1)
    result = factors[0]
    for i, factor in enumerate(factors[1:], 1):
        result = result + factor * ops.cos(i * t)
    return result if length > 1 else ops.ones((length,))


def hamming(M: int) -> Any:
    """Hamming window.

    Args:
        M: How many samples.

    Examples:
        >>> print(mnp.hamming(3))
        [0.08000001 1.         0.08000001]
    """
    return _cosines("hamming", M, 0.54, -0.46)


def hanning(M: int) -> Any:
    """Hann window.

    Args:
        M: How many samples.

    Examples:
        >>> print(mnp.hanning(5))
        [0.  0.5 1.  0.5 0. ]
    """
    return _cosines("hanning", M, 0.5, -0.5)


def blackman(M: int) -> Any:
    """Blackman window.

    Args:
        M: How many samples.

    Examples:
        >>> round(mnp.blackman(5)[2].item(), 5)
        1.0
    """
    return _cosines("blackman", M, 0.42, -0.5, 0.08)


def bartlett(M: int) -> Any:
    """Triangular window.

    Args:
        M: How many samples.

    Examples:
        >>> print(mnp.bartlett(5))
        [0.  0.5 1.  0.5 0. ]
    """
    if check.integer("bartlett", "M", M) < 2:
        return ops.ones((M,))
    return 1 - ops.abs(2 * ops.arange(M).astype(float32) / (M - 1) - 1)


def rand(*shape: Any, dtype: Any = float32) -> Any:
    """Random numbers, equally distributed in [0, 1).

    Args:
        shape: The lengths of the axes, or one tuple of them.
        dtype: Type of the elements.

    Examples:
        >>> x = mnp.rand(2, 3)
        >>> x.shape, bool((x >= 0).all()), bool((x < 1).all())
        ((2, 3), True, True)
    """
    return ops.rand(*_lengths(shape), dtype=as_dtype(dtype))


def randn(*shape: Any, dtype: Any = float32) -> Any:
    """Random numbers of the standard normal distribution.

    Args:
        shape: The lengths of the axes, or one tuple of them.
        dtype: Type of the elements.

    Examples:
        >>> mnp.randn(2, 3).shape
        (2, 3)
    """
    return ops.randn(*_lengths(shape), dtype=as_dtype(dtype))


def _lengths(shape: Any) -> tuple[int, ...]:
    return (
        tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else tuple(shape)
    )


def randint(minval: int, maxval: int | None = None, shape: Any = None, dtype: Any = int32) -> Any:
    """Random ints in [minval, maxval), or [0, minval).

    Args:
        minval, maxval: The bounds.
        shape: The shape; None: a single number.
        dtype: Type of the numbers.

    Examples:
        >>> x = mnp.randint(2, 5, (100,))
        >>> x.shape, x.min().item() >= 2, x.max().item() < 5
        ((100,), True, True)
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    shape = (shape,) if isinstance(shape, int) else shape
    return ops.randint(low, high, () if shape is None else tuple(shape)).astype(as_dtype(dtype))


__all__ = [
    "bartlett",
    "blackman",
    "hamming",
    "hanning",
    "rand",
    "randint",
    "randn",
]
