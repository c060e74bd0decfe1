"""What a frame still has to do: tasks, linked as `(task, rest)`, and how a run of them can end."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from mindspore.compiler.frontend.calls.functions import is_reached
from mindspore.compiler.frontend.objects import names
from mindspore.compiler.frontend.objects.places import MISSING
from mindspore.compiler.frontend.objects.reach import visible
from mindspore.compiler.passes.simplify import has_effects
from mindspore.core.errors import GraphSyntaxError
from mindspore.ir.runtime import runtime


class Outcome(NamedTuple):
    """How a run ended.

    Kinds: 'fall' (at the end of what it was given), 'next' (at the end of a pass of a loop), 'through'
    (at the end of a block), 'break', 'return', 'yield', and 'mixed': which of them is known at run time
    only.
    """

    kind: str
    value: Any = None


FALL = Outcome("fall")


class Steps(NamedTuple):
    """The statements from `at` on."""

    body: list[ast.stmt]
    at: int = 0


class Stream:
    """The items of an iterator, kept, so that several branches can iterate over them from one place on.

    An iterator that only the loop has is closed where the loop is left.
    """

    def __init__(self, items: Iterator[Any], owned: bool = False):
        self.items, self.owned, self.seen = items, owned, []
        self.computed = False                  # whether items were computed in the graph
        self.block = runtime.blocks[-1]

    def at(self, place: int) -> Any:
        """The item at a place; MISSING behind the last."""
        while len(self.seen) <= place:
            if runtime.blocks[-1] is not self.block and hasattr(self.items, "owner"):
                raise GraphSyntaxError(_DEPENDS)
            mark = len(runtime.blocks[-1])
            item = next(self.items, MISSING)
            self.computed |= len(runtime.blocks[-1]) > mark
            if self.computed and runtime.blocks[-1] is not self.block:
                raise GraphSyntaxError(_DEPENDS)       # the other branches would get what is computed in this one
            if item is MISSING:
                return MISSING
            self.seen.append(item)
        return self.seen[place]

    def check(self) -> None:
        """GraphSyntaxError for items of an iterator that a part of the program computed which was undone."""
        if getattr(self.items, "lost", False) or self.computed:
            raise GraphSyntaxError(_DEPENDS)

    def end(self) -> None:
        """The loop is left: a generator runs its `finally` clauses."""
        close = getattr(self.items, "close", None)
        if self.owned and close is not None:
            close()

    def rest(self, place: int) -> list[Any]:
        """The items from a place on, all computed here, though at run time the loop may be left before.

        Raises:
            GraphSyntaxError: If the program could see that they were computed.
        """
        trace = runtime.trace
        if hasattr(self.items, "block") or hasattr(self.items, "owner"):
            mark = len(runtime.blocks[-1])
            with trace.heap.watched() as changes:
                found = self.all_from(place)
            nodes = runtime.blocks[-1][mark:]
            if any(n.op.effect is not None or has_effects(n) for n in nodes) or visible(
                    trace, self.items) or any(is_reached(c.place) for c in changes.values()):
                raise GraphSyntaxError(_DEPENDS)
            return found
        return self.all_from(place)

    def all_from(self, place: int) -> list[Any]:
        """The items from a place on."""
        while self.at(len(self.seen)) is not MISSING:
            if len(self.seen) > LONGEST:
                raise GraphSyntaxError(f"A loop over an iterator of more than {LONGEST} items is left by an "
                                       "'if' on a tensor, so it would be compiled for each of them: use 'while' on "
                                       "a tensor.")
        return self.seen[place:]


LONGEST = 10_000
_DEPENDS = ("A loop over an iterator is left, or continues, by an 'if' on a tensor, so how far the iterator got "
            "depends on the tensor. Loop over a list of its items.")


class Items(NamedTuple):
    """A loop over known items, from a place on."""

    node: ast.For
    items: Stream
    at: int = 0

    @property
    def held(self) -> Any:
        """What it keeps of the program."""
        return [self.items.items, *self.items.seen]


class Again(NamedTuple):
    """A loop on a known condition."""

    node: ast.While


class More(NamedTuple):
    """A loop on a tensor of which the first pass is done."""

    loop: Any
    node: Any


class Cases(NamedTuple):
    """The cases of a `match` from `at` on."""

    node: ast.Match
    subject: Any
    at: int


class Pass(NamedTuple):
    """The end of one pass of a loop on a tensor: leaving it is an outcome of the run."""


class Fence(NamedTuple):
    """The end of a block that is run by itself, as the branch of a condition."""


class Guard(NamedTuple):
    """The end of a block of `try`: its body (then exceptions are caught), or a handler or `else`."""

    node: ast.Try
    catching: bool


class Handling(NamedTuple):
    """The end of an `except` clause: the name that it bound, and what was handled around it."""

    name: str | None
    before: tuple[Exception, ...]


class Exiting(NamedTuple):
    """The end of a `with` block, by the `__exit__` of its manager."""

    exit: Any

    @property
    def held(self) -> Any:
        """What it keeps of the program."""
        return [self.exit]


class Resume(NamedTuple):
    """After a `finally` clause: leave the function, or the loop, as it was about to."""

    outcome: Outcome


class Raising(NamedTuple):
    """After a `finally` clause: continue raising."""

    error: Exception


LOOPS = (Items, Again, More)
HANDLED = "<handled>"          # in the names of a frame: what `except` clauses around are handling


def ends(task: Any) -> bool:
    """Whether what follows a task is never reached."""
    return type(task) is Steps and names.any_ends(task.body[task.at:])


def ended(f: Any, outcome: Outcome, rest: Any) -> Any:
    """Leave the function with an outcome: it, or first the `finally` clauses and managers in between."""
    while rest is not None:
        task, rest = rest
        closing = _closing(f, task)
        if closing:
            return closing, (Resume(outcome), rest)
    return outcome


def leave(f: Any, rest: Any, stay: bool) -> Any:
    """What `break` (or `continue`, with `stay`) leaves to do."""
    while rest is not None:
        task, after = rest
        if type(task) in (Pass, Fence):
            return Outcome("next" if stay else "break")
        if type(task) in LOOPS:
            if type(task) is Items and not stay:
                task.items.end()
            return rest if stay else after
        closing = _closing(f, task)
        if closing:
            return closing, (Resume(Outcome("next" if stay else "break")), after)
        rest = after
    raise GraphSyntaxError("'break' or 'continue' outside of a loop.")


def resumed(f: Any, outcome: Outcome, rest: Any) -> Any:
    """Continue leaving after a `finally` clause."""
    if outcome.kind == "return":
        return ended(f, outcome, rest)
    return leave(f, rest, stay=outcome.kind == "next")


def _closing(f: Any, task: Any) -> Any:
    """What must be done where a block is left."""
    if type(task) is Handling:
        handled(f, task)
    if type(task) is Items:
        task.items.end()
    if type(task) is Guard and task.node.finalbody:
        return Steps(task.node.finalbody)
    return task if type(task) is Exiting else None


def handled(f: Any, task: Handling) -> None:
    """End an `except` clause."""
    f.put(HANDLED, task.before)
    if task.name:
        f.put(task.name, MISSING)
