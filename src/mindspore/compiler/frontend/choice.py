"""Values that a condition on a tensor chooses and that no node can be: functions, cells, None, text.

Both are kept; what a program does with the choice is done with each of them, in its own arm of the
condition.  Inside an arm of the same condition the choice is known.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore.compiler.ir import Node
from mindspore.core.errors import GraphTypeError

from .state import Trace


class Choice(NamedTuple):
    """`then` if `test` holds, else `orelse`."""

    test: Any
    then: Any
    orelse: Any


class Unbound:
    """The value of a name that only one way of a condition on a tensor, or only a loop, binds."""

    def __init__(self, why: str, error: Callable[[str], Exception] = UnboundLocalError):
        self.why, self.error = why, error


class Perhaps(Unbound):
    """The value of a name that a loop on a tensor binds in every pass, if it runs any: then `ran` holds."""

    def __init__(self, why: str, ran: Any, value: Any):
        super().__init__(why)
        self.ran, self.value = ran, value


def settled(value: Any) -> Any:
    """A choice whose condition is known where the program stands, as the chosen value."""
    known = Trace.current.known
    while type(value) is Choice and id(value.test) in known:
        value = value.then if known[id(value.test)] else value.orelse
    return value


def distribute(value: Choice, use: Callable[[Any], Any]) -> Any:
    """`use` of the one or the other value, in the arms of a condition."""
    from .ways import choose  # ways stands on this module
    return choose(None, value.test, lambda: use(value.then), lambda: use(value.orelse))


def each(use: Callable[..., Any], *values: Any) -> Any:
    """`use(*values)`, distributed over the first choice among the values."""
    for i, value in enumerate(values):
        if type(value) is Choice:
            value = settled(value)
            if type(value) is not Choice:
                return each(use, *values[:i], value, *values[i + 1:])
            return distribute(value, lambda v: each(use, *values[:i], v, *values[i + 1:]))  # noqa: B023  # it is returned
    return use(*values)


def items_of(value: Any) -> Any:
    """What an iteration goes over."""
    if type(value) is not Choice:
        return value
    found = each(tuple, value)
    if type(found) is Choice:
        raise GraphTypeError("How many elements there are depends on a condition on a tensor; iterate in "
                             "the arms of the condition.")
    return found


def has_choice(values: Any) -> bool:
    """Whether a choice is among the values, or inside a tuple or list among them."""
    return any(type(v) is Choice or (type(v) in (tuple, list) and any(type(x) is Choice for x in v))
               for v in values)


def assumed(test: Any, holds: bool) -> dict[int, bool]:
    """What is known in an arm of a condition, also about the condition that it hands on or negates."""
    known = {id(test): holds}
    while type(test) is Node and test.op is not None and test.op.name in ("LogicalNot", "Identity"):
        holds = holds is not (test.op.name == "LogicalNot")
        test = test.inputs[0]
        known[id(test)] = holds
    return known


def decided(value: Any) -> Any:
    """A result of a compiled program, its choices made."""
    if type(value) is Choice:
        return decided(value.then if value.test else value.orelse)
    if isinstance(value, tuple):
        parts = [decided(v) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if type(value) is list:
        return [decided(v) for v in value]
    return {k: decided(v) for k, v in value.items()} if type(value) is dict else value
