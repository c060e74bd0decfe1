"""Updates of many parameters by one operator."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core import context
from mindspore.core.dtype import float32, float64
from mindspore.parallel import running

from .optimizer import Optimizer


def together(optimizer: Optimizer, gradients: Sequence[Any], lrs: Sequence[Any],
             step: Callable[..., Sequence[Any]], count: int, decays: Sequence[Any] | None = None) -> list[Any]:
    """The updates of all parameters, computed at once where rate, decay and dtype agree.

    Args:
        step: Called as step(lr, decay, tensors) with n parameters, n gradients and n tensors of every
            state; gives n new parameters and n new tensors of every state.
        count: How many states the step replaces: the first ones of the optimizer.
        decays: For a step that decays by itself, the decay of every parameter.
    """
    groups: dict[Any, list[int]] = {}
    found: list[Any] = [None] * len(gradients)
    apart = context.parallel.parallel_mode in running.MODES        # each is cut by itself
    for i, param in enumerate(optimizer.parameters):
        decay = 0.0 if decays is None else decays[i]
        dtypes = {param.dtype, gradients[i].dtype, *[s.dtype for s in optimizer._state[i]]}
        if isinstance(decay, float) and len(dtypes) == 1 and param.dtype in (float32, float64) and not apart:
            groups.setdefault((id(lrs[i]), decay, param.dtype), []).append(i)
        else:
            found[i] = optimizer.update_one(i, gradients[i], lrs[i], decays)
    for (_, decay, _), places in groups.items():
        columns = [[optimizer.parameters[i] for i in places], [gradients[i] for i in places],
                   *[[optimizer._state[i][k] for i in places] for k in range(count)]]
        new = step(lrs[places[0]], decay, [t for column in columns for t in column])
        n = len(places)
        for at, i in enumerate(places):
            found[i] = tuple([new[k * n + at] for k in range(count + 1)])
    return found
