"""Functions of elements that are composed of operators."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import as_dtype, int64
from mindspore.core.errors import kind
from mindspore.eager.tensor import is_tensor
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import known
from mindspore.operators import (
    arithmetic,
    logical,
    numbers,
    python_numbers,
    quotients,
    rounding,
)
from mindspore.operators.infix import operand
from mindspore.operators.structure import cast, copied

from .arguments import only
from .spelling import spelled


def _scaled(owner: str, other: Any, alpha: Any) -> Any:
    if isinstance(alpha, bool) or not (is_tensor(alpha) or isinstance(alpha, (int, float))):
        raise TypeError(f"For '{owner}', the 'alpha' must be a number, but got {alpha!r}.")
    return other if type(alpha) is int and alpha == 1 else other * alpha


def _add(self: Any, other: Any, *, alpha: Any = 1) -> Any:
    """self + alpha * other, with broadcasting.

    Args:
        other: A tensor, a number, or a list of numbers.
        alpha: A number, the factor of `other`.

    Returns:
        A tensor of the broadcast shape, in the wider dtype.

    Raises:
        TypeError: If `alpha` is no number.

    Examples:
        >>> Tensor([1, 2]).add(Tensor([10, 20]), alpha=2).tolist()
        [21, 42]
    """
    return arithmetic.add(self, _scaled("add", _listed(other, self), alpha))


def _sub(self: Any, other: Any, *, alpha: Any = 1) -> Any:
    """self - alpha * other, with broadcasting.

    Args:
        other: A tensor, a number, or a list of numbers.
        alpha: A number, the factor of `other`.

    Returns:
        A tensor of the broadcast shape, in the wider dtype; bool (exclusive or) for two bool tensors.

    Raises:
        TypeError: If `alpha` is no number.

    Examples:
        >>> Tensor([10, 20]).sub(Tensor([1, 2]), alpha=2).tolist()
        [8, 16]
    """
    if alpha == 1 and all(is_tensor(x) and x.dtype.kind == "b" for x in (self, other)):
        return arithmetic.sub(self, other)             # the method keeps bools, the function counts them
    return subtract(self, _listed(other, self), alpha=alpha)


def _listed(other: Any, x: Any) -> Any:
    """A list or tuple as a tensor, which only the methods `add` and `sub` take; other values unchanged."""
    return operand(other, x) if isinstance(other, (list, tuple)) else other


def subtract(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input - alpha * other, with broadcasting.

    Args:
        input, other: Tensors, or a tensor and a number.
        alpha: A number, the factor of `other`.

    Returns:
        A tensor of the broadcast shape, in the wider dtype; int64 for two bool tensors.

    Raises:
        TypeError: If `alpha` is no number.

    Examples:
        >>> ops.subtract(Tensor([10, 20]), Tensor([1, 2]), alpha=2).tolist()
        [8, 16]
    """
    if all(is_tensor(x) and x.dtype.kind == "b" for x in (input, other)):
        input = cast(input, dtype=int64)
    return arithmetic.sub(input, _scaled("subtract", other, alpha))


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    """input / other, with broadcasting; on request as a whole number.

    Args:
        input, other: Tensors, or a tensor and a number.
        rounding_mode: None for the quotient itself, "floor" to round it down, "trunc" to round it towards zero.

    Returns:
        A tensor of the broadcast shape; floating point for None, else the wider dtype of the operands.

    Raises:
        ValueError: If `rounding_mode` is another one.

    Examples:
        >>> ops.div(Tensor([-7.0, 7.0]), 2.0).tolist()
        [-3.5, 3.5]
        >>> ops.div(Tensor([-7, 7]), 2, rounding_mode="floor").tolist()
        [-4, 3]
        >>> ops.div(Tensor([-7, 7]), 2, rounding_mode="trunc").tolist()
        [-3, 3]
    """
    if rounding_mode is None:
        return arithmetic.div(input, other)
    if rounding_mode == "floor":
        return quotients.floor_div(input, other)
    if rounding_mode == "trunc":
        return quotients.truncate_div(input, other)
    raise ValueError(f"For 'div', the 'rounding_mode' must be None, 'floor' or 'trunc', but got "
                     f"{rounding_mode!r}.")


divide = div


