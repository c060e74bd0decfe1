"""Smooth activation functions, each with its reverse operator."""
from __future__ import annotations

import torch
from torch import Tensor

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.ir import Aval

from . import loops
from .exported import Exported
from .loops import Element
from .piecewise import hardsigmoid_grad
from .registry import operator
from .rules import BINARY, ELEMENTWISE, floating, is_number, lifted, same
from .samples import NEAR, ONE, TWO
from .torch_private import nn
from .traits import STREAMING, STRICT
from .values import Value

aten = torch.ops.aten


@operator(primitive="Sigmoid()(input)", function="sigmoid(input)", method="sigmoid()", dims=ELEMENTWISE,
          samples=ONE, code="torch.sigmoid({0})",
          inplace="sigmoid_", onnx="Sigmoid")
def sigmoid(x: Tensor):
    """1 / (1 + exp(-x)).

    Examples:
        >>> ops.Sigmoid()(Tensor([0.0])).tolist()
        [0.5]
    """
    return torch.sigmoid(x)


sigmoid.shape(lifted)
sigmoid.loop(loops.sigmoid)


@sigmoid.grad(needs="out")
def _(out: Value, dout: Value):
    return sigmoid_grad(dout, out),


@operator(hidden=True, dims=BINARY, samples=TWO,
          code="torch.ops.aten.sigmoid_backward.default({0}, {1})", traits={STREAMING})
def sigmoid_grad(dout: Tensor, y: Tensor):
    """dout * y * (1 - y)."""
    return aten.sigmoid_backward.default(dout, y)


sigmoid_grad.shape(same)
sigmoid_grad.loop(lambda dout, y: dout * y * (1.0 - y))


@sigmoid_grad.grad(needs="dout y")
def _(dout: Value, y: Value, d: Value):
    return lambda: sigmoid_grad(d, y), lambda: d * dout * (1.0 - 2.0 * y)


@operator(primitive="Tanh()(input)", function="tanh(input)", method="tanh()",
          dims=ELEMENTWISE, samples=ONE, code="torch.tanh({0})", inplace="tanh_", onnx="Tanh")
def tanh(x: Tensor):
    """The hyperbolic tangent."""
    return torch.tanh(x)


tanh.shape(lifted)
tanh.loop(loops.tanh)


@tanh.grad(needs="out")
def _(out: Value, dout: Value):
    return tanh_grad(dout, out),


@operator(hidden=True, dims=BINARY, samples=TWO,
          code="torch.ops.aten.tanh_backward.default({0}, {1})", traits={STREAMING})
def tanh_grad(dout: Tensor, y: Tensor):
    """dout * (1 - y^2)."""
    return aten.tanh_backward.default(dout, y)


tanh_grad.shape(same)
tanh_grad.loop(lambda dout, y: dout * (1.0 - y * y))


@tanh_grad.grad(needs="dout y")
def _(dout: Value, y: Value, d: Value):
    return lambda: tanh_grad(d, y), lambda: d * dout * y * -2.0


@operator(function="silu(input)", dims=ELEMENTWISE, samples=ONE)
def silu(x: Tensor):
    """x * sigmoid(x)."""
    return torch.nn.functional.silu(x)


silu.shape(floating("SiLU"))
silu.loop(lambda x: x * loops.sigmoid(x))


@silu.grad(needs="x")
def _(x: Value, dout: Value):
    return silu_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=NEAR)
def silu_grad(dout: Tensor, x: Tensor):
    """The cotangent of the input of `SiLU`."""
    return aten.silu_backward.default(dout, x)


silu_grad.shape(same)


@silu_grad.loop
def _(dout: Element, x: Element):
    s = loops.sigmoid(x)
    return dout * s * (1.0 + x * (1.0 - s))



@silu_grad.grad(needs="dout x")
def _(dout: Value, x: Value, d: Value):
    def second():
        s = sigmoid(x)
        return d * dout * s * (1.0 - s) * (2.0 + x * (1.0 - 2.0 * s))
    return lambda: silu_grad(d, x), second


