"""Functions of elements that are composed of operators."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import bfloat16, complex64, complex128, float32, float64, int64
from mindspore.core.errors import kind, show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import known
from mindspore.operators import (
    arithmetic,
    comparison,
    logical,
    numbers,
    powers,
    python_numbers,
    rounding,
    special,
)
from mindspore.operators.infix import operand
from mindspore.operators.structure import cast, copied

from .arguments import only
from .primitive import composed
from .signatures import plain


def _scaled(owner: str, other: Any, alpha: Any) -> Any:
    if isinstance(alpha, bool) or not (is_tensor(alpha) or isinstance(alpha, (int, float))):
        raise TypeError(f"For '{owner}', the 'alpha' must be a number, but got {alpha!r}.")
    return other if type(alpha) is int and alpha == 1 else other * alpha


def _add(self: Any, other: Any, *, alpha: Any = 1) -> Any:
    """self + alpha * other."""
    return arithmetic.add(self, _scaled("add", _listed(other, self), alpha))


def _sub(self: Any, other: Any, *, alpha: Any = 1) -> Any:
    """self - alpha * other."""
    return subtract(self, _listed(other, self), alpha=alpha)


def _listed(other: Any, x: Any) -> Any:
    """A list or tuple as a tensor, which only the methods `add` and `sub` take; other values unchanged."""
    return operand(other, x) if isinstance(other, (list, tuple)) else other


def subtract(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input - alpha * other; of bools as int64."""
    if all(is_tensor(x) and x.dtype.kind == "b" for x in (input, other)):
        input = cast(input, dtype=int64)
    return arithmetic.sub(input, _scaled("subtract", other, alpha))


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    """input / other; with `rounding_mode` "floor" or "trunc" as whole numbers."""
    if rounding_mode is None:
        return arithmetic.div(input, other)
    if rounding_mode == "floor":
        return arithmetic.floor_div(input, other)
    if rounding_mode == "trunc":
        return arithmetic.truncate_div(input, other)
    raise ValueError(f"For 'div', the 'rounding_mode' must be None, 'floor' or 'trunc', but got "
                     f"{rounding_mode!r}.")


divide = div


def true_divide(dividend: Any, divisor: Any) -> Any:
    """dividend / divisor."""
    return arithmetic.div(dividend, divisor)


def float_power(input: Any, exponent: Any) -> Any:
    """input ** exponent, computed in float64 or complex128."""
    values = [v for v in (input, exponent) if is_tensor(v)]
    if not values:
        raise TypeError("For 'float_power', one of the operands must be a Tensor.")
    complex_ = any(v.dtype.is_complex for v in values) or any(
        isinstance(v, complex) for v in (input, exponent))
    wanted = complex128 if complex_ else float64
    return powers.pow_(*[cast(v, dtype=wanted) if is_tensor(v) else v for v in (input, exponent)])


def frac(x: Any) -> Any:
    """x - trunc(x), the fractional part."""
    return arithmetic.sub(x, rounding.trunc(x)) if x.dtype.kind != "b" else cast(x ^ x, dtype=int64)


def deg2rad(x: Any) -> Any:
    """Degrees as radians."""
    _floats("deg2rad", x)
    return x * (math.pi / 180.0)


def rad2deg(x: Any) -> Any:
    """Radians as degrees."""
    _floats("rad2deg", x)
    return x * (180.0 / math.pi)


def _floats(owner: str, x: Any) -> None:
    if not only(owner, x).dtype.is_floating:
        raise TypeError(f"For '{owner}', the input must be floating point, but got {show(x)}.")


def exp2(input: Any) -> Any:
    """2 to the power input; float32 for bfloat16, as the original computes it."""
    return powers.exp2(cast(input, dtype=float32) if input.dtype is bfloat16 else input)


def ldexp(x: Any, other: Any) -> Any:
    """x * 2 ** other."""
    return x * powers.exp2(other if is_tensor(other) else Tensor(other))


def logit(input: Any, eps: Any = None) -> Any:
    """log(x / (1 - x)) of the elements, kept within [eps, 1 - eps] if `eps` is given."""
    only("logit", input)
    if eps is not None and (isinstance(eps, bool) or not isinstance(eps, float)):
        raise TypeError(f"For 'logit', the 'eps' must be a float, but got {eps!r}.")
    return special.logit(input, eps=-1.0 if eps is None else eps)


def positive(input: Any) -> Any:
    """The tensor itself."""
    if input.dtype.kind == "b":
        raise TypeError("For 'positive', the input must hold numbers, but got a bool tensor.")
    return input


def polygamma(n: Any, input: Any) -> Any:
    """The n-th derivative of the digamma function."""
    if is_tensor(n):
        return special.polygamma(n, input)
    order = plain(n)
    return special.digamma(input) if order == 0 else special.polygamma_of(input, n=order)


@composed("Mvlgamma(p)(x)")
def _mvlgamma(x: Any, *, p: int) -> Any:
    """The logarithm of the multivariate gamma function of dimension `p`."""
    return mvlgamma(x, check.positive_int("Mvlgamma", "p", p))


