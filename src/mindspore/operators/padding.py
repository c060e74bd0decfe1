"""Operators that pad, and that move elements between the batch, the channels and the plane."""
from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.ir import Aval

from .labels import along, rank_of, returned
from .registry import operator
from .rules import stated
from .structure import reshape, transpose
from .values import Ints, Value


def _padded(rank: int, pads: Any) -> str:
    """Sharding labels: what is padded stays whole."""
    return along([i for i, pair in enumerate(pads) if tuple(pair) != (0, 0)], rank)


@operator(hidden=True, samples=[((2, 3), {"pads": ((1, 0), (0, 2))}),
                                ((3, 4), {"pads": ((-1, 0), (1, -2)), "value": 2.0}),
                                ((2, 4), {"pads": ((0, 0), (1, 1))})],
          dims=lambda x, pads, value=0.0: _padded(rank_of(x), pads))
def pad_constant(x: Tensor, *, pads: tuple[Ints, ...], value: float = 0.0):
    """`x` with `pads[i]` = (before, after) elements of `value` added along dimension i; negative ones
    are cut off."""
    flat = [n for pair in reversed(pads) for n in pair]
    return torch.nn.functional.pad(x, flat, value=value)


@pad_constant.shape
def _(x: Aval, *, pads: tuple[Ints, ...], value: float = 0.0) -> Aval:
    out = tuple([n + a + b for n, (a, b) in zip(x.shape, pads, strict=True)])
    if any([n < 0 for n in out]):
        raise ValueError(f"For 'Pad', the paddings {pads} cut off more than the shape {x.shape} has.")
    return Aval(out, x.dtype)


@pad_constant.grad(needs="")
def _(dout: Value, *, pads: tuple[Ints, ...], value: float = 0.0):
    return pad_constant(dout, pads=tuple([(-a, -b) for a, b in pads])),


@operator(primitive="Pad(paddings)(input_x)",
          samples=[((2, 3), {"paddings": ((1, 0), (0, 2))}), ((2, 3), {"paddings": ((0, 0), (0, 2))})],
          dims=lambda x, paddings: _padded(rank_of(x), paddings))
def pad(x: Tensor, *, paddings: tuple[Ints, ...]):
    """`x` with `paddings[i]` = (before, after) zeros added along dimension i."""
    return torch.nn.functional.pad(x, [n for pair in reversed(paddings) for n in pair])


@pad.shape
def _(x: Aval, *, paddings: tuple[Ints, ...]) -> Aval:
    if len(paddings) != len(x.shape) or any(len(p) != 2 for p in paddings):
        raise ValueError(f"For 'Pad', the 'paddings' must hold a pair for each of the "
                         f"{len(x.shape)} dimensions, but got {paddings}.")
    if any(n < 0 for p in paddings for n in p):
        raise ValueError(f"For 'Pad', no element of the 'paddings' can be negative, but got "
                         f"{paddings}.")
    return Aval(tuple([n + a + b for n, (a, b) in zip(x.shape, paddings, strict=True)]), x.dtype)


@pad.grad(needs="")
def _(dout: Value, *, paddings: tuple[Ints, ...]):
    return pad_constant(dout, pads=tuple([(-a, -b) for a, b in paddings])),


def places(extent: int, before: int, after: int, mode: str) -> list[int]:
    """Which element stands at each place of a padded line."""
    span = range(-before, extent + after)
    if mode in ("edge", "replicate"):
        return np.arange(-before, extent + after).clip(0, extent - 1).tolist()
    if mode == "circular":
        return [i % extent for i in span]
    period = 2 * extent - 2 if mode == "reflect" else 2 * extent
    found: list[int] = []
    for i in span:
        i %= max(period, 1)
        found.append(i if i < extent else period - i - (mode == "symmetric"))
    return found


@operator(hidden=True,
          samples=[((3, 4), {"pads": ((1, 1), (2, 0)), "mode": "reflect"}),
                   ((3, 4), {"pads": ((0, 1), (2, 2)), "mode": "symmetric"}),
                   ((3, 4), {"pads": ((1, 0), (1, 2)), "mode": "circular"}),
                   ((4, 4), {"pads": ((0, 0), (1, 2)), "mode": "edge"})],
          dims=lambda x, pads, mode: _padded(rank_of(x), pads))
