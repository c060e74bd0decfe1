"""Element-wise special functions: error, gamma and Bessel functions."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core import check
from mindspore.ir import Aval

from . import loops
from .comparison import equal, greater_equal, less_equal
from .logical import logical_and
from .masking import select
from .powers import exp, square, xlogy
from .powers import sign as _sign
from .registry import operator
from .rules import BINARY, ELEMENTWISE, dividing, fit, in_single, lifted, tensors
from .samples import between, positive
from .structure import cast
from .torch_private import as_list, broadcast_tensors, special, standard_gamma_grad, unique
from .values import Value

_ANY: list[Any] = [((2, 3),)]
_POSITIVE: list[Any] = [(positive(2, 3),)]
_SLOPE = 2.0 / math.sqrt(math.pi)


@operator(primitive="Erf()(input)", function="erf(input)", method="erf()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.erf({0})", inplace="erf_", onnx="Erf")
def erf(x: Tensor):
    """The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""
    return torch.erf(x)


erf.shape(lifted)
erf.loop(loops.erf)


@erf.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * exp(-square(x)) * _SLOPE,


@operator(primitive="Erfc()(input)", function="erfc(input)", method="erfc()", dims=ELEMENTWISE,
          samples=_ANY, code="torch.erfc({0})", inplace="erfc_")
def erfc(x: Tensor):
    """1 - erf(x), exact for large x."""
    return torch.erfc(x)


erfc.shape(lifted)


@erfc.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * exp(-square(x)) * -_SLOPE,


@operator(primitive="Erfinv()(input)", function="erfinv(input)", method="erfinv()",
          dims=ELEMENTWISE, samples=[(between(-0.9, 0.9, 2, 3),)])
def erfinv(x: Tensor):
    """The number with that error function."""
    return torch.erfinv(x)


erfinv.shape(lifted)


@erfinv.grad(needs="out")
def _(out: Value, dout: Value):
    return dout * exp(square(out)) * (1.0 / _SLOPE),


@operator(primitive="Logit(eps=-1.0)(input)", dims=ELEMENTWISE,
          samples=[(between(0.1, 0.9, 2, 3),), (between(0.1, 0.9, 2, 3), {"eps": 0.01})])
def logit(x: Tensor, *, eps: float | None = -1.0):
    """log(x / (1 - x)); x is first kept within [eps, 1 - eps] if eps is not negative."""
    return torch.logit(x, eps if eps is not None and eps >= 0 else None)


logit.shape(lifted)


@logit.grad(needs="x")
def _(x: Value, dout: Value, *, eps: float | None = -1.0):
    slope = dout / (x * (1 - x))
    low = eps if eps is not None and eps >= 0 else None
    low, high, outside = (0, 1, math.nan) if low is None else (low, 1 - low, 0.0)
    inside = logical_and(greater_equal(x, low), less_equal(x, high))
    return select(inside, slope, outside),


@operator(primitive="Lgamma()(x)", function="lgamma(input)", method="lgamma()", dims=ELEMENTWISE,
          samples=_POSITIVE)
def lgamma(x: Tensor):
    """The logarithm of the absolute value of the gamma function."""
    return torch.lgamma(x)


lgamma.shape(lifted)


@lgamma.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * digamma(x),


@operator(primitive="Digamma()(x)", function="digamma(input)", method="digamma()",
          dims=ELEMENTWISE, samples=_POSITIVE)
def digamma(x: Tensor):
    """The derivative of the logarithm of the gamma function."""
    return torch.digamma(x)


digamma.shape(lifted)


@digamma.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * polygamma_of(x, n=1),


@operator(hidden=True, dims=ELEMENTWISE, samples=[(positive(2, 3), {"n": 1})])
def polygamma_of(x: Tensor, *, n: int):
    """The n-th derivative of the digamma function."""
    return torch.polygamma(n, x)


polygamma_of.shape(lifted)


@polygamma_of.grad(needs="x")
def _(x: Value, dout: Value, *, n: int):
    return dout * polygamma_of(x, n=n + 1),


@operator(primitive="Polygamma()(a, x)", dims=BINARY, samples=[])
def polygamma(a: Tensor, x: Tensor):
    """The a-th derivative of the digamma function; `a` is a tensor of whole numbers."""
    x = x if x.is_floating_point() else check.real("Polygamma", "x", x).float()
    a, x = broadcast_tensors(a, x)
    out = torch.empty_like(x)
    for n in as_list(unique(a)):
        at = a == n
        out[at] = torch.polygamma(int(n), x[at])
    return out


