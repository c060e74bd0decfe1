"""Parts of the program that are run on trial."""
from __future__ import annotations

from typing import Any

from mindspore.ir.runtime import runtime


class Probe:
    """A part of the program run on trial: it may be undone.

    Args:
        f: The frame whose names it may bind; None if it binds names of frames of its own only.
    """

    def __init__(self, f: Any = None):
        self.f, self.trace, self.open = f, runtime.trace, True
        self.local, self.state, self.loc = dict(f.local) if f else {}, self.trace.state, runtime.loc
        self.mark = len(runtime.blocks[-1])
        self.trace.heap.push()
        self.depth = len(self.trace.heap.levels)

    def keep(self) -> None:
        """Keep it."""
        if self.open:
            self.open = False
            while len(self.trace.heap.levels) >= self.depth:
                self.trace.heap.commit()

    def drop(self) -> Any:
        """Undo it; the names, the parameters and the changes of places that it left."""
        self.open = False
        del runtime.blocks[-1][self.mark:]
        left = dict(self.f.local) if self.f else {}, self.trace.state
        heap = self.trace.heap.unwind(self.depth - 1)
        if self.f:
            self.f.local = self.local
        self.trace.state, runtime.loc = self.state, self.loc
        return *left, heap
