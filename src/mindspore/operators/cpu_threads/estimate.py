"""How long kernels take on one thread, and which of them are short."""
from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from mindspore.ir import Aval
from mindspore.operators.registry import Operator
from mindspore.operators.traits import CONVOLUTION, STREAMING, STREAMING_INNERMOST, SUM

SHORT = 200_000              # nanoseconds on one thread up to which no other is woken,
SHORT_PRODUCT = 450_000      # the same for a product of matrices, for which it wakes more than once
_PER_FLOP = 0.015            # of a product of matrices
_PER_ELEMENT = 2.0           # read or written; kernels that only stream through memory:
_STREAMING = 0.1


def estimate(op: Operator, inputs: Sequence[Any], results: Sequence[Aval], attrs: dict[str, Any],
             turned: bool = False) -> float:
    """Nanoseconds on one thread, from avals (and constants); with `turned`, images have the samples innermost."""
    streams = op.cost_rule or STREAMING in op.traits or (turned and STREAMING_INNERMOST in op.traits)
    elements = sum([prod(a.shape) for a in (*inputs, *results) if type(a) is Aval])
    time = elements * (_STREAMING if streams else _PER_ELEMENT)
    return time + _PER_FLOP * op.cost_rule(*inputs, **attrs) if op.cost_rule else time


def is_short(op: Operator, time: float, streaming: int = SHORT) -> bool:
    """Whether no second thread is woken for a kernel that takes so long; `streaming` is the limit of those that do.

    Sums, on whose order the last bits depend, and products have the same limits everywhere, so that both
    modes of a short program compute them on as many threads.
    """
    if op.cost_rule and CONVOLUTION not in op.traits:
        return time < SHORT_PRODUCT
    return time < (streaming if STREAMING in op.traits and SUM not in op.traits else SHORT)
