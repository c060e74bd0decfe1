"""All devices in one process, in step: what the graphs of a plan compute, without communication.

The movements are done on the tensors of all devices at once, in plain words of their definitions, so that a mistake in
a collective and one in a plan do not hide each other.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.ir import ITEM, Graph, Node
from mindspore.operators import pieces as moves

REDUCED: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "sum": lambda x: x.sum(0), "max": lambda x: x.amax(0), "min": lambda x: x.amin(0), "prod": lambda x: x.prod(0)}


class Line(str):
    """The name of a group of simulated devices, which knows them."""

    devices: tuple[int, ...]


def line(devices: Sequence[int]) -> Line:
    """The group of some devices."""
    found = Line("devices " + " ".join(map(str, devices)))
    found.devices = tuple(devices)
    return found


def simulated(graphs: Sequence[Graph], inputs: Sequence[Sequence[torch.Tensor]],
              evaluate: Callable[[Node, Sequence[Any]], Any]) -> list[list[Any]]:
    """The results of each device.

    Args:
        graphs: The graphs of the devices, with nodes in the same order.
        inputs: What each device has.
        evaluate: Computes one node that moves nothing.
    """
    known = [{id(p): x for p, x in zip(g.params, xs, strict=True)} for g, xs in zip(graphs, inputs, strict=True)]

    def of(device: int, x: Any) -> Any:
        return known[device][id(x)] if type(x) is Node else x
    for nodes in zip(*[g.nodes for g in graphs], strict=True):
        first = nodes[0]
        if {n.op for n in nodes} != {first.op}:
            raise ValueError(f"The devices compute different operators: {[n.op.name for n in nodes]}.")
        if first.op in MOVED:
            groups = {n.attrs["group"]: n.attrs["group"].devices for n in nodes}
            for devices in groups.values():
                whole = [of(d, nodes[d].inputs[0]) for d in devices]
                for d, out in zip(devices, MOVED[first.op](whole, [nodes[d].attrs for d in devices]), strict=True):
                    known[d][id(nodes[d])] = out
            continue
        for d, node in enumerate(nodes):
            ins = [of(d, x) for x in node.inputs]
            known[d][id(node)] = ins[0][node.attrs["i"]] if node.op is ITEM else evaluate(node, ins)
    return [[of(d, x) for x in g.outs] for d, g in enumerate(graphs)]


def _reduced(xs: Sequence[torch.Tensor], attrs: Sequence[Any]) -> list[torch.Tensor]:
    every = torch.stack(list(xs))
    whole = REDUCED[attrs[0]["kind"]](every.to(torch.int32) if every.dtype == torch.bool else every)
    return [whole.to(every.dtype)] * len(xs)


def _scattered(xs: Sequence[torch.Tensor], attrs: Sequence[Any]) -> list[torch.Tensor]:
    return list(torch.stack(list(xs)).sum(0).split(list(attrs[0]["counts"]), attrs[0]["dim"]))


def _gathered(xs: Sequence[torch.Tensor], attrs: Sequence[Any]) -> list[torch.Tensor]:
    if tuple([x.shape[attrs[0]["dim"]] for x in xs]) != tuple(attrs[0]["counts"]):
        raise ValueError(f"The pieces {[tuple(x.shape) for x in xs]} do not have the lengths {attrs[0]['counts']}.")
    return [torch.cat(list(xs), attrs[0]["dim"])] * len(xs)


def _swapped(xs: Sequence[torch.Tensor], attrs: Sequence[Any]) -> list[torch.Tensor]:
    whole = _gathered(xs, attrs)[0]
    return list(whole.split(list(attrs[0]["cuts"]), attrs[0]["split"]))


MOVED: dict[Any, Callable[[Sequence[torch.Tensor], Sequence[Any]], list[torch.Tensor]]] = {
    moves.reduce_parts: _reduced, moves.scatter_parts: _scattered, moves.gather_pieces: _gathered,
    moves.swap_pieces: _swapped}