def pad_border(x: Tensor, *, pads: tuple[Ints, ...], mode: str):
    """`x` continued beyond its borders: mirrored, repeated or wrapped round."""
    _within(x.shape, pads, mode)
    for axis, (before, after) in enumerate(pads):
        if before or after:
            line = torch.tensor(places(x.shape[axis], before, after, mode), device=x.device)
            x = x.index_select(axis, line)
    return x


def _within(shape: Any, pads: Any, mode: str) -> None:
    """ValueError if a border cannot be continued so far."""
    limits = {"reflect": -1, "symmetric": 0, "circular": 0}
    for n, pair in zip(shape, pads, strict=True):
        if min(pair) < 0 or (mode in limits and max(pair) > n + limits[mode] and max(pair)):
            raise ValueError(f"For 'Pad', in mode '{mode}' the paddings must be in "
                             f"[0, {n + limits.get(mode, 0)}] for an extent of {n}, but got {pair}.")


@pad_border.shape
def _(x: Aval, *, pads: tuple[Ints, ...], mode: str) -> Aval:
    _within(x.shape, pads, mode)
    return Aval(tuple([n + a + b for n, (a, b) in zip(x.shape, pads, strict=True)]), x.dtype)


@pad_border.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, pads: tuple[Ints, ...], mode: str):
    return pad_border_grad(dout, shape=tuple(x.shape), pads=pads, mode=mode),


@operator(hidden=True, samples=[((5, 6), {"shape": (3, 4), "pads": ((1, 1), (2, 0)),
                                          "mode": "reflect"})],
          dims=lambda dout, shape, pads, mode: returned(_padded(len(shape), pads)))
def pad_border_grad(dout: Tensor, *, shape: Ints, pads: tuple[Ints, ...], mode: str):
    """The sum of `dout` over the copies that `PadBorder` makes of each element."""
    for axis, (before, after) in enumerate(pads):
        if before or after:
            line = torch.tensor(places(shape[axis], before, after, mode), device=dout.device)
            extent = (*dout.shape[:axis], shape[axis], *dout.shape[axis + 1:])
            dout = dout.new_zeros(extent).index_add_(axis, line, dout)
    return dout


pad_border_grad.shape(stated)


@pad_border_grad.grad(needs="")
def _(ddx: Value, *, shape: Ints, pads: tuple[Ints, ...], mode: str):
    return pad_border(ddx, pads=pads, mode=mode),


@operator(primitive="MirrorPad(mode='REFLECT')(input_x, paddings)",
          samples=[((3, 4), {"paddings": ((1, 1), (2, 2)), "mode": "SYMMETRIC"})],
          dims=lambda x, paddings, mode="REFLECT": _padded(rank_of(x), paddings))
def mirror_pad(x: Tensor, *, paddings: tuple[Ints, ...], mode: str = "REFLECT"):
    """`x` mirrored beyond its borders; SYMMETRIC repeats the border itself, REFLECT does not."""
    return pad_border.kernel(x, pads=paddings, mode=mode.lower())


@mirror_pad.shape
def _(x: Aval, *, paddings: tuple[Ints, ...], mode: str = "REFLECT") -> Aval:
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"For 'MirrorPad', the 'mode' must be 'REFLECT' or 'SYMMETRIC', but got "
                         f"{mode!r}.")
    if len(paddings) != len(x.shape) or any(len(p) != 2 for p in paddings):
        raise ValueError(f"For 'MirrorPad', the 'paddings' must hold a pair for each of the "
                         f"{len(x.shape)} dimensions, but got {paddings}.")
    return pad_border.shape_rule(x, pads=paddings, mode=mode.lower())


@mirror_pad.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, paddings: tuple[Ints, ...], mode: str = "REFLECT"):
    return pad_border_grad(dout, shape=tuple(x.shape), pads=paddings, mode=mode.lower()),


# ---------------------------------------------------------------------- blocks

@operator(primitive="SpaceToDepth(block_size)(x)",
          samples=[((1, 2, 4, 4), {"block_size": 2})],
          dims=lambda x, block_size: f"n c (h p={block_size}!) (w q={block_size}!) -> n (p! q! c) h w")
