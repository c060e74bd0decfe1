"""Where Python finds an attribute: in the classes of an object, without asking descriptors for their values."""
from __future__ import annotations

import functools
from collections.abc import Iterable
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
)
from typing import Any

from mindspore.compiler.frontend.objects.places import MISSING
from mindspore.ir.runtime import runtime

from .native import is_cell, is_native_module

# what belongs to a class by definition: methods and the like
MEMBERS = frozenset([FunctionType, BuiltinFunctionType, property, classmethod, staticmethod,
                     functools.cached_property, type(object.__init__), type(str.join), MemberDescriptorType,
                     GetSetDescriptorType, type(None)])


def inherited(kind: type, name: str) -> Any:
    """What the classes of an object hold under a name; None without one."""
    trace = runtime.trace
    if trace is None:
        return of_classes(kind.__mro__, name)
    found = trace.inherited.get((kind, name), MISSING)
    if found is MISSING:
        found = of_classes(kind.__mro__, name)
        if type(found) in MEMBERS:                # a program may assign other attributes of classes
            trace.inherited[kind, name] = found
            if found is not None:
                note_member(kind, name)
    return found


def note_member(kind: type, name: str, after: type | None = None) -> None:
    """Note where the classes of an object (those behind `after`) hold a name, and that those before it do not."""
    watch, before, classes = runtime.trace.heap.watch, 0, kind.__mro__
    for base in classes[classes.index(after) + 1 if after else 0:]:
        own = not is_native_module(base.__module__)
        if own:
            watch.place(base, name, base.__dict__.get(name, MISSING))
        if name in base.__dict__:
            break
        before += own
    if before:
        watch.place(kind, "__mro__", classes)


def note_members(obj: Any, names: Iterable[str]) -> None:
    """Note whether an object has attributes of these names."""
    for name in names:
        if is_cell(obj):
            runtime.trace.heap.watch.ask(obj, name)
        if id(obj) in runtime.trace.heap.outside and hasattr(obj, "__dict__"):
            runtime.trace.heap.watch.place(obj, name, vars(obj).get(name, MISSING))
        note_member(type(obj), name)


def note_absent(obj: Any, name: str) -> None:
    """Note that an object has no attribute of a name."""
    if is_cell(obj):
        runtime.trace.heap.watch.ask(obj, name)
    if id(obj) in runtime.trace.heap.outside and hasattr(obj, "__dict__"):
        runtime.trace.heap.watch.place(obj, name, MISSING)
    note_member(type(obj), name)


def of_classes(classes: tuple[type, ...], name: str) -> Any:
    """What the first of the classes that has a name holds under it; None without one."""
    for base in classes:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def of_super(proxy: Any, name: str) -> Any:
    """What `super()` finds under a name, as the classes hold it."""
    classes = proxy.__self_class__.__mro__
    if runtime.trace is not None:
        note_member(proxy.__self_class__, name, proxy.__thisclass__)
    return of_classes(classes[classes.index(proxy.__thisclass__) + 1:], name)


def user_part(descriptor: Any, name: str) -> FunctionType | None:
    """A special method of a descriptor that a user's class defines."""
    kind = type(descriptor)
    if kind in MEMBERS or is_native_module(kind.__module__):
        return None
    method = getattr(kind, name, None)
    return method if type(method) is FunctionType and not is_native_module(method.__module__) else None


def is_users(function: Any) -> bool:
    """Whether a function of a property is the user's."""
    return function is not None and not is_native_module(getattr(function, "__module__", "builtins"))
