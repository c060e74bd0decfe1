"""From functions to their syntax trees, and from syntax trees to callable values."""
from __future__ import annotations

import ast
import builtins
import copy
import functools
import inspect
import linecache
import textwrap
from types import CodeType, FunctionType, MethodType
from typing import Any

from mindspore.core.errors import GraphSyntaxError

from .interpreter import interpreter

_trees: dict[int, tuple[Any, str, CodeType]] = {}


class Closure:
    """A function given by its tree; its free names are looked up in `scopes` when it runs.

    A scope is a dict, or a frame whose current names count (functions see later assignments).
    """

    __slots__ = ("__dict__", "__weakref__", "defaults", "file", "identity", "name", "node", "owner",
                 "scopes")

    def __init__(self, node: Any, scopes: list[Any], file: str, name: str, defaults: dict[str, Any],
                 owner: type | None = None):
        self.node, self.scopes, self.file, self.name = node, scopes, file, name
        self.defaults, self.owner = defaults, owner
        self.__name__, self.__qualname__ = name.rpartition(".")[2], name
        self.identity: Any = self          # what tells it from other functions of the same text

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return interpreter.call(self, args, kwargs)

    def __get__(self, obj: Any, kind: Any = None) -> Any:
        return self if obj is None else MethodType(self, obj)


class Cells:
    """The scope of a real closure: its cells, read when a name is asked for."""

    def __init__(self, fn: FunctionType):
        self.cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))

    def __contains__(self, name: str) -> bool:
        return name in self.cells

    def __getitem__(self, name: str) -> Any:
        try:
            return self.cells[name].cell_contents
        except ValueError:
            raise NameError(f"cannot access free variable '{name}' where it is not associated with "
                            "a value in enclosing scope") from None

    def get(self, name: str) -> Any:
        """The value of a name; None if it has none."""
        try:
            return self[name]
        except (KeyError, NameError):
            return None


def closure_of(fn: FunctionType) -> Closure | None:
    """The closure of a Python function; None if its source cannot be found."""
    code = fn.__code__
    known = _trees.get(id(code))
    if known is None:                 # kept with its code, so that the id lasts
        known = _trees[id(code)] = _parse(fn), code.co_filename, code
    node, file, _ = known
    if node is None:
        return None
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    given = fn.__defaults__ or ()
    defaults = dict(zip(names[len(names) - len(given):], given, strict=True))
    defaults |= fn.__kwdefaults__ or {}
    cells = Cells(fn)
    owner = cells.get("__class__")
    made = Closure(node, [cells, fn.__globals__, builtins.__dict__], file, fn.__qualname__, defaults,
                   owner)
    made.identity = fn
    return made


def _parse(fn: FunctionType) -> Any:
    code = fn.__code__
    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError):
        return None
    if fn.__name__ == "<lambda>":
        return _lambda(code, lines, first)
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    ast.increment_lineno(tree, first - 1)
    if not isinstance(tree, ast.FunctionDef):
        raise GraphSyntaxError(f"Graph mode takes plain functions, but '{fn.__qualname__}' is "
                               f"'{type(tree).__name__}'.")
    return tree


def _lambda(code: CodeType, lines: list[str], first: int) -> Any:
    """The lambda expression of a code object, found by its position in the file."""
    text = "".join(linecache.getlines(code.co_filename)) or "".join(lines)
    offset = 0 if linecache.getlines(code.co_filename) else first - 1
    try:
        tree = _module(text)
    except SyntaxError:
        tree, offset = ast.parse(textwrap.dedent("".join(lines)).strip().rstrip(",)")), first - 1
    if offset:
        tree = ast.increment_lineno(copy.deepcopy(tree), offset)
    spans = [((p[0], p[2]), (p[1], p[3])) for p in code.co_positions()
             if None not in p and (p[0], p[2]) != (p[1], p[3])]
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == first
             and _takes(n.args) == _parameters(code)
             and all(_start(n.body) <= a and b <= _end(n.body) for a, b in spans)]
    found.sort(key=lambda n: (_end(n.body), [-k for k in _start(n.body)]))     # the innermost first
    return found[0] if found and spans else None


@functools.lru_cache(8)
def _module(text: str) -> ast.Module:
    return ast.parse(text)


def _start(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: Any) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset


def _takes(a: ast.arguments) -> tuple[list[str], list[str]]:
    return [p.arg for p in (*a.posonlyargs, *a.args)], [p.arg for p in a.kwonlyargs]


def _parameters(code: CodeType) -> tuple[list[str], list[str]]:
    names, count = list(code.co_varnames), code.co_argcount
    return names[:count], names[count:count + code.co_kwonlyargcount]