@operator(primitive="HSwish()(input)", function="hardswish(input)",
          dims=ELEMENTWISE, samples=ONE, onnx="HardSwish", traits={STRICT})
def hardswish(x: Tensor):
    """x * HSigmoid(x); of integers without the fraction."""
    if x.is_floating_point():
        return torch.nn.functional.hardswish(x)
    wide = check.real("HSwish", "input", x).long()
    return torch.div(wide * (wide + 3).clamp(0, 6), 6, rounding_mode="trunc").to(x.dtype)


@hardswish.shape
def _(x: Aval) -> Aval:
    if x.dtype.kind in "bu":
        raise TypeError(f"For 'HSwish', the input must hold floating-point numbers or signed integers, but got "
                        f"{show(x)}.")
    return x



@hardswish.grad(needs="x")
def _(x: Value, dout: Value):
    return hardswish_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=NEAR)
def hardswish_grad(dout: Tensor, x: Tensor):
    """The cotangent of the input of `HSwish`."""
    return aten.hardswish_backward.default(dout, x)


hardswish_grad.shape(same)


@hardswish_grad.grad(needs="dout x")
def _(dout: Value, x: Value, d: Value):
    return lambda: hardswish_grad(d, x), lambda: hardsigmoid_grad(d * dout, x) * 2.0


@operator(primitive="Mish()(x)", function="mish(x)", dims=ELEMENTWISE, samples=ONE, onnx="Mish")
def mish(x: Tensor):
    """x * tanh(log(1 + exp(x))).  Misra 2019."""
    return torch.nn.functional.mish(x)


mish.shape(floating("Mish"))


@mish.grad(needs="x")
def _(x: Value, dout: Value):
    return mish_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=NEAR, grad="torch")
def mish_grad(dout: Tensor, x: Tensor):
    """The cotangent of the input of `Mish`."""
    s = torch.sigmoid(x)
    t = torch.tanh(torch.nn.functional.softplus(x))
    return dout * (t + x * s * (1.0 - t * t))


mish_grad.shape(same)


@operator(primitive="Elu(alpha=1.0)(input_x)", function="elu(input_x, alpha=1.0)", dims=ELEMENTWISE,
          samples=[((3, 4),), ((3, 4), {"alpha": 0.5, "scale": 1.5, "rate": 2.0})])
def elu(x: Tensor, *, alpha: float = 1.0, scale: float = 1.0, rate: float = 1.0):
    """scale * x where `x` is positive, else scale * alpha * (exp(rate * x) - 1)."""
    if not is_number(alpha):
        raise TypeError(f"For 'Elu', the 'alpha' must be a number, but got {alpha!r}.")
    return nn.elu(x, alpha, scale, rate)


elu.shape(floating("Elu"))


@elu.onnx
def _(g: Exported, x: str, *, alpha: float = 1.0, scale: float = 1.0, rate: float = 1.0):
    if rate != 1.0:
        raise NotImplementedError(f"ONNX has no ELU with the rate {rate}.")
    return g.add("Mul", g.add("Elu", x, alpha=float(alpha)), g.constant(scale, g.avals[x].dtype))


@elu.grad(needs="x")
def _(x: Value, dout: Value, *, alpha: float = 1.0, scale: float = 1.0, rate: float = 1.0):
    return elu_grad(dout, x, alpha=alpha, scale=scale, rate=rate),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"alpha": 1.0, "scale": 1.0, "rate": 1.0})],
          grad="torch")
def elu_grad(dout: Tensor, x: Tensor, *, alpha: float, scale: float, rate: float):
    """The cotangent of the input of `Elu`."""
    return aten.elu_backward.default(dout, alpha, scale, rate, False, x)


elu_grad.shape(same)


