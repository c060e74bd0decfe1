"""Rounding, and the larger and smaller of two tensors."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import loops, torch_private
from .arithmetic import mul
from .comparison import greater, greater_equal, less, less_equal
from .labels import whole
from .registry import Operator, operator
from .rules import BINARY, ELEMENTWISE, broadcasting, fit, kept, same, tensors
from .structure import cast
from .traits import ORDERED, STREAMING, WIDEN_UNSIGNED
from .values import Value

_ANY: list[Any] = [((2, 3),)]
_TWO: list[Any] = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), 0.5)]


@operator(primitive="Floor()(input)", function="floor(input)", method="floor()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.floor({0})", inplace="floor_", onnx="Floor")
def floor(x: Tensor):
    """The largest whole number that is not above x."""
    return torch.floor(x)


@operator(primitive="Ceil()(input)", function="ceil(input)", method="ceil()",
          dims=ELEMENTWISE, samples=_ANY, code="torch.ceil({0})", inplace="ceil_", onnx="Ceil")
def ceil(x: Tensor):
    """The smallest whole number that is not below x."""
    return torch.ceil(x)


@operator(primitive="Trunc()(input)", function="trunc(input)", method="trunc()", dims=ELEMENTWISE,
          samples=_ANY)
def trunc(x: Tensor):
    """x without its fractional part."""
    return x.clone() if x.dtype is torch.bool else torch.trunc(x)


@operator(primitive="Rint()(x)", dims=ELEMENTWISE, samples=_ANY, code="torch.round({0})",
          inplace="round_")
def rint(x: Tensor):
    """The nearest whole number; halves go to the even one."""
    return torch.round(x)


@operator(primitive="Round()(input, decimals=0)", function="round(input, *, decimals=0)",
          method="round(decimals=0)", dims=ELEMENTWISE,
          samples=[((2, 3),), ((2, 3), {"decimals": 1})])
def round_(x: Tensor, *, decimals: int = 0):
    """x with that many digits behind the point; halves go to the even neighbour."""
    return torch.round(x, decimals=decimals) if decimals else torch.round(x)


@operator(hidden=True, dims=whole("a number has no dimensions"), samples=[])
def round_number(x: Tensor, *, digits: Any):
    """A number with that many digits behind the point, as Python rounds it: exactly, to the nearest decimal number."""
    return torch.tensor(round(x.item(), digits), dtype=x.dtype, device=x.device)


def _flat(dout: Value, **_: Any) -> tuple[None]:
    return (None,)


for _op in (floor, ceil, trunc, rint, round_, round_number):
    _op.shape(same)
    _op.grad(needs="")(_flat)


# ---------------------------------------------------------------------- the larger, the smaller

@operator(primitive="Maximum()(input, other)", function="maximum(input, other)",
          method="maximum(other)", promote=True, dims=BINARY, samples=_TWO,
          traits={STREAMING, ORDERED, WIDEN_UNSIGNED}, onnx="Max")
def maximum(x: Tensor | float, y: Tensor | float):
    """The larger of x and y; NaN if one of them is.

    Examples:
        >>> ops.Maximum()(Tensor([1, 5]), Tensor([3, 2])).tolist()
        [3, 5]
    """
    return torch_private.maximum(x, y) if _tensors(x, y) else _bound(torch.clamp_min, x, y)


maximum.loop(loops.maximum)


@operator(primitive="Minimum()(input, other)", function="minimum(input, other)",
          method="minimum(other)", promote=True, dims=BINARY, samples=_TWO,
          traits={STREAMING, ORDERED, WIDEN_UNSIGNED}, onnx="Min")
def minimum(x: Tensor | float, y: Tensor | float):
    """The smaller of x and y; NaN if one of them is.

    Examples:
        >>> ops.Minimum()(Tensor([1, 5]), Tensor([3, 2])).tolist()
        [1, 2]
    """
    return torch_private.minimum(x, y) if _tensors(x, y) else _bound(torch.clamp_max, x, y)


minimum.loop(loops.minimum)


@operator(primitive="Fmax()(x1, x2)", function="fmax(input, other)", method="fmax(other)",
          promote=True, dims=BINARY, samples=_TWO, traits={ORDERED, WIDEN_UNSIGNED})
def fmax(x: Tensor | float, y: Tensor | float):
    """The larger of x and y; the other one if one of them is NaN."""
    return torch.fmax(*tensors(x, y))


@operator(primitive="Fmin()(x1, x2)", function="fmin(input, other)", method="fmin(other)",
          promote=True, dims=BINARY, samples=_TWO, traits={ORDERED, WIDEN_UNSIGNED})
def fmin(x: Tensor | float, y: Tensor | float):
    """The smaller of x and y; the other one if one of them is NaN."""
    return torch.fmin(*tensors(x, y))


def _tensors(x: Any, y: Any) -> bool:
    return isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor)


def _bound(clamp: Any, x: Any, y: Any) -> torch.Tensor:
    x, y = (x, y) if isinstance(x, torch.Tensor) else (y, x)
    if x.dtype is torch.bool:
        return (torch.maximum if clamp is torch.clamp_min else torch.minimum)(*tensors(x, y))
    return clamp(x, y)


def _chosen(choice: Operator, before: Operator, not_after: Operator) -> None:
    """Rules of the choice between x and y: equal operands share the cotangent."""
    choice.shape(broadcasting(choice.name))

    @choice.grad(needs="x y")
    def _(x: Value, y: Value | float, dout: Value):
        def share(a: Any, b: Any) -> Any:
            weight = cast(before(b, a), dtype=dout.dtype) + cast(not_after(b, a), dtype=dout.dtype)
            return kept(fit(mul(dout, weight) * 0.5, a), a)
        return lambda: share(x, y), lambda: share(y, x)


_chosen(maximum, less, less_equal)
_chosen(fmax, less, less_equal)
_chosen(minimum, greater, greater_equal)
_chosen(fmin, greater, greater_equal)
