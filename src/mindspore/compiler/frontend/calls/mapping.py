"""The graph of a function that is to run over slices of its inputs."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore.compiler.frontend.objects import aliasing
from mindspore.compiler.frontend.objects.places import Elements, Value
from mindspore.compiler.frontend.objects.probe import Probe
from mindspore.compiler.frontend.objects.reach import visible
from mindspore.compiler.frontend.objects.state import lift, tensor_of
from mindspore.compiler.frontend.values.leaves import is_leaf
from mindspore.ir import ITEM, Flow, Graph, Node, close, param, recording, tree
from mindspore.ir.runtime import runtime


def traced(name: str, run: Callable[..., Any], avals: Sequence[Any]) -> tuple[Graph, Any, list[Node], list[int]] | None:
    """The closed graph of `run` over parameters of these avals, its result, and what it captures.

    The last results of the graph are the new elements of the parameters that are changed in place; which those are
    comes last. None if it does more than compute: if it prints, draws random numbers, changes objects, or branches
    by the elements of tensors.
    """
    graph = Graph(name, [param(a) for a in avals])
    probe = Probe()
    try:
        with recording(graph.nodes):
            found = run(*graph.params)
            graph.outs = [tensor_of(lift(v)) for v in tree.leaves(found, is_leaf)]
            result = tree.rebuild(found, is_leaf, iter(graph.outs))
    finally:
        changes = probe.drop()
    places = [c.place for c in changes.values()]
    if any(type(p) is Value or (not aliasing.inner(p) and visible(runtime.trace, p.owner)) for p in places) or not all(
            map(_computes, graph.nodes)):
        return None
    held = {id(c.place.owner): c.after for c in changes.values() if type(c.place) is Elements}
    changed = [k for k, p in enumerate(graph.params) if id(p) in held]
    if any([held[id(graph.params[k])] is aliasing.UNKNOWN for k in changed]):
        return None
    graph.outs += [held[id(graph.params[k])] for k in changed]
    return graph, result, close(graph), changed


def _computes(node: Node) -> bool:
    op: Any = node.op
    if isinstance(op, Flow):
        return op is ITEM
    return op.effect is None and op.dynamic_rule is None and not any(
        getattr(v, "calls_back", False) for v in node.attrs.values())
