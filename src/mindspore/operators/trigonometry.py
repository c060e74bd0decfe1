"""Element-wise trigonometric and hyperbolic functions and their inverses."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from .powers import rsqrt
from .registry import operator
from .rules import BINARY, ELEMENTWISE, dividing, fit, lifted, tensors
from .samples import between
from .values import Value

_ANY: list[Any] = [((2, 3),)]
_INSIDE: list[Any] = [(between(-0.9, 0.9, 2, 3),)]
_ABOVE: list[Any] = [(between(1.1, 3.0, 2, 3),)]


@operator(primitive="Sin()(input)", function="sin(input)", method="sin()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.sin({0})", inplace="sin_", onnx="Sin")
def sin(x: Tensor):
    """The sine of an angle in radians."""
    return torch.sin(x)


sin.shape(lifted)


@sin.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * cos(x),


@operator(primitive="Cos()(input)", function="cos(input)", method="cos()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.cos({0})", inplace="cos_", onnx="Cos")
def cos(x: Tensor):
    """The cosine of an angle in radians."""
    return torch.cos(x)


cos.shape(lifted)


@cos.grad(needs="x")
def _(x: Value, dout: Value):
    return -dout * sin(x),


@operator(primitive="Tan()(x)", function="tan(input)", method="tan()",
          dims=ELEMENTWISE, samples=_INSIDE, code="torch.tan({0})", inplace="tan_", onnx="Tan")
def tan(x: Tensor):
    """The tangent of an angle in radians."""
    return torch.tan(x)


tan.shape(lifted)


@tan.grad(needs="out")
def _(out: Value, dout: Value):
    return dout * (out * out + 1),


@operator(primitive="Asin()(input)", function="asin(input); arcsin(x)", method="asin(); arcsin()",
          dims=ELEMENTWISE, samples=_INSIDE, code="torch.asin({0})", onnx="Asin")
def asin(x: Tensor):
    """The angle in [-pi/2, pi/2] with that sine."""
    return torch.asin(x)


asin.shape(lifted)


@asin.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * rsqrt(1 - x * x),


@operator(primitive="ACos()(input)", function="acos(input); arccos(input)",
          method="acos(); arccos()", dims=ELEMENTWISE, samples=_INSIDE,
          code="torch.acos({0})", onnx="Acos")
def acos(x: Tensor):
    """The angle in [0, pi] with that cosine."""
    return torch.acos(x)


acos.shape(lifted)


@acos.grad(needs="x")
def _(x: Value, dout: Value):
    return -dout * rsqrt(1 - x * x),


@operator(primitive="Atan()(input)", function="atan(input); arctan(input)",
          method="atan(); arctan()", dims=ELEMENTWISE, samples=_ANY,
          code="torch.atan({0})", onnx="Atan")
def atan(x: Tensor):
    """The angle in (-pi/2, pi/2) with that tangent."""
    return torch.atan(x)


atan.shape(lifted)


@atan.grad(needs="x")
def _(x: Value, dout: Value):
    return dout / (x * x + 1),


@operator(primitive="Atan2()(input, other)", function="atan2(input, other); arctan2(input, other)",
          method="atan2(other); arctan2(other)", promote=True, dims=BINARY,
          samples=[((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), 0.5)])
def atan2(y: Tensor, x: Tensor | float):
    """The angle in [-pi, pi] of the point (x, y)."""
    return torch.atan2(*tensors(y, x))


atan2.shape(dividing("Atan2"))


@atan2.grad(needs="y x")
def _(y: Value, x: Value | float, dout: Value):
    return (lambda: fit(dout * x / (x * x + y * y), y),
            lambda: fit(-dout * y / (x * x + y * y), x))


# ---------------------------------------------------------------------- hyperbolic

@operator(primitive="Sinh()(input)", function="sinh(input)", method="sinh()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.sinh({0})", onnx="Sinh")
def sinh(x: Tensor):
    """(exp(x) - exp(-x)) / 2."""
    return torch.sinh(x)


sinh.shape(lifted)


@sinh.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * cosh(x),


@operator(primitive="Cosh()(input)", function="cosh(input)", method="cosh()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.cosh({0})", onnx="Cosh")
def cosh(x: Tensor):
    """(exp(x) + exp(-x)) / 2."""
    return torch.cosh(x)


cosh.shape(lifted)


@cosh.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * sinh(x),


@operator(primitive="Asinh()(input)", function="asinh(input); arcsinh(input)",
          method="asinh(); arcsinh()", dims=ELEMENTWISE, samples=_ANY,
          code="torch.asinh({0})", onnx="Asinh")
def asinh(x: Tensor):
    """The number with that hyperbolic sine."""
    return torch.asinh(x)


asinh.shape(lifted)


@asinh.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * rsqrt(x * x + 1),


@operator(primitive="Acosh()(input)", function="acosh(input); arccosh(input)",
          method="acosh(); arccosh()", dims=ELEMENTWISE, samples=_ABOVE,
          code="torch.acosh({0})", onnx="Acosh")
def acosh(x: Tensor):
    """The non-negative number with that hyperbolic cosine."""
    return torch.acosh(x)


acosh.shape(lifted)


@acosh.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * rsqrt(x * x - 1),


@operator(primitive="Atanh()(input)", function="atanh(input); arctanh(input)",
          method="atanh(); arctanh()", dims=ELEMENTWISE, samples=_INSIDE,
          code="torch.atanh({0})", onnx="Atanh")
def atanh(x: Tensor):
    """The number with that hyperbolic tangent."""
    return torch.atanh(x)


atanh.shape(lifted)


@atanh.grad(needs="x")
def _(x: Value, dout: Value):
    return dout / (1 - x * x),


@operator(primitive="Sinc()(input)", function="sinc(input)", method="sinc()", dims=ELEMENTWISE,
          samples=[(between(0.2, 2.0, 2, 3),)], code="torch.sinc({0})")
def sinc(x: Tensor):
    """sin(pi x) / (pi x), and 1 at 0."""
    return torch.sinc(x)


sinc.shape(lifted)


@sinc.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * sinc_slope(x),


@operator(hidden=True, dims=ELEMENTWISE, samples=[(between(0.2, 2.0, 2, 3),)], grad="torch")
def sinc_slope(x: Tensor):
    """The derivative of `sinc`, 0 at 0."""
    at_zero = x == 0
    z = torch.where(at_zero, 1, x) * math.pi
    slope = (z * torch.cos(z) - torch.sin(z)) / (z * z) * math.pi
    return torch.where(at_zero, 0, slope)
