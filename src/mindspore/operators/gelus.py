"""GELU, exactly and by its approximations."""
from __future__ import annotations

import math

import torch
from torch import Tensor

from . import alone, loops
from .activation import sigmoid
from .loops import Element
from .registry import operator
from .rules import BINARY, ELEMENTWISE, floating, lifted, same
from .samples import NEAR, ONE
from .torch_reverse import tracked
from .values import Value

aten = torch.ops.aten


@operator(primitive="GeLU()(input); Gelu()(input)", dims=ELEMENTWISE,
          samples=[((3, 4),), ((3, 4), {"approximate": "none"})])
def gelu(x: Tensor, *, approximate: str = "tanh"):
    """x * P(X <= x) for a normal X, by the tanh approximation or exactly.  Hendrycks, Gimpel 2016."""
    found = alone.computed(gelu, x, approximate=approximate)
    if found is not None:
        return found
    if approximate == "tanh" and _in_passes(x):
        s = torch.addcmul(x.new_tensor(_LINEAR), x, x, value=_CUBIC).mul_(x).sigmoid_()
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


@gelu.loop
def _(x: Element, *, approximate: str):
    if approximate == "tanh":
        return x * loops.sigmoid(x * (_LINEAR + _CUBIC * x * x))
    return x * 0.5 * (1.0 + loops.erf(x * math.sqrt(0.5)))



@gelu.grad(needs="x")
def _(x: Value, dout: Value, *, approximate: str = "tanh"):
    return gelu_grad(dout, x, approximate=approximate),


@operator(hidden=True, dims=BINARY, grad="torch", samples=NEAR)
def gelu_grad(dout: Tensor, x: Tensor, *, approximate: str = "tanh"):
    """The cotangent of the input of `GeLU`."""
    found = alone.computed(gelu_grad, dout, x, approximate=approximate)
    if found is not None:
        return found
    if approximate == "tanh" and _in_passes(x, dout):
        # x s(v) with v = a x + b x^3; with q = x v' / 3 its derivative is s + 3 q s (1 - s)
        q = torch.addcmul(x.new_tensor(_LINEAR / 3), x, x, value=_CUBIC).mul_(x)
        s = torch.add(q, x, alpha=_LINEAR * 2 / 3).sigmoid_()
        aten.sigmoid_backward.grad_input(q, s, grad_input=q)
        return s.add_(q, alpha=3.0).mul_(dout)
    return aten.gelu_backward.default(dout, x, approximate=approximate)


gelu_grad.shape(same)


@gelu_grad.loop
def _(dout: Element, x: Element, *, approximate: str):
    if approximate == "tanh":                  # x s(v) with v = a x + b x^3
        s = loops.sigmoid(x * (_LINEAR + _CUBIC * x * x))
        return dout * s * (1.0 + x * (1.0 - s) * (_LINEAR + 3.0 * _CUBIC * x * x))
    density = loops.exp(x * x * -0.5) * math.sqrt(0.5 / math.pi)
    return dout * (0.5 * (1.0 + loops.erf(x * math.sqrt(0.5))) + x * density)



@operator(primitive="FastGeLU()(x); FastGelu()(x)", function="fast_gelu(x)", dims=ELEMENTWISE, samples=ONE)
def fast_gelu(x: Tensor):
    """x * sigmoid(1.702 * x)."""
    return x * torch.sigmoid(x * 1.702)


fast_gelu.shape(lifted)
fast_gelu.loop(lambda x: x * loops.sigmoid(x * 1.702))


@fast_gelu.grad(needs="x")
def _(x: Value, dout: Value):
    s = sigmoid(x * 1.702)
    return dout * (s + x * 1.702 * s * (1.0 - s)),
