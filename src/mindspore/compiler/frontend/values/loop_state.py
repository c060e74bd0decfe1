"""What a loop on a tensor carries from pass to pass: names, parameters, places of objects."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mindspore.compiler.frontend.objects import aliasing, failures
from mindspore.compiler.frontend.objects.journal import names_of, same
from mindspore.compiler.frontend.objects.names import loaded_outside
from mindspore.compiler.frontend.objects.places import MISSING, Elements, Name, Value
from mindspore.compiler.frontend.objects.reach import mutables, reachable, roots, visible
from mindspore.compiler.frontend.objects.state import as_node
from mindspore.core.dtype import bool_
from mindspore.core.errors import GraphTypeError, show
from mindspore.eager.tensor import Tensor
from mindspore.ir import Aval, Node, tree
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.python_numbers import converted, higher, number_kind

from .conditional import MaybeUnbound, Unbound
from .leaves import as_aval, fits, is_leaf
from .sharing import Sharing, Slot


class Carried:
    """One thing that changes in a pass: where it is, and what it is before the loop.

    Attributes:
        named: Whether its leaves are tensors by themselves, not what a tensor or parameter holds.
    """

    def __init__(self, place: Any, value: Any):
        self.place, self.value = place, value
        self.key = place.key
        self.named = not isinstance(place, (Value, Elements))

    def leaves(self) -> list[Any]:
        return tree.leaves(self.value, is_leaf)


class PassResult(NamedTuple):
    """What a pass left: the values of what is carried, their leaves, and all that it changed."""

    kept: list[Any]
    ends: dict[Any, Any]
    changes: dict[Any, Any]


class LoopState:
    """All that one loop carries.

    Attributes:
        stale: Names that a pass changes and that cannot be carried.
        unknown: Tensors that a pass may or may not change.
        shrunk: Whether after the last pass something is not carried any more.
        inner: Names that only loops within a pass bind; a pass may find what the one before bound.
        slots: The parameters of the body, once a pass has begun.
        changing: What the last pass found to be carried, or to have another type.
    """

    def __init__(self, f: Any):
        self.f, self.trace = f, runtime.trace
        self.things: list[Carried] = []
        self.stale: dict[str, Any] = {}
        self.unknown: dict[Any, Any] = {}
        self.shrunk = False
        self.inner: dict[str, bool] = {}         # whether the name is carried
        self.sharing = Sharing()
        self.slots: list[Slot] = []
        self.changing: list[str] = []

    def begin(self, bound: set[str]) -> None:
        """Carry the names that a pass binds, as far as they hold tensors and numbers before the loop."""
        self.things = []
        for name, value in self.f.local.items():
            if name not in bound or type(value) is MaybeUnbound or not _carriable(value):
                continue
            if mutables([value]) and self.has_another_name(name, value):
                self.stale[name] = Unbound(
                    f"A loop on a tensor binds '{name}', and what it was bound to before ({show(value)}) has another "
                    "name, too, so which of them a pass changes depends on the tensor.", _differs)
            else:
                self.things.append(Carried(Name(self.f, name), value))

    def has_another_name(self, name: str, value: Any) -> bool:
        """Whether a container, or one in it, can be reached without this name."""
        local, self.f.local = self.f.local, {k: v for k, v in self.f.local.items() if k != name}
        try:
            return bool(reachable(roots(self.trace)) & set(map(id, mutables([value]))))
        finally:
            self.f.local = local

    def enter(self, params: list[Node]) -> None:
        """Bind what is carried to new parameters."""
        self.slots = self.sharing.slots(self.things)
        made = self.sharing.enter(self.slots, runtime.blocks[-1])
        params += [slot.param for slot in self.slots]
        self.write(made)
        for name, value in self.stale.items():
            self.f.put(name, value)

    def now(self, c: Carried) -> Any:
        """What a pass left of something that is carried."""
        value = c.place.get()
        if type(c.value) is MaybeUnbound and type(value) is not MaybeUnbound:
            return MaybeUnbound(c.value.why, structure.full(shape=(), value=True, dtype=bool_), value)
        return value

    def ends(self, kept: list[Any]) -> dict[Any, Any]:
        """The leaves of what a pass left of what is carried, by thing and place in it."""
        return {(c.key, i): v for c, now in zip(self.things, kept, strict=True)
                for i, v in enumerate(tree.leaves(now, is_leaf))}

    def leave(self, slots: list[Slot], outs: Sequence[Node], left: PassResult, late: dict[str, Any]) -> None:
        """Bind what is carried, and what the passes bound, to the results of the loop."""
        self.write(self.sharing.leave(slots, outs, left.ends))
        known = self.names()
        for name in names_of(self.f, left.changes):
            if name not in known:                     # what the loop binds and does not carry has no value after it
                self.f.put(name, Unbound(unbound(name)))
        for name, value in late.items():
            self.f.put(name, value)

    def late(self, s: Any, left: PassResult) -> dict[str, Any]:
        """What a pass of a loop leaves under names that have no value before it and are asked for outside of it."""
        known, before = self.names(), self.f.local
        asked = loaded_outside(self.f.fn.node, s)
        return {name: value for name, value in names_of(self.f, left.changes).items()
                if name in asked and name not in known and _carriable(value) and not mutables([value])
                and (name not in before or self.begun(name, value)[:1] not in ([], [None]))}

    def begun(self, name: str, value: Any) -> list[Any]:
        """What the leaves of a value are that an earlier loop left under a name; else None for each."""
        before, leaves = self.f.local.get(name), tree.leaves(value, is_leaf)
        if type(before) is MaybeUnbound and tree.signature(before.value, is_leaf) == tree.signature(value, is_leaf):
            held = tree.leaves(before.value, is_leaf)
            if [_aval(v) for v in held] == [_aval(v) for v in leaves]:
                return [as_node(v) for v in held]
        return [None] * len(leaves)

    def names(self) -> set[str]:
        """The names that are carried."""
        return {c.place.name for c in self.things if isinstance(c.place, Name) and c.place.owner is self.f}

    def write(self, made: dict[Any, Node]) -> None:
        """Put these tensors where what is carried has its places."""
        for c in self.things:
            new = [made[c.key, i] for i in range(len(c.leaves()))]
            value = tree.rebuild(c.value, is_leaf, iter(new))
            (self.trace.heap.put if isinstance(c.place, (Name, Value)) else self.trace.heap.write)(c.place, value)
        for place in self.unknown.values():
            self.trace.heap.write(place, aliasing.UNKNOWN)

    def grow(self, left: PassResult) -> bool:
        """Carry more, or other types, after what one pass changed; whether there was anything."""
        known, grown, more = {c.key for c in self.things}, [], False
        for key, change in left.changes.items():
            place = change.place
            if key in known or aliasing.inner(place):
                continue
            if type(place) is Name and place.owner is self.f:
                more = self.grow_name(place, change, grown) or more
            elif change.after is aliasing.UNKNOWN:
                more = more or key not in self.unknown
                self.unknown[key] = place
            elif change.after is not change.before if type(place) is Value else self.matters(change):
                grown.append(Carried(place, change.before))
        grown += self.bound_within(names_of(self.f, left.changes))
        changed = [self.kept(c, now) for c, now in zip(self.things, left.kept, strict=True)]
        self.shrunk = any([c is None for c in changed])
        if not (more or grown or any(a is not b for a, b in zip(changed, self.things, strict=True))):
            return False
        self.changing = [str(c.place) for c in grown] + [str(c.place) for c, new in zip(
            self.things, changed, strict=True) if new is not c]
        self.things = [c for c in changed if c is not None] + grown
        return True

    def grow_name(self, place: Name, change: Any, grown: list[Carried]) -> bool:
        """Carry a name that an inner function bound in a pass; whether it cannot be, which is new."""
        name, before, value = place.name, change.before, change.after
        if before is MISSING or value is MISSING or value is before:
            return False
        if type(value) is MaybeUnbound and self.inner.get(name, True) and _carriable(value):
            return False                              # see `bound_within`
        if type(before) is not MaybeUnbound and _carriable(before):
            grown.append(Carried(place, before))
        elif name not in self.stale and not _equal(value, before):
            self.stale[name] = Unbound(
                f"A pass of a loop on a tensor uses what the pass before bound to '{name}' ({show(value)}); only "
                f"tensors and numbers can differ between its passes. Keep a tensor in '{name}', and what is computed "
                "from it in another name.", _differs)
            return True
        return False

    def bound_within(self, local: dict[str, Any]) -> list[Carried]:
        """The names that a loop within the pass has bound, if it ran: the next pass may find them so."""
        found, before = [], self.f.local
        for name, value in local.items():
            if type(value) is not MaybeUnbound or name in self.inner:
                continue
            if not _carriable(value) or mutables([value]):
                continue
            if name not in before:
                self.f.put(name, MaybeUnbound(value.why, structure.full(shape=(), value=False, dtype=bool_),
                                              tree.mapped(value.value, is_leaf, _nothing)))
            if type(before[name]) is MaybeUnbound:
                self.inner[name] = True
                found.append(Carried(Name(self.f, name), before[name]))
        return found

    def kept(self, c: Carried, now: Any) -> Carried | None:
        """What is carried in the type that a pass gives it; None if it need not be and cannot."""
        try:
            return self.widened(c, now)
        except GraphTypeError:
            if type(c.value) is not MaybeUnbound:
                raise
            self.inner[c.place.name] = False
            return None

    def matters(self, change: Any) -> bool:
        """Whether a pass changed an object that the program can reach outside of the pass."""
        if same(change.before, change.after) or not visible(self.trace, change.place.owner):
            return False
        if not _carriable(change.before):
            raise _differs(f"{variable(change.place)} changes from {show(change.before)} to {show(change.after)} in a "
                           "pass; only tensors and numbers can differ between passes. Keep a tensor there, or change "
                           "it outside of the loop.")
        return True

    def widened(self, c: Carried, now: Any) -> Carried:
        """A carried number that a pass turned into another type starts as that type."""
        if tree.signature(c.value, _leaf_or_id) != tree.signature(now, _leaf_or_id):
            raise _differs(f"{variable(c.place)} changes from {show(c.value)} to {show(now)} in a pass; "
                           "it must have the same structure in every pass.")
        old, new = c.leaves(), tree.leaves(now, is_leaf)
        replaced = [self.started(c, a, b) for a, b in zip(old, new, strict=True)]
        if all(a is b for a, b in zip(replaced, old, strict=True)):
            return c
        return Carried(c.place, tree.rebuild(c.value, is_leaf, iter(replaced)))

    def started(self, c: Carried, old: Any, now: Any) -> Any:
        """The value before the loop in the type that a pass gives it."""
        a, b = _aval(old), _aval(now)
        was, kind = number_kind(old), number_kind(now)
        if was and kind:
            return converted(old, higher([was, kind]))
        if was and fits(was, Aval((), b.dtype)):               # now it is a tensor
            return structure.broadcast_to(as_aval(old, Aval((), b.dtype)), shape=b.shape)
        if a == b or (kind and fits(kind, a)):
            return old
        if was or isinstance(old, Tensor) or (type(old) is Node and old.op is not structure.full):
            raise _differs(f"{variable(c.place)} changes from {a} to {b} in a pass; it must "
                           "keep its dtype and shape.")
        return structure.full(shape=b.shape, value=old.attrs["value"], dtype=b.dtype)


def variable(place: Any) -> str:
    """What a message calls a thing that a loop carries."""
    return f"In a loop on a tensor, {'loop variable ' * isinstance(place, Name)}{place}"


def unbound(name: str) -> str:
    """What an error says of a name that a loop may have left without a value."""
    return (f"'{name}' is bound by a loop on a tensor, which may run no pass: give it a tensor "
            "or a number of the same shape and dtype before the loop.")


def _differs(message: str) -> GraphTypeError:
    """The error for a pass that leaves something else than it found: the first pass may be the only one."""
    error = GraphTypeError(message)
    failures.of(error).by_first_pass = True
    return error


def _nothing(value: Any) -> Any:
    """The placeholder of a value that there is not yet."""
    kind = number_kind(value)
    return kind(0) if kind else structure.full(shape=value.shape, value=0, dtype=value.dtype)


def _aval(value: Any) -> Any:
    if type(value) is Node:
        return value.aval
    return as_node(value).aval


def _leaf_or_id(value: Any) -> Any:
    return is_leaf(value) or id(value)


def _equal(a: Any, b: Any) -> bool:
    """Whether two values that cannot be carried are the same for every program."""
    return a is b or (type(a) is type(b) and type(a) in (str, bytes, type(None)) and a == b)


def _carriable(value: Any) -> bool:
    """Whether a value can be carried: a tensor, a number, or a container of only those."""
    if is_leaf(value):
        return True
    inner = tree.children(value)
    return bool(inner) and all(_carriable(v) for v in inner)
