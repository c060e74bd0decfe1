"""Element-wise arithmetic with broadcasting."""
from __future__ import annotations

import torch

from mindspore.compiler.ir import Aval
from mindspore.core.dtype import bool_, float32

from .registry import operator
from .rules import BINARY, ELEMENTWISE, broadcasting, fit, floating, same

_TWO = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), 2.0)]


@operator(primitive="Add()(x, y)", function="add(input, other)", onnx="Add", promote=True,
          dims=BINARY, samples=_TWO, code="{0} + {1}", inplace="add_")
def add(x, y):
    """x + y, element by element."""
    return x + y


add.shape(broadcasting("Add"))


@add.grad(needs="x y")
def _(x, y, dout):
    return lambda: fit(dout, x), lambda: fit(dout, y)


@operator(primitive="Sub()(x, y)", function="sub(input, other)", onnx="Sub", promote=True,
          dims=BINARY, samples=_TWO, code="{0} - {1}", inplace="sub_")
def sub(x, y):
    """x - y, element by element."""
    return x - y


@sub.shape
def _(x, y) -> Aval:
    out = broadcasting("Sub")(x, y)
    if out.dtype is bool_:
        raise TypeError("For 'Sub', the operands must be numbers, but got two bool tensors.")
    return out


@sub.grad(needs="x y")
def _(x, y, dout):
    return lambda: fit(dout, x), lambda: fit(-dout, y)


@operator(primitive="Mul()(x, y)", function="mul(input, other)", onnx="Mul", promote=True,
          dims=BINARY, samples=_TWO, code="{0} * {1}", inplace="mul_")
def mul(x, y):
    """x * y, element by element."""
    return x * y


mul.shape(broadcasting("Mul"))


@mul.grad(needs="x y")
def _(x, y, dout):
    return lambda: fit(dout * y, x), lambda: fit(dout * x, y)


@operator(primitive="Div()(x, y)", function="div(input, other)", onnx="Div", promote=True,
          dims=BINARY, samples=[((2, 3), (2, 3)), (2.0, (2, 3))], code="{0} / {1}")
def div(x, y):
    """x / y, element by element; floating point for integers, too."""
    return x / y


@div.shape
def _(x, y) -> Aval:
    out = broadcasting("Div")(x, y)
    return out if out.dtype.is_differentiable else Aval(out.shape, float32)


@div.grad(needs="x y out")
def _(x, y, out, dout):
    return lambda: fit(dout / y, x), lambda: fit(-dout * out / y, y)


@operator(primitive="Neg()(x)", function="neg(input)", onnx="Neg", dims=ELEMENTWISE,
          samples=[((2, 3),)], code="-{0}", inplace="neg_")
def neg(x):
    """-x."""
    return -x


neg.shape(same)


@neg.grad(needs="")
def _(dout):
    return -dout,


@operator(primitive="Exp()(x)", function="exp(input)", onnx="Exp", dims=ELEMENTWISE,
          samples=[((2, 3),)], code="torch.exp({0})", inplace="exp_")
def exp(x):
    """e to the power x."""
    return torch.exp(x)


exp.shape(floating("Exp"))


@exp.grad(needs="out")
def _(out, dout):
    return dout * out,


