"""Python's infix operators on tensors and on nodes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core.kinds import type_of
from mindspore.ir import Node
from mindspore.ir.runtime import base

from .promotion import KIND, lifted_by
from .python_numbers import infix
from .structure import full
from .table import REGISTRY
from .values_and_indices import ValuesAndIndices

BINARY = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "truediv": "Div", "floordiv": "FloorDiv",
    "mod": "FloorMod", "pow": "Pow", "matmul": "BatchedMatmul", "and": "BitwiseAnd",
    "or": "BitwiseOr", "xor": "BitwiseXor",
}
COMPARE = {"lt": "Less", "le": "LessEqual", "gt": "Greater", "ge": "GreaterEqual"}
_EQUAL = {"eq": "Equal", "ne": "NotEqual"}
_UNARY = {"neg": "Neg", "abs": "Abs", "invert": "LogicalNot"}
_NUMBERS = (int, float, complex)       # bool is an int


def operand(y: Any, x: Any) -> Any:
    """What stands beside a tensor `x`, as a tensor or number; NotImplemented lets Python ask the other side.

    A list of numbers is a tensor that lifts the dtype of `x` as each of them does.
    """
    if hasattr(y, "aval") or isinstance(y, _NUMBERS):
        return y
    if type(y) is ValuesAndIndices:
        return y[0]
    if isinstance(y, (list, tuple)) and _holds_tensor(y):
        return _stacked(y)
    if isinstance(y, (list, tuple)) or type(y).__module__ == "numpy":
        made = base.tensor(y)
        return base.tensor(y, lifted_by(x.dtype, KIND[made.dtype.kind])) if isinstance(y, (list, tuple)) else made
    return NotImplemented


def _holds_tensor(values: Any) -> bool:
    return any([_holds_tensor(v) if isinstance(v, (list, tuple)) else hasattr(v, "aval") for v in values])


def _stacked(values: Any) -> Any:
    """A nested list that holds tensors, as one tensor through which gradients flow; numbers take their dtype."""
    parts = [_stacked(v) if isinstance(v, (list, tuple)) else v for v in values]
    dtypes = [p.dtype for p in parts if hasattr(p, "aval")]
    return REGISTRY["Stack"](*[p if hasattr(p, "aval") else full(shape=(), value=p, dtype=dtypes[0])
                               for p in parts], axis=0)


def _same(x: Any) -> Any:
    return x


def _refused(name: str, x: Any, other: Any) -> Any:
    """NotImplemented, or TypeError for a text, which Python would repeat as often as the tensor says."""
    if name == "Mul" and isinstance(other, (str, bytes, bytearray)):
        raise TypeError(f"For 'Mul', the inputs must be tensors or numbers, but got {other!r} with type "
                        f"'{type(other).__name__}'.")
    return NotImplemented


def _binary(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def forward(x: Any, y: Any) -> Any:
        if type(y) is not type(x):
            other, y = y, operand(y, x)
            if y is NotImplemented:
                return _refused(name, x, other)
        found = infix(REGISTRY[name], x, y) if type(x) is Node and x.aval.weak else None
        return REGISTRY[name](x, y) if found is None else found

    def backward(x: Any, y: Any) -> Any:
        other, y = y, operand(y, x)
        if y is NotImplemented:
            return _refused(name, x, other)
        found = infix(REGISTRY[name], y, x) if type(x) is Node and x.aval.weak else None
        return REGISTRY[name](y, x) if found is None else found
    return forward, backward


def _equal(name: str, otherwise: bool) -> Callable[..., Any]:
    """`==` or `!=`: a list or a tuple is another kind of thing than a tensor, whatever it holds."""
    def forward(x: Any, y: Any) -> Any:
        kind: Any = type_of(y)
        if issubclass(kind, (list, tuple)) and kind is not ValuesAndIndices:
            return otherwise
        y = operand(y, x)
        if y is NotImplemented:
            return otherwise
        found = infix(REGISTRY[name], x, y) if type(x) is Node and x.aval.weak else None
        return REGISTRY[name](x, y) if found is None else found
    return forward


def _unary(name: str) -> Callable[..., Any]:
    def forward(x: Any) -> Any:
        found = infix(REGISTRY[name], x) if type(x) is Node and x.aval.weak else None
        return REGISTRY[name](x) if found is None else found
    return forward


def install(cls: type) -> None:
    """Give a class the infix operators."""
    for method, name in (BINARY | COMPARE).items():
        forward, backward = _binary(name)
        setattr(cls, f"__{method}__", forward)
        if method in BINARY:
            setattr(cls, f"__r{method}__", backward)
    for method, name in _EQUAL.items():
        setattr(cls, f"__{method}__", _equal(name, otherwise=name == "NotEqual"))
    for method, name in _UNARY.items():
        setattr(cls, f"__{method}__", _unary(name))
    cls.__pos__ = _same
