"""Proofs that indices are inside of their tensors, by sums of sizes and loop indices.

An access is inside if its index is at least 0 and less than the extent.  Both are sums over loop indices and sizes
as a rule; putting the bounds of the loops in place of their indices, the innermost first, leaves a sum over sizes.  If
that is certain, nothing is checked; if it is a statement on sizes, a call finds out; else the code checks each access.
"""
from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .tree import Block, Branch, Loop, Program, Store, Value
from .words import WORDS

Sum = dict[Any, Fraction]          # coefficients by value (size, index or anything else); those of 1 by None


def plus(x: Sum, y: Sum, times: Fraction | int = 1) -> Sum:
    """x + times * y."""
    found = dict(x)
    for k, c in y.items():
        found[k] = found.get(k, Fraction(0)) + times * c
    return {k: c for k, c in found.items() if c}


def summed(v: Value) -> Sum:
    """A whole number as a sum; what is no sum is its only term."""
    if v.word == "const":
        return {None: Fraction(v.attr)} if v.attr else {}
    if v.word in ("add", "sub"):
        return plus(summed(v.args[0]), summed(v.args[1]), 1 if v.word == "add" else -1)
    if v.word == "neg":
        return plus({}, summed(v.args[0]), -1)
    if v.word == "mul":
        x, y = summed(v.args[0]), summed(v.args[1])
        for a, b in ((x, y), (y, x)):
            if not a or set(a) == {None}:
                return plus({}, b, a.get(None, Fraction(0)))
    if v.word == "cast" and v.args[0].dtype == "int64" and v.dtype == "int64":
        return summed(v.args[0])
    if v.word == "size":
        return {v.attr: Fraction(1)}
    return {v: Fraction(1)}


def of_sizes(v: Value) -> bool:
    """Whether a value follows from sizes alone."""
    return v.word not in ("load", "param", "result") and all(map(of_sizes, v.args))


def evaluated(v: Value, known: dict[Any, int]) -> int:
    """What a value is that follows from sizes; `known` has those of the inputs by (tensor, axis)."""
    if v.word == "const":
        return v.attr
    if v.word == "size":
        return known[v.attr]
    return WORDS[v.word].numpy(*[evaluated(a, known) for a in v.args])


class Context:
    """What holds where an access stands: the loops around it, and conditions of branches.

    Attributes:
        loops: By index.
        facts: Sums that are at least 0.
    """

    def __init__(self, loops: dict[Value, Loop], facts: list[Sum]):
        self.loops, self.facts, self.depth = loops, facts, {v: k for k, v in enumerate(loops)}

    def inside(self, loop: Loop) -> Context:
        """The same in a loop."""
        return Context({**self.loops, loop.index: loop}, self.facts)

    def where(self, condition: Value, holds: bool) -> Context:
        """The same on one side of a branch."""
        return Context(self.loops, [*self.facts, *_facts(condition, holds)])

    def ends(self, v: Value, low: bool) -> list[Sum]:
        """Bounds of a value that is no sum, as sums: below it, or above it."""
        if v in self.loops:
            loop = self.loops[v]
            first, last = (loop.start, loop.stop) if loop.step > 0 else (loop.stop, loop.start)
            if low:
                return [plus(s, {None: Fraction(loop.step < 0)}) for s in self._options(first, "max")]
            return [plus(s, {None: Fraction(-(loop.step > 0))}) for s in self._options(last, "min")]
        if v.word in ("floordiv", "mod") and v.args[1].word == "const" and v.args[1].attr > 0:
            by = v.args[1].attr
            if v.word == "mod":
                return [{} if low else {None: Fraction(by - 1)}]
            less = Fraction(by - 1, by) if low else Fraction(0)
            return [plus({k: c / by for k, c in summed(v.args[0]).items()}, {None: less}, -1)]
        if v.word == ("min" if not low else "max"):
            return self._options(v, v.word)
        return []

    def _options(self, v: Value, word: str) -> list[Sum]:
        if v.word == word:
            return [s for a in v.args for s in self._options(a, word)]
        return [summed(v)]

    def extremes(self, total: Sum, low: bool, fuel: int = 12) -> Iterator[Sum]:
        """Sums over sizes alone that are below a sum, or above it."""
        inner = [k for k in total if isinstance(k, Value)]
        if all(map(of_sizes, inner)):
            yield total
        if not inner or not fuel:
            return
        # what is no loop index may hold one, so it goes first; then the innermost index
        v = max(inner, key=lambda k: self.depth.get(k, len(self.depth)))
        c = total[v]
        rest = {k: x for k, x in total.items() if k is not v}
        for end in self.ends(v, low == (c > 0)):
            yield from self.extremes(plus(rest, end, c), low, fuel - 1)

    def certain(self, total: Sum) -> Sum | None:
        """{} if a sum is at least 0; a sum over sizes that is so if it is; None if that is unknown."""
        best: Sum | None = None
        for known in ({}, *self.facts):
            for least in self.extremes(plus(total, known, -1), True):
                if all(c >= 0 and not isinstance(k, Value) for k, c in least.items()):
                    return {}
                best = best or (least if any(k is not None for k in least) else None)
        return best