@polygamma.shape
def _(a: Aval, x: Aval):
    return lifted(dividing("Polygamma")(x, a))


@polygamma.grad(needs="a x")
def _(a: Value, x: Value, dout: Value):
    return None, lambda: dout * polygamma(a + 1, x)


@operator(primitive="Zeta()(x, q)", function="zeta(input, other)", promote=True, dims=BINARY,
          samples=[])
@in_single
def zeta(x: Tensor, q: Tensor):
    """The Hurwitz zeta function, the sum of (k + q) ** -x over k = 0, 1, ..."""
    return special.zeta(*tensors(x, q))


zeta.shape(dividing("Zeta"))


@zeta.grad(needs="x q")
def _(x: Value, q: Value, dout: Value):
    """There is no closed form of the derivative by the exponent: it gets none."""
    return None, lambda: fit(-dout * x * zeta(x + 1, q), q)


@operator(primitive="Igamma()(a, x)", function="igamma(input, other)", method="igamma(other)",
          promote=True, dims=BINARY, samples=[])
@in_single
def igamma(a: Tensor, x: Tensor):
    """The lower regularised incomplete gamma function."""
    return special.gammainc(*tensors(a, x))


igamma.shape(dividing("Igamma"))


def _gamma_density(a: Any, x: Any) -> Any:
    """The derivative of `igamma` by x: the density of the gamma distribution, x^(a - 1) e^-x / Gamma(a)."""
    return exp(xlogy(a - 1, x) - x - lgamma(a))


@operator(hidden=True, dims=BINARY, grad="torch", samples=[])
@in_single
def igamma_slope(a: Tensor, x: Tensor):
    """The derivative of `igamma` by a.  A sample of a gamma distribution moves with a so that its
    quantile stays (implicit differentiation, Figurnov et al. 2018), and torch knows how it moves."""
    a, x = broadcast_tensors(*tensors(a, x))
    density = torch.exp(torch.xlogy(a - 1, x) - x - torch.lgamma(a))
    return -standard_gamma_grad(a.contiguous(), x.contiguous()) * density


igamma_slope.shape(dividing("Igamma"))


@igamma.grad(needs="a x")
def _(a: Value, x: Value, dout: Value):
    return lambda: fit(dout * igamma_slope(a, x), a), lambda: fit(dout * _gamma_density(a, x), x)


@operator(primitive="Igammac()(a, x)", function="igammac(input, other)", method="igammac(other)",
          promote=True, dims=BINARY, samples=[])
@in_single
def igammac(a: Tensor, x: Tensor):
    """The upper regularised incomplete gamma function."""
    return special.gammaincc(*tensors(a, x))


igammac.shape(dividing("Igammac"))


@igammac.grad(needs="a x")
def _(a: Value, x: Value, dout: Value):
    return lambda: fit(-dout * igamma_slope(a, x), a), lambda: fit(-dout * _gamma_density(a, x), x)


# ---------------------------------------------------------------------- Bessel functions

@operator(primitive="BesselI0()(x)", function="bessel_i0(x); i0(input)", method="i0()",
          dims=ELEMENTWISE, samples=_POSITIVE)
def bessel_i0(x: Tensor):
    """The modified Bessel function of the first kind, order 0."""
    return special.i0(x)


@operator(primitive="BesselI1()(x)", function="bessel_i1(x)", dims=ELEMENTWISE, samples=_POSITIVE)
def bessel_i1(x: Tensor):
    """The modified Bessel function of the first kind, order 1."""
    return special.i1(x)


@operator(primitive="BesselI0e()(x)", function="bessel_i0e(x)", dims=ELEMENTWISE,
          samples=_POSITIVE)
def bessel_i0e(x: Tensor):
    """exp(-abs(x)) times the modified Bessel function of the first kind, order 0."""
    return special.i0e(x)


@operator(primitive="BesselI1e()(x)", function="bessel_i1e(x)", dims=ELEMENTWISE,
          samples=_POSITIVE)
def bessel_i1e(x: Tensor):
    """exp(-abs(x)) times the modified Bessel function of the first kind, order 1."""
    return special.i1e(x)


