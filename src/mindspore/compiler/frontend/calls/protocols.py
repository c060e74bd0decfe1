"""Special methods that classes of the program define: they are walked where Python would call them."""
from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any

from mindspore.compiler.frontend.objects.source import Closure
from mindspore.compiler.frontend.objects.state import lift
from mindspore.compiler.frontend.values.conditional import items_of
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.ir.runtime import runtime

from .functions import STATIC, call_function
from .lookup import note_member
from .native import is_native_module

SIMPLE = frozenset([*STATIC, Node, bytes, complex, FunctionType, MethodType, Closure])     # hold no state of a program
_BUILT_IN = SIMPLE | {list, dict, tuple, set, deque}


def user_method(obj: Any, name: str) -> Callable[..., Any] | None:
    """A special method that the user's class of an object defines, as a function to be walked."""
    kind = type(obj)
    if kind in _BUILT_IN or is_native_module(kind.__module__):
        return None
    method = getattr(kind, name, None)
    if type(method) is not FunctionType or is_native_module(method.__module__):
        return None
    if runtime.trace is not None:
        note_member(kind, name)
    return lambda *args: call_function(method, (obj, *args), {})


class Walked:
    """An iterator of a user's class: its `__next__` is walked."""

    def __init__(self, owner: Any, advance: Callable[..., Any]):
        self.owner, self.advance = owner, advance

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.advance()


def iterated(value: Any) -> Any:
    """What an iteration over a value runs over natively; methods of a user's class are walked."""
    if isinstance(value, Tensor):
        return lift(value)
    value = items_of(value)
    method = user_method(value, "__iter__")
    found = method() if method else value
    advance = user_method(found, "__next__")
    if advance:
        return Walked(found, advance)
    item = None if hasattr(type(found), "__iter__") else user_method(found, "__getitem__")
    return _by_index(item) if item else found


def _by_index(item: Callable[..., Any]) -> Iterator[Any]:
    """The elements of an object that has only `__getitem__`."""
    for k in itertools.count():
        try:
            found = item(k)
        except IndexError:
            return
        yield found
