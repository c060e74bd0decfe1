"""Triangles and diagonals."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import bool_, float32, float64, int64
from mindspore.core.errors import show
from mindspore.ir import Aval

from .exported import Exported
from .labels import rank_of, whole
from .registry import operator
from .rules import axes_of, stated
from .traits import VIEW, WIDEN_UNSIGNED
from .values import Ints, Value


def _plane(rank: int, dim1: int, dim2: int) -> tuple[str, str]:
    """Labels of a tensor with planes, and of their diagonals."""
    plane = (dim1 % rank, dim2 % rank)
    left = [f"d{i}" + "!" * (i in plane) for i in range(rank)]
    return " ".join(left), " ".join([*[n for i, n in enumerate(left) if i not in plane], "n!"])


@operator(primitive="Tril(diagonal=0)(x)", function="tril(input, diagonal=0)",
          method="tril(diagonal=0)", dims="... m! n! -> ... m! n!",
          samples=[((3, 4),), ((2, 3, 3), {"diagonal": 1})], traits={WIDEN_UNSIGNED})
def tril(x: Tensor, *, diagonal: int = 0):
    """The lower triangle of the last two dimensions, up to `diagonal`; the rest is zero."""
    return torch.tril(x, diagonal)


@operator(primitive="Triu(diagonal=0)(input)", function="triu(input, diagonal=0)",
          method="triu(diagonal=0)", dims="... m! n! -> ... m! n!",
          samples=[((3, 4),), ((2, 3, 3), {"diagonal": -1})], traits={WIDEN_UNSIGNED})
def triu(x: Tensor, *, diagonal: int = 0):
    """The upper triangle of the last two dimensions, from `diagonal` on; the rest is zero."""
    return torch.triu(x, diagonal)


def _matrices(name: str) -> Any:
    def rule(x: Aval, *, diagonal: float | str | Sequence[float] | None = 0) -> Aval:
        if isinstance(diagonal, bool) or not isinstance(diagonal, int):
            raise TypeError(f"For '{name}', the 'diagonal' must be an int, but got {diagonal!r}.")
        if len(x.shape) < 2:
            raise ValueError(f"For '{name}', the input must have two dimensions at least, but got "
                             f"{show(x)}.")
        return x
    return rule


tril.shape(_matrices("Tril"))
triu.shape(_matrices("Triu"))


def _trilu(upper: int) -> Any:
    def rule(g: Exported, x: str, *, diagonal: int = 0) -> str:
        if g.avals[x].dtype not in (float32, float64, int64, bool_):
            raise NotImplementedError("ONNX has no triangles of this type that its runtime computes.")
        return g.add("Trilu", x, g.constant(diagonal, int64), upper=upper)
    return rule


tril.onnx(_trilu(0))
triu.onnx(_trilu(1))


@tril.grad(needs="")
def _(dout: Value, *, diagonal: int = 0):
    return tril(dout, diagonal=diagonal),


@triu.grad(needs="")
def _(dout: Value, *, diagonal: int = 0):
    return triu(dout, diagonal=diagonal),


@operator(hidden=True, samples=[((3, 4), {"offset": 1, "dim1": 0, "dim2": 1}),
                                            ((2, 3, 3), {"offset": 0, "dim1": -2, "dim2": -1})],
          dims=lambda x, offset=0, dim1=0, dim2=1: "{} -> {}".format(*_plane(rank_of(x), dim1, dim2)),
          traits={VIEW})
def diagonal(x: Tensor, *, offset: int = 0, dim1: int = 0, dim2: int = 1):
    """The diagonals of the plane (dim1, dim2), as the last dimension."""
    return torch.diagonal(x, offset, dim1, dim2)


@diagonal.shape
def _(x: Aval, *, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Aval:
    if len(x.shape) < 2:
        raise ValueError(f"For 'diagonal', the input must have two dimensions at least, but got "
                         f"{show(x)}.")
    a, b = axes_of((dim1, dim2), len(x.shape), "diagonal")
    high, wide = x.shape[a], x.shape[b]
    count = max(min(high + min(offset, 0), wide - max(offset, 0)), 0)
    rest = [n for i, n in enumerate(x.shape) if i not in (a, b)]
    return Aval((*rest, count), x.dtype)


@diagonal.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, offset: int = 0, dim1: int = 0, dim2: int = 1):
    return diagonal_grad(dout, shape=tuple(x.shape), offset=offset, dim1=dim1, dim2=dim2),


@operator(hidden=True, samples=[((3,), {"shape": (3, 4), "offset": 1, "dim1": 0, "dim2": 1})],
          dims=lambda dout, shape, offset, dim1, dim2: "{1}; shape={0} -> {0}".format(*_plane(len(shape), dim1, dim2)))
def diagonal_grad(dout: Tensor, *, shape: Ints, offset: int, dim1: int, dim2: int):
    """Zeros of `shape` with `dout` on the diagonals."""
    return torch.ops.aten.diagonal_backward(dout, shape, offset, dim1, dim2)


diagonal_grad.shape(stated)


@diagonal_grad.grad(needs="")
def _(ddx: Value, *, shape: Ints, offset: int, dim1: int, dim2: int):
    return diagonal(ddx, offset=offset, dim1=dim1, dim2=dim2),


@operator(primitive="Diag()(input)", samples=[((3,),), ((2, 3),)],
          dims=whole("all pieces meet in the zeros beside the diagonal"))
def diag(x: Tensor):
    """Zeros of the shape (*x.shape, *x.shape) with `x` on the diagonal."""
    return torch.diag(x.reshape(-1)).reshape(*x.shape, *x.shape)


@diag.shape
def _(x: Aval) -> Aval:
    if not x.shape:
        raise ValueError("For 'Diag', the input must have a dimension at least.")
    return Aval(x.shape * 2, x.dtype)


@diag.grad(needs="")
def _(dout: Value):
    return diag_part(dout),


@operator(primitive="DiagPart()(input_x)", samples=[((3, 3),), ((2, 3, 2, 3),)],
          dims=whole("the diagonal begins elsewhere in every piece"), traits={VIEW})
def diag_part(x: Tensor):
    """The diagonal of a tensor of the shape (*n, *n), as a tensor of the shape n."""
    half = x.shape[:x.dim() // 2]
    count = half.numel()
    if not x.dim():
        raise ValueError("For 'DiagPart', the shape must be some shape twice, but got ().")
    return x.reshape(count, count).diagonal().reshape(half)


@diag_part.shape
def _(x: Aval) -> Aval:
    half = x.shape[:len(x.shape) // 2]
    if not x.shape or half * 2 != x.shape:
        raise ValueError(f"For 'DiagPart', the shape must be some shape twice, but got {x.shape}.")
    return Aval(half, x.dtype)


@diag_part.grad(needs="")
def _(dout: Value):
    return diag(dout),
