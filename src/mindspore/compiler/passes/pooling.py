"""The maximum of rectified elements as the rectified maximum: the same numbers from a fraction of the elements."""
from __future__ import annotations

from collections import Counter

from mindspore.compiler.targets import Target
from mindspore.ir import ITEM, Graph, Node
from mindspore.operators.piecewise import relu
from mindspore.operators.pooling import max_pool


def pool_first(graph: Graph, target: Target | None = None) -> Graph:
    """max_pool(relu(x)) as relu(max_pool(x)), before derivatives are taken, in place.

    The derivatives are the same, too: where the maximum is not positive, both are zero wherever it was found.
    The node of the maxima becomes that of the result, since others hold it; the old ones stay for
    uses of the places or of the rectified elements, or are dropped with other dead nodes.
    """
    nodes = graph.nodes
    if not any([n.op is max_pool for n in nodes]):
        return graph
    uses = Counter([id(x) for n in nodes for x in n.inputs if type(x) is Node])
    uses.update(map(id, graph.outs))
    listed = {id(n) for n in nodes}
    kept: list[Node] = []
    for node in nodes:
        pool = node.inputs[0] if node.op is ITEM else None
        if type(pool) is Node and pool.op is max_pool and node is pool.items[0] and not uses[id(pool.items[1])]:
            rectified = pool.inputs[0]
            if type(rectified) is Node and rectified.op is relu and uses[id(rectified)] == 1 \
                    and id(rectified) in listed:
                kept += _rectified_later(node, pool, rectified)
        kept.append(node)
    graph.nodes = kept
    return graph


def _rectified_later(result: Node, pool: Node, rectified: Node) -> list[Node]:
    """Turn the node of the maxima of a pooling into their rectification; the nodes that go before it."""
    before = pool.like(max_pool, rectified.inputs, pool.attrs, pool.aval)
    before.with_items()
    pool.items = (pool.like(ITEM, (pool,), {"i": 0}, pool.aval[0]), pool.items[1])
    result.become(relu, before.items[:1], {}, rectified)
    return [before, *before.items]
