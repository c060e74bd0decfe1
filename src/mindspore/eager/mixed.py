"""Mixed precision: what `Cell.to_float` means while the cell runs.

In a cell with a float type of its own, arguments, parameters, the tensors that are its attributes and those that its
`construct` names (globals and what it closes over) are cast where an operator takes them, while their owners keep them
in full precision; a graph casts the arguments once, at the entrance.  Operators pay nothing for this while no such cell
runs: the casting interpreter stands above the usual one only then.  What a program casts explicitly inside the cell
keeps its dtype.
"""
from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from types import CodeType, FunctionType
from typing import Any

from mindspore.core.dtype import DType
from mindspore.core.kinds import is_dict, is_sequence, type_of
from mindspore.eager.automatic import AutoCasting, Automatic, enter
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Node
from mindspore.ir.runtime import Interpreter, runtime
from mindspore.operators.promotion import cast_to
from mindspore.operators.registry import Operator
from mindspore.operators.traits import CAST

_SEQUENCES = (tuple, list)


class Casting(Interpreter):
    """Casts parameters and the cell's tensors for the innermost cell that has a float type.

    Attributes:
        dtype: The float type.
        constants: The ids of the tensors that are cast beside parameters: the cell's attributes and arguments, and
            what its `construct` names.
    """

    rank = 3

    def __init__(self, dtype: DType, constants: frozenset[int]):
        self.dtype, self.constants = dtype, constants

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Apply the operator to inputs of the cell's float type."""
        if op.effect != "assign" and CAST not in op.traits:
            inputs = tuple([_cast(x, self.dtype) if isinstance(x, (Tensor, Node)) and self.holds(x) else x
                            for x in inputs])
        return self.below.apply(op, inputs, attrs)

    def also(self, constants: frozenset[int]) -> Casting:
        """The same for more tensors."""
        return Casting(self.dtype, self.constants | constants)

    def holds(self, value: Any) -> bool:
        """Whether a tensor belongs to the cell, or a node represents one that does."""
        if isinstance(value, Parameter) or id(value) in self.constants:
            return True
        return type(value) is Node and runtime.trace is not None and id(
            runtime.trace.represented.get(id(value))) in self.constants


def as_operand(value: Any) -> Any:
    """A tensor in the type in which operators of the cell around take it."""
    casting = runtime.casting
    return _cast(value, casting.dtype) if isinstance(casting, Casting) and casting.holds(value) else value


def cast_arguments(value: Any, dtype: DType) -> Any:
    """The value with all floating-point tensors cast, also inside tuples, lists and dicts."""
    if isinstance(value, (Tensor, Node)):
        return _cast(value, dtype)
    if type_of(value) in _SEQUENCES:
        return type_of(value)([cast_arguments(v, dtype) for v in value])
    if type_of(value) is dict:
        return {k: cast_arguments(v, dtype) for k, v in value.items()}
    return value


def run(dtype: DType | Automatic | None, attributes: dict[str, Any], function: Callable[[], Any],
        arguments: Any = (), construct: Any = None) -> Any:
    """The result of `function`, computed inside a cell of that float type with those attributes and `construct`."""
    if isinstance(dtype, Automatic):
        own: Any = AutoCasting(dtype)
    else:
        constants = [*_tensors(attributes), *_ids(arguments), *_named(construct)] if dtype else []
        own = Casting(dtype, frozenset(constants)) if dtype else None
    outer = enter(own)
    try:
        return function()
    finally:
        enter(outer)


def marks_of(tensors: Iterable[Any]) -> tuple[DType | Automatic, tuple[bool, ...]] | None:
    """What the cell around casts to, and which of the tensors it casts; None if it has no float type."""
    casting: Casting | AutoCasting | None = runtime.casting
    return None if casting is None else (casting.dtype, tuple([casting.holds(t) for t in tensors]))


@contextmanager
def represented(tensors: Sequence[Any], nodes: Sequence[Node]) -> Generator[None]:
    """Let nodes be cast, where the tensors are that they represent."""
    casting: Casting | AutoCasting | None = runtime.casting
    if casting is None:
        yield
        return
    own = frozenset([id(n) for t, n in zip(tensors, nodes, strict=True) if casting.holds(t)])
    outer = enter(casting.also(own))
    try:
        yield
    finally:
        enter(outer)


def _tensors(attributes: dict[str, Any]) -> list[int]:
    return [id(v) for v in attributes.values() if isinstance(v, Tensor)]


def _named(function: Any) -> list[int]:
    """The ids of the tensors among the globals that a function names, and among what it closes over."""
    function = inspect.unwrap(getattr(function, "__func__", function))
    if type(function) is not FunctionType:
        return []
    known = function.__globals__
    found = [known.get(name) for name in _globals(function.__code__)]
    for cell in function.__closure__ or ():
        with suppress(ValueError):     # not bound yet
            found.append(cell.cell_contents)
    return [id(value) for value in found if isinstance(value, Tensor)]


@functools.lru_cache(4096)
def _globals(code: CodeType) -> tuple[str, ...]:
    """The names that a function looks up outside of itself."""
    return tuple({step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"})


def _ids(arguments: Any) -> list[int]:
    """The ids of the tensors among arguments, also inside tuples, lists and dicts."""
    if isinstance(arguments, Tensor):
        return [id(arguments)]
    if is_dict(arguments):
        return _ids(tuple(arguments.values()))
    return [i for each in arguments for i in _ids(each)] if is_sequence(arguments) else []


def _cast(value: Any, dtype: DType) -> Any:
    own = value.dtype
    if own is dtype or not own.is_floating:
        return value
    return cast_to(value, dtype)


__all__ = ["Casting", "cast_arguments", "marks_of", "represented", "run"]
