"""float32 functions as straight-line code, for any number of lanes.

Errors over all float32 where the result is finite, in units of the last place: exp, log 1, rsqrt 2, sigmoid 3, tanh 5,
erf 7; `tests/compiler/kernels` measures them.  NaN gives NaN, and the limits at infinity are exact.  No `fptosi` of
a value that may be NaN or out of range, which LLVM leaves undefined: integers come from adding 1.5 * 2**23 and reading
the bits.  Results of exp below 2**-126 are 0: a masked softmax makes them by the thousand, and processors compute
them a hundred times slower.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from .text import Builder, Value

_MAGIC, _MAGIC_BITS = 12582912.0, 0x4B400000          # 1.5 * 2**23
_LOG2_E, _LN2_HIGH, _LN2_LOW = 1.44269504088896341, 0.693359375, -2.12194440e-4
_LOWEST, _HIGHEST = -87.336544, 89.0                  # exp is 0 below, infinite above
_EXP = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
_LOG = (7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
        2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)
_TANH = ((-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08,
          1.48572235717979e-05, 6.37261928875436e-04, 4.89352455891786e-03),
         (1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03))
_TANH_IS_ONE = 7.99881172180175781                    # the quotient is exactly 1 here
_ERF = ((-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
         -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02),
        (-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03,
         -1.42647390514189e-02))
_TINY, _ERF_SLOPE = 1e-4, 1.1283791670955126          # below, both are lines
_SQRT_HALF_BITS, _MANTISSA = 0x3F3504F3, 0x007FFFFF
_SMALLEST_NORMAL, _LIFT, _LIFT_BITS = 1.17549435e-38, 8388608.0, 23.0


def _polynomial(b: Builder, x: Value, coefficients: Sequence[float]) -> Value:
    found = b.fma(b.constant(coefficients[0], x.type), x, coefficients[1])
    for c in coefficients[2:]:
        found = b.fma(found, x, c)
    return found


def _clamped(b: Builder, x: Value, low: float, high: float) -> Value:
    """x between two bounds; NaN stays."""
    x = b.select(x < low, low, x)
    return b.select(x > high, high, x)


def exp(b: Builder, x: Value) -> Value:
    """2**n * e**r with |r| <= ln(2) / 2."""
    small = x < _LOWEST
    x = _clamped(b, x, _LOWEST, _HIGHEST)
    lifted = b.fma(x, _LOG2_E, _MAGIC)
    whole, n = lifted - _MAGIC, b.bitcast(lifted, "i32") - _MAGIC_BITS
    r = b.fma(whole, -_LN2_LOW, b.fma(whole, -_LN2_HIGH, x))
    p = b.fma(_polynomial(b, r, _EXP), r * r, r) + 1.0
    half = n >> 1                                     # two factors, because 2**128 is none
    first, second = [b.bitcast((k + 127) << 23, "float") for k in (half, n - half)]
    return b.select(small, 0.0, p * first * second)


def log(b: Builder, x: Value) -> Value:
    """n ln(2) + ln(m) with m between sqrt(1/2) and sqrt(2)."""
    tiny = x < _SMALLEST_NORMAL
    bits = b.bitcast(b.select(tiny, x * _LIFT, x), "i32")
    e = bits - _SQRT_HALF_BITS
    n = b.cast("sitofp", e >> 23, "float")
    n = b.select(tiny, n - _LIFT_BITS, n)
    f = b.bitcast((e & _MANTISSA) + _SQRT_HALF_BITS, "float") - 1.0
    square = f * f
    y = b.fma(square, -0.5, b.fma(n, _LN2_LOW, _polynomial(b, f, _LOG) * f * square))
    found = b.fma(n, _LN2_HIGH, f + y)
    infinite = b.constant(float("inf"), x.type)
    found = b.select(x.compare("oeq", infinite), infinite, found)
    found = b.select(x.compare("oeq", 0.0), float("-inf"), found)
    return b.select(x.compare("ult", 0.0), float("nan"), found)          # below 0, or NaN


def sigmoid(b: Builder, x: Value) -> Value:
    """1 / (1 + exp(-x))."""
    return 1.0 / (exp(b, -x) + 1.0)


def tanh(b: Builder, x: Value) -> Value:
    """A quotient of polynomials in x**2, times x."""
    tiny = b.intrinsic("fabs", x) < _TINY
    c = _clamped(b, x, -_TANH_IS_ONE, _TANH_IS_ONE)
    return b.select(tiny, x, c * _polynomial(b, c * c, _TANH[0]) / _polynomial(b, c * c, _TANH[1]))


def erf(b: Builder, x: Value) -> Value:
    """A quotient of polynomials in x**2, times x."""
    tiny = b.intrinsic("fabs", x) < _TINY
    c = _clamped(b, x, -4.0, 4.0)
    return b.select(tiny, x * _ERF_SLOPE, c * _polynomial(b, c * c, _ERF[0]) / _polynomial(b, c * c, _ERF[1]))


def rsqrt(b: Builder, x: Value) -> Value:
    """1 / sqrt(x)."""
    return 1.0 / b.intrinsic("sqrt", x)


FUNCTIONS: dict[str, Callable[[Builder, Value], Value]] = {
    "exp": exp, "log": log, "sigmoid": sigmoid, "tanh": tanh, "erf": erf, "rsqrt": rsqrt,
    "sqrt": lambda b, x: b.intrinsic("sqrt", x), "abs": lambda b, x: b.intrinsic("fabs", x), "neg": lambda b, x: -x,
}
# What is computed again costs more than what is loaded again.
COSTLY = {"exp", "log", "sigmoid", "tanh", "erf", "rsqrt", "sqrt", "div"}
