"""Dropout of elements and of channels."""
from __future__ import annotations

from typing import Any

import torch

from mindspore.compiler.ir import Aval
from mindspore.core.dtype import bool_
from mindspore.core.errors import ArgumentError, show

from .random import generator
from .registry import operator
from .rules import BINARY

aten = torch.ops.aten


def _probability(name: str, keep_prob: Any) -> None:
    if isinstance(keep_prob, bool) or not isinstance(keep_prob, (int, float)):
        raise TypeError(f"For '{name}', the 'keep_prob' must be a float, but got {keep_prob!r}.")
    if not 0.0 < keep_prob <= 1.0:
        raise ArgumentError(f"For '{name}', the 'keep_prob' must be in (0, 1], but got {keep_prob}.")


@operator(hidden=True, effect="random", samples=[])
def dropout(x, *, keep_prob=0.5, seed=0, seed2=0, stream=0):
    """`x` / keep_prob with each element kept with that probability, else 0; and which were kept."""
    own = generator(seed, seed2, stream, x.device) if seed or seed2 else None
    if own is None:
        return torch.native_dropout(x, 1.0 - keep_prob, True)
    kept = torch.empty_like(x, dtype=torch.bool).bernoulli_(keep_prob, generator=own)
    return aten.native_dropout_backward.default(x, kept, 1.0 / keep_prob), kept


@dropout.shape
def _(x: Aval, *, keep_prob=0.5, seed=0, seed2=0, stream=0):
    _probability("Dropout", keep_prob)
    if not x.dtype.is_floating:
        raise TypeError(f"For 'Dropout', the input must be a floating-point tensor, but got {show(x)}.")
    return x, Aval(x.shape, bool_)


@dropout.grad(needs="out")
def _(out, dout, *, keep_prob=0.5, **_):
    return dropout_grad(dout[0], out[1], scale=1.0 / keep_prob),


@operator(hidden=True, dims=BINARY, samples=[])
def dropout_grad(dout, kept, *, scale):
    """scale * dout where kept, else 0."""
    return aten.native_dropout_backward.default(dout, kept, scale)


@dropout_grad.shape
def _(dout: Aval, kept: Aval, *, scale) -> Aval:
    return dout


@dropout_grad.grad(needs="kept")
def _(kept, d, *, scale):
    return dropout_grad(d, kept, scale=scale), None


@operator(hidden=True, effect="random", samples=[])
def channel_dropout(x, *, keep_prob=0.5):
    """`x` (N, C, *) / keep_prob with each channel kept with that probability; and what was kept."""
    shape = (*x.shape[:2], *[1] * (x.dim() - 2))
    kept = torch.empty(shape, dtype=torch.bool, device=x.device).bernoulli_(keep_prob).expand(x.shape)
    if keep_prob == 0:
        return torch.zeros_like(x), kept
    return x * kept / keep_prob, kept


@channel_dropout.shape
def _(x: Aval, *, keep_prob=0.5):
    name = f"Dropout{len(x.shape) - 2}D"
    if isinstance(keep_prob, bool) or not isinstance(keep_prob, (int, float)):
        raise TypeError(f"For '{name}', the 'keep_prob' must be a float, but got {keep_prob!r}.")
    if not 0.0 <= keep_prob <= 1.0:
        raise ArgumentError(f"For '{name}', the 'keep_prob' must be in [0, 1], but got {keep_prob}.")
    return x, Aval(x.shape, bool_)


@channel_dropout.grad(needs="out")
def _(out, dout, *, keep_prob=0.5):
    return dropout_grad(dout[0], out[1], scale=1.0 / keep_prob if keep_prob else 0.0),
