"""Recognise attention that a program wrote out: softmax(q @ k^T * scale + mask) @ v."""
from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from mindspore.compiler.targets import Target
from mindspore.ir import ITEM, Graph, Node
from mindspore.operators import arithmetic, structure
from mindspore.operators.attention import attention
from mindspore.operators.matmul import batch_mat_mul, batched_matmul
from mindspore.operators.softmaxes import softmax


class Match(NamedTuple):
    """The parts of one attention."""

    q: Node
    k: Node
    mask: Any
    scale: float


def fuse_attention(graph: Graph, target: Target | None = None) -> Graph:
    """Replace written-out attention, before derivatives are taken, in place."""
    nodes = graph.nodes
    if not any(n.op is softmax for n in nodes):
        return graph
    uses = Counter([id(x) for n in nodes for x in n.inputs if type(x) is Node])
    uses.update(map(id, graph.outs))
    fused: list[Node] = []
    for node in nodes:
        weights = node.inputs[0] if node.op in (batched_matmul, batch_mat_mul) else None
        if type(weights) is Node and weights.op is softmax and uses[id(weights)] == 1 \
                and not _turned(node):
            found = _match(weights, uses)
            if found is not None and (kept := _replace(node, found, fused)) is not None:
                fused += [node, kept]
                continue
        fused.append(node)
    graph.nodes = fused
    return graph


def _turned(product: Node) -> bool:
    return any(product.attrs.values())


def _match(weights: Node, uses: Counter[int]) -> Match | None:
    x = weights.inputs[0]
    rank = len(x.shape)
    if weights.attrs.get("axis", -1) not in (-1, rank - 1) or rank != 4:
        return None
    mask, scale = None, 1.0
    if x.op is arithmetic.add and uses[id(x)] == 1:
        a, b = x.inputs
        scores, mask = (a, b) if _is_scores(a, uses) else (b, a)
        if type(mask) is not Node or mask.shape == () or type(scores) is not Node:
            return None
        x = scores
    if x.op in (arithmetic.mul, arithmetic.div) and uses[id(x)] == 1:
        inner, number = x.inputs
        if type(number) not in (int, float) or type(inner) is not Node or number == 0:
            return None
        scale = float(number) if x.op is arithmetic.mul else 1.0 / number
        x = inner
    if not _is_product(x, uses):
        return None
    q, k = x.inputs
    if x.attrs.get("transpose_b"):
        return None if x.attrs.get("transpose_a") else Match(q, k, mask, scale)
    if _turned(x) or k.op is not structure.transpose or tuple(
            p % 4 for p in k.attrs["perm"]) != (0, 1, 3, 2):
        return None
    return Match(q, k.inputs[0], mask, scale)


def _is_product(x: Any, uses: Counter[int]) -> bool:
    return type(x) is Node and x.op in (batched_matmul, batch_mat_mul) and uses[id(x)] == 1


def _is_scores(x: Any, uses: Counter[int]) -> bool:
    """Whether an operand of the masking sum is the product, scaled or not."""
    if type(x) is Node and x.op in (arithmetic.mul, arithmetic.div):
        x = x.inputs[0]
    return _is_product(x, uses)


def _replace(node: Node, found: Match, fused: list[Node]) -> Node | None:
    """Let the node that gave the product with the values project it from one attention node.

    Returns the projection of what the reverse needs; None if the operator does not take this case.
    """
    v = node.inputs[1]
    inputs = (found.q, found.k, v, found.mask)
    try:
        avals = attention.infer(*[x.aval if type(x) is Node else x for x in inputs], scale=found.scale)
    except (TypeError, ValueError):
        return None                   # other ranks or mixed dtypes: the composition stays
    if avals[0] != node.aval or any(type(x) is Node and x.dtype is not node.dtype for x in inputs):
        return None
    whole = node.like(attention, inputs, {"scale": found.scale}, avals)
    kept = node.like(ITEM, (whole,), {"i": 1}, avals[1])
    node.become(ITEM, (whole,), {"i": 0})
    whole.items = (node, kept)
    fused.append(whole)
    return kept
