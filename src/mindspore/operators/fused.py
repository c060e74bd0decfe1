"""Operators that passes put in place of several: one sweep over memory instead of two or three."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.ir import Aval

from .exported import Exported
from .labels import whole
from .registry import operator
from .rules import broadcasting, fit
from .traits import STREAMING
from .values import Value


@operator(hidden=True, samples=[], dims=whole("what is cut is cut before its kernels are generated"))
def generated(*tensors: Tensor, kernel: Any, of: tuple[str, int] | None = None):
    """What a kernel computes that was generated for operators (`compiler.kernels`).

    `of` is for those who ask what runs: the name of the operator, if it is one, and its floating-point operations.
    """
    found = kernel(*tensors)
    return found if len(found) > 1 else found[0]


@generated.shape
def _(*tensors: Aval, kernel: Any, of: tuple[str, int] | None = None) -> Aval | tuple[Aval, ...]:
    return kernel.avals if len(kernel.avals) > 1 else kernel.avals[0]


@operator(hidden=True, samples=[((2, 3), (2, 3), (2, 3), {"value": -1.0}), ((2, 3), (), (2, 3))],
          inplace="torch.addcmul({0}, {1}, {2}, value={value}, out={out})", dims="..., ..., ... -> ...",
          traits={STREAMING})
def multiply_add(x: Tensor, a: Tensor, b: Tensor, *, value: float = 1.0):
    """x + value * a * b."""
    return torch.addcmul(x, a, b, value=value)


multiply_add.shape(broadcasting("MultiplyAdd"))
multiply_add.loop(lambda x, a, b, value: x + a * b * value)


@multiply_add.mindir
def _(g: Exported, x: str, a: str, b: str, *, value: float = 1.0):
    product = g.add("Mul", a, b)
    return g.add("Add", x, g.add("Mul", product, g.constant(value, g.results[0].dtype)))


@multiply_add.grad(needs="x.aval a b")
def _(x: Aval, a: Value, b: Value, dout: Value, *, value: float = 1.0):
    return (lambda: fit(dout, x), lambda: fit(dout * b * value, a), lambda: fit(dout * a * value, b))


@operator(hidden=True, samples=[((2, 3), (2, 3), {"alpha": 0.9})],
          inplace="torch.add({0}, {1}, alpha={alpha}, out={out})", dims="..., ... -> ...", traits={STREAMING})
def scaled_add(x: Tensor, y: Tensor, *, alpha: float):
    """x + alpha * y."""
    return torch.add(x, y, alpha=alpha)


scaled_add.shape(broadcasting("ScaledAdd"))
scaled_add.loop(lambda x, y, alpha: x + y * alpha)


@scaled_add.mindir
def _(g: Exported, x: str, y: str, *, alpha: float):
    return g.add("Add", x, g.add("Mul", y, g.constant(alpha, g.results[0].dtype)))


@scaled_add.grad(needs="x.aval y.aval")
def _(x: Aval, y: Aval, dout: Value, *, alpha: float):
    return lambda: fit(dout, x), lambda: fit(dout * alpha, y)
