"""Recognise the reverse of attention that a program wrote out, where only the reverse is a graph (`compiler.replay`).

    dw = dout @ v'; s = softmax_grad(dw, w) * factor; dv = w' @ dout; dq = s @ k; dk = s' @ q
"""
from __future__ import annotations

from typing import Any, NamedTuple

from mindspore.compiler.targets import Target
from mindspore.ir import ITEM, Graph, Node
from mindspore.operators import arithmetic, structure
from mindspore.operators.attention import attention_grad
from mindspore.operators.matmul import batch_mat_mul, batched_matmul
from mindspore.operators.softmaxes import softmax_grad

from .products import heads_of

_PRODUCTS = (batched_matmul, batch_mat_mul)
_LAST_TWO = (0, 1, 3, 2)


class _Parts(NamedTuple):
    """The nodes of one; with `turned` keys are given, and their cotangent asked for, with the last axes exchanged."""

    dout: Node
    q: Node
    k: Node
    v: Node
    weights: Node
    scale: float
    results: tuple[Node, Node, Node]
    turned: bool


def fuse_attention_reverse(graph: Graph, target: Target | None = None) -> Graph:
    """Put one operator in place of the products and of what is between them."""
    users: dict[int, list[Node | None]] = {}
    for node in graph.nodes:
        for x in node.inputs:
            if type(x) is Node:
                users.setdefault(id(x), []).append(node)
    for x in graph.outs:
        users.setdefault(id(x), []).append(None)
    for node in [n for n in graph.nodes if n.op is softmax_grad]:
        parts = _matched(node, users)
        if parts is not None:
            _replace(graph, parts)
    return graph


def _turns(node: Node) -> tuple[bool, bool]:
    return bool(node.attrs.get("transpose_a")), bool(node.attrs.get("transpose_b"))


def _product(node: Any, *turns: bool) -> bool:
    return type(node) is Node and node.op in _PRODUCTS and len(node.shape) == 4 and _turns(node) == turns


def _matched(softmax: Node, users: dict[int, list[Node | None]]) -> _Parts | None:
    """What a node is the middle of; None if it is not."""
    dw, weights = softmax.inputs[:2]
    if len(softmax.shape) != 4 or softmax.attrs.get("axis", -1) not in (-1, 3) or not _product(
            dw, False, True) or users[id(dw)] != [softmax]:
        return None
    dout, v = dw.inputs[:2]
    values = [n for n in users[id(weights)] if n is not None and _product(n, True, False) and n.inputs[0] is weights
              and n.inputs[1] is dout]
    scores, scale = _scaled(softmax, users)
    found = [n for n in users.get(id(scores), []) if n is not None]
    if len(values) != 1 or len(found) != 2 or len(users[id(scores)]) != 2:
        return None
    for dq, dk in (found, found[::-1]):
        for turned in (False, True):
            if turned:       # scores = q @ t, t with the last axes of k exchanged
                fits = _product(dq, False, True) and dq.inputs[0] is scores and _product(
                    dk, True, False) and dk.inputs[1] is scores
            else:
                fits = _product(dq, False, False) and dq.inputs[0] is scores and _product(
                    dk, True, False) and dk.inputs[0] is scores
            if fits:
                q = dk.inputs[0 if turned else 1]
                return _Parts(dout, q, dq.inputs[1], v, weights, scale, (dq, dk, values[0]), turned)
    return None


def _scaled(softmax: Node, users: dict[int, list[Node | None]]) -> tuple[Node, float]:
    """The cotangent of the products of queries and keys, and what that of the weights' exponents is multiplied by."""
    found = users.get(id(softmax), [])
    node = found[0] if len(found) == 1 else None
    if node is not None and node.op in (arithmetic.mul, arithmetic.div):
        number: Any = node.inputs[1]
        if node.inputs[0] is softmax and type(number) in (int, float) and number:
            return node, number if node.op is arithmetic.mul else 1.0 / number
    return softmax, 1.0


def _replace(graph: Graph, parts: _Parts) -> None:
    """Write the operator before the first of the products, which find their operands there."""
    dq, dk, dv = parts.results
    made: list[Node] = []
    k = parts.k
    if parts.turned:
        k = dk.like(structure.transpose, (k,), {"perm": _LAST_TWO}, dq.aval._replace(
            shape=tuple([k.shape[i] for i in _LAST_TWO])))
        made.append(k)
    avals = parts.q.aval, k.aval, parts.v.aval
    node = dq.like(attention_grad, (parts.dout, parts.q, k, parts.v, None, parts.dout, parts.weights),
                   {"scale": parts.scale}, avals)
    if heads_of(node) is None or (avals[0], avals[2]) != (dq.aval, dv.aval):
        return
    made += [node, *node.with_items()]
    new_k = node.items[1]
    if parts.turned:
        new_k = dk.like(structure.transpose, (new_k,), {"perm": _LAST_TWO}, dk.aval)
        made.append(new_k)
    renamed = {id(dq): node.items[0], id(dk): new_k, id(dv): node.items[2]}
    at = min([k for k, n in enumerate(graph.nodes) if id(n) in renamed])
    rest = [n for n in graph.nodes[at:] if id(n) not in renamed]
    graph.nodes[at:] = [*made, *rest]
    for n in rest:
        if n.op is not ITEM:
            n.inputs = tuple([renamed.get(id(x), x) for x in n.inputs])
    graph.outs = [renamed.get(id(o), o) for o in graph.outs]


__all__ = ["fuse_attention_reverse"]