def mvlgamma(input: Any, p: int) -> Any:
    """The logarithm of the multivariate gamma function of dimension `p`."""
    total = p * (p - 1) / 4 * math.log(math.pi)
    for i in range(p):
        total = total + special.lgamma(input - i / 2)
    return total


def is_floating_point(input: Any) -> bool:
    """Whether the elements are floating-point numbers."""
    only("is_floating_point", input)
    return input.dtype.is_floating


def is_complex(input: Any) -> bool:
    """Whether the elements are complex numbers."""
    only("is_complex", input)
    return input.dtype in (complex64, complex128)


def is_nonzero(input: Any) -> bool:
    """Whether the only element is not zero."""
    only("is_nonzero", input)
    if input.size != 1:
        raise ValueError(f"For 'is_nonzero', the input must have one element, but got {show(input)}.")
    return bool(input.reshape(()) != 0)


def allclose(input: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8,
             equal_nan: bool = False) -> bool:
    """Whether all elements agree up to the tolerances."""
    close = comparison.is_close(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan)
    return bool(close.all())


# ---------------------------------------------------------------------- clamping

def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """The elements, but at least `min` and at most `max`; bounds are numbers or tensors."""
    if not is_tensor(input):
        if isinstance(input, (list, tuple)):
            return tuple([clamp(x, min, max) for x in input])
        raise TypeError(f"For 'clamp', the 'input' must be a Tensor, but got {kind(input)}.")
    if min is None and max is None:
        raise ValueError("For 'clamp', at least one of 'min' and 'max' must not be None.")
    for name, bound in (("min", min), ("max", max)):
        if bound is not None and not (is_tensor(bound) or isinstance(bound, (int, float))):
            raise TypeError(f"For 'clamp', the '{name}' must be a number or a Tensor, but got "
                            f"{kind(bound)}.")
    if is_tensor(min) != is_tensor(max) and min is not None and max is not None:
        return rounding.minimum(rounding.maximum(input, min), max)
    return numbers.clamp(input, min, max)


clip = clamp


def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """The elements of a tensor, or of a list of tensors, kept between two values: min(max(x, low), high), in its dtype.

    Args:
        x: A tensor of real numbers, or a list or tuple of some.
        clip_value_min: The lowest value, a number or a tensor that broadcasts; None for no bound.
        clip_value_max: The highest value, likewise.

    Returns:
        A tensor of the broadcast shape, or a tuple of tensors.

    Raises:
        ValueError: If both bounds are None, or the shapes do not broadcast.
        TypeError: If `x` is no tensor and no list of tensors.

    Examples:
        >>> ops.clip_by_value(Tensor([1.0, 5.0, 9.0]), 2.0, 6.0).tolist()
        [2.0, 5.0, 6.0]
    """
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', at least one of 'clip_value_min' and "
                         "'clip_value_max' must not be None.")
    if isinstance(x, (list, tuple)):
        return tuple([clip_by_value(v, clip_value_min, clip_value_max) for v in x])
    if not is_tensor(x):
        raise TypeError(f"For 'clip_by_value', 'x' must be a Tensor or a list of them, but got "
                        f"{kind(x)}.")
    kept = x.dtype
    if clip_value_min is not None:
        x = rounding.maximum(x, clip_value_min)
    if clip_value_max is not None:
        x = rounding.minimum(x, clip_value_max)
    return x if x.dtype is kept else cast(x, dtype=kept)


__all__ = [
    "clamp", "clip", "clip_by_value", "deg2rad", "div", "divide", "exp2", "float_power", "frac",
    "is_complex", "is_floating_point", "is_nonzero", "ldexp", "logit", "mvlgamma", "polygamma", "positive",
    "rad2deg", "subtract", "true_divide",
]


def _rounded(self: Any, ndigits: int | None = None) -> Any:
    """The elements rounded, for Python's `round`."""
    op = rounding.round_ if ndigits is None else rounding.round_number
    found = python_numbers.rounded(op, self, ndigits) if runtime.building else None
    return rounding.round_(self, decimals=ndigits or 0) if found is None else found


def _value(self: Any) -> Any:
    """The tensor, and of a parameter what it holds now.

    Returns:
        The tensor.

    Examples:
        >>> x = Tensor([1.0])
        >>> x.value() is x
        True
    """
    chosen = type(self) is Node and known(self).parameter is not None       # an `if` chose among some
    return copied(self) if chosen else self


METHODS = {
    "add": _add, "sub": _sub, "subtract": subtract, "div": div, "divide": div,
    "true_divide": true_divide, "exp2": exp2, "float_power": lambda self, other: float_power(self, other),
    "logit": logit, "__round__": _rounded, "value": _value,
    "frac": frac, "deg2rad": deg2rad, "rad2deg": rad2deg, "ldexp": ldexp, "positive": positive,
    "mvlgamma": mvlgamma, "allclose": allclose, "clamp": clamp,
    "clip": clip, "bitwise_not": lambda self: logical.invert(self),
    "approximate_equal": lambda self, other, tolerance=1e-5: comparison.approximate_equal(
        self, other, tolerance=tolerance),
    "real": lambda self: numbers.real(self), "imag": lambda self: numbers.imag(self),
}
