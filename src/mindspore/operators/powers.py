"""Element-wise powers, roots, exponentials and logarithms."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from . import loops, torch_private
from .arithmetic import div_no_nan, mul, neg
from .exported import Exported
from .registry import REGISTRY, operator
from .rules import BINARY, ELEMENTWISE, broadcasting, dividing, fit, is_value, lifted, same, tensors
from .samples import between, positive
from .structure import cast
from .traits import NOT_HOLOMORPHIC, STREAMING, WIDEN_UNSIGNED
from .values import Value

_ANY: list[Any] = [((2, 3),)]
_POSITIVE: list[Any] = [(positive(2, 3),)]


@operator(primitive="Abs()(input)", function="abs(input); absolute(input)",
          method="abs(); absolute()", dims=ELEMENTWISE, samples=_ANY,
          traits={NOT_HOLOMORPHIC, STREAMING}, onnx="Abs")
def abs_(x: Tensor):
    """The absolute value; a complex number stays complex."""
    if x.is_complex():
        return torch.abs(x).to(x.dtype)
    return x.clone() if x.dtype is torch.bool else torch.abs(x)


abs_.shape(same)
abs_.loop(loops.absolute)




@abs_.grad(needs="x")
def _(x: Value, dout: Value):
    if x.dtype.is_complex:
        dout = cast(REGISTRY["Real"](dout), dtype=x.dtype)
    return dout * sign(x),


@operator(primitive="Sign()(input)", function="sign(input); sgn(input)", method="sign(); sgn()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.sgn({0})", traits={STREAMING}, onnx="Sign")
def sign(x: Tensor):
    """-1, 0 or 1; for a complex number x / abs(x)."""
    return torch.sgn(x)


sign.shape(same)
sign.grad(needs="")(lambda dout: (None,))


@operator(primitive="Square()(input)", function="square(input)", method="square()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.square({0})", inplace="square_",
          traits={STREAMING, WIDEN_UNSIGNED})
def square(x: Tensor):
    """x * x.

    Examples:
        >>> ops.Square()(Tensor([-2.0, 3.0])).tolist()
        [4.0, 9.0]
    """
    return torch.square(x)


square.shape(same)
square.loop(lambda x: x * x)


@square.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * x * 2,


@operator(primitive="Sqrt()(x)", function="sqrt(x)", method="sqrt()",
          dims=ELEMENTWISE, samples=_POSITIVE, code="torch.sqrt({0})", inplace="sqrt_", traits={STREAMING},
          onnx="Sqrt")
def sqrt(x: Tensor):
    """The square root.

    Examples:
        >>> ops.Sqrt()(Tensor([4.0, 9.0])).tolist()
        [2.0, 3.0]
    """
    return torch.sqrt(x)


sqrt.shape(lifted)
sqrt.loop(loops.sqrt)


@sqrt.grad(needs="out")
def _(out: Value, dout: Value):
    return dout * 0.5 / out,


@operator(primitive="Rsqrt()(input)", function="rsqrt(input)", method="rsqrt()", dims=ELEMENTWISE,
          samples=_POSITIVE, code="torch.rsqrt({0})", inplace="rsqrt_", traits={STREAMING})
def rsqrt(x: Tensor):
    """1 / sqrt(x)."""
    return torch.rsqrt(x)


rsqrt.shape(lifted)
rsqrt.loop(loops.rsqrt)


@rsqrt.grad(needs="out")
def _(out: Value, dout: Value):
    return dout * out * out * out * -0.5,


@operator(primitive="Reciprocal()(input); Inv()(x)",
          function="reciprocal(input); inv(x)", method="reciprocal(); inv()", dims=ELEMENTWISE,
          samples=_POSITIVE, code="torch.reciprocal({0})", inplace="reciprocal_", traits={STREAMING},
          onnx="Reciprocal")
def reciprocal(x: Tensor):
    """1 / x.

    Examples:
        >>> ops.Reciprocal()(Tensor([2.0, 4.0])).tolist()
        [0.5, 0.25]
    """
    return torch.reciprocal(x)


reciprocal.shape(lifted)
reciprocal.loop(lambda x: 1.0 / x)


@reciprocal.grad(needs="out")
def _(out: Value, dout: Value):
    return -dout * out * out,


@operator(primitive="Exp()(input)", function="exp(input); tensor_exp(input)", method="exp()", dims=ELEMENTWISE,
          samples=_ANY, code="torch.exp({0})", inplace="exp_", onnx="Exp")
def exp(x: Tensor):
    """e to the power x.

    Examples:
        >>> ops.Exp()(Tensor([0.0, 1.0])).tolist()
        [1.0, 2.7182817459106445]
    """
    return torch.exp(x)


exp.shape(lifted)
exp.loop(loops.exp)


@exp.grad(needs="out")
def _(out: Value, dout: Value):
    return dout * out,


@operator(primitive="Expm1()(input)", function="expm1(input); tensor_expm1(input)",
          method="expm1()", dims=ELEMENTWISE, samples=_ANY, code="torch.expm1({0})",
          inplace="expm1_")
def expm1(x: Tensor):
    """e to the power x, minus 1; exact for small x."""
    return torch.expm1(x)


expm1.shape(lifted)


@expm1.grad(needs="out")
def _(out: Value, dout: Value):
    return dout * (out + 1),


@operator(hidden=True, dims=ELEMENTWISE, samples=_ANY,
          code="torch.exp2({0})", inplace="exp2_")
def exp2(x: Tensor):
    """2 to the power x."""
    return torch.exp2(x)


exp2.shape(lifted)


@exp2.grad(needs="out")
def _(out: Value, dout: Value):
    return dout * out * math.log(2.0),


@operator(primitive="Log()(input)", function="log(input)", method="log()",
          dims=ELEMENTWISE, samples=_POSITIVE, code="torch.log({0})", inplace="log_", onnx="Log")
def log(x: Tensor):
    """The natural logarithm.

    Examples:
        >>> ops.Log()(Tensor([1.0, 0.0])).tolist()
        [0.0, -inf]
    """
    return torch.log(x)


log.shape(lifted)
log.loop(loops.log)


@log.grad(needs="x")
def _(x: Value, dout: Value):
    return dout / x,


@operator(primitive="Log1p()(input)", function="log1p(input)", method="log1p()",
          dims=ELEMENTWISE, samples=_POSITIVE, code="torch.log1p({0})", inplace="log1p_")
def log1p(x: Tensor):
    """log(1 + x), exact for small x."""
    return torch.log1p(x)


log1p.shape(lifted)


@log1p.grad(needs="x")
def _(x: Value, dout: Value):
    return dout / (x + 1),


@operator(hidden=True, function="log2(input)", method="log2()", dims=ELEMENTWISE,
          samples=_POSITIVE, code="torch.log2({0})", inplace="log2_")
def log2(x: Tensor):
    """The logarithm to base 2."""
    return torch.log2(x)


log2.shape(lifted)


@log2.grad(needs="x")
def _(x: Value, dout: Value):
    return dout / (x * math.log(2.0)),


@operator(hidden=True, function="log10(input)", method="log10()", dims=ELEMENTWISE,
          samples=_POSITIVE, code="torch.log10({0})", inplace="log10_")
def log10(x: Tensor):
    """The logarithm to base 10."""
    return torch.log10(x)


log10.shape(lifted)


@log10.grad(needs="x")
def _(x: Value, dout: Value):
    return dout / (x * math.log(10.0)),


# ---------------------------------------------------------------------- two operands

_SIGNED = torch.int8, torch.int16, torch.int32, torch.int64


@operator(primitive="Pow()(input, exponent)", promote=True, dims=BINARY,
          function="pow(input, exponent); pows(input, exponent); tensor_pow(input, exponent)",
          method="pow(exponent)",
          samples=[((2, 3), 2), ((2, 3), 3.0), (positive(2, 3), (2, 3)), (2.0, (2, 3))],
          traits={WIDEN_UNSIGNED})
def pow_(x: Tensor | float, y: Tensor | float):
    """x to the power y.

    Examples:
        >>> ops.Pow()(Tensor([1.0, 3.0]), 2).tolist()
        [1.0, 9.0]
    """
    if type(y) is int and y < 0 and isinstance(x, Tensor) and not (x.is_floating_point() or x.is_complex()):
        return torch_private.power(torch.div(1, x, rounding_mode="trunc"), -y)     # whole parts; refuses zeros
    if isinstance(y, Tensor) and y.dtype in _SIGNED and (x.dtype in _SIGNED if isinstance(x, Tensor) else x == 0):
        base = x if isinstance(x, Tensor) else torch.zeros_like(y)
        whole = torch.div(1, torch.where(y < 0, base, 1), rounding_mode="trunc")
        return torch_private.power(torch.where(y < 0, whole, base), y.abs())
    return torch_private.power(x, y)


pow_.shape(broadcasting("Pow"))


@pow_.onnx
def _(g: Exported, x: str, y: str):
    wanted = g.results[0].dtype
    if not wanted.is_floating:
        raise NotImplementedError("ONNX has no powers of integers.")
    return g.add("Pow", g.cast(x, wanted), g.cast(y, wanted))


@pow_.grad(needs="x y out")
def _(x: Value | float, y: Value | float, out: Value, dout: Value):
    return lambda: fit(dout * _slope(x, y), x), lambda: fit(dout * _logarithmic(x, out), y)


def _logarithmic(x: Any, out: Any) -> Any:
    """out * log(x), the derivative of x ** y by y."""
    if isinstance(x, (int, float)):
        return out * (math.log(x) if x > 0 else -math.inf if x == 0 else math.nan)
    return xlogy(out, x)


def _slope(x: Any, y: Any) -> Any:
    """The derivative of x ** y by x."""
    if type(y) in (int, float):
        if y == 2:
            return x * 2
        return x * 0 if y == 0 else pow_(x, y - 1) * y
    return mul(pow_(x, y - 1), y)


@operator(primitive="Xlogy()(input, other)", function="xlogy(input, other)", method="xlogy(other)",
          promote=True, dims=BINARY, samples=[((2, 3), positive(2, 3)), ((2, 3), positive(3))])
def xlogy(x: Tensor, y: Tensor):
    """x * log(y), and 0 where `x` is 0."""
    try:
        return torch.xlogy(x, y)
    except (RuntimeError, NotImplementedError):    # torch has no kernel for complex numbers
        return torch.where(x == 0, 0, x * torch.log(y))


xlogy.shape(dividing("Xlogy"))


@xlogy.grad(needs="x y")
def _(x: Value, y: Value, dout: Value):
    return lambda: fit(dout * _log_of(y), x), lambda: fit(dout * div_no_nan(x, y), y)


def _log_of(y: Any) -> Any:
    """The logarithm of a tensor or of a number, as torch computes it."""
    return log(y) if is_value(y) else -math.inf if y == 0 else math.log(y) if y > 0 else math.nan


@operator(primitive="Xdivy()(x, y)", function="xdivy(x, y)", method="xdivy(y)", promote=True,
          dims=BINARY, samples=[((2, 3), positive(2, 3)), ((2, 3), positive(3))])
def xdivy(x: Tensor | float, y: Tensor | float):
    """x / y, and 0 where `x` is 0."""
    zero = x == 0
    return torch.where(zero, 0, x / y) if isinstance(zero, torch.Tensor) else x / y


xdivy.shape(dividing("Xdivy"))


@xdivy.grad(needs="x y")
def _(x: Value, y: Value, dout: Value):
    return lambda: fit(dout / y, x), lambda: fit(neg(dout * xdivy(x, y * y)), y)


@operator(primitive="Hypot()(x1, x2)", function="hypot(input, other)", method="hypot(other)",
          promote=True, dims=BINARY, samples=[((2, 3), (2, 3)), ((2, 3), (3,))])
def hypot(x: Tensor, y: Tensor):
    """sqrt(x * x + y * y)."""
    return torch.hypot(*tensors(x, y))


hypot.shape(dividing("Hypot"))


@hypot.grad(needs="x y out")
def _(x: Value, y: Value, out: Value, dout: Value):
    return lambda: fit(dout * x / out, x), lambda: fit(dout * y / out, y)


@operator(hidden=True, function="logaddexp(input, other)", method="logaddexp(other)", promote=True,
          dims=BINARY, samples=[((2, 3), (2, 3)), ((2, 3), (3,))])
def logaddexp(x: Tensor, y: Tensor):
    """log(exp(x) + exp(y))."""
    return torch.logaddexp(*tensors(x, y))


logaddexp.shape(broadcasting("logaddexp"))


@logaddexp.grad(needs="x y out")
def _(x: Value, y: Value, out: Value, dout: Value):
    return lambda: fit(dout * exp(x - out), x), lambda: fit(dout * exp(y - out), y)


@operator(hidden=True, function="logaddexp2(input, other)", method="logaddexp2(other)",
          promote=True, dims=BINARY, samples=[((2, 3), (2, 3)), (between(-3.0, 3.0, 2, 3), (3,))])
def logaddexp2(x: Tensor, y: Tensor):
    """log2(2 ** x + 2 ** y)."""
    return torch.logaddexp2(*tensors(x, y))


logaddexp2.shape(broadcasting("logaddexp2"))


@logaddexp2.grad(needs="x y out")
def _(x: Value, y: Value, out: Value, dout: Value):
    return lambda: fit(dout * exp2(x - out), x), lambda: fit(dout * exp2(y - out), y)


