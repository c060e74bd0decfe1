"""The text form of a graph, which errors, tests and documentation show.

    graph net(x0: f32[4,8], x1: f32[8,2]):
      %0 = MatMul(x0, x1)               : f32[4,2]     # model.py:12
      %1 = Softmax(%0, axis=-1)         : f32[4,2]     # model.py:13
      return %1

A `~` before a type says that the value is a Python number.
"""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from mindspore.core.dtype import DType

from .graph import Graph, Loc, Node, avals_of
from .origin import NOWHERE

Locs = bool | Callable[[Loc], str]


class Names:
    """The names of values in one text."""

    def __init__(self) -> None:
        self.known: dict[int, str] = {}
        self.count = 0

    def fresh(self, node: Node) -> str:
        self.known[id(node)] = f"%{self.count}"
        self.count += 1
        return self.known[id(node)]

    def of(self, value: Any) -> str:
        return self.known.get(id(value), "%?") if isinstance(value, Node) else repr(value)


def text(graph: Graph, locs: Locs = True) -> str:
    """The text of a graph and of the graphs that it calls.

    Args:
        locs: Whether the user's lines are shown beside the nodes; a function of a place gives a text that
            stands above the nodes of that place, as do the cells, functions and phase that they belong to.
    """
    todo, lines = [graph], list[str]()
    for one in todo:
        lines += _graph(one, "", Names(), todo, locs)
    return "\n".join(lines) + "\n"


def _graph(graph: Graph, pad: str, names: Names, todo: list[Graph], locs: Locs,
           head: str = "") -> list[str]:
    shown: list[str] = []
    for i, p in enumerate(graph.params):
        if pad:
            names.fresh(p)
        else:
            names.known[id(p)] = f"x{i}"
        shown.append(f"{names.known[id(p)]}: {p.aval}")
    lines = [f"{pad}{head}graph {graph.name}({', '.join(shown)}):"]
    if callable(locs):
        lines += [f"{pad}  # {names.of(p)}: {p.origin}" for p in graph.params if str(p.origin)]
    lines += _nodes(graph.nodes, pad + "  ", names, todo, locs)
    lines.append(f"{pad}  return {', '.join(map(names.of, graph.outs))}")
    return lines


def _nodes(nodes: list[Node], pad: str, names: Names, todo: list[Graph], locs: Locs) -> list[str]:
    lines: list[str] = []
    above = locs if callable(locs) else None
    last, origin = None, NOWHERE
    for node in nodes:
        inner: list[str] = []
        if above and node.loc and node.loc is not last:
            last = node.loc
            lines.append(f"{pad}# {above(last)}")
        if above and node.origin is not origin:
            origin = node.origin
            lines.append(f"{pad}# {origin}")
        args = [names.of(x) for x in node.inputs]
        for key, value in node.attrs.items():
            if not isinstance(value, Graph):
                args.append(f"{key}={_value(value)}")
            elif node.op.name == "call":
                args.append(f"graph={value.name!r}")
                if not any(value is g for g in todo):
                    todo.append(value)
            else:
                inner += _graph(value, pad + "  ", names, todo, locs, f"{key} = ")
        line = f"{pad}{names.fresh(node)} = {node.op.name}({', '.join(args)})"
        where = f"  # {_place(node)}".rstrip(" #") if locs is True else ""
        lines.append(f"{line:<44} : {_kind(node):<14}{where}".rstrip())
        lines += inner
    return lines


def _place(node: Node) -> str:
    """The user's line of a node, and the cells, functions and phase that it belongs to."""
    line = f"{os.path.basename(node.loc.file)}:{node.loc.line}" if node.loc else ""
    return f"{line} {node.origin}".strip()


def _kind(node: Node) -> str:
    several = type(node.aval) is tuple
    return f"({', '.join(map(str, avals_of(node)))})" if several else str(node.aval)


def _value(value: Any) -> str:
    """An attribute; dtypes by their short names."""
    return value.short if isinstance(value, DType) else repr(value)


Graph.__str__ = text  # pyright: ignore[reportAttributeAccessIssue]  # a graph is data and knows no text form
