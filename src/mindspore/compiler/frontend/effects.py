"""Statements with effects that wait for run time: print, assert and raise on a tensor's content."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.ir import Node
from mindspore.operators import effects as operators

from .state import lift
from .text import Text


def print_(values: tuple[Any, ...], sep: str, end: str, options: dict[str, Any]) -> None:
    """Print at run time, in program order."""
    parts: list[Any] = []
    for i, value in enumerate(values):
        if i and sep:
            parts.append(sep)
        parts += value.parts if type(value) is Text else [lift(value)]
    template = tuple([None if type(p) is Node else str(p) for p in parts])
    operators.print_text(*[p for p in parts if type(p) is Node], sep="", end=end, template=template,
                         **options)


def claim(test: Node, message: Any) -> None:
    """Raise AssertionError at run time if the condition does not hold."""
    check(test, AssertionError(*([message] if message else [])))


def check(test: Node, error: Exception) -> None:
    """Raise an error at run time if the condition does not hold."""
    tensors, error = split(error)
    operators.check_true(test, *tensors, error=error)


def raise_(error: Exception) -> None:
    """Raise an error at run time, when this place is reached."""
    tensors, error = split(error)
    operators.raise_error(*tensors, error=error)


def split(error: Exception) -> tuple[list[Node], Exception]:
    """The tensors that the message of an error shows, and the error with gaps for them."""
    tensors: list[Node] = []
    args = []
    for arg in error.args:
        value = lift(arg)
        parts = arg.parts if type(arg) is Text else [value] if type(value) is Node else None
        if parts is None:
            args.append(arg)
            continue
        tensors += [p for p in parts if type(p) is Node]
        args.append(operators.Template([None if type(p) is Node else p for p in parts]))
    if tensors:
        error.args = tuple(args)
    return tensors, error
