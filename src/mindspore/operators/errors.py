"""What the user sees where a kernel or a rule fails: the type and the words of this system."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from mindspore.core.errors import ArgumentError, show

from .traits import FOREIGN

_WIDE = ("too big to convert", "too large to convert", "unpacking long long")
_OF_PYTHON = ("object has no attribute", "unsupported operand", "index out of range", "not subscriptable",
              "cannot be interpreted", "invalid combination", "aten::", "not supported between", "must be real number",
              "object is not", "object of type", "argument after", "values to unpack", "truth value of an array",
              "type object", "bad operand type", "unhashable type")


def explained(op: Any, error: Exception, inputs: Sequence[Any], attrs: dict[str, Any] | None = None) -> Exception:
    """The error that the user sees for a failure of a rule or kernel of an operator."""
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return RuntimeError(f"For '{op.name}', there is not enough memory for the result of "
                            f"({_listed(inputs, attrs)}).")
    if isinstance(error, torch.OutOfMemoryError) or op.effect in ("io", "communication") or (
            FOREIGN in op.traits):
        return error
    if isinstance(error, AttributeError):       # the kernel met something that is no tensor
        for strange in [x for x in inputs if not hasattr(x, "dtype")]:
            return TypeError(f"For '{op.name}', the inputs must be tensors, but got {strange!r} "
                             f"with type '{type(strange).__name__}'.")
    elif _of_numbers(error, inputs):
        return TypeError(f"For '{op.name}', one of the inputs must be a tensor, but got "
                         f"{', '.join(map(repr, inputs))}.")
    elif isinstance(error, ValueError) or not (isinstance(
            error, (RuntimeError, IndexError, NotImplementedError, OverflowError)) or _of_python(error)):
        return error                            # raised by a check of ours
    shown = _listed(inputs, attrs)
    said = str(error).split("\n")[0]
    if said == "ZeroDivisionError":
        said = "whole numbers can not be divided by zero"
    elif any([word in said for word in _WIDE]):
        said = "a number has more than 64 bits"
    elif any([word in said for word in _OF_PYTHON]):
        return house_type(error, said)(f"For '{op.name}', the inputs ({shown}) do not fit: one of them is of a kind "
                                       "that the operator does not take.")
    return house_type(error, said)(f"For '{op.name}', the inputs ({shown}) do not fit: {said}")


def _listed(inputs: Sequence[Any], attrs: dict[str, Any] | None) -> str:
    """What an operator was given, in a message."""
    return ", ".join([*map(show, inputs), *[f"{k}={show(v)}" for k, v in (attrs or {}).items()]])


def house_type(error: Exception, said: str) -> type[Exception]:
    """The type of error to raise in place of one of a kernel, which said this."""
    low = said.lower()
    if isinstance(error, RuntimeError) and ("cuda" in low or "alloc" in low):
        return RuntimeError
    typed = ("not implemented for", "scalar type", "scalartype", "dtype", "must be tensor", "invalid combination",
             "promotion for", "expected a floating", "not supported for", "boolean", "bool tensor")
    if isinstance(error, (AttributeError, TypeError)) or any(word in low for word in typed):
        return TypeError
    return ArgumentError


def _of_numbers(error: Exception, inputs: Sequence[Any]) -> bool:
    """Whether a rule looked for a tensor among inputs that are numbers only."""
    numbers = bool(inputs) and all(isinstance(x, (bool, int, float, complex)) for x in inputs)
    return numbers and isinstance(error, (IndexError, ValueError)) and not str(error).startswith("For '")


def _of_python(error: Exception) -> bool:
    """Whether a TypeError was raised by Python or torch rather than by a check of ours."""
    return isinstance(error, TypeError) and not str(error).startswith("For '")


class Refused(Exception):
    """An operator of a program did not take its input; `loc` is the line of the user's program.

    The cause is what the operator said.
    """

    def __init__(self, loc: Any):
        super().__init__("an operator of a native program did not take its input")
        self.loc = loc
