"""How many threads a statement of generated source is worth.

OpenMP's threads either spin between two kernels, and then a part of a kernel is handed over in no time,
or sleep (OMP_WAIT_POLICY=PASSIVE, for machines that several programs share), and then it takes some 70 us
to wake one: torch adds 40,000 floats in 6 us by itself, in 76 us with a second thread.  Where they
sleep, kernels of a short graph that are estimated to be short run on the calling thread alone (training
steps on two cores: LeNet 1.2 to 1.5 times as fast; where threads spin, that would cost a quarter).
"""
from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import torch

from mindspore.compiler.ir import OPAQUE, Aval, Graph, Node, symbolic
from mindspore.core.context import torch_device
from mindspore.operators.convolution import (
    convolution,
    convolution_affine_grad,
    convolution_input_grad,
    convolution_weight_grad,
)
from mindspore.operators.narrow import convolve_windows
from mindspore.operators.pooling import max_pool
from mindspore.operators.registry import Operator

_SLEEP = os.environ.get("OMP_WAIT_POLICY", "").upper() == "PASSIVE" or os.environ.get("GOMP_SPINCOUNT") == "0"
SHORT = 200_000 if _SLEEP else 0       # nanoseconds on one thread up to which no other is woken,
_SHORT_PRODUCT = 450_000               # the same for a product of matrices, for which it wakes more than once,
_LONG = 50_000_000                     # in a graph that takes up to so many
_PER_FLOP = 0.015                      # of a product of matrices
_PER_ELEMENT = 2.0                     # read or written; kernels that only stream through memory:
_STREAMING = 0.1
_STREAMS = frozenset((
    "Add", "Sub", "Mul", "Div", "RealDiv", "Neg", "Abs", "Sign", "Square", "Sqrt", "Rsqrt", "Reciprocal",
    "Maximum", "Minimum", "MultiplyAdd", "ScaledAdd", "Clamp", "ReLU", "ReluGrad", "ReLU6", "Hardtanh",
    "HardtanhGrad", "LeakyRelu", "LeakyReluGrad", "SigmoidGrad", "TanhGrad", "Equal", "NotEqual", "Less",
    "LessEqual", "Greater", "GreaterEqual", "LogicalAnd", "LogicalOr", "LogicalNot", "Select", "MaskedFill",
    "Full", "Copied", "Cast", "Reshape", "Concat", "Stack", "Tile", "SliceAxisGrad", "GetItemGrad", "SumTo",
    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "Gather", "MaxPoolGrad", "EmbeddingLookup", "DropoutGrad",
    "MaskedByBits", "MomentumStep", "AdamStep", "AllFinite", "SampleWindows"))

_CONVOLUTIONS = (convolution, convolution_input_grad, convolution_weight_grad, convolution_affine_grad)


def short_nodes(graph: Graph) -> set[int]:
    """The nodes, by id, that do so little that no second thread is woken for them.

    None of a graph that takes long in all: there threads are woken again and again anyway, and what one
    thread alone computed lies in the wrong cache for the next kernel (GPT, U-Net: 2 to 4 percent).
    """
    if not SHORT or torch_device().type != "cpu":
        return set()
    nodes = list(_operators(graph, {id(graph)}))
    pooling = _STREAMING if any(n.op is convolve_windows for n in nodes) else _PER_ELEMENT
    found = [(node, time) for node in nodes if (time := _time(node, pooling)) is not None]
    if sum([time for _, time in found]) > _LONG:
        return set()
    return {id(node) for node, time in found
            if time < (_SHORT_PRODUCT if node.op.cost_rule and node.op not in _CONVOLUTIONS else SHORT)}


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


def _time(node: Node, pooling: float) -> float | None:
    """An estimate in nanoseconds on one thread; None if nothing is known."""
    op = node.op
    avals = [x.aval for x in node.inputs if type(x) is Node]
    avals += [m.aval for m in node.items] or [node.aval]
    if any(type(a) is not Aval or a in OPAQUE or symbolic(a.shape) for a in avals):
        return 0.0 if not node.items and node.aval == () else None      # an effect such as print
    time = sum([prod(a.shape) for a in avals]) * (
        _STREAMING if op.cost_rule or op.name in _STREAMS else pooling if op is max_pool else _PER_ELEMENT)
    if op.cost_rule:
        time += _PER_FLOP * op.cost_rule(*[x.aval if type(x) is Node else x for x in node.inputs],
                                         **node.attrs)
    return time


def restoring(run: Callable[..., Any]) -> Callable[..., Any]:
    """A function that changes the number of torch's threads, so that a fault leaves it as it was."""
    @functools.wraps(run)
    def restored(*args: Any) -> Any:
        before = torch.get_num_threads()
        try:
            return run(*args)
        except BaseException:  # raised again, with the threads as they were
            torch.set_num_threads(before)
            raise
    return restored
