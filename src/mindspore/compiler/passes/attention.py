"""Recognise attention that a program wrote out."""
from __future__ import annotations

from typing import Any

from mindspore.ir import Node
from mindspore.operators import arithmetic, structure
from mindspore.operators.attention import attention
from mindspore.operators.matmul import batch_mat_mul, batched_matmul
from mindspore.operators.softmaxes import softmax
from mindspore.parallel import running

from .patterns import Apply, Either, New, Rewriting, Uses, Value, number, tensor

fuse_attention = Rewriting()


def _joins(node: Node) -> bool:
    """Whether a node may become part of another; not if the program says how its own inputs are cut."""
    return node.origin.notes.get("in_strategy") is None or not running.noting()


def _plain(product: Node, _: Uses) -> bool:
    return not any(product.attrs.values()) and _joins(product)


def _turns_second(product: Node, _: Uses) -> bool:
    return bool(product.attrs.get("transpose_b")) and not product.attrs.get("transpose_a") and _joins(product)


def _turns_matrices(node: Node, _: Uses) -> bool:
    return tuple([p % 4 for p in node.attrs["perm"]]) == (0, 1, 3, 2)


def _along_rows(node: Node, _: Uses) -> bool:
    return len(node.shape) == 4 and node.attrs.get("axis", -1) in (-1, 3) and _joins(node)


_PRODUCTS = (batched_matmul, batch_mat_mul)
_SCORES = Either(
    Apply(_PRODUCTS, tensor("q"), tensor("k"), once=True, where=_turns_second),
    Apply(_PRODUCTS, tensor("q"), Apply(structure.transpose, tensor("k"), where=_turns_matrices), once=True,
          where=_plain))
_SCALED = Either(
    Apply(arithmetic.mul, _SCORES, number("factor"), once=True),
    Apply(arithmetic.div, _SCORES, number("divisor"), once=True), _SCORES)
_MASK = Value("mask", lambda x: type(x) is Node and x.shape != ())
_MASKED = Either(
    Apply(arithmetic.add, _SCALED, _MASK, once=True), Apply(arithmetic.add, _MASK, _SCALED, once=True), _SCALED)


@fuse_attention.rule(Apply(_PRODUCTS, Apply(softmax, _MASKED, once=True, where=_along_rows), tensor("v"), where=_plain))
def written_out(new: New, q: Node, k: Node, v: Node, mask: Any = None, factor: float = 1.0,
                divisor: float = 1.0) -> Node | None:
    """softmax(q @ k^T * factor / divisor + mask) @ v => attention(q, k, v, mask, scale)"""
    if not factor or not divisor:
        return None
    inputs, scale = (q, k, v, mask), float(factor) / divisor
    try:
        avals = attention.infer(*[x.aval if type(x) is Node else x for x in inputs], scale=scale)
    except (TypeError, ValueError):
        return None                   # other ranks or mixed dtypes: the composition stays
    if avals[0] != new.root.aval or any(type(x) is Node and x.dtype is not new.root.dtype for x in inputs):
        return None
    return new(attention, inputs, {"scale": scale}, avals).items[0]