def space_to_depth(x: Tensor, *, block_size: int):
    """Blocks of the plane moved into the channels: (N, C, H, W) to (N, b*b*C, H/b, W/b)."""
    n, c, h, w = x.shape
    b = block_size
    return (x.reshape(n, c, h // b, b, w // b, b).permute(0, 3, 5, 1, 2, 4)
            .reshape(n, c * b * b, h // b, w // b))


@space_to_depth.shape
def _(x: Aval, *, block_size: int) -> Aval:
    n, c, h, w = _plane(x, "SpaceToDepth", block_size)
    if h % block_size or w % block_size:
        raise ValueError(f"For 'SpaceToDepth', the 'block_size' must divide height and width, but got "
                         f"{block_size} for {x.shape}.")
    return Aval((n, c * block_size ** 2, h // block_size, w // block_size), x.dtype)


@space_to_depth.grad(needs="")
def _(dout: Value, *, block_size: int):
    return depth_to_space(dout, block_size=block_size),


@operator(primitive="DepthToSpace(block_size)(x)",
          samples=[((1, 8, 2, 2), {"block_size": 2})],
          dims=lambda x, block_size: f"n (p={block_size}! q={block_size}! c) h w -> n c (h p!) (w q!)")
def depth_to_space(x: Tensor, *, block_size: int):
    """Channels moved into blocks of the plane: (N, b*b*C, H, W) to (N, C, H*b, W*b)."""
    n, c, h, w = x.shape
    b = block_size
    return (x.reshape(n, b, b, c // b // b, h, w).permute(0, 3, 4, 1, 5, 2)
            .reshape(n, c // b // b, h * b, w * b))


@depth_to_space.shape
def _(x: Aval, *, block_size: int) -> Aval:
    n, c, h, w = _plane(x, "DepthToSpace", block_size)
    if c % block_size ** 2:
        raise ValueError(f"For 'DepthToSpace', the square of 'block_size' must divide the channels, "
                         f"but got {block_size} for {x.shape}.")
    return Aval((n, c // block_size ** 2, h * block_size, w * block_size), x.dtype)


@depth_to_space.grad(needs="")
def _(dout: Value, *, block_size: int):
    return space_to_depth(dout, block_size=block_size),


def _plane(x: Aval, name: str, block: Any) -> tuple[int, ...]:
    if isinstance(block, bool) or not isinstance(block, int):
        raise TypeError(f"For '{name}', the 'block_size' must be an int, but got {block!r}.")
    if block < 2:
        raise ValueError(f"For '{name}', the 'block_size' must be at least 2, but got {block}.")
    if len(x.shape) != 4:
        raise ValueError(f"For '{name}', the input must have the shape (N, C, H, W), but got "
                         f"{show(x)}.")
    return x.shape


def space_to_batch(x: Any, block: tuple[int, ...], pads: tuple[tuple[int, int], ...]) -> Any:
    """The last dimensions cut into blocks whose elements become the batch: (N, C, ...) to
    (N * prod(block), C, ...)."""
    k, lead = len(block), len(x.shape) - len(block)
    x = pad_constant(x, pads=((0, 0),) * lead + tuple(map(tuple, pads)))
    small = [n // b for n, b in zip(x.shape[lead:], block, strict=True)]
    pairs = [e for n, b in zip(small, block, strict=True) for e in (n, b)]
    apart = reshape(x, shape=(*x.shape[:lead], *pairs))
    order = [lead + 1 + 2 * i for i in range(k)] + list(range(lead)) + [lead + 2 * i for i in range(k)]
    moved = transpose(apart, perm=tuple(order))
    return reshape(moved, shape=(-1, *x.shape[1:lead], *small))


def batch_to_space(x: Any, block: tuple[int, ...], crops: tuple[tuple[int, int], ...]) -> Any:
    """The inverse of `space_to_batch`, with `crops` cut off."""
    k, lead = len(block), len(x.shape) - len(block)
    count = 1
    for b in block:
        count *= b
    apart = reshape(x, shape=(*block, x.shape[0] // count, *x.shape[1:]))
    order = [*range(k, k + lead)]
    for i in range(k):
        order += [k + lead + i, i]
    joined = [n * b for n, b in zip(x.shape[lead:], block, strict=True)]
    moved = reshape(transpose(apart, perm=tuple(order)),
                    shape=(x.shape[0] // count, *x.shape[1:lead], *joined))
    return pad_constant(moved, pads=((0, 0),) * lead + tuple([(-a, -b) for a, b in crops]))
