"""Sums of gradients over processes begin as soon as the gradients are there, beside the rest of the reverse pass."""
from __future__ import annotations

import math
from typing import Any

from mindspore.compiler.targets import Target
from mindspore.distributed import together
from mindspore.ir import Graph, Node
from mindspore.operators.communication import all_reduce_together, begin_sum, end_sum

from .native_programs import UPDATES


def overlap_sums(graph: Graph, target: Target | None = None) -> Graph:
    """Cut the sums of a training step into messages, each of which is sent when its last tensor is computed.

    Messages keep their order among all that the processes do together, which is the same in all of them.
    """
    if target is not None and target.options.get(UPDATES):
        for node in [n for n in graph.nodes if n.op is all_reduce_together]:
            _spread(graph, node)
    return graph


def _spread(graph: Graph, node: Node) -> None:
    """Put messages in place of a sum: each begins behind what it needs and what was begun before; all end there."""
    attrs: dict[str, Any] = {**node.op.attrs, **node.attrs}
    parts = together.messages([_weight(x) for x in node.inputs], attrs.pop("most"))
    alone = [k for k, x in enumerate(node.inputs) if _weight(x) is None]
    place = {id(n): k for k, n in enumerate(graph.nodes)}
    here = place[id(node)]
    last = max([k for k, n in enumerate(graph.nodes[:here]) if n.op.effect is not None], default=-1)
    begins: dict[int, list[Node]] = {}
    ends: list[Node] = []
    renamed: dict[int, Node] = {}
    for part in parts:
        inputs = tuple([node.inputs[k] for k in part])
        last = max([last, *[place.get(id(x), -1) for x in inputs]])
        message = node.like(begin_sum, inputs, attrs, begin_sum.infer(*[x.aval for x in inputs], **attrs))
        begins.setdefault(last, []).append(message)
        more = {**attrs, "shapes": tuple([tuple(x.aval.shape) for x in inputs])}
        end = node.like(end_sum, (message,), more, end_sum.infer(message.aval, **more))
        ends += [end, *end.with_items()]
        renamed.update({id(node.items[k]): item for k, item in zip(part, end.items, strict=True)})
    if alone:
        inputs = tuple([node.inputs[k] for k in alone])
        rest = node.like(all_reduce_together, inputs, node.attrs, tuple([node.aval[k] for k in alone]))
        ends += [rest, *rest.with_items()]
        renamed.update({id(node.items[k]): item for k, item in zip(alone, rest.items, strict=True)})
    nodes = list(begins.get(-1, ()))
    for k, one in enumerate(graph.nodes):
        nodes += ends if one is node else [one] if id(one) not in renamed else []
        nodes += begins.get(k, ())
    for one in nodes:
        one.inputs = tuple([renamed.get(id(x), x) for x in one.inputs])
    graph.nodes, graph.outs = nodes, [renamed.get(id(x), x) for x in graph.outs]


def _weight(x: Any) -> tuple[Any, int] | None:
    """The type and the bytes of a tensor that may travel with others."""
    aval = x.aval
    return (aval.dtype, math.prod(aval.shape) * aval.dtype.itemsize) if together.joins(aval.dtype.torch) else None
