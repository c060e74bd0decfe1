"""Parts of a tensor by their places in memory: how the tape follows changes in place through views.

`at` is the shape, the strides and the offset of a part, counted in elements from the first one of a tensor with the
strides `stride`.  A value that lies differently is laid out so before.
"""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.ir import Aval

from .labels import whole
from .registry import operator
from .rules import stated
from .structure import full
from .values import Ints, Value

Place = tuple[Ints, Ints, int]           # shape, strides and offset of a part
_WHOLE = whole("places in memory do not follow the dimensions")


def _part(x: torch.Tensor, stride: tuple[int, ...], at: Any) -> torch.Tensor:
    if x.stride() != stride:
        x = torch.empty_strided(x.shape, stride, dtype=x.dtype, device=x.device).copy_(x)
    return x.as_strided(at[0], at[1], x.storage_offset() + at[2])


@operator(hidden=True, samples=[((2, 2), {"shape": (2, 2), "stride": (2, 1), "at": ((2,), (2,), 1)})], dims=_WHOLE)
def strided(x: Tensor, *, shape: Ints, stride: Ints, at: Place):
    """The part of `x`, which has that shape, at a place."""
    return _part(x, stride, at).clone()


@strided.shape
def _(x: Aval, *, shape: Ints, stride: Ints, at: Place) -> Aval:
    return Aval(tuple(at[0]), x.dtype)


@strided.grad(needs="")
def _(dout: Value, *, shape: Ints, stride: Ints, at: Place):
    return strided_grad(dout, shape=shape, stride=stride, at=at),


@operator(hidden=True, samples=[((2,), {"shape": (2, 2), "stride": (2, 1), "at": ((2,), (2,), 1)})], dims=_WHOLE)
def strided_grad(dout: Tensor, *, shape: Ints, stride: Ints, at: Place):
    """Zeros of that shape with `dout` added at a place, whose elements may be the same ones several times."""
    out = torch.empty_strided(shape, stride, dtype=dout.dtype, device=dout.device).zero_()
    if 0 not in at[1]:
        out.as_strided(*at).copy_(dout)
        return out
    size = out.untyped_storage().nbytes() // out.element_size()
    places = torch.arange(size, device=out.device).as_strided(*at)
    out.as_strided((size,), (1,), 0).index_add_(0, places.reshape(-1), dout.reshape(-1))
    return out


strided_grad.shape(stated)


@strided_grad.grad(needs="")
def _(ddx: Value, *, shape: Ints, stride: Ints, at: Place):
    return strided(ddx, shape=shape, stride=stride, at=at),


@operator(hidden=True, samples=[((2, 2), (2,), {"shape": (2, 2), "stride": (2, 1), "at": ((2,), (2,), 1)})],
          dims=_WHOLE)
def strided_write(x: Tensor, value: Tensor, *, shape: Ints, stride: Ints, at: Place):
    """`x`, which has that shape, with other elements at a place."""
    out = torch.empty_strided(x.shape, stride, dtype=x.dtype, device=x.device).copy_(x)
    out.as_strided(*at).copy_(value)
    return out


@strided_write.shape
def _(x: Aval, value: Aval, *, shape: Ints, stride: Ints, at: Place) -> Aval:
    return x


@strided_write.grad(needs="")
def _(dout: Value, *, shape: Ints, stride: Ints, at: Place):
    def of_rest() -> Any:
        return strided_write(dout, full(shape=tuple(at[0]), value=0, dtype=dout.dtype), shape=shape, stride=stride,
                             at=at)
    return of_rest, lambda: strided(dout, shape=shape, stride=stride, at=at)
