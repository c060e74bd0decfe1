"""Control flow of the IR.

    cond(test, *free) {then, orelse}      both graphs take `free`
    loop(*carried) {test, body}           body and test take the carried values; body returns them
    call(*inputs) {graph}                 a recursive function
    custom(*inputs) {graph, rule}         a function with a derivative of its own

A loop may push to and pop from stacks (attributes `pushes`, `pops`): the reverse of a loop that pops
p and pushes q stacks is a loop that pops q + 1 and pushes p.
"""
from __future__ import annotations

from typing import Any

from .build import param
from .graph import Flow, Graph, Node

ITEM, PACK, UNPACK = Flow("item"), Flow("pack"), Flow("unpack")
COND, LOOP, CALL, CUSTOM = Flow("cond"), Flow("loop"), Flow("call"), Flow("custom")
ZERO = Flow("zero")              # the cotangent of an opaque value that nothing contributed to
TREE_ADD = Flow("tree_add")      # the sum of two opaque cotangents


def graphs_in(graph: Graph) -> list[Graph]:
    """A graph and all graphs that its nodes own, each once: recursive functions own themselves."""
    found, seen = [graph], {id(graph)}
    for one in found:
        for node in one.nodes:
            if type(node.op) is not Flow:
                continue
            for value in node.attrs.values():
                if isinstance(value, Graph) and id(value) not in seen:
                    seen.add(id(value))
                    found.append(value)
    return found


def free_nodes(graph: Graph) -> dict[int, Node]:
    """The nodes that a graph uses but does not own, by id, in order of first use."""
    known = {id(n) for n in graph.params}
    known.update([id(n) for n in graph.nodes])
    free: dict[int, Node] = {}
    for node in graph.nodes:
        for x in node.inputs:
            if type(x) is Node and id(x) not in known:
                free.setdefault(id(x), x)
    for x in graph.outs:
        if type(x) is Node and id(x) not in known:
            free.setdefault(id(x), x)
    return free


def close(*graphs: Graph) -> list[Node]:
    """Turn the free nodes of the graphs into common extra parameters; return what they stand for."""
    free: dict[int, Node] = {}
    for graph in graphs:
        free |= free_nodes(graph)
    for graph in graphs:
        swap = {key: param(node.aval) for key, node in free.items()}
        graph.params += swap.values()
        substitute(graph, swap)
        for node in graph.nodes:         # a recursive call hands the captured values on
            if node.op is CALL and node.attrs["graph"] is graph:
                node.inputs += tuple(swap.values())
    return list(free.values())


def substitute(graph: Graph, swap: dict[int, Any]) -> None:
    """Replace nodes by id throughout a graph."""
    if not swap:
        return
    for node in graph.nodes:
        node.inputs = tuple([swap.get(id(x), x) if type(x) is Node else x for x in node.inputs])
    graph.outs = [swap.get(id(x), x) if type(x) is Node else x for x in graph.outs]
