"""The graph of one device: nodes on pieces, and between them what moves pieces."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from mindspore.ir import ITEM, Aval, Graph, Node, avals_of
from mindspore.operators import pieces as moves
from mindspore.operators.arithmetic import mul

from .choices import Choice, extents_of, is_tensor, layout_of
from .on_device import OnDevice
from .placement import Mesh, Partial, Placement, Shard, Step, local_shape, pieces, steps


class Plan:
    """How a graph is computed by the devices of a mesh.

    Attributes:
        mesh: The devices.
        chosen: For nodes, by id, how they are computed; others are computed whole by every device.
        kept: For results, by id of the node that represents them, the placement that they get at once.
        stored: For inputs of the graph, by id, how they lie; others are whole.
        results: For results of the graph, by number, how they lie; others are whole.
    """

    def __init__(self, mesh: Mesh, chosen: Mapping[int, Choice], kept: Mapping[int, Placement] | None = None,
                 stored: Mapping[int, Placement] | None = None, results: Mapping[int, Placement] | None = None):
        self.mesh, self.chosen, self.kept = mesh, chosen, kept or {}
        self.stored, self.results = stored or {}, results or {}

    def lie(self, x: Node) -> Placement:
        """Where a value lies when nodes use it."""
        if id(x) in self.kept:
            return self.kept[id(x)]
        node, r = (x.inputs[0], x.attrs["i"]) if x.op is ITEM else (x, 0)
        choice = self.chosen.get(id(node))
        return choice.outs[r] if choice is not None else self.stored.get(id(x), self.mesh.whole)


class Splitter:
    """Makes the graph of one device.

    Args:
        plan: What every node does.
        device: The number of the device.
        group: Gives the name of the group of some devices.
    """

    def __init__(self, plan: Plan, device: int, group: Any):
        self.plan, self.mesh, self.device, self.group = plan, plan.mesh, device, group
        self.nodes: list[Node] = []
        self.held: dict[int, tuple[Any, Placement, Any]] = {}      # by id of a node: its piece here, where it lies
        self.moved: dict[tuple[int, Placement, str], Any] = {}
        self.again: set[int] = set()           # ids of inputs that each phase puts together for itself
        self.phase = ""

    def split(self, graph: Graph) -> Graph:
        """The graph of the device; inputs and results are whole, but for those that the plan stores in pieces."""
        whole, stored = self.mesh.whole, self.plan.stored
        params = [p.like(None, (), {}, self._local(p.aval, stored[id(p)]) if id(p) in stored else p.aval)
                  for p in graph.params]
        for old, new in zip(graph.params, params, strict=True):
            self._hold(old, new, stored.get(id(old), whole))
        for node in graph.nodes:
            if node.op is not ITEM:
                self._node(node)
        outs = [self._at(x, self.plan.results.get(k, whole)) if type(x) is Node and is_tensor(x) else self._known(x)
                for k, x in enumerate(graph.outs)]
        return Graph(graph.name, params, self.nodes, outs)

    def moving(self, source: Node, piece: Node, now: Placement, wanted: Placement) -> Graph:
        """The graph that brings one tensor from a placement to another."""
        self._hold(source, piece, now)
        return Graph("moving", [piece], self.nodes, [self._at(source, wanted)])

    def _local(self, aval: Aval, placement: Placement) -> Aval:
        return Aval(local_shape(aval.shape, placement, self.mesh, self.device), aval.dtype, aval.weak)

    # ------------------------------------------------------------------ nodes

    def _node(self, node: Node) -> None:
        self.phase = node.origin.phase
        choice = self.plan.chosen.get(id(node))
        if choice is None or not any(choice.labels):
            ins = tuple([self._at(x, self.mesh.whole) for x in node.inputs])
            self._give(node, self.appended(node, node.op, ins, node.attrs, node.aval),
                       (self.mesh.whole,) * len(avals_of(node)))
            return
        layout = layout_of(node)
        if layout is None:
            raise ValueError(f"The operator '{node.op.name}' cannot be split: its dimensions stay whole.")
        ins = tuple([self._at(x, p) if p is not None else x for x, p in zip(node.inputs, choice.inputs, strict=True)])
        extents = extents_of(choice, layout, self.mesh, self.device)
        attrs = layout.settings({**node.op.attrs, **node.attrs}, extents) if layout.attrs else node.attrs
        attrs = {k: v for k, v in attrs.items() if k in node.attrs or k in layout.attrs}
        aval = node.op.infer(*[x.aval if type(x) is Node else x for x in ins], **attrs)
        if choice.across:
            made = OnDevice(self, node, choice, layout).done(ins, {**node.op.attrs, **attrs})
        else:
            made = self.appended(node, node.op, ins, attrs, aval)
        weights = [self._weight(choice, layout, extents, r) for r in range(len(choice.outs))]
        self._give(node, made, choice.outs, weights)

    def _weight(self, choice: Choice, layout: Any, extents: Mapping[str, int], result: int) -> float:
        """What a result counts: pieces of a mean by their part of the extent."""
        cut = {a for labels in choice.labels for a in labels if a in layout.extents}
        return math.prod([extents[a] / layout.extents[a] for a in sorted(cut)
                          if layout.left(result, a) in ("mean", "share")])

    def appended(self, source: Node, op: Any, ins: tuple[Any, ...], attrs: Mapping[str, Any], aval: Any) -> Node:
        """A new node of the device's graph, for one of the whole graph."""
        made = source.like(op, ins, dict(attrs), aval)
        self.nodes.append(made)
        if type(aval) is tuple and type(aval) is not Aval:
            self.nodes.extend(made.with_items())
        return made

    def _give(self, node: Node, made: Node | list[Node], outs: Sequence[Placement],
              weights: Sequence[float] = ()) -> None:
        """Remember where the results of a node lie."""
        single = type(node.aval) is Aval
        olds = [node] if single else node.items
        news = made if isinstance(made, list) else [made] if single else made.items
        for r, (old, new) in enumerate(zip(olds, news, strict=True)):
            if weights and weights[r] != 1.0:
                new = self.appended(node, mul, (new, weights[r]), {}, new.aval)
            self._hold(old, new, outs[r])
        if not single and not isinstance(made, list):
            self.held[id(node)] = made, (), node.aval

    def _hold(self, old: Node, new: Node, placement: Placement) -> None:
        self.held[id(old)] = new, placement, old.aval
        kept = self.plan.kept.get(id(old))
        if kept is not None and kept != placement:
            self.held[id(old)] = self._at(old, kept), kept, old.aval

    def _known(self, x: Any) -> Any:
        return self.held[id(x)][0] if type(x) is Node else x

    # ------------------------------------------------------------------ movements

    def _at(self, x: Any, wanted: Placement) -> Any:
        """The piece of a value that a placement asks for."""
        if not is_tensor(x):
            return self._known(x)
        piece, now, aval = self.held[id(x)]
        key = id(x), wanted, self.phase if id(x) in self.again else ""
        if now == wanted or x.aval.weak:
            return piece
        if key not in self.moved:
            state = list(now)
            for step in steps(now, wanted):
                piece = self._step(x, piece, aval.shape, state, step)
                state[step.axis] = step.wanted
            self.moved[key] = piece
        return self.moved[key]

    def _step(self, source: Node, x: Any, shape: Sequence[int], state: Sequence[Any], step: Step) -> Any:
        """One movement along an axis; `state` is the placement before it."""
        mesh, axis = self.mesh, step.axis
        line = mesh.line(self.device, axis)
        here = {"group": self.group(line)}
        place, parts = mesh.place(self.device)[axis], mesh.shape[axis]

        def lengths(cut: Shard) -> tuple[int, ...]:
            """How long the pieces on the line are along the dimension that the step puts together or cuts."""
            before = [s if k < axis else mesh.whole[0] for k, s in enumerate(state)]
            extent = local_shape(shape, tuple(before), mesh, self.device)[cut.dim]
            return tuple(pieces(extent, parts, cut.unit))
        old, new = step.state, step.wanted
        if step.kind == "reduce":
            kind = old.kind if isinstance(old, Partial) else ""
            op, attrs = moves.reduce_parts, {"kind": kind, "size": parts, **here}
        elif step.kind == "scatter" and isinstance(new, Shard):
            op, attrs = moves.scatter_parts, {"dim": new.dim, "counts": lengths(new), "place": place, **here}
        elif step.kind == "gather" and isinstance(old, Shard):
            op, attrs = moves.gather_pieces, {"dim": old.dim, "counts": lengths(old), **here}
        elif step.kind == "swap" and isinstance(old, Shard) and isinstance(new, Shard):
            op, attrs = moves.swap_pieces, {"split": new.dim, "cuts": lengths(new), "dim": old.dim,
                                            "counts": lengths(old), "place": place, **here}
        elif step.kind == "part":
            op, attrs = moves.keep_part, {"keep": place == 0}
        else:
            assert isinstance(new, Shard)
            counts = lengths(new)
            op, attrs = moves.take_piece, {"dim": new.dim, "start": sum(counts[:place]), "length": counts[place]}
        return self.appended(source, op, (x,), attrs, op.infer(x.aval, **attrs))
