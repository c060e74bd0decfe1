"""Large products of matrices, and attention, by generated code, which is faster than the vendor's where measured."""
from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import (
    Attention,
    AttentionReverse,
    MatrixProduct,
    heads,
    product,
)
from mindspore.compiler.kernels.native import machine
from mindspore.compiler.targets import Target
from mindspore.core.dtype import float32
from mindspore.ir import ITEM, Aval, Flow, Graph, Node
from mindspore.ir.flow import graphs_in
from mindspore.ir.graph import avals_of
from mindspore.operators import fused
from mindspore.operators.attention import attention, attention_grad, is_blocked
from mindspore.operators.choices import choices
from mindspore.operators.joining import stack
from mindspore.operators.matmul import batched_matmul, dense, mat_mul

_LANES = 8                   # of vectors, at least: shorter ones mean no multiplication and addition in one


def generate_products(graph: Graph, target: Target | None = None) -> Graph:
    """Put generated products in place of large ones, in a graph and in those of its control flow."""
    if target is None or (target.device == "cpu" and available() and machine().width >= _LANES):
        for one in graphs_in(graph):
            _in(one)
    return graph


def expect_products(graph: Graph, target: Target | None = None) -> Graph:
    """Let the code for large products be made while the graph is differentiated and written, if there are any."""
    if (target is None or target.device == "cpu") and available():
        product.expect(_extents(n, form[1]) for n in graph.nodes if (form := _form(n)))
        if any(heads_of(n) for n in graph.nodes):
            heads.expect()
    return graph


def _form(node: Node) -> tuple[bool, bool] | None:
    """Whether the operands of a large product are transposed; None for other nodes."""
    turned = _turned(node)
    return turned if turned is not None and _suits(node, *turned) else None


def _in(graph: Graph) -> None:
    join_cotangents(graph)
    for node in graph.nodes:
        if type(node.op) is Flow:
            continue
        found, shape = _form(node), heads_of(node)
        if found is not None:
            x, y = node.inputs[:2]
            becomes(node, MatrixProduct(x.aval, y.aval, *found, node.aval), node.inputs)
        elif shape is not None:
            made, at = (Attention, (0, 1, 2, 3)) if node.op is attention else (AttentionReverse, _REVERSE)
            becomes(node, made(shape, node.attrs["scale"], avals_of(node)), [node.inputs[k] for k in at])


def join_cotangents(graph: Graph) -> None:
    """Let the reverse of attention write the cotangents of query, key and value where one operator stacks them."""
    users: dict[int, list[Node | None]] = {}
    for node in graph.nodes:
        for x in node.inputs if node.op is not ITEM else ():
            if type(x) is Node:
                users.setdefault(id(x), []).append(node)
    for out in graph.outs:
        if type(out) is Node:
            users.setdefault(id(out), []).append(None)
    gone: set[int] = set()
    for node in graph.nodes:
        shape = heads_of(node) if node.op is attention_grad else None
        joined = users.get(id(node.items[0]), [None])[0] if shape else None
        if joined is not None and shape and _stacks(joined, node) and all(users[id(x)] == [joined] for x in node.items):
            made = AttentionReverse(shape, node.attrs["scale"], (joined.aval,))
            becomes(node, made, [node.inputs[k] for k in _REVERSE])
            joined.become(node.op, node.inputs, node.attrs, node)
            gone |= {id(n) for n in (node, *node.items)}
    if gone:
        graph.nodes = [n for n in graph.nodes if id(n) not in gone]


def _stacks(node: Node, reverse: Node) -> bool:
    """Whether a node stacks the results of the reverse of attention, which have one shape, and nothing else."""
    return (node.op is stack and node.attrs.get("axis", 0) == 0 and len(set(reverse.aval)) == 1
            and list(map(id, node.inputs)) == list(map(id, reverse.items)))


_REVERSE = 0, 1, 2, 3, 6      # the inputs of the operator that the kernel takes


def becomes(node: Node, kernel: Any, inputs: Sequence[Any]) -> None:
    """Let a kernel compute a node, which still says whose operations these are."""
    rule, given = node.op.cost_rule, [x.aval if type(x) is Node else x for x in node.inputs]
    of = node.op.name, int(rule(*given, **node.attrs)) if rule else 0
    node.op, node.attrs = fused.generated, {"kernel": kernel, "of": of}
    node.inputs = tuple([i for i in inputs if type(i) is Node])


def heads_of(node: Node) -> tuple[int, ...] | None:
    """Samples, heads, queries, keys and the elements of both, if a node is attention that keeps its weights."""
    if node.op is not attention and node.op is not attention_grad:
        return None
    given = node.inputs[:4] if node.op is attention else (*node.inputs[1:5], node.inputs[0], node.inputs[6])
    avals = [i.aval for i in given if type(i) is Node]
    if not all(type(a) is Aval and a.dtype is float32 and not a.weak and all(type(n) is int and n for n in a.shape)
               for a in avals):
        return None
    q, k, v = [a.shape for a in avals[:3]]
    shape = (*q[:3], k[2], q[3], v[3])
    work = 2 * prod(shape[:4]) * (q[3] + v[3])
    return None if is_blocked(*avals[:2]) or work < choices().attention_least else shape


def _turned(node: Node) -> tuple[bool, bool] | None:
    """Whether the operands of a product are transposed; None for other operators."""
    attrs: dict[str, Any] = node.attrs
    if node.op is mat_mul:
        return bool(attrs.get("transpose_a")), bool(attrs.get("transpose_b"))
    return (False, node.op is dense) if node.op in (dense, batched_matmul) else None


def _suits(node: Node, turn_x: bool, turn_y: bool) -> bool:
    """Whether all extents are known, and large enough."""
    avals = [i.aval for i in node.inputs if type(i) is Node] + [node.aval]
    if len(avals) < 3 or not all(type(a) is Aval and a.dtype is float32 and not a.weak for a in avals):
        return False
    x, y, out = avals[0].shape, avals[1].shape, avals[-1].shape
    if len(x) < 2 or len(y) != 2 or not all(type(n) is int for n in (*x, *y, *out)):
        return False
    bias = avals[2].shape == (out[-1],) if len(avals) == 4 else True
    return bias and product.worth(*_extents(node, turn_y))


def _extents(node: Node, turn_y: bool) -> tuple[int, int, int]:
    """Rows, inner elements and columns of a product."""
    *rows, columns = node.shape
    return prod(rows), node.inputs[1].shape[1 if turn_y else 0], columns


__all__ = ["becomes", "expect_products", "generate_products", "heads_of"]
