"""Small convolutions of few channels by operators that fill vectors with samples (see `operators.narrow`)."""
from __future__ import annotations

from math import prod
from typing import Any

from mindspore.compiler.ir import Graph, Node, symbolic
from mindspore.core.context import torch_device
from mindspore.core.dtype import float32
from mindspore.operators.convolution import (
    convolution,
    convolution_affine_grad,
    convolution_input_grad,
    convolution_weight_grad,
)
from mindspore.operators.narrow import (
    convolve_windows,
    sample_windows,
    windows_affine_grad,
    windows_input_grad,
    windows_weight_grad,
)

_OF_WEIGHT = {convolution_weight_grad: windows_weight_grad, convolution_affine_grad: windows_affine_grad}
_REVERSE = {convolution_input_grad, *_OF_WEIGHT}
_VECTOR = 8                  # floats
_SMALL = 16_000_000          # operations up to which threads of oneDNN do not help it


def narrow_convolutions(graph: Graph) -> Graph:
    """Replace all convolutions of a graph, and their reverses, if all are small and of few channels.

    Both kinds in one graph would convert between two layouts again and again.
    """
    if torch_device().type != "cpu":
        return graph
    nodes = [n for n in graph.nodes if n.op is convolution or n.op in _REVERSE]
    if not any(n.op is convolution for n in nodes) or not all(map(_is_narrow, nodes)):
        return graph
    windows: dict[Any, Node] = {}
    kept: list[Node] = []
    for node in graph.nodes:
        if node.op is convolution:
            x, w = node.inputs[:2]
            node.inputs = (_windows(x, w, node, windows, kept), *node.inputs[1:])
            node.op, node.attrs = convolve_windows, {"shape": tuple(node.shape)}
        elif node.op is convolution_input_grad:
            dout, x, w = node.inputs
            node.op, node.inputs = windows_input_grad, (dout, w)
            node.attrs = {"shape": tuple(x.shape), "padding": tuple(node.attrs["padding"])}
        elif node.op in _OF_WEIGHT:
            dout, x, w = node.inputs
            node.inputs = (dout, _windows(x, w, node, windows, kept), w)
            node.op, node.attrs = _OF_WEIGHT[node.op], {}
        kept.append(node)
    graph.nodes = kept
    return graph


def _is_narrow(node: Node) -> bool:
    y, x, w = (node, *node.inputs[:2]) if node.op is convolution else node.inputs
    if not (type(x) is type(w) is type(y) is Node and len(x.shape) == 4 and x.aval.dtype is float32):
        return False
    if symbolic((*x.shape, *w.shape)) or x.shape[0] < 2 * _VECTOR:
        return False
    a = node.attrs
    if a.get("transposed") or a.get("groups", 1) != 1 or "padding" not in a or min(a["padding"]) < 0:
        return False
    if {*a.get("stride", ())[:2], *a.get("dilation", ())[:2]} != {1} or min(w.shape[2:]) == 1:
        return False
    return bool(w.shape[0] % _VECTOR or (w.shape[1] % _VECTOR and w.shape[1] > 1)) and (
        2 * prod(w.shape) * prod(y.shape) // y.shape[1] <= _SMALL)


def _windows(x: Node, w: Node, node: Node, known: dict[Any, Node], nodes: list[Node]) -> Node:
    """The windows of `x` for that weight: a node that is there, or a new one."""
    attrs = {"window": tuple(w.shape[2:]), "padding": tuple(node.attrs["padding"])}
    key = id(x), *attrs.values()
    if key not in known:
        known[key] = Node(sample_windows, (x,), attrs, sample_windows.infer(x.aval, **attrs), node.loc)
        nodes.append(known[key])
    return known[key]
