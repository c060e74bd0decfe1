"""Graph mode: which kernels of a graph run on the calling thread."""
from __future__ import annotations

from collections.abc import Iterator

from mindspore.ir import OPAQUE, Aval, Graph, Node, symbolic
from mindspore.operators.choices import choices
from mindspore.operators.im2col_convolution import convolve_windows
from mindspore.operators.registry import Operator

from . import number
from .estimate import estimate, is_short


def short_nodes(graph: Graph) -> set[int]:
    """The nodes, by id, that do so little that no second thread is woken for them.

    None of a graph that takes long in all: there threads are woken again and again anyway, and what one
    thread alone computed lies in the wrong cache for the next kernel (GPT, U-Net: 2 to 4 percent).
    """
    if not number.SLEEP:
        return set()
    nodes = list(_operators(graph, {id(graph)}))
    turned = any(n.op is convolve_windows for n in nodes)
    found = [(node, time) for node in nodes if (time := _time(node, turned)) is not None]
    if sum([time for _, time in found]) > choices().torch_long:
        return set()
    return {id(node) for node, time in found if is_short(node.op, time)}


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
    return estimate(node.op, inputs, results, node.attrs, turned)
