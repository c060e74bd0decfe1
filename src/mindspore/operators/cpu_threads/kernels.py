"""PyNative mode: a kernel that is short runs on the calling thread."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from mindspore.core.errors import UnknownExtent
from mindspore.ir import OPAQUE, Aval
from mindspore.operators.choices import choices
from mindspore.operators.registry import Operator, aval_of
from mindspore.operators.traits import STREAMING_INNERMOST

from .estimate import estimate, is_short
from .number import current, lower, restore

_LIMIT = 100_000             # distinct applications before the memo starts anew
_short: dict[Any, bool] = {}


def run(op: Operator, raw: Sequence[Any], attrs: dict[str, Any]) -> Any:
    """The kernel on tensors, on one thread if it is short."""
    if current() == 1 or not _is_short_for(op, raw, attrs):
        return op.kernel(*raw, **attrs)
    before = lower()
    try:
        return op.kernel(*raw, **attrs)
    finally:
        restore(before)


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
    return is_short(op, estimate(op, inputs, results, attrs, turned), choices().torch_streaming)
