"""Operators of a training step."""
from __future__ import annotations

import torch

from mindspore.compiler.ir import Aval
from mindspore.core.dtype import bool_

from .registry import operator

_INFINITY = float("inf")


@operator(hidden=True, samples=[])
def all_finite(*xs):
    """Whether no element of any tensor is infinite or no number: a bool without dimensions.

    The greatest magnitudes tell, since a maximum hands infinities and not-a-numbers on.
    """
    found = [x for x in xs if x.is_floating_point() and x.numel()]
    if not found:
        return torch.ones((), dtype=torch.bool, device=xs[0].device if xs else None)
    if found[0].device.type == "cpu":
        extremes = [e.float() for x in found for e in torch.aminmax(x)]
    else:
        extremes = [n.float() for n in torch._foreach_norm(found, _INFINITY)]   # one launch for all
    return torch.stack(extremes).isfinite().all()


@all_finite.shape
def _(*xs) -> Aval:
    return Aval((), bool_)
