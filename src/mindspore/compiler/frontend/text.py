"""Text that shows tensors: it is completed when the compiled program runs."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.ir import Node
from mindspore.core.errors import GraphSyntaxError, GraphValueError

_CONVERSIONS = {-1: lambda v: v, 115: str, 114: repr, 97: ascii}


class Text:
    """The value of an f-string with tensors: strings and nodes in order."""

    def __init__(self, parts: list[Any]):
        self.parts = parts

    @staticmethod
    def of(parts: list[Any]) -> Text:
        flat: list[Any] = []
        for part in parts:
            flat += part.parts if type(part) is Text else [part]
        return Text(flat)

    def __add__(self, other: Any) -> Text:
        return Text.of([self, other])

    def __radd__(self, other: Any) -> Text:
        return Text.of([other, self])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise GraphValueError(f"The text shows the content of a tensor, which is not known while "
                              f"compiling, so '{name}' cannot be used on it; print it.")


def shown(value: Any, conversion: int, spec: Any) -> Any:
    """A value in an f-string."""
    if isinstance(value, (Node, Text)):
        if spec:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        if conversion not in (-1, 115):
            raise GraphSyntaxError("The conversion '!r' or '!a' of a tensor in an f-string needs its "
                                   "content, which is not known while compiling: show the tensor as it "
                                   "is, without '!'.")
        return Text.of([value])
    return format(_CONVERSIONS[conversion](value), spec)
