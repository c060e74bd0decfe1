"""How long kernels take on one thread, and which of them are short."""
from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from mindspore.ir import Aval
from mindspore.operators.choices import choices
from mindspore.operators.registry import Operator
from mindspore.operators.traits import CONVOLUTION, STREAMING, STREAMING_INNERMOST, SUM


def estimate(op: Operator, inputs: Sequence[Any], results: Sequence[Aval], attrs: dict[str, Any],
             turned: bool = False) -> float:
    """Nanoseconds on one thread, from avals (and constants); with `turned`, images have the samples innermost."""
    known = choices()
    streams = op.cost_rule or STREAMING in op.traits or (turned and STREAMING_INNERMOST in op.traits)
    elements = sum([prod(a.shape) for a in (*inputs, *results) if type(a) is Aval])
    time = elements * (known.torch_streamed if streams else known.torch_element)
    return time + known.torch_flop * op.cost_rule(*inputs, **attrs) if op.cost_rule else time


def is_short(op: Operator, time: float, streaming: float | None = None) -> bool:
    """Whether no second thread is woken for a kernel that takes so long; `streaming` is another limit of those that do.

    Sums, on whose order the last bits depend, and products have the same limits everywhere, so that both
    modes of a short program compute them on as many threads.
    """
    if op.cost_rule and CONVOLUTION not in op.traits:
        return time < choices().torch_short_product
    return time < (streaming if streaming is not None and STREAMING in op.traits and SUM not in op.traits
                   else choices().torch_short)
