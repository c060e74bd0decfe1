"""Convolutions with windows of three by three, and the cotangents of their operands, by generated code."""
from __future__ import annotations

from math import prod
from typing import Any

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import (
    WindowConvolution,
    WindowWeight,
    window_weight,
    winograd,
)
from mindspore.compiler.kernels.native import machine
from mindspore.compiler.targets import Target
from mindspore.core.dtype import float32
from mindspore.ir import Aval, Graph, Node
from mindspore.ir.flow import graphs_in
from mindspore.ir.graph import avals_of
from mindspore.operators.choices import choices
from mindspore.operators.convolution import (
    convolution,
    convolution_affine_grad,
    convolution_input_grad,
    convolution_weight_grad,
)

from .products import becomes

_LANES = 8                   # of vectors, at least
_OF_WEIGHT = (convolution_weight_grad, convolution_affine_grad)


def expect_windows(graph: Graph, target: Target | None = None) -> Graph:
    """Let the code be made while the graph is differentiated and written, if it has such convolutions."""
    if (target is None or target.device == "cpu") and any(_padding(n) for n in graph.nodes) and available():
        winograd.expect()
    return graph


def generate_windows(graph: Graph, target: Target | None = None) -> Graph:
    """Put generated convolutions in place of those that are faster so, in a graph and those of its control flow."""
    if target is None or (target.device == "cpu" and available() and machine().width >= _LANES):
        for one in graphs_in(graph):
            _in(one)
    return graph


def _in(graph: Graph) -> None:
    for node in graph.nodes:
        padding = _padding(node)
        if padding is not None and node.op in _OF_WEIGHT:
            window_weight.expect()               # what goes forward takes longer than this
            dout, x = node.inputs[:2]
            becomes(node, WindowWeight(x.aval, dout.aval, avals_of(node), padding), (dout, x))
        elif padding is not None:
            back = node.op is convolution_input_grad
            inputs: list[Any] = [node.inputs[0], node.inputs[2]] if back else list(node.inputs)
            images, weight = [x.aval for x in inputs[:2]]
            becomes(node, WindowConvolution(images, weight, node.aval, padding, back), inputs)


def _padding(node: Node) -> tuple[int, int] | None:
    """The zeros above and on the left of a convolution that is faster by generated code; None for other nodes."""
    forward = node.op is convolution
    if not forward and node.op is not convolution_input_grad and node.op not in _OF_WEIGHT:
        return None
    attrs: dict[str, Any] = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1,
                             "transposed": False} | node.attrs
    given = [x.aval for x in node.inputs if type(x) is Node]
    outs = avals_of(node)
    if not all(type(a) is Aval and a.dtype is float32 and not a.weak and all(type(n) is int and n for n in a.shape)
               for a in (*given, *outs)) or attrs["groups"] != 1 or attrs["transposed"] or len(given[0].shape) != 4:
        return None
    if {*attrs["stride"][:2], *attrs["dilation"][:2]} != {1}:
        return None
    weight = given[1 if forward else 2].shape
    places = (outs if forward else given)[0].shape
    around = attrs["padding"]
    tiles = places[0] * -(-places[2] // 2) * -(-places[3] // 2)
    known = choices()
    least = known.window_weight_least if node.op in _OF_WEIGHT else known.window_least
    fits = (weight[2:] == (3, 3) and min(weight[:2]) >= known.window_channels and tiles >= known.window_tiles
            and all(type(p) is int and 0 <= p <= 2 for p in around[:4])
            and 2 * prod(weight) * prod(places) // places[1] >= least)
    if not fits:
        return None
    return (around[0], around[2]) if len(around) == 4 else (around[0], around[1])


__all__ = ["expect_windows", "generate_windows"]
