"""What a parameter holds is a leaf for derivatives; what runs needs the elements only."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.targets import Target
from mindspore.ir import Flow, Graph
from mindspore.operators.structure import assigned


def drop_leaves(graph: Graph, target: Target | None = None) -> Graph:
    """Let values take the place of `assigned(value, held)`, in a graph and in those of its control flow."""
    _drop(graph, set())
    return graph


def _drop(graph: Graph, seen: set[int]) -> None:
    if id(graph) in seen:              # graphs may call each other
        return
    seen.add(id(graph))
    values: dict[int, Any] = {}
    for node in graph.nodes:
        if values:
            node.inputs = tuple([values.get(id(x), x) for x in node.inputs])
        if node.op is assigned:
            value: Any = node.inputs[0]
            values[id(node)] = value
        elif type(node.op) is Flow:
            for inner in node.attrs.values():
                if isinstance(inner, Graph):
                    _drop(inner, seen)
    if values:
        graph.nodes = [node for node in graph.nodes if id(node) not in values]
        graph.outs = [values.get(id(o), o) for o in graph.outs]


__all__ = ["drop_leaves"]
