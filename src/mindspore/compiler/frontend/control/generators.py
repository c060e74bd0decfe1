"""Generators: frames that stop at `yield` and continue when they are asked for the next value."""
from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from mindspore.compiler.frontend.calls.protocols import iterated
from mindspore.compiler.frontend.objects import names
from mindspore.compiler.frontend.objects.iterators import Suspended, stop
from mindspore.core.errors import GraphSyntaxError
from mindspore.ir.runtime import runtime

from . import blocks
from .tasks import Exiting, Guard, Outcome, ended


class Sent(NamedTuple):
    """The rest of a statement whose value is what `yield` gives."""

    statement: Any


class Delegate(NamedTuple):
    """`yield from` an iterator."""

    statement: Any
    items: Iterator[Any]


class Expression(Suspended):
    """The value of a generator expression."""

    def __init__(self, frame: Any, values: Iterator[Any]):
        super().__init__(frame)
        self.values = values

    def __next__(self) -> Any:
        return self.inside(lambda: next(self.values))


class Generator(Suspended):
    """The value of a call of a function with `yield`."""

    def __init__(self, frame: Any, rest: Any):
        super().__init__(frame)
        self.rest, self.started = rest, False
        self.managed = False                      # whether a `with` statement ends it

    def __next__(self) -> Any:
        return self.send(None)

    def send(self, value: Any) -> Any:
        """Continue with a value for `yield`."""
        if value is not None and not self.started:
            raise TypeError("can't send non-None value to a just-started generator")
        return self.inside(lambda: self.resume(value, None))

    def throw(self, error: Any, *_: Any) -> Any:
        """Continue by raising at `yield`."""
        error = error() if isinstance(error, type) else error
        return self.inside(lambda: self.resume(None, error))

    def copied(self) -> Generator:
        """A copy, to be ended in one branch; the generator itself if functions inside of it see its names."""
        own = self.frame.fn.node
        if any([isinstance(n, names.INNER) for n in ast.walk(own) if n is not own]):
            return self
        made = copy.copy(self)
        made.frame, made.block = copy.copy(self.frame), runtime.blocks[-1]
        made.frame.local, made.frame.runs = dict(self.frame.local), []
        made.frame.born = runtime.trace.heap.levels[-1].number
        return made

    def close(self) -> None:
        """End by raising GeneratorExit at `yield`: its `finally` clauses run."""
        if not self.done and self.started and blocks.around(self.rest):
            with suppress(blocks.Closing, StopIteration):
                self.throw(blocks.Closing())
        self.done = True

    def is_unfinished(self) -> bool:
        """Whether something is to be done when it is collected."""
        rest = None if self.done or self.lost or self.managed or not self.started else self.rest
        while rest is not None:
            task, rest = rest
            if type(task) is Exiting or (type(task) is Guard and task.node.finalbody):
                return True
        return False

    def resume(self, value: Any, error: Exception | None) -> Any:
        self.started, self.frame.sent, rest = True, value, self.rest
        try:
            if error is not None:
                rest = blocks.caught(self.frame, error, rest)
            outcome = self.frame.run(rest)
        except StopIteration as raised:
            raise RuntimeError("generator raised StopIteration") from raised
        if outcome.kind != "yield":
            self.done = True
            raise stop(outcome.value)
        given, self.rest = outcome.value
        return given


def step(f: Any, s: Any, after: Any) -> Any:
    """A statement with `yield`."""
    e = getattr(s, "value", None)
    if isinstance(e, ast.Yield):
        return Outcome("yield", (f.eval(e.value) if e.value else None, (Sent(s), after)))
    if isinstance(e, ast.YieldFrom):
        items, f.sent = f.eval(e.value), None
        return Delegate(s, iter(iterated(items))), after
    raise GraphSyntaxError("Graph mode does not take 'yield' inside of a larger expression: bind its value to "
                           "a name first.")


def sent(f: Any, task: Sent, rest: Any) -> Any:
    """The generator continues: what `yield` gives is bound."""
    value, f.sent = f.sent, None
    return _complete(f, task.statement, value, rest)


def delegated(f: Any, task: Delegate, rest: Any) -> Any:
    """The next value of `yield from`."""
    items: Any = task.items
    try:
        value = next(items) if f.sent is None else items.send(f.sent)
    except StopIteration as raised:
        f.sent = None
        return _complete(f, task.statement, raised.value, rest)
    return Outcome("yield", (value, (task, rest)))


def _complete(f: Any, s: Any, value: Any, rest: Any) -> Any:
    if isinstance(s, ast.Assign):
        for target in s.targets:
            f.assign(target, value)
    elif isinstance(s, ast.AnnAssign):
        f.assign(s.target, value)
    elif isinstance(s, ast.Return):
        return ended(f, Outcome("return", value), rest)
    elif not isinstance(s, ast.Expr):
        raise GraphSyntaxError("Graph mode does not take 'yield' here: bind its value to a name first.")
    return rest


def refuse_yield(outcome: Any) -> None:
    """GraphSyntaxError for a `yield` behind an `if` or inside a loop on a tensor."""
    if type(outcome) is Outcome and outcome.kind == "yield":
        raise GraphSyntaxError("A 'yield' stands behind an 'if' or inside a loop on a tensor, so how many "
                               "values there are is unknown while compiling: collect the values in a tensor.")


def refuse_unfinished(depth: int) -> None:
    """GraphSyntaxError for a generator that stands inside of `try` or `with` where its block ends.

    Python runs its `finally` clauses when it is collected, and when that is the front end cannot tell.
    `depth` is the level of the journal with which the block began.
    """
    for level in runtime.trace.heap.levels[depth:]:
        for iterator in level.advanced.values():
            if type(iterator) is Generator and iterator.is_unfinished():
                raise GraphSyntaxError(
                    "A generator is not advanced to its end and stands inside of 'try' with 'finally', or inside of "
                    "'with': these end when Python collects the generator. Call its 'close'.")


def yields(s: Any) -> bool:
    """Whether a statement of a function contains `yield`."""
    known = getattr(s, "_yields", None)
    if known is None:
        known = s._yields = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in names.walk_own(s))
    return known
