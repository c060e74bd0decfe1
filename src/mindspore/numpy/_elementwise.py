"""Functions of one or two numbers, element by element."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import float32

from .arguments import angular, cast, elementwise, floating, pairwise, tensor

_imported = set(globals())

abs = elementwise("abs", ops.abs, "Absolute value.")
absolute = elementwise("absolute", ops.abs, "Absolute value.")
fabs = elementwise("fabs", ops.abs, "Absolute value.")
arccosh = elementwise("arccosh", ops.acosh, "Inverse hyperbolic cosine.", angular)
arcsin = elementwise("arcsin", ops.asin, "Inverse sine.", angular)
arcsinh = elementwise("arcsinh", ops.asinh, "Inverse hyperbolic sine.", angular)
arctan = elementwise("arctan", ops.atan, "Inverse tangent.", angular)
arctanh = elementwise("arctanh", ops.atanh, "Inverse hyperbolic tangent.", angular)
ceil = elementwise("ceil", ops.ceil, "Least integer not below, as floats.", floating)
cos = elementwise("cos", ops.cos, "Cosine.", angular)
cosh = elementwise("cosh", ops.cosh, "Hyperbolic cosine.", angular)
deg2rad = elementwise("deg2rad", lambda x: x * (math.pi / 180), "Degrees in radians.", floating)
radians = elementwise("radians", lambda x: x * (math.pi / 180), "Degrees in radians.", floating)
rad2deg = elementwise("rad2deg", lambda x: x * (180 / math.pi), "Radians in degrees.", floating)
exp = elementwise("exp", ops.exp, "Exponential function.", floating)
exp2 = elementwise("exp2", lambda x: ops.pow(2, x), "2 to the power x.")
expm1 = elementwise("expm1", ops.expm1, "exp(x) - 1, exact around 0.", floating)
floor = elementwise("floor", ops.floor, "Greatest integer not above, as floats.", floating)
log = elementwise("log", ops.log, "Natural logarithm.", floating)
log10 = elementwise("log10", lambda x: ops.log(x) / math.log(10), "Logarithm to base 10.", floating)
log1p = elementwise("log1p", ops.log1p, "log(1 + x), exact around 0.", floating)
log2 = elementwise("log2", lambda x: ops.log(x) / math.log(2), "Logarithm to base 2.", floating)
rint = elementwise("rint", ops.round, "Nearest integer, the even one of two, as floats.", floating)
sign = elementwise("sign", ops.sign, "-1, 0 or 1, as floats.", floating)
sin = elementwise("sin", ops.sin, "Sine.", angular)
sinh = elementwise("sinh", ops.sinh, "Hyperbolic sine.", angular)
sqrt = elementwise("sqrt", ops.sqrt, "Square root.", floating)
square = elementwise("square", ops.square, "Square.")
tan = elementwise("tan", ops.tan, "Tangent.", angular)
tanh = elementwise("tanh", ops.tanh, "Hyperbolic tangent.", angular)
trunc = elementwise("trunc", ops.trunc, "The number without its decimals, as floats.", floating)
cbrt = elementwise(
    "cbrt", lambda x: ops.sign(x) * ops.pow(ops.abs(x), 1 / 3), "Cube root.", floating
)
invert = elementwise("invert", lambda x: -x - 1, "Bits turned round.")
bitwise_not = elementwise("bitwise_not", lambda x: -x - 1, "Bits turned round.")

add = pairwise("add", ops.add, "Sum of two tensors.")
subtract = pairwise("subtract", ops.sub, "Difference of two tensors.")
multiply = pairwise("multiply", ops.mul, "Product of two tensors.")
divide = pairwise("divide", ops.div, "Quotient of two tensors, as floats.", tensor)
true_divide = pairwise("true_divide", ops.div, "Quotient of two tensors, as floats.", tensor)
power = pairwise("power", ops.pow, "x1 to the power x2.")
float_power = pairwise(
    "float_power", lambda x, y: ops.pow(x.astype(float32), y.astype(float32)), "Power, as float32."
)
maximum = pairwise("maximum", ops.maximum, "The greater of two.")
minimum = pairwise("minimum", ops.minimum, "The smaller of two.")
floor_divide = pairwise("floor_divide", ops.floor_div, "Quotient rounded down.")
mod = pairwise("mod", ops.floor_mod, "Remainder with the sign of the divisor.")
remainder = pairwise("remainder", ops.floor_mod, "Remainder with the sign of the divisor.")
fmod = pairwise("fmod", ops.fmod, "Remainder with the sign of the dividend.")
arctan2 = pairwise("arctan2", ops.atan2, "Angle of the point (x2, x1).", angular)
hypot = pairwise("hypot", ops.hypot, "sqrt(x1^2 + x2^2).", floating)
copysign = pairwise(
    "copysign",
    lambda x, y: ops.copysign(floating(x), floating(y)).astype(x.dtype),
    "x1 with the sign of x2, in the type of x1.",
)
logaddexp = pairwise("logaddexp", ops.logaddexp, "log(exp(x1) + exp(x2)).", floating)
logaddexp2 = pairwise("logaddexp2", ops.logaddexp2, "log2(2^x1 + 2^x2).", floating)
gcd = pairwise("gcd", ops.gcd, "Greatest common divisor.")
lcm = pairwise("lcm", ops.lcm, "Least common multiple.")
heaviside = pairwise(
    "heaviside",
    lambda x, y: ops.where(x < 0, x * 0, ops.where(x > 0, x * 0 + 1, y)),
    "0 for negative, 1 for positive x1, x2 between.",
)
bitwise_and = pairwise("bitwise_and", ops.bitwise_and, "Bits that are set in both.")
bitwise_or = pairwise("bitwise_or", ops.bitwise_or, "Bits that are set in one.")
bitwise_xor = pairwise("bitwise_xor", ops.bitwise_xor, "Bits that are set in exactly one.")
matmul = pairwise("matmul", ops.matmul, "Matrix product; leading axes are broadcast.")


def arccos(input: Any, dtype: Any = None) -> Any:
    """Inverse cosine."""
    return cast(ops.acos(angular(input)), dtype)


def reciprocal(x: Any, dtype: Any = None) -> Any:
    """1 / x; of integers without decimals, as integers."""
    x = tensor(x)
    result = ops.reciprocal(floating(x))
    return cast(result.astype(x.dtype) if x.dtype.kind in "iu" else result, dtype)


def negative(a: Any, dtype: Any = None) -> Any:
    """-a."""
    return cast(-tensor(a), dtype)


def positive(a: Any, dtype: Any = None) -> Any:
    """a."""
    return cast(+tensor(a), dtype)


def fix(x: Any) -> Any:
    """The number without its decimals, as floats."""
    return ops.trunc(floating(x))


def divmod(x1: Any, x2: Any, dtype: Any = None) -> Any:
    """Quotient rounded down, and remainder."""
    return floor_divide(x1, x2, dtype), mod(x1, x2, dtype)


def around(a: Any, decimals: int = 0) -> Any:
    """Rounded to a number of decimals, halves to even."""
    a = tensor(a)
    if not a.dtype.is_floating:
        return a
    return ops.round(a * 10.0**decimals) / 10.0**decimals if decimals else ops.round(a)


round = around


def clip(x: Any, xmin: Any, xmax: Any, dtype: Any = None) -> Any:
    """Limited to [xmin, xmax], in the type of `x`; either may be None."""
    if xmin is None and xmax is None:
        raise ValueError("For 'clip', one of 'xmin' and 'xmax' must be given, but both are None.")
    if isinstance(x, int) and any(isinstance(limit, float) for limit in (xmin, xmax)):
        x = float(x)
    x = tensor(x)
    kept = x.dtype
    if xmin is not None:
        x = ops.maximum(x, xmin)
    if xmax is not None:
        x = ops.minimum(x, xmax)
    return cast(x.astype(kept), dtype)


__all__ = [name for name in globals() if name not in _imported and not name.startswith("_")]