@operator(primitive="BesselK0()(x)", function="bessel_k0(x)", dims=ELEMENTWISE, samples=_POSITIVE)
@in_single
def bessel_k0(x: Tensor):
    """The modified Bessel function of the second kind, order 0."""
    return special.modified_bessel_k0(x)


@operator(primitive="BesselK1()(x)", function="bessel_k1(x)", dims=ELEMENTWISE, samples=_POSITIVE)
@in_single
def bessel_k1(x: Tensor):
    """The modified Bessel function of the second kind, order 1."""
    return special.modified_bessel_k1(x)


@operator(primitive="BesselK0e()(x)", function="bessel_k0e(x)", dims=ELEMENTWISE,
          samples=_POSITIVE)
@in_single
def bessel_k0e(x: Tensor):
    """exp(x) times the modified Bessel function of the second kind, order 0."""
    return special.scaled_modified_bessel_k0(x)


@operator(primitive="BesselK1e()(x)", function="bessel_k1e(x)", dims=ELEMENTWISE,
          samples=_POSITIVE)
@in_single
def bessel_k1e(x: Tensor):
    """exp(x) times the modified Bessel function of the second kind, order 1."""
    return special.scaled_modified_bessel_k1(x)


@operator(primitive="BesselJ0()(x)", function="bessel_j0(x)", dims=ELEMENTWISE, samples=_POSITIVE)
@in_single
def bessel_j0(x: Tensor):
    """The Bessel function of the first kind, order 0."""
    return special.bessel_j0(x)


@operator(primitive="BesselJ1()(x)", function="bessel_j1(x)", dims=ELEMENTWISE, samples=_POSITIVE)
@in_single
def bessel_j1(x: Tensor):
    """The Bessel function of the first kind, order 1."""
    return special.bessel_j1(x)


@operator(primitive="BesselY0()(x)", function="bessel_y0(x)", dims=ELEMENTWISE, samples=_POSITIVE)
@in_single
def bessel_y0(x: Tensor):
    """The Bessel function of the second kind, order 0."""
    return special.bessel_y0(x)


@operator(primitive="BesselY1()(x)", function="bessel_y1(x)", dims=ELEMENTWISE, samples=_POSITIVE)
@in_single
def bessel_y1(x: Tensor):
    """The Bessel function of the second kind, order 1."""
    return special.bessel_y1(x)


for _bessel in (bessel_i0, bessel_i1, bessel_i0e, bessel_i1e, bessel_k0, bessel_k1, bessel_k0e,
                bessel_k1e, bessel_j0, bessel_j1, bessel_y0, bessel_y1):
    _bessel.shape(lifted)


def _per_x(out: Any, x: Any) -> Any:
    """J1(x) / x or I1(x) / x, whose limit at 0 is 1/2."""
    at_zero = cast(equal(x, 0), dtype=out.dtype)
    return out / (x + at_zero) + at_zero * 0.5


# The derivatives follow from the recurrences of Abramowitz and Stegun, sections 9.1 and 9.6.
bessel_i0.grad(needs="x")(lambda x, d: (d * bessel_i1(x),))
bessel_i1.grad(needs="x out")(lambda x, out, d: (d * (bessel_i0(x) - _per_x(out, x)),))
bessel_i0e.grad(needs="x out")(lambda x, out, d: (d * (bessel_i1e(x) - _sign(x) * out),))
bessel_i1e.grad(needs="x out")(
    lambda x, out, d: (d * (bessel_i0e(x) - out * _sign(x) - _per_x(out, x)),))
bessel_k0.grad(needs="x")(lambda x, d: (-d * bessel_k1(x),))
bessel_k1.grad(needs="x out")(lambda x, out, d: (-d * (bessel_k0(x) + out / x),))
bessel_k0e.grad(needs="x out")(lambda x, out, d: (d * (out - bessel_k1e(x)),))
bessel_k1e.grad(needs="x out")(lambda x, out, d: (d * (out * (1 - 1 / x) - bessel_k0e(x)),))
bessel_j0.grad(needs="x")(lambda x, d: (-d * bessel_j1(x),))
bessel_j1.grad(needs="x out")(lambda x, out, d: (d * (bessel_j0(x) - _per_x(out, x)),))
bessel_y0.grad(needs="x")(lambda x, d: (-d * bessel_y1(x),))
bessel_y1.grad(needs="x out")(lambda x, out, d: (d * (bessel_y0(x) - out / x),))
