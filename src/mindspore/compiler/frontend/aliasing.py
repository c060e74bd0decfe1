"""Tensors that are changed in place while a graph is compiled.

A node stands for a tensor, and two names of one tensor hold one node.  A change in place leaves the
node where it is and notes what the tensor holds now: whoever computes with the node takes that.
Tensors that may share memory with a changed one (views) have unknown elements from then on, because
whether they see the change depends on strides and on whether a gradient is taken.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindspore.compiler.ir import Block, Node, held, note_view
from mindspore.core.errors import GraphTypeError
from mindspore.operators import structure

from .state import Trace


class Unknown:
    """The elements of a tensor that may or may not see a change in place."""

    @staticmethod
    def error() -> Exception:
        """What its use raises."""
        return GraphTypeError(
            "A tensor is used that may share memory with one that was changed in place: a slice of it, "
            "a reshaped or transposed form, what a condition or a loop made of it, or the tensor that it "
            "is such a form of. Whether it sees the change is not known while compiling. Change a copy "
            "(y = x.copy()), or take the view after the change.")


UNKNOWN = Unknown()


class Elements:
    """What a tensor holds, as a place of the journal."""

    def __init__(self, node: Node):
        self.owner, self.key = node, (id(node), "elements")

    def get(self) -> Any:
        return Block.present.get(id(self.owner), (None, self.owner))[1]

    def put(self, content: Any) -> None:
        if content is self.owner:
            Block.present.pop(id(self.owner), None)
        else:
            Block.present[id(self.owner)] = self.owner, content
            if type(content) is Node:
                Trace.current.contents[id(content)] = self.owner, content

    def __str__(self) -> str:
        return "a tensor that is changed in place"


def change(node: Node, new: Node) -> None:
    """Let a tensor hold other elements; those that may share its memory are unknown from now on."""
    heap = Trace.current.heap
    for other in list(_relatives(node)):
        place = Elements(other)
        if place.get() is not UNKNOWN:
            heap.write(place, UNKNOWN)
    heap.write(Elements(node), new)


def _relatives(node: Node) -> Iterator[Node]:
    """Tensors that may share memory with one: what it is a view of, and all views of those."""
    contents = Trace.current.contents
    seen = {id(node): node}
    todo = [node]
    while todo:
        now = todo.pop()
        near = [*Block.views.get(id(now), ()), *Trace.current.merged.get(id(now), ())]
        content = Block.present.get(id(now), (None, None))[1]
        if type(content) is Node:
            near += Block.views.get(id(content), ())
        if id(now) in contents:
            near.append(contents[id(now)][0])
        else:
            near += _bases(now)
        for other in near:
            if id(other) not in seen:
                seen[id(other)] = other
                todo.append(other)
                if id(other) not in contents:
                    yield other


def _bases(node: Node) -> list[Node]:
    op, source = node.op, node
    if getattr(op, "name", "") == "item":
        source = node.inputs[0]
        op = source.op
    if op is None or not getattr(op, "alias", False) or not _shares(node, source):
        return []
    return [x for x in op.shared(source.inputs) if type(x) is Node]


def _shares(node: Node, source: Node) -> bool:
    """Whether an operator that may return a view returned one: a cast to another type does not."""
    return source.op.name != "Cast" or node.dtype is source.inputs[0].dtype


@contextmanager
def holding(present: dict[int, Any]) -> Iterator[None]:
    """Take what tensors held at another place of the program."""
    before, Block.present = Block.present, present
    try:
        yield
    finally:
        Block.present = before


def note_merged(node: Node, sources: list[Any]) -> None:
    """Remember that a tensor may be one of several others, which one is known at run time."""
    sources = [s for s in sources if type(s) is Node]
    Trace.current.merged[id(node)] = sources
    note_view(tuple(sources), node)


def inner(place: Any, nodes: list[Node]) -> bool:
    """Whether a place is a tensor that one of these blocks made."""
    return type(place) is Elements and any(n is place.owner for n in nodes)


def _copy(node: Node) -> Node:
    """`copy.copy`: another tensor on the same memory."""
    return structure.reshape(node, shape=node.shape)


def _deepcopy(node: Node, memo: dict[int, Any]) -> Node:
    """`copy.deepcopy`: another tensor, without a history."""
    views = Block.views.get(id(held(node)), [])[:]
    made = memo[id(node)] = structure.stop_gradient(node)
    Block.views[id(held(node))] = views       # it shares no memory
    return made


Node.__copy__, Node.__deepcopy__ = _copy, _deepcopy       # type: ignore[attr-defined]


def replace(old: Any, new: Any) -> Any:
    """What a method that changes its tensor does in a graph; the tensor itself."""
    node = old if type(old) is Node else Trace.current.capture(old)
    change(node, held(new))
    return old
