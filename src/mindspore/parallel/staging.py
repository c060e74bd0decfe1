"""A training step cut into the stages of a pipeline: the graph of each stage, with messages between them.

Cells say by `pipeline_stage` (and `pipeline_segment`) where they are computed, and `PipelineCell` which part of a batch
a node belongs to.  Everything else follows: reverse nodes stay with their forward ones, a parameter with the stage that
uses it first, the optimizer's step with the parameter.  What has no stage, every stage computes that needs it.  A value
that another stage wants is sent when it is there; the order of a stage's nodes is its schedule.
"""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mindspore.ir import ITEM, Aval, Graph, Node, avals_of
from mindspore.operators import pieces as moves

from .choices import is_tensor
from .schedules import ZERO_BUBBLE, Unit, orders


@dataclass
class Stages:
    """Which stage computes what.

    Attributes:
        count: The number of stages.
        home: By id of a node or parameter its stage; without an entry, every stage has it.
        segment: By id of a node its segment of the stage.
        messages: The values that stages send: by id of a value and the stage that wants it, a number.
        replaced: By number of a result, the id of the parameter that it is for.
        segments: The number of segments of a stage.
        line: The stages and segments that the network goes through, in its order.
        micros: The number of parts of a batch.
    """

    count: int
    home: dict[int, int] = field(default_factory=dict[int, int])
    segment: dict[int, int] = field(default_factory=dict[int, int])
    messages: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    replaced: Mapping[int, int] = field(default_factory=dict[int, int])
    segments: int = 1
    line: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    micros: int = 1


def staged(graph: Graph, count: int, replaced: Mapping[int, int], owners: Mapping[int, int] | None = None) -> Stages:
    """Find the stage of everything in a graph.

    Args:
        count: The number of stages.
        replaced: By number of a result, the id of the parameter that it is for.
        owners: By id of a parameter the stage that has it already.

    Raises:
        ValueError: No cell says its stage, one says another than there are, or the network comes back to a segment.
    """
    found = Stages(count, dict(owners or {}), replaced=replaced)
    noted = [n.origin.notes for n in graph.nodes if "stage" in n.origin.notes]
    wrong = [n["stage"] for n in noted if n["stage"] >= count]
    if not noted or wrong:
        raise ValueError(f"With pipeline_stages={count}, cells must say by 'pipeline_stage', or by the 'stage_config' "
                         f"of PipelineCell, in which of the stages 0 to {count - 1} they are computed, but "
                         + (f"got {wrong[0]}." if wrong else "none does."))
    found.segments = 1 + max([n.get("segment", 0) for n in noted])
    found.micros = 1 + max([n.get("micro", 0) for n in noted])
    found.line = list(dict.fromkeys([(n["stage"], n.get("segment", 0)) for n in noted]))
    _find_homes(graph, found)
    _go_forward(graph, found)
    for stage in range(count):
        for node in _required(graph, found, stage):
            for x in node.inputs:
                _ask(found, x, stage)
        for k, out in enumerate(graph.outs):
            if _wants(found, k, stage):
                _ask(found, out, stage)
    return found


def _ask(found: Stages, x: Any, stage: int) -> None:
    """Let a value be sent to a stage that wants it, if it is computed elsewhere."""
    if type(x) is Node and found.home.get(id(x), stage) != stage:
        found.messages.setdefault((id(x), stage), len(found.messages))


def _wants(found: Stages, k: int, stage: int) -> bool:
    """Whether a stage wants a result: that of its own parameters, and all that is for no parameter."""
    return k not in found.replaced or found.home.get(found.replaced[k], stage) == stage


def _find_homes(graph: Graph, found: Stages) -> None:
    home, params = found.home, {id(p) for p in graph.params}
    for node in graph.nodes:
        if "stage" in node.origin.notes and node.op is not ITEM:
            for x in node.inputs:
                if id(x) in params and id(x) in found.replaced.values():
                    home.setdefault(id(x), node.origin.notes["stage"])
    for node in graph.nodes:
        if node.op is ITEM:
            continue
        stage, segment = node.origin.notes.get("stage"), node.origin.notes.get("segment", 0)
        if stage is None:
            stage, segment = _home_of(node, found, params)
        if stage is not None:
            for one in (node, *node.items):
                home[id(one)], found.segment[id(one)] = stage, segment
    for k, p in found.replaced.items():                        # the state of optimizers, scales of losses
        if p not in home and id(graph.outs[k]) in home:
            home[p] = home[id(graph.outs[k])]