@operator(primitive="CeLU(alpha=1.0)(x)", function="celu(x, alpha=1.0)",
          dims=ELEMENTWISE, samples=[((3, 4),), ((3, 4), {"alpha": 2.0})])
def celu(x: Tensor, *, alpha: float = 1.0):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    if not is_number(alpha):
        raise TypeError(f"For 'CeLU', the 'alpha' must be a float, but got {alpha!r}.")
    if alpha == 0:
        raise ValueError("For 'CeLU', the 'alpha' must not be 0.")
    return torch.nn.functional.celu(x, alpha)


celu.shape(floating("CeLU"))


@celu.grad(needs="x")
def _(x: Value, dout: Value, *, alpha: float = 1.0):
    return elu_grad(dout, x, alpha=alpha, scale=1.0, rate=1.0 / alpha),


SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805


@operator(primitive="SeLU()(input_x)", function="selu(input_x)", dims=ELEMENTWISE,
          samples=ONE)
def selu(x: Tensor):
    """`Elu` with the scales that keep mean and variance.  Klambauer et al. 2017.

    Input: any shape, floating point or integers, else TypeError.  Output: shape and dtype of `x`.
    """
    whole = not x.is_floating_point() and not x.is_complex() and x.dtype is not torch.bool
    return torch.selu(x.float()).to(x.dtype) if whole else torch.selu(x)


@selu.shape
def _(x: Aval) -> Aval:
    if x.dtype.kind in "bc":
        raise TypeError(f"For 'SeLU', the input must hold real numbers, but got {show(x)}.")
    return x


@selu.grad(needs="x")
def _(x: Value, dout: Value):
    return elu_grad(dout, x, alpha=SELU_ALPHA, scale=SELU_SCALE, rate=1.0),


@operator(primitive="Softplus()(input_x)", dims=ELEMENTWISE,
          samples=[((3, 4),), ((3, 4), {"beta": 2.0, "threshold": 1.0})])
def softplus(x: Tensor, *, beta: float = 1.0, threshold: float = 20.0):
    """log(1 + exp(beta * x)) / beta; `x` itself where beta * x is beyond the threshold."""
    return torch.nn.functional.softplus(x, beta, threshold)


softplus.shape(floating("Softplus"))


@softplus.grad(needs="x")
def _(x: Value, dout: Value, *, beta: float = 1.0, threshold: float = 20.0):
    return softplus_grad(dout, x, beta=beta, threshold=threshold),


@operator(hidden=True, dims=BINARY, grad="torch",
          samples=[((3, 4), (3, 4), {"beta": 1.0, "threshold": 20.0})])
def softplus_grad(dout: Tensor, x: Tensor, *, beta: float, threshold: float):
    """The cotangent of the input of `Softplus`."""
    return aten.softplus_backward.default(dout, x, beta, threshold)


softplus_grad.shape(same)


@operator(primitive="Softsign()(input_x)", function="softsign(x)",
          dims=ELEMENTWISE, samples=ONE, onnx="Softsign")
def softsign(x: Tensor):
    """x / (1 + |x|)."""
    return torch.nn.functional.softsign(x)


softsign.shape(lifted)


@softsign.grad(needs="x")
def _(x: Value, dout: Value):
    return softsign_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=NEAR, grad="torch")
def softsign_grad(dout: Tensor, x: Tensor):
    """dout / (1 + |x|)^2."""
    return dout / (1.0 + x.abs()).square()


softsign_grad.shape(same)


@operator(function="logsigmoid(x)", dims=ELEMENTWISE, samples=ONE)
def log_sigmoid(x: Tensor):
    """log(sigmoid(x))."""
    return torch.log(torch.sigmoid(x)) if x.is_complex() else torch.nn.functional.logsigmoid(x)


log_sigmoid.shape(floating("LogSigmoid"))


@log_sigmoid.grad(needs="x")
def _(x: Value, dout: Value):
    return dout * sigmoid(-x),
