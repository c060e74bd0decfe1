"""Tensors that are changed in place while a graph is compiled.

A node represents a tensor, and two names of one tensor hold one node.  A change in place leaves the
node in place and notes what the tensor holds now; that is what computations with the node take.
Tensors that may share memory with a changed one (views) have unknown elements from then on, because
whether they see the change depends on strides and on whether a gradient is taken.

What an `if` or a loop made of several tensors is a new node that *may be* one of those.  A change of it
makes the elements of those unknown, and to ask whether it `is` one of them is refused.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core.errors import GraphTypeError
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir import Flow, Node, held
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import join, known, leave, near, note_views, noted
from mindspore.operators import structure

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
    for other in list(near(node)):
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
    outside = {id(node) for _, node in trace.captured.values()} | trace.inputs       # they share memory with no other
    for view in [v for node in own for v in near(node)]:
        if id(view) not in outside and is_open(view) and not any([view is one for one in (*own, new)]):
            trace.heap.write(Elements(view), UNKNOWN)
    return parameter


def origins(node: Node) -> dict[int, Node]:
    """The tensors that a node may be, by id: itself, and those that an `if` or a loop made it of."""
    found, todo = {id(node): node}, [node]
    while todo:
        for other in known(todo.pop()).origins:
            if id(other) not in found:
                found[id(other)] = other
                todo.append(other)
    return found


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
    note_views(found, node)


def note_near(one: Any, other: Any) -> None:
    """Remember that two tensors may share memory."""
    note_views([identity(one)], identity(other))


def note_results(outs: Sequence[Any], made: Sequence[Any], params: Sequence[Node], inputs: Sequence[Any]) -> None:
    """Remember what the results of a graph of its own may be, or share memory with.

    `outs` are the results inside, `made` those outside; `params` and `inputs` represent the arguments.
    """
    outside = {id(p): identity(x) for p, x in zip(params, inputs, strict=True)}
    for k, (out, node) in enumerate(zip(outs, made, strict=True)):
        if type(out) is not Node:
            continue
        same = origins(out)
        note_merged(node, [outside.get(key, other) for key, other in same.items() if key in outside or is_open(other)])
        note_merged(node, [earlier for before, earlier in zip(outs[:k], made, strict=False) if id(before) in same])
        join(out, node)


def own_results(results: Sequence[Any], params: Sequence[Node]) -> list[bool]:
    """For each result of the program whether it shares memory with no input and no other result."""
    taken = {id(p) for p in params}
    own = []
    for value in results:
        node = identity(value)
        shared = set(map(id, near(node))) if type(node) is Node else set[int]()
        own.append(bool(shared) and taken.isdisjoint(shared))
        taken |= shared
    return own


def inner(place: Any) -> bool:
    """Whether a place is a tensor that a block made which is complete by now."""
    return type(place) is Elements and not is_open(place.owner)


def _copy(node: Node) -> Node:
    """`copy.copy`: another tensor on the same memory."""
    return structure.reshape(node, shape=node.shape)


def _deepcopy(node: Node, memo: dict[int, Any]) -> Node:
    """`copy.deepcopy`: another tensor, without a history."""
    made = memo[id(node)] = structure.stop_gradient(node)
    leave(made)
    return made


for _name, _method in {"__copy__": _copy, "__deepcopy__": _deepcopy}.items():
    setattr(Node, _name, _method)


def replace(old: Any, new: Any) -> Any:
    """What a method that changes its tensor does in a graph; the tensor itself."""
    node = old if type(old) is Node else runtime.trace.capture(old)
    change(node, apart(held(new)))
    return old
