"""Activation functions, each with its reverse operator."""
from __future__ import annotations

import math
from typing import Any

import torch

from mindspore.compiler.ir import Aval
from mindspore.core.dtype import float32
from mindspore.core.errors import show

from .registry import Operator, along, operator, rank_of, tracked
from .rules import BINARY, ELEMENTWISE, axes_of, floating, same
from .samples import between
from .structure import zeros_like

aten = torch.ops.aten
_ONE: list[Any] = [((3, 4),)]
_TWO: list[Any] = [((3, 4), (3, 4))]
_NEAR = [(between(-2.0, 2.0, 3, 4), between(-2.0, 2.0, 3, 4))]


def once(compute: Any) -> Any:
    """A function without arguments that calls `compute` at its first call and keeps the result."""
    kept: list[Any] = []

    def value() -> Any:
        if not kept:
            kept.append(compute())
        return kept[0]
    return value


def _linear(reverse: Operator, needs: str) -> None:
    """Rules of a reverse operator (dout, x) that is linear in `dout` and piecewise constant in `x`."""
    reverse.shape(same)

    @reverse.grad(needs=needs)
    def _(x, d, **attrs):
        return lambda: reverse(d, x, **attrs), None


# ---------------------------------------------------------------------- piecewise linear

@operator(primitive="ReLU()(input)", onnx="Relu", dims=ELEMENTWISE, samples=_ONE,
          code="torch.relu({0})", inplace="relu_")
def relu(x):
    """max(x, 0)."""
    return torch.relu(x)


relu.shape(same)


@relu.grad(needs="out")
def _(out, dout):
    return relu_grad(dout, out),


@operator(hidden=True, dims=BINARY, samples=_TWO,
          code="torch.ops.aten.threshold_backward.default({0}, {1}, 0)",
          inplace="torch.ops.aten.threshold_backward.grad_input({0}, {1}, 0, grad_input={out})")
def relu_grad(dout, y):
    """`dout` where `y` is positive, else 0."""
    return aten.threshold_backward.default(dout, y, 0)


_linear(relu_grad, "y")


@operator(primitive="ReLU6()(x)", function="relu6(x)", onnx="Clip", dims=ELEMENTWISE, samples=_ONE,
          code="torch.clamp({0}, 0, 6)")
def relu6(x):
    """min(max(x, 0), 6)."""
    return torch.clamp(x, 0, 6)


relu6.shape(same)


_AFTER_SIX = 6.0000005      # the least float32 above 6: the gradient passes at 6 itself


@relu6.grad(needs="x")
def _(x, dout):
    return hardtanh_grad(dout, x, low=0.0, high=_AFTER_SIX),


@operator(hidden=True, dims=ELEMENTWISE, samples=[((3, 4), {"low": -0.5, "high": 0.5})])
def hardtanh(x, *, low=-1.0, high=1.0):
    """`x` limited to [low, high]; at and beyond the limits the gradient is 0."""
    return torch.clamp(x, low, high)


hardtanh.shape(same)


@hardtanh.grad(needs="out")
def _(out, dout, *, low=-1.0, high=1.0):
    return hardtanh_grad(dout, out, low=low, high=high),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"low": -1.0, "high": 1.0})])
def hardtanh_grad(dout, x, *, low, high):
    """`dout` where low < x < high, else 0."""
    return aten.hardtanh_backward.default(dout, x, low, high)


_linear(hardtanh_grad, "x")


@operator(hidden=True, dims=ELEMENTWISE, samples=[((3, 4), {"alpha": 0.2})])
def leaky_relu(x, *, alpha=0.2):
    """`x` where it is positive, else alpha * x."""
    return torch.nn.functional.leaky_relu(x, alpha)


leaky_relu.shape(floating("LeakyReLU"))


@leaky_relu.grad(needs="x")
def _(x, dout, *, alpha=0.2):
    return leaky_relu_grad(dout, x, alpha=alpha),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"alpha": 0.2})])
def leaky_relu_grad(dout, x, *, alpha):
    """`dout` where `x` is positive, else alpha * dout."""
    return aten.leaky_relu_backward.default(dout, x, alpha, False)


_linear(leaky_relu_grad, "x")


