"""Which iterations of a loop do not touch one another's elements, and which loads see a tensor's last value."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

from .bounds import Sum, plus, summed
from .tree import Block, Branch, Loop, Store, Tensor, Value, accesses, blocks_of, operands, walk


def inside_of(loop: Loop) -> set[Value]:
    """The values that may differ between iterations."""
    found: set[Value] = {loop.index, *loop.params}
    for op in walk(loop.body):
        if isinstance(op, Value):
            found.add(op)
        elif isinstance(op, Loop):
            found |= {op.index, *op.params, *op.results}
        elif isinstance(op, Branch):
            found |= set(op.results)
    return found


def fixed(total: Sum, varying: set[Value]) -> bool:
    """Whether a sum is the same in all iterations."""
    return not any(isinstance(k, Value) and k in varying for k in total)


def partitioned(loop: Loop, ops: list[Any], varying: set[Value]) -> bool:
    """Whether the accesses of each iteration touch elements of that iteration only.

    Some axis has the index c * i + k in all of them, where the distances of the k are less than |c * step|.
    """
    for axis in range(len(ops[0].args)):
        sums = [summed(op.args[axis]) for op in ops]
        factor = sums[0].get(loop.index, Fraction(0))
        rests = [plus(s, {loop.index: s.get(loop.index, Fraction(0))}, -1) for s in sums]
        if not factor or any(s.get(loop.index) != factor for s in sums) or not fixed(rests[0], varying):
            continue
        gaps = [plus(r, rests[0], -1) for r in rests]
        if any(set(g) - {None} for g in gaps):
            continue
        offsets = [g.get(None, Fraction(0)) for g in gaps]
        if max(offsets) - min(offsets) < abs(factor * loop.step):
            return True
    return False


def summing(loop: Loop, k: int) -> Value | None:
    """What is added to a carried scalar in each iteration, if that is all that happens to it."""
    end, param = loop.body.yields[k], loop.params[k]
    if end.word != "add" or param not in end.args or end.args[0] is end.args[1]:
        return None
    uses = sum(operands(op).count(param) for op in walk(loop.body))
    yields = sum(b.yields.count(param) for b in _blocks(loop.body))
    used = sum(operands(op).count(end) for op in walk(loop.body)) + loop.body.yields.count(end)
    if uses != 1 or yields or used != 1 or not any(op is end for op in loop.body.ops):
        return None
    return end.args[1] if end.args[0] is param else end.args[0]


def _blocks(block: Block) -> list[Block]:
    return [block, *[b for op in walk(block) for b in blocks_of(op)]]


def commutes(loop: Loop, adding: bool = True) -> bool:
    """Whether the order of the iterations changes nothing but rounding (nothing at all, if `adding` is off)."""
    if not all(summing(loop, k) is not None or loop.body.yields[k] is loop.params[k] for k in range(len(loop.params))):
        return False
    if not adding and loop.params:
        return False
    varying = inside_of(loop)
    for tensor in {op.tensor: None for op in walk(loop.body) if isinstance(op, Store)}:
        ops = accesses(loop.body, tensor)
        if adding and all(isinstance(op, Store) and op.add for op in ops):
            continue
        if not partitioned(loop, ops, varying):
            return False
    return True


# ---------------------------------------------------------------------- what a load sees

class Places:
    """Where everything stands in a program: for each operation the blocks around it, and its number in each."""

    def __init__(self, body: Block):
        self.path: dict[Any, list[tuple[Any, int]]] = {}
        self._note(body, [], None)

    def _note(self, block: Block, path: list[tuple[Any, int]], owner: Any) -> None:
        for k, op in enumerate(block.ops):
            here = [*path, ((block, owner), k)]
            self.path[op] = here
            for inner in blocks_of(op):
                self._note(inner, here, op)

    def loops(self, op: Any) -> list[Loop]:
        """The loops around an operation, outermost first."""
        return [owner for (_, owner), _ in self.path[op] if isinstance(owner, Loop)]


def last_value(load: Value, stores: list[Store], places: Places) -> bool:
    """Whether a load surely sees what the element holds at the end."""
    return all(_before(store, load, places) for store in stores)


def _before(store: Store, load: Any, places: Places) -> bool:
    """Whether a store never changes an element after the load has read it."""
    for ((block, owner), k), ((other, _), j) in zip(places.path[store], places.path[load], strict=False):
        if block is not other:
            return False                      # two sides of a branch in a loop that was passed: see below
        if isinstance(owner, Loop):
            order = _along(owner, store, load)
            if order is not None and order != 0:
                return order > 0
            if order is None:
                return False
        if k != j:
            return k < j
    return False


def _along(loop: Loop, store: Store, load: Any) -> int | None:
    """1 if a load reads what an earlier iteration stored, 0 the same, -1 a later one; None if that is unknown."""
    varying = inside_of(loop)
    for x, y in zip(store.args, load.args, strict=True):
        s, t = summed(x), summed(y)
        factor = s.get(loop.index, Fraction(0))
        gap = plus(s, t, -1)
        mine = plus(s, {loop.index: factor}, -1)
        if factor and t.get(loop.index) == factor and not set(gap) - {None} and fixed(mine, varying):
            distance = gap.get(None, Fraction(0)) / (factor * loop.step)
            return (distance > 0) - (distance < 0)
    return None


def once(store: Store, places: Places) -> bool:
    """Whether a store surely sets each element at most once."""
    sums = [summed(i) for i in store.indices]
    for loop in places.loops(store):
        varying = inside_of(loop)
        if not any(s.get(loop.index) and fixed(plus(s, {loop.index: s[loop.index]}, -1), varying) for s in sums):
            return False
    return True


def filling(store: Store, others: list[Any], places: Places) -> bool:
    """Whether a store surely sets every element of its tensor, each once and before anything else touches it."""
    loops = places.loops(store)
    if len(loops) != len(store.indices) or any(isinstance(owner, Branch) for (_, owner), _ in places.path[store]):
        return False
    for index, extent in zip(store.indices, store.tensor.shape, strict=True):
        loop = next((loop for loop in loops if loop.index is index), None)
        if loop is None or loop.step != 1 or summed(loop.start) or summed(loop.stop) != summed(extent):
            return False
        loops = [other for other in loops if other.index is not index]
    return not loops and all(_before(store, other, places) for other in others)


def alone(tensor: Tensor, body: Block) -> Store | None:
    """The only access to a tensor, if that is a store."""
    ops = accesses(body, tensor)
    return ops[0] if len(ops) == 1 and isinstance(ops[0], Store) else None
