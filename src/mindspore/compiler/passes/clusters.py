"""Generated kernels: operators that have loop forms become one kernel where their elements lie over the same rows.

A group takes in the operators that use its values, one after the other in program order, as long as there is a plan for
the whole, and a place for it: behind all that it uses, before all that uses it.  What only gives elements another
shape comes along between others, and stays outside at the end of a group.
"""
from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from mindspore.compiler.kernels import available, generated, planned
from mindspore.compiler.kernels.mathematics import COSTLY
from mindspore.compiler.kernels.plan import ordered
from mindspore.compiler.targets import Target
from mindspore.core.dtype import bool_, float32, int32, int64
from mindspore.core.kinds import is_tuple
from mindspore.ir import ITEM, Flow, Graph, Node, symbolic
from mindspore.ir.graph import avals_of
from mindspore.operators import fused
from mindspore.operators.choices import choices
from mindspore.operators.loops import REDUCTIONS, Element

_MOST = 32                   # operators in a group: what is compiled at once
_NAMED = 4                   # operators in the name of a kernel
_DTYPES = (float32, bool_, int32, int64)


class Group:
    """Operators that become one kernel.

    Attributes:
        members: Their nodes, in program order.
        inputs: The nodes outside that they use.
        values: The elements of inputs and results, by id.
        place: Behind which node of the graph its kernel stands, and behind how many other kernels there.
    """

    def __init__(self, members: list[Node]):
        self.place: tuple[int, int] = (-1, 0)
        self.members, self.inputs = members, list[Node]()
        self.values: dict[int, Element] = {}

    def formed(self) -> bool:
        """Compute the elements; whether every operator has a loop form here."""
        for node in self.members:
            given = [self.element(x) if type(x) is Node else x for x in node.inputs]
            found: Any = node.op.loop_rule(*given, **{**node.op.attrs, **node.attrs})
            forms: tuple[Any, ...] = found if is_tuple(found) else (found,)
            for form, aval, out in zip(forms, avals_of(node), node.items or (node,), strict=True):
                if type(form) is not Element or (form.shape, form.dtype) != (aval.shape, aval.dtype):
                    return False
                self.values[id(out)] = form
        return True

    def element(self, x: Node) -> Element:
        """The element of an operand."""
        found = self.values.get(id(x))
        if found is None:
            found = self.values[id(x)] = Element("input", (), x.shape, x.dtype, len(self.inputs))
            self.inputs.append(x)
        return found


class Clusters:
    """Finds the groups of a graph and puts kernels in their place."""

    def __init__(self, graph: Graph, seen: set[int], least: float = 0):
        self.graph, self.seen, self.least = graph, seen, least
        last: dict[int, int] = {}                # the last result of a node that is in the graph
        for i, node in enumerate(graph.nodes):
            last[id(node.inputs[0] if node.op is ITEM else node)] = i
        self.place: dict[int, int] = {}
        for i, node in enumerate(graph.nodes):   # one result is there when all are
            self.place[id(node)] = last[id(node.inputs[0])] if node.op is ITEM else i
        self.users: dict[int, list[Node | None]] = {}
        for node in graph.nodes:
            if node.op is not ITEM:
                for x in node.inputs:
                    if type(x) is Node:
                        self.users.setdefault(id(x), []).append(node)
        for out in graph.outs:
            if type(out) is Node:
                self.users.setdefault(id(out), []).append(None)
        self.group: dict[int, Group] = {}
        self.renamed: dict[int, Node] = {}       # what takes the place of values, by id
        self.gone: set[int] = set()              # nodes that kernels replace

    def run(self) -> None:
        """Group, and replace."""
        for node in self.graph.nodes:
            if type(node.op) is Flow:
                for inner in node.attrs.values():
                    if isinstance(inner, Graph) and id(inner) not in self.seen:      # functions may call each other
                        self.seen.add(id(inner))
                        Clusters(inner, self.seen, self.least).run()
            elif _suits(node):
                self.add(node)
        groups = list({id(g): g for g in self.group.values()}.values())
        made = [(g, self.kernel(g)) for g in sorted(groups, key=lambda g: g.place)]
        if self.renamed:
            self.replace([(g, new or [n for m in g.members for n in (m, *m.items)]) for g, new in made])

    # ------------------------------------------------------------------ grouping

    def add(self, node: Node) -> None:
        """Let a node join the groups whose values it uses: all of them, else one, else begin its own."""
        owners = [x.inputs[0] if x.op is ITEM else x for x in node.inputs if type(x) is Node]
        near = list({id(g): g for o in owners if (g := self.group.get(id(o)))}.values())
        for joined in [near, *[[g] for g in near if len(near) > 1], []]:
            members = sorted([m for g in joined for m in g.members] + [node], key=lambda m: self.place[id(m)])
            found = self.tried(members)
            if found:
                self.group.update([(id(m), found) for m in members])
                return

    def tried(self, members: list[Node]) -> Group | None:
        """A group of these nodes, if it may be one."""
        group = Group(members)
        if len(members) > _MOST or not group.formed():
            return None
        own = set(map(id, members))
        before = [self.placed(x, own) for x in group.inputs]
        last = max([place for place, _ in before], default=-1)
        group.place = last, 1 + max([behind for place, behind in before if place == last], default=0)
        for m in members:
            for value in m.items or (m,):
                for user in self.users.get(id(value), ()):
                    if user is not None and id(user) not in own and self.placed(user, own) <= group.place:
                        return None
        return group if planned([group.values[id(v)] for v in self.results(group)]) else None

    def placed(self, node: Node, besides: set[int]) -> tuple[int, int]:
        """Where a node stands: on its own, or as part of a group other than that of some nodes."""
        owner = node.inputs[0] if node.op is ITEM else node
        group = self.group.get(id(owner))
        if group and id(owner) not in besides:
            return group.place
        return self.place.get(id(node), -1), 0

    def results(self, group: Group) -> list[Node]:
        """The values of a group that others use."""
        own = set(map(id, group.members))
        return [v for m in group.members for v in m.items or (m,)
                if any(u is None or id(u) not in own for u in self.users.get(id(v), ()))]

    # ------------------------------------------------------------------ kernels

    def kernel(self, group: Group) -> list[Node] | None:
        """The nodes that take the place of a group's; None if a kernel brings nothing."""
        wanted, views = self.without_views(group)
        inner = _needed(group.members, wanted)
        group = Group(inner)
        if not group.formed():
            return None
        elements = [group.values[id(v)] for v in wanted]
        kernel = generated(elements) if elements and self.worth(inner, elements) else None
        if kernel is None:
            return None
        node = inner[-1].like(fused.generated, tuple(group.inputs), {"kernel": kernel, "of": _said(inner)},
                              kernel.avals if len(wanted) > 1 else kernel.avals[0])
        for old, new in zip(wanted, node.with_items() if len(wanted) > 1 else (node,), strict=True):
            self.renamed[id(old)] = new
        left = {id(v) for v in views}
        self.gone |= {id(n) for m in inner if id(m) not in left for n in (m, *m.items)}
        return [node, *node.items, *views]

    def worth(self, members: Sequence[Node], results: Sequence[Element]) -> bool:
        """Whether a kernel saves anything; where little is compiled, functions of many elements, and normalisations.

        These (values that follow from sums of their own row, and what is done with them) torch computes in several
        sweeps, on one thread.
        """
        if not _worth(members, results):
            return False
        if not self.least:
            return True
        plan = planned(results)
        return plan is not None and max(prod(e.shape) for e in plan.elements) >= self.least and (
            any(e.word in COSTLY for e in plan.elements) or any(plan.follows_row(o) for o in results))

    def without_views(self, group: Group) -> tuple[list[Node], list[Node]]:
        """The results of a group without those that only give elements another shape, and what gives them it."""
        values = {id(v): v for v in self.results(group)}
        views: list[Node] = []
        for m in reversed(group.members):
            if m.op.view and values.pop(id(m), None) is not None:
                x = m.inputs[0]
                if id(x.inputs[0] if x.op is ITEM else x) in {id(n) for n in group.members}:
                    values[id(x)] = x
                views.insert(0, m)
        return sorted(values.values(), key=lambda v: self.place[id(v)]), views

    def replace(self, made: list[tuple[Group, list[Node]]]) -> None:
        """Write the graph's nodes anew."""
        nodes: list[Node] = []
        gone = self.gone | {id(n) for _, new in made for n in new}
        todo = list(reversed(made))
        for i, node in enumerate((None, *self.graph.nodes), -1):
            if node is not None and id(node) not in gone:
                nodes.append(node)
            while todo and todo[-1][0].place[0] <= i:
                nodes += todo.pop()[1]
        renamed = self.renamed
        for node in nodes:
            node.inputs = tuple([renamed.get(id(x), x) for x in node.inputs])
        self.graph.nodes, self.graph.outs = nodes, [renamed.get(id(o), o) for o in self.graph.outs]


