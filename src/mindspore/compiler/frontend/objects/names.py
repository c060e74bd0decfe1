"""Facts about a statement that do not depend on values: which names it binds, how it can leave."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_SCOPES = (*INNER, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.While)


def walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a statement except the bodies of functions defined in it."""
    todo = [] if isinstance(node, INNER) else [node]
    while todo:
        now = todo.pop()
        yield now
        todo += [c for c in ast.iter_child_nodes(now) if not isinstance(c, INNER)]


def leaves(node: Any) -> bool:
    """Whether a statement may leave by return, or by break or continue of a loop around it."""
    known = getattr(node, "_leaves", None)
    if known is None:
        known = node._leaves = _leaves(node, False)
    return known


def any_leaves(body: list[Any]) -> bool:
    """Whether one of the statements may leave."""
    return any(map(leaves, body))


def any_ends(body: list[Any]) -> bool:
    """Whether what stands behind the statements is never reached, as far as the text shows."""
    return any([isinstance(s, _LEAVING) or (isinstance(s, ast.If) and any_ends(s.body) and any_ends(s.orelse))
                for s in body])


_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Raise)


def has_inner(function: Any) -> bool:
    """Whether functions or classes are defined in a function, which see its names."""
    known = getattr(function, "_has_inner", None)
    if known is None:
        known = function._has_inner = any([isinstance(n, INNER) for n in ast.walk(function) if n is not function])
    return known


def _leaves(node: ast.AST, in_loop: bool) -> bool:
    if isinstance(node, ast.Return):
        return True
    if isinstance(node, (ast.Break, ast.Continue)):
        return not in_loop
    if isinstance(node, INNER):
        return False
    if isinstance(node, _LOOPS):
        return any(_leaves(s, True) for s in node.body) or any(_leaves(s, in_loop)
                                                               for s in node.orelse)
    return any(_leaves(c, in_loop) for c in ast.iter_child_nodes(node)
               if isinstance(c, (ast.stmt, ast.ExceptHandler, ast.match_case)))


def positional(function: Any) -> list[str]:
    """The parameters of a function that arguments without names go to."""
    known = getattr(function, "_positional", None)
    if known is None:
        known = function._positional = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
    return known


def local_names(function: Any) -> frozenset[str]:
    """The names that belong to a function: its parameters and what its body binds."""
    known = getattr(function, "_local_names", None)
    if known is None:
        known = function._local_names = frozenset(_local_names(function))
    return known


def _local_names(function: Any) -> set[str]:
    if isinstance(function, _SCOPES[4:]):
        return {n.id for g in function.generators for n in ast.walk(g.target)
                if isinstance(n, ast.Name)}
    if isinstance(function, ast.ClassDef):
        return set()
    a = function.args
    found = {p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if p}
    foreign: set[str] = set()
    body = function.body if isinstance(function.body, list) else [function.body]
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            foreign.update(node.names)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, _SCOPES[4:]):
            found |= {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
        elif not isinstance(node, ast.Lambda):
            found |= _bound_by(node)
            todo += ast.iter_child_nodes(node)
    return found - foreign


def _bound_by(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return {node.id}
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        return {node.name}
    if isinstance(node, ast.MatchMapping) and node.rest:
        return {node.rest}
    return set()


def stored(statements: list[ast.AST]) -> set[str]:
    """The names that statements bind."""
    return {name for s in statements for node in walk_own(s) for name in _bound_by(node)}


def loaded_outside(function: Any, statement: Any) -> frozenset[str]:
    """The names that a function asks for outside of one of its statements."""
    known = getattr(statement, "_loaded_outside", None)
    if known is None:
        known = statement._loaded_outside = frozenset(_loaded(function, statement))
    return known


def _loaded(function: Any, without: Any) -> Iterator[str]:
    todo: list[ast.AST] = [function]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            yield node.id
        todo += [c for c in ast.iter_child_nodes(node) if c is not without]


def only_index(loop: ast.For) -> bool:
    """Whether a loop uses its variable only inside of the index of something."""
    if not isinstance(loop.target, ast.Name):
        return False
    name = loop.target.id
    todo: list[tuple[ast.AST, bool]] = [(s, False) for s in loop.body]
    while todo:
        node, inside = todo.pop()
        if isinstance(node, ast.Name) and node.id == name and not inside:
            return False
        if isinstance(node, ast.Subscript):
            todo += [(node.value, inside), (node.slice, True)]
        else:
            todo += [(c, inside and not isinstance(node, ast.Call)) for c in ast.iter_child_nodes(node)]
    return True


def changes_rows(loop: ast.For) -> bool:
    """Whether a pass may change in place what it takes from a tensor, which then changes, too."""
    added = {id(n.target) for s in loop.body for n in walk_own(s) if isinstance(n, ast.AugAssign)}
    own = {name for s in (loop.target, *loop.body) for n in walk_own(s) if id(n) not in added
           for name in _bound_by(n)}
    for s in loop.body:
        for node in walk_own(s):
            if isinstance(node, ast.AugAssign) and _root(node.target) in own:
                return True
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _root(node) in own:
                return True
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (
                    node.func.attr.endswith("_") or node.func.attr in ("assign_value", "set_data")):
                return True
    return False


def _root(node: ast.AST) -> str:
    """The name at the beginning of `name[...].attribute`."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def is_endless(loop: Any) -> bool:
    """Whether a loop can only be left by `return`: `while True` without `break`."""
    return (isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)
            and bool(loop.test.value) and not can_break(loop))


def can_break(loop: Any) -> bool:
    """Whether a loop has a `break` of its own."""
    return any(map(_breaks, loop.body))


def _breaks(node: ast.AST) -> bool:
    if isinstance(node, ast.Break):
        return True
    if isinstance(node, INNER):
        return False
    inner = node.orelse if isinstance(node, _LOOPS) else ast.iter_child_nodes(node)
    return any(map(_breaks, inner))


def is_generator(function: Any) -> bool:
    """Whether the body of a function contains `yield`."""
    known = getattr(function, "_is_generator", None)
    if known is None:
        kind = type(function)
        body = function.body if kind is ast.FunctionDef else []
        known = any(isinstance(n, (ast.Yield, ast.YieldFrom))
                    for s in body if not isinstance(s, INNER) for n in walk_own(s))
        function._is_generator = known
    return known


def where(function: Any) -> str:
    """The name of a function node in notes."""
    if isinstance(function, _SCOPES[4:]):
        return "<comprehension>"
    return getattr(function, "name", "<lambda>")
