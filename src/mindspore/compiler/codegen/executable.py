"""Compile the source of a graph; errors of its kernels name the user's lines."""
from __future__ import annotations

import itertools
import linecache
import weakref
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any, NamedTuple

import torch

from mindspore.compiler.targets import Target
from mindspore.core.own_files import GRAPH
from mindspore.ir import Graph, Node, Resized, Sizes
from mindspore.operators import random
from mindspore.operators.errors import Refused, house_type
from mindspore.operators.registry import REGISTRY, aval_of

from .instrument import watching
from .listing import Listing
from .sizing import Sizing
from .source import Source, Statement

_serial = itertools.count()


class Written(NamedTuple):
    """What `Executable.run` was made of, for who makes it otherwise."""

    name: str
    statements: dict[int, Statement]
    space: dict[str, Any]
    target: Target


class Executable:
    """A compiled graph: `run(*tensors)` on torch tensors, and the source that it runs.

    With `in_place` results may take the memory of values that are not needed any more.

    Attributes:
        shared: Results that are not tensors of their own and have to be copied where they are kept.
        copied: Results of the function that the passes made parts of something else, and that have to be copied.
    """

    shared: Sequence[int] = ()
    copied: Sequence[int] = ()
    telling: Callable[..., tuple[Any, ...]] | None = None       # `run` with calls after operators, once it was made

    def __init__(self, graph: Graph, owned: dict[int, int] | None = None, names: Sequence[str] = (),
                 sizes: Sizing | None = None, in_place: bool = True, target: Target | None = None):
        src = Source(owned or {}, names, sizes, in_place, target)
        name = src.function_name(graph)
        for one in src.todo:
            src.function(one)
        self.source = "\n".join(src.lines) + "\n"
        self.file = f"{GRAPH}{graph.name} {next(_serial)}>"
        self.listing = Listing(src.lines, src.locs)
        known: dict[str, Any] = linecache.cache       # which takes any sequence for the lines
        known[self.file] = (len(self.source), None, self.listing, self.file)
        weakref.finalize(self, linecache.cache.pop, self.file, None)
        exec(compile(self.source, self.file, "exec"), src.space)
        self.run: Callable[..., tuple[Any, ...]] = src.target.guarded(src.space[name], src.space)
        self.written = Written(name, src.statements, src.space, src.target)
        watching.add(self)

    def annotated(self) -> str:
        """The source with the user's line beside each statement."""
        return "".join(self.listing)

    def explained(self, error: Exception) -> Exception:
        """An error of `run` as eager mode raises it, with the user's lines as notes.

        Its traceback ends in the generated source.
        """
        tb, own, inner = error.__traceback__, None, None
        while tb is not None:
            if tb.tb_frame.f_code.co_filename == self.file:
                own, inner = tb, None
            elif own is not None and inner is None:
                inner = tb.tb_frame
            tb = tb.tb_next
        if own is None:
            return error
        if isinstance(error, Resized):
            return error
        loc = self.listing.locs[own.tb_lineno - 1]
        if isinstance(error, Refused) and isinstance(error.__cause__, Exception):
            made, loc = error.__cause__, error.loc
        else:
            made = _as_eager(error, inner)
        for note in loc.notes() if loc is not None else ():
            made.add_note(note)
        last = TracebackType(None, own.tb_frame, own.tb_lasti, own.tb_lineno)
        return made.with_traceback(last)


def _as_eager(error: Exception, frame: FrameType | None) -> Exception:
    """The error with the type and wording of eager mode, if the frame is that of a kernel."""
    code = frame and frame.f_code
    op = next((o for o in REGISTRY.values() if getattr(o.kernel, "__code__", None) is code), None)
    if frame is None and isinstance(error, (RuntimeError, NotImplementedError, TypeError, IndexError)):
        said = str(error).split("\n")[0]      # by torch, which the source calls itself here
        return house_type(error, said)(f"The inputs of an operator do not fit: {said}")
    if frame is None or op is None or op.effect in ("io", "communication"):
        return error
    values: list[Any] = [frame.f_locals.get(name) for name in op.inputs]
    if op.variadic and type(values[-1]) is tuple:
        values = [*values[:-1], *values[-1]]
    return op.explain(error, [aval_of(v) if isinstance(v, torch.Tensor) else v for v in values],
                      {k: frame.f_locals[k] for k in op.attrs if k in frame.f_locals})


def compile_graph(graph: Graph, owned: dict[int, int] | None = None,
                  names: Sequence[str] = (), sizes: Sizes | None = None,
                  bound: bool = True, target: Target | None = None) -> Executable:
    """An executable for a graph.

    Args:
        owned: Parameters that it may overwrite, and what replaces them.
        names: What its first parameters are called in the source.
        sizes: Those that only a run tells.
        bound: Whether the graph takes the inputs of the program, whose extents it reads.
        target: What it is made for. Default: the device of the context.
    """
    if sizes is None or not sizes.active:
        return Executable(graph, owned, names, target=target)
    return Executable(graph, {} if sizes.results else owned, names, Sizing(sizes, bound=bound), target=target)


def value_of(sizes: Sizes, node: Node) -> Any:
    """The value of a node of a program under construction, in the current run; None without one."""
    found: dict[int, Node] = {}
    if not _needed(sizes, node, found):
        return None
    nodes = [n for n in found.values() if n.op is not None and id(n) not in sizes.values]
    params = [n for n in found.values() if n.op is None or id(n) in sizes.values]
    graph = Graph("part", params, nodes, [node])
    raw = [sizes.value(p) for p in params]
    drawn = any(n.op.effect == "random" for n in nodes)
    before = random.snapshot() if drawn else None
    with torch.no_grad():
        out = Executable(graph, None, (), Sizing(sizes, numbers=True)).run(*raw)[0]
    if before is not None:
        random.restore(before)
    return out


def _needed(sizes: Sizes, last: Node, found: dict[int, Node]) -> bool:
    """Collect what a node is computed from, in order; whether all of it has a value."""
    todo: list[tuple[Node, bool]] = [(last, False)]
    while todo:
        node, ready = todo.pop()
        if id(node) in found:
            continue
        if id(node) in sizes.values:
            found[id(node)] = node
        elif node.op is None:
            if sizes.arguments(node) is None:
                return False
            found[id(node)] = node
        elif node.op.effect == "communication":       # the other processes do not compute this part
            return False
        elif ready:
            found[id(node)] = node
            found.update([(id(m), m) for m in node.items])
        else:
            todo.append((node, True))
            todo += [(x, False) for x in node.inputs if type(x) is Node]
    return True


class Evaluating(Sizes):
    """Sizes of a program under construction, which know what nodes compute in the current run."""

    def evaluate(self, node: Any) -> Any:
        return value_of(self, node)
