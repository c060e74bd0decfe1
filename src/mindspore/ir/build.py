"""The blocks under construction: where `emit` appends, and the user's line that it belongs to."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from .graph import ITEM, Aval, Loc, Node


class Block:
    """State of the compilation that is running: node lists under construction, innermost last.

    `loc` is the user's line; `lift` turns what is not a node (a tensor, a parameter) into one;
    `assign` binds a parameter to a new value, `element` makes a number of a tensor's element,
    `replace` changes a tensor in place, `check` raises an error in runs where a condition does not hold, `reads`
    is told of a tensor whose elements are looked at while compiling.  The front end sets them.  A node that was
    changed in place stands for a tensor whose elements are another node: `present` leads from the one (by id) to both.
    `views` leads from a node to those that may share its memory.
    """

    stack: list[list[Node]] = []
    loc: Loc | None = None
    lift: Callable[[Any], Any] = staticmethod(lambda value: value)
    assign: Callable[[Any, Any], Any] = staticmethod(lambda parameter, value: value)
    element: Callable[[Any, Any], Any] = staticmethod(lambda node, index: node)
    replace: Callable[[Any, Any], Any] = staticmethod(lambda old, new: new)
    check: Callable[[Any, Exception], None] = staticmethod(lambda test, error: None)
    reads: Callable[[Any], None] = staticmethod(lambda tensor: None)
    present: dict[int, tuple[Node, Any]] = {}
    views: dict[int, list[Node]] = {}


building = Block.stack     # true while a graph is under construction


def param(aval: Aval) -> Node:
    """A new parameter."""
    return Node(None, (), {}, aval, Block.loc)


def emit(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], aval: Any) -> Node:
    """Append a node with one result, or without, to the innermost block."""
    node = Node(op, inputs, attrs, aval, Block.loc)
    block = Block.stack[-1]
    node.block = id(block)
    block.append(node)
    return node


def held(value: Any) -> Any:
    """What a tensor holds now: the node itself, or the one that its elements were changed to."""
    found = Block.present.get(id(value))
    if found is None:
        return value
    if type(found[1]) is not Node:
        raise found[1].error()
    return found[1]


def note_view(inputs: Iterable[Any], out: Any) -> None:
    """Remember that results may share the memory of the inputs."""
    for x in inputs:
        if type(x) is Node:
            Block.views.setdefault(id(x), []).extend(out if isinstance(out, tuple) else (out,))


def emit_items(op: Any, inputs: Iterable[Any], attrs: dict[str, Any],
               avals: Iterable[Aval]) -> tuple[Node, ...]:
    """Append a node with several results and one projection per result; return the projections."""
    node = Node(op, tuple(inputs), attrs, tuple(avals), Block.loc)
    node.items = tuple([Node(ITEM, (node,), {"i": i}, a, Block.loc)
                        for i, a in enumerate(node.aval)])
    block = Block.stack[-1]
    for one in (node, *node.items):
        one.block = id(block)
        block.append(one)
    return node.items


@contextmanager
def recording(nodes: list[Node]) -> Iterator[list[Node]]:
    """Let `emit` append to `nodes`."""
    Block.stack.append(nodes)
    try:
        yield nodes
    finally:
        Block.stack.pop()


@contextmanager
def loc_frame() -> Iterator[None]:
    """Restore the user's line at the end."""
    loc = Block.loc
    try:
        yield
    finally:
        Block.loc = loc


__all__ = ["Block", "building", "emit", "emit_items", "held", "loc_frame", "note_view",
           "param", "recording"]
