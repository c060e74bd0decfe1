"""Tensors that are changed in place while a graph is compiled.

A node represents a tensor, and two names of one tensor hold one node.  A change in place leaves the
node in place and notes what the tensor holds now; that is what computations with the node take.
Tensors that may share memory with a changed one (views) have unknown elements from then on, because
whether they see the change depends on strides and on whether a gradient is taken.

What an `if` or a loop made of several tensors is a new node that *may be* one of those.  A change of it
makes the elements of those unknown, and to ask whether it `is` one of them is refused.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mindspore.core.errors import GraphTypeError
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Flow, Node, held, note_view
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import known, noted
from mindspore.operators import structure
from mindspore.operators.traits import CAST

from .places import Elements
from .state import apart


class Unknown:
    """The elements of a tensor that may or may not see a change in place."""

    @staticmethod
    def error() -> Exception:
        """What its use raises."""
        return GraphTypeError(
            "A tensor is used that may share memory with one that was changed in place: a slice of it, "
            "a reshaped or transposed form, what an 'if' or a loop made of it, or the tensor that it "
            "is such a form of. Whether it sees the change is not known while compiling. Change a copy "
            "(y = x.copy()), or take the view after the change.")


UNKNOWN = Unknown()


def change(node: Node, new: Node) -> None:
    """Let a tensor hold other elements; those that may share its memory are unknown from now on."""
    trace = runtime.trace
    trace.asked += 1
    _refuse_shared(node)
    for other in related(node).values():
        if other is not node and known(other).holder is None and is_open(other):
            place = Elements(other)
            if place.get() is not UNKNOWN:
                trace.heap.write(place, UNKNOWN)
    trace.heap.write(Elements(node), new)


def _refuse_shared(node: Any) -> None:
    """GraphTypeError for a tensor whose elements share memory with one another, as `broadcast_to` gives them."""
    while type(node) is Node and node.op is not None and type(node.op) is not Flow and node.op.view:
        source = node.inputs[0]
        if node.op.name == "BroadcastTo" and node.shape != source.shape:
            raise GraphTypeError("A tensor that 'broadcast_to' or 'expand' gave is changed in place; its elements "
                                 "share memory with one another. Change a copy (y = x.copy()).")
        node = source


def assign(parameter: Parameter, value: Any) -> Any:
    """Let a parameter hold other elements; views of it are unknown from now on, as for any tensor."""
    trace = runtime.trace
    if trace is None:
        raise RuntimeError("A parameter is assigned in a graph that no compilation is building.")
    own = [trace.capture(parameter), identity(parameter)]
    new = trace.assign(parameter, value)
    for view in _found_from(own, _views).values():
        if is_open(view) and not any([view is one for one in (*own, new)]):
            trace.heap.write(Elements(view), UNKNOWN)
    return parameter


def related(node: Node) -> dict[int, Node]:
    """Tensors that may share memory with one, by id: what it is a view of, and all views of those."""
    return _found_from([node], _near)


def near(values: Iterable[Any]) -> list[Node]:
    """The tensors with which some values may share memory, and that they cannot be."""
    nodes = [n for n in map(identity, values) if type(n) is Node]
    same = _found_from(nodes, _origins)
    return [n for key, n in _found_from(nodes, _near).items() if key not in same]


def note_near(node: Node, others: Iterable[Node]) -> None:
    """Remember that a tensor may share memory with others, as far as the program can still reach them."""
    for other in others:
        if other is not node and is_open(other):
            note_views(node, other)


def origins(node: Node) -> dict[int, Node]:
    """The tensors that a node may be, by id: itself, and those that an `if` or a loop made it of."""
    return _found_from([node], _origins)


def _found_from(start: Sequence[Node], step: Callable[[Node], Iterable[Node]]) -> dict[int, Node]:
    """Some tensors and all to which steps lead from them, by id."""
    seen = {id(node): node for node in start}
    todo = list(start)
    while todo:
        for other in step(todo.pop()):
            if id(other) not in seen:
                seen[id(other)] = other
                todo.append(other)
    return seen


def _near(node: Node) -> Iterator[Node]:
    yield from _views(node)
    yield from _origins(node)
    user = known(node)
    if type(user.content) is Node:
        yield from _views(user.content)
    if user.holder is not None:
        yield user.holder
    else:
        yield from _bases(node)


def _views(node: Node) -> Sequence[Node]:
    return known(node).views


def _origins(node: Node) -> Sequence[Node]:
    return known(node).origins


def _bases(node: Node) -> list[Node]:
    op, source = node.op, node
    if getattr(op, "name", "") == "item":
        source = node.inputs[0]
        op = source.op
    if op is None or type(op) is Flow or not op.view or not _shares(node, source):
        return []
    return [x for x in op.shared(source.inputs) if type(x) is Node]


def _shares(node: Node, source: Node) -> bool:
    """Whether an operator that may return a view returned one: a cast to another type does not."""
    return CAST not in source.op.traits or node.dtype is source.inputs[0].dtype


def is_open(node: Node) -> bool:
    """Whether the block that made a node is still under construction, so that the program may reach it."""
    return not node.block or any(id(nodes) == node.block for nodes in runtime.blocks)


def identity(value: Any) -> Any:
    """The node that represents a tensor, whatever it holds now; other values unchanged."""
    if isinstance(value, Tensor):
        trace = runtime.trace
        trace.capture(value)
        return trace.captured[id(value)][1] if id(value) in trace.captured else value
    return value


def is_same(a: Any, b: Any) -> bool:
    """`a is b`.

    Raises:
        GraphTypeError: If it depends on the branches that a run takes.
    """
    if a is b:
        return True
    if not isinstance(a, (Node, Tensor)) or not isinstance(b, (Node, Tensor)):
        return False
    a, b = identity(a), identity(b)
    if a is b:
        return True
    runtime.trace.asked += 1
    if origins(a).keys() & origins(b).keys():
        raise GraphTypeError("Whether two names are those of one tensor ('is') depends on an 'if' or a loop on a "
                             "tensor. Compare the elements, or ask in the branches.")
    return False


def note_merged(node: Node, sources: list[Any]) -> None:
    """Remember that a tensor may be one of several others, which one is known at run time."""
    found = [s for s in map(identity, sources) if type(s) is Node and s is not node]
    noted(node).origins += found
    note_view(tuple(found), node)


def note_views(one: Any, other: Any) -> None:
    """Remember that two tensors may share memory."""
    one, other = identity(one), identity(other)
    note_view((one,), other)
    note_view((other,), one)


def note_results(outs: Sequence[Any], made: Sequence[Any], params: Sequence[Node], inputs: Sequence[Any]) -> None:
    """Remember what the results of a graph of its own may be, or share memory with.

    `outs` are the results inside, `made` those outside; `params` and `inputs` represent the arguments.
    """
    outside = {id(p): identity(x) for p, x in zip(params, inputs, strict=True)}
    for k, (out, node) in enumerate(zip(outs, made, strict=True)):
        if type(out) is not Node:
            continue
        same, near = origins(out), related(out)
        for key, other in near.items():
            if key in outside or is_open(other):
                (note_merged if key in same else _note_near)(node, [outside.get(key, other)])
        for before, earlier in zip(outs[:k], made, strict=False):
            if type(before) is Node and (before is out or id(before) in near):
                (note_merged if id(before) in same else _note_near)(node, [earlier])


def own_results(results: Sequence[Any], params: Sequence[Node]) -> list[bool]:
    """For each result of the program whether it shares memory with no input and no other result."""
    taken = {id(p) for p in params}
    own = []
    for value in results:
        node = identity(value)
        near = related(node) if type(node) is Node else {}
        own.append(bool(near) and taken.isdisjoint(near))
        taken.update(near)
    return own


def _note_near(node: Node, others: list[Any]) -> None:
    for other in others:
        note_views(node, other)


def inner(place: Any) -> bool:
    """Whether a place is a tensor that a block made which is complete by now."""
    return type(place) is Elements and not is_open(place.owner)


def _copy(node: Node) -> Node:
    """`copy.copy`: another tensor on the same memory."""
    return structure.reshape(node, shape=node.shape)


def _deepcopy(node: Node, memo: dict[int, Any]) -> Node:
    """`copy.deepcopy`: another tensor, without a history."""
    user = noted(held(node))
    before = user.views[:]
    made = memo[id(node)] = structure.stop_gradient(node)
    user.views = before                        # it shares no memory
    return made


for _name, _method in {"__copy__": _copy, "__deepcopy__": _deepcopy}.items():
    setattr(Node, _name, _method)


def replace(old: Any, new: Any) -> Any:
    """What a method that changes its tensor does in a graph; the tensor itself."""
    node = old if type(old) is Node else runtime.trace.capture(old)
    change(node, apart(held(new)))
    return old
