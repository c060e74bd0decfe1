"""Parts of a program that no gradient follows."""
from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any

from mindspore.core.errors import GraphSyntaxError
from mindspore.eager.tape import Recording
from mindspore.ir.runtime import Interpreter, runtime


class Unrecorded(Interpreter):
    """Leaves out who records.

    Args:
        refusing: Whether a derivative that is asked for meanwhile is an error, because it would be zero.
    """

    rank = Recording.rank + 0.1

    def __init__(self, refusing: bool = False):
        self.refusing = refusing

    def apply(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        below = self.below
        return (below.below if type(below) is Recording else below).apply(op, inputs, attrs)


class _no_grad(ContextDecorator):
    """`with _no_grad():` what is computed in the block is constant for gradients, in PyNative mode.

    `@_no_grad()` above a function does so for all that it computes. A function that is compiled says so by
    `ops.stop_gradient`.

    Raises:
        RuntimeError: If a derivative is asked for inside of the block.

    Examples:
        >>> from mindspore import _no_grad
        >>> def f(x):
        ...     with _no_grad():
        ...         y = x * x
        ...     return y + x
        >>> mindspore.grad(f)(Tensor(2.0)).item()
        1.0
    """

    def __init__(self) -> None:
        self._own: list[Unrecorded] = []

    def __enter__(self) -> None:
        if runtime.building:
            raise GraphSyntaxError("'_no_grad' cannot be compiled; use 'ops.stop_gradient' on the results.")
        self._own.append(Unrecorded(refusing=True))
        runtime.push(self._own[-1])

    def __exit__(self, *raised: object) -> None:
        runtime.drop(self._own.pop())


__all__ = ["_no_grad"]
