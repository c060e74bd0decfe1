"""Copies of graphs into the block under construction."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.ir import ITEM, Flow, Graph, Node, recording, strong_of
from mindspore.ir.runtime import runtime


def copied(graph: Graph, known: dict[int, Graph] | None = None) -> Graph:
    """A graph with nodes and sub-graphs of its own."""
    known = {} if known is None else known
    if id(graph) in known:                         # recursive functions own themselves
        return known[id(graph)]
    twin = known[id(graph)] = Graph(graph.name, [p.like(None, (), {}, p.aval) for p in graph.params])
    twin.simplified = graph.simplified
    with recording(twin.nodes):
        twin.outs = inline(graph, twin.params, unused=False)
    for node in twin.nodes:
        if type(node.op) is Flow and node.op is not ITEM:
            node.attrs = {k: copied(v, known) if isinstance(v, Graph) else v for k, v in node.attrs.items()}
    return twin


def inline(graph: Graph, args: Sequence[Any], strong: bool = False, unused: bool = True) -> list[Any]:
    """Emit a copy of the graph's nodes over `args`; returns the nodes of its results.

    With `strong`, numbers in it become tensors, as rules of operators expect.  Projections that are not used are not
    listed in a graph; with `unused` they are in the copy, whose reverse may need them.
    """
    env: dict[int, Any] = {id(p): a for p, a in zip(graph.params, args, strict=True)}
    block = runtime.blocks[-1]
    for node in graph.nodes:
        if node.op is ITEM and id(node) in env:            # its owner has brought it
            if not unused:
                block.append(env[id(node)])
            continue
        ins = tuple([env.get(id(x), x) if type(x) is Node else x for x in node.inputs])
        twin = env[id(node)] = node.like(node.op, ins, node.attrs, strong_of(node.aval) if strong else node.aval)
        block.append(twin)
        if node.items:
            twin.items = tuple([m.like(ITEM, (twin,), m.attrs, twin.aval[i]) for i, m in enumerate(node.items)])
            env.update([(id(m), t) for m, t in zip(node.items, twin.items, strict=True)])
            if unused:
                block += twin.items
    return [env.get(id(o), o) if type(o) is Node else o for o in graph.outs]
