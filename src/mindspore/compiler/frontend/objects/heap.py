"""Objects of Python that a program meets: which exist beyond the compilation, and what was read of them."""
from __future__ import annotations

import decimal
import functools
from collections.abc import Collection
from types import (
    BuiltinFunctionType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

import numpy as np

from mindspore.core.constants import same_constant
from mindspore.core.errors import GraphSyntaxError
from mindspore.eager.tensor import Tensor

from .followed import is_followed, is_read_by_natives
from .journal import Change, Journal, same
from .methods import read_by_methods
from .places import Attribute, Contents, Global
from .reach import in_slots, is_cell, is_plain
from .watch import CONTAINERS, Watch

MUTATING = frozenset([
    "append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem", "remove",
    "clear", "sort", "reverse", "rotate", "update", "setdefault", "add", "discard",
    "difference_update", "intersection_update", "symmetric_difference_update",
    "move_to_end", "subtract", "__setitem__", "__delitem__", "__iadd__", "__ior__", "__isub__", "__imul__"])


class Heap(Journal):
    """The objects, with the journal of their changes.

    Attributes:
        outside: Objects that exist beyond the compilation, by id.
        watch: What was read of them.
        before: What stood, before the first change, at the places outside that the program has changed, by id.
    """

    def __init__(self) -> None:
        super().__init__()
        self.outside: dict[int, Any] = {}
        self.before: dict[int, Any] = {}
        self.watch = Watch()

    def touch(self, place: Any) -> None:
        """Note a place of an object before it changes."""
        self.version += 1
        if self.record(place) and place.key not in self.watch.changed:
            self.first_change(place, self.levels[-1].changes[place.key].before)

    def first_change(self, place: Any, before: Any) -> None:
        """Note what a place outside the program holds before the program changes it for the first time."""
        owner = place.owner
        if type(place) is Global or (type(place) is Attribute and id(owner) in self.outside):
            self.watch.place(owner, place.name, before)
            self.before[id(before)] = before
        elif type(place) is Contents and id(owner) in self.outside:
            if isinstance(owner, dict) and "__builtins__" in owner:
                raise GraphSyntaxError("The global names of a module are changed by 'globals()', which graph mode does "
                                       "not follow. Use a 'global' statement.")
            self.watch.content(owner)
            self.before.update({id(v): v for v in (before.values() if isinstance(before, dict) else before)})
        self.watch.changed.add(place.key)

    def write(self, place: Any, content: Any) -> None:
        """Change a place of an object."""
        self.touch(place)
        place.put(content)

    def finish(self, cells: dict[int, Any]) -> list[Change]:
        """The changes that callers should see at the end of the program."""
        changes = [c for c in self.levels[0].changes.values() if id(c.place.owner) in self.outside
                   or type(c.place) is Global
                   or id(c.place.owner) in cells or is_cell(c.place.owner)]
        for change in changes:
            change.after = change.place.get()
        return [c for c in changes if not _is_undone(c)]

    def note(self, value: Any, made: bool = False) -> None:
        """Remember an object from outside that the program got hold of, and what it holds.

        `made` says that the program itself changed the place where it was found: there may be what the program made,
        which is no object from outside, what it found elsewhere, or what it left as it was.
        """
        made, todo = made and id(value) not in self.before, [value]
        while todo:
            value = todo.pop()
            if not made:
                _check_outside(value)
            if isinstance(value, CONTAINERS) or is_plain(value):
                if made and id(value) not in self.outside:
                    continue
                known = id(value) in self.outside and id(value) not in self.watch.spared
                self.outside[id(value)] = value
                if not known and not made and isinstance(value, CONTAINERS):
                    todo += self.watch.content(value)
                if not made and not known and is_read_by_natives(type(value)):
                    self.note_whole(value)
            elif hasattr(type(value), "__next__") and not made:
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
            if id(value) in seen or isinstance(value, Tensor):
                continue
            seen.add(id(value))
            if is_cell(value):
                self.watch.ask(value, None)
                continue
            if isinstance(value, decimal.Decimal):
                self.watch.place(_ARITHMETIC, "of_decimals", _ARITHMETIC.of_decimals)
            if isinstance(value, (CONTAINERS, tuple, frozenset)):
                if id(value) in self.outside:
                    self.note(value)
                todo += [*dict.keys(value), *dict.values(value)] if isinstance(value, dict) else value
            if is_plain(value):
                if value is not owner:
                    self.note_methods(type(value), asked)
                todo += self.note_parts(value)
        self.watch.sparing = sparing

    def note_parts(self, value: Any) -> Collection[Any]:
        """Note the attributes of an object; what they hold."""
        parts: dict[str, Any] = {**getattr(value, "__dict__", {}), **in_slots(value)}
        if id(value) in self.outside:
            self.watch.whole(value)
            for name, held in parts.items():
                made = (id(value), name) in self.watch.changed
                self.note(held, made)
                if not made:
                    self.watch.place(value, name, held)
        return parts.values()

    def note_methods(self, kind: type, asked: Collection[str] | None) -> None:
        """Note what the special methods of a class read, which native code may call."""
        for owner, name, value in read_by_methods(kind, asked):
            if not {(id(owner), name), (id(owner), name, "global")} & self.watch.changed:
                self.watch.place(owner, name, value)
                self.note(value)


def _is_undone(change: Change) -> bool:
    """Whether a place holds at the end what it held before: a container its elements, other places the very object."""
    before, after = change.before, change.after
    if type(change.place) is Contents:
        return same(before, after)
    return before is after or (type(before) is type(after) and same_constant(after, before))


class _Arithmetic:
    """How a thread computes with decimal numbers: where a program reads it."""

    __slots__ = ()

    @property
    def of_decimals(self) -> Any:
        now = decimal.getcontext()
        return now.prec, now.rounding, now.Emin, now.Emax, now.capitals, now.clamp


_ARITHMETIC = _Arithmetic()


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
