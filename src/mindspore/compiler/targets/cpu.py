"""CPUs: the statements of generated source that let short kernels run on the calling thread alone.

Where OpenMP's threads sleep between kernels (see `operators.cpu_threads`), that makes training steps of short
graphs faster (on two cores: LeNet 1.2 to 1.5 times; where threads spin, it would cost a quarter).
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore.ir import Graph, Node
from mindspore.operators.cpu_threads.graphs import short_nodes
from mindspore.operators.cpu_threads.number import current, lower, restore

_SPACE = {"lower_threads": lower, "restore_threads": restore}


class Schedule:
    """Lets the short kernels of a graph run on the calling thread alone.

    Attributes:
        short: The nodes, by id, that do.
        space: The functions that the statements call.
    """

    def __init__(self, short: set[int]):
        self.short, self.alone, self.space = short, False, dict[str, Any]()

    def before(self, node: Node | None) -> str | None:
        """The statement before that of an operator; of control flow, or at the end of a block, for None."""
        if node is not None and node.op.view:
            return None                     # takes no time
        alone = node is not None and id(node) in self.short
        if alone is self.alone:
            return None
        self.alone, self.space = alone, _SPACE
        return "threads = lower_threads()" if alone else "restore_threads(threads)"


def schedule(graph: Graph) -> Schedule | None:
    """The schedule of a graph; None where no kernel is worth an effort."""
    short = short_nodes(graph)
    return Schedule(short) if short else None


def guarded(run: Callable[..., Any], space: dict[str, Any]) -> Callable[..., Any]:
    """A generated function with its globals, so that a fault restores the number of threads."""
    if not space.keys() & _SPACE.keys():
        return run

    @functools.wraps(run)
    def restored(*args: Any) -> Any:
        before = current()
        try:
            return run(*args)
        except BaseException:  # raised again, with the number of threads restored
            if current() != before:
                restore(before)
            raise
    return restored
