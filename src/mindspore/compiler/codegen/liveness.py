"""Which values die where, and which buffers may be overwritten."""
from __future__ import annotations

from typing import Any

from mindspore.ir import Flow, Node


class Lives:
    """Last uses in a block.

    A value whose operator may return a view shares the buffer of its first input: the buffer is free
    only when no value on it is used any more.  Overwritten are only buffers that an operator of this
    block made, and that nothing holds on to (control flow, packed residuals, operators with
    effects); and the old value of a parameter, by the very node that replaces it (`owned` maps the
    one to the other, by id).
    """

    def __init__(self, nodes: list[Node], keep: list[Any], owned: dict[int, int]):
        self.owned = owned
        self.root: dict[int, int] = {}           # view -> the value whose buffer it lies in
        self.last: dict[int, int] = {}           # value -> index of its last use
        self.viewed: dict[int, int] = {}         # root -> index of the last use of a view of it
        self.fresh: set[int] = set(owned)        # roots that may be overwritten
        held: set[int] = set()
        for i, node in enumerate(nodes):
            self.uses(i, node)
            op = node.op
            if node.items:
                self.last.update([(id(item), i) for item in node.items])
            if type(op) is Flow:
                if op.name != "item":
                    held.update(self.roots(node))
            elif op.view:
                self.views(node)
            elif node.items:
                self.fresh.update([id(item) for item in node.items])
            else:
                self.fresh.add(id(node))
            if op.effect == "io":
                held.update(self.roots(node))
        own = set(map(id, nodes))
        for x in [id(x) for x in keep if type(x) is Node]:
            self.last[x] = len(nodes)
            if x in self.root:
                self.viewed[self.root[x]] = len(nodes)
        self.fresh -= held
        self.dying: dict[int, list[int]] = {}
        for x, i in self.last.items():
            if x in own and i < len(nodes):
                self.dying.setdefault(i, []).append(x)

    def uses(self, at: int, node: Node) -> None:
        """Note that a node uses its inputs."""
        last, root = self.last, self.root
        for x in node.inputs:
            if type(x) is Node:
                key = id(x)
                last[key] = at
                if key in root:
                    self.viewed[root[key]] = at

    def roots(self, node: Node) -> list[int]:
        """The values in whose buffers the inputs of a node lie."""
        return [self.root.get(id(x), id(x)) for x in node.inputs if type(x) is Node]

    def views(self, node: Node) -> None:
        """Note that the results of a node may lie in the buffer of its first input."""
        x = node.inputs[0] if node.inputs else None
        if type(x) is Node:
            for out in node.items or (node,):
                self.root[id(out)] = self.root.get(id(x), id(x))

    def ends(self, at: int) -> list[int]:
        """The values that are used for the last time by the node at that index, or made by it for nothing."""
        return self.dying.get(at, [])

    def overwritable(self, x: Node, node: Node, at: int) -> bool:
        """Whether the node at index `at` may put its result into the buffer of its input `x`."""
        key = id(x)
        return self.is_free(x, node, at) and not any(
            type(y) is Node and y is not x and self.root.get(id(y)) == key for y in node.inputs)

    def is_free(self, x: Node, node: Node, at: int) -> bool:
        """The same, if no other input of the node lies in that buffer."""
        key = id(x)
        if self.last[key] != at or key in self.root or key not in self.fresh or self.viewed.get(key, at) > at:
            return False
        return key not in self.owned or self.owned[key] == id(node)
