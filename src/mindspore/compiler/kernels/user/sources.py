"""The source of a kernel: its syntax, its lines, and the names around it."""
from __future__ import annotations

import ast
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
