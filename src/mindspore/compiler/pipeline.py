"""From a function and its arguments to a cached executable: the order of the steps, and the cache."""
from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.compiler import disk, tree
from mindspore.compiler.arguments import Argument, Given
from mindspore.compiler.codegen import Executable, compile_graph
from mindspore.compiler.frontend import (
    Trace,
    as_node,
    call,
    check_leaving,
    decided,
    lift,
    raised_at_run_time,
)
from mindspore.compiler.inspection.reasons import (
    described,
    input_names,
    remedy,
    snapshot,
    why,
)
from mindspore.compiler.inspection.record import Record
from mindspore.compiler.inspection.tracebacks import located, trimmed
from mindspore.compiler.ir import (
    Aval,
    Block,
    Dim,
    Graph,
    Node,
    Real,
    Sizes,
    Specialised,
    Undecided,
    graphs_in,
    param,
    recording,
)
from mindspore.compiler.passes import (
    fuse_arithmetic,
    fuse_attention_in,
    join_slices,
    lay_out_state,
    simplify,
)
from mindspore.core import log
from mindspore.core.dtype import float64, int64
from mindspore.core.errors import GraphValueError, UnknownExtent
from mindspore.core.hooks import Hooked, hooks_of
from mindspore.core.memory import give_back
from mindspore.core.mutable import Float, Int, Made, is_number
from mindspore.core.parameter import Parameter, Version
from mindspore.core.tape import State, record_custom
from mindspore.core.tensor import Tensor, wrap

from . import fallback
from .dynamic import NUMBER, Declared, examples, masked, with_numbers
from .limits import deep, uncollected
from .resizing import run_watchful
from .signature import is_small, is_tensor, leaf_signature, signature_of

# The passes between the front end and the generated source, in order: the list is the documentation.
PASSES: list[Callable[[Graph], Graph]] = [
    fuse_attention_in, join_slices, simplify, fuse_arithmetic]

_NUMBERS = {Int: Aval((), int64), Float: Aval((), float64)}
_TOO_OFTEN = {9, 17, 33, 65, 129, 257, 513, 1025}      # counts of compilations that are worth a warning
_IN_A_ROW = 16             # after so many calls that each compile anew, a function runs in Python
_PER_SHAPE = 4       # programs for one kind of arguments before each size is compiled for itself

