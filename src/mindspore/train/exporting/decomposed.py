"""Operators without a form of their own in a format, as graphs of operators that have one.

What an operator computes is known by a formula, by its loop form, or by what torch's tracer sees in its kernel.
"""
from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.core.dtype import from_torch
from mindspore.ir import Graph, Node, recording
from mindspore.ir.sizes import symbolic
from mindspore.operators.creation import constant

from . import core_operators_joint as _joint  # noqa: F401  # registers its forms
from .core_operators import FORMS, SIZED
from .element_graphs import computed
from .formulas import FORMULAS
from .kernel_traces import trace

_MOST = 20_000        # nodes: what is longer, as loops that are written out, is no form


def decomposed(node: Node, why: NotImplementedError) -> Graph:
    """What a node computes, as a graph of other operators on its tensors; a result may be None.

    Raises:
        NotImplementedError: `why`, with more said, if it does not consist of such operators.
    """
    op: Any = node.op
    params = [Node(None, (), {}, x.aval) for x in node.inputs if type(x) is Node]
    nodes: list[Node] = []
    with recording(nodes):
        if op.effect:
            raise why
        sized = any([symbolic(x.aval.shape) for x in params])
        if op.name in FORMULAS and sized:
            raise NotImplementedError(f"{str(why).removesuffix('.')} for sizes that only a run tells")
        if op.name in FORMULAS:
            given = iter(params)
            found = FORMULAS[op.name](*[next(given) if type(x) is Node else x for x in node.inputs], **node.attrs)
            outs = list(found) if isinstance(found, tuple) else [found]
        else:
            outs = None if sized else computed(node, params)
            if outs is None:
                outs = _traced(node, params, why)
    return Graph(f"{op.name}_kernel", params, nodes, outs)


def _traced(node: Node, params: Sequence[Node], why: NotImplementedError) -> list[Any]:
    traced, any_size = trace(node, [x.aval if type(x) is Node else x for x in node.inputs], why)
    if len(traced.graph.nodes) > _MOST:
        raise NotImplementedError(f"{str(why).removesuffix('.')}, and its kernel has more than {_MOST} steps")
    return _Rebuilding(traced, params, any_size, why).outs()


class _Rebuilding:
    """One of torch's graphs, being computed by operators."""

    def __init__(self, traced: Any, params: Sequence[Node], any_size: bool, why: NotImplementedError):
        self.traced, self.any_size, self.why = traced, any_size, why
        self.given, self.known = iter(params), {}

    def outs(self) -> list[Any]:
        """The results."""
        for node in self.traced.graph.nodes:
            if node.op == "output":
                return [self.known[x] for x in node.args[0]]
            self.known[node] = self.one(node)
        raise AssertionError("a graph has an output")

    def one(self, node: Any) -> Any:
        """The value of one of torch's nodes."""
        if node.op == "placeholder":
            return next(self.given)
        if node.op == "get_attr":
            return _constant(getattr(self.traced, node.target))
        if node.target is operator.getitem:
            return self.known[node.args[0]][node.args[1]]
        args, kwargs = torch.fx.map_arg((node.args, dict(node.kwargs)), self.known.__getitem__)
        kind = node.target.overloadpacket.__name__
        form = FORMS.get(kind)
        if form is None:
            raise NotImplementedError(f"{str(self.why).removesuffix('.')}, nor has torch's '{kind}', of which its "
                                      "kernel consists")
        if self.any_size and kind in SIZED:
            raise NotImplementedError(f"torch's '{kind}', of which its kernel consists, needs sizes that only a run "
                                      "tells")
        return form(node.meta["val"], *args, **kwargs)


def _constant(value: torch.Tensor) -> Node:
    return constant(values=tuple(value.reshape(-1).tolist()), shape=tuple(value.shape), dtype=from_torch(value.dtype))
