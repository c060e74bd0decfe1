"""What a program gives back: its result, and new values of parameters, attributes and other objects."""
from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from typing import Any

from mindspore.compiler.arguments import Argument, CallArguments
from mindspore.compiler.frontend import Trace, as_node, check_leaving, decided, lift, own_results
from mindspore.compiler.frontend.objects.places import Contents
from mindspore.compiler.frontend.objects.reach import is_cell
from mindspore.core.errors import GraphTypeError
from mindspore.eager.memory import is_alone, overwrite
from mindspore.eager.parameter import Parameter, Version
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir import ITEM, Dim, Graph, Node, Real, tree
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import known
from mindspore.operators.python_numbers import number_kind
from mindspore.operators.structure import stop_gradient

from .compile_guards import walking
from .signature import leaf_signature


class Placeholder:
    """The place of a tensor in the structure of a result."""


HOLE = Placeholder()


def is_hole(value: Any) -> bool:
    """Whether a leaf of a structure is the place of a tensor."""
    return value is HOLE


class Results:
    """The results of a graph: first those of the function, `count` of them, then its effects.

    Attributes:
        result: The structure of the function's result, with holes for tensors.
        numbers: Which tensors of the result are numbers to the caller.
        single: Whether the result is one tensor.
        chosen: Whether the result may depend on a choice of values.
        assigned: The parameters that get new values.
        writes: Other places that get new content: place, structure, which members are numbers.
        contents: Those places with the structure that they had before.
        changed: The inputs and captured tensors that are changed in place.
        own: For each result of the function whether the program made it for itself.
        keeps: Whether there are objects and tensors among the results that were there before.
        asked: Whether it matters to the program which tensors are one, or share memory.
    """

    graph: Graph
    given: CallArguments
    keeps = False

    def template(self, result: Any, graph: Graph) -> None:
        """Remember the structure of the result; its tensors are results of the graph."""
        check_leaving(result, "The result")
        self.containers: dict[int, Any] = {}           # that the program made, while it is walked
        result = self.kept(themselves(result))
        found = tree.leaves(result, _is_made)
        self.result = tree.rebuild(result, _is_made, iter([HOLE] * len(found)))
        self.numbers = [k for k, v in enumerate(found) if number_kind(v)]
        graph.outs = [as_node(v) for v in found]
        self.count = len(graph.outs)
        self.own = own_results(found, [*graph.params, *[n for _, n in runtime.trace.captured.values()]])
        self.single = self.result is HOLE
        self.chosen = runtime.trace.chosen

    def effects(self, trace: Trace, graph: Graph) -> None:
        """Further results: new values of parameters, of attributes and of other objects."""
        self.assigned: list[Parameter] = list(trace.state)
        graph.outs += trace.state.values()
        changes = trace.heap.finish(trace.cells)
        places = [self.given.place(c.place) for c in changes]
        self.contents = [(c.place, tree.signature(c.before, leaf_signature))
                         for c, place in zip(changes, places, strict=True) if place is c.place]
        self.writes: list[tuple[Any, Any, list[bool]]] = []
        for change, place in zip(changes, places, strict=True):
            check_leaving(change.after, str(change.place).capitalize())
            change.after = self.kept(change.after, change.place)
            if tree.leaves(change.after, functools.partial(_is_replaced, trace)):
                self.keeps = True
                change.after = tree.mapped(change.after, functools.partial(_is_replaced, trace),
                                           functools.partial(_standing, trace, graph.params))
            nodes = tree.leaves(change.after, _is_computed)
            numbers = [number_kind(v) is not None for v in nodes]
            graph.outs += [as_node(v) for v in nodes]
            hollow = tree.rebuild(change.after, _is_computed, iter([HOLE] * len(nodes)))
            self.writes.append((place, hollow, numbers))
        self.takes = bool(self.given.paths)
        self.asked = trace.asked > 0
        self.changed = changed_tensors(graph.params, [n for _, n in trace.captured.values()])
        graph.outs += [lift(node) for node in self.changed.values()]

    def kept(self, value: Any, place: Any = None) -> Any:
        """A value whose containers and objects from outside are marked, so that they themselves are given back."""
        outside = runtime.trace.heap.outside

        def is_kept(value: Any) -> bool:
            if type(value) is set:
                return value is not content and id(value) not in outside
            return value is not content and id(value) in outside and tree.children(value) is not None

        def keep(value: Any) -> Kept:
            self.keeps = True
            if id(value) not in outside:               # a set that the program made: every run makes one
                return Kept(frozenset(value))
            found = self.given.containers.get(id(value))
            return Kept(self.given.at(found[1]) if found else value)
        content = value if type(place) is Contents else None         # it is put into the container
        self.once(value if content is value else (value,), is_kept)
        return tree.mapped(value, is_kept, keep)

    def leaving(self, value: Any) -> Iterator[int]:
        """The ids of all that a structure of results holds."""
        value = value.held if type(value) is Kept else value
        yield id(value)
        for inner in tree.children(value) or ():
            yield from self.leaving(inner)

    def once(self, value: Any, is_kept: Callable[[Any], bool]) -> None:
        """Note the containers in a value.

        Raises:
            GraphTypeError: If one of them is among the results already, which would be two at every run.
        """
        for inner in tree.children(value) or ():
            own = not is_kept(inner)
            if (own and (isinstance(inner, _CHANGING) or is_dataclass(inner))) or (not own and type(inner) is set):
                if id(inner) in self.containers:
                    raise GraphTypeError(f"A {type(inner).__name__} that the program made is given back, or kept, at "
                                         "two places. Give back a copy, or make it outside.")
                self.containers[id(inner)] = inner
            if own:
                self.once(inner, is_kept)

    def shared_results(self) -> list[int]:
        """Assigned values that are not tensors of their own: views, inputs, results returned twice."""
        outs = [_itself(o) for o in self.graph.outs]
        seen: set[int] = {id(o) for o in outs[:self.count]}
        copies = []
        for k in range(self.count, len(outs)):
            out = outs[k]
            if id(out) in seen or not _is_fresh(out):
                copies.append(k)
            seen.add(id(out))
        return copies

    # ------------------------------------------------------------------ after a run

    def rebuilt(self, tensors: Sequence[Tensor]) -> Any:
        """The result in the structure that the program returned."""
        values: list[Any] = list(tensors)
        for k in self.numbers:
            values[k] = values[k].item()
        result = tree.rebuild(self.result, is_hole, iter(values))
        if self.keeps:
            result = _restored(result)
        return decided(result) if self.chosen else result

    def write_back(self, outs: Sequence[Any], tensors: Sequence[Tensor], shared: Sequence[int],
                   tracked: Sequence[Tensor] = ()) -> Sequence[Any]:
        """Give parameters, attributes and changed tensors their new values.

        Args:
            tensors: The inputs and the captured tensors.
            shared: Which results are not tensors of their own.
            tracked: The results with their places on the tape, if there is one.
        """
        if shared:
            outs = list(outs)
            for k in shared:
                outs[k] = outs[k].clone()
        at = self.count
        for p in self.assigned:
            if outs[at] is not p._data:              # the run did not write into its memory
                if not runtime.depth and is_alone(p._data):
                    p._data = outs[at]
                else:
                    overwrite(p, wrap(outs[at], tracked[at]._var if tracked else None))
            at += 1
        if self.writes:
            with walking:
                at = self.write_objects(outs, tensors, tracked, at)
        for k in self.changed:
            overwrite(tensors[k], wrap(outs[at], tracked[at]._var if tracked else None))
            at += 1
        return outs

    def write_objects(self, outs: Sequence[Any], tensors: Sequence[Tensor], tracked: Sequence[Tensor], at: int) -> int:
        """Give attributes and containers their new content, from result `at` on; the first result after them."""
        for place, hollow, numbers in self.writes:
            end = at + len(numbers)
            found = tracked[at:end] or [wrap(o) for o in outs[at:end]]
            values = iter([v.item() if number else v
                           for v, number in zip(found, numbers, strict=True)])
            value = tree.rebuild(hollow, is_hole, values)
            if self.keeps:
                value = _restored(tree.mapped(value, _is_standing, lambda standing: tensors[standing.number]))
            write(place, decided(value) if self.chosen else value)
            at = end
        return at


