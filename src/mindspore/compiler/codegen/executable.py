"""Compile the source of a graph; errors of its kernels name the user's lines."""
from __future__ import annotations

import itertools
import linecache
import os
import weakref
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any

import torch

from mindspore.compiler.ir import Graph, Loc
from mindspore.operators.registry import REGISTRY, aval_of

from .source import Source

_serial = itertools.count()


class Executable:
    """A compiled graph: `run(*tensors)` on torch tensors, and the source that it runs."""

    def __init__(self, graph: Graph, owned: dict[int, int] | None = None, names: Sequence[str] = ()):
        src = Source(owned or {}, names)
        name = src.function_name(graph)
        for one in src.todo:
            src.function(one)
        self.source = "\n".join(src.lines) + "\n"
        self.file = f"<graph {graph.name} {next(_serial)}>"
        self.locs, self.lines = src.locs, src.lines
        shown = self.annotated()
        linecache.cache[self.file] = (len(shown), None, shown.splitlines(True), self.file)
        weakref.finalize(self, linecache.cache.pop, self.file, None)
        exec(compile(self.source, self.file, "exec"), src.space)
        self.run: Callable[..., tuple[Any, ...]] = src.space[name]

    def annotated(self) -> str:
        """The source with the user's line beside each statement."""
        shown, last = [], None
        for line, loc in zip(self.lines, self.locs, strict=True):
            if loc is not None and (last is None or loc.line != last.line or loc.file != last.file):
                last = loc
                place = f"{os.path.basename(loc.file)}:{loc.line} in {loc.function}"
                line = f"{line:<56}  # {place}: {linecache.getline(loc.file, loc.line).strip()}"
            shown.append(line)
        return "\n".join(shown) + "\n"

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
        made = _as_eager(error, inner)
        for note in notes_of(self.locs[own.tb_lineno - 1]):
            made.add_note(note)
        last = TracebackType(None, own.tb_frame, own.tb_lasti, own.tb_lineno)
        return made.with_traceback(last)


def _as_eager(error: Exception, frame: FrameType | None) -> Exception:
    """The error with the type and wording of eager mode, if the frame is that of a kernel."""
    code = frame and frame.f_code
    op = next((o for o in REGISTRY.values() if getattr(o.kernel, "__code__", None) is code), None)
    if frame is None or op is None or op.effect == "io":
        return error
    values = [frame.f_locals.get(name) for name in op.inputs]
    if op.variadic and type(values[-1]) is tuple:
        values = [*values[:-1], *values[-1]]
    return op.explain(error, [aval_of(v) if isinstance(v, torch.Tensor) else v for v in values])


def notes_of(loc: Loc | None) -> list[str]:
    """The user's lines that lead to a node, innermost first."""
    notes = []
    while loc is not None:
        line = linecache.getline(loc.file, loc.line).strip()
        notes.append(f"  {loc.file}:{loc.line} in {loc.function}: {line}")
        loc = loc.caller
    return notes


def compile_graph(graph: Graph, owned: dict[int, int] | None = None,
                  names: Sequence[str] = ()) -> Executable:
    """An executable for a graph.

    Args:
        owned: Parameters that it may overwrite, and what replaces them.
        names: What its first parameters are called in the source.
    """
    return Executable(graph, owned, names)
