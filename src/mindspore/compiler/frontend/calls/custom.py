"""Functions with a derivative of their own: a cell's `bprop`, gradient hooks."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mindspore.compiler.autodiff.copying import inline
from mindspore.compiler.frontend.objects.aliasing import identity, inner, note_results
from mindspore.compiler.frontend.objects.journal import assigned
from mindspore.compiler.frontend.objects.places import Elements, Value
from mindspore.compiler.frontend.objects.state import as_node, lift
from mindspore.core.errors import GraphTypeError
from mindspore.eager.fitting import fitted
from mindspore.eager.tensor import Tensor
from mindspore.ir import CUSTOM, Graph, Node, close, emit_items, param, recording, tree
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import join


def _is_tensor(value: Any) -> bool:
    return isinstance(value, (Node, Tensor))


class Region(NamedTuple):
    """A call whose nodes are a graph of their own: how its arguments and its result are made of tensors."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    out: Any
    graph: Graph
    inputs: int            # how many of the graph's parameters are arguments; the others are captured
    results: int           # how many of its results are the call's; others are new state and what is kept


def custom(name: str, body: Callable[..., Any], rule: Callable[[Any, Any, Any], Sequence[Any]],
           args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Emit `body(*args, **kwargs)` as a node whose cotangents `rule(args, out, dout)` computes.

    The rule answers with one tree of cotangents (or None) per positional argument.
    """
    def rule_of(region: Region) -> Any:
        def cotangents(ins: Sequence[Any], outs: Sequence[Any], douts: Sequence[Any]) -> list[Any]:
            given = tree.rebuild((args, kwargs), _is_tensor, iter(ins[:region.inputs]))[0]
            found = rule(given, tree.rebuild(region.out, _is_tensor, iter(outs[:region.results])),
                         tree.rebuild(region.out, _is_tensor, iter(douts[:region.results])))
            flat = tree.matched(args, of_inputs(found), _is_tensor)
            like = tree.leaves(args, _is_tensor)
            return [d if d is None else fitted(name, lift(d), x) for d, x in zip(flat, like, strict=True)]
        cotangents.calls_back = True  # see `Program.calls_back`
        return cotangents
    return enclosed(name, body, rule_of, args, kwargs)


def in_order(construct: Callable[..., Any], args: tuple[Any, ...],
             kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call by place, as a `bprop` takes them; those that only have a name stay by name."""
    if not kwargs:
        return args, kwargs
    bound = inspect.signature(construct).bind(*args, **kwargs)
    if bound.kwargs:                  # an argument that is not given, between two that are
        bound.apply_defaults()
    return bound.args, bound.kwargs


def of_inputs(found: Any) -> Sequence[Any]:
    """The cotangents of the inputs in what a `bprop` returns: one, several, or (of inputs, of parameters)."""
    if not isinstance(found, (tuple, list)):
        return (found,)
    both = len(found) == 2 and isinstance(found[0], (tuple, list)) and isinstance(found[1], dict)
    return found[0] if both else found


def of_parameters(found: Any, parameters: Sequence[Any]) -> list[Any]:
    """The cotangents of a cell's `internal_params` in what its `bprop` returns; None for those not named."""
    given = found[1] if isinstance(found, (tuple, list)) and len(found) == 2 and isinstance(found[1], dict) else {}
    return [next((d for p, d in given.items() if p is q), None) for q in parameters]


def used(cell: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs and the result as a `bprop` gets them: None for those that `used_bprop_inputs` leaves out."""
    places = getattr(cell, "used_bprop_inputs", None)
    return values if places is None else tuple([v if i in places else None for i, v in enumerate(values)])


def enclosed(name: str, body: Callable[..., Any], rule_of: Callable[[Region], Any],
             args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Emit `body(*args, **kwargs)` as a node with a graph of its own and the rule made for that.

    The rule takes inputs, results and their cotangents; it answers with cotangents of the inputs.
    If there is no rule, the nodes are emitted without a graph of their own.
    """
    trace = runtime.trace
    inputs = [lift(t) for t in tree.leaves((args, kwargs), _is_tensor)]
    graph = Graph(name, [param(n.aval) for n in inputs])
    new_args, new_kwargs = tree.rebuild((args, kwargs), _is_tensor, iter(graph.params))
    for given, inside in zip(tree.leaves((args, kwargs), _is_tensor), graph.params, strict=True):
        join(identity(given), inside)
    with recording(graph.nodes), trace.heap.watched() as changes:
        out = body(*new_args, **new_kwargs)
        found = [identity(v) for v in tree.leaves(out, _is_tensor)]
        graph.outs = [as_node(v) for v in found]
    _refuse(name, changes)
    region = Region(args, kwargs, out, graph, len(inputs), len(graph.outs))
    parameters = assigned(changes)
    graph.outs += [trace.state[p] for p in parameters]
    rule = rule_of(region)
    if rule is None:
        items = inline(graph, inputs)
    else:
        free = close(graph)
        items = emit_items(CUSTOM, [*inputs, *free], {"graph": graph, "rule": rule},
                           [o.aval for o in graph.outs])
    for p, node in zip(parameters, items[region.results:], strict=False):
        trace.bind(p, node)
    params = graph.params[:len(inputs)]
    note_results(found, items[:region.results], params, tree.leaves((args, kwargs), _is_tensor))
    return tree.rebuild(out, _is_tensor, iter(items[:region.results]))


def _refuse(name: str, changes: dict[Any, Any]) -> None:
    """GraphTypeError if a body changed tensors around it, or let objects hold its tensors."""
    for change in changes.values():
        place = change.place
        held = type(place) is not Value and tree.leaves(place.get(), lambda v: isinstance(v, Node))
        if not inner(place) and (held or type(place) is Elements):
            raise GraphTypeError(
                f"'{name}' has a gradient of its own, or is computed again in the reverse pass, and changes {place} "
                "around it; return the new value instead.")
