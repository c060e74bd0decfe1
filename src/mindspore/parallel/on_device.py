"""Operators along dimensions that they leave whole: the nodes of a device by the operator's rule `across`."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from mindspore.distributed import collectives
from mindspore.ir import Aval, Node
from mindspore.operators import pieces as moves
from mindspore.operators.attached import Device
from mindspore.operators.labels import Operand
from mindspore.operators.layouts import Layout

from .placement import pieces


class OnDevice(Device):
    """What a rule `across` sees while the graph of a device is made.

    Args:
        splitter: Makes the graph.
        node: The node of the whole graph.
        choice: How it is cut.
        layout: Its labels.
    """

    def __init__(self, splitter: Any, node: Node, choice: Any, layout: Layout):
        self.splitter, self.node, self.choice, self.layout = splitter, node, choice, layout
        self.mesh, self.place = splitter.mesh, splitter.mesh.place(splitter.device)
        self.axes = [k for k, cut in enumerate(choice.labels) if set(cut) & layout.opened]
        self.first = not any([self.place[k] for k in self.axes])

    def done(self, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> list[Node]:
        """The results, from the pieces of the inputs."""
        inputs = [*inputs, *[None] * (len(self.node.op.inputs) - len(inputs))]
        found = self.node.op.across_rule.rule(self, *inputs, **attrs)
        return [found] if isinstance(found, Node) else list(found)

    def __call__(self, op: Any, *inputs: Any, **attrs: Any) -> Any:
        aval = op.infer(*[x.aval if type(x) is Node else x for x in inputs], **attrs)
        return self.splitter.appended(self.node, op, inputs, attrs, aval)

    def over(self, kind: str, x: Any, *dims: int) -> Any:
        wanted = _labels(self.layout, dims)
        for k in self.axes:
            if set(self.choice.labels[k]) & wanted:
                group = self.splitter.group(self.mesh.line(self.splitter.device, k))
                x = self(moves.reduce_parts, x, kind=kind, size=self.mesh.shape[k], group=group)
        return x

    def start(self, k: int, dim: int) -> int:
        operand = self.layout.inputs[k]
        assert operand is not None
        return self._start(operand, dim)

    def start_of_result(self, dim: int) -> int:
        return self._start(self.layout.results[0], dim)

    def _start(self, operand: Operand, dim: int) -> int:
        (factor,) = operand.dims[dim]
        start, extent = 0, self.layout.extents[factor.label]
        for cut, parts, c in zip(self.choice.labels, self.mesh.shape, self.place, strict=True):
            if factor.label in cut:
                lengths = pieces(extent, parts)
                start, extent = start + sum(lengths[:c]), lengths[c]
        return start

    def whole(self, k: int) -> tuple[int, ...]:
        return tuple(self.node.inputs[k].aval.shape)

    def shape(self, x: Any) -> tuple[int, ...]:
        return tuple(x.aval.shape)


class Counted(Device):
    """What a rule `across` reads, writes, and sends, of whole tensors: for costs."""

    def __init__(self, node: Node, layout: Layout):
        self.node, self.layout, self.first = node, layout, True
        self.moved, self.ops = 0, 0
        self.reduced: list[tuple[frozenset[str], int]] = []       # labels whose devices send, and so many bytes
        inputs = [x.aval if type(x) is Node else x for x in node.inputs]
        inputs += [None] * (len(node.op.inputs) - len(inputs))
        node.op.across_rule.rule(self, *inputs, **{**node.op.attrs, **node.attrs})

    def __call__(self, op: Any, *inputs: Any, **attrs: Any) -> Any:
        aval = op.infer(*inputs, **attrs)
        self.ops += 1
        self.moved += sum([_bytes(x) for x in (*inputs, aval) if isinstance(x, Aval)])
        return aval

    def over(self, kind: str, x: Any, *dims: int) -> Any:
        travels = collectives.travels_as(x.dtype.torch).itemsize
        self.reduced.append((frozenset(_labels(self.layout, dims)), math.prod(x.shape) * travels))
        return x

    def start(self, k: int, dim: int) -> int:
        return 0

    def start_of_result(self, dim: int) -> int:
        return 0

    def whole(self, k: int) -> tuple[int, ...]:
        return tuple(self.node.inputs[k].aval.shape)

    def shape(self, x: Any) -> tuple[int, ...]:
        return tuple(x.shape)


def _labels(layout: Layout, dims: Sequence[int]) -> set[str]:
    """The labels that stay whole otherwise; those only at some dimensions of the first input that has as many."""
    if not dims:
        return set(layout.opened)
    operand = next(o for o in layout.inputs if o is not None and len(o.dims) > max(dims))
    return {f.label for d in dims for f in operand.dims[d]}


def _bytes(aval: Aval) -> int:
    return math.prod(aval.shape) * aval.dtype.itemsize
