"""The best choices of many decisions whose costs are tables of one of them and of two: exact, with little work.

Choices that another choice of the same decision beats, whatever the others do, go first.  Then one decision after the
other is eliminated: the tables that hold it are added up, and the least entry over it is kept for each choice of its
neighbours; going back gives the choices.  The order takes the smallest table next, and of equal ones that which has
been made from the fewest, so that the layers of a network are gone through side by side: what has been done for one of
them is found again for the others.
"""
from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

LARGEST = 1 << 27              # entries of a table that is gone through,
ONCE = 1 << 21                 # of one that is made as a whole,
PART = 1 << 25                 # and of one where tables are made in parts, to get a bound
TURNS, NEAR = 24, 2e-3         # of looking for the price of a byte, and when it is good enough
ROUNDS = 4                     # of looking for choices that others beat


class TooWide(Exception):
    """A table would have more than `LARGEST` entries."""


class _Table(NamedTuple):
    scope: tuple[int, ...]
    entries: np.ndarray
    depth: int = 0


_Left = tuple[list[int], np.ndarray, list[_Table]]      # the neighbours, the best choice for each of theirs, the tables


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

    def solved(self, weight: float = 0.0, *, split: bool = False) -> tuple[list[int], float]:
        """The best choice of every decision, and the sum of all tables for it.

        Args:
            weight: What a byte that is held costs in addition.
            split: Whether tables that would be too large are made in parts, each with the best choice for itself: then
                the sum is a bound only that no choices are below, and the choices are good ones.

        Raises:
            TooWide: A table would be too large.
        """
        priced: dict[int, np.ndarray] = {}
        held: list[tuple[tuple[int, ...], np.ndarray]] = []
        for d, b in self.bytes.items() if weight else ():
            if id(b) not in priced:
                priced[id(b)] = b * weight
            held.append(((d,), priced[id(b)]))
        return _solved(self.sizes, [*self.tables, *held], split)

    def budgeted(self, most: float, *, split: bool = False) -> tuple[list[int], float] | None:
        """The same where no more bytes are held than that, and a bound; None if no such choices are found.

        The price of a byte is looked for at which the best choices hold just so many (Lagrange).
        """
        best: list[int] | None = None
        price, low, high, bound = 0.0, 0.0, math.inf, -math.inf
        for _ in range(TURNS):
            found, total = self.solved(price, split=split)
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


def _solved(all_sizes: Sequence[int], given: Sequence[tuple[tuple[int, ...], np.ndarray]],
            split: bool) -> tuple[list[int], float]:
    """Without the choices that others beat."""
    kept = _Beaten(all_sizes, given).kept()
    sizes = [len(k) for k in kept]
    cut: dict[Any, np.ndarray] = {}
    tables: list[tuple[tuple[int, ...], np.ndarray]] = []
    for scope, table in given:
        key = id(table), *[kept[d].tobytes() for d in scope]
        if key not in cut:
            cut[key] = table[np.ix_(*[kept[d] for d in scope])]
        tables.append((scope, cut[key]))
    found, total = _Elimination(sizes, tables, split).done()
    return [int(kept[d][k]) for d, k in enumerate(found)], total


