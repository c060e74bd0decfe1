"""What the program can reach at its current place: objects, and what they hold."""
from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable
from types import MemberDescriptorType
from typing import Any

from mindspore.ir import tree

from .watch import CONTAINERS

_SEQUENCES = (list, tuple, set, deque)
WRAPPERS = (property, classmethod, staticmethod)
_NOT_PLAIN = {"builtins", "functools", "mindspore", "torch", "numpy"}


def is_plain(value: Any) -> bool:
    """Whether a value is an object of a class written in Python whose attributes can change."""
    if isinstance(value, type) or not (type(value).__dictoffset__ or has_slots(value)):
        return False
    return is_plain_module(type(value).__module__)


def is_cell(value: Any) -> bool:
    """Whether an object is a Cell; its class is asked, since objects of the program may answer to any name."""
    return hasattr(type(value), "cells_and_names")


def has_slots(value: Any) -> bool:
    """Whether an object of a class written in Python holds attributes in slots."""
    kind = type(value)
    return hasattr(kind, "__slots__") and not isinstance(value, (tuple, type)) and is_plain_module(kind.__module__)


@functools.cache
def is_plain_module(name: str) -> bool:
    """Whether objects of the classes of a module are of the program, or of a library written in Python."""
    return name.partition(".")[0] not in _NOT_PLAIN


def reachable(roots: list[Any]) -> set[int]:
    """The ids of the objects below the roots, through containers and attributes."""
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        value = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        todo += _below(value)
    return seen


def _below(value: Any) -> Iterable[Any]:
    """What an object holds; the dictionary of its attributes is an object, too."""
    kind = type(value)
    if isinstance(value, dict):
        items = [*dict.keys(value), *dict.values(value)]
        return items if kind is dict else items + attributes(value)
    if isinstance(value, _SEQUENCES):
        if kind in _SEQUENCES:
            return value
        base: Any = next(k for k in _SEQUENCES if isinstance(value, k))
        return [*base.__iter__(value), *attributes(value)]
    if isinstance(value, type):
        return [*vars(value).values(), *value.__bases__] if is_local(value) else ()
    if isinstance(value, BaseException):
        return [value.args, *attributes(value)]
    if is_plain(value) or is_cell(value):
        return [*attributes(value), kind]
    if hasattr(value, "__self__"):
        return [value.__self__, *_below_call(getattr(value, "__func__", None))]
    if isinstance(value, WRAPPERS):
        return wrapped(value)
    return _below_call(value)


def is_local(kind: type) -> bool:
    """Whether a class was made by a function, so that what it holds may be the program's."""
    return "<locals>" in kind.__qualname__


def attributes(value: Any) -> list[Any]:
    """The dictionary of an object's attributes, and what its slots hold."""
    own = getattr(value, "__dict__", None)
    slots = list(in_slots(value).values()) if hasattr(type(value), "__slots__") else []
    return slots if own is None else [own, *slots]


def in_slots(value: Any) -> dict[str, Any]:
    """What an object holds in slots, by name."""
    names = [name for base in type(value).__mro__ for name, member in vars(base).items()
             if type(member) is MemberDescriptorType]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def wrapped(value: Any) -> list[Any]:
    """The functions in a property, class method or static method."""
    return [getattr(value, name, None) for name in ("fget", "fset", "fdel", "__func__")]


def _below_call(value: Any) -> Iterable[Any]:
    """What a function, a call or an iterator of the program holds."""
    if hasattr(value, "scopes"):               # a function and what it sees
        return [*value.defaults.values(), *[s for s in value.scopes if hasattr(s, "local")]]
    if hasattr(value, "local"):                # a call that runs, or what a function of it still sees
        return [value.local, *[s for s in value.fn.scopes if hasattr(s, "local")], *_pending(value.runs)]
    if hasattr(value, "frame"):                # a generator
        return [value.frame]
    if hasattr(value, "over") and hasattr(value, "lost"):        # an iterator: `iterators.Tracked`
        return [*value.over, value.items]
    if hasattr(value, "args") and hasattr(value, "func"):
        return [value.func, value.args, value.keywords]
    return value.__reduce__()[1] if isinstance(value, type(iter([]))) else ()


def _pending(runs: list[Any]) -> Iterable[Any]:
    """What the tasks hold that a call has still to do."""
    for rest in runs:
        while rest is not None:
            task, rest = rest
            yield from getattr(task, "held", ())


def visible(trace: Any, owner: Any, without: Any = None) -> bool:
    """Whether the program can still reach an object at its current place, or once a frame has ended."""
    if type(owner) is dict and "__builtins__" in owner:
        return True
    return id(owner) in reachable(roots(trace, without))


def roots(trace: Any, without: Any = None) -> list[Any]:
    """From where the program reaches objects, or will when a frame has ended."""
    frames = [frame for _, _, frame in trace.active if frame is not without]
    return [*frames, *trace.heap.outside.values(), *trace.cells.values(), *trace.held]


def mutables(values: Any) -> list[Any]:
    """The containers and objects that can change, in and below a container of values."""
    found = []
    for value in tree.children(values) or ():
        if isinstance(value, CONTAINERS) or is_plain(value):
            found.append(value)
        found += mutables(value)
    return found
