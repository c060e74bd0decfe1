"""Nested containers at the borders of graphs: flatten to leaves, rebuild, describe their structure.

The library `optree` is not used: it takes 40 ms to load and 1.6 us for the leaves of a pair (0.7 us here), sorts the
keys of dictionaries, and must be told of each class.  Large trees it maps three times as fast.
"""
from __future__ import annotations

import copy
import dataclasses
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any

# As types of anything, so that what is tested stays of any type for the checker, too.
_CONTAINERS: tuple[Any, ...] = (tuple, list, deque, dict)
_EXACT = frozenset[Any](_CONTAINERS)
_TUPLE: Any = tuple
_DICT: Any = dict
_LIST: Any = list
_DEQUE: Any = deque
_DEFAULT: Any = defaultdict
_ORDERED: Any = OrderedDict
_OBJECT: Any = object
_class_of: Callable[[Any], Any] = type


def children(value: Any) -> list[Any] | None:
    """The members of a container that trees look into; None for a leaf.

    A class of the library that holds tensors, such as those of sparse layouts, names the attributes in `_held`.
    A container or data class of the program with further attributes is a leaf.
    """
    kind = _class_of(value)
    if kind in _EXACT:
        return list(value.values() if kind is dict else value)
    if isinstance(value, _CONTAINERS):
        base = next(base for base in _CONTAINERS if isinstance(value, base))
        return None if getattr(value, "__dict__", None) else list(
            _DICT.values(value) if base is dict else base.__iter__(value))
    if dataclasses.is_dataclass(kind):
        names = [f.name for f in dataclasses.fields(kind)]
        try:
            return None if getattr(value, "__dict__", {}).keys() - names else [getattr(value, name) for name in names]
        except AttributeError:                   # it is being made
            return None
    names = getattr(kind, "_held", None)
    return [getattr(value, name) for name in names] if names else None


def with_children(value: Any, parts: list[Any]) -> Any:
    """A container like `value` with other members."""
    kind = _class_of(value)
    if kind is list:
        return parts
    if kind is tuple:
        return tuple(parts)
    if kind is dict:
        return dict(zip(value, parts, strict=True))
    if isinstance(value, _CONTAINERS):
        return _derived(kind, value, parts)
    if not dataclasses.is_dataclass(kind):
        changed: Any = copy.copy(value)
        changed.__dict__.update(zip(kind._held, parts, strict=True))
        return changed
    made = _OBJECT.__new__(kind)                # without its `__init__`, which has run before
    for field, part in zip(dataclasses.fields(kind), parts, strict=True):
        object.__setattr__(made, field.name, part)
    return made


def _derived(kind: Any, value: Any, parts: list[Any]) -> Any:
    """A container of a derived class, made without asking its methods; one of the library's classes is a plain one."""
    library = kind.__module__.startswith("mindspore")
    if isinstance(value, _TUPLE):
        if hasattr(value, "_fields"):
            return kind._make(parts)
        return tuple(parts) if library else _TUPLE.__new__(kind, parts)
    if isinstance(value, _LIST):
        made: Any = _LIST() if library else _LIST.__new__(kind)
        _LIST.extend(made, parts)
    elif isinstance(value, _DEQUE):
        made = _DEQUE.__new__(kind)
        _DEQUE.__init__(made, parts, value.maxlen)
    else:
        made = _DICT() if library else _DICT.__new__(kind)
        if isinstance(value, _DEFAULT):
            _DEFAULT.__init__(made, value.default_factory)
        base = _ORDERED if isinstance(made, _ORDERED) else _DICT
        for key, part in zip(_DICT.__iter__(value), parts, strict=True):
            base.__setitem__(made, key, part)
    return made


def leaves(value: Any, is_leaf: Callable[[Any], bool]) -> list[Any]:
    """The leaves of a tree for which `is_leaf` holds, in order."""
    if is_leaf(value):
        return [value]
    found: list[Any] = []
    for child in children(value) or ():
        found += leaves(child, is_leaf)
    return found


def rebuild(value: Any, is_leaf: Callable[[Any], bool], new: Iterator[Any]) -> Any:
    """A tree of the same structure with its leaves replaced in order."""
    if is_leaf(value):
        return next(new)
    inner = children(value)
    if inner is None or (_is_object(value) and not leaves(value, is_leaf)):
        return value                           # an object stays itself where nothing changes
    return with_children(value, [rebuild(v, is_leaf, new) for v in inner])


def _is_object(value: Any) -> bool:
    kind = _class_of(value)
    return dataclasses.is_dataclass(kind) or hasattr(kind, "_held")


def mapped(value: Any, is_leaf: Callable[[Any], bool], change: Callable[[Any], Any]) -> Any:
    """A tree of the same structure with its leaves changed."""
    return rebuild(value, is_leaf, iter([change(v) for v in leaves(value, is_leaf)]))


def matched(value: Any, other: Any, is_leaf: Callable[[Any], bool]) -> list[Any]:
    """For each leaf what stands at its place in another tree; None where that has no such place."""
    if is_leaf(value):
        return [other]
    inner = children(value) or []
    below = (children(other) if other is not None else None) or []
    below += [None] * (len(inner) - len(below))
    return [d for v, o in zip(inner, below, strict=False) for d in matched(v, o, is_leaf)]


def signature(value: Any, leaf: Callable[[Any], Any], key: Callable[[Any], Any] | None = None) -> Any:
    """A hashable description of a tree: `leaf` describes what is no container, `key` the keys of dicts."""
    kind = _class_of(value)
    if kind is tuple or kind is list:
        return kind, tuple([signature(v, leaf, key) for v in value])
    inner = children(value)
    if inner is None:
        return leaf(value)
    if isinstance(value, _DICT):
        parts = tuple([(key(k) if key else k, signature(v, leaf, key))
                       for k, v in zip(_DICT.__iter__(value), inner, strict=True)])
        return (kind, parts, leaf(value.default_factory)) if isinstance(value, defaultdict) else (kind, parts)
    if isinstance(value, deque):
        return kind, value.maxlen, tuple([signature(v, leaf, key) for v in inner])
    if getattr(kind, "_held", None):
        rest = _DICT((k, v) for k, v in _DICT.items(vars(value)) if k not in kind._held)
        return kind, tuple([signature(v, leaf, key) for v in inner]), signature(rest, leaf, key)
    return kind, tuple([signature(v, leaf, key) for v in inner])