@operator(primitive="HShrink(lambd=0.5)(input)", function="hardshrink(input, lambd=0.5)",
          method="hardshrink(lambd=0.5)", onnx="Shrink", dims=ELEMENTWISE, samples=_ONE)
def hardshrink(x, *, lambd=0.5):
    """`x` where |x| > lambd, else 0."""
    return torch.nn.functional.hardshrink(x, _lambd("HShrink", lambd))


hardshrink.shape(floating("HShrink"))


@hardshrink.grad(needs="x")
def _(x, dout, *, lambd=0.5):
    return shrink_grad(dout, x, lambd=lambd),


@operator(primitive="SoftShrink(lambd=0.5)(input)", function="softshrink(input, lambd=0.5)",
          method="soft_shrink(lambd=0.5)", onnx="Shrink", dims=ELEMENTWISE, samples=_ONE)
def soft_shrink(x, *, lambd=0.5):
    """`x` moved towards 0 by `lambd`, 0 if it is nearer than that."""
    if _lambd("SoftShrink", lambd) < 0:
        raise ValueError(f"For 'SoftShrink', the 'lambd' must be 0 or more, but got {lambd}.")
    return torch.nn.functional.softshrink(x, lambd)


soft_shrink.shape(floating("SoftShrink"))


@soft_shrink.grad(needs="x")
def _(x, dout, *, lambd=0.5):
    return shrink_grad(dout, x, lambd=lambd),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"lambd": 0.5})])
def shrink_grad(dout, x, *, lambd):
    """`dout` where |x| > lambd, else 0."""
    return aten.hardshrink_backward.default(dout, x, lambd)


_linear(shrink_grad, "x")


def _lambd(name: str, lambd: Any) -> float:
    if isinstance(lambd, bool) or not isinstance(lambd, (int, float)):
        raise TypeError(f"For '{name}', the 'lambd' must be a float, but got {lambd!r}.")
    return lambd


@operator(primitive="HSigmoid()(input)", function="hardsigmoid(input)", onnx="HardSigmoid",
          dims=ELEMENTWISE, samples=_ONE)
def hardsigmoid(x):
    """max(0, min(1, x / 6 + 1 / 2)); integers are rounded towards zero."""
    hard = torch.nn.functional.hardsigmoid
    return hard(x) if x.is_floating_point() else hard(x.float()).to(x.dtype)


hardsigmoid.shape(same)


@hardsigmoid.grad(needs="x")
def _(x, dout):
    return hardsigmoid_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=_NEAR)
def hardsigmoid_grad(dout, x):
    """dout / 6 where |x| < 3, else 0."""
    return aten.hardsigmoid_backward.default(dout, x)


_linear(hardsigmoid_grad, "x")


@operator(hidden=True, dims=ELEMENTWISE, samples=[((3, 4), {"threshold": 0.1, "value": 2.0})])
def threshold(x, *, threshold, value):
    """`x` where it is greater than the threshold, else `value`."""
    return torch.nn.functional.threshold(x, threshold, value)


threshold.shape(same)


@threshold.grad(needs="x")
def _(x, dout, *, threshold, value):
    return threshold_grad(dout, x, threshold=threshold),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"threshold": 0.1})])
def threshold_grad(dout, x, *, threshold):
    """`dout` where `x` is greater than the threshold, else 0."""
    return aten.threshold_backward.default(dout, x, threshold)


_linear(threshold_grad, "x")


@operator(primitive="PReLU()(input, weight)", function="prelu(input, weight)", onnx="PRelu",
          samples=[((2, 3, 4), (3,)), ((2, 3), (1,))])
def prelu(x, weight):
    """`x` where it is positive, else weight * x, with one weight for all or one per channel (axis 1)."""
    return torch.prelu(x, weight)


@prelu.shape
def _(x: Aval, weight: Aval) -> Aval:
    if len(weight.shape) != 1:
        raise ValueError(f"For 'PReLU', the 'weight' must have one dimension, but got {show(weight)}.")
    channels = x.shape[1] if len(x.shape) > 1 else 1
    if weight.shape[0] not in (1, channels):
        raise ValueError(f"For 'PReLU', the 'weight' must hold 1 or {channels} elements for the "
                         f"input {show(x)}, but got {weight.shape[0]}.")
    return x


