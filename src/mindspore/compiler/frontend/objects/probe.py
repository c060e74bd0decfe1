"""Parts of the program that are run on trial."""
from __future__ import annotations

from typing import Any

from mindspore.ir.runtime import runtime


class Probe:
    """A part of the program run on trial: it may be undone."""

    def __init__(self) -> None:
        self.heap, self.loc, self.open = runtime.trace.heap, runtime.loc, True
        self.mark = len(runtime.blocks[-1])
        self.depth = len(self.heap.levels)
        self.heap.push()

    def keep(self) -> None:
        """Keep it."""
        if self.open:
            self.open = False
            self.heap.commit_to(self.depth)

    def drop(self) -> dict[Any, Any]:
        """Undo it; the changes that it left."""
        self.open = False
        del runtime.blocks[-1][self.mark:]
        runtime.loc = self.loc
        return self.heap.unwind(self.depth)
