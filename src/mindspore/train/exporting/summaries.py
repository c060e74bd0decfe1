"""Summaries are for who watches a program; a file of a model has nobody who does."""
from __future__ import annotations

from mindspore.ir import Flow, Graph
from mindspore.operators.summary import record_summary


def without_summaries(graph: Graph) -> Graph:
    """Leave out what is given to summary operators, in a graph and in those of its control flow."""
    _leave_out(graph, set())
    return graph


def _leave_out(graph: Graph, seen: set[int]) -> None:
    if id(graph) in seen:              # graphs may call each other
        return
    seen.add(id(graph))
    graph.nodes = [node for node in graph.nodes if node.op is not record_summary]
    for node in graph.nodes:
        if type(node.op) is Flow:
            for inner in node.attrs.values():
                if isinstance(inner, Graph):
                    _leave_out(inner, seen)
