"""Rules from a pattern of several nodes to what computes the same; the one matcher of the passes.

    fuse = Rewriting()

    @fuse.rule(Apply(matmul, Apply(relu, tensor("x"), once=True), tensor("w")))
    def rectified(new, x, w):
        \"\"\"relu(x) @ w => rectified_matmul(x, w)\"\"\"
        return new(rectified_matmul, (x, w), {}, new.root.aval)

    graph = fuse(graph)

The node that a pattern ends in stays the node that it is, since others may hold it, and computes the replacement
from then on.  (Rules about one node and its inputs are those of `simplify`.)
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.compiler.targets import Target
from mindspore.ir import ITEM, Flow, Graph, Node

Uses = dict[int, int]            # how often each node of the list that is rewritten is used there, by id
Found = dict[str, Any]           # what the names of a pattern are; under "once" the nodes of one use


class Pattern:
    """What nodes and constants may be like."""

    def match(self, value: Any, uses: Uses) -> Found | None:
        """What the names are in a value; None if it does not match."""
        raise NotImplementedError

    def needed(self) -> frozenset[Any]:
        """Operators without which it matches nowhere."""
        return frozenset()


class Value(Pattern):
    """Anything that passes a test, under a name that the rule gets it by."""

    def __init__(self, name: str, test: Callable[[Any], bool]):
        self.name, self.test = name, test

    def match(self, value: Any, uses: Uses) -> Found | None:
        return {self.name: value} if self.test(value) else None


def tensor(name: str) -> Value:
    """A node."""
    return Value(name, lambda x: type(x) is Node)


def number(name: str) -> Value:
    """A constant of Python's, other than a bool."""
    return Value(name, lambda x: type(x) in (int, float))


def operand(name: str) -> Value:
    """The one or the other."""
    return Value(name, lambda x: type(x) in (Node, int, float))


class Either(Pattern):
    """The first of several patterns that matches."""

    def __init__(self, *patterns: Pattern):
        self.patterns = patterns

    def match(self, value: Any, uses: Uses) -> Found | None:
        return next((found for one in self.patterns if (found := one.match(value, uses)) is not None), None)

    def needed(self) -> frozenset[Any]:
        first, *others = [one.needed() for one in self.patterns]
        return first.intersection(*others)


class Apply(Pattern):
    """A node of an operator, or of one of several, whose first inputs match.

    Args:
        once: Whether it must be part of the graph and have no other use.
        where: What else must be true of the node; it is also told the uses.
        name: What the rule gets the node by; "" if it does not need it.
    """

    def __init__(self, op: Any, *inputs: Pattern, once: bool = False,
                 where: Callable[[Node, Uses], bool] | None = None, name: str = ""):
        self.ops: tuple[Any, ...] = op if isinstance(op, tuple) else (op,)
        self.inputs, self.once, self.where, self.name = inputs, once, where, name

    def match(self, value: Any, uses: Uses) -> Found | None:
        if type(value) is not Node or value.op not in self.ops or len(value.inputs) < len(self.inputs) or (
                self.once and uses.get(id(value)) != 1) or (self.where and not self.where(value, uses)):
            return None
        found: Found = {"once": [value] if self.once else []}
        for pattern, x in zip(self.inputs, value.inputs, strict=False):
            inner = pattern.match(x, uses)
            if inner is None:
                return None
            found["once"] += inner.pop("once", ())
            found |= inner
        if self.name:
            found[self.name] = value
        return found

    def needed(self) -> frozenset[Any]:
        own: frozenset[Any] = frozenset(self.ops if len(self.ops) == 1 else ())
        return own.union(*[one.needed() for one in self.inputs])


class New:
    """Makes the nodes of a replacement.

    Attributes:
        root: The node that is to compute it.
        nodes: Those that were made, in order.
    """

    def __init__(self, root: Node):
        self.root, self.nodes = root, list[Node]()

    def __call__(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], aval: Any,
                 source: Node | None = None) -> Node:
        """A node, from the place of the program of the root, or of another node."""
        made = (self.root if source is None else source).like(op, inputs, attrs, aval)
        self.nodes += [made, *(made.with_items() if type(aval) is tuple else ())]
        return made


class Rewriting:
    """A pass of rules: a function from graph to graph, in place.

    Args:
        whole: Whether nobody holds nodes of the graph, so that those of one use, which a rule replaced, go at once.
            Otherwise they stay and go with other dead nodes.
        inside: Whether the graphs in its nodes are rewritten, too.
    """

    def __init__(self, whole: bool = False, inside: bool = False):
        self.whole, self.inside = whole, inside
        self.rules: dict[Any, list[tuple[Apply, Callable[..., Node | None]]]] = {}
        self.needed: list[frozenset[Any]] = []

    def rule(self, *patterns: Apply) -> Callable[[Callable[..., Node | None]], Callable[..., Node | None]]:
        """Register a rule for patterns, which are tried in order.

        It is called with a `New` and the values of the names, and returns the last node of the replacement, of the
        type of the one that is replaced, or None.
        """
        def register(make: Callable[..., Node | None]) -> Callable[..., Node | None]:
            for pattern in patterns:
                self.needed.append(pattern.needed())
                for op in pattern.ops:
                    self.rules.setdefault(op, []).append((pattern, make))
            return make
        return register

    def __call__(self, graph: Graph, target: Target | None = None) -> Graph:
        self._rewrite(graph, set())
        return graph

    def _rewrite(self, graph: Graph, seen: set[int]) -> None:
        seen.add(id(graph))
        nodes = graph.nodes
        for node in nodes if self.inside else ():
            for value in node.attrs.values() if type(node.op) is Flow else ():
                if isinstance(value, Graph) and id(value) not in seen:
                    self._rewrite(value, seen)
        present = {n.op for n in nodes}
        if not any([needed <= present for needed in self.needed]):
            return
        uses = _uses(graph)
        kept: list[Node] = []
        gone: set[int] = set()
        for node in nodes:
            for pattern, make in self.rules.get(node.op, ()):
                found = pattern.match(node, uses)
                if found is None:
                    continue
                once, new = found.pop("once"), New(node)
                made = make(new, **found)
                if made is not None:
                    kept += _become(node, made, new.nodes)
                    gone.update(map(id, once))
                    break
            else:
                kept.append(node)
        graph.nodes = [n for n in kept if id(n) not in gone] if self.whole and gone else kept


def _become(root: Node, made: Node, nodes: list[Node]) -> list[Node]:
    """Let a node compute what another one does; the nodes in their order, with it in place of the other."""
    if made.aval != root.aval:
        raise ValueError(f"A rule puts {made.op.name} of type {made.aval} in place of {root.op.name} of {root.aval}.")
    if root.op is ITEM:                       # its owner, which may be held, too, gets another one
        owner, i = root.inputs[0], root.attrs["i"]
        owner.items = tuple([owner.like(ITEM, (owner,), m.attrs, m.aval) if k == i else m
                             for k, m in enumerate(owner.items)])
    root.become(made.op, made.inputs, made.attrs, made)
    if made.op is ITEM:
        owner = made.inputs[0]
        owner.items = tuple([root if m is made else m for m in owner.items])
    return [root if n is made else n for n in nodes]


def _uses(graph: Graph) -> Uses:
    uses = dict.fromkeys(map(id, graph.nodes), 0)
    for inputs in (*[n.inputs for n in graph.nodes], graph.outs):
        for x in inputs:
            if id(x) in uses:
                uses[id(x)] += 1
    return uses