@prelu.grad(needs="x weight")
def _(x, weight, dout):
    both = once(lambda: prelu_grad(dout, x, weight))
    return lambda: both()[0], lambda: both()[1]


@operator(hidden=True, grad="torch", samples=[((2, 3, 4), (2, 3, 4), (3,))])
def prelu_grad(dout, x, weight):
    """The cotangents of the two operands of `PReLU`."""
    shape = [1] * x.dim()
    shape[min(1, x.dim() - 1)] = weight.shape[0]
    slope = weight.reshape(shape)
    dx, dw = aten._prelu_kernel_backward.default(dout, x, slope.expand_as(x))
    return dx, dw.sum_to_size(shape).reshape(weight.shape)


@prelu_grad.shape
def _(dout: Aval, x: Aval, weight: Aval):
    return x, weight


# ---------------------------------------------------------------------- smooth

@operator(primitive="Sigmoid()(input)", function="sigmoid(input)", method="sigmoid()",
          onnx="Sigmoid", dims=ELEMENTWISE, samples=_ONE, code="torch.sigmoid({0})",
          inplace="sigmoid_")
def sigmoid(x):
    """1 / (1 + exp(-x))."""
    return torch.sigmoid(x)


def _float_of(x: Aval) -> Aval:
    """The aval of a function that answers integers with float32."""
    return x if x.dtype.is_differentiable else Aval(x.shape, float32)


sigmoid.shape(_float_of)


@sigmoid.grad(needs="out")
def _(out, dout):
    return sigmoid_grad(dout, out),


@operator(hidden=True, dims=BINARY, samples=_TWO,
          code="torch.ops.aten.sigmoid_backward.default({0}, {1})")
def sigmoid_grad(dout, y):
    """dout * y * (1 - y)."""
    return aten.sigmoid_backward.default(dout, y)


sigmoid_grad.shape(same)


@sigmoid_grad.grad(needs="dout y")
def _(dout, y, d):
    return lambda: sigmoid_grad(d, y), lambda: d * dout * (1.0 - 2.0 * y)


@operator(primitive="Tanh()(input)", function="tanh(input)", method="tanh()", onnx="Tanh",
          dims=ELEMENTWISE, samples=_ONE, code="torch.tanh({0})", inplace="tanh_")
def tanh(x):
    """The hyperbolic tangent."""
    return torch.tanh(x)


tanh.shape(_float_of)


@tanh.grad(needs="out")
def _(out, dout):
    return tanh_grad(dout, out),


@operator(hidden=True, dims=BINARY, samples=_TWO,
          code="torch.ops.aten.tanh_backward.default({0}, {1})")
def tanh_grad(dout, y):
    """dout * (1 - y^2)."""
    return aten.tanh_backward.default(dout, y)


tanh_grad.shape(same)


@tanh_grad.grad(needs="dout y")
def _(dout, y, d):
    return lambda: tanh_grad(d, y), lambda: d * dout * y * -2.0


@operator(primitive="GeLU()(input); Gelu()(input)", onnx="Gelu", dims=ELEMENTWISE,
          samples=[((3, 4),), ((3, 4), {"approximate": "none"})])
def gelu(x, *, approximate="tanh"):
    """x * P(X <= x) for a normal X, by the tanh approximation or exactly.  Hendrycks, Gimpel 2016."""
    if approximate == "tanh" and _in_passes(x):
        s = torch.mul(x, x).mul_(_CUBIC).add_(_LINEAR).mul_(x).sigmoid_()
        return s.mul_(x)
    return torch.nn.functional.gelu(x, approximate=approximate)


# (1 + tanh(u)) / 2 = sigmoid(2 u), and torch's sigmoid takes less than half the time of its tanh.
_LINEAR = 2 * math.sqrt(2 / math.pi)
_CUBIC = _LINEAR * 0.044715
_WORTH = 1 << 15           # elements from which several passes are faster than torch's one


def _in_passes(*tensors: torch.Tensor) -> bool:
    x = tensors[0]
    return (x.numel() >= _WORTH and x.dtype is torch.float32 and x.device.type == "cpu"
            and not tracked(*tensors))


gelu.shape(floating("GeLU"))


