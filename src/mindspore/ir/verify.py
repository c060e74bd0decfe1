"""The invariants of a graph, as code; tests run them after every pass."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import bool_, float64, int64

from .flow import CALL
from .graph import ITEM, Aval, Flow, Graph, Node, avals_of, strong_of


def verify(graph: Graph) -> None:
    """Check order, types and closedness of a graph and its sub-graphs.

    Raises:
        ValueError: Naming the graph and the node that breaks an invariant.
    """
    _verify(graph, set())


def _verify(graph: Graph, seen: set[int]) -> None:
    if id(graph) in seen:
        return
    seen.add(id(graph))
    known = {id(p) for p in graph.params}
    if not all([_is_possible(p.aval) for p in graph.params]):
        raise ValueError(f"Graph '{graph.name}': the type of a parameter is no type of a number.")
    for place, node in enumerate(graph.nodes):
        def fail(what: str, place: int = place, node: Node = node) -> ValueError:
            return ValueError(f"Graph '{graph.name}', node {place} ({node.op.name}): {what}.")
        for x in node.inputs:
            if type(x) is Node and id(x) not in known:
                raise fail("an input is neither a parameter nor an earlier node")
        _check_aval(node, fail)
        for key, value in node.attrs.items():
            if isinstance(value, Graph):
                _check_sub_graph(node, key, value, fail)
                _verify(value, seen)
        known.add(id(node))
    for out in graph.outs:
        if type(out) is Node and id(out) not in known:
            raise ValueError(f"Graph '{graph.name}': a result is no node of the graph.")


def _check_aval(node: Node, fail: Any) -> None:
    if not all(map(_is_possible, avals_of(node))):
        raise fail(f"{_shown(list(avals_of(node)))} is no type of a number")
    if node.op is ITEM:
        owner, i = node.inputs[0], node.attrs["i"]
        if owner.aval[i] != node.aval:
            raise fail(f"its type is {node.aval}, but result {i} is {owner.aval[i]}")
        if not any(item is node for item in owner.items):
            raise fail("its owner does not know it")
    elif not isinstance(node.op, Flow) and node.op.dynamic_rule is None:
        ins = [x.aval if type(x) is Node else x for x in node.inputs]
        found = node.op.infer(*ins, **node.attrs)
        if found != strong_of(node.aval):
            raise fail(f"its type is {node.aval}, but the operator's rule says {found}")


def _check_sub_graph(node: Node, key: str, graph: Graph, fail: Any) -> None:
    given: tuple[Any, ...] = node.inputs[1:] if key in ("then", "orelse") else node.inputs
    if node.op is CALL or key in ("then", "orelse", "graph"):
        wanted = [p.aval.strong for p in graph.params]        # a pass may put a tensor in a number's place
        got = [x.aval.strong for x in given if type(x) is Node]
        if wanted != got:
            raise fail(f"'{key}' takes {_shown(wanted)}, but gets {_shown(got)}")
        outs = [o.aval.strong for o in graph.outs if type(o) is Node]
        if len(outs) == len(graph.outs) and outs != list(strong_of(node.aval)):
            raise fail(f"'{key}' returns {_shown(outs)}, but the node {_shown(list(node.aval))}")


def _is_possible(aval: Aval) -> bool:
    """Whether an aval is not of a number that Python does not have."""
    return not aval.weak or (aval.shape == () and aval.dtype in (bool_, int64, float64))


def _shown(avals: list[Aval]) -> str:
    return f"({', '.join(map(str, avals))})"
