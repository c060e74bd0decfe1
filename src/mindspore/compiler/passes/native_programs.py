"""Native programs: operators that have native forms become one native function, as many as can stand together.

Nodes that have none stay where what they need is known: those that need nothing of a program before it, those that do
behind it, in their order.  What only gives a value another shape stays outside where its result leaves.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.programs import NativeProgram, Unfit, description, operands
from mindspore.compiler.targets import Target
from mindspore.ir import ITEM, Flow, Graph, Node, symbolic
from mindspore.ir.flow import graphs_in
from mindspore.operators import fused
from mindspore.operators.choices import choices
from mindspore.operators.im2col_convolution import convolve_samples
from mindspore.operators.piecewise import relu
from mindspore.operators.pooling import max_pool
from mindspore.operators.stages import INNERMOST, Correlation, Product

from .clusters import generate_kernels

UPDATES = "updates"          # the option of a target that says that the graph is a training step
PLANES = frozenset([convolve_samples, max_pool, relu])     # operators that `generate_planes` has code for
_FEWEST = 5                  # operators of a program, at least
_MOST = 400                  # and at most: what is compiled at once


def make_native_programs(graph: Graph, target: Target | None = None) -> Graph:
    """Put native programs in place of operators that have native forms, in a graph and in those of its control flow.

    At O1 only for small training steps that become one program: others gain little, and take time to compile.
    """
    if target is not None and not (target.device == "cpu" and available()):
        return graph
    if target is None or target.level > 1:
        for one in graphs_in(graph):
            _in(one)
    elif target.options.get(UPDATES) and _is_small(graph):
        for one in graphs_in(generate_kernels(graph, target)):
            _in(one)
    return graph


def generate_planes(graph: Graph, target: Target | None = None) -> Graph:
    """Put native code in place of the one operator of a graph, if it is one on images whose samples lie innermost."""
    if target is not None and target.device != "cpu":
        return graph
    nodes = [n for n in graph.nodes if n.op is not ITEM]
    if len(nodes) != 1 or nodes[0].op not in PLANES or not available() or not _native(nodes[0]):
        return graph
    (node,), inputs = nodes, [x for x in nodes[0].inputs if type(x) is Node]
    if node.op is not convolve_samples and not inputs[0].attrs.get(INNERMOST):
        return graph
    try:
        program = NativeProgram([node, *node.items], inputs, list(node.items or (node,)), innermost=True)
    except Unfit:
        return graph
    node.op, node.attrs, node.inputs = fused.generated, {"kernel": program}, tuple(inputs)
    return graph


def _is_small(graph: Graph) -> bool:
    """Whether all of a graph is native, has a reverse, and takes some milliseconds at most."""
    whole = [n for n in _needed(graph.nodes, [o for o in graph.outs if type(o) is Node]) if n.op is not ITEM]
    if not any(n.origin.phase == "reverse" for n in whole):
        return False
    if len(whole) > _MOST or not all(_native(n) for n in whole) or not _worth(whole):
        return False
    return sum([n.op.cost_rule(*[x.aval if type(x) is Node else x for x in n.inputs], **n.attrs)
                for n in whole if n.op.cost_rule and n.op.stage_rule]) < choices().program_most


def _in(graph: Graph) -> None:
    done: list[Node] = []
    rest, unfit = graph.nodes, set[int]()
    while rest:
        parts = Parting(rest, unfit)
        try:
            made = _made(graph, parts.members, parts.after)
        except Unfit as error:
            unfit.add(id(error.args[0]))
            continue
        done += [*parts.before, *made]
        rest = parts.after
    kept = _needed(done, [n for n in done if _keeps_its_place(n)] + [o for o in graph.outs if type(o) is Node],
                   native=False)
    graph.nodes = kept if any(n.op is fused.generated for n in done) else done


def _owner(x: Node) -> Node:
    return x.inputs[0] if x.op is ITEM else x


def _native(node: Node) -> bool:
    return type(node.op) is not Flow and node.op is not ITEM and description(node) is not None


class Parting:
    """What comes before a program, its members, and what comes after it.

    Args:
        nodes: All of them, in order.
        unfit: Nodes, by id, that are no members though they have native forms.
    """

    def __init__(self, nodes: Sequence[Node], unfit: set[int]):
        self.before: list[Node] = []
        self.members: list[Node] = []
        self.after: list[Node] = []
        self.where: dict[int, list[Node]] = {}
        self.fixed = set[int]()              # native nodes of one result that are computed from no parameter
        self.ordered = False                 # whether something that keeps its place comes after
        for node in nodes:
            if node.op is ITEM:
                self.where[id(node.inputs[0])].append(node)
            else:
                self.add(node, id(node) not in unfit and _native(node))

    def add(self, node: Node, native: bool) -> None:
        """Find the place of a node."""
        used = operands(node) if native else [x for x in node.inputs if type(x) is Node]
        if native and all(id(x) in self.fixed for x in used):
            self.fixed.add(id(node))
        for x in () if native else used:     # numbers of the program are known before it, too
            if id(x) in self.fixed:
                self.hoist(x)
        of, keeps = [self.where.get(id(_owner(x))) for x in used], _keeps_its_place(node)
        if any(p is self.after for p in of) or (keeps and self.ordered):
            place = self.after
        elif native and len(self.members) < _MOST:
            place = self.members
        else:
            place = self.after if any(p is self.members for p in of) else self.before
        self.ordered |= keeps and place is self.after
        self.where[id(node)] = place
        place.append(node)

    def hoist(self, node: Node) -> None:
        """Let a member come before the program, with what it needs."""
        if self.where[id(node)] is self.members:
            for x in operands(node):
                self.hoist(x)
            self.members[:] = [m for m in self.members if m is not node]
            self.before.append(node)
            self.where[id(node)] = self.before


def _keeps_its_place(node: Node) -> bool:
    """Whether a node stays behind others for more than its inputs: effects, control flow, sizes that a run tells."""
    if node.op is ITEM:
        return False
    return type(node.op) is Flow or node.op.effect is not None or symbolic(
        (node.aval, *node.attrs.values(), *[x for x in node.inputs if type(x) is not Node]))


def _made(graph: Graph, members: list[Node], after: Sequence[Node]) -> list[Node]:
    """The nodes in place of some: a program and what stays outside, or the same."""
    own, outs = {id(m) for m in members}, [o for o in graph.outs if type(o) is Node]
    later = _needed(after, [n for n in after if _keeps_its_place(n)] + outs, native=False)
    outside = [x for n in later for x in n.inputs if type(x) is Node] + outs
    leaving = {id(x): x for x in outside if id(x) in own}
    views: list[Node] = []
    for m in reversed(members):
        if id(m) in leaving and _reshapes(m):
            views.insert(0, m)
            del leaving[id(m)]
            (x,) = [x for x in m.inputs if type(x) is Node]
            if id(x) in own:
                leaving[id(x)] = x
    results = [m for m in members if id(m) in leaving]
    inner = _needed(members, results)
    if not results or not _worth(inner):
        return members
    held = {id(m) for m in inner}
    inputs = list({id(x): x for m in inner if m.op is not ITEM for x in operands(m) if id(x) not in held}.values())
    program = NativeProgram(inner, inputs, results)
    last = next(m for m in reversed(inner) if m.op is not ITEM)
    node = last.like(fused.generated, tuple(inputs), {"kernel": program},
                     program.avals if len(results) > 1 else program.avals[0])
    new = node.with_items() if len(results) > 1 else (node,)
    renamed = {id(old): n for old, n in zip(results, new, strict=True)}
    for n in (*views, *after):
        n.inputs = tuple([renamed.get(id(x), x) for x in n.inputs])
    graph.outs = [renamed.get(id(o), o) for o in graph.outs]
    return [node, *node.items, *views]


def _reshapes(node: Node) -> bool:
    """Whether a node only gives an operand another shape."""
    found: Any = description(node) if node.op is not ITEM else None
    return bool(type(found) is tuple and len(node.items) < 2 and getattr(found[0], "word", "") == "input")


def _needed(members: Sequence[Node], results: Sequence[Node], native: bool = True) -> list[Node]:
    """The members that results are computed from; native programs do not use all inputs of operators."""
    found = {id(r) for r in results}
    for m in reversed(members):
        if id(m) in found or any(id(i) in found for i in m.items):
            found |= {id(m), *map(id, m.items), *map(id, operands(m) if native and _native(m) else m.inputs)}
    return [m for m in members if id(m) in found]


def _worth(members: Sequence[Node]) -> bool:
    """Whether a program saves enough: some operators, one of them a product or a convolution."""
    whole = [m for m in members if m.op is not ITEM and not _reshapes(m)]
    return len(whole) >= _FEWEST and any(type(description(m)) in (Product, Correlation) for m in whole)


__all__ = ["PLANES", "UPDATES", "generate_planes", "make_native_programs"]
