"""How many threads a statement of generated source is worth.

OpenMP's threads either spin between two kernels, and then a part of a kernel is handed over in no time,
or sleep (OMP_WAIT_POLICY=PASSIVE, for machines that several programs share), and then it takes some 70 us
to wake one: torch adds 40,000 floats in 6 us by itself, in 76 us with a second thread.  Where they
sleep, kernels that are estimated to be short run on the calling thread alone (steps of small networks on
two cores: LeNet 1.2 to 1.5 times as fast; where threads spin, that would cost a quarter).
"""
from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import torch

from mindspore.compiler.ir import OPAQUE, Aval, Node, symbolic
from mindspore.core.context import torch_device

_SLEEP = os.environ.get("OMP_WAIT_POLICY", "").upper() == "PASSIVE" or os.environ.get("GOMP_SPINCOUNT") == "0"
SHORT = 200_000 if _SLEEP else 0       # nanoseconds on one thread up to which no other is woken
_PER_FLOP = 0.015                      # of a product of matrices
_PER_ELEMENT = 2.0                     # read or written; kernels that only stream through memory:
_STREAMING = 0.1
_STREAMS = frozenset((
    "Add", "Sub", "Mul", "Div", "RealDiv", "Neg", "Abs", "Sign", "Square", "Sqrt", "Rsqrt", "Reciprocal",
    "Maximum", "Minimum", "MultiplyAdd", "ScaledAdd", "Clamp", "ReLU", "ReluGrad", "ReLU6", "Hardtanh",
    "HardtanhGrad", "LeakyRelu", "LeakyReluGrad", "SigmoidGrad", "TanhGrad", "Equal", "NotEqual", "Less",
    "LessEqual", "Greater", "GreaterEqual", "LogicalAnd", "LogicalOr", "LogicalNot", "Select", "MaskedFill",
    "Full", "Copied", "Cast", "Reshape", "Concat", "Stack", "Tile", "SliceAxisGrad", "GetItemGrad", "SumTo",
    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "Gather", "EmbeddingLookup", "DropoutGrad",
    "MaskedByBits", "MomentumStep", "AdamStep", "AllFinite"))


def is_short(node: Node) -> bool:
    """Whether an operator does so little that no second thread is woken for it."""
    if not SHORT:
        return False
    op = node.op
    avals = [x.aval for x in node.inputs if type(x) is Node]
    avals += [m.aval for m in node.items] or [node.aval]
    if any(type(a) is not Aval or a in OPAQUE or symbolic(a.shape) for a in avals):
        return not node.items and node.aval == ()      # an effect such as print
    rate = _STREAMING if op.cost_rule or op.name in _STREAMS else _PER_ELEMENT
    time = sum(map(_elements, avals)) * rate
    if op.cost_rule and time < SHORT:
        time += _PER_FLOP * op.cost_rule(*[x.aval if type(x) is Node else x for x in node.inputs],
                                         **node.attrs)
    return time < SHORT and torch_device().type == "cpu"


def _elements(aval: Aval) -> int:
    n = 1
    for extent in aval.shape:
        n *= extent
    return n


def restoring(run: Callable[..., Any]) -> Callable[..., Any]:
    """A function that changes the number of torch's threads, so that a fault leaves it as it was."""
    @functools.wraps(run)
    def restored(*args: Any) -> Any:
        before = torch.get_num_threads()
        try:
            return run(*args)
        except BaseException:
            torch.set_num_threads(before)
            raise
    return restored
