"""The interpreter that builds graphs: where `emit` appends, and what the user's tensors mean meanwhile."""
from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from .graph import Aval, Node
from .origin import NOWHERE
from .runtime import Interpreter, runtime


class Building(Interpreter):
    """Appends a node for each operator; for passes and derivatives, which have nodes only.

    The front end's interpreter knows the user's objects, too.
    """

    rank = 2

    def apply(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Append a node to the block under construction."""
        return op.emit(inputs, attrs)

    def lift(self, value: Any) -> Any:
        """The node for what is not one: a tensor, a parameter; a constant unchanged."""
        return value

    def assign(self, parameter: Any, value: Any) -> Any:
        """Bind a parameter to a new value."""
        raise RuntimeError("A parameter is assigned in a graph that no compilation is building.")

    def element(self, node: Node, index: Any) -> Any:
        """An element of a tensor, as a number of Python's."""
        raise RuntimeError("An element is asked for in a graph that no compilation is building.")

    def replace(self, old: Any, new: Any) -> Any:
        """Change a tensor in place; returns it."""
        raise RuntimeError("A tensor is changed in a graph that no compilation is building.")

    def check(self, test: Any, error: Exception) -> None:
        """Let runs raise an error where a condition does not hold."""

    def reads(self, tensor: Any) -> None:
        """Note that the elements of a tensor are looked at."""


def param(aval: Aval) -> Node:
    """A new parameter."""
    return Node(None, (), {}, aval, runtime.loc, runtime.origin)


def emit(op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], aval: Any) -> Node:
    """Append a node with one result, or without, to the innermost block."""
    node = Node(op, inputs, attrs, aval, runtime.loc, runtime.origin)
    block = runtime.blocks[-1]
    node.block = id(block)
    block.append(node)
    return node


def emit_items(op: Any, inputs: Iterable[Any], attrs: dict[str, Any],
               avals: Iterable[Aval]) -> tuple[Node, ...]:
    """Append a node with several results and one projection per result; return the projections."""
    block = runtime.blocks[-1]
    node = Node(op, tuple(inputs), attrs, tuple(avals), runtime.loc, runtime.origin)
    for one in (node, *node.with_items()):
        one.block = id(block)
        block.append(one)
    return node.items


@contextmanager
def recording(nodes: list[Node]) -> Generator[list[Node]]:
    """Let operators append to `nodes`."""
    outermost = Building() if runtime.building is None else None
    if outermost is not None:
        begin(outermost)
    runtime.blocks.append(nodes)
    try:
        yield nodes
    finally:
        runtime.blocks.pop()
        if outermost is not None:
            end(outermost, None)


def begin(one: Building) -> Building | None:
    """Let operators build; returns what built before, for `end`."""
    outer, runtime.building = runtime.building, one
    runtime.push(one)
    return outer


def end(one: Building, outer: Building | None) -> None:
    """Let the builder that was there before `begin` continue."""
    runtime.drop(one)
    runtime.building = outer


@contextmanager
def apart(one: Building, trace: Any) -> Generator[None]:
    """Let this be the compilation that runs, with nothing of one around it in sight."""
    now = runtime
    before = now.trace, now.blocks, now.loc, now.changing, now.origin
    now.trace, now.blocks, now.loc, now.changing, now.origin = trace, [], None, False, NOWHERE
    outer = begin(one)
    try:
        yield
    finally:
        end(one, outer)
        now.trace, now.blocks, now.loc, now.changing, now.origin = before


@contextmanager
def loc_frame() -> Generator[None]:
    """Restore the user's line at the end."""
    loc = runtime.loc
    try:
        yield
    finally:
        runtime.loc = loc


def noted(notes: dict[str, Any], compute: Callable[[], Any]) -> Any:
    """Compute; the nodes that are made meanwhile carry notes in their origin."""
    outer = runtime.origin
    runtime.origin = outer.noting(**notes)
    try:
        return compute()
    finally:
        runtime.origin = outer


__all__ = ["Building", "apart", "emit", "emit_items", "loc_frame", "noted", "param", "recording"]
