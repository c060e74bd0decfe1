"""Recomputation: the reverse of a call computes its values again instead of keeping them.

Chen et al., Training deep nets with sublinear memory cost, 2016.  The call is a node with a graph of
its own; its rule emits the graph's nodes a second time, next to the reverse of each.  Between forward
and reverse only the inputs live, and the random numbers that were drawn.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore.compiler.autodiff.copying import inline
from mindspore.compiler.autodiff.reverse import Sweep
from mindspore.compiler.passes.simplify import has_effects
from mindspore.core import log
from mindspore.ir import ITEM, Graph, Node
from mindspore.ir.runtime import runtime

from .custom import Region, enclosed


def recomputed(name: str, body: Callable[..., Any], args: tuple[Any, ...],
               kwargs: dict[str, Any]) -> Any:
    """`body(*args, **kwargs)`, with the reverse computing it again; in such a call it is as any other."""
    trace = runtime.trace
    if trace.recomputing:
        return body(*args, **kwargs)
    trace.recomputing = True
    try:
        return enclosed(name, body, _rule_of, args, kwargs)
    finally:
        trace.recomputing = False


def _rule_of(region: Region) -> Any:
    graph = region.graph
    if any(has_effects(n) for n in graph.nodes):
        log.warning("'%s' is not computed again in the reverse pass, because it draws random numbers or prints "
                    "in a branch of an 'if' or in a loop; its values stay in memory.", graph.name)
        return None
    count = len(graph.outs)
    graph.outs += [o for n in graph.nodes if n.op.effect == "random" for o in n.items or (n,)]

    def rule(ins: Sequence[Any], outs: Sequence[Any], douts: Sequence[Any]) -> list[Any]:
        block = runtime.blocks[-1]
        start = len(block)
        nodes = [n for n in graph.nodes if _owner(n).op.effect in (None, "random")]
        again = inline(Graph(graph.name, graph.params, nodes, graph.outs), ins)
        sweep = Sweep(block[start:], ins)
        sweep.block = block                        # where residuals of control flow are put
        found = sweep.run(again[:count], douts[:count])
        return _with_first_draws(block, start, again[count:], outs[count:], found)
    return rule


def _owner(node: Node) -> Node:
    """The node itself, or the one of whose results it is one."""
    return node.inputs[0] if node.op is ITEM else node


def _with_first_draws(block: list[Node], start: int, drawn: Sequence[Node], first: Sequence[Node],
                      found: list[Any]) -> list[Any]:
    """Put what was drawn in the forward pass in place of what would be drawn again."""
    swap = {id(again): once for again, once in zip(drawn, first, strict=True)}
    gone = {id(n) for again in drawn for n in (again, _owner(again))}
    block[start:] = [n for n in block[start:] if id(n) not in gone]
    for node in block[start:]:
        node.inputs = tuple([swap.get(id(x), x) if type(x) is Node else x for x in node.inputs])
    return [swap.get(id(d), d) if type(d) is Node else d for d in found]
