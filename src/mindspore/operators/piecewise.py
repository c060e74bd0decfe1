"""Piecewise linear activation functions, each with its reverse operator."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core import check
from mindspore.core.dtype import bool_, uint16, uint32, uint64
from mindspore.core.errors import show
from mindspore.ir import Aval

from . import loops
from .exported import Exported
from .labels import mirrored, rank_of
from .one_format import laid_like
from .registry import Operator, operator
from .rules import BINARY, ELEMENTWISE, floating, kept, once, same
from .samples import NEAR, ONE, TWO
from .structure import copied
from .traits import STREAMING
from .values import Value

aten = torch.ops.aten
_WITHOUT_SIGN = {torch.bool: bool_, torch.uint16: uint16, torch.uint32: uint32, torch.uint64: uint64}


def _linear(reverse: Operator, needs: str) -> None:
    """Rules of a reverse operator (dout, x) that is linear in `dout` and piecewise constant in `x`."""
    reverse.shape(same)

    @reverse.grad(needs=needs)
    def _(x: Value, d: Value, **attrs: Any):
        return lambda: reverse(d, x, **attrs), None


@operator(primitive="ReLU()(input)", dims=ELEMENTWISE, samples=ONE,
          code="torch.relu({0})", inplace="relu_", traits={STREAMING}, onnx="Relu")
def relu(x: Tensor):
    """max(x, 0).

    Examples:
        >>> ops.ReLU()(Tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """
    return x.clone() if x.dtype in _WITHOUT_SIGN else torch.relu(x)


@relu.dispatch
def _(inputs: tuple[Any, ...]):
    return copied if getattr(inputs[0], "dtype", None) in _WITHOUT_SIGN.values() else None


relu.shape(same)
relu.loop(lambda x: loops.maximum(x, 0.0))


@relu.grad(needs="out")
def _(out: Value, dout: Value):
    return relu_grad(dout, out),


def _first(_: int) -> tuple[int]:
    """The place of the cotangent among the inputs, which is overwritten."""
    return 0,


@operator(hidden=True, dims=BINARY, samples=TWO, traits={STREAMING})
def relu_grad(dout: Tensor, y: Tensor):
    """`dout` where `y` is positive, else 0."""
    return aten.threshold_backward.default(laid_like(dout, y), y, 0)


@relu_grad.overwriting(_first)
def _(dout: Tensor, y: Tensor):
    into = laid_like(dout, y)
    return aten.threshold_backward.grad_input(into, y, 0, grad_input=into)


_linear(relu_grad, "y")
relu_grad.loop(lambda dout, y: loops.where(loops.compare("le", y, 0.0), 0.0, dout))


@relu_grad.mindir
def _(g: Exported, dout: str, y: str):
    above = g.add("Greater", y, g.constant(0, g.avals[y].dtype))
    return g.add("Select", above, dout, g.add("Sub", dout, dout))


@operator(primitive="ReLU6()(x)", function="relu6(x)", dims=ELEMENTWISE, samples=ONE,
          code="torch.clamp({0}, 0, 6)", traits={STREAMING})
def relu6(x: Tensor):
    """min(max(x, 0), 6)."""
    return torch.clamp(x, 0, 6)


relu6.shape(same)


AFTER_SIX = 6.0000005      # the least float32 above 6: the gradient passes at 6 itself


@relu6.onnx
def _(g: Exported, x: str):
    return g.add("Clip", x, g.constant(0, g.avals[x].dtype), g.constant(6, g.avals[x].dtype))


@relu6.grad(needs="x")
def _(x: Value, dout: Value):
    return hardtanh_grad(dout, x, low=0.0, high=AFTER_SIX),


@operator(hidden=True, dims=ELEMENTWISE, samples=[((3, 4), {"low": -0.5, "high": 0.5})], traits={STREAMING})
def hardtanh(x: Tensor, *, low: float = -1.0, high: float = 1.0):
    """`x` limited to [low, high]; at and beyond the limits the gradient is 0."""
    return torch.clamp(x, low, high).to(x.dtype)


hardtanh.shape(same)


@hardtanh.onnx
def _(g: Exported, x: str, *, low: float = -1.0, high: float = 1.0):
    return g.add("Clip", x, g.constant(low, g.avals[x].dtype), g.constant(high, g.avals[x].dtype))


@hardtanh.grad(needs="out")
def _(out: Value, dout: Value, *, low: float = -1.0, high: float = 1.0):
    return hardtanh_grad(dout, out, low=low, high=high),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"low": -1.0, "high": 1.0})], traits={STREAMING})
def hardtanh_grad(dout: Tensor, x: Tensor, *, low: float, high: float):
    """`dout` where low < x < high, else 0."""
    return aten.hardtanh_backward.default(laid_like(dout, x), x, low, high)


_linear(hardtanh_grad, "x")


@operator(hidden=True, dims=ELEMENTWISE, samples=[((3, 4), {"alpha": 0.2})], traits={STREAMING})
def leaky_relu(x: Tensor, *, alpha: float = 0.2):
    """`x` where it is positive, else alpha * x."""
    return torch.nn.functional.leaky_relu(x, alpha)


leaky_relu.shape(floating("LeakyReLU"))


@leaky_relu.onnx
def _(g: Exported, x: str, *, alpha: float = 0.2):
    return g.add("LeakyRelu", x, alpha=float(alpha))


@leaky_relu.grad(needs="x")
def _(x: Value, dout: Value, *, alpha: float = 0.2):
    return kept(leaky_relu_grad(dout, x, alpha=alpha), x),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"alpha": 0.2})], traits={STREAMING})
def leaky_relu_grad(dout: Tensor, x: Tensor, *, alpha: float):
    """`dout` where `x` is positive, else alpha * dout."""
    return aten.leaky_relu_backward.default(laid_like(dout, x), x, alpha, False)


_linear(leaky_relu_grad, "x")


@operator(primitive="HShrink(lambd=0.5)(input)", function="hardshrink(input, lambd=0.5)",
          method="hardshrink(lambd=0.5)", dims=ELEMENTWISE, samples=ONE)
def hardshrink(x: Tensor, *, lambd: float = 0.5):
    """`x` where |x| > lambd, else 0."""
    return torch.nn.functional.hardshrink(x, _lambd("HShrink", lambd))


hardshrink.shape(floating("HShrink"))


@hardshrink.onnx
def _(g: Exported, x: str, *, lambd: float = 0.5):
    return g.add("Shrink", x, lambd=float(lambd), bias=0.0)


@hardshrink.grad(needs="x")
def _(x: Value, dout: Value, *, lambd: float = 0.5):
    return shrink_grad(dout, x, lambd=lambd),


@operator(primitive="SoftShrink(lambd=0.5)(input)", function="softshrink(input, lambd=0.5)",
          method="soft_shrink(lambd=0.5)", dims=ELEMENTWISE, samples=ONE)
def soft_shrink(x: Tensor, *, lambd: float = 0.5):
    """`x` moved towards 0 by `lambd`, 0 if it is nearer than that."""
    if _lambd("SoftShrink", lambd) < 0:
        raise ValueError(f"For 'SoftShrink', the 'lambd' must be 0 or more, but got {lambd}.")
    return torch.nn.functional.softshrink(x, lambd)


soft_shrink.shape(floating("SoftShrink"))


@soft_shrink.onnx
def _(g: Exported, x: str, *, lambd: float = 0.5):
    return g.add("Shrink", x, lambd=float(lambd), bias=float(lambd))


@soft_shrink.grad(needs="x")
def _(x: Value, dout: Value, *, lambd: float = 0.5):
    return shrink_grad(dout, x, lambd=lambd),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"lambd": 0.5})])
def shrink_grad(dout: Tensor, x: Tensor, *, lambd: float):
    """`dout` where |x| > lambd, else 0."""
    return aten.hardshrink_backward.default(dout, x, lambd)


_linear(shrink_grad, "x")


def _lambd(name: str, lambd: Any) -> float:
    if isinstance(lambd, bool) or not isinstance(lambd, (int, float)):
        raise TypeError(f"For '{name}', the 'lambd' must be a float, but got {lambd!r}.")
    return lambd


@operator(primitive="HSigmoid()(input)", function="hardsigmoid(input)",
          dims=ELEMENTWISE, samples=ONE)
def hardsigmoid(x: Tensor):
    """max(0, min(1, x / 6 + 1 / 2)); integers are rounded towards zero."""
    hard = torch.nn.functional.hardsigmoid
    return hard(x) if x.is_floating_point() else hard(check.real("HSigmoid", "input", x).float()).to(x.dtype)


hardsigmoid.shape(same)


@hardsigmoid.grad(needs="x")
def _(x: Value, dout: Value):
    return hardsigmoid_grad(dout, x),


@operator(hidden=True, dims=BINARY, samples=NEAR)
def hardsigmoid_grad(dout: Tensor, x: Tensor):
    """dout / 6 where |x| < 3, else 0."""
    return aten.hardsigmoid_backward.default(dout, x)


_linear(hardsigmoid_grad, "x")


@operator(hidden=True, dims=ELEMENTWISE, samples=[((3, 4), {"threshold": 0.1, "value": 2.0})])
def threshold(x: Tensor, *, threshold: float, value: float):
    """`x` where it is greater than the threshold, else `value`."""
    return torch.nn.functional.threshold(x, threshold, value)


threshold.shape(same)


@threshold.grad(needs="x")
def _(x: Value, dout: Value, *, threshold: float, value: float):
    return threshold_grad(dout, x, threshold=threshold),


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4), {"threshold": 0.1})])
def threshold_grad(dout: Tensor, x: Tensor, *, threshold: float):
    """`dout` where `x` is greater than the threshold, else 0."""
    return aten.threshold_backward.default(laid_like(dout, x), x, threshold)


_linear(threshold_grad, "x")


@operator(primitive="PReLU()(input, weight)", function="prelu(input, weight)",
          samples=[((2, 3, 4), (3,)), ((2, 3), (1,))],
          dims=lambda x, weight: (
              "n c ..., c -> n c ..." if weight.shape[0] > 1 and rank_of(x) > 1 else "..., k! -> ..."))
def prelu(x: Tensor, weight: Tensor):
    """`x` where it is positive, else weight * x, with one weight for all or one per channel (axis 1)."""
    if not weight.dim():
        raise ValueError("For 'PReLU', the 'weight' must have one dimension, but it has none.")
    return torch.prelu(x, weight.to(x.dtype))


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
def _(x: Value, weight: Value, dout: Value):
    both = once(lambda: prelu_grad(dout, x, weight))
    return lambda: both()[0], lambda: both()[1]


@operator(hidden=True, grad="torch", samples=[((2, 3, 4), (2, 3, 4), (3,))],
          dims=mirrored(prelu, "out0 x weight -> x weight"))
def prelu_grad(dout: Tensor, x: Tensor, weight: Tensor):
    """The cotangents of the two operands of `PReLU`."""
    shape = [1] * x.dim()
    shape[min(1, x.dim() - 1)] = weight.shape[0]
    slope = weight.reshape(shape)
    dx, dw = aten._prelu_kernel_backward.default(dout, x, slope.to(x.dtype).expand_as(x))
    return dx, dw.sum_to_size(shape).reshape(weight.shape).to(weight.dtype)


@prelu_grad.shape
def _(dout: Aval, x: Aval, weight: Aval):
    return x, weight
