"""Text that shows tensors: it is completed when the compiled program runs.

Python itself formats the text.  While it does, a node writes a token in place of its elements, and what comes
out is cut at the tokens.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mindspore.compiler.frontend.objects.state import lift
from mindspore.core.errors import GraphSyntaxError, GraphValueError
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node, tree
from mindspore.ir.runtime import runtime
from mindspore.operators import traced

from .conditional import INSIDE, STORED, distributed

_CONVERSIONS: dict[int, Callable[[Any], Any]] = {-1: lambda v: v, 115: str, 114: repr, 97: ascii}


class Gap:
    """The place of a tensor in a text.

    Attributes:
        node: The tensor.
        typed: Whether it is shown with its shape and dtype, as inside of a list.
        spec: The format of a number.
    """

    __slots__ = ("node", "spec", "typed")

    def __init__(self, node: Node, typed: bool, spec: str = ""):
        self.node, self.typed, self.spec = node, typed, spec

    def part(self) -> Any:
        """The placeholder in a template of `print_text`."""
        return (self.spec,) if self.spec else self.typed or None


class Text:
    """The value of an expression that shows tensors: strings and gaps in order."""

    shows_tensors = True

    def __init__(self, parts: list[Any]):
        self.parts = parts

    @staticmethod
    def of(parts: Iterable[Any]) -> Text:
        """The text of several strings and texts, one after the other."""
        flat: list[Any] = []
        for part in parts:
            flat += part.parts if type(part) is Text else [part]
        return Text(flat)

    def __add__(self, other: Any) -> Text:
        return Text.of([self, other])

    def __radd__(self, other: Any) -> Text:
        return Text.of([other, self])

    def __str__(self) -> str:
        return "".join([traced.written(p.node, p.typed, p.spec) if type(p) is Gap else p for p in self.parts])

    def __repr__(self) -> str:
        return f"'{self}'"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise GraphValueError(f"The text shows the content of a tensor, which is not known while "
                              f"compiling, so '{name}' cannot be used on it; print it.")

    def _unknown(self, *_: Any) -> Any:
        raise GraphValueError("The text shows the content of a tensor, which is not known while compiling, so it "
                              "cannot be compared or measured; print it.")

    refuse = _unknown                     # as a key, which would have to be compared
    __int__ = __float__ = __index__ = _unknown
    __eq__ = __ne__ = __lt__ = __len__ = __contains__ = __getitem__ = __iter__ = __bool__ = _unknown
    __hash__ = object.__hash__


def written(write: Callable[[], str]) -> Any:
    """The text that `write` gives: a string, or a Text if it shows tensors."""
    parts = traced.text_of(write)
    if all([isinstance(p, str) for p in parts]):
        return "".join(map(str, parts))
    return Text([p if isinstance(p, str) else Gap(*p) for p in parts])


@distributed(INSIDE, STORED, INSIDE)
def shown(value: Any, conversion: int, spec: Any) -> Any:
    """A value in an f-string.

    Raises:
        GraphSyntaxError: If a width, or the text that has a width, shows what only the run knows.
    """
    value = with_nodes(value)
    if conversion != -1:
        value = written(lambda: _CONVERSIONS[conversion](value))
    if type(spec) is Text or (spec and type(value) is Text):
        raise GraphSyntaxError("The width of a text that shows what only the run knows is unknown while compiling; "
                               "format the number itself, or print it without a width.")
    return value if type(value) is Text else written(lambda: format(value, spec))


@distributed(INSIDE)
def joined(separator: str, items: Any) -> Any:
    """`separator.join(items)`."""
    parts = list(items)
    if not any(type(p) is Text for p in parts):
        return separator.join(parts)
    found = []
    for part in parts:
        found += [separator, part]
    return Text.of(found[1:])


def with_nodes(value: Any) -> Any:
    """A value with nodes for the tensors in it."""
    if runtime.trace is not None and type(value) not in _SIMPLE:         # its own methods may write it
        runtime.trace.heap.note_whole(value, ("__str__", "__repr__", "__format__"))
    found = tree.leaves(value, _is_plain)
    return tree.rebuild(value, _is_plain, iter([lift(t) for t in found])) if found else lift(value)


_SIMPLE = frozenset([str, int, float, bool, Node, type(None)])


def _is_plain(value: Any) -> bool:
    return type(value) is Tensor
