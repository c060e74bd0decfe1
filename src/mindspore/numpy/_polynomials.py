"""Polynomials by their coefficients, the highest power first."""

from __future__ import annotations

import builtins
from typing import Any

from mindspore import ops

from ._series import convolve
from .arguments import floating, tensor


def polyval(p: Any, x: Any) -> Any:
    """Value of a polynomial, its highest coefficient first, as floats."""
    p, x = floating(p), floating(x)
    result = x * 0
    for i in range(p.shape[0]):
        result = result * x + p[i]
    return result


def polyadd(a1: Any, a2: Any) -> Any:
    """Sum of two polynomials."""
    a1, a2 = tensor(a1), tensor(a2)
    n = builtins.max(a1.shape[0], a2.shape[0])
    return ops.pad(a1, (n - a1.shape[0], 0)) + ops.pad(a2, (n - a2.shape[0], 0))


def polysub(a1: Any, a2: Any) -> Any:
    """Difference of two polynomials."""
    return polyadd(a1, -tensor(a2))


def polymul(a1: Any, a2: Any) -> Any:
    """Product of two polynomials."""
    return convolve(a1, a2)


def polyder(p: Any, m: int = 1) -> Any:
    """Derivative of a polynomial, `m` times."""
    p = tensor(p)
    for _ in range(m):
        n = p.shape[0]
        p = p[:-1] * tensor([n - 1 - i for i in range(n - 1)]).astype(p.dtype)
    return p


def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """Integral of a polynomial, `m` times, with the constants `k` (0)."""
    p = floating(p)
    constants = [0] * m if k is None else [k] * m if not isinstance(k, (list, tuple)) else list(k)
    for i in range(m):
        n = p.shape[0]
        p = p / tensor([n - j for j in range(n)]).astype(p.dtype)
        p = ops.cat([p, tensor([float(constants[i])]).astype(p.dtype)])
    return p


__all__ = ["polyadd", "polyder", "polyint", "polymul", "polysub", "polyval"]
