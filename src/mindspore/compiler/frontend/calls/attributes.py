"""Attributes: read, with a note that the graph depends on them; assigned; deleted."""
from __future__ import annotations

import functools
from types import (
    BuiltinFunctionType,
    FunctionType,
    MemberDescriptorType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any

import numpy as np

from mindspore.compiler.frontend.objects.elements import at_run_time
from mindspore.compiler.frontend.objects.followed import is_followed, is_followed_class
from mindspore.compiler.frontend.objects.places import CONTAINERS, MISSING, Attribute
from mindspore.compiler.frontend.objects.reach import visible
from mindspore.compiler.frontend.objects.state import Trace
from mindspore.compiler.frontend.values.conditional import ITSELF, STORED, distributed
from mindspore.compiler.frontend.values.numbers import of_number
from mindspore.core.errors import GraphSyntaxError, GraphValueError
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node, tree
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import known
from mindspore.operators.rules import same_shape

from .dispatch import call
from .lookup import (
    MEMBERS,
    inherited,
    is_users,
    note_absent,
    note_member,
    of_classes,
    of_super,
    user_part,
)
from .native import SPECIAL, is_cell, is_native_module, is_of_python
from .protocols import SIMPLE, user_method


@distributed(ITSELF)
def get_attribute(obj: Any, name: str) -> Any:
    """`obj.name`, with a note that the graph depends on it."""
    if type(obj) is Node:
        return _of_node(obj, name)
    kind = type(obj)
    trace = runtime.trace
    if issubclass(kind, ModuleType):
        if trace is not None and name not in vars(obj) and is_users(vars(obj).get("__getattr__")):
            trace.heap.watch.place(obj, name, MISSING)
            return call(get_attribute(obj, "__getattr__"), (name,), {})
        value = getattr(obj, name)
        if trace is not None and name in vars(obj) and not is_native_module(obj.__name__):
            trace.read(vars(obj), name, value)
        elif trace is not None:
            if name in vars(obj):
                trace.heap.watch.place(obj, name, value)
            if type(value) not in SIMPLE and is_of_python(obj.__name__):
                trace.heap.note(value)
        return value
    if isinstance(obj, Tensor):
        return _of_tensor(obj, name)
    if kind is super:
        return _of_super(obj, name)
    hook = user_method(obj, "__getattribute__")
    return hook(name) if hook else plain_attribute(obj, name)


def plain_attribute(obj: Any, name: str) -> Any:
    """What `object.__getattribute__` gives, and where that finds nothing the user's `__getattr__`."""
    trace, kind = runtime.trace, type(obj)
    found = inherited(kind, name)
    if type(found) not in _METHODS or isinstance(obj, type):
        value = _described(obj, name, found) if type(found) not in _METHODS else _described_of_class(obj, name)
        if value is not MISSING:
            return value
    try:
        value = _natively(obj, name, found)
    except AttributeError:
        if trace is not None:
            note_absent(obj, name)
        raise
    if trace is None:
        return value
    if name == "__dict__" and not isinstance(obj, type):
        trace.heap.owners[id(value)] = value, obj
    if is_cell(obj):
        _of_cell(trace, obj, name, value)
        if found is not None and type(found) not in MEMBERS and name not in obj.__dict__:
            _of_class(trace, kind, name)
    elif id(obj) in trace.heap.outside or isinstance(obj, (type, FunctionType)):
        _of_object(trace, obj, name, value)
    elif kind is np.ndarray and not is_followed(value):
        trace.heap.note(value)                   # which refuses it
    elif type(value) in SIMPLE and name in getattr(obj, "__dict__", ()):
        trace.heap.watch.place(obj, name, value)      # of an object of the library, which other calls may change
    return value


def _natively(obj: Any, name: str, found: Any) -> Any:
    if found is None and name not in getattr(obj, "__dict__", ()):
        hook = user_method(obj, "__getattr__")
        if hook:
            return hook(name)
    if is_users(type(obj).__getattribute__):              # which asks for this
        return object.__getattribute__(obj, name)
    return getattr(obj, name)


def _described(obj: Any, name: str, found: Any, kind: type | None = None) -> Any:
    """What a descriptor of the user's class gives; MISSING if none is asked."""
    if type(found) is property:
        return call(found.fget, (obj,), {}) if is_users(found.fget) else MISSING
    own = getattr(obj, "__dict__", ())
    if type(found) is functools.cached_property:
        if name in own or not is_users(found.func) or runtime.trace is None:
            return MISSING
        value = call(found.func, (obj,), {})
        runtime.trace.heap.write(Attribute(obj, name), value)
        return value
    get = user_part(found, "__get__")
    if get is None or isinstance(obj, type) or (name in own and not (
            hasattr(type(found), "__set__") or hasattr(type(found), "__delete__"))):
        return MISSING
    if runtime.trace is not None:
        _of_class(runtime.trace, type(obj), name)
    return call(get, (found, obj, kind or type(obj)), {})


def _described_of_class(obj: type, name: str) -> Any:
    """What a descriptor of the user's class gives that a class holds; MISSING if none is asked."""
    found = of_classes(obj.__mro__, name)
    get = user_part(found, "__get__")
    if get is None or runtime.trace is None:
        return MISSING
    note_member(obj, name)
    return call(get, (found, None, obj), {})


def _of_super(proxy: Any, name: str) -> Any:
    """An attribute of `super()`."""
    obj = proxy.__self__
    value = _described(obj, name, of_super(proxy, name), proxy.__self_class__)
    return getattr(proxy, name) if value is MISSING else value


def _of_node(node: Node, name: str) -> Any:
    """The attribute of a tensor of the graph, which may be a parameter that an `if` on a tensor chose."""
    if node.aval.weak:
        return of_number(node, name)
    if name == "__class__":
        return Tensor
    try:
        return getattr(node, name)
    except AttributeError:
        if not hasattr(Parameter, name):
            raise
    raise GraphSyntaxError(f"The attribute '{name}' belongs to a tensor that is computed, or to a parameter that an "
                           "'if' on a tensor chose. Read it outside of the compiled function, or in the branches "
                           "of the 'if'.")


def _of_cell(trace: Trace, cell: Any, name: str, value: Any) -> None:
    """Note an attribute of a cell, whose stamp tells when it changes."""
    trace.cells[id(cell)] = cell
    trace.heap.watch.ask(cell, None if name == "__dict__" else name)
    if name in _SETTINGS:                            # of which few programs want to know
        trace.heap.watch.place(cell, name, value)
    if type(value) not in SIMPLE:
        _place(trace, cell, name, value)
        trace.heap.note(value, (id(cell), name) in trace.heap.watch.changed)
        if is_cell(value):
            trace.cells[id(value)] = value


def _of_object(trace: Trace, obj: Any, name: str, value: Any) -> None:
    """Note an attribute of an object from outside, or of a class."""
    watch = trace.heap.watch
    if isinstance(obj, type):
        _of_class(trace, obj, name)
        made = (id(obj), name) in watch.changed
    else:
        own = getattr(obj, "__dict__", None)
        made = (id(obj), name) in watch.changed
        held = name in own if own is not None else type(inherited(type(obj), name)) is MemberDescriptorType
        if isinstance(obj, CONTAINERS):
            if own and held and not made:
                watch.place(own, name, value)
        elif not made and (held or own is not None):
            watch.place(obj, name, value if held else MISSING)
        if not isinstance(obj, FunctionType):
            watch.place(obj, "__class__", type(obj))
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
    """Note an attribute of a user's class."""
    for base in kind.__mro__:
        if name in vars(base):
            value = vars(base)[name]
            if not is_native_module(base.__module__):
                note_member(kind, name)
                if type(value) not in MEMBERS:
                    trace.heap.note(value, (id(base), name) in trace.heap.watch.changed)
            return


def _of_tensor(obj: Tensor, name: str) -> Any:
    """An attribute of a tensor; what needs the content of a parameter is not known."""
    if isinstance(obj, Parameter) and name in ("asnumpy", "numpy", "item", "tolist"):
        raise GraphValueError(f"'{name}' of the parameter '{obj.name}' is not known while a graph "
                              "is compiled; compute with the tensor itself.")
    return getattr(at_run_time(obj) if name == "item" else obj, name)


def _place(trace: Trace, cell: Any, name: str, value: Any) -> None:
    """Note where tensors are attributes of a cell: the graph reads them there at every run."""
    if type(value) is Tensor:
        trace.heap.watch.tensor(value, cell, name)
    elif type(value) in (tuple, list, dict):
        for k, leaf in enumerate(tree.leaves(value, lambda v: type(v) is Tensor)):
            trace.heap.watch.tensor(leaf, cell, name, k)


@distributed(ITSELF, ITSELF, STORED)
def set_attribute(obj: Any, name: str, value: Any) -> None:
    """`obj.name = value`: a parameter is assigned, anything else becomes state of the graph."""
    hook = user_method(obj, "__setattr__")
    if hook:
        hook(name, value)
    else:
        set_plain_attribute(obj, name, value)


@distributed(ITSELF, ITSELF, STORED)
def set_plain_attribute(obj: Any, name: str, value: Any) -> None:
    """What `object.__setattr__`, or that of a cell, does."""
    trace, cell = runtime.trace, is_cell(obj)
    found = inherited(type(obj), name)
    setter = found.fset if type(found) is property and is_users(found.fset) else user_part(found, "__set__")
    if setter:
        call(setter, (obj, value) if type(found) is property else (found, obj, value), {})
        return
    held = obj.__dict__.get(name) if cell else None
    if isinstance(held, Parameter):
        _assign(held, name, value)
    elif trace is not None and cell and _is_registered(value):
        _register(trace, obj, name, value)
    elif trace is None or isinstance(obj, (Tensor, Node)) or not _keeps_attributes(obj) or (
            hasattr(type(found), "__set__") and type(found) is not MemberDescriptorType):
        if trace is not None and not _is_set_for_good(obj, found):
            raise GraphSyntaxError(f"The attribute '{name}' of an object of the class '{type(obj).__qualname__}' is "
                                   "set, which graph mode does not follow. Set it outside of the compiled function.")
        setattr(obj, name, value)
    else:
        if cell:
            trace.cells[id(obj)] = obj
            trace.heap.watch.ask(obj, name)
        elif isinstance(obj, (type, FunctionType)) and id(obj) not in trace.made:
            trace.heap.outside[id(obj)] = obj
        trace.heap.write(Attribute(obj, name), value)


@distributed(STORED, STORED, ITSELF)
def _assign(held: Parameter, name: str, value: Any) -> None:
    """Give the parameter of a cell new elements.

    Raises:
        GraphSyntaxError: If another parameter would take its place, which programs read before they run.
    """
    if value is held:
        return
    if isinstance(value, Parameter) or (type(value) is Node and known(value).parameter is not None):
        raise GraphSyntaxError(f"Another parameter takes the place of the parameter '{name}' of a cell; to give it the "
                               "elements of the other use 'assign', to exchange them do it outside of the graph.")
    if isinstance(value, (Node, Tensor)) and not same_shape(tuple(value.shape), tuple(held.shape)):
        raise GraphSyntaxError(f"The parameter '{name}' of a cell, of shape {tuple(held.shape)}, gets a tensor of "
                               f"shape {tuple(value.shape)}; in a graph a parameter keeps its shape.")
    runtime.builder.assign(held, value)


def _register(trace: Trace, cell: Any, name: str, value: Any) -> None:
    """Give a cell a parameter or a cell, which it keeps: the program holds for a cell that has it.

    Raises:
        GraphSyntaxError: If a cell from outside gets it in a branch or a loop on a tensor only.
    """
    if len(runtime.blocks) > 1 and visible(trace, cell):
        raise GraphSyntaxError("A cell gets a parameter or a cell as an attribute in a branch of an 'if', or in a "
                               "loop, on a tensor; do that before the 'if' or loop, or in its '__init__'.")
    trace.cells[id(cell)] = cell
    library: Any = next(k for k in type(cell).__mro__ if "__setattr__" in vars(k) and is_native_module(k.__module__))
    library.__setattr__(cell, name, value)


def _keeps_attributes(obj: Any) -> bool:
    """Whether an object holds its attributes as Python's own, or a cell's, `__setattr__` leaves them."""
    setter = type(obj).__setattr__
    return is_cell(obj) or (is_followed_class(type(obj)) and (
        setter in (object.__setattr__, SimpleNamespace.__setattr__) or is_users(setter))) or (
            isinstance(obj, (type, FunctionType)) and (setter in (object.__setattr__, type.__setattr__)
                                                       or is_users(setter)))


def _is_set_for_good(obj: Any, found: Any) -> bool:
    """Whether a native setter may run while compiling: of the library's objects, of an error."""
    if isinstance(obj, (Tensor, Node)):
        return hasattr(type(found), "__set__") and isinstance(obj, Tensor)
    return isinstance(obj, BaseException) or type(obj).__module__.partition(".")[0] == "mindspore" or (
        hasattr(type(found), "__set__") and is_followed_class(type(obj)))


def _is_registered(value: Any) -> bool:
    """Whether a cell keeps a value under its name: a parameter or a cell."""
    return isinstance(value, Parameter) or is_cell(value)


@distributed(ITSELF)
def delete_attribute(obj: Any, name: str) -> None:
    """`del obj.name`."""
    hook = user_method(obj, "__delattr__")
    if hook:
        hook(name)
    else:
        delete_plain_attribute(obj, name)


@distributed(ITSELF)
def delete_plain_attribute(obj: Any, name: str) -> None:
    """What `object.__delattr__`, or that of a cell, does."""
    found = inherited(type(obj), name)
    deleter = found.fdel if type(found) is property and is_users(found.fdel) else user_part(found, "__delete__")
    if deleter:
        call(deleter, (obj,) if type(found) is property else (found, obj), {})
        return
    if is_cell(obj):
        runtime.trace.heap.watch.ask(obj, name)
    if type(found) is not property:
        runtime.trace.heap.touch(Attribute(obj, name))
    native: Any = next(vars(kind)["__delattr__"] for kind in type(obj).__mro__
                       if "__delattr__" in vars(kind) and not is_users(vars(kind)["__delattr__"]))
    native(obj, name)


_SETTINGS = frozenset(["phase", "requires_grad"])
_METHODS = frozenset([FunctionType, BuiltinFunctionType, type(None), classmethod, staticmethod])
# what the user's own special methods call in the end
_read = distributed(ITSELF)(plain_attribute)
SPECIAL.update({object.__getattribute__: _read, type.__getattribute__: _read,
                object.__setattr__: set_plain_attribute, type.__setattr__: set_plain_attribute,
                object.__delattr__: delete_plain_attribute, type.__delattr__: delete_plain_attribute})
