"""Attributes: read, with a note that the graph depends on them; assigned; deleted."""
from __future__ import annotations

import functools
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
)
from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import Block, Node
from mindspore.core.errors import GraphSyntaxError, GraphValueError
from mindspore.core.parameter import Parameter
from mindspore.core.tensor import Tensor

from .calls import call
from .choice import Choice, each
from .heap import CONTAINERS, MISSING, Attribute
from .native import is_cell, is_native_module
from .protocols import SIMPLE, user_method
from .reach import visible
from .state import Trace

# what belongs to a class by definition: methods and the like
_MEMBERS = frozenset([FunctionType, BuiltinFunctionType, property, classmethod, staticmethod,
                      functools.cached_property, type(object.__init__), type(str.join), MemberDescriptorType,
                      GetSetDescriptorType, type(None)])


def get_attribute(obj: Any, name: str) -> Any:
    """`obj.name`, with a note that the graph depends on it."""
    if type(obj) is Node:
        return _of_node(obj, name)
    if type(obj) is Choice:
        return each(lambda one: get_attribute(one, name), obj)
    kind = type(obj)
    trace = Trace.current
    if issubclass(kind, ModuleType):
        value = getattr(obj, name)
        if trace is not None and name in vars(obj) and not is_native_module(obj.__name__):
            trace.read(vars(obj), name, value)
        return value
    if isinstance(obj, Tensor):
        return _of_tensor(obj, name)
    found = _of_kind(trace, obj, name)
    if type(found) is property and found.fget is not None and not is_native_module(
            getattr(found.fget, "__module__", "builtins")):
        return call(found.fget, (obj,), {})
    value = getattr(obj, name)
    if trace is None:
        return value
    if is_cell(obj):
        _of_cell(trace, obj, name, value)
        if found is not None and type(found) not in _MEMBERS and name not in obj.__dict__:
            _of_class(trace, kind, name)
    elif id(obj) in trace.heap.outside or isinstance(obj, type):
        _of_object(trace, obj, name, value)
    return value


def _of_node(node: Node, name: str) -> Any:
    """The attribute of a tensor of the graph, which may stand for a parameter that a condition chose."""
    try:
        return getattr(node, name)
    except AttributeError:
        if not hasattr(Parameter, name):
            raise
    raise GraphSyntaxError(f"The attribute '{name}' belongs to a tensor that is computed, or to a parameter that a "
                           "condition on a tensor chose. Ask for it outside of the compiled function, or in the arms "
                           "of the condition.")


def _of_cell(trace: Trace, cell: Any, name: str, value: Any) -> None:
    """Note an attribute of a cell, whose stamp tells when it changes."""
    trace.cells[id(cell)] = cell
    if type(value) not in SIMPLE:
        _place(trace, cell, name, value)
        trace.heap.note(value, (id(cell), name) in trace.heap.watch.changed)
        if is_cell(value):
            trace.cells[id(value)] = value


def _of_object(trace: Trace, obj: Any, name: str, value: Any) -> None:
    """Note an attribute of an object of the outside world, or of a class."""
    watch = trace.heap.watch
    if isinstance(obj, type):
        _of_class(trace, obj, name)
        made = (id(obj), name) in watch.changed
    else:
        own = getattr(obj, "__dict__", None)
        made = (id(obj), name) in watch.changed
        held = own is None or name in own
        if isinstance(obj, CONTAINERS):
            if own and held and not made:
                watch.place(own, name, value)
        elif not made and (held or type(getattr(type(obj), name, None)) not in _MEMBERS):
            watch.place(obj, name, value if held else MISSING)
        if not held:
            _of_class(trace, type(obj), name)
    if type(value) not in SIMPLE:
        if not made and not isinstance(obj, CONTAINERS) and own_tensor(obj, name, value):
            _place(trace, obj, name, value)
        trace.heap.note(value, made)


def own_tensor(obj: Any, name: str, value: Any) -> bool:
    """Whether a tensor stands in the dictionary of an object, where a later run finds another."""
    return type(value) is Tensor and getattr(obj, "__dict__", {}).get(name) is value and not isinstance(obj, type)


