"""Leaves: tensors and numbers, which can differ at run time, and the one type of several of them."""
from __future__ import annotations

from typing import Any

from mindspore.compiler import tree
from mindspore.compiler.ir import Aval, Dim, Node, Real
from mindspore.core.dtype import from_torch
from mindspore.core.errors import GraphTypeError
from mindspore.core.tensor import Tensor

from .state import as_node, lift

NUMBERS = (bool, int, float, Dim, Real)
_RANKS = {bool: 0, int: 1, Dim: 1, float: 3, Real: 3}         # places in "biufc", the kinds of dtypes


def is_leaf(value: Any) -> bool:
    """What can differ at run time: tensors and numbers."""
    return isinstance(value, (Node, Tensor)) or type(value) in NUMBERS


def truth(value: Any) -> Any:
    """A condition as a node with one element, or as a Python bool.

    Raises:
        ValueError: If a tensor has more than one element.
    """
    if isinstance(value, Node) or (isinstance(value, Tensor) and hasattr(value, "requires_grad")):
        node = lift(value)
        if node.size != 1:
            raise ValueError(f"The tensor should have only one element, but got {node.size}; more than "
                             "one element is ambiguous.")
        return node
    return bool(value)


def differ(values: list[Any]) -> bool:
    """Whether values cannot become one: their structures, types or shapes differ."""
    first = tree.signature(values[0], _shape_of_leaf)
    if any(tree.signature(other, _shape_of_leaf) != first for other in values[1:]):
        return True
    columns = zip(*[tree.leaves(v, is_leaf) for v in values], strict=True)
    try:
        for column in columns:
            common_aval(list(column))
    except GraphTypeError:
        return True
    return False


def _shape_of_leaf(value: Any) -> Any:
    return "leaf" if is_leaf(value) else value if hashable(value) else id(value)


def hashable(value: Any) -> bool:
    """Whether a value can be a key."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def common_aval(column: list[Any]) -> Aval:
    """The aval that a leaf has in every arm; Python numbers adapt to tensors."""
    import torch  # dtypes promote by torch's table

    avals = [lift(v).aval for v in column if isinstance(v, (Node, Tensor))]
    if avals:
        first = avals[0]
        rank = "biufc".index(first.dtype.kind)
        if any(a != first for a in avals) or any(
                type(v) in NUMBERS and (first.shape or _RANKS[type(v)] > rank) for v in column):
            raise GraphTypeError("The values do not have one type.")
        return first
    kinds = [_dtype_of(v) for v in column]
    found = kinds[0]
    for k in kinds[1:]:
        found = from_torch(torch.promote_types(found.torch, k.torch))
    return Aval((), found)


def _dtype_of(number: Any) -> Any:
    """The dtype that a Python number takes as a tensor."""
    from mindspore.core.dtype import as_dtype
    return as_dtype({Dim: int, Real: float}.get(type(number), type(number)))


def as_aval(value: Any, aval: Aval) -> Node:
    """A leaf as a node; a number becomes a tensor of that aval."""
    from mindspore.operators.structure import full
    if type(value) in NUMBERS:
        return full(shape=aval.shape, value=value, dtype=aval.dtype)
    return as_node(value)