class _Beaten:
    """Looks for choices that another one beats (dead ends; Goldstein 1994)."""

    def __init__(self, sizes: Sequence[int], tables: Sequence[tuple[tuple[int, ...], np.ndarray]]):
        self.tables = tables
        self.left = [np.arange(n) for n in sizes]
        self.holding: list[list[int]] = [[] for _ in sizes]
        for k, (scope, _) in enumerate(tables):
            for d in scope:
                self.holding[d].append(k)
        self.known: dict[Any, np.ndarray] = {}
        self.worse: dict[Any, np.ndarray] = {}

    def kept(self) -> list[np.ndarray]:
        """The choices of each decision that are left."""
        line = [d for d, k in enumerate(self.left) if len(k) > 1]
        for _ in range(ROUNDS):
            changed = [d for d in line if self._shortened(d)]
            near = {e for d in changed for k in self.holding[d] for e in self.tables[k][0]}
            line = [d for d in sorted(near) if len(self.left[d]) > 1]
            if not line:
                break
        return self.left

    def _shortened(self, d: int) -> bool:
        parts: list[Any] = []
        for k in self.holding[d]:
            scope, table = self.tables[k]
            other = next((e for e in scope if e != d), None)
            parts.append((id(table), scope[0] == d, None if other is None else self.left[other].tobytes(), k, other))
        mine = self.left[d]
        key = mine.tobytes(), *sorted([p[:3] for p in parts], key=repr)
        if key not in self.known:
            worse = np.zeros((len(mine), len(mine)))          # how much more row a costs than column b, at most
            for *name, k, other in parts:
                worse += self._difference((mine.tobytes(), *name), k, d, other)
            self.known[key] = mine[_undominated(worse)]
        self.left[d] = self.known[key]
        return len(self.left[d]) < len(mine)

    def _difference(self, name: Any, k: int, d: int, other: int | None) -> np.ndarray:
        """For choices a and b of a decision the most that a costs more than b by one table."""
        if name not in self.worse:
            scope, table = self.tables[k]
            rows = table[:, None] if other is None else table if scope[0] == d else table.T
            rows = rows[self.left[d]] if other is None else rows[np.ix_(self.left[d], self.left[other])]
            self.worse[name] = np.stack([(row - rows).max(-1) for row in rows])
        return self.worse[name]


def _undominated(worse: np.ndarray) -> np.ndarray:
    """The places of choices that no other one beats; of those that beat each other the first stays."""
    n = len(worse)
    beats = worse <= 0                                        # row a is never worse than column b
    np.fill_diagonal(beats, False)
    mutual = beats & beats.T
    order = np.arange(n)
    beats &= ~mutual | (order[:, None] < order[None, :])
    return np.flatnonzero(~beats.any(0))


