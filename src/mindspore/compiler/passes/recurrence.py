"""Layers of long short-term memory by generated code, forward and back together: what is kept between is their own."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import (
    LstmLayer,
    LstmLayerReverse,
    product,
    recurrence,
)
from mindspore.compiler.kernels.native import machine
from mindspore.compiler.targets import Target
from mindspore.core.dtype import float32
from mindspore.ir import ITEM, Aval, Graph, Node
from mindspore.ir.flow import graphs_in
from mindspore.ir.graph import avals_of
from mindspore.operators.choices import choices
from mindspore.operators.recurrent import lstm_layer, lstm_layer_grad

from .products import becomes

_LANES = 8                   # of vectors, at least


def expect_recurrence(graph: Graph, target: Target | None = None) -> Graph:
    """Let the code be made while the graph is differentiated and written, if it has such layers."""
    shapes = {s for n in graph.nodes if (s := _shape(n))} if target is None or target.device == "cpu" else None
    if shapes and available():
        product.expect((t * n, k, 4 * h) for t, n, i, h in shapes for k in (i, h))      # before and after the steps
        recurrence.expect()
    return graph


def generate_recurrence(graph: Graph, target: Target | None = None) -> Graph:
    """Put generated layers in place of those whose reverse, if there is one, stands in the same graph."""
    if target is None or (target.device == "cpu" and available() and machine().width >= _LANES):
        for one in graphs_in(graph):
            _in(one)
    return graph


def _in(graph: Graph) -> None:
    users: dict[int, list[Node | None]] = {}
    for node in graph.nodes:
        for x in node.inputs if node.op is not ITEM else ():
            if type(x) is Node:
                users.setdefault(id(x), []).append(node)
    for out in graph.outs:
        if type(out) is Node:
            users.setdefault(id(out), []).append(None)
    for node in list(graph.nodes):
        shape = _shape(node)
        if shape is not None:
            _replace(node, shape, users.get(id(node.items[3]), []))


def _replace(node: Node, shape: tuple[int, int, int, int], reverses: Sequence[Node | None]) -> None:
    """Let generated code compute a layer and its reverses, if nothing else takes what is kept for them."""
    if not all(r is not None and r.op is lstm_layer_grad and r.inputs[13] is node.items[3]
               and all(type(x) is not Node or x is node.items[3] or _plain(x.aval) for x in r.inputs)
               for r in reverses):
        return
    backwards = bool(node.attrs.get("reverse"))
    becomes(node, LstmLayer(shape, backwards, avals_of(node)), node.inputs)
    for r in reverses:
        assert r is not None
        given = r.inputs
        have = type(given[0]) is Node, type(given[1]) is Node, type(given[2]) is Node
        kernel = LstmLayerReverse(shape, backwards, avals_of(r), have)
        becomes(r, kernel, (*given[:3], *given[3:6], given[9], given[13]))


def _plain(aval: Any) -> bool:
    return type(aval) is Aval and aval.dtype is float32 and not aval.weak and all(type(n) is int for n in aval.shape)


def _shape(node: Node) -> tuple[int, int, int, int] | None:
    """Steps, samples, elements of an input and units of a layer that is worth it."""
    if node.op is not lstm_layer or len(node.items) != 4:
        return None
    avals = [x.aval for x in node.inputs if type(x) is Node]
    if len(avals) != 7 or not all(_plain(a) for a in avals):
        return None
    (t, n, i), h = avals[0].shape, avals[5].shape[-1]
    fits = _LANES <= h <= choices().lstm_units and min(t, n, i) > 0
    return (t, n, i, h) if fits and 8 * t * n * h * (i + h) >= choices().lstm_least else None


__all__ = ["expect_recurrence", "generate_recurrence"]
