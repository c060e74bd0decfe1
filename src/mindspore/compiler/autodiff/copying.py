"""Copies of graphs into the block under construction."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.ir import ITEM, Graph, Node, strong_of
from mindspore.ir.runtime import runtime


def inline(graph: Graph, args: Sequence[Any], strong: bool = False) -> list[Any]:
    """Emit a copy of the graph's nodes over `args`; returns what stands for its results.

    With `strong`, numbers in it become tensors, as rules of operators expect.
    """
    env: dict[int, Any] = {id(p): a for p, a in zip(graph.params, args, strict=True)}
    append = runtime.blocks[-1].append
    for node in graph.nodes:
        if node.op is ITEM and id(node) in env:
            append(env[id(node)])
            continue
        ins = tuple([env.get(id(x), x) if type(x) is Node else x for x in node.inputs])
        twin = env[id(node)] = node.like(node.op, ins, node.attrs, strong_of(node.aval) if strong else node.aval)
        if node.items:             # all of them: those that nobody uses are in no list of nodes
            twin.items = tuple([m.like(ITEM, (twin,), m.attrs, twin.aval[i]) for i, m in enumerate(node.items)])
            env.update([(id(m), t) for m, t in zip(node.items, twin.items, strict=True)])
        append(twin)
    return [env.get(id(o), o) if type(o) is Node else o for o in graph.outs]
