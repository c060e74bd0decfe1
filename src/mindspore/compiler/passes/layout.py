"""Lay the state of a graph out in memory for its kernels; elements and results stay the same."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from mindspore.eager.memory import is_alone
from mindspore.eager.parameter import Parameter
from mindspore.ir import Graph
from mindspore.operators.convolution import convolution


def lay_out_state(graph: Graph, captured: Iterable[Any]) -> None:
    """Store weights of convolutions, and what an optimizer keeps of them, with the channels innermost.

    Their gradients come like that from the kernels on a CPU (see `operators.convolution`): otherwise
    every run would convert the weights, and every update would mix two layouts.  What others share
    stays where it is.
    """
    if not any(n.op is convolution for n in graph.nodes):
        return
    for p in captured:
        if isinstance(p, Parameter) and p._data.is_cpu and len(p.shape) == 4 and is_alone(p._data):
            p._data = p._data.contiguous(memory_format=torch.channels_last)
