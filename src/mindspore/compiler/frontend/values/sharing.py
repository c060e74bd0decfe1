"""Which of the tensors that a loop carries are one tensor, may be one, or may share memory.

Names that hold one tensor before the loop and at the end of every pass share a *slot*, which is one
parameter of the loop.  Names of which that is not known get parameters of their own; what these may
be is learned from pass to pass and holds for all passes.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.compiler.frontend.objects import aliasing
from mindspore.compiler.frontend.objects.state import as_node
from mindspore.ir import Node, param
from mindspore.ir.user_tensor import near, note_views

Leaf = tuple[Any, int]           # a carried thing by its key, and the place of one leaf in it


class Sharing:
    """What is known of the tensors of one loop.

    Attributes:
        groups: Leaves that began as one tensor and parted in a pass: with whom they stayed together.
        same: Pairs of leaves that may be one tensor in some pass.
        near: Pairs of leaves that may share memory.
        outer: For each leaf the tensors around the loop that it may be, and those whose memory it may share.
    """

    def __init__(self) -> None:
        self.groups: dict[Leaf, tuple[int, ...]] = {}
        self.same: set[tuple[Leaf, Leaf]] = set()
        self.near: set[tuple[Leaf, Leaf]] = set()
        self.outer: dict[Leaf, tuple[dict[int, Node], dict[int, Node]]] = {}

    def slots(self, carried: list[Any]) -> list[Slot]:
        """The slots of what is carried, in the order of the loop's parameters."""
        found: dict[Any, Slot] = {}
        for c in carried:
            for i, start in enumerate(c.leaves()):
                own, leaf = aliasing.identity(start), (c.key, i)
                key = (id(own), self.groups.get(leaf, ())) if c.named and type(own) is Node else leaf
                found.setdefault(key, Slot(start, c.named)).leaves.append(leaf)
        return list(found.values())

    def enter(self, slots: list[Slot], block: list[Node]) -> dict[Leaf, Node]:
        """A parameter for each slot; which leaf begins a pass as which of them."""
        made: dict[Leaf, Node] = {}
        for slot in slots:
            slot.param = param(as_node(slot.start).aval)
            slot.param.block = id(block)
            made |= dict.fromkeys(slot.leaves, slot.param)
        for slot in slots:
            if slot.named:
                same, shared = self.around(slot)
                aliasing.note_merged(slot.param, [slot.start, *same])
                note_views(shared, slot.param)
        for pairs, note in ((self.same, self.merge), (self.near, aliasing.note_near)):
            for a, b in pairs:
                if a in made and b in made and made[a] is not made[b]:
                    note(made[a], made[b])
        return made

    @staticmethod
    def merge(a: Node, b: Node) -> None:
        """Note that two tensors may be one."""
        aliasing.note_merged(a, [b])
        aliasing.note_merged(b, [a])

    def around(self, slot: Slot) -> tuple[list[Node], list[Node]]:
        """The tensors outside that a slot may be, and those whose memory it may share."""
        same: dict[int, Node] = {}
        near: dict[int, Node] = {}
        for leaf in slot.leaves:
            known = self.outer.get(leaf, ({}, {}))
            same |= known[0]
            near |= known[1]
        return list(same.values()), list(near.values())

    def learn(self, slots: list[Slot], ends: dict[Leaf, Any]) -> tuple[bool, bool]:
        """Take in what the leaves are at the end of a pass: whether slots part, and whether there is more to know."""
        parted = False
        for slot in slots:
            if not slot.named:
                continue
            found = [aliasing.identity(ends[leaf]) for leaf in slot.leaves]
            aliasing.note_merged(slot.param, found)
            places = list(dict.fromkeys(map(id, found)))
            if len(places) > 1:
                parted = True
                for leaf, end in zip(slot.leaves, found, strict=True):
                    self.groups[leaf] = (*self.groups.get(leaf, ()), places.index(id(end)))
        return parted, self.relate([s for s in slots if s.named], ends)

    def relate(self, slots: list[Slot], ends: dict[Leaf, Any]) -> bool:
        """Note which slots may be one tensor, or share memory; whether that is new."""
        nodes = [(s, aliasing.identity(ends[s.leaves[0]])) for s in slots]
        nodes = [(s, n) for s, n in nodes if type(n) is Node]
        found = [(s.leaves[0], aliasing.origins(n), {id(other): other for other in near(n)}) for s, n in nodes]
        before = self.size()
        for k, (leaf, same, shared) in enumerate(found):
            known = self.outer.setdefault(leaf, ({}, {}))
            for into, nodes_ in zip(known, (same, shared), strict=True):
                into.update({i: n for i, n in nodes_.items() if aliasing.is_open(n)})
            for other, same_, shared_ in found[:k]:
                if same.keys() & same_.keys():
                    self.same.add((other, leaf))
                elif shared.keys() & shared_.keys():
                    self.near.add((other, leaf))
        return self.size() > before

    def size(self) -> int:
        """How much is known."""
        return len(self.same) + len(self.near) + sum([len(a) + len(b) for a, b in self.outer.values()])

    @staticmethod
    def leave(slots: list[Slot], outs: Sequence[Node], ends: dict[Leaf, Any]) -> dict[Leaf, Node]:
        """What the leaves are after the loop."""
        made: dict[Leaf, Node] = {}
        for slot, out in zip(slots, outs, strict=True):
            made |= dict.fromkeys(slot.leaves, out)
            if slot.named:
                aliasing.note_merged(out, [slot.start, ends[slot.leaves[0]]])
        return made


class Slot:
    """Carried leaves that are one tensor in every pass, with what they are before the loop.

    Attributes:
        param: What represents them in the body, once a pass has begun.
    """

    param: Node

    def __init__(self, start: Any, named: bool):
        self.start, self.named = start, named
        self.leaves: list[Leaf] = []
