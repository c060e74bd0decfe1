"""Fusion of arithmetic into torch's combined kernels, where an intermediate value has no other use."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.targets import Target
from mindspore.core.dtype import float16
from mindspore.ir import Graph, Node
from mindspore.operators import arithmetic, fused
from mindspore.operators.getitem import get_item_grad
from mindspore.operators.joining import stack

from .patterns import Apply, New, Rewriting, operand, tensor


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


fuse_arithmetic = Rewriting(whole=True, inside=True)
_PRODUCT = Apply(arithmetic.mul, operand("a"), operand("b"), once=True)


@fuse_arithmetic.rule(Apply(arithmetic.add, tensor("rest"), _PRODUCT), Apply(arithmetic.add, _PRODUCT, tensor("rest")))
def added_product(new: New, rest: Node, a: Any, b: Any) -> Node | None:
    """rest + a * b => multiply_add(rest, a, b), or scaled_add(rest, a, b) if `b` is a number"""
    return _combined(new, rest, a, b, 1.0)


@fuse_arithmetic.rule(Apply(arithmetic.sub, tensor("rest"), _PRODUCT))
def subtracted_product(new: New, rest: Node, a: Any, b: Any) -> Node | None:
    """rest - a * b => the same with the sign"""
    return _combined(new, rest, a, b, -1.0)


def _combined(new: New, rest: Node, a: Any, b: Any, sign: float) -> Node | None:
    aval = new.root.aval
    # a product of halves may be above their range; the sum in float32 would hide that, which PyNative mode does not
    if not aval.dtype.is_floating or aval.dtype is float16 or rest.aval.strong != aval.strong:
        return None
    if type(a) is not Node:
        a, b = b, a
    if type(a) is not Node or a.dtype is not aval.dtype:
        return None
    if type(b) is not Node:
        return new(fused.scaled_add, (rest, a), {"alpha": sign * b}, aval)
    return new(fused.multiply_add, (rest, a, b), {"value": sign}, aval) if b.dtype is aval.dtype else None
