"""Functions of the program: their bodies are walked; a recursion that depends on tensors becomes a graph."""
from __future__ import annotations

from types import FunctionType
from typing import Any

from mindspore.compiler.frontend.objects import failures
from mindspore.compiler.frontend.objects.aliasing import inner, note_merged
from mindspore.compiler.frontend.objects.followed import computes_only, is_generated
from mindspore.compiler.frontend.objects.interpreter import interpreter
from mindspore.compiler.frontend.objects.journal import assigned
from mindspore.compiler.frontend.objects.places import Elements, Value
from mindspore.compiler.frontend.objects.probe import Probe
from mindspore.compiler.frontend.objects.reach import visible
from mindspore.compiler.frontend.objects.source import Closure, closure_of
from mindspore.compiler.frontend.objects.state import Trace, as_node
from mindspore.compiler.frontend.values.conditional import Conditional, has_alternatives
from mindspore.compiler.frontend.values.leaves import is_leaf
from mindspore.core import context
from mindspore.core.errors import GraphTypeError, GraphValueError
from mindspore.eager.tensor import Tensor
from mindspore.ir import (
    CALL,
    Graph,
    Node,
    close,
    emit_items,
    param,
    recording,
    thread_captures,
    tree,
)
from mindspore.ir.runtime import runtime

from .native import call_native, is_cell, unfollowed

STATIC = (int, float, bool, str, type(None))    # kinds of arguments whose value is part of a signature
_PASSES = 4         # of building a recursive function: to find its type, to build it, and two more if the type changed
_ALIKE = 8          # how many calls of one function may run inside each other on values that depend on conditions
_WITHOUT_SCOPE = frozenset(["construct", "<lambda>", "__call__"])        # their cells and callers name the place
_UNROLLED = 64      # how often a call may meet its own signature while it changes objects


class Pending(BaseException):
    """The result of a recursive call is not known yet; the other branch gives it."""


class Recursive(BaseException):
    """A call met its own signature; the outer call of that signature starts again as a graph."""

    def __init__(self, key: Any):
        self.key = key