_CHANGING = (list, dict, deque)


class Kept:
    """A container or object from outside, or among the arguments, which is given back itself; of a set its members."""

    def __init__(self, held: Any):
        self.held = held


def _is_kept(value: Any) -> bool:
    return type(value) is Kept


def _restored(value: Any) -> Any:
    """A value with the containers and objects that were kept in it."""
    def restored(kept: Kept) -> Any:
        held = kept.held
        return held.owner if type(held) is Argument else set(held) if type(held) is frozenset else held
    return tree.mapped(value, _is_kept, restored)


class Standing:
    """A tensor that a call gives, or that it finds at its place outside: by its number among these."""

    def __init__(self, number: int):
        self.number = number


def _is_replaced(trace: Trace, value: Any) -> bool:
    """Whether a tensor may be another one at a later run."""
    return id(value) in trace.inputs or (type(value) is Tensor and bool(trace.heap.watch.sources(value)))


def _standing(trace: Trace, params: list[Node], value: Any) -> Standing:
    """The tensor of a node for an input, or one from outside."""
    if type(value) is Node:
        return Standing(next(k for k, param in enumerate(params) if param is value))
    trace.capture(value)
    return Standing(len(params) + list(trace.captured).index(id(value)))


def _is_standing(value: Any) -> bool:
    return type(value) is Standing


