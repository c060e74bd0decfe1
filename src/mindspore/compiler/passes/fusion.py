"""Fusion of arithmetic into torch's combined kernels, where an intermediate value has no other use."""
from __future__ import annotations

from collections import Counter
from typing import Any

from mindspore.compiler.targets import Target
from mindspore.ir import Flow, Graph, Node
from mindspore.operators import arithmetic, fused
from mindspore.operators.getitem import get_item_grad
from mindspore.operators.joining import stack


def join_slices(graph: Graph, target: Target | None = None) -> Graph:
    """Sums of cotangents of x[0], x[1], ... as one stack, where together they cover `x` once."""
    parts: dict[int, dict[int, Any]] = {}
    for node in graph.nodes:
        if node.op is get_item_grad:
            spec, shape = node.attrs["spec"], node.attrs["shape"]
            if len(spec) == len(node.inputs) == 1 and shape and type(spec[0]) is type(shape[0]) is int:
                parts[id(node)] = {spec[0] % shape[0]: node.inputs[0]}
        elif node.op is arithmetic.add and all(id(x) in parts for x in node.inputs):
            a, b = [parts[id(x)] for x in node.inputs]
            if a.keys() & b.keys():
                continue
            joined = parts[id(node)] = a | b
            if len(joined) == node.shape[0]:
                node.become(stack, tuple([joined[i] for i in range(len(joined))]), {"axis": 0})
    return graph


def fuse_arithmetic(graph: Graph, target: Target | None = None) -> Graph:
    """a + b * c, a - b * c and a + b * number as one node each, in the graph and its sub-graphs."""
    _fuse(graph, set())
    return graph


def _fuse(graph: Graph, seen: set[int]) -> None:
    if id(graph) in seen:
        return
    seen.add(id(graph))
    products = {id(n) for n in graph.nodes if n.op is arithmetic.mul}
    uses = Counter([id(x) for n in graph.nodes for x in n.inputs if id(x) in products])
    uses.update([id(o) for o in graph.outs if id(o) in products])
    gone: set[int] = set()
    for node in graph.nodes:
        for value in node.attrs.values() if type(node.op) is Flow else ():
            if isinstance(value, Graph):
                _fuse(value, seen)
        if node.op in (arithmetic.add, arithmetic.sub) and node.aval.dtype.is_floating:
            product = _fuse_product(node, uses)
            if product is not None:
                gone.add(id(product))
    if gone:
        graph.nodes = [n for n in graph.nodes if id(n) not in gone]


def _fuse_product(node: Node, uses: Counter[int]) -> Node | None:
    """Turn a sum with a product into one node; the product that it replaces, or None."""
    x, y = node.inputs
    sign = 1.0 if node.op is arithmetic.add else -1.0
    choices = [(x, y), (y, x)] if sign > 0 else [(x, y)]
    for rest, product in choices:
        if type(product) is not Node or product.op is not arithmetic.mul or type(rest) is not Node:
            continue
        if uses[id(product)] != 1 or rest.aval.strong != node.aval.strong:
            continue
        a, b = product.inputs
        if product is rest:
            continue
        if type(a) is Node and type(b) is Node:
            if a.aval.dtype is b.aval.dtype is node.aval.dtype:
                node.become(fused.multiply_add, (rest, a, b), {"value": sign})
                return product
        elif type(a) is Node or type(b) is Node:
            tensor: Any
            number: Any
            tensor, number = (a, b) if type(a) is Node else (b, a)
            if type(number) in (int, float) and tensor.aval.dtype is node.aval.dtype:
                node.become(fused.scaled_add, (rest, tensor), {"alpha": sign * number})
                return product
    return None