def _facts(condition: Value, holds: bool) -> list[Sum]:
    if condition.word == "where" and condition.args[2 if holds else 1].word == "const":
        constant = condition.args[2 if holds else 1].attr
        if constant != holds:              # `a and b` that holds, or `a or b` that does not
            return [*_facts(condition.args[0], holds), *_facts(condition.args[1 if holds else 2], holds)]
    if condition.word not in ("lt", "le", "gt", "ge", "eq") or condition.args[0].dtype != "int64":
        return []
    x, y = map(summed, condition.args)
    word = condition.word if holds else {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": ""}[condition.word]
    one = {None: Fraction(-1)}
    return {"lt": [plus(plus(y, x, -1), one)], "le": [plus(y, x, -1)], "gt": [plus(plus(x, y, -1), one)],
            "ge": [plus(x, y, -1)], "eq": [plus(x, y, -1), plus(y, x, -1)]}.get(word, [])


class Checks:
    """Which accesses of a program must be checked.

    Attributes:
        axes: The axes to check, by access; an access that is not there is inside.
        needs: Sums over sizes that must be at least 0 for this to hold.
    """

    def __init__(self, program: Program, trusting: bool):
        self.axes: dict[Any, list[int]] = {}
        self.needs: list[Sum] = []
        self.trusting = trusting
        self.visit(program.body, Context({}, []))

    def visit(self, block: Block, context: Context) -> None:
        """All accesses of a block."""
        for op in block.ops:
            if isinstance(op, Store) or (isinstance(op, Value) and op.word == "load"):
                self.access(op, context)
            elif isinstance(op, Loop):
                self.visit(op.body, context.inside(op))
            elif isinstance(op, Branch):
                self.visit(op.then, context.where(op.condition, True))
                self.visit(op.orelse, context.where(op.condition, False))

    def access(self, op: Any, context: Context) -> None:
        """One access."""
        for axis, (index, extent) in enumerate(zip(op.args, op.attr.shape, strict=True)):
            at = summed(index)
            below = plus(plus(summed(extent), at, -1), {None: Fraction(-1)})
            found = [context.certain(total) for total in (at, below)]
            if any(f is None for f in found) or (any(found) and not self.trusting):
                self.axes.setdefault(op, []).append(axis)
            else:
                self.needs += [f for f in found if f and f not in self.needs]


def holds(needs: list[Sum], known: dict[Any, int]) -> bool:
    """Whether sums over sizes are at least 0 for the sizes of a call."""
    def size(k: Any) -> Any:
        return 1 if k is None else evaluated(k, known) if isinstance(k, Value) else known[k]
    return all(sum(c * size(k) for k, c in total.items()) >= 0 for total in needs)