def _is_computed(value: Any) -> bool:
    return isinstance(value, Node) or type(value) in (Dim, Real)


def _is_made(value: Any) -> bool:
    """Whether a leaf of the result is made by the run; parameters are there already."""
    return type(value) in (Node, Dim, Real) or (isinstance(value, Tensor) and not isinstance(value, Parameter))


def _is_node(value: Any) -> bool:
    return type(value) is Node


def themselves(result: Any) -> Any:
    """The result with the parameters themselves where a condition chose among some."""
    nodes = tree.leaves(result, _is_node)
    found = [n if known(n).parameter is None or type(known(n).content) is Node else known(n).parameter for n in nodes]
    if all(a is b for a, b in zip(nodes, found, strict=True)):
        return result
    runtime.trace.chosen = True
    return tree.rebuild(result, _is_node, iter(found))


def _itself(out: Any) -> Any:
    """The value that a result is without `stop_gradient`, which returns its input."""
    while type(out) is Node and out.op is stop_gradient:
        out = out.inputs[0]
    return out


def _is_fresh(out: Any) -> bool:
    """Whether a result of a graph is a tensor that an operator made."""
    if type(out) is not Node:
        return False
    made_by = out.inputs[0].op if out.op is ITEM else out.op
    return made_by is not None and not made_by.view


def write(place: Any, value: Any) -> None:
    """Give an object its new content; other programs look again if its kind changes."""
    stamp = place.owner._stamp if is_cell(place.owner) else None
    if stamp is not None and tree.signature(place.get(), leaf_signature) != tree.signature(
            value, leaf_signature):
        place.owner.__dict__["_stamp"] = stamp + 1
        Version.moves()
    if stamp is not None and isinstance(value, Parameter):      # chosen at run time: the cell gets it like any other
        setattr(place.owner, place.name, value)
    else:
        place.put(value)


def changed_tensors(params: list[Node], captured: list[Node]) -> dict[int, Node]:
    """The inputs and captured tensors that the program changes in place, by their places."""
    return {k: node for k, node in enumerate([*params, *captured]) if known(node).content is not None}
