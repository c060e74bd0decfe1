"""Facts about a statement that do not depend on values: which names it binds, how it can leave."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.While)


def walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a statement except the bodies of functions defined in it."""
    todo = [node]
    while todo:
        now = todo.pop()
        yield now
        todo += [c for c in ast.iter_child_nodes(now) if not isinstance(c, _INNER)]


def leaves(node: Any) -> bool:
    """Whether a statement may leave by return, or by break or continue of a loop around it."""
    known = getattr(node, "_leaves", None)
    if known is None:
        known = node._leaves = _leaves(node, False)
    return known


def _leaves(node: ast.AST, in_loop: bool) -> bool:
    if isinstance(node, ast.Return):
        return True
    if isinstance(node, (ast.Break, ast.Continue)):
        return not in_loop
    if isinstance(node, _INNER):
        return False
    if isinstance(node, _LOOPS):
        return any(_leaves(s, True) for s in node.body) or any(_leaves(s, in_loop)
                                                              for s in node.orelse)
    return any(_leaves(c, in_loop) for c in ast.iter_child_nodes(node) if isinstance(c, ast.stmt))


def where(function: Any) -> str:
    """The name of a function node in notes."""
    return getattr(function, "name", "<lambda>")
