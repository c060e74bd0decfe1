"""Windows of a signal."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import as_dtype, float32, float64
from mindspore.operators import spectral

from .signatures import plain


def _window(owner: str, length: Any, periodic: bool, dtype: Any, *shape: float) -> Any:
    length = plain(length)
    if isinstance(length, bool) or not isinstance(length, int):
        raise TypeError(f"For '{owner}', the 'window_length' must be an int, but got {length!r}.")
    if length < 0:
        raise ValueError(f"For '{owner}', the 'window_length' must not be negative, but got {length}.")
    if not isinstance(periodic, bool):
        raise TypeError(f"For '{owner}', 'periodic' must be a bool, but got {periodic!r}.")
    wanted = as_dtype(dtype)
    if not wanted.is_floating:
        raise TypeError(f"For '{owner}', the 'dtype' must be floating point, but got {wanted}.")
    return spectral.window(kind=owner.partition("_")[0], length=length, periodic=periodic,
                           dtype=wanted, shape=shape)


def bartlett_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Any:
    """A triangle from 0 to 1 and back: 1 - abs(2 n / N - 1).

    Args:
        window_length: The number of elements, an int or a tensor with one.
        periodic: Whether N is the length itself, so that the window continues without a seam; else the length - 1.
        dtype: The element type. Default: float32.

    Returns:
        A vector.

    Examples:
        >>> ops.bartlett_window(4).tolist()
        [0.0, 0.5, 1.0, 0.5]
    """
    return _window("bartlett_window", window_length, periodic, dtype or float32)


def blackman_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Any:
    """0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N).

    Args:
        window_length: The number of elements, an int or a tensor with one.
        periodic: Whether N is the length itself, so that the window continues without a seam; else the length - 1.
        dtype: The element type. Default: float32.

    Returns:
        A vector.

    Examples:
        >>> print(abs(ops.blackman_window(4).asnumpy()).round(2))
        [0.   0.34 1.   0.34]
    """
    return _window("blackman_window", window_length, periodic, dtype or float32)


def hamming_window(window_length: Any, periodic: bool = True, alpha: float = 0.54,
                   beta: float = 0.46, *, dtype: Any = None) -> Any:
    """alpha - beta cos(2 pi n / N).

    Args:
        window_length: The number of elements, an int or a tensor with one.
        periodic: Whether N is the length itself, so that the window continues without a seam; else the length - 1.
        alpha, beta: Floats.
        dtype: The element type. Default: float32.

    Returns:
        A vector.

    Examples:
        >>> print(ops.hamming_window(4).asnumpy().round(3))
        [0.08 0.54 1.   0.54]
    """
    return _window("hamming_window", window_length, periodic, dtype or float32, alpha, beta)


def hann_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Any:
    """0.5 - 0.5 cos(2 pi n / N).

    Args:
        window_length: The number of elements, an int or a tensor with one.
        periodic: Whether N is the length itself, so that the window continues without a seam; else the length - 1.
        dtype: The element type. Default: float64.

    Returns:
        A vector.

    Examples:
        >>> print(ops.hann_window(4).asnumpy().round(3))
        [0.  0.5 1.  0.5]
    """
    return _window("hann_window", window_length, periodic, dtype or float64)


def kaiser_window(window_length: Any, periodic: bool = True, beta: float = 12.0, *,
                  dtype: Any = None) -> Any:
    """The Kaiser window: i0(beta sqrt(1 - (2 n / N - 1)^2)) / i0(beta).

    Args:
        window_length: The number of elements, an int or a tensor with one.
        periodic: Whether N is the length itself, so that the window continues without a seam; else the length - 1.
        beta: A float; the greater, the narrower is the window.
        dtype: The element type. Default: float64.

    Returns:
        A vector.

    Examples:
        >>> print(ops.kaiser_window(4, beta=1.0).asnumpy().round(3))
        [0.79  0.945 1.    0.945]
    """
    return _window("kaiser_window", window_length, periodic, dtype or float64, beta)


__all__ = [
    "bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window",
]
