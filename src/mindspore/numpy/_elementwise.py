"""Functions of one or two numbers, element by element."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32

from .arguments import angular, cast, elementwise, floating, floating_pair, pairwise, tensor

_imported = set(globals())

abs = elementwise("abs", ops.abs, "Absolute value.", ("[-1.5, 2.0]", "[1.5 2. ]"))
absolute = elementwise("absolute", ops.abs, "Absolute value.", ("[-1.5, 2.0]", "[1.5 2. ]"))
fabs = elementwise("fabs", ops.abs, "Absolute value.", ("[-1.5, 2.0]", "[1.5 2. ]"))
arccosh = elementwise("arccosh", ops.acosh, "Inverse hyperbolic cosine.",
                      ("[1.0, 2.0]", "[0.       1.316958]"), angular)
arcsin = elementwise("arcsin", ops.asin, "Inverse sine.", ("[0.0, 1.0]", "[0.        1.5707964]"), angular)
arcsinh = elementwise("arcsinh", ops.asinh, "Inverse hyperbolic sine.",
                      ("[0.0, 1.0]", "[0.        0.8813736]"), angular)
arctan = elementwise("arctan", ops.atan, "Inverse tangent.", ("[0.0, 1.0]", "[0.        0.7853982]"), angular)
arctanh = elementwise("arctanh", ops.atanh, "Inverse hyperbolic tangent.",
                      ("[0.0, 0.5]", "[0.         0.54930615]"), angular)
ceil = elementwise("ceil", ops.ceil, "Least integer not below, as floats.", ("[1.2, -1.2]", "[ 2. -1.]"), floating)
cos = elementwise("cos", ops.cos, "Cosine.", ("[0.0, 1.0]", "[1.         0.54030234]"), angular)
cosh = elementwise("cosh", ops.cosh, "Hyperbolic cosine.", ("[0.0, 1.0]", "[1.        1.5430806]"), angular)
deg2rad = elementwise("deg2rad", lambda x: x * (math.pi / 180), "Degrees in radians.",
                      ("[0.0, 180.0]", "[0.        3.1415927]"), floating)
radians = elementwise("radians", lambda x: x * (math.pi / 180), "Degrees in radians.",
                      ("[0.0, 180.0]", "[0.        3.1415927]"), floating)
rad2deg = elementwise("rad2deg", lambda x: x * (180 / math.pi), "Radians in degrees.",
                      ("[0.0, mnp.pi]", "[  0. 180.]"), floating)
exp = elementwise("exp", ops.exp, "Exponential function.", ("[0.0, 1.0]", "[1.        2.7182817]"), floating)
exp2 = elementwise("exp2", lambda x: ops.pow(2, x), "2 to the power x.", ("[0.0, 3.0]", "[1. 8.]"))
expm1 = elementwise("expm1", ops.expm1, "exp(x) - 1, exact around 0.",
                    ("[0.0, 1.0]", "[0.        1.7182819]"), floating)
floor = elementwise("floor", ops.floor, "Greatest integer not above, as floats.",
                    ("[1.7, -1.2]", "[ 1. -2.]"), floating)
log = elementwise("log", ops.log, "Natural logarithm.", ("[1.0, 10.0]", "[0.        2.3025851]"), floating)
log10 = elementwise("log10", lambda x: ops.log(x) / math.log(10), "Logarithm to base 10.",
                    ("[1.0, 1000.0]", "[0. 3.]"), floating)
log1p = elementwise("log1p", ops.log1p, "log(1 + x), exact around 0.",
                    ("[0.0, 1.0]", "[0.        0.6931472]"), floating)
log2 = elementwise("log2", lambda x: ops.log(x) / math.log(2), "Logarithm to base 2.",
                   ("[1.0, 8.0]", "[0. 3.]"), floating)
rint = elementwise("rint", ops.round, "Nearest integer, the even one of two, as floats.",
                   ("[0.5, 1.5, 1.7]", "[0. 2. 2.]"), floating)
sign = elementwise("sign", ops.sign, "-1, 0 or 1, as floats.", ("[-3.0, 0.0, 2.0]", "[-1.  0.  1.]"), floating)
sin = elementwise("sin", ops.sin, "Sine.", ("[0.0, 1.0]", "[0.         0.84147096]"), angular)
sinh = elementwise("sinh", ops.sinh, "Hyperbolic sine.", ("[0.0, 1.0]", "[0.        1.1752012]"), angular)
sqrt = elementwise("sqrt", ops.sqrt, "Square root.", ("[4.0, 2.25]", "[2.  1.5]"), floating)
square = elementwise("square", ops.square, "Square.", ("[3, -4]", "[ 9 16]"))
tan = elementwise("tan", ops.tan, "Tangent.", ("[0.0, 1.0]", "[0.        1.5574077]"), angular)
tanh = elementwise("tanh", ops.tanh, "Hyperbolic tangent.", ("[0.0, 1.0]", "[0.        0.7615942]"), angular)
trunc = elementwise("trunc", ops.trunc, "The number without its decimals, as floats.",
                    ("[1.7, -1.7]", "[ 1. -1.]"), floating)
cbrt = elementwise("cbrt", lambda x: ops.sign(x) * ops.pow(ops.abs(x), 1 / 3), "Cube root.",
                   ("[8.0, -1.0]", "[ 2. -1.]"), floating)
invert = elementwise("invert", lambda x: -x - 1, "Bits turned round.", ("[0, 5]", "[-1 -6]"))
bitwise_not = elementwise("bitwise_not", lambda x: -x - 1, "Bits turned round.", ("[0, 5]", "[-1 -6]"))


def _quotient(x: Any, y: Any) -> Any:
    """x / y; integers are float32, as those of one type are, whatever their types."""
    if x.dtype.kind in "iu" and y.dtype.kind in "iu" and x.dtype is not y.dtype:
        x, y = x.astype(float32), y.astype(float32)
    return ops.div(x, y)


def _hypot(x: Any, y: Any) -> Any:
    return ops.sqrt(x * x + y * y) if x.dtype.is_complex else ops.hypot(x, y)


def _copysign(x: Any, y: Any) -> Any:
    """|x| with the sign of y; integers do not become floats, which would round them."""
    if x.dtype.kind == "i" and y.dtype.kind != "f":
        return ops.where(y < 0, -ops.abs(x), ops.abs(x))
    return ops.copysign(floating(x), floating(y)).astype(x.dtype)


add = pairwise("add", ops.add, "Sum of two tensors.", ("[1, 2], [10, 20]", "[11 22]"))
subtract = pairwise("subtract", ops.sub, "Difference of two tensors.", ("[10, 20], [1, 2]", "[ 9 18]"))
multiply = pairwise("multiply", ops.mul, "Product of two tensors.", ("[1, 2], [10, 20]", "[10 40]"))
divide = pairwise("divide", _quotient, "Quotient of two tensors, as floats.", ("[1, 6], 4", "[0.25 1.5 ]"))
true_divide = pairwise("true_divide", _quotient, "Quotient of two tensors, as floats.", ("[1, 6], 4", "[0.25 1.5 ]"))
power = pairwise("power", ops.pow, "x1 to the power x2.", ("[2, 3], [3, 2]", "[8 9]"))
float_power = pairwise(
    "float_power",
    lambda x, y: ops.pow(*[check.real("float_power", n, v).astype(float32) for n, v in (("x1", x), ("x2", y))]),
    "Power, as float32.",
    ("[2, 3], [3, 2]", "[8. 9.]"),
)
maximum = pairwise("maximum", ops.maximum, "The greater of two.", ("[1, 5], [4, 2]", "[4 5]"))
minimum = pairwise("minimum", ops.minimum, "The smaller of two.", ("[1, 5], [4, 2]", "[1 2]"))
floor_divide = pairwise("floor_divide", ops.floor_div, "Quotient rounded down.", ("[7, -7], 2", "[ 3 -4]"))
mod = pairwise("mod", ops.floor_mod, "Remainder with the sign of the divisor.", ("[7, -7], 3", "[1 2]"))
remainder = pairwise("remainder", ops.floor_mod, "Remainder with the sign of the divisor.", ("[7, -7], 3", "[1 2]"))
fmod = pairwise("fmod", ops.fmod, "Remainder with the sign of the dividend.", ("[7.0, -7.0], 3.0", "[ 1. -1.]"))
arctan2 = pairwise("arctan2", ops.atan2, "Angle of the point (x2, x1).",
                   ("[0.0, 1.0], [1.0, 0.0]", "[0.        1.5707964]"), angular)
hypot = pairwise("hypot", lambda x, y: _hypot(*floating_pair(x, y)), "sqrt(x1^2 + x2^2).",
                 ("[3.0, 5.0], [4.0, 12.0]", "[ 5. 13.]"))
copysign = pairwise(
    "copysign",
    _copysign,
    "x1 with the sign of x2, in the type of x1.",
    ("[1.0, 2.0], [-3.0, 0.5]", "[-1.  2.]"),
)
logaddexp = pairwise("logaddexp", ops.logaddexp, "log(exp(x1) + exp(x2)).",
                     ("[0.0, 1.0], [0.0, 2.0]", "[0.6931472 2.3132617]"), floating)
logaddexp2 = pairwise("logaddexp2", lambda x, y: ops.logaddexp2(*floating_pair(x, y)), "log2(2^x1 + 2^x2).",
                      ("[0.0, 1.0], [0.0, 1.0]", "[1. 2.]"))
gcd = pairwise("gcd", ops.gcd, "Greatest common divisor.", ("[12, 7], [18, 21]", "[6 7]"))
lcm = pairwise("lcm", ops.lcm, "Least common multiple.", ("[4, 3], [6, 5]", "[12 15]"))
heaviside = pairwise(
    "heaviside",
    lambda x, y: ops.where(x < 0, ops.zeros_like(x), ops.where(x > 0, ops.ones_like(x), ops.where(x == 0, y, x))),
    "0 for negative, 1 for positive x1, x2 between; nan stays.",
    ("[-2.0, 0.0, 3.0], 0.5", "[0.  0.5 1. ]"),
)
bitwise_and = pairwise("bitwise_and", ops.bitwise_and, "Bits that are set in both.", ("[12, 5], [10, 1]", "[8 1]"))
bitwise_or = pairwise("bitwise_or", ops.bitwise_or, "Bits that are set in one.", ("[12, 5], [10, 1]", "[14  5]"))
bitwise_xor = pairwise("bitwise_xor", ops.bitwise_xor, "Bits that are set in exactly one.",
                       ("[12, 5], [10, 1]", "[6 4]"))
matmul = pairwise("matmul", ops.matmul, "Matrix product; leading axes are broadcast.",
                  ("[[1, 2], [3, 4]], [[0, 1], [1, 0]]", "[[2 1]\n [4 3]]"))


def arccos(input: Any, dtype: Any = None) -> Any:
    """Inverse cosine.

    Args:
        input: A tensor, or numbers that make one, in [-1, 1].
        dtype: Type of the result; by default that of the computation.

    Examples:
        >>> print(mnp.arccos([1.0, 0.0]))
        [0.        1.5707964]
    """
    return cast(ops.acos(angular(input)), dtype)


def reciprocal(x: Any, dtype: Any = None) -> Any:
    """1 / x; of integers without decimals, as integers.

    Args:
        x: A tensor, or numbers that make one.
        dtype: Type of the result; by default that of `x`.

    Examples:
        >>> print(mnp.reciprocal([2.0, 4.0]), mnp.reciprocal([1, 2]))
        [0.5  0.25] [1 0]
    """
    x = tensor(x)
    result = ops.reciprocal(floating(x))
    return cast(result.astype(x.dtype) if x.dtype.kind in "iu" else result, dtype)


def negative(a: Any, dtype: Any = None) -> Any:
    """-a.

    Args:
        a: A tensor, or numbers that make one.
        dtype: Type of the result; by default that of `a`.

    Examples:
        >>> print(mnp.negative([1, -2]))
        [-1  2]
    """
    return cast(-tensor(a), dtype)


def positive(a: Any, dtype: Any = None) -> Any:
    """a.

    Args:
        a: A tensor, or numbers that make one.
        dtype: Type of the result; by default that of `a`.

    Examples:
        >>> print(mnp.positive([1, -2]))
        [ 1 -2]
    """
    return cast(+tensor(a), dtype)


def fix(x: Any) -> Any:
    """The number without its decimals, as floats.

    Args:
        x: A tensor, or numbers that make one.

    Examples:
        >>> print(mnp.fix([2.7, -2.7]))
        [ 2. -2.]
    """
    return ops.trunc(floating(x))


def divmod(x1: Any, x2: Any, dtype: Any = None) -> Any:
    """Quotient rounded down, and remainder.

    Args:
        x1, x2: Dividends and divisors: tensors, or numbers that make some; they are broadcast.
        dtype: Type of both results; by default the common type of the arguments.

    Returns:
        A pair of tensors.

    Examples:
        >>> quotient, rest = mnp.divmod([7, -7], 3)
        >>> print(quotient, rest)
        [ 2 -3] [1 2]
    """
    return floor_divide(x1, x2, dtype), mod(x1, x2, dtype)


def around(a: Any, decimals: int = 0) -> Any:
    """Rounded to a number of decimals, halves to even.

    Args:
        a: A tensor, or numbers that make one; ints change by negative `decimals` alone.
        decimals: How many digits behind the point stay; a negative number counts before the point.

    Raises:
        TypeError: If `decimals` is no int.

    Examples:
        >>> print(mnp.around([0.5, 1.5, 2.34]), mnp.around([2.34, 5.67], 1))
        [0. 2. 2.] [2.3 5.7]
    """
    if isinstance(decimals, bool) or not isinstance(decimals, int):
        raise TypeError(f"For 'around', the 'decimals' must be an int, but got {decimals!r}.")
    a = tensor(a)
    if not a.dtype.is_floating:
        return a if decimals >= 0 else _tens(a, 10**-decimals)
    return ops.round(a * 10.0**decimals) / 10.0**decimals if decimals else ops.round(a)


def _tens(a: Any, step: int) -> Any:
    """Ints rounded to multiples of a step, halves to even ones."""
    count = ops.floor_divide(a, step)
    rest = 2 * (a - count * step) - step
    up = ops.logical_or(rest > 0, ops.logical_and(rest == 0, count % 2 == 1))
    return ops.select(up, count + 1, count) * step


round = around


def clip(x: Any, xmin: Any, xmax: Any, dtype: Any = None) -> Any:
    """Limited to [xmin, xmax], in the type of `x`; either may be None.

    Args:
        x: A tensor, or numbers that make one.
        xmin, xmax: The least and greatest value: numbers or tensors that are broadcast with `x`; None: no
            limit.
        dtype: Type of the result; by default that of `x`.

    Raises:
        ValueError: If both limits are None.

    Examples:
        >>> print(mnp.clip([1, 5, 9], 2, 6))
        [2 5 6]
    """
    if xmin is None and xmax is None:
        raise ValueError("For 'clip', one of 'xmin' and 'xmax' must be given, but both are None.")
    if isinstance(x, int) and any(isinstance(limit, float) for limit in (xmin, xmax)):
        x = float(x)
    x = tensor(x)
    xmin, xmax = [tensor(limit) if isinstance(limit, (list, tuple)) else limit for limit in (xmin, xmax)]
    kept = x.dtype
    if xmin is not None:
        x = ops.maximum(x, xmin)
    if xmax is not None:
        x = ops.minimum(x, xmax)
    return cast(x.astype(kept), dtype)


__all__ = [name for name in globals() if name not in _imported and not name.startswith("_")]
