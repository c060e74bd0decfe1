"""What a node is to a program that is being compiled: a tensor, with Python's protocols and operators.

The methods here, the infix operators and those of `mindspore.ops` are installed on the class of nodes, which the IR
keeps as data.  What needs elements raises, or becomes a node, or takes the elements of the current run.
"""
from __future__ import annotations

import operator
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from mindspore.core.errors import GraphValueError
from mindspore.ir import Node, strong_of
from mindspore.ir.runtime import runtime

from . import extents, infix

Writer = Callable[[Node, bool, str], str]


def unknown(node: Any, what: str) -> Exception:
    """The error for a Python operation that needs the content of a tensor while compiling."""
    return GraphValueError(
        f"The {what} of a tensor ({node.aval.strong}) is not known while a graph is compiled. Compute with "
        f"tensor operations, test it by 'if' or 'while' in your own function, or run in PyNative mode.")


def _plainly(node: Node, typed: bool, spec: str) -> str:
    return f"<tensor {strong_of(node.aval)} while compiling>"


_writer: ContextVar[Writer] = ContextVar("writer", default=_plainly)


@contextmanager
def writing(writer: Writer) -> Generator[None, None, None]:
    """Let `writer(node, typed, spec)` say how tensors show in texts: typed as in a list, or a number in a format."""
    token = _writer.set(writer)
    try:
        yield
    finally:
        _writer.reset(token)


def written(node: Any, typed: bool, spec: str = "") -> str:
    """How a tensor shows in a text."""
    return _writer.get()(node, typed, spec)


_TOKEN = re.compile("\ue000(\\d+)\ue001")


def text_of(write: Callable[[], str]) -> list[str | tuple[Node, bool, str]]:
    """The text that `write` gives, cut where it shows tensors: there are what `written` was asked for."""
    found: list[tuple[Node, bool, str]] = []

    def token(node: Node, typed: bool, spec: str) -> str:
        found.append((node, typed and not node.aval.weak, spec))
        return f"\ue000{len(found) - 1}\ue001"
    with writing(token):
        text = write()
    parts = [found[int(p)] if i % 2 else p for i, p in enumerate(_TOKEN.split(text))]
    return [p for p in parts if p != ""]


class Traced:
    """The methods; `self` is a node."""

    aval: Any
    shape: tuple[int, ...]
    size: int

    __array_priority__ = 1000      # NumPy leaves `array + node` to the node

    @property
    def itemsize(self) -> int:
        return self.aval.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.aval.dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """ValueError: how elements lie in memory is not known while compiling."""
        raise unknown(self, "memory layout")

    @property
    def _data(self) -> Any:
        """ValueError: the memory of a tensor, which methods of the library ask, is there in a run only."""
        raise unknown(self, "memory")

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Not support len of a 0-D tensor")
        return self.shape[0]

    def __iter__(self) -> Any:
        if not self.shape:
            raise TypeError("Cannot iterate over a scalar tensor: iteration over a 0-d tensor")
        rows: Any = self
        return iter([rows[i] for i in range(self.shape[0])])

    def __bool__(self) -> bool:
        raise unknown(self, "truth value")

    def __float__(self) -> float:
        raise unknown(self, "float()")

    def __int__(self) -> int:
        return integer(self, "int()")

    def __index__(self) -> int:
        return integer(self)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise unknown(self, "NumPy array")

    def asnumpy(self) -> Any:
        """ValueError: the elements are not known while compiling."""
        raise unknown(self, "NumPy array")

    numpy = asnumpy

    def tolist(self) -> Any:
        """ValueError: the elements are not known while compiling."""
        raise unknown(self, "list of elements")

    def item(self: Any, index: Any = None) -> Any:
        """The only element, or the one at `index`, as a number that is known when the program runs."""
        if runtime.building is None:
            raise unknown(self, "number in it")
        return runtime.building.element(self, index)

    def __repr__(self) -> str:
        return written(self, True)

    def __str__(self) -> str:
        return written(self, False)

    def __format__(self, spec: str) -> str:
        if spec and not self.aval.weak:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        return written(self, False, spec)


def integer(tensor: Any, what: str = "value as an index") -> int:
    """The integer that a tensor holds in the current run, which becomes a guard of the program."""
    if tensor.aval.dtype.kind not in "iu" or tensor.size != 1 or runtime.sizes is None:
        raise unknown(tensor, what)
    return operator.index(extents.number(tensor))


def _install() -> None:
    every_class = {*vars(type("", (), {})), "__annotations__"}
    for name, value in vars(Traced).items():
        if name not in every_class:
            setattr(Node, name, value)
    infix.install(Node)
    Node.__name__ = Node.__qualname__ = "Tensor"       # what messages of Python's call it: to a program it is one


_install()
