"""Calls: what runs natively, what is walked; methods of containers and text, classes, cells."""
from __future__ import annotations

import ast
import functools
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import is_dataclass
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    SimpleNamespace,
    WrapperDescriptorType,
)
from typing import Any

from mindspore.compiler.frontend.objects.aliasing import is_same
from mindspore.compiler.frontend.objects.followed import can_be_made
from mindspore.compiler.frontend.objects.heap import MUTATING
from mindspore.compiler.frontend.objects.places import CONTAINERS, Contents
from mindspore.compiler.frontend.objects.source import Closure, closure_of
from mindspore.compiler.frontend.objects.state import as_key, as_keys, lift
from mindspore.compiler.frontend.values.conditional import (
    INSIDE,
    ITSELF,
    STORED,
    distribute,
    distributed,
    has_alternatives,
)
from mindspore.compiler.frontend.values.leaves import hashable
from mindspore.compiler.frontend.values.text import joined, with_nodes, written
from mindspore.core.errors import GraphTypeError
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators.python_numbers import is_number

from .fields import init_fields, makes_fields
from .functions import call_function, walk
from .infix import compare, ordering, read
from .lookup import note_member
from .native import SPECIAL, call_native, is_cell, is_native_module, natively, unfollowed
from .protocols import iterated

# methods of containers that look for a key, and those that iterate over another container
_KEYED = frozenset(["get", "pop", "setdefault", "add", "discard", "remove", "__getitem__", "__contains__"])
_TAKING = ("extend", "extendleft", "update", "difference_update", "intersection_update",
           "symmetric_difference_update", "__iadd__", "__ior__")
# how methods of containers look at their arguments; the others look inside of all
_LOOKS = {"append": (STORED,), "appendleft": (STORED,)} | dict.fromkeys(_TAKING, (ITSELF,)) | dict.fromkeys(
    ("insert", "setdefault", "get", "pop", "__setitem__"), (INSIDE, STORED))
_CONTAINERS = frozenset[Any](CONTAINERS)


