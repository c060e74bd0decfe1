"""Losses of distances and margins, and what all losses ask of their inputs."""
from __future__ import annotations

from math import prod
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import float32
from mindspore.core.errors import ArgumentError, show
from mindspore.ir import Aval

from .exported import Exported
from .labels import mirrored, rank_of
from .registry import operator
from .rules import BINARY, floating
from .samples import index
from .traits import STRICT
from .values import Value

aten = torch.ops.aten

REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def matrix(name: str, logits: Aval) -> None:
    """ValueError unless logits have two dimensions."""
    floating(name)(logits)
    if len(logits.shape) != 2:
        raise ValueError(f"For '{name}', the logits must have two dimensions (N, C), but got "
                         f"{show(logits)}.")


def alike(name: str, x: Aval, y: Aval) -> Aval:
    """The aval of two floating operands, which must have one shape."""
    floating(name)(x)
    if x.shape != y.shape:
        raise ValueError(f"For '{name}', both operands must have the same shape, but got {show(x)} and "
                         f"{show(y)}.")
    return x


_ROWS = {"none": "n", "sum": "", "mean": "mean:n"}          # labels of a reduction over rows


def _reduced_labels(x: Any, y: Any, *, reduction: str = "mean") -> str:
    return f"..., ... -> {dict(none='...', sum='', mean='mean:...')[reduction]}"


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4)), ((3, 4), (3, 4), {"beta": 0.5})])
def smooth_l1(x: Tensor, y: Tensor, *, beta: float = 1.0):
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = x - y."""
    return aten.smooth_l1_loss.default(x, y, 0, beta)


@smooth_l1.shape
def _(x: Aval, y: Aval, *, beta: object = 1.0) -> Aval:
    if isinstance(beta, bool) or not isinstance(beta, (int, float)):
        raise TypeError(f"For 'SmoothL1Loss', the 'beta' must be a float, but got {beta!r}.")
    if beta < 0:
        raise ArgumentError(f"For 'SmoothL1Loss', the 'beta' must be 0 or more, but got {beta}.")
    return alike("SmoothL1Loss", x, y)


@smooth_l1.grad(needs="x y")
def _(x: Value, y: Value, dout: Value, *, beta: float = 1.0):
    return (lambda: smooth_l1_grad(dout, x, y, beta=beta),
            lambda: -smooth_l1_grad(dout, x, y, beta=beta))


@operator(hidden=True, grad="torch", dims="..., ..., ... -> ...", samples=[((3, 4), (3, 4), (3, 4))])
def smooth_l1_grad(dout: Tensor, x: Tensor, y: Tensor, *, beta: float = 1.0):
    """The cotangent of the first operand of the smooth l1 loss."""
    return aten.smooth_l1_loss_backward.default(dout, x, y, 0, beta)


@smooth_l1_grad.shape
def _(dout: Aval, x: Aval, y: Aval, *, beta: float = 1.0) -> Aval:
    return x


@operator(hidden=True, samples=[((3, 4), (3, 4)), ((3, 4), (3, 4), {"reduction": "none"})],
          dims=_reduced_labels)
def squared_error(x: Tensor, y: Tensor, *, reduction: str = "mean"):
    """(x - y)^2, reduced."""
    return aten.mse_loss.default(x, y, REDUCTIONS[reduction])


@squared_error.shape
def _(x: Aval, y: Aval, *, reduction: str = "mean") -> Aval:
    alike("MSELoss", x, y)
    return x if reduction == "none" else Aval((), x.dtype)


@squared_error.mindir
def _(g: Exported, x: str, y: str, *, reduction: str = "mean"):
    found = g.add("Square", g.add("Sub", x, y))
    every = tuple(range(len(g.avals[x].shape)))
    kind = {"mean": "ReduceMean", "sum": "ReduceSum"}.get(reduction)
    return g.add(kind, found, axis=every) if kind and every else found


@squared_error.grad(needs="x y")
def _(x: Value, y: Value, dout: Value, *, reduction: str = "mean"):
    return (lambda: squared_error_grad(dout, x, y, reduction=reduction),
            lambda: -squared_error_grad(dout, x, y, reduction=reduction))


@operator(hidden=True, grad="torch", samples=[((), (3, 4), (3, 4))],
          dims=mirrored(squared_error, "out0 x y -> x"))
def squared_error_grad(dout: Tensor, x: Tensor, y: Tensor, *, reduction: str = "mean"):
    """The cotangent of the first operand of the squared error."""
    return aten.mse_loss_backward.default(dout, x, y, REDUCTIONS[reduction])


@squared_error_grad.shape
def _(dout: Aval, x: Aval, y: Aval, *, reduction: str = "mean") -> Aval:
    return x


@squared_error_grad.mindir
def _(g: Exported, dout: str, x: str, y: str, *, reduction: str = "mean"):
    factor = 2 / max(prod(g.avals[x].shape), 1) if reduction == "mean" else 2
    return g.add("Mul", g.add("Mul", g.add("Sub", x, y), g.constant(factor, g.avals[x].dtype)), dout)


@operator(primitive="L2Loss()(input_x)", samples=[((3, 4),)], dims="... -> ")
def l2_loss(x: Tensor):
    """sum(x^2) / 2."""
    flat = x.reshape(-1)
    return torch.dot(flat, flat) / 2


@l2_loss.shape
def _(x: Aval) -> Aval:
    return Aval((), x.dtype if x.dtype.is_differentiable else float32)


@l2_loss.grad(needs="x")
def _(x: Value, dout: Value):
    return x * dout,


@operator(hidden=True, grad="torch", samples=[((4, 3), index(3, 4), {"p": 2, "margin": 0.5})],
          dims=lambda x, target, weight=None, p=1, margin=1.0, reduction="mean": f"n c!, n, c! -> {_ROWS[reduction]}",
          traits={STRICT})
def multi_margin(x: Tensor, target: Tensor, weight: Tensor | None = None, *, p: int = 1, margin: float = 1.0,
                 reduction: str = "mean"):
    """sum over i != y of max(0, margin - x[y] + x[i])^p / C per row, reduced."""
    places = target.long().unsqueeze(1)
    z = (margin - x.gather(1, places) + x).clamp(min=0)
    z = (z * z if p == 2 else z).scatter(1, places, 0.0)
    if weight is not None:
        z = z * weight[places]
    rows = z.sum(1) / x.shape[1]
    return {"none": rows.clone, "mean": rows.mean, "sum": rows.sum}[reduction]()


def _reduced(x: Aval, reduction: str, rows: bool = False) -> Aval:
    shape = x.shape[:-1] if rows else x.shape
    return Aval(shape if reduction == "none" else (), x.dtype)


@multi_margin.shape
def _(x: Aval, target: Aval, weight: Aval | None = None, *, p: int = 1, margin: float = 1.0,
      reduction: str = "mean") -> Aval:
    matrix("MultiMarginLoss", x)
    if p not in (1, 2) or reduction not in REDUCTIONS:
        raise ValueError(f"For 'MultiMarginLoss', the 'p' must be 1 or 2 and the 'reduction' one of "
                         f"{list(REDUCTIONS)}, but got {p} and {reduction!r}.")
    if target.shape != x.shape[:1]:
        raise ValueError(f"For 'MultiMarginLoss', the target must have the shape {x.shape[:1]}, but got "
                         f"{show(target)}.")
    return _reduced(x, reduction, rows=True)


@operator(hidden=True, grad="torch", samples=[],
          dims=lambda x, target, reduction="mean": (
              f"n c!, n c! -> {_ROWS[reduction]}, n c!" if rank_of(x) == 2 else "c!, c! -> , c!"))
def multilabel_margin(x: Tensor, target: Tensor, *, reduction: str = "mean"):
    """The margin loss for rows of label indices that end at the first -1; and which classes they name."""
    loss, named = aten.multilabel_margin_loss_forward.default(x, target.long(), REDUCTIONS[reduction])
    return loss, named.to(torch.int32)
