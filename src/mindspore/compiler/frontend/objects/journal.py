"""The journal of what a program changes while it is compiled: names, parameters, objects, elements of tensors.

All of it is really changed, so that all code that reads it sees the present state.  The journal has a level for each
part of the program that may be undone: what a branch of an `if` on a tensor changed is undone at its end and merged
with what the other branch did.  At the end of the compilation all is undone; what callers should see is written when
the compiled program runs.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from .places import Attribute, Contents, Elements, Name, Value
from .reach import reachable
from .watch import CONTAINERS, MISSING


class Change:
    """What happened to one place on a level: where, and what it held before and after."""

    __slots__ = ("after", "before", "place")

    def __init__(self, place: Any, before: Any):
        self.place, self.before, self.after = place, before, before


class Level:
    """A part of the program that may be undone.

    Attributes:
        number: Levels are numbered in the order in which they begin; it tells what was made before one.
        changes: What changed on it, by the keys of the places, in the order of the first changes.
        advanced: The iterators that advanced on it, by id; how far they got is not undone.
    """

    __slots__ = ("advanced", "changes", "number")

    def __init__(self, number: int):
        self.number = number
        self.changes: dict[Any, Change] = {}
        self.advanced: dict[int, Any] = {}


class Journal:
    """What changed, level by level.

    Attributes:
        version: Counts changes of objects; two calls between which it stands still saw the same objects.
        levels: The levels that are open, innermost last.
        owners: Dictionaries of attributes, by id, with the objects.
    """

    def __init__(self) -> None:
        self.levels = [Level(0)]
        self.begun = self.version = 0
        self.owners: dict[int, Any] = {}

    # ------------------------------------------------------------------ changes

    def record(self, place: Any) -> bool:
        """Note a place before it changes; whether it is the first change on this level."""
        changes = self.levels[-1].changes
        if place.key in changes:
            return False
        changes[place.key] = Change(place, place.get())
        return True

    def put(self, place: Any, content: Any) -> None:
        """Give a name, or a parameter, other content."""
        self.record(place)
        place.put(content)

    def bind(self, frame: Any, name: str, content: Any) -> None:
        """Bind a name of a call; MISSING unbinds it."""
        level = self.levels[-1]
        if level.number > frame.born and (id(frame), name) not in level.changes:
            self.record(Name(frame, name))
        if content is MISSING:
            frame.local.pop(name, None)
        else:
            frame.local[name] = content

    # ------------------------------------------------------------------ levels

    def push(self) -> None:
        """Begin a level."""
        self.begun += 1
        self.levels.append(Level(self.begun))

    def commit(self) -> None:
        """End a level; its changes become those of the level around it."""
        inner, outer = self.levels.pop(), self.levels[-1]
        for key, change in inner.changes.items():
            if type(change.place) is not Name or change.place.owner.born < outer.number:   # else the call is of its own
                outer.changes.setdefault(key, change)
        outer.advanced |= inner.advanced

    def commit_to(self, depth: int) -> None:
        """End all levels above so many."""
        while len(self.levels) > depth:
            self.commit()

    def pop(self) -> dict[Any, Change]:
        """End a level and undo its changes; what they were.  Iterators that advanced on it are lost."""
        level = self.levels.pop()
        changes = level.changes
        for iterator in level.advanced.values():
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

    def unwind(self, depth: int = 0) -> dict[Any, Change]:
        """Undo everything down to a level; the changes that were left when the program ended."""
        self.commit_to(depth + 1)
        return self.pop()

    @contextmanager
    def watched(self) -> Iterator[dict[Any, Change]]:
        """The changes that are left at the end of a part of the program."""
        changes: dict[Any, Change] = {}
        depth = len(self.levels)
        self.push()
        try:
            yield changes
            self.commit_to(depth + 1)
            changes |= self.levels[-1].changes
        finally:
            self.commit_to(depth)

    # ------------------------------------------------------------------ what was undone

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


_OF_OBJECTS = (Contents, Attribute)


@contextmanager
def redone(changes: Iterable[Change]) -> Iterator[None]:
    """Let tensors and parameters hold again what they held at the end of a part of the program that was undone."""
    again = [c for c in changes if type(c.place) in (Elements, Value)]
    before = [c.place.get() for c in again]
    for change in again:
        change.place.put(change.after)
    try:
        yield
    finally:
        for change, content in zip(again, before, strict=True):
            change.place.put(content)


def names_of(frame: Any, changes: dict[Any, Change]) -> dict[str, Any]:
    """The names of a call that have other values after some changes."""
    return {c.place.name: c.after for c in changes.values() if type(c.place) is Name and c.place.owner is frame
            and c.after is not c.before and c.after is not MISSING}


def assigned(changes: dict[Any, Change]) -> list[Any]:
    """The parameters that some changes gave other values."""
    return [c.place.owner for c in changes.values() if type(c.place) is Value and c.place.get() is not c.before]


def same(a: Any, b: Any) -> bool:
    """Whether two contents are one, or hold the same elements."""
    if a is b:
        return True
    if type(a) is not type(b) or not isinstance(a, CONTAINERS) or len(a) != len(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(a[k] is b[k] for k in a)
    return a == b if isinstance(a, set) else all(x is y for x, y in zip(a, b, strict=True))
