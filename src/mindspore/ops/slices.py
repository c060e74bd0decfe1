"""A function called once, on tensors that hold all slices of others."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._functorch.vmap import lazy_load_decompositions

from mindspore.core.errors import ArgumentError
from mindspore.operators.torch_private import memory_of, warn_of_slow_slices
from mindspore.operators.torch_private import slices as functorch

Axis = int | None


class AxisError(ArgumentError):
    """Axes that do not fit the arguments or results of a function over slices."""


def over_slices(body: Callable[..., Any], xs: Sequence[torch.Tensor], axes: Sequence[Axis], size: int,
                out_axes: Callable[[], Sequence[Axis]]) -> list[torch.Tensor]:
    """The results of `body` on tensors that hold all slices, as `torch.func.vmap` gives them.

    It works on flat lists, without the search through nested structures, and asks for the axes of the results
    when they are there.

    Raises:
        AxisError: If a result without an axis differs between the slices.
    """
    _prepare()
    level = functorch._vmap_increment_nesting(size, "error")
    try:
        found = body(*[x if a is None else functorch._add_batch_dim(x, a, level)
                       for x, a in zip(xs, axes, strict=True)])
        outs = []
        for out, axis in zip(found, out_axes(), strict=True):
            if axis is None and functorch.is_batchedtensor(out) and functorch.maybe_get_level(out) == level:
                raise differ()
            outs.append(out if axis is None else functorch._remove_batch_dim(out, level, size, axis))
        return apart(outs, xs)
    finally:
        functorch._vmap_decrement_nesting()


def differ() -> AxisError:
    """The error for a result without an axis that differs between the slices."""
    return AxisError("For 'vmap', the 'out_axes' must not be None for a result that differs between the slices.")


def apart(results: Sequence[torch.Tensor], inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """The results, each with memory of its own, as graphs take those of an operator to be."""
    taken, found = set(map(memory_of, inputs)), []
    for x in results:
        found.append(x.clone() if memory_of(x) in taken else x)
        taken.add(memory_of(x))
    return found


@functools.cache
def _prepare() -> None:
    """Load torch's rules; operators without one run slice by slice inside of torch, without a warning."""
    lazy_load_decompositions()
    warn_of_slow_slices(False)


__all__: list[str] = []