@distributed(ITSELF)
def call(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call anything callable while compiling."""
    kind = type(fn)
    known = OF_KIND.get(kind)
    if known:
        return known(fn, args, kwargs)
    if isinstance(fn, type):
        return _construct(fn, args, kwargs)
    method = getattr(kind, "__call__", None)   # noqa: B004  # the function, not whether there is one
    if type(method) is FunctionType and not is_native_module(method.__module__):
        if runtime.trace is not None:
            note_member(kind, "__call__")
        return call_function(method, (fn, *args), kwargs)
    if hasattr(kind, "changes"):               # a primitive, whose attributes may be set later
        runtime.trace.primitives[id(fn)] = fn
    return call_native(fn, args, kwargs)


def _function(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if is_native_module(fn.__module__):
        return call_native(SPECIAL.get(fn, fn), args, kwargs)
    inner = _unwrapped(fn)
    return call_function(inner, args, kwargs) if type(inner) is FunctionType else call(inner, args, kwargs)


def _method(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    inner = fn.__func__
    if type(inner) is FunctionType and not is_native_module(inner.__module__):
        return call_function(_unwrapped(inner), (fn.__self__, *args), kwargs)
    if type(inner) is Closure:
        return walk(inner, (fn.__self__, *args), kwargs)
    if is_cell(fn.__self__) and inner.__name__ in ("__setattr__", "__delattr__"):
        return SPECIAL[getattr(object, inner.__name__)](fn.__self__, *args)
    if inner.__name__ in MUTATING and inner.__module__ == "collections":
        _touch_contents(fn.__self__)
        if type(fn.__self__) is Counter:
            args = tuple([a if isinstance(a, dict) else as_keys(iterated(a)) for a in args])
    return call_native(fn, args, kwargs)


def _partial(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return call(fn.func, (*fn.args, *args), fn.keywords | kwargs)


def _unbound(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a class of Python's, taken from the class: `list.append(x, y)`."""
    if args and isinstance(args[0], (*CONTAINERS, str)):
        return _builtin(fn.__get__(args[0]), args[1:], kwargs)
    return call_native(fn, args, kwargs)


def _touch_contents(owner: Any) -> None:
    """Note that a container of the standard library written in Python is about to change: a Counter, a UserDict."""
    held = [owner] if isinstance(owner, CONTAINERS) else [*vars(owner).values(), *getattr(owner, "maps", ())]
    for one in held:
        if isinstance(one, CONTAINERS):
            if id(owner) in runtime.trace.heap.outside:
                runtime.trace.heap.note(one)
            runtime.trace.heap.touch(Contents(one))


def _slot(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A special method of a class of Python's, as `super()` or the class gives it."""
    if type(fn) is MethodWrapperType:
        args = fn.__self__, *args
    name, owner = fn.__name__, args[0] if args else None
    special = SPECIAL.get(getattr(fn.__objclass__, name))
    if special:
        return special(*args, **kwargs)
    if fn.__objclass__ is type and name == "__call__":
        return _made(owner, args[1:], kwargs)
    if isinstance(owner, CONTAINERS) and name in MUTATING:
        runtime.trace.heap.touch(Contents(owner))
    return call_native(fn, args[1:] if type(fn) is MethodWrapperType else args, kwargs)


def _builtin(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    owner = fn.__self__
    if type(owner) is str and fn.__name__ in ("format", "join", "format_map"):
        if fn.__name__ == "join":
            return joined(owner, *args, **kwargs)
        return _formatted(fn, args, kwargs)
    if isinstance(owner, CONTAINERS):
        return _in_container(fn, args, kwargs)
    if type(owner) is tuple and has_alternatives(owner):
        return call_native(getattr(tuple, fn.__name__), (owner, *args), kwargs)
    if getattr(owner, "__name__", "") in ("_heapq", "_bisect", "_operator"):
        for arg in args:
            if isinstance(arg, CONTAINERS):
                runtime.trace.heap.touch(Contents(arg))
    return call_native(SPECIAL.get(fn, fn) if hashable(fn) else fn, args, kwargs)


@distributed(STORED, INSIDE)
def _formatted(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return written(lambda: fn(*with_nodes(args), **with_nodes(kwargs)))


def _in_container(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not runtime.trace.chosen:
        return _of_container(fn, args, kwargs)
    looks = (INSIDE,) if isinstance(fn.__self__, set) else _LOOKS.get(fn.__name__, (INSIDE,))
    return distribute(lambda *args: _of_container(fn, args, kwargs), looks, args)


def _of_container(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a list, dict, set or deque."""
    owner = fn.__self__
    if fn.__name__ in MUTATING:
        runtime.trace.heap.touch(Contents(owner))
    if fn.__name__ == "__getitem__" and isinstance(owner, dict):
        return SPECIAL[dict.__getitem__](owner, *args)
    if args and isinstance(owner, (dict, set)) and fn.__name__ in _KEYED:
        args = (as_key(owner, args[0], fn.__name__ in ("add", "setdefault")), *args[1:])
    args = tuple([iterated(a) if fn.__name__ in _TAKING else a for a in args])
    if fn.__name__ == "sort":
        kwargs = kwargs | {"key": ordering(kwargs.get("key"))}
    elif fn.__name__ in ("index", "count", "remove") and args and isinstance(owner, (list, deque)):
        if fn.__name__ == "remove" and has_alternatives(owner):
            raise GraphTypeError("Which element 'remove' finds depends on an 'if' on a tensor; remove it in its "
                                 "branches.")
        return _found(owner, fn.__name__, lift(args[0]))
    return fn(*args, **kwargs)


@distributed(INSIDE)
def _found(owner: Any, name: str, value: Any) -> Any:
    """`index`, `count` or `remove` of a list: tensors are found by identity only, numbers by their value."""
    if type(value) is not Node or is_number(value):
        value = as_key((), value)
        held = [as_key((), v) if is_number(v) else v for v in owner]
        if name != "remove" and not any(isinstance(v, (Node, Tensor)) for v in (*held, value)):
            return getattr(held, name)(value)
    if not any(isinstance(v, (Node, Tensor)) for v in (*owner, value)):
        read(owner, value)
        return getattr(owner, name)(value)
    places = [i for i, v in enumerate(owner) if is_same(v, value) or (not (
        isinstance(v, (Node, Tensor)) or isinstance(value, (Node, Tensor))) and compare(ast.Eq(), v, value) is True)]
    if name == "count":
        return len(places)
    if not places:
        raise ValueError(f"{value!r} is not in list")
    if name == "index":
        return places[0]
    del owner[places[0]]
    return None


def _construct(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make an object: the methods of the user's plain class that do so are walked."""
    special = SPECIAL.get(cls)
    if special:
        return call_native(special, args, kwargs)
    if runtime.trace is not None and not can_be_made(cls):
        raise unfollowed(cls)
    if cls in _CONTAINERS:
        if runtime.trace is not None:
            runtime.trace.asked += cls is dict           # tensors may be keys, which are found by identity
        return _filled(cls, *args, **kwargs)
    maker: Any = type(cls).__call__
    if _is_walked(maker) and not hasattr(cls, "cells_and_names"):
        return call(maker, (cls, *args), kwargs)
    return _made(cls, args, kwargs)


@distributed(ITSELF)
def _filled(cls: Any, *args: Any, **kwargs: Any) -> Any:
    """A container of Python's, which looks at keys and stores the rest."""
    args = tuple(map(iterated, args))
    if cls is dict and args and runtime.trace is not None and runtime.trace.chosen and not hasattr(args[0], "keys"):
        args = [tuple(iterated(pair)) for pair in args[0]],
        if has_alternatives(*[pair[:1] for pair in args[0]]):
            return call_native(cls, args, kwargs)
    return natively(cls, args, kwargs)


def _made(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `type.__call__` does: `__new__`, and `__init__` if that gave an object of the class."""
    for name in ("__new__", "__init__", "__post_init__", "__del__") if runtime.trace is not None else ():
        note_member(cls, name)
    if runtime.trace is not None and _is_walked(getattr(cls, "__del__", None)):
        raise unfollowed(cls.__del__)
    own = [_is_walked(cls.__new__), _is_walked(cls.__init__), makes_fields(cls)]
    plain = type(cls).__call__ is type.__call__ or _is_walked(type(cls).__call__)
    if not any(own) or not plain or hasattr(cls, "cells_and_names") or issubclass(cls, BaseException):
        return (natively if _stores(cls, args) else call_native)(cls, args, kwargs)
    if own[0]:
        made = call(cls.__new__, (cls, *args), kwargs)
    else:
        made = object.__new__(cls) if cls.__new__ is object.__new__ else cls.__new__(cls, *args, **kwargs)
    if not isinstance(made, cls):
        return made
    if own[1]:
        call(cls.__init__, (made, *args), kwargs)
    elif cls.__init__ is not object.__init__:
        (init_fields if own[2] else call_native)(cls.__init__, (made, *args), kwargs)
    return made


def _stores(cls: Any, args: tuple[Any, ...]) -> bool:
    """Whether a class stores what it is called with: dicts and name spaces do so with what has a name."""
    return is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields")) or (
        issubclass(cls, (dict, SimpleNamespace)) and runtime.trace is not None and not has_alternatives(args))


def _is_walked(fn: Any) -> bool:
    """Whether a function is the user's, and its source is known."""
    return type(fn) is FunctionType and not is_native_module(fn.__module__) and closure_of(fn) is not None


def _unwrapped(fn: FunctionType) -> Any:
    """What was given to `jit`; `functools.wraps` copies the mark to functions around what it gave."""
    return getattr(fn, "__jitted__", fn) if is_native_module(fn.__globals__.get("__name__")) else fn


OF_KIND: dict[type, Callable[..., Any]] = {
    Closure: walk, FunctionType: _function, MethodType: _method, functools.partial: _partial,
    BuiltinFunctionType: _builtin, MethodWrapperType: _slot, WrapperDescriptorType: _slot,
    MethodDescriptorType: _unbound,
}
