"""Generated source with a call after every operator, as long as somebody watches; else nothing of it runs.

A watcher is a function that gives, at each call of a graph, the function that takes up its statements:

    begin(outermost) -> note, now;  note(statement); note(now()) after every operator

where `outermost` says that no other graph calls this one.  After a native program, which is many operators, follows
`note(Parts)` instead: it notes itself, in native code, when each of them ends.

The graphs that live are made anew with these calls when they are first run while somebody watches, and get back what
they had when the watcher leaves.
"""
from __future__ import annotations

import ast
import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore.ir import Node

from .source import Statement

Begin = Callable[[bool], tuple[Callable[[Any], None], Callable[[], int]]]


class Watching:
    """The graphs that live, and who watches them."""

    def __init__(self) -> None:
        self.live: weakref.WeakSet[Any] = weakref.WeakSet()
        self.lock = threading.Lock()
        self.begin: Begin | None = None

    def add(self, made: Any) -> None:
        """There is another graph."""
        with self.lock:
            self.live.add(made)
            if self.begin is not None:
                _observe(made)

    def start(self, begin: Begin) -> None:
        """Watch what all graphs do from now on.

        Raises:
            RuntimeError: Somebody does already.
        """
        with self.lock:
            if self.begin is not None:
                raise RuntimeError("Compiled programs are being watched already: end that first.")
            self.begin = begin
            for made in self.live:
                _observe(made)

    def enter(self, outermost: bool) -> tuple[Callable[[Any], None], Callable[[], int]]:
        """A run of a graph begins."""
        begin = self.begin
        return (_unseen, int) if begin is None else begin(outermost)       # who watched may just have left

    def stop(self) -> None:
        """Watch no longer; graphs run as they did before."""
        with self.lock:
            self.begin = None
            for made in self.live:
                made.run = getattr(made.run, "plain", made.run)


class Parts(NamedTuple):
    """What a native program did.

    Attributes:
        statements: Of every stage.
        times: When it began to compute and when every stage ended: seconds and nanoseconds, 64 bits each.
        end: When the call had ended.
    """

    statements: list[Statement]
    times: bytes
    end: int


def _unseen(_: Any) -> None:
    """Take up nothing."""


def _observe(made: Any) -> None:
    """Let a graph tell what it does; its source is made at the first run, and kept."""
    plain, held = made.run, weakref.ref(made)

    def observed(*args: Any) -> Any:
        graph: Any = held()
        if graph is None:
            return plain(*args)
        if graph.telling is None:
            graph.telling = _instrumented(graph)
        graph.run = _over(graph.telling, plain)
        return graph.telling(*args)

    made.run = _over(observed, plain)


def _over(run: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """A function that knows what it represents."""
    over: Any = functools.partial(run)
    over.plain = plain
    return over


def _instrumented(made: Any) -> Callable[..., Any]:
    """The function of a graph, with the calls; lines have the numbers that they had."""
    name, statements, space, target = made.written
    tree = _Calls(statements, name).visit(ast.parse(made.source))
    space = dict(space) | {"begin_watching": watching.enter}
    space |= {f"statement_{at}": one for at, one in statements.items()}
    for at, one in statements.items():
        program = one.attrs.get("kernel")
        if hasattr(program, "timed"):
            space |= {f"timed_{at}": program.timed, f"parts_{at}": _parts(program)}
    exec(compile(ast.fix_missing_locations(tree), made.file, "exec"), space)
    return target.guarded(space[name], space)


def _parts(program: Any) -> Callable[[int], Parts]:
    """What tells of the call of a native program that ended last in this thread, and now."""
    made: dict[int, Statement] = {}
    for n in program.owners:
        avals = tuple([x.aval if type(x) is Node else x for x in n.inputs])
        made.setdefault(id(n), Statement(n.op, avals, n.attrs, n.aval, n.loc, n.origin))
    statements = [made[id(n)] for n in program.owners]
    return lambda end: Parts(statements, program.ended(), end)


class _Calls(ast.NodeTransformer):
    """Puts the calls into a source."""

    def __init__(self, statements: dict[int, Any], name: str):
        self.statements, self.name = statements, name

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        text = f"note_statement, now_statement = begin_watching({node.name == self.name})"
        node.body.insert(0, _like(node.body[0], text))
        return node

    def _followed(self, node: Any) -> Any:
        at = node.lineno - 1
        if at not in self.statements:
            return node
        told = "now_statement()"
        if hasattr(self.statements[at].attrs.get("kernel"), "timed"):
            call: Any = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            call.func = ast.copy_location(ast.Name(f"timed_{at}", ast.Load()), call.func)
            told = f"parts_{at}({told})"
        return [node, _like(node, f"note_statement(statement_{at})"), _like(node, f"note_statement({told})")]

    visit_Assign = visit_AugAssign = visit_Expr = _followed


def _like(node: ast.stmt, text: str) -> ast.stmt:
    """A statement on the line of another."""
    made = ast.parse(text).body[0]
    for part in ast.walk(made):
        ast.copy_location(part, node)
    return made


watching = Watching()
