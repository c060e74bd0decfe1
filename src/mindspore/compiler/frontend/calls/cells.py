"""Calls of cells: plain, with a derivative of their own, computed again in the reverse pass."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore.ir.runtime import runtime

from .custom import custom, in_order
from .dispatch import call
from .hooks import call_in_reverse
from .recompute import recomputed


def call_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a cell: the library's natively, a user's by walking its `construct`."""
    trace = runtime.trace
    if trace is not None:
        trace.cells[id(cell)] = cell
    if cell._plain and runtime.casting is None:
        return call(cell.construct, args, kwargs)
    construct = _with_bprop(cell) if hasattr(cell, "bprop") else functools.partial(_walked, cell)
    if cell.get_flags().get("recompute"):
        return recomputed(type(cell).__name__, lambda *a, **k: cell.run_around(construct, a, k), args, kwargs)
    return cell.run_around(construct, args, kwargs)


def _walked(cell: Any, *args: Any, **kwargs: Any) -> Any:
    return call(cell.construct, args, kwargs)


def _with_bprop(cell: Any) -> Callable[..., Any]:
    def rule(args: Any, out: Any, dout: Any) -> Any:
        return call_in_reverse(cell.bprop, (*args, out, dout))
    return lambda *args, **kwargs: custom(type(cell).__name__, functools.partial(_walked, cell), rule,
                                          *in_order(cell.construct, args, kwargs))
