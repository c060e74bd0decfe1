"""Where the branches of an `if` on a tensor join: what differs is chosen at run time."""
from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MethodType
from typing import Any

from mindspore.compiler.frontend.objects import aliasing, failures
from mindspore.compiler.frontend.objects.journal import Change, redone
from mindspore.compiler.frontend.objects.members import members, of_function
from mindspore.compiler.frontend.objects.places import MISSING, Contents, Name, Value
from mindspore.compiler.frontend.objects.reach import mutables, reachable, roots, visible
from mindspore.core.dtype import bool_
from mindspore.core.errors import GraphTypeError, show
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import (
    COND,
    Aval,
    Graph,
    Node,
    close,
    emit_items,
    param,
    recording,
    tree,
    user_tensor,
)
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.python_numbers import as_number
from mindspore.operators.registry import REGISTRY

from .conditional import MOST, Conditional, MaybeUnbound, Unbound, count, implied
from .leaves import NUMBERS, as_aval, common_aval, differ, is_leaf


@dataclass
class Branch:
    """One branch: its nodes, how it ended, and what it changed."""

    graph: Graph
    outcome: Any = None
    changes: dict[Any, Change] = field(default_factory=dict)
    dead: bool = False                # it ended by raising


class Merge:
    """The common results of two branches: asked value by value, then emitted as one `cond` node."""

    def __init__(self, branches: list[Branch], test: Node):
        self.branches, self.test = branches, test
        self.live = [a for a in branches if not a.dead]
        self.columns: list[tuple[list[Any], Aval]] = []    # per result: its value in each live branch
        self.slots: list[Callable[[Node], None]] = []
        self.finish: list[Callable[[], Any]] = []
        self.made: dict[Any, list[Any]] = {}               # the ids of a column -> its place
        self.kept: dict[int, Any] = {}                     # objects that a branch made and that stay
        self.merged: dict[Any, Callable[[], Any]] = {}     # the ids of values -> what they become
        self._old: set[int] | None = None
        self.ending: Any = None                            # the frame that ends where the branches join
        self.parted: dict[int, Any] = {}                   # objects of it that differ too much to be merged

    def value(self, what: str, values: list[Any], put: Callable[[Any], None]) -> None:
        """Ask for a value that may differ; `put` receives the merged one after `emit`."""
        first = values[0]
        if len(values) == 1:
            return self.alone(0, first, put)
        if all(v is first for v in values):
            return put(first)
        if type(first) in (*NUMBERS, str) and all(
                type(v) is type(first) and v == first for v in values):
            return put(first)
        if differ(values) or self.shared(values):
            alike = type(first) is tuple and all(type(v) is tuple and len(v) == len(first)
                                                 for v in values)
            (self.elements if alike else self.choice)(what, values, put)
            return None
        made = self.joined(values)
        self.finish.append(lambda: put(made()))
        return None

    def alone(self, k: int, value: Any, put: Callable[[Any], None]) -> None:
        """Take the value of one branch, because the other's is not used."""
        made = self.exported(k, value)
        self.finish.append(lambda: put(made()))

    def shared(self, values: list[Any]) -> bool:
        """Whether a container or object that was there before the branches is among different values."""
        return any(id(v) in self.old for v in mutables(values))

    @property
    def old(self) -> set[int]:
        """The ids of what the program could reach before the branches."""
        if self._old is None:
            self._old = reachable(roots(runtime.trace))
        return self._old

    def joined(self, values: Sequence[Any]) -> Callable[[], Any]:
        """What values of one structure become; two names of one object stay so."""
        first = values[0]
        if is_leaf(first):
            place = self.leaf(list(values))
            return lambda: place[0]
        inner = tree.children(first)
        if inner is None or (all(v is first for v in values[1:]) and len(values) > 1):
            return lambda: first
        key = tuple(map(id, values))
        if key not in self.merged:
            parts = [self.joined(column) for column in zip(*map(tree.children, values), strict=True)]
            self.merged[key] = _once(lambda: tree.with_children(first, [p() for p in parts]))
        return self.merged[key]

    def elements(self, what: str, values: list[Any], put: Callable[[Any], None]) -> None:
        """Merge tuples element by element: a choice stays as deep as it can."""
        made = [None] * len(values[0])
        for i, column in enumerate(zip(*values, strict=True)):
            self.value(what, list(column), partial(made.__setitem__, i))
        self.finish.append(lambda: put(tuple(made)))

    def contents(self, what: str, values: list[Any], put: Callable[[Any], None]) -> None:
        """Merge the contents of a list or dict member by member, because objects that were there before are in it."""
        keys = list(values[0]) if type(values[0]) is dict else None
        members = [tuple(v.values()) if keys is not None else tuple(v) for v in values]
        self.elements(what, members, lambda made: put(
            list(made) if keys is None else dict(zip(keys, made, strict=True))))

    def leaf(self, column: list[Any]) -> list[Any]:
        """A place that holds the merged value of a leaf after `emit`."""
        if len(column) == 2 and self.test.aval.strong == _CONDITION:
            holds, fails = column           # in its own branches the condition is a constant
            if holds is self.test and type(fails) is bool:
                column = [True, fails]
            elif fails is self.test and type(holds) is bool:
                column = [holds, False]
        first = column[0]
        if (len(column) == 1 and type(first) is not Node) or (len(column) > 1 and all(
                v is first or (type(v) is type(first) and type(v) in NUMBERS and v == first)
                for v in column)):
            return [first]
        if type(first) is bool and len(column) == 2 and type(column[1]) is bool and (
                self.test.aval.strong == _CONDITION):
            return [as_number(structure.identity(self.test) if first else _negated(self.test))]
        return self.slot(column)

    def slot(self, column: list[Any]) -> list[Any]:
        key = tuple(map(id, column))
        if key in self.made:                     # two names of one tensor
            return self.made[key]
        place = self.made[key] = [None]
        live = [v for v in column if v is not _ABSENT]
        self.columns.append((column, common_aval(live)))
        implications = None
        if len(column) == 2 and all([type(v) is bool or (
                type(v) is Node and v.aval.strong == _CONDITION) for v in column]):
            implications = {holds: [implied(v, holds) for v in column] for holds in (True, False)}

        def put(node: Node) -> None:
            place[0] = node
            if implications is not None:
                user_tensor.noted(node).choice = self.test, implications
            aliasing.note_merged(node, column)
        self.slots.append(put)
        if len(live) == len(self.branches) and any([isinstance(v, Parameter) for v in live]):
            self.among_parameters(place, live)
        return place

    def among_parameters(self, place: list[Any], values: list[Any]) -> None:
        """Remember which parameter the merged value is, if it is one in every branch."""
        found = [v if isinstance(v, Parameter) else user_tensor.known(v).parameter if type(v) is Node else None
                 for v in values]
        if any([v is None for v in found]):
            return
        parts = [self.exported(k, v) for k, v in enumerate(found)]

        def note() -> None:
            user_tensor.noted(place[0]).parameter = Conditional(self.test, *[p() for p in parts])
        self.finish.append(note)

    def own(self, k: int, value: Any) -> Any:
        """What branch k returns; objects that differ too much between the branches become its own."""
        if not self.parted or isinstance(value, (Node, Tensor)):
            return value
        if type(value) is tuple:
            return tuple([self.own(k, v) for v in value])
        if type(value) is Conditional:
            return Conditional(value.test, self.own(k, value.then), self.own(k, value.orelse))
        if callable(value) or hasattr(value, "frame"):
            raise _apart("What a function or object holds has one structure in one branch of an 'if' on a tensor and "
                         "another one in the other; both must have the same structure.")
        changed = [p for p in self.live[k].changes.values() if p.place.owner is value]
        if not changed and not members(value):
            return value
        made = copy.copy(value)
        for change in changed:
            moved = copy.copy(change.place)
            moved.owner = made
            moved.put(change.after)
        for held, put in members(made):
            put(made, self.own(k, held))
        return made

    def choice(self, what: str, values: list[Any], put: Callable[[Any], None]) -> None:
        """Keep both values: what depends on them is computed in branches."""
        if sum(map(count, values)) > MOST:
            raise GraphTypeError(
                f"After many 'if' on tensors, {what} may be more than {MOST} different functions, objects or "
                "texts, and the program would be compiled for each; make one before the 'if', and let these "
                "choose the tensors in it.")
        runtime.trace.chosen = True
        parts = [self.exported(k, v) for k, v in enumerate(values)]
        self.finish.append(lambda: put(Conditional(self.test, *[p() for p in parts])))

    def exported(self, k: int, value: Any) -> Callable[[], Any]:
        """A value of branch k after the branches: nodes become results, what the branch made holds those."""
        if value is self.test:                   # it is there outside of the branches
            return lambda: value
        if type(value) is Node:
            column = [_ABSENT] * len(self.live)
            column[k] = value
            place = self.slot(column)
            return lambda: place[0]
        if isinstance(value, tuple) or hasattr(type(value), "_held"):
            parts = [self.exported(k, v) for v in tree.children(value) or ()]
            return lambda: tree.with_children(value, [p() for p in parts])
        if type(value) is functools.partial:
            parts = [self.exported(k, v) for v in (value.func, value.args, value.keywords)]
            return lambda: functools.partial(parts[0](), *parts[1](), **parts[2]())
        if type(value) is MethodType and isinstance(value.__self__, Node):
            part = self.exported(k, value.__self__)
            return lambda: MethodType(value.__func__, part())
        if id(value) not in self.old and id(value) not in self.kept:
            self.kept[id(value)] = value
            parts = [(put, self.exported(k, held)) for held, put in members(value) or of_function(value)]
            self.finish.append(lambda: [put(value, part()) for put, part in parts])
        return lambda: value

    def emit(self) -> None:
        """Emit the `cond` node, and put its results where they belong."""
        for column, aval in self.columns:
            values = iter(column)
            for branch in self.branches:
                value = _ABSENT if branch.dead else next(values)
                with recording(branch.graph.nodes), redone(branch.changes.values()):
                    branch.graph.outs.append(as_aval(0 if value is _ABSENT else value, aval))
        if len(self.branches) == 1:                  # the other branch waits for a recursive call
            outs = tuple([param(aval) for _, aval in self.columns])
            for out in outs:
                out.block = id(runtime.blocks[-1])
        else:
            then, orelse = [a.graph for a in self.branches]
            outs = ()
            if self.columns or then.nodes or orelse.nodes:
                outs = emit_items(COND, [self.test, *close(then, orelse)],
                                  {"then": then, "orelse": orelse}, [a for _, a in self.columns])
        for put, node in zip(self.slots, outs, strict=True):
            put(node)
        for finish in self.finish:
            finish()

    def effects(self, frame: Any = None, names: bool = True, gone: Sequence[int] = ()) -> None:
        """Merge what the branches changed: names, parameters, objects, elements of tensors.

        The names of `frame` count if `names` says so, and not those in branches that are `gone`.
        """
        every = range(len(self.live))
        staying = [k for k in every if k not in gone]
        for key, place in {k: c.place for a in self.live for k, c in a.changes.items()}.items():
            own = type(place) is Name and place.owner is frame
            of = staying if own else every
            if not of or aliasing.inner(place) or (own and not names):
                continue
            values = [self.live[k].changes[key].after if key in self.live[k].changes else place.get() for k in of]
            if type(place) is Name:
                self.name(place, of, values)
            else:
                self.object(place, values)

    def name(self, place: Name, of: Sequence[int], values: list[Any]) -> None:
        """Merge what some of the branches bound to a name."""
        put = partial(runtime.trace.heap.bind, place.owner, place.name)
        now = place.get()
        if all(v is now for v in values):
            return
        known = next((v for v in values if type(v) is MaybeUnbound), None)
        if all(v is MISSING for v in values) or (
                known is not None and all(v is known or v is known.value for v in values)):
            put(values[0] if known is None else known)
            return
        values = [Unbound(f"'{place.name}' is bound in only one branch of an 'if' on a tensor; bind it before the "
                          "'if' or in both branches.") if v is MISSING else v for v in values]
        if len(of) == 1:
            self.alone(of[0], values[0], put)
        else:
            self.value(f"'{place.name}'", values, put)

    def object(self, place: Any, values: list[Any]) -> None:
        """Merge what the branches made of one place of an object, or of a tensor or parameter."""
        trace = runtime.trace
        if aliasing.UNKNOWN in [v for v in values if type(v) is aliasing.Unknown]:
            trace.heap.write(place, aliasing.UNKNOWN)
            return
        if isinstance(place, Contents) and differ(values):
            if not visible(trace, place.owner, self.ending):
                self.parted[id(place.owner)] = place.owner
                return
            raise _apart(
                f"The contents of {place} are {show(values[0])} in one branch of an 'if' on a tensor "
                f"and {show(values[-1])} in the other; both must have the same structure.")
        if MISSING in [v if v is MISSING else None for v in values]:
            if not visible(trace, place.owner, self.ending):
                self.parted[id(place.owner)] = place.owner
                return
            raise _apart(f"{place} is bound in only one branch of an 'if' on a tensor; bind it before "
                         "the 'if' or in both branches.")
        put = partial(trace.heap.put if type(place) is Value else trace.heap.write, place)
        if len(set(map(id, values))) > 1 and any(isinstance(v, Parameter) for v in values):
            self.choice(str(place), values, put)         # the object itself, not what it holds now
        elif isinstance(place, Contents) and type(values[0]) in (list, dict) and self.shared(values):
            self.contents(str(place), values, put)
        else:
            self.value(str(place), values, put)


def _apart(message: str) -> GraphTypeError:
    """The error for what two branches left so different that they cannot join here."""
    error = GraphTypeError(message)
    failures.of(error).by_meeting = True
    return error


_ABSENT = object()
_CONDITION = Aval((), bool_)


def _negated(test: Node) -> Node:
    return REGISTRY["LogicalNot"](test)


def _once(make: Callable[[], Any]) -> Callable[[], Any]:
    """A function that computes its value at the first call."""
    return functools.lru_cache(maxsize=None)(make)

