"""What may leave a compiled program: tensors, constants and containers of them."""
from __future__ import annotations

import dataclasses
from types import MethodType
from typing import Any

import numpy as np

from mindspore.compiler.frontend.objects.iterators import Suspended, Tracked
from mindspore.compiler.frontend.objects.reach import attributes, is_cell, is_plain
from mindspore.compiler.frontend.objects.source import Closure
from mindspore.core.errors import GraphTypeError
from mindspore.ir import Node, tree
from mindspore.ir.runtime import runtime

from .conditional import Conditional
from .text import Text


def check_leaving(value: Any, what: str) -> None:
    """Refuse what would hold tensors of the compilation beyond it.

    Raises:
        GraphTypeError: If a function or generator of the program, or an object of a class that holds a
            computed tensor, is among the values.
    """
    todo, seen = [(value, False)], set()
    while todo:
        value, inside = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Node):
            if inside:
                raise _refused(what, "an object that holds a computed tensor", "the tensors themselves, or a dataclass")
        elif isinstance(value.__func__ if type(value) is MethodType else value, (Closure, Suspended, Tracked)):
            raise _refused(what, "a function or generator that the program made", "its values")
        elif type(value) is Text:
            raise _refused(what, "a text that shows a tensor", "'print', or return the tensor")
        elif type(value) is Conditional:
            todo += [(value.then, inside), (value.orelse, inside)]
        else:
            members = tree.children(value)
            if _is_of_one_run(value, members):
                raise _refused(what, f"an object of the class '{type(value).__qualname__}' that the program made",
                               "what it holds")
            if isinstance(value, (set, frozenset)):
                todo += [(v, True) for v in value]
            if members is not None:
                todo += [(v, inside) for v in members]
            elif is_plain(value) and not is_cell(value):
                todo += [(v, True) for v in attributes(value)]


def _is_of_one_run(value: Any, members: Any) -> bool:
    """Whether an object was made by the program, and would be one at every run."""
    trace = runtime.trace
    if isinstance(value, np.ndarray):
        return id(value) not in trace.heap.watch.arrays
    if isinstance(value, type):
        return id(value) in trace.made
    if not is_plain(value) or is_cell(value) or id(value) in trace.heap.outside:
        return False
    return members is None or (dataclasses.is_dataclass(value) and not tree.leaves(value, _is_node))


def _is_node(value: Any) -> bool:
    return isinstance(value, Node)


def _refused(what: str, found: str, remedy: str) -> GraphTypeError:
    return GraphTypeError(f"{what} of a compiled function is, or contains, {found}, which a graph cannot compute "
                          f"at every run. Use {remedy}.")