class Program:
    """A compiled function for one signature: the graph, what it captured, what it returns.

    Args:
        by_value: Whether small integer tensors among the arguments are constants of the graph.
        extents: For each tensor among the arguments the dimensions whose extents may differ.
        general: Whether extents of 0 and 1 are compiled by the hint of a larger one.
    """

    final = False              # whether the graph needs no passes any more
    numeric = False            # whether numbers among the arguments are inputs

    def __init__(self, name: str, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                 by_value: bool = False, reason: str = "", extents: Sequence[Any] = (),
                 general: bool = False, loops: bool = True):
        self.name = name
        self.record = Record(name, described(fn, args, kwargs), reason or "first call")
        self.sizes = Sizes()
        self.sizes.loops = loops
        with self.sizes.compiling():
            self.build(fn, args, kwargs, by_value, extents, general)
        self.shapes_fit = self.sizes.fits() if self.sizes.inputs else None
        self.watchful = bool(self.sizes.results)
        self.draws = self.watchful and draws(self.graph)

    def build(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], by_value: bool,
              extents: Sequence[Any], general: bool) -> None:
        """Walk the function: its graph, and what it captured."""
        start = time.perf_counter()
        self.constants, self.numeric = None, NUMBER in extents
        if by_value:
            found = tree.leaves((args, kwargs), is_small)
            self.constants = [t.tolist() for t in found]
            own = [Tensor(t) for t in found]
            args, kwargs = tree.rebuild((args, kwargs), is_small, iter(own))
        trace = self.trace = Trace()
        if disk.folder():
            trace.noted = {}
        outer, Trace.current = Trace.current, trace
        loc, stack, tensors = Block.loc, Block.stack[:], (Block.present, Block.views)
        Block.stack.clear()
        Block.loc, Block.present, Block.views = None, {}, {}
        graph = Graph(self.name)
        try:
            with uncollected(), deep(), recording(graph.nodes):
                inputs = tree.leaves((args, kwargs), self.is_input)
                graph.params = [param(a) for a in self.avals(inputs, extents, general)]
                self.sizes.arguments = _finder(graph.params, inputs, trace)
                trace.inputs.update(map(id, graph.params))
                new_args, new_kwargs = tree.rebuild((args, kwargs), self.is_input, iter(
                    [self.sizes.given(k, t._data) if is_number(t) else p
                     for k, (t, p) in enumerate(zip(inputs, graph.params, strict=True))]))
                self.given = Given((new_args, new_kwargs))
                trace.heap.outside |= {key: value for key, (value, _) in self.given.containers.items()}
                self.enter(trace, fn, args)
                result = self.called(fn, new_args, new_kwargs)
                self.template(result, graph)
                self.effects(trace, graph)
        finally:
            trace.heap.unwind()
            Trace.current, Block.loc = outer, loc
            Block.stack[:] = stack
            Block.present, Block.views = tensors
        self.given.containers.clear()
        self.captured = [t for t, _ in trace.captured.values()]
        self.sources = [(k, *trace.places[id(t)], t.aval) for k, t in enumerate(self.captured)
                        if id(t) in trace.places]
        graph.params += [node for _, node in trace.captured.values()]
        self.names = input_names(fn, args, kwargs, self.is_input) + [
            f"param_{t.name}" if isinstance(t, Parameter) else f"const_{k}"
            for k, t in enumerate(self.captured)]
        self.guards = [(weakref.ref(c), c._stamp, c.training) for c in trace.cells.values()]
        self.reads = list(trace.reads.values())
        self.watched = [p for p in self.captured if isinstance(p, Parameter)]
        self.grads = [p.requires_grad for p in self.watched]
        self.hooks = [hooks_of(t) for t in self.captured]
        self.calls_back = calls_back(graph)
        self.snapshots = [(weakref.ref(c), snapshot(c)) for c in trace.cells.values()]
        self.version = Version.value
        self.graph = graph
        self._executable: Executable | None = None
        self._derivative: Any = None
        if extents:
            self.record.sized([p.aval for p in graph.params[:len(inputs)]])
        with self.sizes.final():
            self.record.front_end(start, graph)

    def avals(self, inputs: Sequence[Tensor], extents: Sequence[Any], general: bool) -> list[Aval]:
        """The avals of the arguments, with symbols where extents may differ."""
        found = [_NUMBERS[type(t)] if is_number(t) else t.aval for t in inputs]
        for k, axes in enumerate(extents):
            if axes is NUMBER:
                continue
            shape, dtype = found[k]
            found[k] = Aval(tuple([self.sizes.extent(k, i, n, general) if i in axes else n
                                   for i, n in enumerate(shape)]), dtype)
        return found

    @classmethod
    def from_disk(cls, name: str, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                  reason: str) -> Program | None:
        """The program that the cache on disk has for these arguments; None if it has none."""
        start, found = time.perf_counter(), None
        with uncollected():
            found = disk.find(cls, fn, args, kwargs, (_HOLE, is_tensor, leaf_signature))
        if found is None:
            return None
        found.name, found.final, found.trace, found.sizes = name, True, None, Sizes()
        found.shapes_fit, found.watchful, found.draws, found.takes = None, False, False, False
        found.record = Record(name, described(fn, args, kwargs), reason)
        found.record.front_end(start, found.graph, "load")
        found.record.stored = "loaded"
        return found

    def to_disk(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], key: Any) -> None:
        """Keep the program in the cache on disk, if that is on."""
        if key is not None and self.executable:
            self.record.stored = disk.keep(key, self, fn, args, kwargs, (_HOLE, is_tensor))

    def is_input(self, value: Any) -> bool:
        """Whether a leaf of the arguments is an input of the graph."""
        return (is_tensor(value) and (self.constants is None or not is_small(value))) or (
            self.numeric and is_number(value))

    def fits(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether the arguments that are constants of the graph have their values, and sizes fit."""
        if self.shapes_fit and not self.shapes_fit(
                [t._data if is_number(t) else t._data.shape
                 for t in tree.leaves((args, kwargs), self.is_input)]):
            return False
        return self.constants is None or self.constants == [
            t.tolist() for t in tree.leaves((args, kwargs), is_small)]

    def template(self, result: Any, graph: Graph) -> None:
        """Remember the structure of the result; its tensors are results of the graph."""
        check_leaving(result, "The result")
        leaf = lambda v: isinstance(v, (Node, Tensor)) or type(v) in (Dim, Real)     # noqa: E731
        self.result = tree.rebuild(result, leaf, iter([_HOLE] * len(tree.leaves(result, leaf))))
        found = tree.leaves(result, leaf)
        self.numbers = [k for k, v in enumerate(found) if type(v) in (Dim, Real)]
        graph.outs = [as_node(v) for v in found]
        self.count = len(graph.outs)
        self.single = self.result is _HOLE
        self.chosen = Trace.current.chosen

    @staticmethod
    def called(fn: Any, args: Any, kwargs: Any) -> Any:
        """The result of the program; nothing if it always raises, which then the graph does."""
        try:
            return call(fn, args, kwargs)
        except Exception as error:
            if not getattr(error, "_by_user", False):
                raise
            raised_at_run_time(error)
            return None

    def enter(self, trace: Trace, fn: Any, args: tuple[Any, ...]) -> None:
        """Tell the front end which objects come from outside."""
        for value in (getattr(fn, "__self__", fn), *args):
            trace.heap.note(value)

    def effects(self, trace: Trace, graph: Graph) -> None:
        """Further results: new values of parameters, of attributes and of other objects."""
        self.assigned = list(trace.state)
        graph.outs += trace.state.values()
        changes = trace.heap.finish(trace.cells)
        places = [self.given.place(c.place) for c in changes]
        self.contents = [(c.place, tree.signature(c.before, leaf_signature))
                         for c, place in zip(changes, places, strict=True) if place is c.place]
        self.takes = any(type(place) is Argument for place in places)
        self.writes = []
        for change, place in zip(changes, places, strict=True):
            check_leaving(change.after, str(change.place).capitalize())
            leaf = lambda v: isinstance(v, Node) or type(v) in (Dim, Real)     # noqa: E731
            nodes = tree.leaves(change.after, leaf)
            numbers = [type(v) in (Dim, Real) for v in nodes]
            graph.outs += [as_node(v) for v in nodes]
            hollow = tree.rebuild(change.after, leaf, iter([_HOLE] * len(nodes)))
            self.writes.append((place, hollow, numbers))
        self.changed = changed_tensors(graph.params, [n for _, n in trace.captured.values()])
        graph.outs += [lift(node) for node in self.changed.values()]

    # ------------------------------------------------------------------ validity

    def holds(self) -> bool:
        """Whether what the program read of cells and parameters while compiling is still so."""
        for k, owner, name, i, aval in self.sources:
            now = owner.__dict__.get(name)
            if type(now) is not Tensor:
                found = tree.leaves(now, lambda v: type(v) is Tensor)
                now = found[i] if i < len(found) else None
            if now is None or now.aval != aval:
                return False
            self.captured[k] = now
        for scope, name, value in self.reads:
            if not _is_still(scope, name, value):
                return False
        for place, before in self.contents:
            if not self.is_as_before(place, before):
                return False
        if self.version == Version.value:
            return True
        for ref, stamp, training in self.guards:
            cell = ref()
            if cell is None or cell._stamp != stamp or cell.training != training:
                return False
        if [p.requires_grad for p in self.watched] != self.grads or (
                [hooks_of(t) for t in self.captured] != self.hooks):
            return False
        self.version = Version.value
        return True

    @staticmethod
    def is_as_before(place: Any, before: Any) -> bool:
        """Whether what an object holds has the structure that it had while compiling."""
        return tree.signature(place.get(), leaf_signature) == before

    # ------------------------------------------------------------------ running

    @property
    def current(self) -> Executable | None:
        """The generated source, if there is one."""
        return self._derivative[0] if self._derivative else self._executable

    @property
    def differentiated(self) -> bool:
        """Whether a gradient was taken through the program on the tape."""
        return self._derivative is not None

    @property
    def executable(self) -> Executable:
        """The generated source, made at first use."""
        if self._executable is None:
            with uncollected():
                self.assemble()
        return self._executable

    def assemble(self) -> None:
        """Run the passes and write the source."""
        with self.sizes.compiling(quiet=True):
            for step in () if self.final else PASSES:
                self.graph = self.record.after(step, self.graph)
            self.generate(self.graph)
        self.check_conditions()

    def check_conditions(self) -> None:
        """Every condition on sizes must be tested somewhere."""
        left = set(self.sizes.at_run_time()) - self.sizes.placed
        if left:
            raise Undecided(", ".join(sorted(left)))

    def generate(self, graph: Graph) -> None:
        """Write the source."""
        start = time.perf_counter()
        lay_out_state(graph, self.captured, self.assigned)
        place = {id(t): k for k, t in enumerate(self.captured)}
        first = len(graph.params) - len(self.captured)
        owned = {id(graph.params[first + place[id(p)]]): id(graph.outs[self.count + k])
                 for k, p in enumerate(self.assigned)}
        self._executable = compile_graph(graph, owned, self.names, self.sizes)
        self.shared = self.shared_results()
        self.record.finished(start, graph, self._executable)

    def shared_results(self) -> list[int]:
        """Assigned values that are not tensors of their own: views, inputs, results returned twice."""
        fresh = {id(o) for n in self.graph.nodes if not getattr(n.op, "alias", True)
                 for o in (n.items or (n,))}
        seen: set[int] = {id(o) for o in self.graph.outs[:self.count]}
        copies = []
        for k in range(self.count, len(self.graph.outs)):
            out = self.graph.outs[k]
            if id(out) not in fresh or id(out) in seen:
                copies.append(k)
            seen.add(id(out))
        return copies

    def __call__(self, inputs: Sequence[Tensor]) -> Any:
        if State.depth and self.tracked(inputs):
            return self.recorded(inputs)
        run = self.executable
        raw = [t._data for t in inputs]
        raw += [p.own() if isinstance(p, Parameter) and p.exported and self.assigned else p._data
                for p in self.captured]
        try:
            outs = run.run(*raw)
        except Exception as error:
            raise located(run.explained(error)) from error.__cause__
        if self.writes or len(outs) > self.count:
            outs = self.write_back(outs, (*inputs, *self.captured))
        if self.single and not self.numbers:
            return wrap(outs[0])
        return self.rebuilt([wrap(o) for o in outs[:self.count]])

    def rebuilt(self, tensors: Sequence[Tensor]) -> Any:
        """The result in the structure that the program returned."""
        values: list[Any] = list(tensors)
        for k in self.numbers:
            values[k] = values[k].item()
        result = tree.rebuild(self.result, _is_hole, iter(values))
        return decided(result) if self.chosen else result

    def write_back(self, outs: Sequence[Any], tensors: Sequence[Tensor],
                   tracked: Sequence[Tensor] = ()) -> Sequence[Any]:
        """Give parameters, attributes and changed tensors their new values.

        Args:
            tensors: The inputs and the captured tensors.
            tracked: The results with their places on the tape, if there is one.
        """
        if self.shared:
            outs = list(outs)
            for k in self.shared:
                outs[k] = outs[k].clone()
        at = self.count
        for p in self.assigned:
            p._data = outs[at]
            at += 1
        for place, hollow, numbers in self.writes:
            end = at + len(numbers)
            found = tracked[at:end] or [wrap(o) for o in outs[at:end]]
            values = iter([v.item() if number else v
                           for v, number in zip(found, numbers, strict=True)])
            value = tree.rebuild(hollow, _is_hole, values)
            self.write(place, decided(value) if self.chosen else value)
            at = end
        for k in self.changed:
            change(tensors[k], outs[at], tracked[at]._var if tracked else None)
            at += 1
        return outs

    @staticmethod
    def write(place: Any, value: Any) -> None:
        """Give an object its new content; other programs look again if its kind changes."""
        stamp = getattr(place.owner, "_stamp", None)
        if stamp is not None and tree.signature(place.get(), leaf_signature) != tree.signature(
                value, leaf_signature):
            place.owner.__dict__["_stamp"] = stamp + 1
            Version.value += 1
        place.put(value)

    # ------------------------------------------------------------------ inside an eager gradient

    def tracked(self, inputs: Sequence[Tensor]) -> bool:
        """Whether a gradient is being taken through an input or a captured tensor."""
        return any(t._var is not None for t in (*inputs, *self.captured))

    def recorded(self, inputs: Sequence[Tensor]) -> Any:
        """Run as one step on the tape, with the compiled reverse."""
        from mindspore.compiler.autodiff import vjp_graph
        from mindspore.compiler.autodiff.reverse import differentiable

        if self._derivative is None:
            with self.sizes.compiling():
                with self.sizes.final():
                    simplify(self.graph)
                augmented, reverse = vjp_graph(self.graph, False)
                with self.sizes.final():
                    self._derivative = (
                        compile_graph(simplify(augmented), sizes=self.sizes),
                        compile_graph(simplify(reverse), sizes=self.sizes, bound=False))
            self.check_conditions()
            self.shapes_fit = self.sizes.fits() if self.sizes.inputs else None
            if self.record.dump:
                self.record.dump.derivative("forward", augmented, self._derivative[0].annotated())
                self.record.dump.derivative("reverse", reverse, self._derivative[1].annotated())
            self.places = [i for i, p in enumerate(self.graph.params) if differentiable(p)]
            self._executable = None
            self.shared = list(range(self.count, len(self.graph.outs)))
        forward, backward = self._derivative
        everything = [*inputs, *self.captured]
        raw = [t._data for t in everything]
        try:
            *outs, residual = forward.run(*raw)
        except Exception as error:
            raise located(forward.explained(error)) from error.__cause__

        def rule(*douts: Any) -> list[Any]:
            found = backward.run(residual, *[d._data for d in douts])
            return [wrap(d) for d in found]
        parents = [everything[i] for i in self.places]
        tensors = record_custom(rule, parents, [wrap(o) for o in outs])
        if self.writes or len(outs) > self.count:
            self.write_back([t._data for t in tensors], everything, tensors)
        if self.single and not self.numbers:
            return tensors[0]
        return self.rebuilt(tensors)


def changed_tensors(params: list[Node], captured: list[Node]) -> dict[int, Node]:
    """The inputs and captured tensors that the program changes in place, by their places."""
    return {k: node for k, node in enumerate([*params, *captured]) if id(node) in Block.present}


def change(tensor: Tensor, data: Any, var: Any) -> None:
    """Give a tensor new elements: in its own storage, unless a gradient is being taken."""
    if State.depth or 0 in tensor._data.stride():
        tensor._data, tensor._var = data, var
    else:
        tensor._data.copy_(data)
        tensor._var = None


def _is_still(scope: Any, name: str, value: Any) -> bool:
    """Whether a name of the outside world has the value that it had while compiling."""
    now = scope.get(name)
    return now is value or (type(now) is type(value) and not isinstance(now, Tensor) and now == value)


def draws(graph: Graph) -> bool:
    """Whether a graph draws random numbers."""
    return any(node.op.effect == "random" for one in graphs_in(graph) for node in one.nodes)


def calls_back(graph: Graph) -> bool:
    """Whether a reverse of the graph calls functions of the program: a hook, a cell's `bprop`."""
    return any(getattr(v, "calls_back", False)
               for one in graphs_in(graph) for node in one.nodes for v in node.attrs.values())


def _finder(params: list[Node], inputs: Sequence[Tensor], trace: Trace) -> Callable[[Node], Any]:
    """What tells the value that a parameter of the graph has in the run at hand."""
    given = {id(p): t for p, t in zip(params, inputs, strict=True)}

    def find(node: Node) -> Any:
        tensor = given.get(id(node))
        if tensor is None:
            tensor = next((t for t, n in trace.captured.values() if n is node), None)
        return getattr(tensor, "_data", None)
    return find


class _Hole:
    """The place of a tensor in the structure of a result."""


_HOLE = _Hole()


def _is_hole(value: Any) -> bool:
    return value is _HOLE


# ---------------------------------------------------------------------- cache

class Cache:
    """The programs of one function or cell, by signature; the oldest goes when there are too many."""

    limit = 64
    living: weakref.WeakSet[Cache] = weakref.WeakSet()

    def __init__(self, name: str, level: str = "", unknown: Any = None):
        self.name, self.level, self.unknown = name, level, unknown
        self.special: set[Any] = set()         # signatures without sizes that no program serves at once
        self.uncompiled: dict[Any, str] = {}      # signatures that run in Python, and why
        self.living.add(self)
        self.programs: dict[Any, list[Program]] = {}
        self.renewed: dict[Any, int] = {}      # how many calls in a row had to compile anew
        self.compiled = 0
        self.resized = ""                      # what the last run met that had to begin again

    def run(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run `fn` on the arguments, compiled; derivatives of derivatives are taken on the tape."""
        if State.depth > 1:
            return fn(*args, **kwargs)
        if Hooked.count and any(map(hooks_of, tree.leaves((args, kwargs), is_tensor))):
            return fallback.uncompiled(fn, args, kwargs)
        program = self.program(fn, args, kwargs) if fallback.is_strict(self.level) else self.found(
            fn, args, kwargs)
        if program is None:
            return fallback.uncompiled(fn, args, kwargs)
        if program.watchful:
            return run_watchful(self, program, fn, args, kwargs)
        return self.start(program, fn, args, kwargs)

    def start(self, program: Program, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a program on the arguments that it was chosen for."""
        if not kwargs and program.constants is None and all(type(a) is Tensor for a in args):
            inputs = args
        else:
            inputs = tree.leaves((args, kwargs), program.is_input)
        if program.calls_back and State.depth and program.tracked(inputs):     # the reverse is not compiled yet
            return fallback.uncompiled(fn, args, kwargs)
        if program.changed and len(set(map(id, (*inputs, *program.captured)))) < (
                len(inputs) + len(program.captured)):      # one tensor in two places is changed
            return fallback.uncompiled(fn, args, kwargs)
        if not program.takes:
            return program(inputs)
        try:
            program.given.arguments = args, kwargs
            return program(inputs)
        finally:
            program.given.arguments = None

    def found(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
              tried: Sequence[Program] = ()) -> Program | None:
        """The program for the arguments; None if it cannot be compiled and runs in Python."""
        if self.uncompiled and not self.uncompiled.keys().isdisjoint(
                [key for key, _ in self.keys(args, kwargs)]):
            return None
        try:
            return self.program(fn, args, kwargs, tried)
        except Exception as error:
            if not fallback.is_limit(error):
                raise
            if not self.uncompiled:
                fallback.warn(self.name, error)
            if len(self.uncompiled) >= self.limit:
                self.uncompiled.clear()
            self.uncompiled[self.keys(args, kwargs)[-1][0]] = str(error)
            return None

    def program(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                tried: Sequence[Program] = ()) -> Program:
        """The program for the arguments, compiled if there is none; none of those that were tried."""
        keys, stale = self.keys(args, kwargs), []
        key, extents = keys[0]
        for one, _ in keys:
            for program in self.programs.get(one, ()):
                if program.fits(args, kwargs) and not any([program is p for p in tried]):
                    if program.holds():
                        self.renewed.pop(key, None)
                        return program
                    stale.append(program)
        if stale:
            self.renewed[key] = self.renewed.get(key, 0) + 1
        held = [p for programs in self.programs.values() for p in programs]
        reason = self.resized if tried else why(described(fn, args, kwargs), held, stale)
        if self.renewed.get(key, 0) >= _IN_A_ROW and not fallback.is_strict(self.level):
            raise GraphValueError(f"{_IN_A_ROW} calls in a row had to compile anew, the last because {reason}. "
                                  f"{remedy(reason)}")
        try:
            program = self.general(key, extents, fn, args, kwargs, reason)
            if program is None:
                key = keys[-1][0]
                program = self.compile(fn, args, kwargs, reason)
        except Exception as error:
            raise trimmed(error) from error.__cause__
        program.trace = None
        self.compiled += 1
        if self.compiled in _TOO_OFTEN:
            log.warning("'%s' is compiled for the %dth time: %s. %s", self.name, self.compiled, reason,
                        remedy(reason))
        held = self.programs.get(key, ())
        if sum([p.watchful for p in held]) == 8 and not fallback.is_strict(self.level):
            self.uncompiled[key] = "a size that only the run tells differs too often"
        held = self.programs.setdefault(key, [])
        held.insert(0, program)
        del held[8:]
        if len(self.programs) > self.limit:
            self.programs.pop(next(iter(self.programs)))
        return program

    def keys(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[Any, Any]]:
        """What programs for the arguments are kept under, with the dimensions whose extents may differ."""
        exact = [(signature_of(args, kwargs), ())]
        if self.unknown is None and not Made.count:
            return exact
        extents = self.unknown(args, kwargs) if self.unknown else []
        if Made.count:
            extents = with_numbers(extents, args, kwargs)
        if not any(extents):
            return exact
        shape_of = masked(extents)

        def leaf(value: Any) -> Any:
            if is_tensor(value):
                return shape_of(value), value._data.dtype
            return (shape_of(value), type(value)) if is_number(value) else leaf_signature(value)
        return [(tree.signature((args, kwargs), leaf), extents), *exact]

    def general(self, key: Any, extents: Any, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                reason: str) -> Program | None:
        """A program for all extents in place of those at hand; None if there is none, or too many."""
        if not extents or key in self.special:
            return None
        if len(self.programs.get(key, ())) < _PER_SHAPE:
            kept = Sizes.kept
            for loops, hints in ((True, True), (True, False), (False, True), (False, False)):
                if not loops and Sizes.kept == kept:
                    break
                try:
                    program = Program(self.name, fn, args, kwargs, reason=reason, extents=extents,
                                      general=hints, loops=loops)
                    complete(program)
                except (Exception, Specialised):     # compiled for the sizes at hand, it says what is wrong
                    continue
                program.trace = None
                if program.fits(args, kwargs):
                    return program
        self.special.add(key)
        return None

    def compile(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], reason: str) -> Program:
        """A new program: from the disk, or compiled and kept there if that cache is on."""
        if Made.count:
            found = [n.python(n) for n in tree.leaves((args, kwargs), is_number)]
            args, kwargs = tree.rebuild((args, kwargs), is_number, iter(found)) if found else (args, kwargs)
        found = Program.from_disk(self.name, fn, args, kwargs, reason)
        if found is not None:
            return found
        key = disk.key_of(fn, args, kwargs, is_tensor)
        program = self.fresh(fn, args, kwargs, reason)
        program.to_disk(fn, args, kwargs, key)
        return program

    def fresh(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], reason: str) -> Program:
        """A new program; where the values of small integer arguments are needed, one for those values."""
        kept = Sizes.kept
        try:
            try:
                return complete(Program(self.name, fn, args, kwargs, reason=reason))
            except (Exception, Specialised):
                if Sizes.kept == kept:       # otherwise a loop over a size may have to be unrolled
                    raise
            return complete(Program(self.name, fn, args, kwargs, reason=reason, loops=False))
        except (Undecided, Specialised) as size:
            raise UnknownExtent(f"A size that only the run tells is needed while compiling: {size}.") from None
        except GraphValueError:
            if not tree.leaves((args, kwargs), is_small):
                raise
            try:
                return Program(self.name, fn, args, kwargs, by_value=True, reason=reason)
            except GraphValueError:
                pass
            raise


def complete(program: Program) -> Program:
    """A program; one with sizes that only a run tells is assembled now, since that can fail."""
    if program.watchful or program.shapes_fit:
        program.executable          # noqa: B018  # made at first use
    return program


def run_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a cell compiled; its programs live as long as the cell."""
    return _cache_of(cell).run(cell, args, kwargs)


def compile_cell(cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Program:
    """Compile a cell for these arguments without running it; a later call of this kind uses it."""
    args, kwargs = examples((args, kwargs))
    program = _cache_of(cell).program(cell, args, kwargs)
    assert program.executable
    return program


def _cache_of(cell: Any) -> Cache:
    cache = cell.__dict__.get("_compiled")
    if cache is None:
        level = cell.jit_config_dict.get("jit_syntax_level", "")
        declared = cell.get_inputs()
        unknown = Declared("set_inputs", declared, cell.construct) if declared else None
        cache = cell.__dict__["_compiled"] = Cache(type(cell).__name__, level, unknown)
    return cache


def ms_memory_recycle() -> None:
    """Give up every compiled program and the memory that torch keeps for them; they compile again."""
    for cache in list(Cache.living):
        cache.programs.clear()
    gc.collect()
    give_back()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
