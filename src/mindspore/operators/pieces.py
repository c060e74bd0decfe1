"""Changes of how a tensor lies on a line of devices, as operators; made when a graph is split, after derivatives.

`group` is the name of the processes on the line and `place` the number of this one among them; `counts` says how long
the piece of each is along `dim`.
"""
from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from mindspore.core.dtype import DType, float32
from mindspore.distributed import collectives, exchange
from mindspore.ir import Aval

from .communication import EFFECT, TOGETHER, once_a_run
from .labels import along
from .registry import operator
from .rules import ELEMENTWISE
from .traits import Trait
from .values import Ints, Value


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def reduce_parts(x: Tensor, *, kind: str, group: str, size: int):
    """The sum (or maximum, minimum, product) of what the devices have; all of them get it."""
    return collectives.reduced_over(x, kind, group)


@reduce_parts.shape
def _(x: Aval, *, kind: str, group: str, size: int) -> Aval:
    return x


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def scatter_parts(x: Tensor, *, dim: int, counts: Ints, place: int, group: str):
    """The piece of this device of the sum of what the devices have."""
    if side_by_side(dim, counts):
        even = x.reshape((len(counts), counts[0], *x.shape[1:])).clone(memory_format=torch.contiguous_format)
    else:
        even = torch.stack([_as_long(part, dim, max(counts)) for part in _cut(x, counts, dim)])
    found = collectives.reduced_in_parts(even, "sum", group, free=True)[0]
    return found if counts[place] == max(counts) else found.narrow(dim, 0, counts[place]).contiguous()


def side_by_side(dim: int, counts: Sequence[int]) -> bool:
    """Whether pieces lie in memory one after the other as they travel: equally many rows of each device."""
    return dim == 0 and len(set(counts)) == 1


def _cut(x: Tensor, counts: Sequence[int], dim: int) -> list[Tensor]:
    """The pieces of these lengths along a dimension, as views."""
    return [x.narrow(dim, sum(counts[:k]), n) for k, n in enumerate(counts)]


def _as_long(x: Tensor, dim: int, length: int) -> Tensor:
    """A piece with zeros at its end: pieces of all devices travel as long as the longest of them."""
    if x.shape[dim] == length:
        return x
    shape = list(x.shape)
    shape[dim] = length - x.shape[dim]
    return torch.cat([x, x.new_zeros(shape)], dim)


@scatter_parts.shape
def _(x: Aval, *, dim: int, counts: Ints, place: int, group: str) -> Aval:
    return Aval((*x.shape[:dim], counts[place], *x.shape[dim + 1:]), x.dtype)


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def gather_pieces(x: Tensor, *, dim: int, counts: Ints, group: str):
    """The pieces of all devices put together."""
    if side_by_side(dim, counts):
        return collectives.gathered(x, group)
    every = collectives.gathered(_as_long(x, dim, max(counts))[None], group)
    parts = [part if n == max(counts) else part.narrow(dim, 0, n) for part, n in zip(every, counts, strict=True)]
    return torch.cat(parts, dim)


@gather_pieces.shape
def _(x: Aval, *, dim: int, counts: Ints, group: str) -> Aval:
    return Aval((*x.shape[:dim], sum(counts), *x.shape[dim + 1:]), x.dtype)


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def swap_pieces(x: Tensor, *, split: int, cuts: Ints, dim: int, counts: Ints, place: int, group: str):
    """The piece along `split` (of the lengths `cuts`) in place of the one along `dim` (`counts`)."""
    sent = [part.reshape(-1) for part in _cut(x, cuts, split)]
    shapes = [[*x.shape] for _ in counts]
    for shape, n in zip(shapes, counts, strict=True):
        shape[split], shape[dim] = cuts[place], n
    lengths = [math.prod(shape) for shape in shapes]
    came = exchange.swapped(torch.cat(sent), [part.numel() for part in sent], lengths, group, "AlltoAll")
    return torch.cat([part.view(shape) for part, shape in zip(_cut(came, lengths, 0), shapes, strict=True)], dim)


@swap_pieces.shape
def _(x: Aval, *, split: int, cuts: Ints, dim: int, counts: Ints, place: int, group: str) -> Aval:
    shape = list(x.shape)
    shape[split], shape[dim] = cuts[place], sum(counts)
    return Aval(tuple(shape), x.dtype)


@operator(hidden=True, samples=[((4, 3), {"dim": 0, "start": 1, "length": 2})], traits={Trait.VIEW})
def take_piece(x: Tensor, *, dim: int, start: int, length: int):
    """The rows from `start` on along a dimension, as a view."""
    return x.narrow(dim, start, length)


@take_piece.layout
def _(x: Aval, *, dim: int, start: int, length: int) -> str:
    return along(dim, len(x.shape))


@take_piece.shape
def _(x: Aval, *, dim: int, start: int, length: int) -> Aval:
    return Aval((*x.shape[:dim], length, *x.shape[dim + 1:]), x.dtype)


@operator(hidden=True, samples=[((2, 3), {"keep": True}), ((2, 3), {"keep": False})], dims=ELEMENTWISE)
def keep_part(x: Tensor, *, keep: bool):
    """The value on the device that keeps it, zeros on the others: parts of a sum."""
    return x.clone() if keep else torch.zeros_like(x)


@keep_part.shape
def _(x: Aval, *, keep: bool) -> Aval:
    return x


@operator(hidden=True, samples=[((2, 3),)], dims=ELEMENTWISE)
def lie_as(x: Tensor):
    """The value; a strategy in its origin says how it lies."""
    return x.clone()


@lie_as.grad(needs="")
def _(dout: Value) -> tuple[Value]:
    return dout,


@lie_as.shape
def _(x: Aval) -> Aval:
    return x


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def send_away(x: Tensor, *, peer: int, tag: int):
    """Begin to send the tensor to a process, which receives it when it needs it; nothing."""
    exchange.sent_away(x, peer, tag)
    return x.new_zeros(())


@send_away.shape
def _(x: Aval, *, peer: int, tag: int) -> Aval:
    return Aval((), x.dtype)


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def receive_from(*, shape: Ints, dtype: DType, peer: int, tag: int):
    """The tensor that a process sends."""
    return exchange.received(shape, dtype.torch, peer, tag)


@receive_from.shape
def _(*, shape: Ints, dtype: DType, peer: int, tag: int) -> Aval:
    return Aval(tuple(shape), dtype)


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def settle():
    """Wait until all that was sent has been taken; nothing."""
    exchange.settled()
    return torch.zeros(())


@settle.shape
def _() -> Aval:
    return Aval((), float32)
