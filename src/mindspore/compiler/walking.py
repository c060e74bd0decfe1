"""The walk over a function for given arguments: its graph, what it captured, what it gives back."""
from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import MethodType
from typing import Any

from mindspore.compiler import disk
from mindspore.compiler.arguments import CallArguments
from mindspore.compiler.frontend import (
    Pending,
    Trace,
    Walking,
    call,
    raised_at_run_time,
    refuse_unfinished,
)
from mindspore.compiler.frontend.objects import failures
from mindspore.compiler.frontend.objects.reach import is_plain
from mindspore.compiler.inspection.reasons import input_names
from mindspore.compiler.inspection.record import Record
from mindspore.core.dtype import DType, float64, int64
from mindspore.core.errors import GraphSyntaxError
from mindspore.core.mutable import Float, Int, is_number
from mindspore.eager import mixed
from mindspore.eager.hooks import hooks_of
from mindspore.eager.parameter import Parameter, Version
from mindspore.eager.tensor import Tensor
from mindspore.ir import (
    Aval,
    Dim,
    Graph,
    Node,
    Real,
    Sizes,
    apart,
    graphs_in,
    param,
    recording,
    tree,
)
from mindspore.ir.runtime import runtime
from mindspore.operators.effects import check_true, raise_error

from . import fallback, results
from .cell_states import states
from .compile_guards import deep, uncollected, walking
from .dynamic import NUMBER
from .fallback import is_limit
from .signature import is_small, is_tensor
from .validity import marks_of

_CONSTANTS = frozenset([int, float, bool, str, tuple, type(None), DType, Graph])
_NUMBERS = {Int: Aval((), int64), Float: Aval((), float64)}


class Walked(results.Results):
    """A function that was walked for arguments of one kind.

    Attributes:
        graph: Its graph; the parameters are the inputs, then what it captured.
        constants: Values of small integer tensors that are constants of the graph; None if they are inputs.
        captured: The tensors that it met outside of its arguments.
        sources: Where captured tensors are attributes of objects, from which every call takes them.
        owners: The containers and objects from outside, by id, if it changes any.
        cells, outside, marks, hooks, cast: What it read, for which the graph holds (see `validity`).
    """

    numeric = False            # whether numbers among the arguments are inputs
    constants: list[Any] | None
    record: Record
    sizes: Sizes

    def walk(self, name: str, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], by_value: bool,
             extents: Sequence[Any], general: bool, captured: bool = False,
             asked_for: list[Any] | None = None) -> None:
        """Walk the function: its graph, and what it captured.

        Args:
            by_value: Whether small integer tensors among the arguments are constants of the graph.
            extents: For each tensor among the arguments the dimensions whose extents may differ.
            general: Whether extents of 0 and 1 are compiled by the hint of a larger one.
            captured: Whether tensors from outside are constants where the program asks for their elements.
            asked_for: Takes up those tensors.
        """
        start = time.perf_counter()
        self.version = Version.value
        self.constants, self.numeric = None, NUMBER in extents
        if by_value:
            found = tree.leaves((args, kwargs), is_small)
            self.constants = [t.tolist() for t in found]
            own = [Tensor(t) for t in found]
            args, kwargs = tree.rebuild((args, kwargs), is_small, iter(own))
        self.graph, inputs = Graph(name), tree.leaves((args, kwargs), self.is_input)
        trace = self.trace = Trace(by_value or captured, asked_for)
        if disk.folder():
            trace.noted = {}
        with walking, uncollected(), current(trace), deep(), recording(self.graph.nodes):
            self.graph.params = [param(a) for a in self.avals(inputs, extents, general)]
            with mixed.represented(inputs, self.graph.params):
                self.follow(trace, fn, args, kwargs, inputs)
        self.given.containers.clear()
        self.graph.params += [node for _, node in trace.captured.values()]
        self.remember(trace)
        self.names = input_names(fn, args, kwargs, self.is_input) + [
            f"param_{t.name}" if isinstance(t, Parameter) else f"const_{k}"
            for k, t in enumerate(self.captured)]
        if extents:
            self.record.sized([p.aval for p in self.graph.params[:len(inputs)]])
        with self.sizes.final():
            self.record.front_end(start, self.graph)

    def follow(self, trace: Trace, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
               inputs: Sequence[Any]) -> None:
        """Call the function with nodes for its inputs; what it gives becomes the graph's results."""
        graph = self.graph
        self.sizes.arguments = _finder(graph.params, inputs, trace)
        trace.inputs.update(map(id, graph.params))
        new_args, new_kwargs = tree.rebuild((args, kwargs), self.is_input, iter(
            [self.sizes.given(k, t._data) if is_number(t) else p
             for k, (t, p) in enumerate(zip(inputs, graph.params, strict=True))]))
        self.given = CallArguments((new_args, new_kwargs))
        trace.heap.outside |= {key: value for key, (value, _) in self.given.containers.items()}
        trace.heap.watch.given = self.given.containers.keys()
        owner = fn.__self__ if type(fn) is MethodType else fn
        if is_plain(owner) or isinstance(owner, functools.partial):
            trace.heap.note(owner)
        for value in tree.leaves((new_args, new_kwargs), is_object):        # what comes from outside
            trace.heap.note(value)
        self.template(called(fn, new_args, new_kwargs, graph, self.sizes), graph)
        self.effects(trace, graph)
        self.owners = {key: value for key, value in trace.heap.outside.items()
                       if key not in self.given.containers} if self.writes else {}

    def remember(self, trace: Trace) -> None:
        """Keep what the graph holds for."""
        self.captured = [t for t, _ in trace.captured.values()]
        watch = trace.heap.watch
        self.sources = [(k, *place, t.aval) for k, t in enumerate(self.captured) for place in watch.sources(t)]
        written = {key for place, _ in self.contents for key in (place.key, place.key[:2])}
        self.outside = watch.frozen(written)
        self.watched = [p for p in self.captured if isinstance(p, Parameter)]
        self.marks = marks_of(self.watched)
        self.primitives = [(p, p.changes()) for p in trace.primitives.values()]
        self.hooks = [hooks_of(t) for t in self.captured]
        self.cast = mixed.marks_of(self.captured)
        self.calls_back = calls_back(self.graph)
        lasting = [c for c in trace.cells.values() if id(c) not in trace.made_cells or c._params or len(c._cells)]
        self.cells = states(lasting, self.contents, None if self.calls_back else watch.asked)
        if not (self.writes or self.chosen or self.calls_back):
            self.outside.identified = watch.identified | set(self.leaving(self.result))

    def avals(self, inputs: Sequence[Tensor], extents: Sequence[Any], general: bool) -> list[Aval]:
        """The avals of the arguments, with symbols where extents may differ."""
        found = [_NUMBERS[type(t)] if is_number(t) else t.aval for t in inputs]
        for k, axes in enumerate(extents):
            if axes is NUMBER:
                continue
            shape, dtype, weak = found[k]
            sizes: list[Any] = [self.sizes.extent(k, i, n, general) if i in axes else n for i, n in enumerate(shape)]
            found[k] = Aval(tuple(sizes), dtype, weak)
        return found

    def is_input(self, value: Any) -> bool:
        """Whether a leaf of the arguments is an input of the graph."""
        return (is_tensor(value) and (self.constants is None or not is_small(value))) or (
            self.numeric and is_number(value))


