"""Calls of cells: plain, with a derivative of their own, computed again in the reverse pass."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore.core.errors import GraphTypeError
from mindspore.ir.origin import Origin
from mindspore.ir.runtime import runtime

from .custom import custom, in_order, used
from .dispatch import call
from .hooks import call_in_reverse
from .lookup import note_member
from .recompute import recomputed


def call_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a cell: the library's natively, a user's by walking its `construct`."""
    trace = runtime.trace
    if trace is None:
        return _run(cell, args, kwargs)
    trace.cells[id(cell)] = cell
    note_member(type(cell), "construct")
    outer = runtime.origin
    runtime.origin = _origin(trace, cell, outer)
    try:
        return _run(cell, args, kwargs)
    finally:
        runtime.origin = outer


def _origin(trace: Any, cell: Any, outer: Origin) -> Origin:
    """The path of a cell, which its nodes note: below the outermost cell of the program that has it."""
    known = trace.scopes.get(id(cell))
    if known is None:
        top = (*outer.scope, type(cell).__name__)
        for name, inner in cell.cells_and_names():
            trace.scopes.setdefault(id(inner), (*top, *name.split(".")) if name else top)
        known = trace.scopes[id(cell)]
    found = outer.at(known)
    if cell._phase_of_nodes is not None:
        found = found.during(cell._phase_of_nodes)
    return found if cell._notes is None else found.noting(**cell._notes)


def _run(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if cell._plain and runtime.casting is None:
        try:
            return call(cell.construct, args, kwargs)
        except Exception as error:  # raised again: itself, or in words of the user's
            made = cell.explained(error, args, kwargs)
            if made is error:
                raise
            raise made from made.__cause__
    construct = _with_bprop(cell) if hasattr(cell, "bprop") else functools.partial(_walked, cell)
    if cell.get_flags().get("recompute"):
        return recomputed(type(cell).__name__, lambda *a, **k: cell.run_around(construct, a, k), args, kwargs)
    return cell.run_around(construct, args, kwargs)


def _walked(cell: Any, *args: Any, **kwargs: Any) -> Any:
    return call(cell.construct, args, kwargs)


def _with_bprop(cell: Any) -> Callable[..., Any]:
    def rule(args: Any, out: Any, dout: Any) -> Any:
        found = call_in_reverse(cell.bprop, (*used(cell, (*args, out)), dout))
        if getattr(cell, "internal_params", ()):
            raise GraphTypeError(f"For '{type(cell).__name__}', the 'bprop' gives gradients of 'internal_params', "
                                 "which a compiled graph cannot. Take the gradient in PyNative mode.")
        return found
    return lambda *args, **kwargs: custom(type(cell).__name__, functools.partial(_walked, cell), rule,
                                          *in_order(cell.construct, args, kwargs))
