"""Operators without a form of their own in ONNX: what their kernels compute, as torch's core operators."""
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from mindspore.core.dtype import from_torch
from mindspore.ir import Aval, Node
from mindspore.operators.exported import Exported

from . import onnx_aten_rare as _rare  # noqa: F401  # registers its forms
from . import onnx_aten_sums as _sums  # noqa: F401  # registers its forms
from .kernel_traces import trace
from .onnx_aten import FORMS, SIZED, Values


def write_kernel(g: Exported, node: Node, inputs: Sequence[Any], why: NotImplementedError) -> Any:
    """Write what the kernel of an operator computes; the names of its results.

    Raises:
        NotImplementedError: `why`, if that has no form, either.
    """
    names = [x for x in inputs if isinstance(x, str)]
    traced, any_size = trace(node, [g.avals[x] if isinstance(x, str) else x for x in inputs], why)
    return _written(g, traced, names, any_size)


def _written(g: Exported, traced: Any, names: Sequence[str], any_size: bool = False) -> list[str]:
    values = Values(g, any_size)
    given = iter(names)
    for node in traced.graph.nodes:
        if node.op == "placeholder":
            values.names[node] = next(given)
        elif node.op == "get_attr":
            values.names[node] = values.constant(getattr(traced, node.target))
        elif node.op == "output":
            return [values.name(x) for x in node.args[0]]
        else:
            values.names[node] = _one(g, values, node)
    raise AssertionError("a graph has an output")


def _one(g: Exported, values: Values, node: Any) -> Any:
    """Write one of torch's operators, or compute it if its inputs are constant."""
    if node.target is operator.getitem:
        return values.names[node.args[0]][node.args[1]]
    inputs = node.all_input_nodes
    if all([isinstance(values.names[x], str) and values.names[x] in g.constants for x in inputs]):
        return _computed(values, node)
    kind = node.target.overloadpacket.__name__
    form: Callable[..., Any] | None = FORMS.get(kind)
    if form is None:
        raise NotImplementedError(f"it has no form in ONNX, nor has torch's '{kind}', of which its kernel consists")
    if values.any_size and kind in SIZED:
        raise NotImplementedError(f"torch's '{kind}', of which its kernel consists, needs sizes that only a run tells")
    found = form(values, node.meta["val"], *node.args, **node.kwargs)
    outs = node.meta["val"] if isinstance(node.meta["val"], (tuple, list)) else (node.meta["val"],)
    for name, out in zip((found,) if isinstance(found, str) else found, outs, strict=False):
        g.avals[name] = Aval(tuple(out.shape), from_torch(out.dtype))
    return found


def _computed(values: Values, node: Any) -> Any:
    def real(x: Any) -> Any:
        name = values.names[x]
        return torch.from_numpy(np.array(values.g.constants[name])).to(values.g.avals[name].dtype.torch)
    args, kwargs = torch.fx.map_arg((node.args, dict(node.kwargs)), real)
    found = node.target(*args, **{k: v for k, v in kwargs.items() if k != "device"})
    return [values.constant(v) for v in found] if isinstance(found, (tuple, list)) else values.constant(found)