@gelu.grad(needs="x")
def _(x, dout, *, approximate="tanh"):
    return gelu_grad(dout, x, approximate=approximate),


@operator(hidden=True, dims=BINARY, grad="torch", samples=_NEAR)
def gelu_grad(dout, x, *, approximate="tanh"):
    """The cotangent of the input of `GeLU`."""
    if approximate == "tanh" and _in_passes(x, dout):
        q = torch.mul(x, x).mul_(_CUBIC)
        s = (q + _LINEAR).mul_(x).sigmoid_()
        q.mul_(3.0).add_(_LINEAR).mul_(x)
        return q.addcmul_(q, s, value=-1.0).add_(1.0).mul_(s).mul_(dout)
    return aten.gelu_backward.default(dout, x, approximate=approximate)


gelu_grad.shape(same)


@operator(primitive="FastGeLU()(x); FastGelu()(x)", function="fast_gelu(x)", dims=ELEMENTWISE, samples=_ONE)
def fast_gelu(x):
    """x * sigmoid(1.702 * x)."""
    return x * torch.sigmoid(x * 1.702)


fast_gelu.shape(_float_of)


@fast_gelu.grad(needs="x")
def _(x, dout):
    s = sigmoid(x * 1.702)
    return dout * (s + x * 1.702 * s * (1.0 - s)),


@operator(function="silu(input)", dims=ELEMENTWISE, samples=_ONE)
def silu(x):
    """x * sigmoid(x)."""
    return torch.nn.functional.silu(x)


silu.shape(floating("SiLU"))


@silu.grad(needs="x")
def _(x, dout):
    return silu_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=_NEAR)
def silu_grad(dout, x):
    """The cotangent of the input of `SiLU`."""
    return aten.silu_backward.default(dout, x)


silu_grad.shape(same)


@silu_grad.grad(needs="dout x")
def _(dout, x, d):
    def second():
        s = sigmoid(x)
        return d * dout * s * (1.0 - s) * (2.0 + x * (1.0 - 2.0 * s))
    return lambda: silu_grad(d, x), second


@operator(primitive="HSwish()(input)", function="hardswish(input)", onnx="HardSwish",
          dims=ELEMENTWISE, samples=_ONE)
def hardswish(x):
    """x * HSigmoid(x)."""
    return torch.nn.functional.hardswish(x)


hardswish.shape(floating("HSwish"))


@hardswish.grad(needs="x")
def _(x, dout):
    return hardswish_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=_NEAR)
def hardswish_grad(dout, x):
    """The cotangent of the input of `HSwish`."""
    return aten.hardswish_backward.default(dout, x)


hardswish_grad.shape(same)


@hardswish_grad.grad(needs="dout x")
def _(dout, x, d):
    return lambda: hardswish_grad(d, x), lambda: hardsigmoid_grad(d * dout, x) * 2.0


@operator(primitive="Mish()(x)", function="mish(x)", onnx="Mish", dims=ELEMENTWISE, samples=_ONE)
def mish(x):
    """x * tanh(log(1 + exp(x))).  Misra 2019."""
    return torch.nn.functional.mish(x)


mish.shape(floating("Mish"))


@mish.grad(needs="x")
def _(x, dout):
    return mish_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=_NEAR, grad="torch")
def mish_grad(dout, x):
    """The cotangent of the input of `Mish`."""
    s = torch.sigmoid(x)
    t = torch.tanh(torch.nn.functional.softplus(x))
    return dout * (t + x * s * (1.0 - t * t))


mish_grad.shape(same)


@operator(primitive="Elu(alpha=1.0)(input_x)", function="elu(input_x, alpha=1.0)", onnx="Elu", dims=ELEMENTWISE,
          samples=[((3, 4),), ((3, 4), {"alpha": 0.5, "scale": 1.5, "rate": 2.0})])
def elu(x, *, alpha=1.0, scale=1.0, rate=1.0):
    """scale * x where `x` is positive, else scale * alpha * (exp(rate * x) - 1)."""
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)):
        raise TypeError(f"For 'Elu', the 'alpha' must be a number, but got {alpha!r}.")
    return torch._C._nn.elu(x, alpha, scale, rate)


elu.shape(floating("Elu"))


