"""What a program read from outside while it was compiled: it holds as long as that stays the same.

Read are names of modules and closures, attributes of objects and classes, elements of lists and dicts, whole
containers, and small arrays.  What the program itself changes is compared by its structure only
(`Program.contents`), tensors that are attributes of cells by their kind (`Program.sources`).
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from operator import attrgetter, call, is_
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import torch

from mindspore.core.constants import SIMPLE, same_constant
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node

CONTAINERS = (list, dict, set, deque)
MISSING = type("Missing", (), {"__repr__": lambda self: "nothing"})()
_content = attrgetter("cell_contents")
_NOT_IN_DICT = ("__class__", "__mro__", "__code__", "__defaults__", "__kwdefaults__")      # attributes kept elsewhere
ALIKE = frozenset[Any]([*CONTAINERS, np.ndarray, partial])     # not what derives from them
_DEPTH = 20             # of containers in containers that are compared by what they hold
_call: Any = call             # `map` of two sequences cannot be typed with it


class Watch:
    """What was read so far.

    Attributes:
        places: (owner, name, value) of what was read by name, by the id of the owner and the name.
        held: Containers that were read as a whole, with what they held, by id.
        named_parts: Objects that were read as a whole, with the names of their attributes, by id.
        arrays: Arrays, with copies, by id.
        readings: Tensors whose elements are constants of the program, with copies, by id.
        tensors: Where tensors stand in cells, objects and containers, by id: (owner, name, index among the leaves).
        named: The ids of tensors that a name of a namespace holds.
        foreign: Iterators that were made outside the program, by id.
        identified: Ids of the containers and arrays of which it mattered which they are.
        changed: Keys of the places that the program itself has changed.
        given: Ids of the containers among the arguments, which are part of the signature.
        asked: The names of which it mattered what cells hold under them, by the id of the cell; None among them: all.
        sparing: Whether the container that is loaded now is asked for one element only.
        spared: Containers of which only elements were read, by id.
    """

    def __init__(self) -> None:
        self.places: dict[tuple[int, Any], tuple[Any, Any, Any]] = {}
        self.held: dict[int, tuple[Any, Any]] = {}
        self.named_parts: dict[int, tuple[Any, tuple[str, ...]]] = {}
        self.arrays: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.readings: dict[int, tuple[Tensor, torch.Tensor]] = {}
        self.tensors: dict[int, list[tuple[Any, Any, int]]] = {}
        self.named: set[int] = set()
        self.foreign: dict[int, Any] = {}
        self.identified: set[int] = set()
        self.asked: dict[int, set[str | None]] = {}
        self.changed: set[Any] = set()
        self.given: Collection[int] = ()
        self.sparing = False
        self.spared: dict[int, Any] = {}

    def place(self, owner: Any, name: Any, value: Any) -> None:
        """Note a name of a namespace, an attribute of an object or class, an element of a container."""
        if id(owner) not in self.given:
            self.places.setdefault((id(owner), name), (owner, name, value))

    def ask(self, cell: Any, name: str | None) -> None:
        """Note that it matters what a cell holds under a name, or under any if it is None."""
        self.asked.setdefault(id(cell), set()).add(name)

    def function(self, fn: FunctionType) -> None:
        """Note what a function does and which values it has for arguments that are left out."""
        self.place(fn, "__code__", fn.__code__)
        if fn.__defaults__:
            self.place(fn, "__defaults__", fn.__defaults__)
        if fn.__kwdefaults__:
            self.place(fn, "__kwdefaults__", fn.__kwdefaults__)
            self.content(fn.__kwdefaults__)

    def content(self, value: Any) -> Sequence[Any]:
        """Note what a container holds; its elements, if they count now."""
        if self.sparing:
            self.spared[id(value)] = value
            return ()
        self.spared.pop(id(value), None)
        if (id(value), None) in self.changed or id(value) in self.given:
            return ()
        self.held[id(value)] = value, _held(value)
        items = list(dict.items(value)) if isinstance(value, dict) else list(enumerate(value))
        for key, inner in () if isinstance(value, set) else items:
            if type(inner) is Tensor:
                self.tensor(inner, value, key)
        return [inner for _, inner in items]

    def whole(self, value: Any) -> None:
        """Note which attributes an object has."""
        if hasattr(value, "__dict__"):
            self.named_parts.setdefault(id(value), (value, tuple(vars(value))))

    def tensor(self, value: Tensor, owner: Any, name: Any, index: int = 0) -> None:
        """Note where a tensor stands: a later run may find another one there."""
        places = self.tensors.setdefault(id(value), [])
        if not any(o is owner and n == name and i == index for o, n, i in places):
            places.append((owner, name, index))

    def sources(self, tensor: Tensor) -> list[tuple[Any, Any, int]]:
        """Where every run finds a tensor; nowhere if a name holds it, too."""
        return [] if id(tensor) in self.named else self.tensors.get(id(tensor), [])

    def array(self, value: np.ndarray) -> None:
        """Note what an array holds."""
        if id(value) not in self.arrays:
            self.arrays[id(value)] = value, value.copy()

    def reading(self, tensor: Tensor) -> None:
        """Note what a tensor holds; no other tensor can stand in its place."""
        self.named.add(id(tensor))
        if id(tensor) not in self.readings:
            self.readings[id(tensor)] = tensor, tensor._data.detach().clone()

    def frozen(self, written: set[Any], replaced: Iterable[int] = ()) -> Outside:
        """What must still be so when the program runs.

        Args:
            written: Keys of the places that the program changes whenever it runs.
            replaced: The ids of further tensors that every run finds where they stand.
        """
        places = [p for key, p in self.places.items() if key not in written and (key[0], None) not in written
                  and type(p[2]) is not Node]
        held = [h for key, h in self.held.items() if (key, None) not in written and not any(
            type(v) is Node for v in (dict.values(h[0]) if isinstance(h[0], dict) else h[1]))]
        replaced = self.tensors.keys() - self.named | set(replaced)
        own = {key[0] for key in written}
        parts = [part for key, part in self.named_parts.items() if key not in own]
        return Outside(places, held, list(self.arrays.values()), frozenset(replaced), list(self.readings.values()),
                       parts)


class Outside:
    """What a compiled program read from outside: it is compared before each run.

    Args:
        places: (owner, name, value) of names, attributes and elements.
        held: Containers with what they held.
        arrays: Arrays with copies.
        replaced: Ids of tensors in whose place others of their kind may stand.
        readings: Tensors with copies of their elements, which are constants.
        named_parts: Objects with the names of their attributes.

    Attributes:
        identified: Ids of the containers and arrays in whose place none of equal content may stand; None for all.
    """

    def __init__(self, places: list[tuple[Any, Any, Any]], held: list[tuple[Any, Any]],
                 arrays: list[tuple[np.ndarray, np.ndarray]], replaced: frozenset[int] = frozenset(),
                 readings: Sequence[tuple[Tensor, torch.Tensor]] = (),
                 named_parts: Sequence[tuple[Any, tuple[str, ...]]] = ()):
        self.named_parts = named_parts
        self.places, self.held, self.arrays, self.replaced = places, held, arrays, replaced
        self.readings = readings
        self.identified: Collection[int] | None = None
        spaces = [_namespace(owner, name) if value is MISSING else None for owner, name, value in places]
        read = [place for place, space in zip(places, spaces, strict=True) if space is None]
        self.getters = [_getter(owner, name, value) for owner, name, value in read]
        self.names = [owner if type(owner) is CellType else name for owner, name, _ in read]
        self.values = [value for _, _, value in read]
        absent: dict[int, tuple[Any, set[Any]]] = {}            # names of one namespace are looked for together
        for (owner, name, _), space in zip(places, spaces, strict=True):
            if space is not None:
                absent.setdefault(id(owner), (space.keys().isdisjoint, set()))[1].add(name)
        self.lacking = [lacks for lacks, _ in absent.values()]
        self.absent = [names for _, names in absent.values()]

    def holds(self) -> bool:
        """Whether nothing of it changed."""
        try:
            if not all(map(is_, map(_call, self.getters, self.names), self.values)) and not all(
                    map(self.same, map(_call, self.getters, self.names), self.values)):
                return False
        except (ValueError, LookupError):             # a name without a value, an element that is gone
            return False
        if not all(map(_call, self.lacking, self.absent)):
            return False
        for owner, before in self.held:
            if not self.still_holds(owner, before):
                return False
        if self.named_parts and any([tuple(vars(owner)) != names for owner, names in self.named_parts]):
            return False
        return all([_equal(array, copy) for array, copy in self.arrays]) and (
            not self.readings or all([_alike(tensor._data, copy) for tensor, copy in self.readings]))

    def still_holds(self, owner: Any, before: Any) -> bool:
        """Whether a container has the elements that it had, in their order."""
        if isinstance(owner, dict):
            keys, values = before
            if len(owner) == len(keys) and all(map(is_, dict.values(owner), values)) and list(dict.keys(owner)) == keys:
                return True
            return self.same_parts(list(dict.items(owner)), [*zip(*before, strict=True)])
        if isinstance(owner, set):
            return owner == before
        same = len(owner) == len(before) and all(map(is_, owner, before))
        return same or self.same_parts(owner, before)

    def same_parts(self, now: Any, before: Any) -> bool:
        """Whether two sequences hold the same values."""
        return len(now) == len(before) and all(map(self.same, now, before))

    def same(self, now: Any, before: Any) -> bool:
        """Whether two values are one object, equal constants, or tensors of one kind at a known place."""
        if now is before:
            return True
        if type(now) is not type(before):
            return False
        if isinstance(now, tuple) and not getattr(now, "__dict__", None):
            return self.same_parts(now, before)
        if type(now) is Tensor:
            return id(before) in self.replaced and now.aval == before.aval
        if type(now) is MethodType:                       # made anew whenever it is asked for
            return now == before
        if self.identified is not None and type(now) in ALIKE and id(before) not in self.identified:
            return alike(now, before)
        return same_constant(now, before)

    def broken(self) -> str | None:
        """The first thing that changed, as a text; None if nothing did."""
        for owner, name, value in self.places:
            present = now(owner, name)
            if not self.same(present, value):
                return f"{_label(owner, name)} changed from {_shown(value)} to {_shown(present)}"
        for owner, before in self.held:
            if not self.still_holds(owner, before):
                if isinstance(owner, dict):
                    before = dict(zip(*before, strict=True))
                return f"content of a {type(owner).__name__} changed from {_shown(before)} to {_shown(owner)}"
        for owner, names in self.named_parts:
            if tuple(vars(owner)) != names:
                return f"attributes of {type(owner).__name__} changed from {names} to {tuple(vars(owner))}"
        for array, copy in self.arrays:
            if not _equal(array, copy):
                return f"content of an array of shape {copy.shape} changed"
        for tensor, copy in self.readings:
            if not _alike(tensor._data, copy):
                return f"elements of a tensor {tensor.aval} that are constants of the program changed"
        return None


def alike(now: Any, before: Any, depth: int = 0) -> bool:
    """Whether two values are one object, or containers, arrays or constants of equal content, in the same order."""
    if now is before or type(now) is not type(before) or depth > _DEPTH:
        return now is before
    if isinstance(now, dict):
        now, before = (tuple(now), tuple(now.values())), (tuple(before), tuple(before.values()))
    elif type(now) is partial:
        now, before = (now.func, now.args, now.keywords), (before.func, before.args, before.keywords)
    elif isinstance(now, np.ndarray):
        return _equal(now, before)
    elif not isinstance(now, (tuple, *CONTAINERS)) or getattr(now, "__dict__", None):
        return same_constant(now, before)
    elif getattr(now, "maxlen", None) != getattr(before, "maxlen", None):
        return False
    return len(now) == len(before) and all([alike(a, b, depth + 1) for a, b in zip(now, before, strict=True)])


def _equal(array: np.ndarray, copy: np.ndarray) -> bool:
    """Whether two arrays have the same elements, bit by bit."""
    return array.shape == copy.shape and array.dtype == copy.dtype and array.tobytes() == copy.tobytes()


def _alike(data: torch.Tensor, copy: torch.Tensor) -> bool:
    """Whether two tensors have the same elements, bit by bit."""
    if data.shape != copy.shape or data.dtype != copy.dtype:
        return False
    return not data.numel() or torch.equal(data.reshape(-1).view(torch.uint8), copy.reshape(-1).view(torch.uint8))


def _held(container: Any) -> Any:
    """What a container holds now."""
    if isinstance(container, dict):
        return list(dict.keys(container)), list(dict.values(container))
    return frozenset(container) if isinstance(container, set) else list(container)


def standing(owner: Any, name: Any) -> Any:
    """What stands in a cell, an object or a container under a name; None if nothing does."""
    if isinstance(owner, (list, deque)):
        return owner[name] if -len(owner) <= name < len(owner) else None
    return owner.get(name) if isinstance(owner, dict) else owner.__dict__.get(name)


def _getter(owner: Any, name: Any, value: Any) -> Callable[[Any], Any]:
    """What gives the present value of a name, an attribute or an element."""
    if type(owner) is CellType:
        return _content
    if isinstance(owner, (list, deque)) and name not in _NOT_IN_DICT:
        return owner.__getitem__
    own = _namespace(owner, name)
    if own is None:
        return lambda name: getattr(owner, name, MISSING)
    if value is None or value is MISSING:             # None itself is not what `get` gives for nothing
        return lambda name: own.get(name, MISSING)
    return own.get


def _namespace(owner: Any, name: Any) -> Any:
    """The mapping in which an owner holds a name; None if it is held otherwise."""
    if name in _NOT_IN_DICT or type(owner) is CellType or isinstance(owner, (list, deque)):
        return None
    return owner if isinstance(owner, dict) else getattr(owner, "__dict__", None)


def now(owner: Any, name: Any) -> Any:
    """The present value of a name, an attribute or an element."""
    try:
        return _getter(owner, name, None)(owner if type(owner) is CellType else name)
    except (ValueError, LookupError):
        return MISSING


def _label(owner: Any, name: Any) -> str:
    if type(owner) is CellType or (isinstance(owner, dict) and "__builtins__" in owner):
        return f"name '{name}'"
    if isinstance(owner, (list, dict, deque)):
        return f"element {name!r} of a {type(owner).__name__}"
    if isinstance(owner, type):
        return f"attribute '{name}' of the class {owner.__name__}"
    if isinstance(owner, ModuleType):
        return f"name '{name}' of {owner.__name__}"
    return f"attribute '{name}' of {type(owner).__name__}"


def _shown(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"the parameter '{value.name}'" if isinstance(value, Parameter) else f"another tensor {value.aval}"
    if type(value) in SIMPLE or isinstance(value, (tuple, frozenset, *CONTAINERS)):
        text = repr(value)
    else:
        name = value.__qualname__ if isinstance(value, (FunctionType, type)) else hex(id(value))
        text = f"the {type(value).__name__} '{name}'"
    return text if len(text) < 100 else text[:96] + " ..."
