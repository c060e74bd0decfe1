"""Names in generated source: what values are called, and when a name is given again."""
from __future__ import annotations

import builtins
import itertools
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from keyword import iskeyword

import torch

from mindspore.ir import Graph, Node

# Names that the source gives itself: values, sizes, kernels, further functions.
_RESERVED = re.compile(r"[vsu]\d+|k_.*|c_\d+|.*_\d+|tree_add|zeros_for|step|Resized|Aval")

_OTHER = re.compile(r"\W")


class Names:
    """The names of the values of a source.

    The name of a value that is not used any more is given to a later result.  So most values are
    released by the statement that stores another one there, and Python has few names to compile.

    Args:
        hints: What the first parameters of the first graph are called.
    """

    def __init__(self, hints: Sequence[str]):
        self.hints = hints
        self.given: set[str] = set()
        self.of: dict[int, str] = {}             # value, by id -> name
        self.graphs: dict[int, str] = {}
        self.free: list[str] = []                # names without a value, the last first
        self.count = itertools.count()

    def fresh(self, x: Node, dead: list[str] | tuple[()] = ()) -> str:
        """A name for a value; one of those in `dead`, which it takes out, if there are any."""
        name = dead.pop() if dead else self.free.pop() if self.free else f"v{next(self.count)}"
        self.of[id(x)] = name
        return name

    def parameters(self, params: Sequence[Node]) -> list[str]:
        """The names of the parameters of a function that begins."""
        self.free = []
        names = [self.parameter(p, i) for i, p in enumerate(params)]
        self.hints = ()
        return names

    def parameter(self, x: Node, at: int) -> str:
        """The name of a parameter: what the program calls it, if that is known."""
        if at >= len(self.hints):
            return self.fresh(x)
        stem = _identifier(self.hints[at])
        if (stem in self.given or not stem.isidentifier() or _RESERVED.fullmatch(stem)
                or hasattr(torch, stem) or hasattr(builtins, stem) or iskeyword(stem)):
            stem = f"in_{next(self.count)}"
        self.given.add(stem)
        self.of[id(x)] = stem
        return stem

    def function(self, graph: Graph) -> str:
        """The name of the function of a graph."""
        known = self.graphs.get(id(graph))
        if known is None:
            known = self.graphs[id(graph)] = f"{_identifier(graph.name) or 'graph'}_{len(self.graphs)}"
        return known

    def kernel(self, name: str) -> str:
        """The name under which the kernel of an operator stands in the function's globals."""
        return f"k_{_identifier(name)}"

    @contextmanager
    def apart(self) -> Generator[None]:
        """A part of the function that may not run: what it does with free names is not known after it."""
        before = self.free[:]
        yield
        self.free = before


def _identifier(text: str) -> str:
    return _OTHER.sub("_", text)