@elu.grad(needs="x")
def _(x, dout, *, alpha=1.0, scale=1.0, rate=1.0):
    return elu_grad(dout, x, alpha=alpha, scale=scale, rate=rate),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"alpha": 1.0, "scale": 1.0, "rate": 1.0})],
          grad="torch")
def elu_grad(dout, x, *, alpha, scale, rate):
    """The cotangent of the input of `Elu`."""
    return aten.elu_backward.default(dout, alpha, scale, rate, False, x)


elu_grad.shape(same)


@operator(primitive="CeLU(alpha=1.0)(x)", function="celu(x, alpha=1.0)", onnx="Celu",
          dims=ELEMENTWISE, samples=[((3, 4),), ((3, 4), {"alpha": 2.0})])
def celu(x, *, alpha=1.0):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)):
        raise TypeError(f"For 'CeLU', the 'alpha' must be a float, but got {alpha!r}.")
    if alpha == 0:
        raise ValueError("For 'CeLU', the 'alpha' must not be 0.")
    return torch.nn.functional.celu(x, alpha)


celu.shape(floating("CeLU"))


@celu.grad(needs="x")
def _(x, dout, *, alpha=1.0):
    return elu_grad(dout, x, alpha=alpha, scale=1.0, rate=1.0 / alpha),


SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805


@operator(primitive="SeLU()(input_x)", function="selu(input_x)", onnx="Selu", dims=ELEMENTWISE,
          samples=_ONE)
def selu(x):
    """`Elu` with the scales that keep mean and variance.  Klambauer et al. 2017."""
    return torch.selu(x) if x.is_floating_point() else torch.selu(x.float()).to(x.dtype)


selu.shape(same)


@selu.grad(needs="x")
def _(x, dout):
    return elu_grad(dout, x, alpha=SELU_ALPHA, scale=SELU_SCALE, rate=1.0),


@operator(primitive="Softplus()(input_x)", onnx="Softplus", dims=ELEMENTWISE,
          samples=[((3, 4),), ((3, 4), {"beta": 2.0, "threshold": 1.0})])
def softplus(x, *, beta=1.0, threshold=20.0):
    """log(1 + exp(beta * x)) / beta; `x` itself where beta * x is beyond the threshold."""
    return torch.nn.functional.softplus(x, beta, threshold)


softplus.shape(floating("Softplus"))


@softplus.grad(needs="x")
def _(x, dout, *, beta=1.0, threshold=20.0):
    return softplus_grad(dout, x, beta=beta, threshold=threshold),


@operator(hidden=True, dims=BINARY, grad="torch",
          samples=[((3, 4), (3, 4), {"beta": 1.0, "threshold": 20.0})])
def softplus_grad(dout, x, *, beta, threshold):
    """The cotangent of the input of `Softplus`."""
    return aten.softplus_backward.default(dout, x, beta, threshold)


softplus_grad.shape(same)


@operator(primitive="Softsign()(input_x)", function="softsign(x)", onnx="Softsign",
          dims=ELEMENTWISE, samples=_ONE)
def softsign(x):
    """x / (1 + |x|)."""
    return torch.nn.functional.softsign(x)


softsign.shape(_float_of)


@softsign.grad(needs="x")
def _(x, dout):
    return softsign_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=_NEAR, grad="torch")
def softsign_grad(dout, x):
    """dout / (1 + |x|)^2."""
    return dout / (1.0 + x.abs()).square()


softsign_grad.shape(same)


@operator(function="logsigmoid(x)", dims=ELEMENTWISE, samples=_ONE)
def log_sigmoid(x):
    """log(sigmoid(x))."""
    return torch.nn.functional.logsigmoid(x)


log_sigmoid.shape(floating("LogSigmoid"))


@log_sigmoid.grad(needs="x")
def _(x, dout):
    return dout * sigmoid(-x),


# ---------------------------------------------------------------------- along an axis

def axis_of(name: str, axis: Any, rank: int) -> int:
    """One non-negative axis from an int or a tuple of one int."""
    axes = axes_of(axis, rank, name)
    if len(axes) != 1:
        raise ValueError(f"For '{name}', the 'axis' must be one axis of the {rank} dimensions, but "
                         f"got {axis!r}.")
    return axes[0]


