"""All devices in one process: what the graphs of a plan compute, without communication.

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
        graphs: The graphs of the devices.
        inputs: What each device has.
        evaluate: Computes one node that moves nothing.

    Raises:
        ValueError: Devices wait for one another for ever.
    """
    known = [{id(p): x for p, x in zip(g.params, xs, strict=True)} for g, xs in zip(graphs, inputs, strict=True)]
    at, mail = [0] * len(graphs), dict[tuple[int, int, int], torch.Tensor]()

    def of(device: int, x: Any) -> Any:
        return known[device][id(x)] if type(x) is Node else x

    def step(d: int) -> bool:
        """Whether a device can do its next node, and has done it."""
        node = graphs[d].nodes[at[d]]
        if node.op in MOVED:
            return together(node)
        if node.op is moves.receive_from:
            key = node.attrs["peer"], d, node.attrs["tag"]
            if key not in mail:
                return False
            known[d][id(node)] = mail.pop(key)
        elif node.op is moves.send_away:
            mail[d, node.attrs["peer"], node.attrs["tag"]] = of(d, node.inputs[0])
        elif node.op is not moves.settle:
            ins = [of(d, x) for x in node.inputs]
            known[d][id(node)] = ins[0][node.attrs["i"]] if node.op is ITEM else evaluate(node, ins)
        at[d] += 1
        return True

    def together(first: Node) -> bool:
        devices = first.attrs["group"].devices
        nodes = [graphs[d].nodes[at[d]] if at[d] < len(graphs[d].nodes) else None for d in devices]
        if any([n is None or n.op is not first.op or n.attrs["group"] != first.attrs["group"] for n in nodes]):
            return False
        moving = [n for n in nodes if n is not None]
        whole = [of(d, n.inputs[0]) for d, n in zip(devices, moving, strict=True)]
        for d, n, out in zip(devices, moving, MOVED[first.op](whole, [n.attrs for n in moving]), strict=True):
            known[d][id(n)] = out
            at[d] += 1
        return True
    while any([k < len(g.nodes) for k, g in zip(at, graphs, strict=True)]):
        moved = False
        for d, g in enumerate(graphs):
            while at[d] < len(g.nodes) and step(d):
                moved = True
        if not moved:
            waiting = [g.nodes[k].op.name for k, g in zip(at, graphs, strict=True) if k < len(g.nodes)]
            raise ValueError(f"The devices wait for one another: {waiting}.")
    if mail:
        raise ValueError(f"Messages were sent that nobody takes: {sorted(mail)}.")
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
