"""The user's tensors while a graph is built: what is known of one beside the node that represents it.

A node is one value of a graph and never changes.  A tensor of the program is represented by the node that it began as;
it may be changed in place, share memory with others, or be one of several that only the run knows.  That is noted in
the node's slot `user`, by the front end, as long as it walks the program; passes and derivatives see nodes alone.
"""
from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any

from .graph import Node
from .runtime import runtime


class UserTensor:
    """A tensor of the program.

    Attributes:
        content: The node of its present elements, after a change in place; what says that they are unknown; None as
            long as it holds what it began with.
        holder: The tensor whose elements this node is, after a change of that one.
        group: The tensors that may share memory, of which it is one: a list that all of them have; None for it alone.
        origins: The tensors that it may be, if an `if` or a loop made it.
        parameter: Which parameter it is, if an `if` chose among some: the conditional.
        choice: If it is a truth value that an `if` chose: the test, and what is known where it holds and where not.
    """

    __slots__ = ("choice", "content", "group", "holder", "origins", "parameter")

    def __init__(self) -> None:
        self.content: Any = None
        self.holder: Node | None = None
        self.parameter: Any = None
        self.choice: Any = None
        self.group: list[Node] | None = None
        self.origins: list[Node] = []


NOTHING = UserTensor()           # known of most tensors


def known(node: Node) -> UserTensor:
    """What is known of the tensor that a node represents, to be read."""
    return node.user or NOTHING


def noted(node: Node) -> UserTensor:
    """What is known of the tensor that a node represents, for more to be noted."""
    found = node.user
    if found is None:
        found = node.user = UserTensor()
        runtime.trace.tensors.append(node)
    return found


def held(value: Any) -> Any:
    """What a tensor holds now: the node itself, or the one that its elements were changed to."""
    user = value.user if type(value) is Node else None
    if user is None or user.content is None:
        return value
    if type(user.content) is not Node:
        raise user.content.error()
    return user.content


def near(node: Node) -> list[Node]:
    """The tensors that may share memory with one; itself among them."""
    return known(node).group or [node]


def join(one: Node, other: Node) -> None:
    """Remember that two tensors may share memory, and so all that share it with them."""
    first, second = noted(one), noted(other)
    if first.group is not None and first.group is second.group:
        return
    into, more = first.group or [one], second.group or [other]
    if len(into) < len(more):
        into, more = more, into
    into += more
    first.group = second.group = into
    for node in more:
        node.user.group = into


def leave(node: Node) -> None:
    """Remember that a tensor shares memory with no other, after all."""
    group = noted(node).group
    if group is not None:
        group[:] = [n for n in group if n is not node]
        node.user.group = None


def note_views(inputs: Iterable[Any], out: Node | tuple[Node, ...]) -> None:
    """Remember that results may share the memory of the inputs, while the front end walks a program."""
    if runtime.trace is None:              # passes and derivatives change nothing in place
        return
    for x in inputs:
        if type(x) is Node:
            for made in out if isinstance(out, tuple) else (out,):
                join(x, made)


class Aside:
    """What tensors hold while derivatives compute with nodes alone.

    Attributes:
        held: The tensors that were changed, by id, with what they hold.
        blocks: The node lists that were under construction: tensors in them are the program's.
    """

    def __init__(self) -> None:
        changed = [n for n in runtime.trace.tensors if n.user.content is not None] if runtime.changing else []
        self.held = {id(n): (n, n.user.content) for n in changed}
        self.blocks = {0, *map(id, runtime.blocks)}


@contextmanager
def values() -> Generator[None]:
    """Compute with the nodes themselves, as if no tensor had been changed.

    Code of the program that is called meanwhile sees and changes its tensors by `contents`.
    """
    trace, changing = runtime.trace, runtime.changing
    if trace is None:                      # nothing is walked
        yield
        return
    aside = Aside()
    trace.aside.append(aside)
    _put((node, None) for node, _ in aside.held.values())
    runtime.changing = False
    try:
        yield
    finally:
        trace.aside.pop()
        if runtime.changing:
            _put((node, None) for node in trace.tensors)
        _put(aside.held.values())
        runtime.changing = changing or bool(aside.held)


@contextmanager
def contents(args: Sequence[Node]) -> Generator[None]:
    """Let code of the program see what its tensors hold, where `values` set that aside.

    What it changes of `args` holds for the values that are computed, too.
    """
    levels, tensors = runtime.trace.aside, runtime.trace.tensors
    for level in levels:
        _put(level.held.values())
    runtime.changing = True
    try:
        yield
    finally:
        own = set(map(id, args))
        for level in levels:
            changed = [n for n in tensors if n.user.content is not None and n.block in level.blocks
                       and id(n) not in own]
            level.held = {id(n): (n, n.user.content) for n in changed}
            _put((node, None) for node in changed)


def _put(tensors: Iterable[tuple[Node, Any]]) -> None:
    for node, content in tensors:
        node.user.content = content


def is_aside(node: Node) -> bool:
    """Whether `values` set aside what a tensor holds."""
    return any([id(node) in level.held for level in runtime.trace.aside])
