"""The front end: walks the syntax trees of functions with real Python objects, and emits nodes."""
from . import builtins as _builtins  # noqa: F401  # fills the table of what built-in functions mean
from . import frame as _frame  # noqa: F401  # asked for when a walk begins
from . import standard as _standard  # noqa: F401  # fills it further
from .aliasing import note_views, own_results
from .arms import raised_at_run_time
from .attributes import set_attribute
from .calls import call, call_cell
from .choice import decided
from .generators import refuse_unfinished
from .hooks import call_in_reverse, register_hook
from .leaves import is_leaf, truth
from .leaving import check_leaving
from .mapping import traced
from .source import Closure, closure_of
from .state import Trace, as_node, lift

__all__ = ["Closure", "Trace", "as_node", "call", "call_cell", "call_in_reverse", "check_leaving", "closure_of", "cond",
           "decided", "is_leaf", "lift", "note_views", "own_results", "raised_at_run_time", "refuse_unfinished",
           "register_hook", "set_attribute", "traced", "truth"]


def cond(test, then, orelse):
    """`then()` or `orelse()` by a condition that may be a tensor; for library code in both modes."""
    from mindspore.compiler.ir import Node, building

    from .ways import choose
    if building:
        test = truth(test)
        if type(test) is Node:
            return choose(None, test, then, orelse)
    return then() if test else orelse()
