"""What the program can reach from where it stands: objects, and what they hold."""
from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable
from typing import Any

from mindspore.compiler import tree

from .watch import CONTAINERS

_NOT_PLAIN = {"builtins", "functools", "mindspore", "torch", "numpy"}


def is_plain(value: Any) -> bool:
    """Whether a value is an object of a class written in Python whose attributes can change."""
    if not hasattr(value, "__dict__") or isinstance(value, type):
        return False
    return is_plain_module(type(value).__module__)


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
    """What an object holds."""
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, (list, tuple, set, deque)):
        return value
    if is_plain(value) or hasattr(value, "_stamp"):
        return value.__dict__.values()
    if hasattr(value, "__self__"):
        return [value.__self__]
    return _below_call(value)


def _below_call(value: Any) -> Iterable[Any]:
    """What a function, a call or an iterator of the program holds."""
    if hasattr(value, "scopes"):               # a function and what it sees
        return [*value.defaults.values(), *[s for s in value.scopes if hasattr(s, "local")]]
    if hasattr(value, "local"):                # a call that runs, or what a function of it still sees
        return [value.local, *[s for s in value.fn.scopes if hasattr(s, "local")]]
    if hasattr(value, "frame"):                # a generator
        return [value.frame]
    if hasattr(value, "over"):                 # an iterator
        return [*value.over, value.items]
    if hasattr(value, "args") and hasattr(value, "func"):
        return [value.func, value.args, value.keywords]
    return value.__reduce__()[1] if isinstance(value, type(iter([]))) else ()


def visible(trace: Any, owner: Any, without: Any = None) -> bool:
    """Whether the program can still reach an object from where it stands, or once a frame has ended."""
    if type(owner) is dict and "__builtins__" in owner:
        return True
    return id(owner) in reachable(roots(trace, without))


def roots(trace: Any, without: Any = None) -> list[Any]:
    """From where the program reaches objects, or will when a frame has ended."""
    frames = [frame for _, _, frame in trace.active if frame is not without]
    return [*frames, *trace.heap.outside.values(), *trace.cells.values()]


def mutables(values: Any) -> list[Any]:
    """The containers and objects that can change, in and below a container of values."""
    found = []
    for value in tree.children(values) or ():
        if isinstance(value, CONTAINERS) or is_plain(value):
            found.append(value)
        found += mutables(value)
    return found
