"""Parts of the program that are run on trial."""
from __future__ import annotations

from typing import Any

from mindspore.ir.runtime import runtime


class Probe:
    """A part of the program run on trial: it may be undone."""

    def __init__(self, f: Any):
        self.f, self.trace, self.open = f, runtime.trace, True
        self.local, self.state, self.loc = dict(f.local), self.trace.state, runtime.loc
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
        """Undo it; what it changed."""
        self.open = False
        del runtime.blocks[-1][self.mark:]
        left = dict(self.f.local), self.trace.state
        heap = self.trace.heap.unwind(self.depth - 1)
        self.f.local, self.trace.state, runtime.loc = self.local, self.state, self.loc
        return *left, heap