def true_divide(dividend: Any, divisor: Any) -> Any:
    """dividend / divisor, with broadcasting; integers are divided as floats.

    Args:
        dividend, divisor: Tensors, or a tensor and a number.

    Returns:
        A floating-point or complex tensor of the broadcast shape.

    Examples:
        >>> ops.true_divide(Tensor([1, 3]), 2).tolist()
        [0.5, 1.5]
    """
    return arithmetic.div(dividend, divisor)


def frac(x: Any) -> Any:
    """x - trunc(x), the fractional part, with the sign of the element.

    Args:
        x: A tensor of any shape.

    Returns:
        A tensor of its shape and dtype; bools become zeros of int64.

    Raises:
        TypeError: If `x` is no tensor.

    Examples:
        >>> ops.frac(Tensor([1.5, -1.25])).tolist()
        [0.5, -0.25]
    """
    return arithmetic.sub(x, rounding.trunc(x)) if only("frac", x).dtype.kind != "b" else cast(x ^ x, dtype=int64)


def positive(input: Any) -> Any:
    """The tensor itself, +input.

    Args:
        input: A tensor of numbers.

    Returns:
        The same tensor.

    Raises:
        TypeError: If `input` is no tensor, or holds bools.

    Examples:
        >>> ops.positive(Tensor([-1, 2])).tolist()
        [-1, 2]
    """
    if only("positive", input).dtype.kind == "b":
        raise TypeError("For 'positive', the input must hold numbers, but got a bool tensor.")
    return input


# ---------------------------------------------------------------------- clamping

def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """The elements, but at least `min` and at most `max`.

    Args:
        input: A tensor, or a list or tuple of tensors.
        min, max: The bounds: numbers, tensors that broadcast to `input`, or None for no bound. Where `min`
            exceeds `max` the result is `max`.

    Returns:
        A tensor of the shape of `input`; of several tensors a tuple.

    Raises:
        ValueError: If both bounds are None.
        TypeError: If `input` is no tensor, or a bound neither number nor tensor.

    Examples:
        >>> ops.clamp(Tensor([1.0, 5.0, 9.0]), 2.0, 6.0).tolist()
        [2.0, 5.0, 6.0]
    """
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
    "clamp", "clip", "clip_by_value", "div", "divide", "frac", "positive", "subtract", "true_divide",
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


def _bitwise_not(self: Any) -> Any:
    """The bits of the integers flipped, -x - 1 for signed ones; of bools not x.

    Returns:
        A tensor of the shape and dtype.

    Examples:
        >>> Tensor([0, 5]).bitwise_not().tolist()
        [-1, -6]
    """
    return logical.invert(self)


def _real(self: Any) -> Any:
    """The real parts of the elements.

    Returns:
        A real tensor.

    Examples:
        >>> Tensor([1 + 2j]).real().tolist()
        [1.0]
    """
    return numbers.real(self)


def _imag(self: Any) -> Any:
    """The imaginary parts of the elements, 0 of real ones.

    Returns:
        A real tensor.

    Examples:
        >>> Tensor([1 + 2j]).imag().tolist()
        [2.0]
    """
    return numbers.imag(self)


def _clip(self: Any, min: Any = None, max: Any = None, *, dtype: Any = None) -> Any:
    """The elements, but at least `min` and at most `max`; release 1 calls them `xmin` and `xmax`.

    Args:
        min, max: The bounds: numbers, tensors that broadcast, or None for no bound.
        dtype: Type of the result, as in release 1; None for that of the tensor.

    Returns:
        A tensor of the shape.

    Raises:
        TypeError: If a bound is no number and no tensor.
        ValueError: If both bounds are None.

    Examples:
        >>> Tensor([1.0, 5.0, 9.0]).clip(2.0, 6.0).tolist()
        [2.0, 5.0, 6.0]
        >>> Tensor([1.0, 5.0]).clip(xmin=2, xmax=6, dtype=mindspore.int32).tolist()
        [2, 5]
    """
    found = clamp(self, min, max)
    return found if dtype is None else cast(found, dtype=as_dtype(dtype))


METHODS = {
    "add": _add, "sub": _sub, "subtract": _sub, "div": div, "divide": div, "true_divide": true_divide,
    "__round__": _rounded, "value": _value, "frac": frac, "positive": positive, "clamp": clamp,
    "clip": spelled(xmin="min", xmax="max")(_clip),
    "bitwise_not": _bitwise_not, "real": _real, "imag": _imag,
}
