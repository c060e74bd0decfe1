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
        ValueError: Devices wait for one another for ever, or nobody takes a message.
    """
    return Devices(graphs, inputs, evaluate).run()


class Devices:
    """Devices that go through their graphs, each as far as it can."""

    def __init__(self, graphs: Sequence[Graph], inputs: Sequence[Sequence[torch.Tensor]],
                 evaluate: Callable[[Node, Sequence[Any]], Any]):
        self.graphs, self.evaluate = graphs, evaluate
        self.known = [{id(p): x for p, x in zip(g.params, xs, strict=True)}
                      for g, xs in zip(graphs, inputs, strict=True)]
        self.at = [0] * len(graphs)
        self.mail: dict[tuple[int, int, int], torch.Tensor] = {}

    def run(self) -> list[list[Any]]:
        """The results, when all have come to the end."""
        devices = range(len(self.graphs))
        while any([self._next(d) is not None for d in devices]):
            if not [d for d in devices if self._advanced(d)]:
                waiting = [n.op.name for d in devices for n in (self._next(d),) if n is not None]
                raise ValueError(f"The devices wait for one another: {waiting}.")
        if self.mail:
            raise ValueError(f"Messages were sent that nobody takes: {sorted(self.mail)}.")
        return [[self._of(d, x) for x in g.outs] for d, g in enumerate(self.graphs)]

    def _next(self, d: int) -> Node | None:
        nodes = self.graphs[d].nodes
        return nodes[self.at[d]] if self.at[d] < len(nodes) else None

    def _of(self, d: int, x: Any) -> Any:
        return self.known[d][id(x)] if type(x) is Node else x

    def _advanced(self, d: int) -> bool:
        """Whether a device could do something, and has done it."""
        start = self.at[d]
        while (node := self._next(d)) is not None and (
                self._together(node) if node.op in MOVED else self._alone(d, node)):
            pass
        return self.at[d] > start

    def _alone(self, d: int, node: Node) -> bool:
        """Do a node of one device, if the message is there that it may wait for."""
        if node.op is moves.receive_from:
            key = node.attrs["peer"], d, node.attrs["tag"]
            if key not in self.mail:
                return False
            self.known[d][id(node)] = self.mail.pop(key)
        elif node.op is moves.send_away:
            self.mail[d, node.attrs["peer"], node.attrs["tag"]] = self._of(d, node.inputs[0])
        elif node.op is not moves.settle:
            ins = [self._of(d, x) for x in node.inputs]
            self.known[d][id(node)] = ins[0][node.attrs["i"]] if node.op is ITEM else self.evaluate(node, ins)
        self.at[d] += 1
        return True

    def _together(self, first: Node) -> bool:
        """Do a node of several devices, if all of them have come to it."""
        devices = first.attrs["group"].devices
        nodes = [n for d in devices for n in (self._next(d),)
                 if n is not None and n.op is first.op and n.attrs["group"] == first.attrs["group"]]
        if len(nodes) < len(devices):
            return False
        have = [self._of(d, n.inputs[0]) for d, n in zip(devices, nodes, strict=True)]
        for d, n, out in zip(devices, nodes, MOVED[first.op](have, [n.attrs for n in nodes]), strict=True):
            self.known[d][id(n)] = out
            self.at[d] += 1
        return True


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
