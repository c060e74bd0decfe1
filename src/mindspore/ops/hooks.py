"""Hooks of tensors, and functions of the program that derivatives call, in both modes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core.errors import GraphSyntaxError
from mindspore.eager import tape
from mindspore.eager.hooks import HookHandle, check_hook, hooks_of
from mindspore.eager.parameter import Version
from mindspore.ir.runtime import runtime


class InReverse:
    """A function of the program that the derivative of an operator calls: walked while a graph is compiled."""

    calls_back = True

    def __init__(self, fn: Callable[..., Any]):
        self.fn = fn

    def __call__(self, *args: Any) -> Any:
        if not runtime.building:
            return self.fn(*args)
        from mindspore.compiler.frontend import call_in_reverse  # loaded when needed

        return call_in_reverse(self.fn, args)


def register_hook(self: Any, hook: Callable[..., Any]) -> HookHandle:
    """Let `hook(gradient)` see the gradient of the tensor whenever one is taken; a tensor that it returns
    replaces the gradient.

    The gradient is the whole one, from all uses of the tensor.  Several hooks are called in the order in
    which they were registered, each with what the one before left.

    Args:
        hook: A function of the gradient that returns None or a tensor of the same shape.

    Returns:
        A handle; its `remove()` takes the hook away again.

    Raises:
        TypeError: If `hook` is no function.
        GraphValueError: In a graph, if the tensor is not computed in the same block.

    Examples:
        >>> def loss(x):
        ...     y = x * 2
        ...     y.register_hook(lambda gradient: gradient * 10)
        ...     return y.sum()
        >>> mindspore.grad(loss)(Tensor([1.0, 2.0])).tolist()
        [20.0, 20.0]
    """
    check_hook(hook)
    if runtime.building:
        from mindspore.compiler.frontend import register_hook as in_graph  # when needed

        return in_graph(self, hook)
    handle = tape.register_hook(self, hook)
    if self._var is None:
        Version.moves()
        handle.on_removal(Version.moves)
    return handle


def hooks(self: Any) -> list[Callable[..., Any]]:
    """The hooks of the tensor that `register_hook` was given and that were not removed, in the order of their calls.

    Returns:
        A list of functions.

    Raises:
        GraphSyntaxError: While a graph is compiled.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> handle = x.register_hook(print)
        >>> x.hooks()
        [<built-in function print>]
        >>> handle.remove()
        >>> x.hooks()
        []
    """
    if runtime.building:
        raise GraphSyntaxError("'hooks' cannot be compiled: which hooks a tensor has is known when the program runs.")
    return list(hooks_of(self))


METHODS = {"register_hook": register_hook, "hooks": hooks}
