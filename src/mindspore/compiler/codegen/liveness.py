"""Which values die where, and which buffers may be overwritten."""
from __future__ import annotations

from typing import Any

from mindspore.compiler.ir import Flow, Node


class Lives:
    """Last uses in a block.

    A value whose operator may return a view shares the buffer of its first input: the buffer is free
    only when nobody needs any value on it.  Overwritten are only buffers that an operator of this
    block made, and that nothing holds on to (control flow, packed residuals, operators with
    effects); and the old value of a parameter, by the very node that replaces it (`owned` maps the
    one to the other, by id).
    """

    def __init__(self, nodes: list[Node], keep: list[Any], owned: dict[int, int]):
        self.owned = owned
        self.root: dict[int, int] = {}           # value -> the value whose buffer it lies in
        self.last: dict[int, int] = {}           # value -> index of its last use
        self.buffer: dict[int, int] = {}         # root -> index of the last use of its buffer
        self.fresh: set[int] = set(owned)        # roots that may be overwritten
        own: set[int] = set()
        held: set[int] = set()
        for i, node in enumerate(nodes):
            own.add(id(node))
            flow = isinstance(node.op, Flow)
            for x in node.inputs:
                if type(x) is Node:
                    self.last[id(x)] = i
                    root = self.root.get(id(x), id(x))
                    self.buffer[root] = i
                    if (flow and node.op.name != "item") or node.op.effect == "io":
                        held.add(root)
            if flow:
                continue
            if node.op.alias:
                x = node.inputs[0] if node.inputs else None
                if type(x) is Node:
                    for out in node.items or (node,):
                        self.root[id(out)] = self.root.get(id(x), id(x))
            else:
                self.fresh.update([id(out) for out in node.items or (node,)])
        kept = {id(x) for x in keep if type(x) is Node}
        for x in kept:
            self.last[x] = self.buffer[self.root.get(x, x)] = len(nodes)
        self.fresh -= held
        self.dying: dict[int, list[int]] = {}
        for x, i in self.last.items():
            if x in own and x not in kept and i < len(nodes):
                self.dying.setdefault(i, []).append(x)

    def ends(self, at: int) -> list[int]:
        """The values that are used for the last time by the node at that index."""
        return self.dying.get(at, [])

    def overwritable(self, x: Node, node: Node, at: int) -> bool:
        """Whether the node at index `at` may put its result into the buffer of its input `x`."""
        if id(x) in self.root or id(x) not in self.fresh or self.buffer.get(id(x)) != at:
            return False
        if id(x) in self.owned and self.owned[id(x)] != id(node):
            return False
        return not any(type(y) is Node and y is not x and self.root.get(id(y)) == id(x)
                       for y in node.inputs)
