"""Powers, logarithms, gamma functions and angles, composed of operators."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import bfloat16, complex128, float32, float64
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import (
    powers,
    special,
)
from mindspore.operators.structure import cast

from .arguments import only
from .primitive import composed
from .signatures import plain


def float_power(input: Any, exponent: Any) -> Any:
    """input ** exponent, computed in float64, or in complex128 if an operand is complex.

    Args:
        input, exponent: Tensors of broadcastable shapes, or a tensor and a number.

    Returns:
        A float64 or complex128 tensor.

    Raises:
        TypeError: If neither operand is a tensor.

    Examples:
        >>> x = ops.float_power(Tensor([2, 3]), -1)
        >>> x.dtype, x.asnumpy().round(3).tolist()
        (mindspore.float64, [0.5, 0.333])
    """
    values = [v for v in (input, exponent) if is_tensor(v)]
    if not values:
        raise TypeError("For 'float_power', one of the operands must be a Tensor.")
    complex_ = any(v.dtype.is_complex for v in values) or any(
        isinstance(v, complex) for v in (input, exponent))
    wanted = complex128 if complex_ else float64
    return powers.pow_(*[cast(v, dtype=wanted) if is_tensor(v) else v for v in (input, exponent)])


def deg2rad(x: Any) -> Any:
    """Degrees as radians, x * pi / 180.

    Args:
        x: A floating-point tensor.

    Returns:
        A tensor of its shape and dtype.

    Raises:
        TypeError: If `x` is not floating point.

    Examples:
        >>> print(ops.deg2rad(Tensor([90.0, 180.0])).asnumpy().round(3))
        [1.571 3.142]
    """
    _floats("deg2rad", x)
    return x * (math.pi / 180.0)


def rad2deg(x: Any) -> Any:
    """Radians as degrees, x * 180 / pi.

    Args:
        x: A floating-point tensor.

    Returns:
        A tensor of its shape and dtype.

    Raises:
        TypeError: If `x` is not floating point.

    Examples:
        >>> print(ops.rad2deg(Tensor([0.0, np.pi / 2]).astype(mindspore.float32)).asnumpy().round(3))
        [ 0. 90.]
    """
    _floats("rad2deg", x)
    return x * (180.0 / math.pi)


def _floats(owner: str, x: Any) -> None:
    if not only(owner, x).dtype.is_floating:
        raise TypeError(f"For '{owner}', the input must be floating point, but got {show(x)}.")


def exp2(input: Any) -> Any:
    """2 to the power of each element.

    Args:
        input: A tensor; bfloat16 is computed and returned as float32, as the original does.

    Returns:
        A tensor of its shape, floating point.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.exp2(Tensor([0.0, 3.0, -1.0])).tolist()
        [1.0, 8.0, 0.5]
    """
    return powers.exp2(cast(input, dtype=float32) if only("exp2", input).dtype is bfloat16 else input)


def ldexp(x: Any, other: Any) -> Any:
    """x * 2 ** other, with broadcasting.

    Args:
        x: A tensor.
        other: A tensor or a number, the exponents.

    Returns:
        A floating-point tensor of the broadcast shape.

    Examples:
        >>> ops.ldexp(Tensor([1.0, 3.0]), Tensor([2, -1])).tolist()
        [4.0, 1.5]
    """
    return x * powers.exp2(other if is_tensor(other) else Tensor(other))


def logit(input: Any, eps: Any = None) -> Any:
    """The inverse of the sigmoid, log(x / (1 - x)).

    Args:
        input: A floating-point tensor of values in [0, 1].
        eps: A float: elements are kept within [eps, 1 - eps] first. Default: None, where elements outside of
            [0, 1] give NaN.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `input` is no tensor, or `eps` no float.

    Examples:
        >>> print(ops.logit(Tensor([0.1, 0.5, 1.0]), eps=0.1).asnumpy().round(3))
        [-2.197  0.     2.197]
    """
    only("logit", input)
    if eps is not None and (isinstance(eps, bool) or not isinstance(eps, float)):
        raise TypeError(f"For 'logit', the 'eps' must be a float, but got {eps!r}.")
    return special.logit(input, eps=-1.0 if eps is None else eps)


def polygamma(n: Any, input: Any) -> Any:
    """The n-th derivative of the digamma function, (-1)^(n+1) n! zeta(n + 1, x).

    Args:
        n: The order, an int or an integer tensor, not negative.
        input: A floating-point tensor.

    Returns:
        A tensor of the shape of `input` (broadcast with a tensor `n`).

    Examples:
        >>> print(ops.polygamma(1, Tensor([1.0, 0.5])).asnumpy().round(3))
        [1.645 4.935]
    """
    if is_tensor(n):
        return special.polygamma(n, input)
    order = plain(n)
    return special.digamma(input) if order == 0 else special.polygamma_of(input, n=order)


_DIMENSIONS = 65536        # of `mvlgamma`, which adds so many terms


def mvlgamma(input: Any, p: int) -> Any:
    """The logarithm of the multivariate gamma function: p (p - 1) / 4 log(pi) + sum over i < p of lgamma(x - i
    / 2).

    Args:
        input: A floating-point tensor of elements above (p - 1) / 2.
        p: The dimension, an int from 1 to 65536.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        TypeError: If `p` is no int.
        ValueError: If it is out of range.

    Examples:
        >>> print(ops.mvlgamma(Tensor([3.0, 4.0]), 2).asnumpy().round(3))
        [1.55  3.565]
    """
    check.integer("mvlgamma", "p", p, 1, _DIMENSIONS)
    total = p * (p - 1) / 4 * math.log(math.pi)
    for i in range(p):
        total = total + special.lgamma(input - i / 2)
    return total


@composed("Mvlgamma(p)(x)")
def _mvlgamma(x: Any, *, p: int) -> Any:
    """The logarithm of the multivariate gamma function of dimension `p`."""
    return mvlgamma(x, check.integer("Mvlgamma", "p", p, 1, _DIMENSIONS))


__all__ = [
    "deg2rad", "exp2", "float_power", "ldexp", "logit", "mvlgamma", "polygamma", "rad2deg",
]

def _float_power(self: Any, other: Any) -> Any:
    """self ** other, computed in float64, or in complex128 if one of them is complex.

    Args:
        other: A tensor that broadcasts, or a number.

    Returns:
        A float64 or complex128 tensor.

    Examples:
        >>> Tensor([2, 3]).float_power(2).tolist()
        [4.0, 9.0]
    """
    return float_power(self, other)


METHODS = {
    "exp2": exp2, "float_power": _float_power, "logit": logit,
    "deg2rad": deg2rad, "rad2deg": rad2deg, "ldexp": ldexp, "mvlgamma": mvlgamma,
}
