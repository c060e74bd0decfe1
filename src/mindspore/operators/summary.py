"""Operators with an effect outside the program: printing, and values to be written to a summary.

Summaries collect in `runtime.summaries` of the thread that runs, in the order of execution, while somebody wants them,
who gave the thread a list; writing them empties it.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from mindspore.core import log
from mindspore.core.dtype import from_torch
from mindspore.core.printing import shown_with_type
from mindspore.ir import Aval
from mindspore.ir.runtime import runtime

from .labels import whole
from .registry import operator
from .values import Ints


class Recorded(NamedTuple):
    """A value given to a summary operator."""

    kind: str                  # "scalar", "image", "tensor" or "histogram"
    tag: str
    value: torch.Tensor


latest: dict[str, torch.Tensor] = {}      # what "TensorSummary" was given last, by name


@operator(hidden=True, effect="io", samples=[], dims=whole("it acts once for the whole program"))
def record_summary(x: Tensor, *, kind: str, tag: str):
    """Nothing; appends a copy of `x` to the summaries of the thread, if they are wanted."""
    if kind == "tensor":
        latest[tag] = x.detach().clone()
    if runtime.summaries is None:
        log.warn_once("Nothing records the values of summary operators ('%s').", tag)
        return ()
    runtime.summaries.append(Recorded(kind, tag, x.detach().clone()))
    return ()


@record_summary.shape
def _(x: Aval, *, kind: str, tag: str) -> tuple[()]:
    return ()


@operator(hidden=True, effect="io", samples=[], dims=whole("it acts once for the whole program"))
def print_values(*xs: Tensor | int | str | Ints):
    """Nothing; prints every value on a line of its own."""
    for x in xs:
        print(_shown(x), flush=True)
    return ()


@print_values.shape
def _(*xs: Aval) -> tuple[()]:
    return ()


def _shown(x: Any) -> str:
    return shown_with_type(x, from_torch(x.dtype)) if isinstance(x, torch.Tensor) else str(x)
