"""What cells held when a program was compiled: compared when something of them was set since."""
from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator
from types import MethodType
from typing import Any

from mindspore.compiler.frontend.calls.native import is_native_module
from mindspore.compiler.frontend.objects.places import Attribute, Contents
from mindspore.compiler.frontend.objects.watch import ALIKE, alike
from mindspore.core.constants import SIMPLE, constant_key, same_constant
from mindspore.core.kinds import type_of
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor

Same = Callable[[Any, Any], bool]
_OF_NO_ACCOUNT = frozenset(["_compiled", "_stamp", "training", "requires_grad", "phase"])   # compared elsewhere, or not

_CELL = "mindspore.nn.cell"
_MEMBERS = frozenset(["_params", "_cells", "_buffers", "_flags", "_notes"])        # dicts that the library keeps


class CellState:
    """A cell as a program met it.

    Each change of a cell moves its stamp.  Where that moved, the attributes are compared, so that a program holds again
    once they are what they were: constants by value, other objects by identity.

    Args:
        cell: The cell.
        written: Names of the attributes that the program itself sets, which it compares by their structure.
        changed: Ids of the containers that the program itself changes, of which the same holds.
        asked: The names that the program asked for, with None for any; None if that is not known.
    """

    __slots__ = ("asked", "held", "ref", "stamp", "training", "written")

    def __init__(self, cell: Any, written: Collection[str] = (), changed: Collection[int] = (),
                 asked: Collection[str | None] | None = None):
        self.ref, self.stamp, self.training, self.written = weakref.ref(cell), cell._stamp, cell.training, written
        self.asked = None if asked is None or None in asked or not _is_of_program(cell) else asked
        self.held = {name: _kept(value, changed) for name, value in self.attributes(cell)}

    def attributes(self, cell: Any) -> Iterator[tuple[str, Any]]:
        """The attributes that count, with the members of what the library keeps for a cell."""
        for name, value in vars(cell).copy().items():              # which another thread may set meanwhile
            if name in _OF_NO_ACCOUNT or name in self.written:
                continue
            if name == "_hooks":
                for kind, hooks in value.of.items() if value else ():
                    yield f"hooks: {kind}", tuple(hooks.values())
            elif name in _MEMBERS and value is not None:
                yield from [(f"{name[1:]}[{key!r}]", inner) for key, inner in value.items()]
                yield f"order of {name[1:]}", tuple(value)
            else:
                yield name, value

    def holds(self, same: Same) -> bool:
        """Whether the cell is as it was; `same` compares what is no constant."""
        cell = self.ref()
        if cell is None or cell.training != self.training:
            return False
        if cell._stamp != self.stamp:
            if self.differing(cell, same) is not None:
                return False
            self.stamp = cell._stamp
        return True

    def differing(self, cell: Any, same: Same) -> str | None:
        """The first attribute that is not what it was; None if all are."""
        now, held = dict(self.attributes(cell)), self.held
        found = now.keys() ^ held.keys()
        found |= {n for n in now.keys() & held.keys() if not _is_same(now[n], held[n], same)}
        found = [name for name in found if not self.is_free(name, now, held)]
        return min(found, key=lambda name: (name[0] == "_", not name.isidentifier(), name in held, name), default=None)

    def is_free(self, name: str, now: dict[str, Any], held: dict[str, Any]) -> bool:
        """Whether an attribute may change: a constant that neither the program has asked for nor the library knows."""
        return (self.asked is not None and name.isidentifier() and name[0] != "_" and name not in self.asked
                and not hasattr(type(self.ref()), name)
                and constant_key(now.get(name)) is not None and constant_key(held.get(name)) is not None)

    def broken(self, same: Same) -> str | None:
        """What changed, as a text; None if nothing did."""
        cell = self.ref()
        if cell is None:
            return "a cell that it used is gone"
        owner = type(cell).__name__
        if cell.training != self.training:
            return f"attribute 'training' of {owner} changed from {self.training} to {cell.training}"
        name = self.differing(cell, same)
        if name is None:
            return None
        now = dict(self.attributes(cell))
        if name not in now:
            return f"attribute '{name}' of {owner} is gone"
        if name not in self.held:
            return f"attribute '{name}' of {owner} is new"
        return f"attribute '{name}' of {owner} changed from {_shown(self.held[name])} to {_shown(now[name])}"


def states(cells: Iterable[Any], contents: Iterable[tuple[Any, Any]],
           asked: dict[int, set[str | None]] | None = None) -> list[CellState]:
    """The states of cells, without the attributes that a program sets: those among its `contents`.

    Args:
        cells: The cells.
        contents: What the program changes, as `Walked` has it.
        asked: The names that it asked for, by the id of the cell; None if that is not known.
    """
    written: dict[int, set[str]] = {}
    for place, _ in contents:
        if type(place) is Attribute:
            written.setdefault(id(place.owner), set()).add(place.name)
    changed = {id(place.owner) for place, _ in contents if type(place) is Contents}
    return [CellState(cell, written.get(id(cell), ()), changed, None if asked is None else asked.get(id(cell), ()))
            for cell in cells]


def _is_of_program(cell: Any) -> bool:
    """Whether a cell's own class, and all that it derives from below `Cell`, are the program's, which are walked."""
    return next(kind.__module__ for kind in type(cell).__mro__ if is_native_module(kind.__module__)) == _CELL


class _Kept:
    """A value that is no constant: the object that it was, which need not live for that; what a container held."""

    __slots__ = ("content", "get", "kind")

    def __init__(self, value: Any, changed: Collection[int]):
        self.get: Callable[[], Any]
        self.kind, self.content = type_of(value), None
        if self.kind in ALIKE:
            self.get = lambda: value
            self.content = copy.copy(value) if id(value) not in changed else None
            return
        try:
            self.get = weakref.WeakMethod(value) if type(value) is MethodType else weakref.ref(value)
        except TypeError:               # a slice, say
            self.get = lambda: value


def _kept(value: Any, changed: Collection[int]) -> Any:
    """What later values are compared with."""
    if type(value) is tuple:
        return tuple([_kept(part, changed) for part in value])
    if constant_key(value) is not None:
        return value
    return Tensor if _is_tensor(value) else _Kept(value, changed)


def _is_tensor(value: Any) -> bool:
    """Whether a value is a tensor in whose place another may stand: programs compare those that they read."""
    return isinstance(value, Tensor) and not isinstance(value, Parameter)


def _is_same(now: Any, kept: Any, same: Same) -> bool:
    if kept is Tensor:
        return _is_tensor(now)
    if type(kept) is _Kept:
        before = kept.get()
        return (now is before or same(now, before)) and (kept.content is None or alike(now, kept.content))
    if type(now) is not type(kept):
        return False
    if type(now) is tuple:
        return len(now) == len(kept) and all([_is_same(a, b, same) for a, b in zip(now, kept, strict=True)])
    return now is kept or same_constant(now, kept)


def _shown(value: Any) -> str:
    """A value, or one that was kept, as a text."""
    if type(value) is _Kept:
        return f"another {value.kind.__name__}"
    if value is Tensor:
        return "a tensor"
    if isinstance(value, Tensor):
        return str(value.aval)
    if type(value) in SIMPLE:
        return repr(value)
    return f"another {type_of(value).__name__}"