def call_function(fn: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Walk a user's function; one without source, such as a generated method, runs natively."""
    trace = runtime.trace
    closure = closure_of(fn) if trace is None else trace.closure(fn)
    if closure is not None:
        return walk(closure, args, kwargs)
    if trace is None:
        return call_native(fn, args, kwargs)
    trace.files.add(None)
    if not computes_only(fn) or (any([type(v) not in _CONSTANT and not isinstance(v, Tensor)
                                     for v in (*args, *kwargs.values())]) and not is_generated(fn)):
        raise unfollowed(fn)
    try:
        return call_native(fn, args, kwargs)
    except GraphValueError as error:
        failures.of(error).lines.append(
            f"  The source of '{fn.__qualname__}' is not available, so its 'if' and loops cannot be compiled: "
            "define it in a file or a notebook cell.")
        raise


_CONSTANT = frozenset([*STATIC, Node])


def walk(target: Closure, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Walk the body of a function; from the outermost of several calls of one signature it becomes a graph."""
    trace = runtime.trace
    if trace is None:
        raise RuntimeError(f"'{target.name}', which a compiled function made, is called after its compilation. Return "
                           "what it computes, or define it outside of the compiled function.")
    key = (id(target.identity), tuple([_part(a) for a in args]),
           tuple([(k, _part(v)) for k, v in kwargs.items()]))
    if trace.graphs and key in trace.graphs:
        return _call_graph(key, args, kwargs)
    trace.files.add(target.file)
    _check_recursion(trace, key)
    if trace.chosen and has_alternatives(args, kwargs):
        _check_choices(trace, key, target)
    loc, origin = runtime.loc, runtime.origin
    name = target.name.rpartition(".")[2]
    if name not in _WITHOUT_SCOPE:
        runtime.origin = origin.inside(name)
    heap, probe = trace.heap, Probe()
    frame = interpreter.frame(target)
    trace.active.append((key, heap.version, frame))
    sparing, heap.watch.sparing = heap.watch.sparing, False
    try:
        return frame.call(args, kwargs)
    except Recursive as again:
        if again.key != key:
            raise
        probe.drop()
        return _recursive(target, key, args, kwargs)
    finally:
        probe.keep()
        trace.active.pop()
        runtime.loc, runtime.origin, heap.watch.sparing = loc, origin, sparing


def _check_recursion(trace: Trace, key: Any) -> None:
    """Let the outermost call of a signature that meets itself start again as a graph."""
    if len(trace.active) > context.state.max_call_depth:
        raise RecursionError
    same = [version for k, version, _ in trace.active if k == key]
    if same and (same[-1] == trace.heap.version or len(same) > _UNROLLED):
        raise Recursive(key)


def _check_choices(trace: Trace, key: Any, target: Closure) -> None:
    """A recursion on values whose type depends on a tensor would never meet its own signature."""
    if sum([bool(k) and k[0] == key[0] for k, _, _ in trace.active]) > _ALIKE:
        raise _varying(target)


def _varying(target: Closure) -> GraphTypeError:
    return GraphTypeError(f"The arguments or the result of the recursive function '{target.name}' have a type, shape "
                          "or dtype that depends on the content of a tensor. Give them one, by 'ops.cast' for example.")


def _part(value: Any) -> Any:
    if isinstance(value, Node):
        return value.aval
    if type(value) in STATIC:
        return type(value), value
    inner = None if is_cell(value) else tree.children(value)
    return id(value) if inner is None else (type(value), tuple([_part(v) for v in inner]))


def _recursive(target: Closure, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Build the function as a graph of its own: until the type of its result is known, and once with that type."""
    trace = runtime.trace
    before = set(trace.graphs)
    try:
        for _ in range(_PASSES):
            for other in trace.graphs.keys() - before - {key}:     # they call the graph of the last pass
                del trace.graphs[other]
            if _built(trace, target, key, args, kwargs):
                break
        else:
            raise _varying(target)
    except BaseException:  # raised again, without the graphs that were begun
        for other in trace.graphs.keys() - before:
            del trace.graphs[other]
        raise
    graph, result, _ = trace.graphs[key]
    free = close(graph)
    for other in thread_captures(graph, free):
        for theirs, _, extra in trace.graphs.values():
            if theirs is other:
                extra += free
    trace.graphs[key] = graph, result, free
    trace.alive.append((target, args, kwargs))    # the signature holds identities of constants
    return _call_graph(key, args, kwargs)


def _built(trace: Trace, target: Closure, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Walk a recursive function once; whether its result has the type that its inner calls took it to have."""
    leaves = [v for v in tree.leaves((args, kwargs), is_leaf) if isinstance(v, Node)]
    params = [param(n.aval) for n in leaves]
    swap = iter(params)
    new_args, new_kwargs = tree.rebuild(
        (args, kwargs), is_leaf, iter([next(swap) if isinstance(v, Node) else v
                                       for v in tree.leaves((args, kwargs), is_leaf)]))
    known = trace.graphs.get(key)
    graph = Graph(target.node.name if hasattr(target.node, "name") else "fn", params)
    trace.graphs[key] = graph, known and known[1], []
    with recording(graph.nodes), trace.heap.watched() as changes:
        frame = interpreter.frame(target)
        trace.active[-1] = (key, -1, frame)
        value = frame.call(new_args, new_kwargs)
        if trace.chosen and tree.leaves(value, lambda v: type(v) is Conditional):
            raise _varying(target)
        graph.outs = [as_node(v) for v in tree.leaves(value, is_leaf)]
    if assigned(changes):
        raise GraphTypeError(f"The recursive function '{target.name}' assigns a parameter; "
                             "return the value and assign it outside of the recursion.")
    changed = [c.place for c in changes.values() if c.place.owner is not frame and is_reached(c.place)]
    if changed:
        raise GraphTypeError(f"The recursive function '{target.name}' changes {changed[0]} that was there before "
                             "the call, and how often depends on a tensor; return the new value instead.")
    avals = [o.aval for o in graph.outs]
    trace.graphs[key] = graph, (value, avals), []
    return bool(known and known[1] and known[1][1] == avals)


def is_reached(place: Any) -> bool:
    """Whether the program can reach what changed from outside of the call that changed it."""
    if type(place) is Elements:
        return not inner(place)
    return type(place) is Value or visible(runtime.trace, place.owner)


def _call_graph(key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    graph, result, free = runtime.trace.graphs[key]
    if result is None:
        raise Pending
    template, avals = result
    ins = [v for v in tree.leaves((args, kwargs), is_leaf) if isinstance(v, Node)]
    outs = emit_items(CALL, [*ins, *free], {"graph": graph}, avals)
    for k, out in enumerate(outs):             # a result may be an argument, or another result
        note_merged(out, [*ins, *free, *outs[:k]])
    return tree.rebuild(template, is_leaf, iter(outs))
