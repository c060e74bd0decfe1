"""CPUs: how many threads a statement of generated source is worth.

Where OpenMP's threads sleep between kernels (see `operators.cpu_threads`), kernels of a short graph that are
estimated to be short run on the calling thread alone (training steps on two cores: LeNet 1.2 to 1.5 times
as fast; where threads spin, that would cost a quarter).
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import torch

from mindspore.ir import OPAQUE, Aval, Graph, Node, symbolic
from mindspore.operators import cpu_threads
from mindspore.operators.im2col_convolution import convolve_windows
from mindspore.operators.registry import Operator

_LONG = 50_000_000                     # nanoseconds that a short graph takes at most


class Schedule:
    """Lets the short kernels of a graph run on the calling thread alone.

    Attributes:
        short: The nodes, by id, that do.
        space: The functions that the statements call.
    """

    space: ClassVar[dict[str, Any]] = {"get_num_threads": torch.get_num_threads,
                                       "set_num_threads": torch.set_num_threads}

    def __init__(self, short: set[int]):
        self.short, self.alone, self.used = short, False, False

    def before(self, node: Node | None) -> str | None:
        """The statement before that of an operator; of control flow, or at the end of a block, for None."""
        if node is not None and node.op.view:
            return None                     # takes no time
        alone = node is not None and id(node) in self.short
        if alone is self.alone:
            return None
        self.alone, self.used = alone, True
        return f"set_num_threads({'1' if alone else 'threads'})"

    def start(self) -> str | None:
        """The statement at the beginning of the function, once its others are known."""
        return "threads = get_num_threads()" if self.used else None


def schedule(graph: Graph) -> Schedule | None:
    """The schedule of a graph; None where no kernel is worth an effort."""
    short = short_nodes(graph)
    return Schedule(short) if short else None


def short_nodes(graph: Graph) -> set[int]:
    """The nodes, by id, that do so little that no second thread is woken for them.

    None of a graph that takes long in all: there threads are woken again and again anyway, and what one
    thread alone computed lies in the wrong cache for the next kernel (GPT, U-Net: 2 to 4 percent).
    """
    if not cpu_threads.SLEEP:
        return set()
    nodes = list(_operators(graph, {id(graph)}))
    turned = any(n.op is convolve_windows for n in nodes)
    found = [(node, time) for node in nodes if (time := _time(node, turned)) is not None]
    if sum([time for _, time in found]) > _LONG:
        return set()
    return {id(node) for node, time in found if cpu_threads.is_short(node.op, time)}


def _operators(graph: Graph, seen: set[int]) -> Iterator[Node]:
    """The operators of a graph and of the graphs in its nodes."""
    for node in graph.nodes:
        if isinstance(node.op, Operator):
            yield node
            continue
        for inner in node.attrs.values():
            if isinstance(inner, Graph) and id(inner) not in seen:
                seen.add(id(inner))
                yield from _operators(inner, seen)


def _time(node: Node, turned: bool) -> float | None:
    """An estimate in nanoseconds on one thread; None if nothing is known."""
    inputs = [x.aval if type(x) is Node else x for x in node.inputs]
    results = [m.aval for m in node.items] or [node.aval]
    avals = [x.aval for x in node.inputs if type(x) is Node] + results
    if any(type(a) is not Aval or a in OPAQUE or symbolic(a.shape) for a in avals):
        return 0.0 if not node.items and node.aval == () else None      # an effect such as print
    return cpu_threads.estimate(node.op, inputs, results, node.attrs, turned)


def restoring(run: Callable[..., Any]) -> Callable[..., Any]:
    """A function that changes the number of torch's threads, so that a fault leaves it unchanged."""
    @functools.wraps(run)
    def restored(*args: Any) -> Any:
        before = torch.get_num_threads()
        try:
            return run(*args)
        except BaseException:  # raised again, with the number of threads restored
            torch.set_num_threads(before)
            raise
    return restored