def _go_forward(graph: Graph, found: Stages) -> None:
    """ValueError where the network comes back to a segment: its stages would wait for one another for ever."""
    at = {where: k for k, where in enumerate(found.line)}
    place = {id(one): at.get((found.home[id(one)], found.segment.get(id(one), 0)), 0) for n in graph.nodes
             if n.origin.phase == "forward" and "micro" in n.origin.notes and id(n) in found.home
             for one in (n, *n.items)}
    for node in graph.nodes:
        for x in node.inputs:
            if place.get(id(node), len(at)) < place.get(id(x), 0):
                (here, segment), (there, _) = found.line[place[id(node)]], found.line[place[id(x)]]
                raise ValueError(
                    f"The network comes back to segment {segment} of stage {here}, by '{'.'.join(node.origin.scope)}', "
                    f"with what stage {there} computes in '{'.'.join(x.origin.scope)}'. Give cells that come later a "
                    "later stage, or a further segment by 'pipeline_segment' or the 'segment_config' of PipelineCell.")


def _home_of(node: Node, found: Stages, params: set[int]) -> tuple[int | None, int]:
    """The stage and the segment of a node without a note: where most of what it takes lies.

    In parts of a batch it comes behind all that it takes, as stages wait for one another in the order of the network.
    """
    owned = [(found.home[id(x)], found.segment.get(id(x), 0), x) for x in node.inputs
             if type(x) is Node and id(x) in found.home]
    if not owned:
        return None, 0
    made = [(found.line.index((s, v)), x) for s, v, x in owned if id(x) not in params and (s, v) in found.line]
    if "micro" in node.origin.notes and made:
        reverse = [k for k, x in made if x.origin.phase == "reverse"]
        return found.line[min(reverse) if node.origin.phase == "reverse" and reverse else max([k for k, _ in made])]
    _, stage, segment = max([(_bytes(x), stage, segment) for stage, segment, x in owned])
    return stage, segment


def _bytes(x: Node) -> int:
    return sum([math.prod([n for n in a.shape if isinstance(n, int)]) * a.dtype.itemsize for a in avals_of(x)
                if type(a) is Aval])


def _required(graph: Graph, found: Stages, stage: int) -> list[Node]:
    """The nodes that a stage computes, in order: its own, and of those without a stage what it needs."""
    wanted = {id(o) for k, o in enumerate(graph.outs) if type(o) is Node and _wants(found, k, stage)}
    line: list[Node] = []
    for node in reversed(graph.nodes):
        if node.op is ITEM:
            if id(node) in wanted:
                wanted.add(id(node.inputs[0]))
            continue
        where = found.home.get(id(node))
        if where == stage or (where is None and (id(node) in wanted or node.op.effect is not None)):
            line.append(node)
            wanted.update([id(x) for x in node.inputs if type(x) is Node])
    return line[::-1]


def _common(graph: Graph, found: Stages) -> set[int]:
    """What depends on parameters only: it is the same for all parts of a batch, and comes before the first one."""
    common = set(found.home) & {id(p) for p in graph.params}
    for node in graph.nodes:
        if node.origin.phase == "forward" and node.op.effect is None and node.inputs and all(
                [type(x) is not Node or id(x) in common for x in node.inputs]):
            common.add(id(node))
    return common


def _last_first(graph: Graph, common: set[int]) -> bool:
    """Whether parts need what later ones leave, as statistics of batches: `PipelineCell` begins with the last part."""
    def micro(x: Any) -> int:
        return x.origin.notes.get("micro", -1) if type(x) is Node and x.origin.phase == "forward" else -1
    return any([micro(x) > micro(n) >= 0 and id(x) not in common for n in graph.nodes for x in n.inputs])


# ---------------------------------------------------------------------- the graph of a stage

