"""How long kernels take, and on how many threads they are worth running.

OpenMP's threads either spin between two kernels, and then a part of a kernel is handed over in no time,
or sleep (OMP_WAIT_POLICY=PASSIVE, for machines that several programs share), and then it takes some 70 us
to wake one: torch adds 40,000 floats in 6 us by itself, in 76 us with a second thread.  Where they
sleep, kernels that are estimated to be short run on the calling thread alone: in a graph by its source
(`compiler.targets.cpu`), in PyNative mode by `run`.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from math import prod
from typing import Any

import torch

from mindspore.core.errors import UnknownExtent
from mindspore.ir import OPAQUE, Aval

from .registry import Operator, aval_of
from .traits import CONVOLUTION, STREAMING, STREAMING_INNERMOST, SUM

SLEEP = os.environ.get("OMP_WAIT_POLICY", "").upper() == "PASSIVE" or os.environ.get("GOMP_SPINCOUNT") == "0"
SHORT = 200_000              # nanoseconds on one thread up to which no other is woken,
SHORT_PRODUCT = 450_000      # the same for a product of matrices, for which it wakes more than once
_PER_FLOP = 0.015            # of a product of matrices
_PER_ELEMENT = 2.0           # read or written; kernels that only stream through memory:
_STREAMING = 0.1
_threads, _let = torch.get_num_threads, torch.set_num_threads


def estimate(op: Operator, inputs: Sequence[Any], results: Sequence[Aval], attrs: dict[str, Any],
             turned: bool = False) -> float:
    """Nanoseconds on one thread, from avals (and constants); with `turned`, images have the samples innermost."""
    streams = op.cost_rule or STREAMING in op.traits or (turned and STREAMING_INNERMOST in op.traits)
    elements = sum([prod(a.shape) for a in (*inputs, *results) if type(a) is Aval])
    time = elements * (_STREAMING if streams else _PER_ELEMENT)
    return time + _PER_FLOP * op.cost_rule(*inputs, **attrs) if op.cost_rule else time


def alone() -> bool:
    """Whether short kernels get no second thread."""
    return SLEEP or _threads() == 1


def is_short(op: Operator, time: float, streaming: int = SHORT) -> bool:
    """Whether no second thread is woken for a kernel that takes so long; `streaming` is the limit of those that do.

    Sums, on whose order the last bits depend, and products have the same limits everywhere, so that both
    modes of a short program compute them on as many threads.
    """
    if op.cost_rule and CONVOLUTION not in op.traits:
        return time < SHORT_PRODUCT
    return time < (streaming if STREAMING in op.traits and SUM not in op.traits else SHORT)


# ---------------------------------------------------------------------- PyNative mode

_SURELY = 70_000             # nanoseconds of streaming, for what follows may take long (U-Net: 0.98 with 200,000)
_LIMIT = 100_000             # distinct applications before the memo starts anew
_short: dict[Any, bool] = {}


def run(op: Operator, raw: Sequence[Any], attrs: dict[str, Any]) -> Any:
    """The kernel on tensors, on one thread if it is short."""
    before = _threads()
    if before == 1 or not _is_short_for(op, raw, attrs):
        return op.kernel(*raw, **attrs)
    _let(1)
    try:
        return op.kernel(*raw, **attrs)
    finally:
        _let(before)


def _is_short_for(op: Operator, raw: Sequence[Any], attrs: dict[str, Any]) -> bool:
    turned = STREAMING_INNERMOST in op.traits and raw[0].stride(0) == 1
    key = op, turned, *[x.shape if isinstance(x, torch.Tensor) else None for x in raw]
    try:
        if attrs and op.cost_rule:
            key = *key, *attrs.values()
        return _short[key]
    except KeyError:
        if len(_short) > _LIMIT:
            _short.clear()
        found = _short[key] = _estimated(op, raw, attrs, turned)
        return found
    except TypeError:        # an attribute that cannot be hashed
        return _estimated(op, raw, attrs, turned)


def _estimated(op: Operator, raw: Sequence[Any], attrs: dict[str, Any], turned: bool) -> bool:
    if op.shape_rule is None:
        return False
    inputs = tuple([aval_of(x) if isinstance(x, torch.Tensor) else x for x in raw])
    try:
        results = op.inferred(inputs, attrs)
    except (IndexError, TypeError, ValueError, UnknownExtent):      # the kernel will say it better
        return False
    results = (results,) if type(results) is Aval else results
    if any([a in OPAQUE for a in results]):
        return False
    return is_short(op, estimate(op, inputs, results, attrs, turned), _SURELY)
