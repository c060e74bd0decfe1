"""The best choices of many decisions whose costs are tables of one of them and of two: exact, with little work.

Choices that another choice of the same decision beats, whatever the others do, go first.  Then one decision after the
other is eliminated: the tables that hold it are added up, and the least entry over it is kept for each choice of its
neighbours; going back gives the choices.  The order takes the smallest table next, and of equal ones that which has
been made from the fewest, so that the layers of a network are gone through side by side: what has been done for one of
them is found again for the others.

Where a table would be too large, what small tables leave is bounded from below (`relaxation`), and the choices that no
good solution can have go, until the rest can be eliminated.
"""
from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .dominance import Beaten
from .relaxation import Relaxed

LARGEST = 1 << 22              # entries of a table that is gone through,
SMALL = 1 << 14                # and of those that are gone through before what is left is bounded
TURNS, NEAR = 24, 2e-3         # of looking for the price of a byte, and when it is good enough


class TooWide(Exception):
    """A table would have more entries than may be gone through."""


class _Table(NamedTuple):
    scope: tuple[int, ...]
    entries: np.ndarray


class Problem:
    """Decisions, and tables of what they cost; equal tables should be one array, which is known again then."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.tables: list[tuple[tuple[int, ...], np.ndarray]] = []
        self.bytes: dict[int, np.ndarray] = {}          # by decision what its choices hold

    def decision(self, costs: Any) -> int:
        """A new decision among so many choices, with their own costs."""
        self.sizes.append(len(costs))
        self.tables.append(((len(self.sizes) - 1,), np.asarray(costs, np.float64)))
        return len(self.sizes) - 1

    def alone(self, a: int, costs: Any) -> None:
        """What a decision costs in addition."""
        self.tables.append(((a,), np.asarray(costs, np.float64)))

    def between(self, a: int, b: int, costs: Any) -> None:
        """What two decisions cost together: a row for each choice of `a`."""
        self.tables.append(((a, b), np.asarray(costs, np.float64)))

    def hold(self, a: int, bytes_: Any) -> None:
        """The bytes that the choices of a decision hold."""
        self.bytes[a] = self.bytes[a] + bytes_ if a in self.bytes else np.asarray(bytes_, np.float64)

    def solved(self, weight: float = 0.0) -> tuple[list[int], float]:
        """Good choices of all decisions, and what no choices cost less than: the best ones and their cost, mostly.

        Args:
            weight: What a byte that is held costs in addition.
        """
        priced: dict[int, np.ndarray] = {}
        held: list[tuple[tuple[int, ...], np.ndarray]] = []
        for d, b in self.bytes.items() if weight else ():
            if id(b) not in priced:
                priced[id(b)] = b * weight
            held.append(((d,), priced[id(b)]))
        return _solved(self.sizes, [*self.tables, *held])

    def budgeted(self, most: float) -> tuple[list[int], float] | None:
        """The same where no more bytes are held than that; None if no such choices are found.

        The price of a byte is looked for at which the best choices hold just so many (Lagrange).
        """
        best: list[int] | None = None
        price, low, high, bound = 0.0, 0.0, math.inf, -math.inf
        for _ in range(TURNS):
            found, total = self.solved(price)
            bound = max(bound, total - price * most)
            if self.held(found) <= most:
                high = price
                best = found if best is None or self.cost(found) < self.cost(best) else best
                if not price or self.cost(best) - bound <= NEAR * abs(bound):
                    break
            else:
                low = price
            price = (low + high) / 2 if high < math.inf else 16 * price or max(total, 1e-9) / most * 1e-3
        return None if best is None else (best, bound)

    def held(self, chosen: Sequence[int]) -> float:
        """The bytes that are held for choices."""
        return float(sum([b[chosen[d]] for d, b in self.bytes.items()]))

    def cost(self, chosen: Sequence[int]) -> float:
        """The sum of all tables for choices."""
        return float(sum([table[tuple([chosen[d] for d in scope])] for scope, table in self.tables]))


_Tables = Sequence[tuple[tuple[int, ...], np.ndarray]]


def _solved(sizes: Sequence[int], given: _Tables) -> tuple[list[int], float]:
    """Without the choices that others beat."""
    kept = Beaten(sizes, given).kept()
    tables = _cut(given, kept)
    try:
        rest = _Elimination([len(k) for k in kept], tables, LARGEST)
        found, bound = rest.ended([0] * len(sizes)), rest.total
    except TooWide:
        found, bound = _narrowed([len(k) for k in kept], tables)
    return [int(kept[d][k]) for d, k in enumerate(found)], bound


def _narrowed(sizes: Sequence[int], tables: _Tables) -> tuple[list[int], float]:
    """Where too large tables would be made otherwise."""
    some = _Elimination(sizes, tables, min(SMALL, LARGEST), stop=True)
    core = Relaxed(sizes, some.left, [(t.scope, t.entries) for t in some.tables.values()])
    for _ in core.improved():
        kept = core.promising()
        if kept is None:                        # nothing is better than the best that is known
            break
        try:
            rest = _Elimination([len(k) for k in kept], _cut(core.given, kept), LARGEST)
        except TooWide:
            continue
        found = [int(kept[d][k]) for d, k in enumerate(rest.ended([0] * len(sizes)))]
        return some.ended(found), some.total + rest.total
    return some.ended(core.best), some.total + core.bound


def _cut(given: _Tables, kept: Sequence[np.ndarray]) -> list[tuple[tuple[int, ...], np.ndarray]]:
    """Tables of the choices that are kept."""
    cut: dict[Any, np.ndarray] = {}
    tables: list[tuple[tuple[int, ...], np.ndarray]] = []
    for scope, table in given:
        key = id(table), *[kept[d].tobytes() for d in scope]
        if key not in cut:
            cut[key] = table[np.ix_(*[kept[d] for d in scope])]
        tables.append((scope, cut[key]))
    return tables


class _Elimination:
    """One decision after the other.

    Attributes:
        total: What is certain to be paid: with nothing left, the least cost.
        left: The decisions that are left, where it stopped before a table with more entries than `most`.
        tables: The tables that hold them.

    Raises:
        TooWide: Such a table is needed, and it is not to stop.
    """

    def __init__(self, sizes: Sequence[int], tables: _Tables, most: int, stop: bool = False):
        self.sizes, self.total, self.count = sizes, 0.0, 0
        self.tables: dict[int, _Table] = {}
        self.holding: list[set[int]] = [set() for _ in sizes]
        self.made: dict[Any, tuple[np.ndarray, np.ndarray, list[np.ndarray]]] = {}
        self.undo: list[tuple[int, list[int], np.ndarray]] = []
        shaped: dict[Any, np.ndarray] = {}
        for scope, table in tables:                     # without the decisions that have one choice only
            open_ = tuple([d for d in scope if sizes[d] > 1])
            shape = tuple([sizes[d] for d in open_])
            self._put(_Table(open_, table if shape == table.shape else
                             shaped.setdefault((id(table), shape), table.reshape(shape))))
        order, self.left = self._order(most)
        if self.left and not stop:
            raise TooWide
        for d in order:
            self._eliminate(d)

    def _put(self, table: _Table) -> None:
        if not table.scope:
            self.total += float(table.entries)
            return
        self.count += 1
        self.tables[self.count] = table
        for d in table.scope:
            self.holding[d].add(self.count)

    def _order(self, most: int) -> tuple[list[int], list[int]]:
        """The decisions in the order of their tables, and those that are left before one that is too large."""
        near = [{e for k in holding for e in self.tables[k].scope} - {d} for d, holding in enumerate(self.holding)]
        depth = [0] * len(near)

        def width(d: int) -> int:
            return self.sizes[d] * math.prod([self.sizes[a] for a in near[d]])
        size = {d: width(d) for d, n in enumerate(self.sizes) if n > 1}
        line = [(n, 0, d) for d, n in size.items()]
        heapq.heapify(line)
        order: list[int] = []
        while size:
            n, deep, d = heapq.heappop(line)
            if n != size.get(d) or deep != depth[d]:            # its table has another size by now
                continue
            if n > most:
                break
            del size[d]
            order.append(d)
            for a in sorted(near[d]):
                near[a] = (near[a] | near[d]) - {a, d}
                depth[a], size[a] = max(depth[a], deep + 1), width(a)
                heapq.heappush(line, (size[a], depth[a], a))
        return order, sorted(size)

    def _eliminate(self, d: int) -> None:
        """Put a table without a decision in place of all that hold it."""
        tables = [self.tables.pop(k) for k in sorted(self.holding[d])]
        around = sorted({a for t in tables for a in t.scope} - {d})
        for a in around:
            self.holding[a] -= self.holding[d]
        scope = [*around, d]
        place = {a: k for k, a in enumerate(scope)}
        key = tuple([self.sizes[a] for a in scope]), tuple(
            sorted([(id(t.entries), tuple([place[a] for a in t.scope])) for t in tables]))
        if key not in self.made:
            self.made[key] = *_least(scope, key[0], tables), [t.entries for t in tables]
        rest, best, _ = self.made[key]
        self.undo.append((d, around, best))
        self._put(_Table(tuple(around), rest))

    def ended(self, chosen: Sequence[int]) -> list[int]:
        """The best choices, where those of the decisions that are left are given."""
        found = list(chosen)
        for d, around, best in reversed(self.undo):
            found[d] = int(best[tuple([found[a] for a in around])])
        return found


def _least(scope: Sequence[int], shape: tuple[int, ...], tables: Sequence[_Table]) -> tuple[np.ndarray, np.ndarray]:
    """The least sums of tables over the last decision of a scope, and where they are."""
    whole = np.zeros(shape)
    for t in tables:
        whole += _fitted(t.scope, t.entries, scope)
    return whole.min(-1), whole.argmin(-1).astype(np.int16)


def _fitted(scope: tuple[int, ...], table: np.ndarray, wanted: Sequence[int]) -> np.ndarray:
    """A table with an axis for each of the wanted decisions, of extent 1 where it does not hold it."""
    order = sorted(range(len(scope)), key=lambda k: wanted.index(scope[k]))
    shape = iter(table.transpose(order).shape)
    return table.transpose(order).reshape([next(shape) if d in scope else 1 for d in wanted])
