"""Leaves: tensors and numbers, which can differ at run time, and the one type of several of them."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.frontend.objects.elements import at_run_time
from mindspore.compiler.frontend.objects.reach import is_plain
from mindspore.compiler.frontend.objects.state import as_node, lift
from mindspore.core.errors import GraphTypeError, show
from mindspore.eager.tensor import Tensor
from mindspore.ir import Aval, Dim, Node, Real, tree
from mindspore.operators import structure
from mindspore.operators.promotion import KIND, RANK
from mindspore.operators.python_numbers import as_number, higher, number_kind, width_of

NUMBERS = (bool, int, float, Dim, Real)


def is_leaf(value: Any) -> bool:
    """What can differ at run time: tensors and numbers."""
    return isinstance(value, (Node, Tensor)) or type(value) in NUMBERS


def truth(value: Any) -> Any:
    """A condition as a node with one element, or as a Python bool.

    Raises:
        ValueError: If a tensor has more than one element.
    """
    node = at_run_time(value)
    if isinstance(node, Node):
        node = lift(node)
        if node.size != 1:
            raise ValueError(f"The tensor should have only one element, but got {node.size}; more than "
                             "one element is ambiguous.")
        return node
    return bool(value)


def differ(values: list[Any]) -> bool:
    """Whether values cannot become one: their structures, types or shapes differ."""
    first = tree.signature(values[0], _shape_of_leaf, _identity)
    if any(tree.signature(other, _shape_of_leaf, _identity) != first for other in values[1:]):
        return True
    columns = zip(*[tree.leaves(v, is_leaf) for v in values], strict=True)
    try:
        for column in columns:
            kinds = {number_kind(v) for v in column}
            if bool in kinds and None not in kinds and len(kinds) > 1:       # True is no 1: `is`, printing, `~`
                return True
            common_aval(list(column))
    except GraphTypeError:
        return True
    return False


def _shape_of_leaf(value: Any) -> Any:
    return "leaf" if is_leaf(value) else _identity(value)


def _identity(value: Any) -> Any:
    """What tells a value from others: objects of the program may call one another equal."""
    if type(value) is tuple:
        return tuple(map(_identity, value))
    return id(value) if is_plain(value) or not hashable(value) else value


def hashable(value: Any) -> bool:
    """Whether a value can be a key."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def common_aval(column: list[Any]) -> Aval:
    """The aval that a leaf has in every branch; Python numbers adapt to tensors."""
    kinds = [number_kind(v) for v in column]
    avals = [lift(v).aval for v, kind in zip(column, kinds, strict=True) if kind is None]
    if not avals:
        return Aval((), width_of(higher(kinds)), True)
    first = avals[0]
    if any(a != first for a in avals) or not all(fits(k, first) for k in kinds if k):
        raise GraphTypeError(f"The values of the branches are {' and '.join(dict.fromkeys(map(show, column)))}; they "
                             "must have the same dtype and shape. Convert them in the branches, by 'astype' for "
                             "example.")
    return first


def fits(kind: type, aval: Aval) -> bool:
    """Whether a Python number can become a tensor of that type."""
    return not aval.shape and RANK[kind] <= KIND[aval.dtype.kind]


def as_aval(value: Any, aval: Aval) -> Node:
    """A leaf as a node; a number becomes a tensor of that aval, or a number of its kind."""
    kind = number_kind(value)
    if kind and type(value) is not Node:
        node = structure.full(shape=aval.shape, value=value, dtype=aval.dtype)
    else:
        node = as_node(value)
        if kind and node.aval.dtype is not aval.dtype:
            node = structure.cast(node, dtype=aval.dtype)
    return as_number(node) if aval.weak else node
