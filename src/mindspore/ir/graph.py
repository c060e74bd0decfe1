"""Avals, nodes and graphs.

A graph lists its nodes in program order (A-normal form, SSA): an input of a node is a parameter, an
earlier node or a Python constant.  Every node has an aval from birth.  Control flow is a node that
owns closed sub-graphs; a node with several results is followed by one `item` node per result.
"""
from __future__ import annotations

import linecache
import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mindspore.core.dtype import DType, uint8

from .origin import NOWHERE, Origin


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

    def notes(self) -> list[str]:
        """The lines that lead here, innermost first, as notes of an error."""
        here = f"  {self}: {linecache.getline(self.file, self.line).strip()}"
        return [here, *(self.caller.notes() if self.caller is not None else [])]


class Node:
    """One value of a graph: an operator applied to nodes and constants.

    To a program that is being compiled a node represents a tensor: `operators.traced` gives it a tensor's methods, and
    `ir.user_tensor` holds what else is known of that tensor.
    """

    __slots__ = ("attrs", "aval", "block", "inputs", "items", "loc", "op", "origin", "user")

    def __init__(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], aval: Any,
                 loc: Loc | None = None, origin: Origin = NOWHERE):
        self.op, self.inputs, self.attrs, self.aval = op, inputs, attrs, aval
        self.loc, self.origin = loc, origin
        self.items: tuple[Node, ...] = ()
        self.user: Any = None          # what is known of the user's tensor that it represents (`ir.user_tensor`)
        self.block = 0                 # the list that it was appended to, by id; 0 if it is not inside of one

    def like(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], aval: Any) -> Node:
        """Another node from the same place of the program."""
        return Node(op, inputs, attrs, aval, self.loc, self.origin)

    def become(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], source: Node | None = None) -> None:
        """Compute the same value otherwise, as the same node: others hold it, lists and programs under construction.

        Args:
            source: The node whose place of the program this one has from now on. Default: its own.
        """
        self.op, self.inputs, self.attrs = op, inputs, attrs
        if source is not None:
            self.loc, self.origin = source.loc, source.origin

    def with_items(self) -> tuple[Node, ...]:
        """Give a node with several results its projections; returns them."""
        self.items = tuple([self.like(ITEM, (self,), {"i": i}, aval) for i, aval in enumerate(self.aval)])
        return self.items

    def note(self, **notes: Any) -> None:
        """Note something about this node: its strategy, stage, device, name, ..."""
        self.origin = self.origin.noting(**notes)

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
        return math.prod(self.aval.shape)


class GraphAnalyses:
    """What derivatives and passes found out about a graph, each of them once.

    Attributes:
        symbols: The sizes that only a run tells in a reverse, and below.
        simplified: Whether it was simplified as part of another graph.
        acts: Whether a node in it, or below, has an effect.
    """

    symbols: set[Any] | None = None
    simplified = False
    has_effects: bool | None = None


@dataclass(eq=False)
class Graph(GraphAnalyses):
    """A function in the IR: parameters, nodes in program order, results (nodes or constants).

    `reverses` holds what derivatives made of it: the augmented graph and its reverse, and under True those that answer
    for integers, too.
    """

    name: str
    params: list[Node] = field(default_factory=list[Node])
    nodes: list[Node] = field(default_factory=list[Node])
    outs: list[Any] = field(default_factory=list[Any])
    reverses: dict[bool, Any] = field(default_factory=dict[bool, Any])


class Flow:
    """An operator of the IR itself: control flow, projections, packing of residuals."""

    promote = False
    effect = None
    rule = None
    traits: frozenset[Any] = frozenset()      # these are what operators have
    dynamic_rule = None
    view = True               # a result may be what goes in

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name


ITEM = Flow("item")              # one result of a node with several


def strong_of(aval: Any) -> Any:
    """The aval of a node, one or several, without numbers."""
    return aval.strong if type(aval) is Aval else tuple([a.strong for a in aval])


def avals_of(node: Node) -> tuple[Aval, ...]:
    """The avals of a node's results, one or several."""
    return (node.aval,) if type(node.aval) is Aval else node.aval
