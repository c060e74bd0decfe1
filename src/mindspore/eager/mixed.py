"""Mixed precision: what `Cell.to_float` means while the cell runs.

In a cell with a float type of its own, arguments, parameters and the tensors that are its attributes
are cast where an operator takes them, while their owners keep them in full precision; a graph casts
the arguments once, at the entrance.  Operators pay nothing for this while no such cell runs: the
casting dispatch replaces the usual one only then.  What a program casts explicitly inside the cell
stays as it is.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core.dtype import DType
from mindspore.eager.parameter import Parameter
from mindspore.eager.tape import execute
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.operators import registry
from mindspore.operators.promotion import cast_to
from mindspore.operators.registry import Operator


class Mixed:
    """The float type of the innermost cell that runs, None for full precision."""

    dtype: DType | None = None
    constants: frozenset[int] = frozenset()      # ids of the cell's attributes and arguments


def cast_arguments(value: Any, dtype: DType) -> Any:
    """The value with all floating-point tensors cast, also inside tuples, lists and dicts."""
    kind = type(value)
    if isinstance(value, (Tensor, Node)):
        return _cast(value, dtype)
    if kind is tuple or kind is list:
        return kind([cast_arguments(v, dtype) for v in value])
    if kind is dict:
        return {k: cast_arguments(v, dtype) for k, v in value.items()}
    return value


def lifted(value: Any, node: Any) -> Any:
    """The node that stands for a tensor, cast if a mixed-precision cell reads it."""
    return _cast(node, Mixed.dtype) if Mixed.dtype is not None and _held(value) else node


def run(dtype: DType | None, attributes: dict[str, Any], function: Callable[[], Any],
        arguments: Any = ()) -> Any:
    """The result of `function`, computed inside a cell of that float type with those attributes."""
    before = Mixed.dtype, Mixed.constants
    _enter(dtype, _tensors(attributes) | frozenset(_ids(arguments)) if dtype else frozenset())
    try:
        return function()
    finally:
        _enter(*before)


def _enter(dtype: DType | None, constants: frozenset[int]) -> None:
    Mixed.dtype, Mixed.constants = dtype, constants
    registry.eager = execute if dtype is None else _execute


def _tensors(attributes: dict[str, Any]) -> frozenset[int]:
    return frozenset([id(v) for v in attributes.values() if isinstance(v, Tensor)])


def _ids(arguments: Any) -> list[int]:
    """The ids of the tensors among arguments, also inside tuples, lists and dicts."""
    if isinstance(arguments, Tensor):
        return [id(arguments)]
    if isinstance(arguments, dict):
        arguments = arguments.values()
    elif not isinstance(arguments, (tuple, list)):
        return []
    return [i for each in arguments for i in _ids(each)]


def _held(value: Any) -> bool:
    return isinstance(value, Parameter) or id(value) in Mixed.constants


def _cast(value: Any, dtype: DType) -> Any:
    own = value.dtype
    if own is dtype or not own.is_floating:
        return value
    return cast_to(value, dtype)


def _execute(op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """The dispatch inside a mixed-precision cell."""
    if op.effect != "assign" and op.name != "Cast":
        dtype: Any = Mixed.dtype
        inputs = tuple([_cast(x, dtype) if isinstance(x, Tensor) and _held(x) else x
                        for x in inputs])
    return execute(op, inputs, attrs)


__all__ = ["Mixed", "cast_arguments", "lifted", "run"]
