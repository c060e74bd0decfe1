"""Statements with effects that wait for run time: print, assert and raise on a tensor's content."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.ir import Node
from mindspore.operators import effects as operators

from .state import lift


def print_(values: tuple[Any, ...], sep: str, end: str, options: dict[str, Any]) -> None:
    """Print at run time, in program order."""
    values = tuple([lift(v) for v in values])
    if not any(isinstance(v, Node) for v in values):
        operators.print_text(sep=sep, end=end, template=tuple(map(str, values)), **options)
        return
    template = tuple([None if isinstance(v, Node) else str(v) for v in values])
    operators.print_text(*[v for v in values if isinstance(v, Node)], sep=sep, end=end,
                           template=template, **options)


def assert_(test: Node, message: Any) -> None:
    """Raise AssertionError at run time if the condition does not hold."""
    operators.check_true(test, error=AssertionError(*([message] if message else [])))


def raise_(error: Exception) -> None:
    """Raise an error at run time, when this place is reached."""
    operators.raise_error(error=error)
