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

PACK, UNPACK = Flow("pack"), Flow("unpack")
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
    """Turn the free nodes of the graphs into common extra parameters; return the nodes that the parameters replace."""
    free: dict[int, Node] = {}
    for graph in graphs:
        free |= free_nodes(graph)
    for graph in graphs:
        swap = {key: param(node.aval) for key, node in free.items()}
        graph.params += swap.values()
        substitute(graph, swap)
    return list(free.values())


def thread_captures(graph: Graph, free: list[Node]) -> list[Graph]:
    """Let recursive calls inside of a graph pass on its last parameters, which replace the `free` nodes.

    They get there through further parameters of the graphs around them; those graphs are returned.
    """
    if not free:
        return []
    extra = {id(graph): graph.params[-len(free):]}
    inner = _calling(graph)
    for one in inner:
        extra[id(one)] = [param(node.aval) for node in free]
        one.params += extra[id(one)]
    for one in [graph, *inner]:
        for node in one.nodes:
            if any(id(v) in extra for v in node.attrs.values()):
                node.inputs += tuple(extra[id(one)])
    return inner


def _calling(graph: Graph) -> list[Graph]:
    """The graphs inside of a graph that call it, directly or through others, and those that share their inputs."""
    found = {id(one): one for one in graphs_in(graph)}
    owners: list[tuple[Graph, list[Graph]]] = []
    for one in found.values():
        inner = [[v for v in node.attrs.values() if isinstance(v, Graph)] for node in one.nodes if node.attrs]
        owners += [(one, graphs) for graphs in inner if graphs]
    calling = {id(graph)}
    while True:
        more = {id(g) for one, inner in owners if any(id(v) in calling for v in inner)
                for g in (one, *inner)} - calling
        if not more:
            return [found[key] for key in calling - {id(graph)}]
        calling |= more


def substitute(graph: Graph, swap: dict[int, Any]) -> None:
    """Replace nodes by id throughout a graph."""
    if not swap:
        return
    for node in graph.nodes:
        node.inputs = tuple([swap.get(id(x), x) if type(x) is Node else x for x in node.inputs])
    graph.outs = [swap.get(id(x), x) if type(x) is Node else x for x in graph.outs]
