"""Statements with effects that wait for run time: print, assert and raise on a tensor's content."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.frontend.objects.state import lift
from mindspore.compiler.frontend.values.text import Gap, Text, with_nodes, written
from mindspore.eager.tensor import wrap
from mindspore.ir import Node
from mindspore.operators import effects as operators

from .blocks import refuse_if_caught


def print_(values: tuple[Any, ...], sep: str, end: str, options: dict[str, Any]) -> None:
    """Print at run time, in program order."""
    parts: list[Any] = []
    for i, value in enumerate(values):
        if i and sep:
            parts.append(sep)
        value = with_nodes(value)
        text = value if type(value) is Text else written(lambda: str(value))  # noqa: B023  # called at once
        parts += text.parts if type(text) is Text else [text]
    operators.print_text(*[p.node for p in parts if type(p) is Gap], sep="", end=end, template=_template(parts),
                         **options)


def _template(parts: list[Any]) -> tuple[Any, ...]:
    """A text with the placeholders of its gaps."""
    return tuple([p.part() if type(p) is Gap else str(p) for p in parts])


def claim(test: Node, message: Any) -> None:
    """Raise AssertionError at run time if the condition does not hold."""
    check(test, AssertionError(*([] if message is None else [message])))


def check(test: Node, error: Exception) -> None:
    """Raise an error at run time if the condition does not hold."""
    refuse_if_caught(error)
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
        if type(value) is Node:
            tensors.append(value)
            args.append(operators.FormattedValue(wrap))
            continue
        parts = arg.parts if type(arg) is Text else None
        if parts is None:
            args.append(arg)
            continue
        tensors += [p.node for p in parts if type(p) is Gap]
        args.append(operators.Template(_template(parts)))
    return tensors, operators.like(error, args) if tensors else error
