"""Dropout of elements and of channels."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import bool_, float32, uint8
from mindspore.core.errors import ArgumentError, show
from mindspore.ir import Aval

from .attached import Device
from .exported import Exported
from .labels import whole
from .random import generator
from .registry import operator
from .rules import BINARY
from .structure import device_in_use
from .traits import STREAMING
from .values import Ints, Value

aten = torch.ops.aten


def _probability(name: str, keep_prob: Any) -> None:
    if isinstance(keep_prob, bool) or not isinstance(keep_prob, (int, float)):
        raise TypeError(f"For '{name}', the 'keep_prob' must be a float, but got {keep_prob!r}.")
    if not 0.0 < keep_prob <= 1.0:
        raise ArgumentError(f"For '{name}', the 'keep_prob' must be in (0, 1], but got {keep_prob}.")


@operator(hidden=True, effect="random", samples=[], dims="... -> ..., ...")
def dropout(x: Tensor, *, keep_prob: float = 0.5, seed: int = 0, seed2: int = 0, stream: int = 0):
    """`x` / keep_prob with each element kept with that probability, else 0; and which were kept."""
    own = generator(seed, seed2, stream, x.device) if seed or seed2 else None
    if own is None:
        return torch.native_dropout(x, 1.0 - keep_prob, True)
    kept = torch.empty_like(x, dtype=torch.bool).bernoulli_(keep_prob, generator=own)
    return aten.native_dropout_backward.default(x, kept, 1.0 / keep_prob), kept


@dropout.shape
def _(x: Aval, *, keep_prob: float = 0.5, seed: int = 0, seed2: int = 0, stream: int = 0):
    _probability("Dropout", keep_prob)
    if not x.dtype.is_floating:
        raise TypeError(f"For 'Dropout', the input must be a floating-point tensor, but got {show(x)}.")
    return x, Aval(x.shape, bool_)


@dropout.onnx
def _(g: Exported, x: str, *, keep_prob: float = 0.5, seed: int = 0, seed2: int = 0, stream: int = 0):
    """The numbers that are drawn are those of the other system."""
    more: dict[str, Any] = {"seed": seed or seed2} if seed or seed2 else {}
    return g.add("Dropout", x, g.constant(1 - keep_prob, float32), g.constant(True, bool_), results=2, **more)


@dropout.grad(needs="out")
def _(out: tuple[Value, ...], dout: tuple[Value | None, ...], *, keep_prob: float = 0.5, **_: Any):
    return dropout_grad(dout[0], out[1], scale=1.0 / keep_prob),


@operator(hidden=True, effect="random", samples=[], dims=whole("every device draws for all elements"))
def kept_piece(*, shape: Ints, starts: Ints, lengths: Ints, keep_prob: float, seed: int, seed2: int, stream: int):
    """A piece of what `Dropout` keeps of a tensor of a shape: all devices draw the same numbers for all of it."""
    device = device_in_use()
    own = generator(seed, seed2, stream, device) if seed or seed2 else None
    kept = torch.empty(shape, dtype=torch.bool, device=device).bernoulli_(keep_prob, generator=own)
    for dim, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        kept = kept.narrow(dim, start, length)
    return kept.contiguous()


@kept_piece.shape
def _(*, shape: Ints, starts: Ints, lengths: Ints, keep_prob: float, seed: int, seed2: int, stream: int) -> Aval:
    return Aval(tuple(lengths), bool_)


@dropout.across(exact=True)
def _(o: Device, x: Any, *, keep_prob: float, seed: int, seed2: int, stream: int):
    starts = tuple([o.start(0, dim) for dim in range(len(o.whole(0)))])
    kept = o(kept_piece, shape=o.whole(0), starts=starts, lengths=o.shape(x), keep_prob=keep_prob, seed=seed,
             seed2=seed2, stream=stream)
    return o(dropout_grad, x, kept, scale=1.0 / keep_prob), kept


@operator(hidden=True, dims=BINARY, samples=[], traits={STREAMING})
def dropout_grad(dout: Tensor, kept: Tensor, *, scale: float):
    """scale * dout where kept, else 0."""
    return aten.native_dropout_backward.default(dout, kept, scale)


@dropout_grad.shape
def _(dout: Aval, kept: Aval, *, scale: float) -> Aval:
    return dout


@dropout_grad.grad(needs="kept")
def _(kept: Value, d: Value, *, scale: float):
    return dropout_grad(d, kept, scale=scale), None


@operator(hidden=True, effect="random", samples=[], dims="n c ...! -> n c ...!, n c ...!")
def channel_dropout(x: Tensor, *, keep_prob: float = 0.5):
    """`x` (N, C, *) / keep_prob with each channel kept with that probability; and what was kept."""
    shape = (*x.shape[:2], *[1] * (x.dim() - 2))
    kept = torch.empty(shape, dtype=torch.bool, device=x.device).bernoulli_(keep_prob).expand(x.shape)
    if keep_prob == 0:
        return torch.zeros_like(x), kept
    return x * kept / keep_prob, kept


@channel_dropout.shape
def _(x: Aval, *, keep_prob: object = 0.5):
    name = f"Dropout{len(x.shape) - 2}D"
    if isinstance(keep_prob, bool) or not isinstance(keep_prob, (int, float)):
        raise TypeError(f"For '{name}', the 'keep_prob' must be a float, but got {keep_prob!r}.")
    if not 0.0 <= keep_prob <= 1.0:
        raise ArgumentError(f"For '{name}', the 'keep_prob' must be in [0, 1], but got {keep_prob}.")
    return x, Aval(x.shape, bool_)


@channel_dropout.grad(needs="out")
def _(out: Value, dout: Value, *, keep_prob: float = 0.5):
    return dropout_grad(dout[0], out[1], scale=1.0 / keep_prob if keep_prob else 0.0),


# ---------------------------------------------------------------------- packed masks

def packed_length(count: int) -> int:
    """How many bytes hold that many bits, in blocks of 128."""
    return -(-count // 128) * 16


@operator(hidden=True, effect="random", samples=[], dims=whole("eight elements share a byte of the mask"))
def packed_mask(keep_prob: Tensor | float, *, count: int, seed: int = 0, seed2: int = 0):
    """Bits that are 1 with a probability, eight in a byte, the lowest first."""
    device = keep_prob.device if isinstance(keep_prob, torch.Tensor) else device_in_use()
    own = generator(seed, seed2, 0, device) if seed or seed2 else None
    bits = torch.rand((packed_length(count), 8), device=device, generator=own) < keep_prob
    return (bits << torch.arange(8, device=device)).sum(1).to(torch.uint8)


@packed_mask.shape
def _(keep_prob: Any, *, count: int, seed: int = 0, seed2: int = 0) -> Aval:
    return Aval((packed_length(count),), uint8)


@operator(hidden=True, samples=[], dims=whole("eight elements share a byte of the mask"), traits={STREAMING})
def masked_by_bits(x: Tensor, mask: Tensor, keep_prob: Tensor):
    """`x` / keep_prob where the bit of the element is 1, else 0."""
    if mask.numel() != packed_length(x.numel()):
        raise ValueError("For 'DropoutDoMask', the mask does not fit the input.")
    bits = (mask[:, None] >> torch.arange(8, device=mask.device, dtype=torch.uint8)) & 1
    return x * bits.reshape(-1)[:x.numel()].reshape(x.shape) / keep_prob


@masked_by_bits.shape
def _(x: Aval, mask: Aval, keep_prob: Any) -> Aval:
    count = 1
    for extent in x.shape:
        count *= extent
    if mask.dtype is not uint8 or mask.shape != (packed_length(count),):
        raise ValueError(f"For 'DropoutDoMask', the mask of {show(x)} must be u8[{packed_length(count)}], but "
                         f"got {show(mask)}.")
    return x


@masked_by_bits.grad(needs="mask keep_prob")
def _(mask: Value, keep_prob: Value, dout: Value):
    return masked_by_bits(dout, mask, keep_prob), None, None
