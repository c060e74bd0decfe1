"""Whole numbers, limits of the number line, and complex numbers, element by element."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import complex64, complex128, float32, float64
from mindspore.core.errors import show
from mindspore.ir import Aval

from . import torch_private
from .comparison import greater, is_finite, less
from .powers import sign
from .registry import operator
from .rules import BINARY, ELEMENTWISE, broadcast, broadcasting, dividing, fit, kept, same, tensors
from .samples import Values, between, positive
from .structure import cast
from .torch_private import broadcast_tensors
from .traits import NOT_HOLOMORPHIC, STREAMING, STRICT, WIDEN_UNSIGNED
from .values import Value

_WHOLE: list[Any] = [(Values((2, 3), 1, 50, "int32"), Values((2, 3), 1, 50, "int32"))]
_TWO: list[Any] = [((2, 3), (2, 3)), ((2, 3), (3,))]


# ---------------------------------------------------------------------- whole numbers

@operator(primitive="Gcd()(input, other)", function="gcd(input, other)", method="gcd(other)",
          promote=True, dims=BINARY, samples=_WHOLE)
def gcd(x: Tensor, y: Tensor):
    """The greatest common divisor."""
    return torch.gcd(*tensors(x, y))


@operator(primitive="Lcm()(x1, x2)", function="lcm(input, other)", method="lcm(other)",
          promote=True, dims=BINARY, samples=_WHOLE)
def lcm(x: Tensor, y: Tensor):
    """The least common multiple."""
    return torch.lcm(*tensors(x, y))


for _op in (gcd, lcm):
    _op.shape(broadcasting(_op.name))


# ---------------------------------------------------------------------- the number line

@operator(primitive="Heaviside()(x, values)", function="heaviside(input, values)",
          method="heaviside(values)", promote=True, dims=BINARY, samples=_TWO, traits={WIDEN_UNSIGNED})
def heaviside(x: Tensor, values: Tensor):
    """0 for negative x, 1 for positive x, `values` where x is 0."""
    return torch.heaviside(*tensors(x, values))


@operator(primitive="NextAfter()(input, other)", function="nextafter(input, other)",
          method="nextafter(other)", promote=True, dims=BINARY, samples=_TWO)
def next_after(x: Tensor, y: Tensor):
    """The next floating-point number after x in the direction of y."""
    return torch.nextafter(*tensors(x, y))


@operator(hidden=True, function="copysign(x, other)", method="copysign(other)", promote="first",
          dims=BINARY, samples=_TWO)
def copysign(x: Tensor, y: Tensor):
    """The absolute value of x with the sign of y."""
    return torch.copysign(*tensors(x, y))


heaviside.shape(broadcasting("Heaviside"))
next_after.shape(broadcasting("NextAfter"))
copysign.shape(dividing("copysign"))
heaviside.grad(needs="")(lambda dout: (None, None))
next_after.grad(needs="x")(lambda x, dout: (lambda: fit(dout, x), None))


@copysign.grad(needs="x out")
def _(x: Value, out: Value, dout: Value):
    return lambda: kept(fit(dout * sign(x) * sign(out), x), x), None


@operator(primitive="NanToNum(nan=None, posinf=None, neginf=None)(input)",
          function="nan_to_num(input, nan=None, posinf=None, neginf=None)",
          method="nan_to_num(nan=None, posinf=None, neginf=None)", dims=ELEMENTWISE,
          samples=[((2, 3),)])
def nan_to_num(x: Tensor, *, nan: Any = None, posinf: Any = None, neginf: Any = None):
    """x with finite numbers in place of NaN and of the infinities."""
    return torch.nan_to_num(x, nan, posinf, neginf)


nan_to_num.shape(same)


@nan_to_num.grad(needs="x")
def _(x: Value, dout: Value, **_: Any):
    return dout * cast(is_finite(x), dtype=dout.dtype),


@operator(hidden=True, promote=True,
          samples=[((2, 3), -0.5, 0.5), ((2, 3), None, 0.5), ((2, 3), (3,), between(2.0, 3.0, 3))],
          dims="..., ..., ... -> ...", traits={STREAMING})
def clamp(x: Tensor, low: Tensor | float | None = None, high: Tensor | float | None = None) -> Tensor:
    """x, but at least `low` and at most `high`."""
    return torch_private.clamp(x, low, high)


@clamp.shape
def _(x: Aval, low: Aval | float | None = None, high: Aval | float | None = None) -> Aval:
    shapes = [v.shape for v in (x, low, high) if type(v) is Aval]
    return Aval(broadcast(*shapes, name="Clamp"), x.dtype)


@clamp.grad(needs="x low high")
def _(x: Value, low: Value | float | None, high: Value | float | None, dout: Value):
    def where(test: Any) -> Any:
        return dout * cast(test, dtype=dout.dtype)

    def dx() -> Any:
        d = dout
        if low is not None:
            d = d * cast(x >= low, dtype=dout.dtype)
        return fit(d if high is None else d * cast(x <= high, dtype=dout.dtype), x)
    return (dx, lambda: fit(where(less(x, low)), low), lambda: fit(where(greater(x, high)), high))


# ---------------------------------------------------------------------- complex numbers

_REAL = {complex64: float32, complex128: float64}
_COMPLEX = {float32: complex64, float64: complex128}


def _real_part(x: Aval, **_: Any) -> Aval:
    return Aval(x.shape, _REAL.get(x.dtype, x.dtype))


@operator(primitive="Real()(input)", function="real(input)", dims=ELEMENTWISE, samples=[])
def real(x: Tensor):
    """The real part."""
    return x.real.clone() if x.is_complex() else x.clone()


@operator(primitive="Imag()(input)", function="imag(input)", dims=ELEMENTWISE, samples=[])
def imag(x: Tensor):
    """The imaginary part."""
    return x.imag.clone() if x.is_complex() else torch.zeros_like(x)


@operator(primitive="Conj()(input)", function="conj(input)", method="conj()", dims=ELEMENTWISE,
          samples=[((2, 3),)])
def conj(x: Tensor):
    """The complex conjugate."""
    return x.conj().resolve_conj() if x.is_complex() else x.clone()


@operator(primitive="Angle()(input)", function="angle(input)", method="angle()", dims=ELEMENTWISE,
          grad="torch", samples=[((2, 3),)])
def angle(x: Tensor):
    """The angle of a complex number in radians."""
    return torch.angle(x)


@operator(primitive="ComplexAbs()(x)", dims=ELEMENTWISE, grad="torch", samples=[])
def complex_abs(x: Tensor):
    """The absolute value of a complex number."""
    return torch.abs(x)


@operator(primitive="Complex()(real, imag)", dims=BINARY, samples=[], traits={NOT_HOLOMORPHIC})
def complex_(re: Tensor, im: Tensor):
    """re + i * im."""
    return torch.complex(*broadcast_tensors(re, im))


@operator(primitive="Polar()(abs, angle)", function="polar(abs, angle)", dims=BINARY, grad="torch", traits={STRICT},
          samples=[(positive(2, 3), (2, 3))])
def polar(r: Tensor, a: Tensor):
    """r * exp(i * a)."""
    if r.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"there are no complex numbers of parts of this type: {r.dtype}")
    return torch.complex(r * a.cos(), r * a.sin())      # torch's derivative of its own has the sign of r


for _op in (real, imag, complex_abs):
    _op.shape(_real_part)
conj.shape(same)


@angle.shape
def _(x: Aval) -> Aval:
    kept = _REAL.get(x.dtype, x.dtype)
    return Aval(x.shape, kept if kept.is_floating else float32)


def _joined(name: str) -> Any:
    def rule(a: Aval, b: Aval) -> Aval:
        if a.dtype is not b.dtype or a.dtype not in _COMPLEX:
            raise TypeError(f"For '{name}', both inputs must be float32, or both float64, but got "
                            f"{show(a)} and {show(b)}.")
        return Aval(broadcast(a.shape, b.shape, name=name), _COMPLEX[a.dtype])
    return rule


complex_.shape(_joined("Complex"))
polar.shape(_joined("Polar"))


@real.grad(needs="x")
def _(x: Value, dout: Value):
    return cast(dout, dtype=x.dtype),


@imag.grad(needs="x")
def _(x: Value, dout: Value):
    return (cast(dout, dtype=x.dtype) * 1j if x.dtype.is_complex else None),


@conj.grad(needs="")
def _(dout: Value):
    return conj(dout),


@complex_.grad(needs="re im")
def _(re: Value, im: Value, dout: Value):
    return lambda: fit(real(dout), re), lambda: fit(imag(dout), im)
