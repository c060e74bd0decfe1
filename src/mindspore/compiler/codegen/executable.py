"""Compile the source of a graph; errors of its kernels name the user's lines."""
from __future__ import annotations

import itertools
import linecache
import weakref
from collections.abc import Callable
from typing import Any

from mindspore.compiler.ir import Graph, Loc

from .source import Source

_serial = itertools.count()


class Executable:
    """A compiled graph: `run(*tensors)` on torch tensors, and the source that it runs."""

    def __init__(self, graph: Graph, owned: dict[int, int] | None = None):
        src = Source(owned or {})
        name = src.function_name(graph)
        for one in src.todo:
            src.function(one)
        self.source = "\n".join(src.lines) + "\n"
        self.file = f"<graph {graph.name} {next(_serial)}>"
        self.locs, self.lines = src.locs, src.lines
        linecache.cache[self.file] = (len(self.source), None, self.source.splitlines(True), self.file)
        weakref.finalize(self, linecache.cache.pop, self.file, None)
        exec(compile(self.source, self.file, "exec"), src.space)
        self.run: Callable[..., tuple[Any, ...]] = src.space[name]

    def explain(self, error: Exception) -> None:
        """Add the user's lines of the statement that failed to an error of `run`."""
        tb, loc = error.__traceback__, None
        while tb is not None:
            if tb.tb_frame.f_code.co_filename == self.file:
                loc = self.locs[tb.tb_lineno - 1]
            tb = tb.tb_next
        for note in notes_of(loc):
            error.add_note(note)


def notes_of(loc: Loc | None) -> list[str]:
    """The user's lines that lead to a node, innermost first."""
    notes = []
    while loc is not None:
        line = linecache.getline(loc.file, loc.line).strip()
        notes.append(f"  {loc.file}:{loc.line} in {loc.function}: {line}")
        loc = loc.caller
    return notes


def compile_graph(graph: Graph, owned: dict[int, int] | None = None) -> Executable:
    """An executable for a graph; `owned` maps parameters that it may overwrite to what replaces them."""
    return Executable(graph, owned)
