"""Polynomials by their coefficients, the highest power first."""

from __future__ import annotations

import builtins
from typing import Any

from mindspore import ops

from ._series import convolve
from .arguments import floating, tensor


def _coefficients(p: Any) -> Any:
    """The coefficients as a vector; a number is a polynomial of degree 0."""
    p = tensor(p)
    return p.reshape((1,)) if p.ndim == 0 else p


def polyval(p: Any, x: Any) -> Any:
    """Value of a polynomial, its highest coefficient first, as floats.

    Args:
        p: The coefficients, the highest power first.
        x: Where to compute it, of any shape.

    Examples:
        >>> print(mnp.polyval([2, 0, 1], [1, 3]))
        [ 3. 19.]
    """
    p, x = floating(_coefficients(p)), floating(x)
    result = x * 0
    for i in range(p.shape[0]):
        result = result * x + p[i]
    return result


def polyadd(a1: Any, a2: Any) -> Any:
    """Sum of two polynomials.

    Args:
        a1, a2: The coefficients of both, the highest power first; a number is a polynomial of degree 0.

    Examples:
        >>> print(mnp.polyadd([1, 2], [3, 4, 5]))
        [3 5 7]
    """
    a1, a2 = _coefficients(a1), _coefficients(a2)
    n = builtins.max(a1.shape[0], a2.shape[0])
    return ops.pad(a1, (n - a1.shape[0], 0)) + ops.pad(a2, (n - a2.shape[0], 0))


def polysub(a1: Any, a2: Any) -> Any:
    """Difference of two polynomials.

    Args:
        a1, a2: The coefficients of both, the highest power first; a number is a polynomial of degree 0.

    Examples:
        >>> print(mnp.polysub([1, 2], [3, 4, 5]))
        [-3 -3 -3]
    """
    return polyadd(a1, -tensor(a2))


def polymul(a1: Any, a2: Any) -> Any:
    """Product of two polynomials.

    Args:
        a1, a2: The coefficients of both, the highest power first; a number is a polynomial of degree 0.

    Examples:
        >>> print(mnp.polymul([1, 2], [1, -2]))
        [ 1  0 -4]
    """
    return convolve(_coefficients(a1), _coefficients(a2))


def polyder(p: Any, m: int = 1) -> Any:
    """Derivative of a polynomial, `m` times.

    Args:
        p: The coefficients, the highest power first.
        m: How often it is derived.

    Examples:
        >>> print(mnp.polyder([2, 3, 4]))
        [4 3]
    """
    p = _coefficients(p)
    for _ in range(m):
        n = p.shape[0]
        p = p[:-1] * tensor([n - 1 - i for i in range(n - 1)]).astype(p.dtype)
    return p


def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """Integral of a polynomial, `m` times, with the constants `k` (0).

    Args:
        p: The coefficients, the highest power first.
        m: How often it is integrated.
        k: The constants: a number for all, or a list with one for each time.

    Examples:
        >>> print(mnp.polyint([4, 3], k=7))
        [2. 3. 7.]
    """
    p = floating(_coefficients(p))
    constants = [0] * m if k is None else [k] * m if not isinstance(k, (list, tuple)) else list(k)
    for i in range(m):
        n = p.shape[0]
        p = p / tensor([n - j for j in range(n)]).astype(p.dtype)
        p = ops.cat([p, tensor([float(constants[i])]).astype(p.dtype)])
    return p


__all__ = ["polyadd", "polyder", "polyint", "polymul", "polysub", "polyval"]
