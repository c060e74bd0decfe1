"""Copies of graphs into the block under construction."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.compiler.ir import ITEM, Block, Graph, Node


def inline(graph: Graph, args: Sequence[Any]) -> list[Any]:
    """Emit a copy of the graph's nodes over `args`; returns what stands for its results."""
    env: dict[int, Any] = {id(p): a for p, a in zip(graph.params, args, strict=True)}
    append = Block.stack[-1].append
    for node in graph.nodes:
        ins = tuple([env.get(id(x), x) if type(x) is Node else x for x in node.inputs])
        twin = Node(node.op, ins, node.attrs, node.aval, node.loc)
        env[id(node)] = twin
        if node.op is ITEM:
            ins[0].items = (*ins[0].items, twin)
        append(twin)
    return [env.get(id(o), o) if type(o) is Node else o for o in graph.outs]
