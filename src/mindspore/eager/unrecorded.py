"""Parts of a program that no gradient follows."""
from __future__ import annotations

from typing import Any

from mindspore.core.errors import GraphSyntaxError
from mindspore.eager.tape import Recording
from mindspore.ir.runtime import Interpreter, runtime


class _Unrecorded(Interpreter):
    """Leaves out who records."""

    rank = Recording.rank + 0.1

    def apply(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        below = self.below
        return (below.below if type(below) is Recording else below).apply(op, inputs, attrs)


class _no_grad:
    """`with _no_grad():` what is computed in the block is constant for gradients, in PyNative mode.

    A function that is compiled says so by `ops.stop_gradient`.
    """

    def __init__(self) -> None:
        self._own: list[_Unrecorded] = []

    def __enter__(self) -> None:
        if runtime.building:
            raise GraphSyntaxError("'_no_grad' cannot be compiled; use 'ops.stop_gradient' on the results.")
        self._own.append(_Unrecorded())
        runtime.push(self._own[-1])

    def __exit__(self, *raised: object) -> None:
        runtime.drop(self._own.pop())


__all__ = ["_no_grad"]
