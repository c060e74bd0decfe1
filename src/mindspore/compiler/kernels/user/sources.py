"""The source of a kernel: its syntax, its lines, and the names around it."""
from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from .errors import KernelLanguageError


class Source:
    """A function's source.

    Attributes:
        parameters: The names of its arguments.
        around: Names of its module and of the functions that it stands in.
    """

    def __init__(self, function: Callable[..., Any]):
        self.function, self.name = function, function.__name__
        try:
            lines, self.first = inspect.getsourcelines(function)
            self.tree: ast.FunctionDef = _definition(ast.parse(textwrap.dedent("".join(lines))))
        except (OSError, TypeError, SyntaxError) as error:
            raise KernelLanguageError(f"For 'kernel', the source of '{self.name}' cannot be read: {error}. "
                                      f"Define it with 'def' in a file.") from None
        self.file = inspect.getsourcefile(function) or "?"
        self.body = self.tree.body
        given = self.tree.args
        self.parameters = [a.arg for a in given.args]
        if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
            raise KernelLanguageError(f"{self.where(self.tree)}: a kernel takes positional arguments without defaults.")

    def around(self) -> dict[str, Any]:
        """What names mean that the function does not set."""
        found = inspect.getclosurevars(self.function)
        return {**found.builtins, **found.globals, **found.nonlocals}

    @functools.cached_property
    def used(self) -> list[tuple[str, ...]]:
        """The names around the function that it reads, with the attributes that it reads of them."""
        known = self.around()
        found: dict[tuple[str, ...], None] = {}
        for node in ast.walk(self.tree):
            attributes: list[str] = []
            while isinstance(node, ast.Attribute):
                attributes.insert(0, node.attr)
                node = node.value
            if isinstance(node, ast.Name) and node.id in known:
                found[(node.id, *attributes)] = None
        return list(found)

    def places(self) -> list[tuple[Any, str, Any]]:
        """What the function reads around it now: who holds it (names, a cell, an object), its name, and the value."""
        cells = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))
        found: list[tuple[Any, str, Any]] = []
        for name, *attributes in self.used:
            value = cells[name].cell_contents if name in cells else self.function.__globals__.get(name)
            if value is not None:
                found.append((cells.get(name, self.function.__globals__), name, value))
            for attribute in attributes:
                owner, value = value, getattr(value, attribute, None)
                if value is not None:
                    found.append((owner, attribute, value))
        return found

    def numbers(self) -> tuple[Any, ...]:
        """The numbers around the function now, which are constants of its kernels."""
        return tuple([(name, v) for _, name, v in self.places() if isinstance(v, (bool, int, float))])

    def line(self, node: Any) -> int:
        """The line of a piece of syntax in its file."""
        return self.first + node.lineno - 1

    def where(self, node: Any) -> str:
        """The file and the line."""
        return f'File "{self.file}", line {self.line(node)}'


def _definition(module: ast.Module) -> ast.FunctionDef:
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            return node
    raise SyntaxError("no function is defined there")
