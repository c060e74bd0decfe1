"""One forward sweep (local rules, common sub-expressions) and one backward sweep (dead nodes)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.compiler.targets import Target
from mindspore.core.kinds import type_of
from mindspore.ir import (
    CALL,
    COND,
    CUSTOM,
    ITEM,
    LOOP,
    PACK,
    UNPACK,
    Flow,
    Graph,
    Node,
    recording,
)
from mindspore.ir.origin import NOWHERE
from mindspore.ir.runtime import runtime

RULES: dict[Any, list[Callable[..., Any]]] = {}


def rule(op: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a local rule for nodes of one operator.

    The rule is called as `rule(*inputs, **attrs)` and returns a replacement (a node, or a constant
    where the graph allows one) or None.  The driver takes it only if it has the node's aval.
    """
    def register(fn: Callable[..., Any]) -> Callable[..., Any]:
        RULES.setdefault(op, []).append(fn)
        return fn
    return register


def simplify(graph: Graph, target: Target | None = None) -> Graph:
    """Simplify a graph in place, sub-graphs first; idempotent."""
    for node in graph.nodes:
        for value in node.attrs.values() if type(node.op) is Flow else ():
            if isinstance(value, Graph) and not value.simplified:
                value.simplified = True  # also ends recursion
                simplify(value)
    _forward(graph)
    _backward(graph)
    return graph


def _forward(graph: Graph) -> None:
    env: dict[int, Any] = {}
    seen: dict[Any, Node] = {}
    kept: list[Node] = []
    get = env.get
    with recording(kept):
        for node in graph.nodes:
            ins = node.inputs
            for x in ins:
                if id(x) in env:
                    node.inputs = ins = tuple([get(id(y), y) if type(y) is Node else y for y in ins])
                    break
            op = node.op
            if op is ITEM:
                if id(node) in env:
                    continue
                kept.append(node)
                continue
            rules = RULES.get(op)
            if rules:
                runtime.loc, runtime.origin = node.loc, node.origin
                replacement = _rewritten(node, rules)
                if replacement is not None:
                    env[id(node)] = replacement
                    continue
            if (op.effect is None and op.dynamic_rule is None) if type(op) is not Flow else (
                    op not in _CONTROL and not _measures(node) and not (op is CALL and has_effects(node))):
                same = _known(node, ins, seen)
                if same is not node:
                    env[id(node)] = same
                    for mine, theirs in zip(node.items, same.items, strict=True):
                        env[id(mine)] = theirs
                    continue
            kept.append(node)
    runtime.loc, runtime.origin = None, NOWHERE
    graph.nodes = kept
    graph.outs = [get(id(o), o) if type(o) is Node else o for o in graph.outs]


_CONTROL = {COND, LOOP, CUSTOM, PACK, UNPACK}


def _rewritten(node: Node, rules: list[Callable[..., Any]]) -> Any:
    for fn in rules:
        mark = len(runtime.blocks[-1])
        found = fn(*node.inputs, **node.attrs)
        if found is None:
            continue
        if type(found) is Node and found.aval.strong == node.aval.strong:
            return found
        del runtime.blocks[-1][mark:]
    return None


def _known(node: Node, ins: tuple[Any, ...], seen: dict[Any, Node]) -> Node:
    """An earlier node with the same value, or the node itself."""
    try:
        key: Any = (node.op, tuple([id(x) if type(x) is Node else (type_of(x), repr(x)) for x in ins]),
                    tuple([(k, repr(v) if type(v) is float else v) for k, v in node.attrs.items()])
                    if node.attrs else ())      # 0.0 and -0.0 are equal, but not the same
        return seen.setdefault(key, node)
    except TypeError:                      # an attribute that cannot be hashed
        return node


def _backward(graph: Graph) -> None:
    live = {id(o) for o in graph.outs}
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if id(node) in live or node.op.effect is not None or has_effects(node) or _measures(node):
            kept.append(node)
            for x in node.inputs:
                if type(x) is Node:
                    live.add(id(x))
    kept.reverse()
    graph.nodes = kept


def _measures(node: Node) -> bool:
    """Whether other nodes may take a size from a node without using its result."""
    if node.op is UNPACK:
        return bool(node.attrs.get("sizes"))
    return node.op.dynamic_rule is not None


def has_effects(node: Node) -> bool:
    """Whether a node of control flow has an effect inside."""
    return any(_graph_has_effects(value) for value in node.attrs.values() if isinstance(value, Graph))


def _graph_has_effects(graph: Graph) -> bool:
    if graph.has_effects is None:
        todo, seen = [graph], {id(graph)}
        for one in todo:                   # graphs may call each other
            for node in one.nodes:
                if node.op.effect is not None:
                    graph.has_effects = True
                    return True
                inner = [v for v in node.attrs.values() if isinstance(v, Graph) and id(v) not in seen]
                seen.update(map(id, inner))
                todo += inner
        graph.has_effects = False
    return graph.has_effects