def _of_class(trace: Trace, kind: type, name: str) -> None:
    """Note an attribute of a user's class that is no method."""
    for base in kind.__mro__:
        if name in vars(base):
            value = vars(base)[name]
            if type(value) not in _MEMBERS and not is_native_module(base.__module__):
                trace.heap.watch.place(base, name, value)
                trace.heap.note(value, (id(base), name) in trace.heap.watch.changed)
            return


def _of_kind(trace: Any, obj: Any, name: str) -> Any:
    """The attribute of an object's class; None without one, which is asked once where the object has its own."""
    kind = type(obj)
    if trace is None or name not in getattr(obj, "__dict__", ()):
        return getattr(kind, name, None)
    if (kind, name) in trace.own:
        return None
    found = getattr(kind, name, None)
    if found is None:
        trace.own.add((kind, name))
    return found


def _of_tensor(obj: Tensor, name: str) -> Any:
    """An attribute of a tensor; what needs the content of a parameter is not known."""
    if isinstance(obj, Parameter) and name in ("asnumpy", "numpy", "item", "tolist"):
        raise GraphValueError(f"'{name}' of the parameter '{obj.name}' is not known while a graph "
                              "is compiled; compute with the tensor itself.")
    return getattr(obj, name)


def _place(trace: Trace, cell: Any, name: str, value: Any) -> None:
    """Note where tensors are attributes of a cell: the graph reads them there at every run."""
    if type(value) is Tensor:
        trace.heap.watch.tensor(value, cell, name)
    elif type(value) in (tuple, list, dict):
        for k, leaf in enumerate(tree.leaves(value, lambda v: type(v) is Tensor)):
            trace.heap.watch.tensor(leaf, cell, name, k)


def set_attribute(obj: Any, name: str, value: Any) -> None:
    """`obj.name = value`: a parameter is assigned, anything else becomes state of the graph."""
    trace = Trace.current
    if type(obj) is Choice:
        each(lambda one: set_attribute(one, name, value), obj)
        return
    found = getattr(type(obj), name, None)
    if type(found) is property and found.fset is not None:
        call(found.fset, (obj, value), {})
        return
    setter = user_method(obj, "__setattr__")
    if setter:
        setter(name, value)
        return
    held = getattr(obj, name, None)
    if isinstance(held, Parameter) and is_cell(obj) and not isinstance(value, Parameter):
        each(lambda one: Block.assign(held, one), value)
    elif trace is not None and is_cell(obj) and _is_registered(value):
        _register(trace, obj, name, value)
    elif trace is None or isinstance(obj, type) or getattr(
            type(obj), "__setattr__", None) not in (object.__setattr__, _cell_setattr(obj)):
        setattr(obj, name, value)
    else:
        if is_cell(obj):
            trace.cells[id(obj)] = obj
        trace.heap.write(Attribute(obj, name), value)


def _register(trace: Trace, cell: Any, name: str, value: Any) -> None:
    """Give a cell a parameter or a cell, for good: the program holds for a cell that has it.

    Raises:
        GraphSyntaxError: If a cell of outside has it by a condition or loop on a tensor only.
    """
    if len(Block.stack) > 1 and visible(trace, cell):
        raise GraphSyntaxError("A cell gets a parameter or a cell as an attribute in an arm of a condition, or in a "
                               "loop, on a tensor; do that before the condition or in its '__init__'.")
    trace.cells[id(cell)] = cell
    setattr(cell, name, value)


def _is_registered(value: Any) -> bool:
    """Whether a cell keeps a value under its name: a parameter or a cell."""
    return isinstance(value, Parameter) or hasattr(value, "cells_and_names")


def _cell_setattr(obj: Any) -> Any:
    return type(obj).__setattr__ if is_cell(obj) else object.__setattr__


def delete_attribute(obj: Any, name: str) -> None:
    """`del obj.name`."""
    if not hasattr(obj, name):
        raise AttributeError(name)
    place = Attribute(obj, name)
    Trace.current.heap.touch(place)
    delattr(obj, name)
