"""Nested containers at the borders of graphs: flatten to leaves, rebuild, describe their structure.

The library `optree` is not used: it takes 40 ms to load and 1.6 us for the leaves of a pair (0.7 us here), sorts the
keys of dictionaries, and must be told of each class.  Large trees it maps three times as fast.
"""
from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

# As types of anything, so that what is tested stays of any type for the checker, too.
_SEQUENCES: tuple[type[Any], ...] = (tuple, list, deque)
_TUPLE: type[Any] = tuple
_DICT: type[Any] = dict
_class_of: Callable[[Any], Any] = type


def children(value: Any) -> list[Any] | None:
    """The members of a container that trees look into; None for a leaf.

    A class of the library that holds tensors, such as those of sparse layouts, names the attributes in `_held`.
    """
    if isinstance(value, _SEQUENCES):
        return list(value)
    if isinstance(value, _DICT):
        return list(value.values())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, f.name) for f in dataclasses.fields(value)]
    kind = _class_of(value)
    names = getattr(kind, "_held", None)
    return [getattr(value, name) for name in names] if names else None


def with_children(value: Any, parts: list[Any]) -> Any:
    """A container like `value` with other members."""
    if isinstance(value, _TUPLE):
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, list):
        return parts
    if isinstance(value, deque):
        return deque(parts, value.maxlen)
    if isinstance(value, _DICT):
        return dict(zip(value, parts, strict=True))
    if not dataclasses.is_dataclass(value):
        changed: Any = copy.copy(value)
        changed.__dict__.update(zip(_class_of(value)._held, parts, strict=True))
        return changed
    names = [f.name for f in dataclasses.fields(value)]
    replace: Any = dataclasses.replace
    return replace(value, **dict(zip(names, parts, strict=True)))


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


def signature(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """A hashable description of a tree: `leaf` describes what is no container."""
    kind = _class_of(value)
    if kind is tuple or kind is list:
        return kind, tuple([signature(v, leaf) for v in value])
    if isinstance(value, _SEQUENCES):
        return kind, tuple([signature(v, leaf) for v in value])
    if isinstance(value, _DICT):
        return kind, tuple([(k, signature(v, leaf)) for k, v in value.items()])
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return kind, tuple([signature(v, leaf) for v in children(value) or ()])
    if getattr(kind, "_held", None):
        rest = {k: v for k, v in vars(value).items() if k not in kind._held}
        return kind, tuple([signature(v, leaf) for v in children(value) or ()]), signature(rest, leaf)
    return leaf(value)
