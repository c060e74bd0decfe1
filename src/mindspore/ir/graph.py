"""Avals, nodes and graphs.

A graph lists its nodes in program order (A-normal form, SSA): an input of a node is a parameter, an
earlier node or a Python constant.  Every node has an aval from birth.  Control flow is a node that
owns closed sub-graphs; a node with several results is followed by one `item` node per result.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mindspore.core.dtype import DType, uint8


class Aval(NamedTuple):
    """What the compiler knows about a tensor.

    A `weak` one belongs to a Python number that only the run knows: bool, int64 or float64 without dimensions.
    Results of operators are strong, whatever their inputs are; equal avals are alike in this, too.
    """

    shape: tuple[int, ...]
    dtype: DType
    weak: bool = False

    @property
    def strong(self) -> Aval:
        """The same of a tensor."""
        return Aval(self.shape, self.dtype) if self.weak else self

    def __str__(self) -> str:
        if self in OPAQUE:
            return str(self.shape[0])
        shown = f"{self.dtype.short}[{','.join([getattr(n, 'text', None) or str(n) for n in self.shape])}]"
        return f"~{shown}" if self.weak else shown


# What a reverse needs, packed into one value; the passes do not look inside.
RESIDUAL = Aval(("residual",), uint8)  # pyright: ignore[reportArgumentType]  # a name in place of extents
STACK = Aval(("stack",), uint8)  # pyright: ignore[reportArgumentType]  # as above
OPAQUE = (RESIDUAL, STACK)


class Loc:
    """A line of the user's program, and the line that called its function."""

    __slots__ = ("caller", "file", "function", "line")

    def __init__(self, file: str, line: int, function: str, caller: Loc | None):
        self.file, self.line, self.function, self.caller = file, line, function, caller

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}"


class Node:
    """One value of a graph: an operator applied to nodes and constants.

    While a program is compiled, nodes stand where tensors stand at run time: they have the same
    methods, which `mindspore.ops` installs on both classes.
    """

    __slots__ = ("attrs", "aval", "block", "inputs", "items", "loc", "op")
    __getitem__: Callable[..., Any]        # installed as the other methods are
    __copy__: Callable[..., Any]
    __deepcopy__: Callable[..., Any]

    def __init__(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], aval: Any,
                 loc: Loc | None):
        self.op, self.inputs, self.attrs, self.aval, self.loc = op, inputs, attrs, aval, loc
        self.items: tuple[Node, ...] = ()
        self.block = 0                 # the list that it was appended to, by id; 0 if it is not inside of one

    @property
    def shape(self) -> tuple[int, ...]:
        return self.aval.shape

    @property
    def dtype(self) -> DType:
        return self.aval.dtype

    @property
    def ndim(self) -> int:
        return len(self.aval.shape)

    @property
    def size(self) -> int:
        n = 1
        for extent in self.aval.shape:
            n *= extent
        return n

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
        if not self.aval.shape:
            raise TypeError("Not support len of a 0-D tensor")
        return self.aval.shape[0]

    def __iter__(self) -> Any:
        if not self.aval.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter([self[i] for i in range(len(self))])

    def __bool__(self) -> bool:
        raise unknown(self, "truth value")

    def __int__(self) -> int:
        return self._number("int()")

    def _number(self, what: str) -> int:
        """The integer that the node has in the run at hand, a condition of the program."""
        from .sizes import Sizes  # sizes stand beside this module

        if self.aval.dtype.kind not in "iu" or self.size != 1 or Sizes.current is None:
            raise unknown(self, what)
        return operator.index(Sizes.number(self))

    def __float__(self) -> float:
        raise unknown(self, "float()")

    def __index__(self) -> int:
        return self._number("value as an index")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise unknown(self, "NumPy array")

    def asnumpy(self) -> Any:
        """ValueError: the elements are not known while compiling."""
        raise unknown(self, "NumPy array")

    def item(self, index: Any = None) -> Any:
        """The only element, or the one at `index`, as a number that is known when the program runs."""
        from .build import Block  # the block stands on this module

        return Block.element(self, index)

    def tolist(self) -> Any:
        """ValueError: the elements are not known while compiling."""
        raise unknown(self, "list of elements")

    numpy = asnumpy
    __array_priority__ = 1000      # NumPy leaves `array + node` to the node
    __hash__ = object.__hash__

    def written(self, typed: bool, spec: str = "") -> str:
        """How the tensor, or the number in a format, shows in a text; the front end lets the run fill it in."""
        return f"<tensor {self.aval.strong} while compiling>"

    def __repr__(self) -> str:
        return Node.written(self, True)

    def __str__(self) -> str:
        return Node.written(self, False)

    def __format__(self, spec: str) -> str:
        if spec and not self.aval.weak:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        return Node.written(self, False, spec)


Node.__name__ = Node.__qualname__ = "Tensor"       # what messages of Python's call it: to the user's program it is one


def unknown(node: Node, what: str) -> Exception:
    """The error for a Python operation that needs the content of a tensor while compiling."""
    from mindspore.core.errors import GraphValueError  # only to raise

    return GraphValueError(
        f"The {what} of a tensor ({node.aval.strong}) is not known while a graph is compiled. Compute with "
        f"tensor operations, test it by 'if' or 'while' in your own function, or run in PyNative mode.")


class Known:
    """What derivatives and passes found out about a graph, each of them once.

    Attributes:
        reverse: The augmented graph and its reverse.
        simplified: Whether it was simplified as part of another graph.
        acts: Whether a node in it, or below, has an effect.
    """

    reverse: Any = None
    simplified = False
    acts: bool | None = None


@dataclass(eq=False)
class Graph(Known):
    """A function in the IR: parameters, nodes in program order, results (nodes or constants)."""

    name: str
    params: list[Node] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    outs: list[Any] = field(default_factory=list)

    def __str__(self) -> str:
        from .text import text  # the text form imports this module

        return text(self)


class Flow:
    """An operator of the IR itself: control flow, projections, packing of residuals."""

    promote = False
    effect = None
    rule = None

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name


def strong_of(aval: Any) -> Any:
    """The aval of a node, one or several, without numbers."""
    return aval.strong if type(aval) is Aval else tuple([a.strong for a in aval])


def avals_of(node: Node) -> tuple[Aval, ...]:
    """The avals of a node's results, one or several."""
    return (node.aval,) if type(node.aval) is Aval else node.aval
