"""Discrete cosine transforms, with the arguments of `scipy.fft`: type 2, orthonormal."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import show
from mindspore.ops.arguments import tensor


def _prepared(owner: str, x: Any, type: Any, norm: Any) -> Any:
    """The tensor as float32, float64 or complex numbers."""
    if type != 2 or isinstance(type, bool):
        raise ValueError(f"For '{owner}', the 'type' must be 2, but got {type!r}.")
    if norm not in (None, "ortho"):
        raise ValueError(f"For '{owner}', the 'norm' must be None or 'ortho', but got {norm!r}.")
    x = tensor(owner, "x", x)
    if not x.ndim:
        raise ValueError(f"For '{owner}', the 'x' must have a dimension, but got {show(x)}.")
    return x if x.dtype.is_complex or (x.dtype.itemsize == 8 and x.dtype.is_floating) else x.astype(float32)


def _along(owner: str, transform: Any, x: Any, n: Any, axis: Any) -> Any:
    """One transform along an axis, of its first `n` elements or with zeros behind them."""
    at = check.integer(owner, "axis", axis, -x.ndim, x.ndim - 1)
    rows = ops.swapaxes(x, at, -1)
    if n is not None:
        rows = ops.pad(rows, (0, check.positive_int(owner, "n", n) - rows.shape[-1]))
    if not rows.shape[-1]:
        raise ValueError(f"For '{owner}', the 'x' must have elements along the axis {axis}, but got {show(x)}.")
    if rows.dtype.is_complex:
        one, other = transform(ops.real(rows)), transform(ops.imag(rows))
        return ops.swapaxes(one + other * 1j, at, -1)
    return ops.swapaxes(transform(rows), at, -1)


def _angles(n: int, dtype: Any) -> tuple[Any, Any]:
    """pi k / 2 n, and what each sum is multiplied by, for k from 0 on."""
    k = ops.arange(n).astype(dtype)
    first = (k == 0).astype(dtype)
    return k * (pi / (2 * n)), first * (sqrt(0.25 / n) - sqrt(0.5 / n)) + sqrt(0.5 / n)


def _cosines(x: Any) -> Any:
    """Half the Fourier transform of the row followed by its mirror image, turned by pi k / 2 n."""
    n = x.shape[-1]
    angle, scale = _angles(n, x.dtype)
    found = ops.rfft(ops.cat((x, ops.flip(x, (-1,))), -1))[..., :n]
    return (ops.real(found) * ops.cos(angle) + ops.imag(found) * ops.sin(angle)) * scale


def _from_cosines(x: Any) -> Any:
    """The row whose `_cosines` are given."""
    n = x.shape[-1]
    angle, scale = _angles(n, x.dtype)
    turned = ops.polar(x / scale, ops.broadcast_to(angle, tuple(x.shape)))
    return ops.irfft(ops.pad(turned, (0, 1)), 2 * n)[..., :n]


def _over_axes(owner: str, transform: Any, x: Any, s: Any, axes: Any) -> Any:
    s = (s,) if isinstance(s, int) else s
    axes = (axes,) if isinstance(axes, int) else axes
    if axes is None:
        axes = tuple(range(x.ndim)) if s is None else tuple(range(-len(s), 0))
    if s is not None and len(s) != len(axes):
        raise ValueError(f"For '{owner}', 's' and 'axes' must be of one length, but got {s!r} and {axes!r}.")
    for i, axis in enumerate(axes):
        x = _along(owner, transform, x, None if s is None else s[i], axis)
    return x


def dct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The orthonormal discrete cosine transform of type 2 along an axis.  Makhoul 1980.

    Args:
        x: A tensor.
        type: 2.
        n: How many elements are transformed, the first ones, or with zeros behind them; None: all.
        axis: The axis.
        norm: None or "ortho".

    Returns:
        float32; float64 or complex numbers for such x.

    Raises:
        TypeError: If x is no tensor, or `n` or `axis` no int.
        ValueError: If type or norm is another, or the axis does not exist.

    Examples:
        >>> mindspore.scipy.fft.dct(Tensor([1.0, 1.0, 1.0, 1.0])).tolist()
        [2.0, 0.0, 0.0, 0.0]
    """
    return _along("dct", _cosines, _prepared("dct", x, type, norm), n, axis)


def idct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `dct`.

    Args:
        x: A tensor.
        type: 2.
        n: How many elements are transformed, the first ones, or with zeros behind them; None: all.
        axis: The axis.
        norm: None or "ortho".

    Returns:
        float32; float64 or complex numbers for such x.

    Raises:
        TypeError, ValueError: As `dct`.

    Examples:
        >>> mindspore.scipy.fft.idct(Tensor([2.0, 0.0, 0.0, 0.0])).tolist()
        [1.0, 1.0, 1.0, 1.0]
    """
    return _along("idct", _from_cosines, _prepared("idct", x, type, norm), n, axis)


def dctn(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """`dct` along several axes.

    Args:
        x: A tensor.
        type: 2.
        s: How many elements are transformed along each axis; None: all.
        axes: The axes; None: all, or the last ones, as many as `s` has numbers.
        norm: None or "ortho".

    Returns:
        float32; float64 or complex numbers for such x.

    Raises:
        TypeError, ValueError: As `dct`, and if `s` and `axes` are not of one length.

    Examples:
        >>> mindspore.scipy.fft.dctn(ops.ones((2, 2))).round(decimals=3).abs().tolist()
        [[2.0, 0.0], [0.0, 0.0]]
    """
    return _over_axes("dctn", _cosines, _prepared("dctn", x, type, norm), s, axes)


def idctn(x: Any, type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """The inverse of `dctn`.

    Args:
        x: A tensor.
        type: 2.
        s: How many elements are transformed along each axis; None: all.
        axes: The axes; None: all, or the last ones, as many as `s` has numbers.
        norm: None or "ortho".

    Returns:
        float32; float64 or complex numbers for such x.

    Raises:
        TypeError, ValueError: As `dctn`.

    Examples:
        >>> mindspore.scipy.fft.idctn(Tensor([[2.0, 0.0], [0.0, 0.0]])).round(decimals=3).tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    """
    return _over_axes("idctn", _from_cosines, _prepared("idctn", x, type, norm), s, axes)


__all__ = ["dct", "dctn", "idct", "idctn"]
