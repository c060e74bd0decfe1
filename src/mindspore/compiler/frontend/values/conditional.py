"""Values that an `if` on a tensor chooses and that no node can be: functions, cells, None, text.

Both are kept; what a program does with the chosen value is done with each of them, in a branch of its own: an
operation says by `distributed` how it looks at its operands, and native functions that say nothing look inside of all.
Inside a branch of an `if` on the same tensor the choice is known.
"""
from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore.compiler.frontend.objects.interpreter import interpreter
from mindspore.core.errors import GraphTypeError
from mindspore.ir import Node, tree, user_tensor
from mindspore.ir.runtime import runtime
from mindspore.operators.traits import IDENTITY, NEGATION


class Conditional(NamedTuple):
    """`then` if `test` holds, else `orelse`; native code that meets one inside of an iterator, say, is refused."""

    test: Any
    then: Any
    orelse: Any

    def _refused(self, *_: Any) -> Any:
        raise GraphTypeError("A value that an 'if' on a tensor chose is used where only one value can be; use it in "
                             "the branches of the 'if'.")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __mul__ = __rmul__ = __contains__ = _refused
    __bool__ = __hash__ = __repr__ = __str__ = __format__ = _refused


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


STORED, ITSELF, INSIDE = range(3)          # how an operation looks at an operand; inside, containers may be copies


def distributed(*looks: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An operation that is done with each alternative of its operands, in a branch of its own.

    Args:
        looks: How it looks at its operands, in order; the last counts for the others, too. By name they are stored.
    """
    def declare(operation: Callable[..., Any]) -> Callable[..., Any]:
        def operate(*operands: Any, **stored: Any) -> Any:
            trace = runtime.trace
            if trace is None or not trace.chosen:
                return operation(*operands, **stored)
            return distribute(functools.partial(operation, **stored) if stored else operation, looks, operands)
        operate.__name__ = operate.__qualname__ = operation.__name__
        operate.__doc__ = operation.__doc__
        vars(operate)["looks"] = looks
        return operate
    return declare


def distribute(operation: Callable[..., Any], looks: tuple[int, ...], operands: tuple[Any, ...]) -> Any:
    """The result of an operation, with each alternative of its operands as far as it looks at them."""
    found: list[Conditional] = []
    operands = tuple([v if look is STORED else _settled(v, found, look is INSIDE)
                      for v, look in itertools.zip_longest(operands, looks[:len(operands)], fillvalue=looks[-1])])
    if not found:
        return operation(*operands)
    value, held = found[0], runtime.trace.held
    held.append((value, operands))
    try:
        return interpreter.branch(value.test, *2 * [lambda: distribute(operation, looks, operands)])
    finally:
        held.pop()


def _settled(value: Any, found: list[Conditional], inside: bool) -> Any:
    """A value, its conditionals resolved as far as their tests are known here; the others are appended to `found`."""
    if type(value) is Conditional:
        value = resolved(value)
        if type(value) is Conditional:
            found.append(value)
            return value
    if inside and _anywhere((value,)):
        inner = _members(value)
        parts = [_settled(v, found, True) for v in inner]
        if any([a is not b for a, b in zip(parts, inner, strict=True)]):
            return parts if type(value) in _VIEWS else tree.with_children(value, parts)
    return value


def _members(value: Any) -> list[Any]:
    """What a container, a data class or a view of a dict holds."""
    if type(value) in _VIEWS:
        return list(value)
    try:
        return tree.children(value) or []
    except AttributeError:                  # of a data class that is being made
        return []


_VIEWS = (type({}.values()), type({}.items()))


@distributed(ITSELF)
def _items(value: Any) -> Any:
    return tuple(value)


def items_of(value: Any) -> Any:
    """What an iteration runs over."""
    if type(value) is not Conditional:
        return value
    found = _items(value)
    if type(found) is Conditional:
        raise GraphTypeError("How many elements there are depends on an 'if' on a tensor; iterate in its branches.")
    return found


def has_alternatives(*values: Any) -> bool:
    """Whether a conditional is among the values, or anywhere inside of containers among them."""
    return runtime.trace.chosen and _anywhere(values)


def _anywhere(values: Any, around: tuple[int, ...] = ()) -> bool:
    return any([type(v) is Conditional or (type(v) not in _LEAVES and id(v) not in around and _anywhere(
        _members(v), (*around, id(v)))) for v in values])


_LEAVES = frozenset([Node, int, float, bool, str, type(None)])


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
