"""Which results of a final graph may share memory with its inputs, or with each other."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.ir import COND, ITEM, Graph, Node

Owners = frozenset[int]          # the nodes, by id, whose memory a value may be


def copied_results(graph: Graph, own: Sequence[bool]) -> list[int]:
    """The results that the program made for themselves (`own`), but that the passes made parts of something else.

    `x * 1` is the tensor `x` in the final graph, and two results that are computed alike are one.
    """
    if not any(own):
        return []
    held = results(graph, [frozenset([id(p)]) for p in graph.params])
    taken = {id(p) for p in graph.params}
    for k, found in enumerate(held):
        if k >= len(own) or not own[k]:
            taken |= found
    copies = []
    for k, is_own in enumerate(own):
        if is_own:
            if held[k] & taken:
                copies.append(k)
            taken |= held[k]
    return copies


def results(graph: Graph, params: Sequence[Owners]) -> list[Owners]:
    """Whose memory the results of a graph may be, if its parameters are memory of `params`."""
    known: dict[int, Owners] = {id(p): owners for p, owners in zip(graph.params, params, strict=True)}
    branches: dict[int, list[Owners]] = {}
    for node in graph.nodes:
        source = node.inputs[0] if node.op is ITEM else node
        if source.op is COND:
            if node is source:
                inside = [_of(x, known) for x in node.inputs[1:]]
                both = [results(node.attrs[branch], inside) for branch in ("then", "orelse")]
                branches[id(node)] = [a | b for a, b in zip(*both, strict=True)]
            else:
                known[id(node)] = branches[id(source)][node.attrs["i"]]
        elif source.op.view:
            shared = source.op.shared(source.inputs) if hasattr(source.op, "shared") else source.inputs
            known[id(node)] = frozenset().union(*[_of(x, known) for x in shared])
    return [_of(out, known) for out in graph.outs]


def _of(value: Any, known: dict[int, Owners]) -> Owners:
    return known.get(id(value)) or frozenset([id(value)] if type(value) is Node else ())
