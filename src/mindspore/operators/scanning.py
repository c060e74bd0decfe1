"""Running sums, products and extremes along one axis."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import DType, int32, int64
from mindspore.ir import Aval

from .labels import along, rank_of
from .reduction import take_along
from .registry import operator
from .rules import check_axis
from .torch_reverse import also_of_integers
from .traits import ORDERED, WIDEN_UNSIGNED
from .values import Axes, Value

_AXIS: list[Any] = [((3, 4), {"axis": 0}), ((2, 3, 4), {"axis": -1, "reverse": True}),
                    ((2, 3, 4), {"axis": 1, "exclusive": True})]


def _dims(x: Any, axis: int = 0, **_: Any) -> str:
    return along(axis, rank_of(x))


def _running(name: str) -> Any:
    def rule(x: Aval, *, axis: Axes, exclusive: bool = False, reverse: bool = False) -> Aval:
        check_axis(x, axis, name)
        return x
    return rule


def _shifted(x: torch.Tensor, axis: int, first: float) -> torch.Tensor:
    """x moved up by one place along an axis, with `first` in front."""
    start = torch.full_like(x.narrow(axis, 0, 1), first)
    return torch.cat([start, x.narrow(axis, 0, x.shape[axis] - 1)], axis)


def _scan(scan: Any, x: torch.Tensor, axis: int, exclusive: bool, reverse: bool,
          neutral: float) -> torch.Tensor:
    if reverse:
        x = x.flip(axis)
    if exclusive and x.dim():
        x = _shifted(x, axis, neutral)
    out = scan(x, axis)
    return out.flip(axis) if reverse else out


@operator(primitive="CumSum(exclusive=False, reverse=False)(input, axis)",
          dims=_dims, samples=_AXIS, traits={WIDEN_UNSIGNED})
def cum_sum(x: Tensor, *, axis: int, exclusive: bool = False, reverse: bool = False):
    """Running sums along `axis`: without the element itself if `exclusive`, from the end if `reverse`."""
    def scan(v: torch.Tensor, a: int) -> torch.Tensor:
        return torch.cumsum(v, a, dtype=v.dtype)
    return _scan(scan, x, axis, exclusive, reverse, 0)


cum_sum.shape(_running("CumSum"))


@cum_sum.grad(needs="")
def _(dout: Value, *, axis: int, exclusive: bool = False, reverse: bool = False):
    return cum_sum(dout, axis=axis, exclusive=exclusive, reverse=not reverse),


@operator(primitive="CumProd(exclusive=False, reverse=False)(x, axis)", dims=_dims, samples=_AXIS,
          grad="torch", traits={WIDEN_UNSIGNED})
def cum_prod(x: Tensor, *, axis: int, exclusive: bool = False, reverse: bool = False):
    """Running products along `axis`: without the element itself if `exclusive`, from the end if `reverse`."""
    def scan(v: torch.Tensor, a: int) -> torch.Tensor:
        return torch.cumprod(v, a, dtype=v.dtype)
    return _scan(scan, x, axis, exclusive, reverse, 1)


cum_prod.shape(_running("CumProd"))
also_of_integers(cum_prod)


@operator(primitive="CumulativeLogsumexp(exclusive=False, reverse=False)(x, axis)", dims=_dims,
          samples=[((3, 4), {"axis": 0}), ((2, 3, 4), {"axis": -1, "reverse": True})],
          grad="torch")
def cumulative_logsumexp(x: Tensor, *, axis: int, exclusive: bool = False, reverse: bool = False):
    """log of the running sums of exp(x) along `axis`."""
    lowest = torch.finfo(x.dtype).min
    return _scan(torch.logcumsumexp, x, axis, exclusive, reverse, lowest)


cumulative_logsumexp.shape(_running("CumulativeLogsumexp"))


def _extremes(name: str, index: DType) -> Any:
    def rule(x: Aval, *, axis: Axes) -> tuple[Aval, Aval]:
        check_axis(x, axis, name)
        return x, Aval(x.shape, index)
    return rule


@operator(primitive="Cummax(axis)(input)", function="cummax(input, axis)", method="cummax(axis)",
          samples=[((3, 4), {"axis": 0})], dims=lambda x, axis: along(axis, rank_of(x), 2),
          traits={ORDERED, WIDEN_UNSIGNED})
def cummax(x: Tensor, *, axis: int):
    """The largest element so far along `axis`, and its index."""
    return tuple(torch.cummax(x, axis))


@operator(primitive="Cummin(axis)(input)", function="cummin(input, axis)", method="cummin(axis)",
          samples=[((3, 4), {"axis": 0})], dims=lambda x, axis: along(axis, rank_of(x), 2),
          traits={ORDERED, WIDEN_UNSIGNED})
def cummin(x: Tensor, *, axis: int):
    """The smallest element so far along `axis`, and its index, int32."""
    values, index = torch.cummin(x, axis)
    return values, index.to(torch.int32)


@operator(hidden=True, samples=[],
          dims=lambda d, index, axis: "{0}, {0} -> {0}".format(along(axis, rank_of(d)).split(" -> ")[0]))
def add_along(d: Tensor, index: Tensor, *, axis: int):
    """The sum of the elements of `d` that go to the same index along `axis`."""
    return torch.zeros_like(d).scatter_add(axis, index.to(torch.int64), d)


@add_along.shape
def _(d: Aval, index: Aval, *, axis: int) -> Aval:
    return d


@add_along.grad(needs="index")
def _(index: Value, dout: Value, *, axis: int):
    return take_along(dout, index, axis=axis), None


cummax.shape(_extremes("Cummax", int64))
cummin.shape(_extremes("Cummin", int32))


def _to_index(out: tuple[Value, ...], dout: tuple[Value | None, ...], *, axis: int):
    return None if dout[0] is None else add_along(dout[0], out[1], axis=axis),


cummax.grad(needs="out")(_to_index)
cummin.grad(needs="out")(_to_index)