def _along_axis(name: str) -> Any:
    check = floating(name)

    def rule(x: Aval, *_: Any, axis: Any = -1) -> Aval:
        if x.shape or axis not in (0, -1):
            axis_of(name, axis, len(x.shape))
        return check(x)
    return rule


def _one_axis(axis: Any) -> int:
    return axis if type(axis) is int else axis[0]


@operator(primitive="Softmax(axis=-1)(input)", onnx="Softmax", samples=[((4, 6),), ((2, 4, 6), {"axis": 1})],
          dims=lambda x, axis=-1: along(axis, rank_of(x)))
def softmax(x, *, axis=-1):
    """Exponential of `x`, normalised so that it sums to one along `axis`."""
    return torch.softmax(x, axis if type(axis) is int else _one_axis(axis))


softmax.shape(_along_axis("Softmax"))


@softmax.grad(needs="out")
def _(out, dout, *, axis=-1):
    return softmax_grad(dout, out, axis=axis),


@operator(hidden=True, samples=[((2, 3), (2, 3))], grad="torch")
def softmax_grad(dout, y, *, axis=-1):
    """y * (dout - sum(y * dout))."""
    return torch._softmax_backward_data(dout, y, _one_axis(axis), y.dtype)


softmax_grad.shape(same)


@operator(primitive="LogSoftmax(axis=-1)(logits)", onnx="LogSoftmax",
          samples=[((4, 6),), ((2, 4, 6), {"axis": 1})],
          dims=lambda x, axis=-1: along(axis, rank_of(x)))
def log_softmax(x, *, axis=-1):
    """The logarithm of the softmax of `x` along `axis`."""
    return torch.log_softmax(x, _one_axis(axis))


log_softmax.shape(_along_axis("LogSoftmax"))


@log_softmax.grad(needs="out")
def _(out, dout, *, axis=-1):
    return log_softmax_grad(dout, out, axis=axis),


@operator(hidden=True, samples=[((2, 3), (2, 3))], grad="torch")
def log_softmax_grad(dout, y, *, axis=-1):
    """dout - exp(y) * sum(dout)."""
    return torch._log_softmax_backward_data(dout, y, _one_axis(axis), y.dtype)


log_softmax_grad.shape(same)


@operator(primitive="GLU(axis=-1)(x)", function="glu(x, axis=-1)",
          samples=[((4, 6),), ((2, 4, 3), {"axis": 1})])
def glu(x, *, axis=-1):
    """The first half of `x` along `axis` times the sigmoid of the second half."""
    return torch.nn.functional.glu(x, axis)


@glu.shape
def _(x: Aval, *, axis=-1) -> Aval:
    floating("GLU")(x)
    at = axis_of("GLU", axis, len(x.shape))
    if x.shape[at] % 2:
        raise ValueError(f"For 'GLU', the extent of axis {axis} must be even, but got {show(x)}.")
    return Aval((*x.shape[:at], x.shape[at] // 2, *x.shape[at + 1:]), x.dtype)


@glu.grad(needs="x")
def _(x, dout, *, axis=-1):
    return glu_grad(dout, x, axis=axis),


@operator(hidden=True, grad="torch", samples=[((4, 3), (4, 6))])
def glu_grad(dout, x, *, axis=-1):
    """The cotangent of the input of `GLU`."""
    return aten.glu_backward.default(dout, x, axis)


@glu_grad.shape
def _(dout: Aval, x: Aval, *, axis=-1) -> Aval:
    return x


# ---------------------------------------------------------------------- random

@operator(hidden=True, effect="random", samples=[])
def rrelu(x, *, lower, upper):
    """`x` where it is positive, else slope * x with uniform slopes; and the factors that were used."""
    slope = torch.empty_like(x).uniform_(lower, upper)
    factor = torch.where(x >= 0, torch.ones_like(x), slope)
    return x * factor, factor


@rrelu.shape
def _(x: Aval, *, lower, upper):
    floating("RReLU")(x)
    return x, x


@rrelu.grad(needs="out")
def _(out, dout, *, lower, upper):
    dy = dout[0]
    return (zeros_like(out[1]) if dy is None else dy * out[1]),
