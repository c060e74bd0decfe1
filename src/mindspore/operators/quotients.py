"""Quotients that are whole numbers, and what they leave: floor and truncated division, remainders."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .registry import Operator, operator
from .rules import BINARY, broadcasting, fit, tensors
from .samples import positive
from .traits import DIVISION, QUOTIENT, REMAINDER, WIDEN_UNSIGNED
from .values import Value

_OVER: list[Any] = [((2, 3), positive(2, 3)), (2.0, positive(2, 3)), ((4, 2, 3), positive(3))]


def _flat(quotient: Operator) -> None:
    """Rules of a quotient that is piecewise constant."""
    quotient.shape(broadcasting(quotient.name))
    quotient.grad(needs="")(lambda dout: (None, None))


@operator(primitive="FloorDiv()(input, other)",
          function="floor_div(x, y); floor_divide(input, other); floordiv(input, other); "
                   "tensor_floordiv(input, other)",
          method="floor_divide(other)", promote=True, dims=BINARY, samples=_OVER,
          traits={DIVISION, QUOTIENT, WIDEN_UNSIGNED})
def floor_div(x: Tensor | float, y: Tensor):
    """The largest whole number that is not above x / y; of a complex quotient the real part's."""
    try:
        return x // y
    except (RuntimeError, NotImplementedError):    # torch has no kernel for complex numbers, bools
        out = x / y
        if out.is_complex():
            return torch.floor(out.real).to(out.dtype)
        if not _are_bools(x, y):
            raise
        a, b = tensors(x, y)
        return torch.logical_and(a, torch.ones_like(b))    # whatever it is divided by


_flat(floor_div)


@operator(primitive="TruncateDiv()(x, y)", function="truncate_div(x, y)", promote=True, dims=BINARY,
          samples=_OVER, traits={QUOTIENT, WIDEN_UNSIGNED})
def truncate_div(x: Tensor | float, y: Tensor):
    """x / y without its fractional part."""
    return torch.div(x, y, rounding_mode="trunc")


_flat(truncate_div)


@operator(primitive="FloorMod()(x, y)", promote=True, dims=BINARY, samples=_OVER,
          function="floor_mod(x, y); floormod(x, y); tensor_mod(x, y); remainder(input, other)",
          method="remainder(other)", traits={DIVISION, REMAINDER, WIDEN_UNSIGNED})
def floor_mod(x: Tensor | float, y: Tensor):
    """x - floor(x / y) * y: the remainder with the sign of `y`; of bools True where only `x` is."""
    if _are_bools(x, y):
        return _left_of_bools(x, y)
    try:
        return torch.remainder(x, y)
    except (RuntimeError, NotImplementedError):    # torch has no kernel for complex numbers
        out = x / y
        if not out.is_complex():
            raise
        return x - torch.floor(out.real) * y


floor_mod.shape(broadcasting("FloorMod"))


@floor_mod.grad(needs="x y")
def _(x: Value | float, y: Value, dout: Value):
    return lambda: fit(dout, x), lambda: fit(-dout * floor_div(x, y), y)


@operator(primitive="TruncateMod()(x, y)", function="truncate_mod(x, y); fmod(input, other)",
          method="fmod(other)", promote=True, dims=BINARY, samples=_OVER, traits={REMAINDER, WIDEN_UNSIGNED})
def truncate_mod(x: Tensor | float, y: Tensor):
    """x - trunc(x / y) * y: the remainder with the sign of `x`; of bools True where only `x` is."""
    return _fmod(x, y)


truncate_mod.shape(broadcasting("TruncateMod"))


@operator(primitive="Mod()(x, y)", promote=True, dims=BINARY, samples=_OVER,
          traits={REMAINDER, WIDEN_UNSIGNED})
def mod(x: Tensor | float, y: Tensor):
    """The remainder of x / y with the sign of `x`."""
    return _fmod(x, y)


mod.shape(broadcasting("Mod"))


@truncate_mod.grad(needs="x y")
@mod.grad(needs="x y")
def _(x: Value | float, y: Value, dout: Value):
    return lambda: fit(dout, x), lambda: fit(-dout * truncate_div(x, y), y)


def _fmod(x: Any, y: Any) -> torch.Tensor:
    x = x if isinstance(x, torch.Tensor) else y.new_full((), x)
    return _left_of_bools(x, y) if _are_bools(x, y) else torch.fmod(x, y)


def _are_bools(x: Any, y: Any) -> bool:
    return all(type(v) is bool or getattr(v, "dtype", None) is torch.bool for v in (x, y))


def _left_of_bools(x: Any, y: Any) -> torch.Tensor:
    """The remainder of a division by True is False; a division by False leaves all of x."""
    a, b = tensors(x, y)
    return torch.logical_and(a, torch.logical_not(b))
