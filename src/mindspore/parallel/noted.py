"""Strategies that programs note on operators by `shard`, as the nodes of a graph follow them.

An entry of a strategy is for an input of the primitive. Nodes may have other inputs: a product takes the bias of its
layer, too, and some primitives consist of several nodes.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.ir import ITEM, Graph, Node

from .choices import Choice, is_tensor
from .layout import Layout, parts_wanted
from .placement import Mesh
from .strategies import parts_of

Wanted = dict[int, tuple[int, ...]]           # by number of an input, into how many parts each dimension is cut
RESULT = -1                                   # the number of the first result there


def strategies_of(graph: Graph, devices: int) -> dict[int, Wanted]:
    """What strategies ask of nodes, by id.

    Raises:
        ValueError: A layout names devices that there are not; or a strategy has more or fewer entries than there are
            tensors, or than these have dimensions.
    """
    found: dict[int, Wanted] = {}
    calls: dict[Any, list[Node]] = {}
    for node in graph.nodes:
        if node.op is not ITEM and node.origin.phase == "forward" and node.origin.notes.get("in_strategy") is not None:
            _look_at_devices(node, devices)
            calls.setdefault((node.origin.scope, repr(node.origin.notes["in_strategy"])), []).append(node)
    fitting = {key: _of_nodes(nodes) for key, nodes in calls.items()}
    for key, nodes in calls.items():
        if not fitting[key] and not any([w for k, w in fitting.items() if k[1] == key[1] and _inside(key[0], k[0])]):
            node = nodes[0]
            shapes = [tuple(x.aval.shape) for x in _tensors(node).values()]
            raise where(node, ValueError(
                f"For '{node.op.name}', the strategy {node.origin.notes['in_strategy']} must have an entry for each "
                f"input, and in it one for each dimension, but the inputs have the shapes {shapes}."))
        found.update(fitting[key])
    return found


def _look_at_devices(node: Node, devices: int) -> None:
    for one in node.origin.notes["in_strategy"]:
        if isinstance(one, Layout) and max(one.to_dict()["rank_list"]) >= devices and one.size <= devices:
            raise where(node, ValueError(
                f"For '{node.op.name}', the rank_list {one.to_dict()['rank_list']} of the layout names devices beyond "
                f"the {devices} that there are, which are numbered from 0."))


def _inside(scope: Sequence[str], outer: Sequence[str]) -> bool:
    """Whether a place of the program is part of another; what is noted of a cell is noted of the cells in it, too."""
    return len(scope) > len(outer) and tuple(scope[:len(outer)]) == tuple(outer)


def _of_nodes(nodes: Sequence[Node]) -> dict[int, Wanted]:
    """What the nodes of a call are asked for: those for which the strategy is, or all together."""
    found = {id(n): wanted for n in nodes for wanted in (_of_node(n),) if wanted is not None}
    return found or _of_several(nodes)


def where(node: Node, error: ValueError) -> ValueError:
    """An error with the lines of the program that made a node."""
    for note in node.loc.notes() if node.loc is not None else ():
        error.add_note(note)
    return error


def _tensors(node: Node) -> dict[int, Node]:
    return {k: x for k, x in enumerate(node.inputs) if is_tensor(x) and not x.aval.weak}


def _entries(node: Node) -> list[tuple[int, ...]]:
    return [parts_wanted(one) for one in node.origin.notes["in_strategy"]]


def _of_node(node: Node) -> Wanted | None:
    """What a node is asked for, if the strategy is for it alone."""
    entries, tensors = _entries(node), _tensors(node)
    result: tuple[int, ...] | None = None
    if node.op.name == "OneHot" and entries and len(entries[0]) == len(node.aval.shape):      # the result's, as in 2.10
        result, at = entries[0], node.attrs.get("axis", -1) % len(node.aval.shape)
        entries[0] = (*result[:at], *result[at + 1:])
    if node.op.name in ("Dense", "Convolution") and len(entries) == 2:
        x, w = entries
        rank = len(node.inputs[0].aval.shape)
        if len(x) == 2 < rank and node.op.name == "Dense":
            entries[0] = (x[0], *[1] * (rank - 2), x[1])
        if len(tensors) == 3 and w:
            entries.append((w[0],))
    while len(entries) > len(tensors) and () in entries:              # of numbers
        del entries[len(entries) - 1 - entries[::-1].index(())]
    if len(entries) != len(tensors) or any([len(e) != len(x.aval.shape)
                                            for e, x in zip(entries, tensors.values(), strict=True)]):
        return None
    return {**dict(zip(tensors, entries, strict=True)), **({} if result is None else {RESULT: result})}


def _of_several(nodes: Sequence[Node]) -> dict[int, Wanted]:
    """What the nodes of one primitive are asked for, whose inputs are told apart by their numbers of dimensions."""
    made, entries = {id(n) for n in nodes}, _entries(nodes[0])
    outer = {id(x): x for n in nodes for x in _tensors(n).values()
             if id(x) not in made and not (x.op is ITEM and id(x.inputs[0]) in made)}
    of_rank = {len(e): e for e in entries}
    if sorted([len(x.aval.shape) for x in outer.values()]) != sorted(map(len, entries)) or any(
            [of_rank[len(e)] != e for e in entries]):
        return {}
    found = {id(n): {k: of_rank[len(x.aval.shape)] for k, x in _tensors(n).items() if id(x) in outer} for n in nodes}
    return {k: wanted for k, wanted in found.items() if wanted}


def fits(choice: Choice, node: Node, wanted: Wanted, grid: Mesh) -> bool:
    """Whether a way to compute a node is what its strategy asks for."""
    placements = {**dict(enumerate(choice.inputs)), RESULT: choice.outs[0]}
    return all([parts_of(placements[k], len(parts), grid) == parts for k, parts in wanted.items()])


def refused(node: Node, every: Sequence[Choice], wanted: Wanted, grid: Mesh) -> ValueError:
    """What is said of a strategy that no way to compute a node follows."""
    at = sorted(wanted)
    line = sorted({tuple([parts_of((*c.inputs, c.outs[0])[k], len(wanted[k]), grid) for k in at]) for c in every})
    shapes = [tuple(x.aval.shape) for x in _tensors(node).values()]
    of = "for the result and the inputs " if RESULT in wanted else ""
    return where(node, ValueError(
        f"For '{node.op.name}', the strategy {node.origin.notes['in_strategy']} is not possible over {grid.size} "
        f"processes for inputs of the shapes {shapes}. Possible are {of}"
        f"{', '.join(map(str, line[:8]))}{' ...' if len(line) > 8 else ''}."))
