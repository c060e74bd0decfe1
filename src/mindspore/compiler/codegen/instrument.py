"""Generated source with a call after every operator, as long as somebody watches; else nothing of it runs.

A watcher is a function that gives, at each call of a graph, the function that takes up its statements:

    begin() -> ended;  ended(statement) after every operator

The graphs that live are made anew with these calls when they are first run, and get back what they had when the
watcher leaves.
"""
from __future__ import annotations

import ast
import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any

Begin = Callable[[], Callable[[Any], None]]


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
                _observe(made, self.begin)

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
                _observe(made, begin)

    def stop(self) -> None:
        """Watch no longer; graphs run as they did before."""
        with self.lock:
            self.begin = None
            for made in self.live:
                made.run = getattr(made.run, "plain", made.run)


def _observe(made: Any, begin: Begin) -> None:
    """Let a graph tell what it does; its source is made at the first run."""
    plain, held = made.run, weakref.ref(made)
    found: list[Callable[..., Any]] = []

    @functools.wraps(plain)
    def observed(*args: Any) -> Any:
        if not found:
            found.append(_instrumented(held(), begin))
        return found[0](*args)

    setattr(observed, "plain", plain)  # noqa: B010  # an attribute of a function, which checkers of types do not know
    made.run = observed


def _instrumented(made: Any, begin: Begin) -> Callable[..., Any]:
    """The function of a graph, with the calls; lines have the numbers that they had."""
    name, statements, space, target = made.written
    tree = _Calls(statements).visit(ast.parse(made.source))
    space = dict(space) | {"begin_watching": begin}
    space |= {f"statement_{at}": one for at, one in statements.items()}
    exec(compile(ast.fix_missing_locations(tree), made.file, "exec"), space)
    return target.guarded(space[name], space)


class _Calls(ast.NodeTransformer):
    """Puts the calls into a source."""

    def __init__(self, statements: dict[int, Any]):
        self.statements = statements

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        node.body.insert(0, _like(node.body[0], "statement_ended = begin_watching()"))
        return node

    def _followed(self, node: ast.stmt) -> Any:
        at = node.lineno - 1
        return [node, _like(node, f"statement_ended(statement_{at})")] if at in self.statements else node

    visit_Assign = visit_AugAssign = visit_Expr = _followed


def _like(node: ast.stmt, text: str) -> ast.stmt:
    """A statement on the line of another."""
    made = ast.parse(text).body[0]
    for part in ast.walk(made):
        ast.copy_location(part, node)
    return made


watching = Watching()
