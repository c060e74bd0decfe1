"""Changes that a program makes to Python objects while it is compiled, with a journal to undo them.

Objects are really changed, so that all code that reads them sees the present state.  The journal has a
level for each branch: what a branch of an `if` on a tensor changed is undone at its end and merged with
what the other branch did.  At the end of the compilation all is undone; what callers should see is
written when the compiled program runs.
"""
from __future__ import annotations

import functools
from collections import OrderedDict, deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import (
    BuiltinFunctionType,
    MemberDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

import numpy as np

from mindspore.core.errors import GraphSyntaxError, GraphTypeError
from mindspore.eager.tensor import Tensor

from .followed import is_followed, is_read_by_natives
from .methods import read_by_methods
from .reach import in_slots, is_plain, reachable
from .watch import CONTAINERS, MISSING, Watch

MUTATING = frozenset([
    "append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem", "remove",
    "clear", "sort", "reverse", "rotate", "update", "setdefault", "add", "discard",
    "difference_update", "intersection_update", "symmetric_difference_update",
    "move_to_end", "subtract", "__setitem__", "__delitem__", "__iadd__", "__ior__", "__isub__", "__imul__"])


class Contents:
    """The elements of a list, dict, set or deque."""

    def __init__(self, owner: Any):
        self.owner, self.key = owner, (id(owner), None)

    def get(self) -> Any:
        kind = type(self.owner)
        if kind in CONTAINERS and kind is not deque:
            return kind(self.owner)
        return elements_of(self.owner)

    def put(self, content: Any) -> None:
        owner: Any = self.owner               # whose class may have methods of its own
        if isinstance(owner, list):
            list.__setitem__(owner, slice(None), content)
        elif isinstance(owner, OrderedDict):
            OrderedDict.clear(owner)
            for key, value in content.items():
                OrderedDict.__setitem__(owner, key, value)
        elif isinstance(owner, deque):
            deque.clear(owner)
            deque.extend(owner, content)
        else:
            kind: Any = dict if isinstance(owner, dict) else set
            kind.clear(owner)
            kind.update(owner, content)

    def __str__(self) -> str:
        return f"a {type(self.owner).__name__}"


def elements_of(owner: Any) -> Any:
    """The elements of a container of a derived class."""
    if isinstance(owner, dict):
        keys = OrderedDict.__iter__(owner) if isinstance(owner, OrderedDict) else dict.__iter__(owner)
        return {key: dict.__getitem__(owner, key) for key in keys}
    if isinstance(owner, set):
        return set(set.__iter__(owner))
    return list(list.__iter__(owner) if isinstance(owner, list) else deque.__iter__(owner))


class Array:
    """The elements of a NumPy array that the program made."""

    def __init__(self, owner: np.ndarray):
        self.owner, self.key = owner, (id(owner), None)

    def get(self) -> Any:
        return self.owner.copy()

    def put(self, content: Any) -> None:
        if not isinstance(content, np.ndarray) or content.shape != self.owner.shape:
            raise GraphTypeError(
                f"What a NumPy array of shape {self.owner.shape} holds depends on an 'if' on a tensor, and a graph "
                "chooses only among tensors. Use a Tensor, or change the array outside of the 'if'.")
        self.owner[...] = content

    def __str__(self) -> str:
        return "an array of NumPy"


class Attribute:
    """An attribute of an object."""

    def __init__(self, owner: Any, name: str):
        self.owner, self.name, self.key = owner, name, (id(owner), name)

    def get(self) -> Any:
        own: Any = getattr(self.owner, "__dict__", ())
        if self.name in own:
            return own[self.name]
        for base in type(self.owner).__mro__:
            if self.name in base.__dict__:
                found = base.__dict__[self.name]
                if type(found) is MemberDescriptorType:                 # a slot
                    return getattr(self.owner, self.name, MISSING)
                return MISSING if hasattr(type(found), "__get__") else found
        return MISSING

    def put(self, content: Any) -> None:
        base = type if isinstance(self.owner, type) else object
        if content is not MISSING:
            base.__setattr__(self.owner, self.name, content)
        elif self.name in getattr(self.owner, "__dict__", ()):
            base.__delattr__(self.owner, self.name)

    def __str__(self) -> str:
        return f"the attribute '{self.name}'"


class Name:
    """A name of a function around the one that runs."""

    def __init__(self, frame: Any, name: str):
        self.owner, self.name, self.key = frame, name, (id(frame), name)

    def get(self) -> Any:
        return self.owner.local.get(self.name, MISSING)

    def put(self, content: Any) -> None:
        if content is MISSING:
            self.owner.local.pop(self.name, None)
        else:
            self.owner.local[self.name] = content

    def __str__(self) -> str:
        return f"'{self.name}'"


class Global:
    """A name of a module."""

    def __init__(self, scope: dict[str, Any], name: str):
        self.owner, self.name, self.key = scope, name, (id(scope), name, "global")

    def get(self) -> Any:
        return self.owner.get(self.name, MISSING)

    def put(self, content: Any) -> None:
        if content is MISSING:
            self.owner.pop(self.name, None)
        else:
            self.owner[self.name] = content

    def __str__(self) -> str:
        return f"the global '{self.name}'"


class Change:
    """What happened to one place on a level: where, and what it held before and after."""

    __slots__ = ("after", "before", "place")

    def __init__(self, place: Any, before: Any):
        self.place, self.before, self.after = place, before, before


class Heap:
    """The journal.

    Attributes:
        version: Counts changes; two calls between which it stands still saw the same objects.
        outside: Objects that exist beyond the compilation, by id.
        watch: What was read of them.
        advanced: The iterators that advanced on each level, by id; how far they got is not undone.
    """

    def __init__(self) -> None:
        self.levels: list[dict[Any, Change]] = [{}]
        self.advanced: list[dict[int, Any]] = [{}]
        self.version = 0
        self.outside: dict[int, Any] = {}
        self.owners: dict[int, Any] = {}       # dictionaries of attributes -> (it, the object)
        self.watch = Watch()

    def touch(self, place: Any) -> None:
        """Note a place before it changes."""
        self.version += 1
        level = self.levels[-1]
        if place.key not in level:
            level[place.key] = Change(place, place.get())
            if place.key not in self.watch.changed:
                self.first_change(place, level[place.key].before)

    def first_change(self, place: Any, before: Any) -> None:
        """Note what a place outside the program holds before the program changes it for the first time."""
        owner = place.owner
        if type(place) is Global or (type(place) is Attribute and id(owner) in self.outside):
            self.watch.place(owner, place.name, before)
        elif type(place) is Contents and id(owner) in self.outside:
            if isinstance(owner, dict) and "__builtins__" in owner:
                raise GraphSyntaxError("The global names of a module are changed by 'globals()', which graph mode does "
                                       "not follow. Use a 'global' statement.")
            self.watch.content(owner)
        self.watch.changed.add(place.key)

    def write(self, place: Any, content: Any) -> None:
        """Change a place."""
        self.touch(place)
        place.put(content)

    def push(self) -> None:
        """Begin a level."""
        self.levels.append({})
        self.advanced.append({})

    def commit(self) -> None:
        """End a level; its changes become those of the level around it."""
        inner, outer = self.levels.pop(), self.levels[-1]
        for key, change in inner.items():
            outer.setdefault(key, change)
        further = self.advanced.pop()
        self.advanced[-1] |= further

    @contextmanager
    def watched(self) -> Iterator[dict[Any, Change]]:
        """The changes that are left at the end of a part of the program."""
        changes: dict[Any, Change] = {}
        depth = len(self.levels)
        self.push()
        try:
            yield changes
            while len(self.levels) > depth + 1:
                self.commit()
            changes |= self.levels[-1]
        finally:
            while len(self.levels) > depth:
                self.commit()

    def pop(self) -> dict[Any, Change]:
        """End a level and undo its changes; what they were.  Iterators that advanced on it are lost."""
        changes = self.levels.pop()
        for iterator in self.advanced.pop().values():
            iterator.lost = True
        for change in changes.values():
            change.after = change.place.get()
        for change in reversed(changes.values()):
            change.place.put(change.before)
        for key, change in list(changes.items()):
            if type(change.place) is Contents and id(change.place.owner) in self.owners:
                del changes[key]
                self.of_attributes(changes, change)
        return changes

    def of_attributes(self, changes: dict[Any, Change], change: Change) -> None:
        """Take a change of the dictionary of an object as changes of its attributes."""
        _, owner = self.owners[id(change.place.owner)]
        for name in change.before | change.after:
            before, after = change.before.get(name, MISSING), change.after.get(name, MISSING)
            place = Attribute(owner, name)
            if before is not after and place.key not in changes:
                changes[place.key] = made = Change(place, before)
                made.after = after

    @staticmethod
    def revive(changes: dict[Any, Change], roots: list[Any]) -> None:
        """Objects that a branch itself made keep what they hold, and are not among its changes.

        `roots` are from where the program can reach what was there before.
        """
        if not any(type(c.place) in _OF_OBJECTS for c in changes.values()):
            return
        old = reachable(roots)
        for key, change in list(changes.items()):
            if type(change.place) in _OF_OBJECTS and id(change.place.owner) not in old:
                change.place.put(change.after)
                del changes[key]

    def unwind(self, depth: int = 0) -> dict[Any, Change]:
        """Undo everything down to a level; the changes that were left when the program ended."""
        while len(self.levels) > depth + 1:
            self.commit()
        return self.pop()

    def finish(self, cells: dict[int, Any]) -> list[Change]:
        """The changes that callers should see at the end of the program."""
        changes = [c for c in self.levels[0].values() if id(c.place.owner) in self.outside
                   or type(c.place) is Global
                   or id(c.place.owner) in cells or hasattr(c.place.owner, "_stamp")]
        for change in changes:
            change.after = change.place.get()
        return [c for c in changes if not same(c.before, c.after)]

    def note(self, value: Any, made: bool = False) -> None:
        """Remember an object from outside that the program got hold of, and what it holds.

        `made` says that the program itself put it where it was found.
        """
        todo = [value]
        while todo:
            value = todo.pop()
            if not made:
                _check_outside(value)
            if isinstance(value, CONTAINERS) or is_plain(value):
                known = id(value) in self.outside and id(value) not in self.watch.spared
                self.outside[id(value)] = value
                if not known and not made and isinstance(value, CONTAINERS):
                    todo += self.watch.content(value)
                if not made and not known and is_read_by_natives(type(value)):
                    self.note_whole(value)
            elif hasattr(value, "__next__") and not made:
                self.watch.foreign[id(value)] = value
            elif isinstance(value, np.ndarray) and not made:
                self.watch.array(value)
            elif isinstance(value, functools.partial):
                todo += [value.func, value.args, value.keywords]
            elif isinstance(value, (tuple, frozenset)):
                todo += value
            elif isinstance(value, _BOUND) and type(value.__self__) is not ModuleType:
                todo.append(value.__self__)

    def note_whole(self, value: Any, asked: Collection[str] | None = None, owner: Any = None) -> None:
        """Note all that an object holds, which is about to be read by what is not followed.

        `asked` are the special methods that may be called, any if it is None; those of `owner` are not.
        """
        sparing, self.watch.sparing = self.watch.sparing, False
        todo, seen = [value], set()
        while todo:
            value = todo.pop()
            if id(value) in seen or isinstance(value, Tensor) or hasattr(type(value), "cells_and_names"):
                continue
            seen.add(id(value))
            if isinstance(value, (CONTAINERS, tuple, frozenset)):
                if id(value) in self.outside:
                    self.note(value)
                todo += [*dict.keys(value), *dict.values(value)] if isinstance(value, dict) else value
            if is_plain(value):
                if value is not owner:
                    self.note_methods(type(value), asked)
                if id(value) in self.outside:
                    self.watch.whole(value)
                for name, held in {**getattr(value, "__dict__", {}), **in_slots(value)}.items():
                    made = (id(value), name) in self.watch.changed
                    if id(value) in self.outside:
                        self.note(held, made)
                        if not made:
                            self.watch.place(value, name, held)
                    todo.append(held)
        self.watch.sparing = sparing

    def note_methods(self, kind: type, asked: Collection[str] | None) -> None:
        """Note what the special methods of a class read, which native code may call."""
        for owner, name, value in read_by_methods(kind, asked):
            if not {(id(owner), name), (id(owner), name, "global")} & self.watch.changed:
                self.watch.place(owner, name, value)
                self.note(value)


_OF_OBJECTS = (Contents, Attribute, Name)


def is_iterator(value: Any) -> bool:
    """Whether a value is an iterator or generator of Python's."""
    return type(value).__module__ in ("builtins", "itertools") and hasattr(type(value), "__next__")


_BOUND = (MethodType, BuiltinFunctionType, MethodWrapperType)


def _check_outside(value: Any) -> None:
    """GraphSyntaxError for an object from outside whose changes are not followed."""
    if is_iterator(value):
        raise GraphSyntaxError("An iterator that was made outside of the compiled function is advanced inside of it, "
                               "at every run. Make the iterator inside, or give its items as arguments.")
    if not is_followed(value):
        raise GraphSyntaxError(f"An object of the class '{type(value).__module__}.{type(value).__qualname__}' is used, "
                               "whose changes graph mode does not follow. Use it outside of the compiled function.")


def same(a: Any, b: Any) -> bool:
    """Whether two contents are one, or hold the same elements."""
    if a is b:
        return True
    if type(a) is not type(b) or not isinstance(a, CONTAINERS) or len(a) != len(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(a[k] is b[k] for k in a)
    return a == b if isinstance(a, set) else all(x is y for x, y in zip(a, b, strict=True))