def _suits(node: Node) -> bool:
    """Whether a kernel may compute a node: it has a loop form, known shapes and elements that kernels know."""
    rule = getattr(node.op, "loop_rule", None)
    values = [*[x for x in node.inputs if type(x) is Node], *(node.items or (node,))]
    fixed = [*[x for x in node.inputs if type(x) is not Node], *node.attrs.values()]
    return rule is not None and not symbolic(fixed) and all(
        x.dtype in _DTYPES and not x.aval.weak and all(type(n) is int and n for n in x.shape) for x in values)


def _needed(members: list[Node], results: list[Node]) -> list[Node]:
    """The nodes that results are computed from."""
    found = {id(v.inputs[0] if v.op is ITEM else v) for v in results}
    for m in reversed(members):
        if id(m) in found:
            found |= {id(x.inputs[0] if x.op is ITEM else x) for x in m.inputs if type(x) is Node}
    return [m for m in members if id(m) in found]


def _said(members: Sequence[Node]) -> tuple[str, int]:
    """What a kernel is called by those who ask what runs, and its floating-point operations."""
    whole = [m for m in members if not m.op.view and m.op is not ITEM]
    names = list(dict.fromkeys([m.op.name for m in whole]))
    flops = sum([int(m.op.cost_rule(*[x.aval if type(x) is Node else x for x in m.inputs], **m.attrs))
                 for m in whole if m.op.cost_rule])
    return "+".join(names[:_NAMED] + ([f"{len(names) - _NAMED} more"] if len(names) > _NAMED else [])), flops


def _worth(members: Sequence[Node], results: Sequence[Element]) -> bool:
    """Whether a kernel saves anything: sweeps over memory, or a function that it computes faster."""
    if sum(not m.op.view for m in members) > 1:
        return True
    return any(e.word in COSTLY or e.word in REDUCTIONS for e in ordered(results))


def generate_kernels(graph: Graph, target: Target | None = None) -> Graph:
    """Put generated kernels in place of groups of operators, in a graph and in those of its control flow."""
    if target is None or (target.device == "cpu" and available()):
        Clusters(graph, {id(graph)}).run()
    return graph


def generate_costly(graph: Graph, target: Target | None = None) -> Graph:
    """The same for groups with functions such as the exponential of very many elements: what is worth it at O1."""
    if target is None or (target.device == "cpu" and available()):
        Clusters(graph, {id(graph)}, choices().costly_least).run()
    return graph


__all__ = ["generate_costly", "generate_kernels"]
