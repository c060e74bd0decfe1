"""Softmax, its logarithm and what normalises along an axis, each with its reverse operator."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.errors import ArgumentError, show
from mindspore.core.kinds import type_of
from mindspore.ir import Aval

from . import loops
from .exported import Exported
from .labels import along, rank_of
from .loops import Element
from .registry import operator
from .rules import axes_of, floating, same
from .structure import zeros_like
from .torch_private import log_softmax_backward, softmax_backward
from .traits import STRICT
from .values import Value

aten = torch.ops.aten


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
    if type(axis) is int:
        return axis
    if type_of(axis) is not tuple or len(axis) != 1:
        raise ArgumentError(f"For 'Softmax', the 'axis' must be one axis, but got {axis!r}.")
    return axis[0]


def _halved(axis: int, rank: int) -> str:
    """Labels of the reverse of `GLU`."""
    x = along(axis, rank).split(" -> ")[0]
    return f"{x.replace(f'd{axis % rank}!', 'half!')}, {x} -> {x}"


@operator(primitive="Softmax(axis=-1)(input)", samples=[((4, 6),), ((2, 4, 6), {"axis": 1})],
          dims=lambda x, axis=-1: along(axis, rank_of(x)))
def softmax(x: Tensor, *, axis: int = -1):
    """Exponential of `x`, normalised so that it sums to one along `axis`.

    Input: any shape, floating point, else TypeError; `axis` within the rank, else ValueError.
    Output: shape and dtype of `x`.

    Examples:
        >>> ops.Softmax()(Tensor([[1.0, 1.0]])).tolist()
        [[0.5, 0.5]]
    """
    return torch.softmax(x, axis if type(axis) is int else _one_axis(axis))


softmax.shape(_along_axis("Softmax"))


@softmax.loop
def _(x: Element, *, axis: int):
    powers = loops.exp(x - loops.highest(x, [axis]))
    return powers * (1.0 / loops.total(powers, [axis]))        # one division for a row



@softmax.onnx
def _(g: Exported, x: str, *, axis: int = -1):
    return g.add("Softmax", x, axis=axis)


@softmax.grad(needs="out")
def _(out: Value, dout: Value, *, axis: int = -1):
    return softmax_grad(dout, out, axis=axis),


@operator(hidden=True, samples=[((2, 3), (2, 3))], grad="torch",
          dims=lambda dout, y, axis=-1: "{0}, {0} -> {0}".format(along(axis, rank_of(y)).split(" -> ")[0]))
def softmax_grad(dout: Tensor, y: Tensor, *, axis: int = -1):
    """y * (dout - sum(y * dout))."""
    return softmax_backward(dout, y, _one_axis(axis), y.dtype)


softmax_grad.shape(same)


@softmax_grad.loop
def _(dout: Element, y: Element, *, axis: int):
    return y * (dout - loops.total(dout * y, [axis]))



@operator(primitive="LogSoftmax(axis=-1)(logits)",
          samples=[((4, 6),), ((2, 4, 6), {"axis": 1})],
          dims=lambda x, axis=-1: along(axis, rank_of(x)), traits={STRICT})
def log_softmax(x: Tensor, *, axis: int = -1):
    """The logarithm of the softmax of `x` along `axis`.

    Input: any shape, floating point, else TypeError; `axis` within the rank, else ValueError.
    Output: shape and dtype of `x`.
    """
    return torch.log_softmax(x, _one_axis(axis))


log_softmax.shape(_along_axis("LogSoftmax"))


@log_softmax.loop
def _(x: Element, *, axis: int):
    centred = x - loops.highest(x, [axis])
    return centred - loops.log(loops.total(loops.exp(centred), [axis]))



@log_softmax.onnx
def _(g: Exported, x: str, *, axis: int = -1):
    return g.add("LogSoftmax", x, axis=axis)


@log_softmax.grad(needs="out")
def _(out: Value, dout: Value, *, axis: int = -1):
    return log_softmax_grad(dout, out, axis=axis),


@operator(hidden=True, samples=[((2, 3), (2, 3))], grad="torch",
          dims=lambda dout, y, axis=-1: "{0}, {0} -> {0}".format(along(axis, rank_of(y)).split(" -> ")[0]))
def log_softmax_grad(dout: Tensor, y: Tensor, *, axis: int = -1):
    """dout - exp(y) * sum(dout)."""
    return log_softmax_backward(dout, y, _one_axis(axis), y.dtype)


log_softmax_grad.shape(same)


@log_softmax_grad.loop
def _(dout: Element, y: Element, *, axis: int):
    return dout - loops.exp(y) * loops.total(dout, [axis])



@operator(primitive="GLU(axis=-1)(x)", function="glu(x, axis=-1)",
          samples=[((4, 6),), ((2, 4, 3), {"axis": 1})], dims=lambda x, axis=-1: along(axis, rank_of(x)))
def glu(x: Tensor, *, axis: int = -1):
    """The first half of `x` along `axis` times the sigmoid of the second half."""
    if x.is_complex():
        half = x.shape[axis] // 2
        return x.narrow(axis, 0, half) * torch.sigmoid(x.narrow(axis, half, half))
    return torch.nn.functional.glu(x, axis)


@glu.shape
def _(x: Aval, *, axis: int = -1) -> Aval:
    floating("GLU")(x)
    at = axis_of("GLU", axis, len(x.shape))
    if x.shape[at] % 2:
        raise ValueError(f"For 'GLU', the extent of axis {axis} must be even, but got {show(x)}.")
    return Aval((*x.shape[:at], x.shape[at] // 2, *x.shape[at + 1:]), x.dtype)


@glu.grad(needs="x")
def _(x: Value, dout: Value, *, axis: int = -1):
    return glu_grad(dout, x, axis=axis),


@operator(hidden=True, grad="torch", samples=[((4, 3), (4, 6))],
          dims=lambda dout, x, axis=-1: _halved(axis, rank_of(x)))
def glu_grad(dout: Tensor, x: Tensor, *, axis: int = -1):
    """The cotangent of the input of `GLU`."""
    return aten.glu_backward.default(dout, x, axis)


@glu_grad.shape
def _(dout: Aval, x: Aval, *, axis: int = -1) -> Aval:
    return x


# ---------------------------------------------------------------------- random

@operator(hidden=True, effect="random", samples=[], dims="... -> ..., ...")
def rrelu(x: Tensor, *, lower: float, upper: float):
    """`x` where it is positive, else slope * x with uniform slopes; and the factors that were used."""
    slope = torch.empty_like(x).uniform_(lower, upper)
    factor = torch.where(x >= 0, torch.ones_like(x), slope)
    return x * factor, factor


@rrelu.shape
def _(x: Aval, *, lower: float, upper: float):
    floating("RReLU")(x)
    return x, x


@rrelu.grad(needs="out")
def _(out: tuple[Value, ...], dout: tuple[Value | None, ...], *, lower: float, upper: float):
    dy = dout[0]
    return (zeros_like(out[1]) if dy is None else dy * out[1]),