@contextmanager
def current(trace: Trace) -> Iterator[None]:
    """Let this be the compilation that runs, with nothing of one around it in sight."""
    with apart(Walking(), trace):
        try:
            yield
        except BaseException as error:  # raised again, with the lines of the program
            _end(trace, error)
            raise
        _end(trace, None)


def _end(trace: Trace, error: BaseException | None) -> None:
    """Undo what the program changed, and leave nothing of the walk on nodes and exceptions."""
    trace.heap.unwind()
    for node in trace.tensors:
        node.user = None
    failures.leave(trace, error)


def is_object(value: Any) -> bool:
    """Whether a leaf of the arguments is an object, which is neither a constant nor an input."""
    return type(value) not in _CONSTANTS and type(value) not in (Node, Dim, Real) and tree.children(value) is None


def called(fn: Any, args: Any, kwargs: Any, graph: Graph, sizes: Sizes) -> Any:
    """The result of the program; nothing if it always raises, which then the graph does.

    The graph raises what the program itself raises, and any error before which it prints or asserts: in
    PyNative mode the text is seen first, and an assertion that does not hold comes first.  If the program changed
    something outside before, the error is marked, so that the call is made in Python; so it is if the graph prints or
    asserts but cannot raise, since the error is one for the current sizes.
    """
    try:
        result = call(fn, args, kwargs)
        refuse_unfinished(0)
        return result
    except Exception as error:  # of the program: the graph raises it, or it is raised again
        by_user, later = failures.known(error).by_user, not is_limit(error) and shows(graph)
        if (later and sizes.active and not by_user) or (not is_limit(error) and _changes(graph)):
            fallback.mark_changes(error)
            raise
        if not by_user and not later:
            raise
        raised_at_run_time(error.with_traceback(None))
        return None
    except Pending:
        raise GraphSyntaxError("A recursive function calls itself in every branch that returns, or inside of a loop on "
                               "a tensor: end the recursion by an 'if' that stands before the call.") from None


def _changes(graph: Graph) -> bool:
    """Whether the program so far changed parameters, tensors or other objects from outside."""
    trace = runtime.trace
    return bool(trace.state or trace.heap.finish(trace.cells)
                or results.changed_tensors(graph.params, [n for _, n in trace.captured.values()]))


def shows(graph: Graph) -> bool:
    """Whether a graph prints, asserts or raises."""
    return any(node.op.effect == "io" for one in graphs_in(graph) for node in one.nodes)


def speaks(graph: Graph) -> bool:
    """Whether a graph prints, or has any other effect before it ends or raises."""
    return any(node.op.effect in ("io", "communication") and node.op not in (check_true, raise_error)
               for one in graphs_in(graph) for node in one.nodes)


def draws(graph: Graph) -> bool:
    """Whether a graph draws random numbers."""
    return any(node.op.effect == "random" for one in graphs_in(graph) for node in one.nodes)


def calls_back(graph: Graph) -> bool:
    """Whether a reverse of the graph calls functions of the program: a hook, a cell's `bprop`."""
    return any(getattr(v, "calls_back", False) for one in graphs_in(graph) for node in one.nodes
               if node.attrs for v in node.attrs.values() if type(v) not in _CONSTANTS)


def _finder(params: list[Node], inputs: Sequence[Tensor], trace: Trace) -> Callable[[Node], Any]:
    """A function that gives the value of a parameter of the graph in the current run."""
    given = {id(p): t for p, t in zip(params, inputs, strict=True)}

    def find(node: Node) -> Any:
        tensor = given.get(id(node))
        if tensor is None:
            tensor = next((t for t, n in trace.captured.values() if n is node), None)
        return getattr(tensor, "_data", None)
    return find
