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


@operator(hidden=True, samples=[])
def adam_step(lr, *tensors, beta1, beta2, eps, decay=0.0):
    """One step of Adam without bias correction for many parameters at once.

    Args:
        lr: The learning rate, a tensor without dimensions.
        tensors: n parameters, n gradients, n averages, n averages of squares.
        decay: What each parameter is shrunk by, relative to `lr`, before its step.

    Returns:
        n parameters, n averages, n averages of squares.
    """
    n = len(tensors) // 4
    params, grads = [p.clone() for p in tensors[:n]], tensors[n:2 * n]
    first, second = [m.clone() for m in tensors[2 * n:3 * n]], [v.clone() for v in tensors[3 * n:]]
    return _adam_in_place(lr, *params, *grads, *first, *second, beta1=beta1, beta2=beta2, eps=eps,
                          decay=decay)


@adam_step.shape
def _(lr, *tensors, **_) -> tuple[Aval, ...]:
    n = len(tensors) // 4
    return tensors[:n] + tensors[2 * n:]


def _adam_in_place(lr, *tensors, beta1, beta2, eps, decay=0.0):
    """The same, written over parameters and averages."""
    n = len(tensors) // 4
    params, grads = tensors[:n], tensors[n:2 * n]
    first, second = tensors[2 * n:3 * n], tensors[3 * n:]
    # after so many steps the corrections of the fused kernel, which are not wanted here, are 1
    steps = [torch.full((), 1e18, device=params[0].device)] * n
    step = torch._fused_adamw_ if decay else torch._fused_adam_
    step(list(params), list(grads), list(first), list(second), [], steps, lr=lr, beta1=beta1,
         beta2=beta2, weight_decay=decay, eps=eps, amsgrad=False, maximize=False)
    return params + first + second


def _adam_places(count: int) -> list[int]:
    n = (count - 1) // 4
    return [*range(1, n + 1), *range(2 * n + 1, 4 * n + 1)]


adam_step.overwriting = (_adam_in_place, _adam_places)
