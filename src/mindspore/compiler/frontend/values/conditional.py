"""Values that an `if` on a tensor chooses and that no node can be: functions, cells, None, text.

Both are kept; what a program does with the chosen value is done with each of them, in a branch of its own.
Inside a branch of an `if` on the same tensor the choice is known.
"""
from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore.compiler.frontend.objects.interpreter import interpreter
from mindspore.core.errors import GraphTypeError
from mindspore.ir import Node, tree, user_tensor
from mindspore.ir.runtime import runtime
from mindspore.operators.traits import IDENTITY, NEGATION


class Conditional(NamedTuple):
    """`then` if `test` holds, else `orelse`."""

    test: Any
    then: Any
    orelse: Any


MOST = 128                 # alternatives of one value at most: what is done with it is compiled for each


def count(value: Any) -> int:
    """How many values there are to choose from."""
    return count(value.then) + count(value.orelse) if type(value) is Conditional else 1


class Unbound:
    """The value of a name that only one branch of an `if` on a tensor, or only a loop, binds."""

    def __init__(self, why: str, error: Callable[[str], Exception] = UnboundLocalError):
        self.why, self.error = why, error


class MaybeUnbound(Unbound):
    """The value of a name that a loop on a tensor binds in every pass, if it runs any: then `ran` holds."""

    _held = ("ran", "value")           # what a loop around that one carries

    def __init__(self, why: str, ran: Any, value: Any):
        super().__init__(sys.intern(why))
        self.ran, self.value = ran, value


def resolved(value: Any) -> Any:
    """The chosen one for a conditional whose test is known at this place of the program."""
    known = runtime.trace.known
    while type(value) is Conditional and id(value.test) in known:
        value = value.then if known[id(value.test)] else value.orelse
    return value


def distribute(value: Conditional, use: Callable[[Any], Any], *others: Any) -> Any:
    """`use` of the one or the other alternative, each in its branch; `others` are what it also uses."""
    held = runtime.trace.held
    held.append((value, others))
    try:
        return interpreter.branch(value.test, lambda: use(value.then), lambda: use(value.orelse))
    finally:
        held.pop()


def map_alternatives(use: Callable[..., Any], *values: Any) -> Any:
    """`use(*values)`, distributed over the alternatives of the first conditional among the values."""
    for i, value in enumerate(values):
        if type(value) is Conditional:
            value = resolved(value)
            if type(value) is not Conditional:
                return map_alternatives(use, *values[:i], value, *values[i + 1:])
            return distribute(value, lambda v: map_alternatives(use, *values[:i], v, *values[i + 1:]), values)  # noqa: B023  # it is returned
    return use(*values)


def map_alternatives_inside(use: Callable[..., Any], *values: Any) -> Any:
    """`use(*values)`, distributed over the conditionals among the values and inside of containers among them.

    It is for what looks at the elements of containers and does not keep them: they may be copies.
    """
    if not has_alternatives_inside(*values):
        return use(*values)
    found: list[Conditional] = []
    values = tuple([_settled_inside(v, found) for v in values])
    return distribute(found[0], lambda _: map_alternatives_inside(use, *values), values) if found else use(*values)


def _settled_inside(value: Any, found: list[Conditional]) -> Any:
    """A value, its conditionals resolved as far as their tests are known here; the others are appended to `found`."""
    if type(value) is Conditional:
        value = resolved(value)
        if type(value) is Conditional:
            found.append(value)
            return value
    if isinstance(value, _CONTAINERS):
        inner = list(value.values() if isinstance(value, dict) else value)
        parts = [_settled_inside(v, found) for v in inner]
        if any([a is not b for a, b in zip(parts, inner, strict=True)]):
            return tree.with_children(value, parts)
    return value


def items_of(value: Any) -> Any:
    """What an iteration runs over."""
    if type(value) is not Conditional:
        return value
    found = map_alternatives(tuple, value)
    if type(found) is Conditional:
        raise GraphTypeError("How many elements there are depends on an 'if' on a tensor; iterate in its branches.")
    return found


def has_alternatives(values: Any) -> bool:
    """Whether a conditional is among the values, or inside a tuple or list among them."""
    return any(type(v) is Conditional or (type(v) in (tuple, list) and any(type(x) is Conditional for x in v))
               for v in values)


def has_alternatives_inside(*values: Any) -> bool:
    """Whether a conditional is among the values, or anywhere inside of containers among them."""
    return runtime.trace.chosen and _anywhere(values)


def _anywhere(values: Any) -> bool:
    return any([type(v) is Conditional or (isinstance(v, _CONTAINERS) and _anywhere(
        v.values() if isinstance(v, dict) else v)) for v in values])


_CONTAINERS = (tuple, list, dict, deque)


def assumed(test: Any, holds: bool) -> dict[int, bool]:
    """What is known in a branch: the test, and the tests that it copies, negates or was chosen by."""
    known = {id(test): holds}
    while type(test) is Node and test.op is not None and (NEGATION in test.op.traits or IDENTITY in test.op.traits):
        holds = holds is not (NEGATION in test.op.traits)
        test = test.inputs[0]
        known[id(test)] = holds
    choice = user_tensor.known(test).choice if type(test) is Node else None
    if choice is None:
        return known
    by, implications = choice
    then, orelse = implications[holds]
    if then is None or orelse is None:                # only one of the branches gives that
        known |= assumed(by, orelse is None)
    found = [facts for facts in (then, orelse) if facts is not None]
    return known | {key: value for key, value in found[0].items() if found[-1].get(key) is value} if found else known


def implied(value: Any, holds: bool) -> dict[int, bool] | None:
    """What is known where a condition holds, or does not; None if that cannot be."""
    if type(value) is bool:
        return {} if value is holds else None
    return assumed(value, holds)


def decided(value: Any) -> Any:
    """A result of a compiled program, its conditionals resolved."""
    if type(value) is Conditional:
        return decided(value.then if value.test else value.orelse)
    if isinstance(value, tuple):
        parts = [decided(v) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if type(value) is list:
        return [decided(v) for v in value]
    return {k: decided(v) for k, v in value.items()} if type(value) is dict else value