class _Elimination:
    """One decision after the other."""

    def __init__(self, sizes: Sequence[int], tables: Sequence[tuple[tuple[int, ...], np.ndarray]], split: bool):
        self.sizes, self.total, self.split = sizes, 0.0, split
        self.tables: dict[int, _Table] = {}
        self.holding: list[set[int]] = [set() for _ in sizes]
        self.near: list[set[int]] = [set() for _ in sizes]
        self.depth = [0] * len(sizes)
        self.made: dict[Any, tuple[np.ndarray, np.ndarray, list[np.ndarray]]] = {}
        self.shaped: dict[Any, np.ndarray] = {}
        for scope, table in tables:
            self._put(scope, table)
        self.count = len(self.tables)

    def _put(self, scope: Sequence[int], table: np.ndarray) -> None:
        """Take a table in, without the decisions that have one choice only."""
        open_ = tuple([d for d in scope if self.sizes[d] > 1])
        if not open_:
            self.total += float(table.sum())
            return
        shape = tuple([self.sizes[d] for d in open_])
        if shape != table.shape:
            key = id(table), shape
            table = self.shaped.setdefault(key, table.reshape(shape))
        self._add(len(self.tables), _Table(open_, table))

    def _add(self, k: int, table: _Table) -> None:
        self.tables[k] = table
        for d in table.scope:
            self.holding[d].add(k)
            self.near[d] |= set(table.scope) - {d}
            self.depth[d] = max(self.depth[d], table.depth)

    def done(self) -> tuple[list[int], float]:
        """The best choices, and their cost."""
        left = {d for d, n in enumerate(self.sizes) if n > 1}
        size = {d: self._width(d) for d in left}
        line = [(n, self.depth[d], d) for d, n in size.items()]
        heapq.heapify(line)
        undo: list[tuple[int, list[_Left]]] = []
        while left:
            n, depth, d = heapq.heappop(line)
            if d not in left or n != size[d] or depth != self.depth[d]:      # its table has another size by now
                continue
            if n > LARGEST and not self.split:
                raise TooWide
            left.discard(d)
            around = sorted(self.near[d])
            undo.append((d, self._eliminated(d)))
            for a in around:
                self.holding[a] &= self.tables.keys()
                self.near[a] = {e for k in self.holding[a] for e in self.tables[k].scope} - {a}
                size[a] = self._width(a)
                heapq.heappush(line, (size[a], self.depth[a], a))
        found = [0] * len(self.sizes)
        for d, parts in reversed(undo):
            if len(parts) == 1:
                around, best, _ = parts[0]
                found[d] = int(best[tuple([found[a] for a in around])])
            else:
                found[d] = int(np.sum([t.entries[tuple([slice(None) if a == d else found[a] for a in t.scope])]
                                       for _, _, tables in parts for t in tables], axis=0).argmin())
        return found, self.total

    def _eliminated(self, d: int) -> list[_Left]:
        """Put tables without a decision in place of all that hold it; how to choose it later."""
        made: list[_Left] = []
        for tables in self._parts(d, [self.tables.pop(k) for k in sorted(self.holding[d])]):
            around = sorted({a for t in tables for a in t.scope} - {d})
            scope = [*around, d]
            place = {a: k for k, a in enumerate(scope)}
            key = tuple([self.sizes[a] for a in scope]), tuple(
                sorted([(id(t.entries), tuple([place[a] for a in t.scope])) for t in tables]))
            if key not in self.made:
                self.made[key] = *_least(scope, key[0], tables), [t.entries for t in tables]
            rest, best, _ = self.made[key]
            depth = 1 + max([t.depth for t in tables])
            made.append((around, best, tables if self.split else []))
            if around:
                self.count += 1
                self._add(self.count + 1, _Table(tuple(around), rest, depth))
            else:
                self.total += float(rest)
        return made

    def _parts(self, d: int, tables: list[_Table]) -> list[list[_Table]]:
        """The tables, in parts whose sums are not too large."""
        parts: list[tuple[set[int], list[_Table]]] = []
        for t in sorted(tables, key=lambda t: -len(t.scope)) if self.split else tables:
            fit = next((p for p in parts if not self.split or math.prod(
                [self.sizes[a] for a in {*p[0], *t.scope}]) <= min(PART, LARGEST)), None)
            if fit is None:
                fit = set[int](), list[_Table]()
                parts.append(fit)
            fit[0].update(t.scope)
            fit[1].append(t)
        return [line for _, line in parts]

    def _width(self, d: int) -> int:
        return self.sizes[d] * math.prod([self.sizes[a] for a in self.near[d]])


def _least(scope: Sequence[int], shape: tuple[int, ...], tables: Sequence[_Table]) -> tuple[np.ndarray, np.ndarray]:
    """The least sums of tables over the last decision of a scope, and where they are; large ones bit by bit."""
    if math.prod(shape) > ONCE and len(scope) > 1:
        lines = [_least(scope[1:], shape[1:], [_Table(tuple([a for a in t.scope if a != scope[0]]), t.entries.take(
            k, t.scope.index(scope[0]))) if scope[0] in t.scope else t for t in tables]) for k in range(shape[0])]
        return np.stack([rest for rest, _ in lines]), np.stack([best for _, best in lines])
    whole = np.zeros(shape)
    for t in tables:
        whole += _fitted(t.scope, t.entries, scope)
    return whole.min(-1), whole.argmin(-1).astype(np.int16)


def _fitted(scope: tuple[int, ...], table: np.ndarray, wanted: Sequence[int]) -> np.ndarray:
    """A table with an axis for each of the wanted decisions, of extent 1 where it does not hold it."""
    order = sorted(range(len(scope)), key=lambda k: wanted.index(scope[k]))
    shape = iter(table.transpose(order).shape)
    return table.transpose(order).reshape([next(shape) if d in scope else 1 for d in wanted])
