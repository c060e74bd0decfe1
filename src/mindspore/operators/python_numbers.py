"""Nodes that represent Python numbers, which only the run knows: a condition or a loop chose them, `float` made them.

They compute with each other as Python's numbers do, with 64 bits, and beside a tensor they count as Python's
numbers do: they lift its kind (bool, integer, float), not its width.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from mindspore.core.dtype import DType, bool_, float32, float64, int64
from mindspore.ir import Aval, Dim, Node, Real
from mindspore.ir.runtime import runtime

from .promotion import RANK, common_dtype
from .table import REGISTRY
from .traits import BITWISE, COMPARISON, DIVISION, NEGATION

_PYTHON = {bool: bool, int: int, float: float, Dim: int, Real: float}
_type_of: Callable[[Any], type[Any]] = type
_WIDE = {bool: bool_, int: int64, float: float64}
_KINDS = {bool_: bool, int64: int, float64: float}


def number_kind(value: Any) -> type | None:
    """bool, int or float for a Python number, or a node that represents one; else None."""
    if type(value) is Node:
        return _KINDS[value.aval.dtype] if value.aval.weak else None
    return _PYTHON.get(_type_of(value))


def as_number(node: Node) -> Node:
    """The node without dimensions, of bool, int64 or float64, which represents a Python number from now on."""
    node.aval = Aval((), node.aval.dtype, True)
    return node


def is_number(value: Any) -> bool:
    """Whether a value is a node that represents a Python number."""
    return type(value) is Node and value.aval.weak


def number_node(value: Any) -> Node:
    """The node that represents a Python number."""
    if type(value) is Node:
        return value
    return as_number(REGISTRY["Full"](shape=(), value=value, dtype=_WIDE[_PYTHON[type(value)]]))


def tensor_node(value: Any) -> Any:
    """The tensor that an operator makes of a Python number where it gets nothing but numbers; the rest unchanged."""
    kind = _PYTHON.get(_type_of(value))
    if kind is None:
        return value
    return REGISTRY["Full"](shape=(), value=value, dtype=float32 if kind is float else _WIDE[kind])


def higher(kinds: Sequence[Any]) -> type:
    """The kind that can hold numbers of all these kinds."""
    return max(kinds, key=RANK.__getitem__)


def width_of(kind: type) -> DType:
    """The dtype in which the numbers of a kind are computed."""
    return _WIDE[kind]


def converted(value: Any, kind: type) -> Any:
    """A number, or a node that represents one, as one of another kind."""
    if type(value) is not Node:
        return value if _PYTHON[type(value)] is kind else Real.of(value) if type(value) is Dim else kind(value)
    if value.aval.dtype is _WIDE[kind]:
        return value
    return as_number(_cast(value, _WIDE[kind]))


def _cast(value: Node, dtype: DType) -> Node:
    return REGISTRY["Cast"](value, dtype=dtype)


# ---------------------------------------------------------------------- arithmetic

def infix(op: Any, *values: Any) -> Any:
    """An infix operator on numbers as Python computes it; None if one of the values is none."""
    kinds = [number_kind(v) for v in values]
    if None in kinds or not any([type(v) is Node for v in values]):
        return None
    if NEGATION in op.traits:                      # `~n`
        return -converted(values[0], int) - 1 if kinds[0] is not float else None
    kind = _computed_in(op, kinds, values[-1])
    if kind is None:
        return None
    if DIVISION in op.traits and type(values[1]) is Node:
        divisor: Any = values[1]
        runtime.builder.check(divisor != 0, ZeroDivisionError("division by zero"))
    return as_number(op.emitted(tuple([converted(v, kind) for v in values]), {}))


def _computed_in(op: Any, kinds: Sequence[Any], last: Any) -> type | None:
    """The kind in which Python computes; None where it refuses to."""
    kind = higher(kinds)
    if COMPARISON in op.traits:
        return kind
    if BITWISE in op.traits:
        return None if kind is float else kind
    if op.name == "BatchedMatmul":
        return None
    if op.name == "Div" or (op.name == "Pow" and type(last) is int and last < 0):
        return float
    return higher([kind, int])


def rounded(op: Any, value: Any, digits: Any = None) -> Any:
    """`round`, `math.floor` and the like: `op` gives the whole number; None if the value is no number.

    With `digits` it gives a number with so many digits behind the point.
    """
    kind = number_kind(value)
    if kind is None:
        return None
    if digits is not None:
        number = value if kind is float else converted(value, int)
        return as_number(op.emitted((number,), {"digits": operator.index(digits)}))
    if kind is not float:
        return converted(value, int)
    return as_number(_cast(op.emitted((value,), {}), int64))


# ---------------------------------------------------------------------- beside tensors

def operands(op: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs of an operator with tensors for the numbers among them.

    Where the operator promotes, a number becomes one of the dtype that the tensors have beside a Python number;
    elsewhere it becomes what `Tensor` makes of it.  Views and effects take the number itself.
    """
    if not any([type(x) is Node and x.aval.weak for x in inputs]) or op.view or op.effect == "io":
        return inputs
    target = _beside(op, inputs) if op.promote else None
    return tuple([_tensor(x, target) if is_number(x) else x for x in inputs])


def _tensor(number: Node, target: DType | None) -> Node:
    dtype = target or (float32 if number.aval.dtype is float64 else number.aval.dtype)
    return number if number.aval.dtype is dtype else _cast(number, dtype)


def _beside(op: Any, inputs: Sequence[Any]) -> DType | None:
    """The dtype of the tensors among the inputs, lifted by the numbers; None without tensors."""
    kinds = [number_kind(x) or getattr(x, "dtype", None) or type(x) for x in inputs]
    return common_dtype(op, kinds) or next((k for k in kinds if isinstance(k, DType)), None)
