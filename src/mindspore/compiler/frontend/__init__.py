"""The front end: walks the syntax trees of functions with real Python objects, and emits nodes."""
from mindspore.ir import Node
from mindspore.ir.runtime import runtime

from .calls.attributes import set_attribute
from .calls.cells import call_cell
from .calls.dispatch import call
from .calls.functions import Pending
from .calls.hooks import call_in_reverse, register_hook
from .calls.mapping import traced
from .control.branches import raised_at_run_time
from .control.branching import choose
from .control.generators import refuse_unfinished
from .objects.aliasing import note_near, own_results
from .objects.interpreter import interpreter
from .objects.source import Closure, closure_of
from .objects.state import Trace, as_node, lift
from .syntax import builtins as _builtins  # noqa: F401  # fills the table of what built-in functions mean
from .syntax import standard as _standard  # noqa: F401  # fills it further
from .syntax.frame import Frame
from .syntax.walk import Walking
from .values.conditional import decided
from .values.leaves import is_leaf, truth
from .values.outputs import check_leaving

__all__ = ["Closure", "Pending", "Trace", "Walking", "as_node", "call", "call_cell", "call_in_reverse",
           "check_leaving", "closure_of", "cond", "decided", "is_leaf", "lift", "note_near", "own_results",
           "raised_at_run_time", "refuse_unfinished", "register_hook", "set_attribute", "traced", "truth"]


def cond(test, then, orelse):
    """`then()` or `orelse()` by a test that may be a tensor; for library code in both modes."""
    if runtime.building:
        test = truth(test)
        if type(test) is Node:
            return choose(test, then, orelse)
    return then() if test else orelse()


interpreter.call, interpreter.frame, interpreter.branch = call, Frame, choose