class Stage:
    """Makes the graph of one stage.

    Args:
        graph: The whole step.
        stages: Where everything is computed.
        stage: The number of the stage.
        peer: Gives the number of the process with which this one exchanges messages in another stage.
        kind: The schedule.
    """

    def __init__(self, graph: Graph, stages: Stages, stage: int, peer: Any, kind: str):
        self.graph, self.stages, self.stage, self.peer, self.kind = graph, stages, stage, peer, kind
        self.nodes: list[Node] = []
        self.here: dict[int, Any] = {id(p): p for p in graph.params
                                     if stages.home.get(id(p), stage) == stage}
        self.required = {id(n): n for n in _required(graph, stages, stage)}
        self.common = _common(graph, stages)
        self.last_first = _last_first(graph, self.common)
        self.targets: dict[int, list[int]] = {}
        for key, to in stages.messages:
            self.targets.setdefault(key, []).append(to)

    def made(self) -> tuple[Graph, dict[int, int]]:
        """The graph of the stage, and by number of a result the number of the parameter that stays unchanged.

        What another stage has, is a parameter without elements.
        """
        params = [p if id(p) in self.here else p.like(None, (), {}, Aval((0,), p.aval.dtype))
                  for p in self.graph.params]
        for p in self.graph.params:
            if id(p) in self.here:
                self._sent(p, p)
        units = {id(n): self._unit(n) for n in self.required.values()}
        for key, node in self.required.items():
            if key in self.common:
                self._emit(node)
        for unit in orders(self.kind, self.stages.count, self.stages.micros, self.stages.segments, self.stages.line)[
                self.stage]:
            for key, node in self.required.items():
                if units[key] == unit:
                    self._emit(node)
            self._emit_ready(units)
        for node in self.required.values():
            self._emit(node)
        place, outs, stay = {id(p): k for k, p in enumerate(self.graph.params)}, list[Any](), dict[int, int]()
        for k, out in enumerate(self.graph.outs):
            if not _wants(self.stages, k, self.stage):
                stay[k] = place[self.stages.replaced[k]]
                outs.append(params[stay[k]])
            else:
                outs.append(self._value(out))
        if any([n.op is moves.send_away for n in self.nodes]):
            self.nodes.append(Node(moves.settle, (), {}, moves.settle.infer()))
        return Graph(self.graph.name, params, self.nodes, outs), stay

    def _unit(self, node: Node) -> Unit | None:
        notes = node.origin.notes
        if id(node) in self.common or "micro" not in notes or node.origin.phase not in ("forward", "reverse"):
            return None
        kind = "F" if node.origin.phase == "forward" else "W" if self._ends_here(node) else "B"
        if self.last_first and any([type(x) is Node and x.origin.phase == "reverse"
                                    and x.origin.notes.get("micro", notes["micro"]) != notes["micro"]
                                    for x in node.inputs]):
            return None                               # adds up parts from the first one on, which then comes last
        micro = self.stages.micros - 1 - notes["micro"] if self.last_first else notes["micro"]
        return Unit(kind, micro, self.stages.segment.get(id(node), 0))

    def _ends_here(self, node: Node) -> bool:
        """Whether no other stage waits for what a reverse node leads to."""
        if self.kind != ZERO_BUBBLE:
            return False
        if not hasattr(self, "_leading"):
            leading = {key for key, _ in self.stages.messages}
            for one in reversed(list(self.required.values())):
                if id(one) in leading or any([id(i) in leading for i in one.items]):
                    leading |= {id(x) for x in one.inputs} | {id(one)} | {
                        id(x.inputs[0]) for x in one.inputs if type(x) is Node and x.op is ITEM}
            self._leading = leading
        return id(node) not in self._leading and not any([id(i) in self._leading for i in node.items])

    def _emit_ready(self, units: Mapping[int, Unit | None]) -> None:
        """Add up gradients as soon as their parts are there."""
        for key, node in self.required.items():
            if units[key] is None and node.origin.phase == "reverse" and id(node) not in self.here and all(
                    [type(x) is not Node or id(x) in self.here for x in node.inputs]):
                self._emit(node)

    def _emit(self, node: Node) -> None:
        """Append a node, behind what it needs."""
        waiting = [node]
        while waiting:
            now = waiting[-1]
            if id(now) in self.here:
                waiting.pop()
                continue
            needed = [self.required[id(y)] for x in now.inputs if type(x) is Node
                      for y in (x.inputs[0] if x.op is ITEM else x,) if id(y) in self.required
                      and id(y) not in self.here]
            if needed:
                waiting += needed
                continue
            waiting.pop()
            self._append(now)

    def _append(self, node: Node) -> None:
        made = node.like(node.op, tuple([self._value(x) for x in node.inputs]), node.attrs, node.aval)
        self.nodes.append(made)
        self.here[id(node)] = made
        if node.items:
            self.nodes.extend(made.with_items())
            for old, new in zip(node.items, made.items, strict=True):
                self.here[id(old)] = new
        for old in (node, *node.items):
            self._sent(old, self.here[id(old)])

    def _sent(self, old: Node, new: Node) -> None:
        for to in self.targets.get(id(old), ()) if self.stages.home.get(id(old)) == self.stage else ():
            attrs = {"peer": self.peer(to), "tag": self.stages.messages[id(old), to]}
            self.nodes.append(_message(old, moves.send_away, (new,), attrs, moves.send_away.infer(new.aval, **attrs)))

    def _value(self, x: Any) -> Any:
        """A value in this stage; one of another stage is received where it is first needed."""
        if type(x) is not Node:
            return x
        if id(x) not in self.here:
            if not is_tensor(x):
                raise ValueError(f"The stages of a pipeline can exchange tensors only, but '{x.op.name}' gives none.")
            attrs = {"shape": tuple(x.aval.shape), "dtype": x.aval.dtype,
                     "peer": self.peer(self.stages.home[id(x)]), "tag": self.stages.messages[id(x), self.stage]}
            made = _message(x, moves.receive_from, (), attrs, moves.receive_from.infer(**attrs))
            self.nodes.append(made)
            self.here[id(x)] = made
        return self.here[id(x)]


def _message(x: Node, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], aval: Any) -> Node:
    """What carries a value to another stage, from the same place; strategies there are of what computes the value."""
    made = x.like(op, inputs, attrs, aval)
    if made.origin.notes.get("in_strategy") is not None:
        made.origin = made.origin.noting(in_strategy=None, out_strategy=None)
    return made
