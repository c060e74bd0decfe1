"""A bound for what many decisions cost at least, by moving costs between tables, and good choices on the way.

The least entries of all tables, added up, are a bound.  What is taken from the entries of one table and given to those
of another changes no sum, but the bound.  Going through the decisions forth and back, each takes the least of all
tables that hold it, and gives it on to those that hold later ones in equal parts: then the bound never falls
(sequential reweighted message passing, Kolmogorov 2015).  The bound is that of the linear program in which choices
may be mixed; mostly the best choices cost just that.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

BATCH, BATCHES = 10, 40        # times forth and back before it is looked what has been found; how often
LEAST = 1e-6                   # of the bound by which it must grow meanwhile
CLOSE = 1e-10                  # sums of the same numbers in another order


class Relaxed:
    """Tables whose costs move.

    Attributes:
        given: The tables that were given.
        bound: No choices cost less.
        best: The best choices that are known (0 for decisions that are not of the problem), which cost `cost`.
    """

    def __init__(self, sizes: Sequence[int], decisions: Sequence[int],
                 tables: Sequence[tuple[tuple[int, ...], np.ndarray]]):
        self.given, self.sizes = tables, sizes
        self.own = {d: np.zeros(sizes[d]) for d in decisions}
        self.tables: dict[tuple[int, ...], np.ndarray] = {}
        for scope, table in sorted(tables, key=lambda t: -len(t[0])):
            self._put(scope, table)
        self.holding: dict[int, list[tuple[tuple[int, ...], tuple[int, ...], list[int]]]] = {d: [] for d in decisions}
        for scope in self.tables:              # with the other axes, and the shape of a line along one
            for k, d in enumerate(scope):
                self.holding[d].append((scope, tuple([a for a in range(len(scope)) if a != k]),
                                        [-1 if a == k else 1 for a in range(len(scope))]))
        self.bound, self.cost = -np.inf, np.inf
        self.best = [0] * len(sizes)

    def _put(self, scope: tuple[int, ...], table: np.ndarray) -> None:
        """Add a table to one that holds all its decisions, or let it be one."""
        order = sorted(range(len(scope)), key=lambda k: scope[k])
        scope, table = tuple([scope[k] for k in order]), table.transpose(order)
        if len(scope) == 1:
            self.own[scope[0]] += table
            return
        wide = next((w for w in self.tables if set(scope) <= set(w)), None)
        if wide is None:
            self.tables[scope] = table.copy()
        else:
            self.tables[wide] += table.reshape([self.sizes[d] if d in scope else 1 for d in wide])

    def improved(self) -> Iterator[None]:
        """Get better bounds, until they grow no more; each time choices are looked for, too."""
        for _ in range(BATCHES):
            last = self.bound
            for _ in range(BATCH):
                self._sweep(sorted(self.own), max)
                self._sweep(sorted(self.own, reverse=True), min)
            now = sum([line.min() for line in self.own.values()]) + sum([t.min() for t in self.tables.values()])
            self.bound = max(last, float(now))
            self._try()
            yield
            if self.bound - last <= LEAST * abs(self.bound):
                return

    def _sweep(self, order: Sequence[int], last: Callable[[tuple[int, ...]], int]) -> None:
        """Move costs on, through the decisions in this order; `last` says which one of several comes last in it."""
        first = min if last is max else max
        for d in order:
            line = self.own[d]
            for scope, others, shape in self.holding[d]:
                table = self.tables[scope]
                least = table.min(others)
                line = line + least
                table -= least.reshape(shape)
            later = [h for h in self.holding[d] if last(h[0]) != d]
            parts = max(len(later), len([h for h in self.holding[d] if first(h[0]) != d]), 1)
            for scope, _, shape in later:
                self.tables[scope] += (line / parts).reshape(shape)
            self.own[d] = line * (1 - len(later) / parts)

    def _try(self) -> None:
        """Choose one after the other by what the tables say now, then change single ones while that helps."""
        chosen: dict[int, int] = {}
        for d in sorted(self.own):
            chosen[d] = int(self._seen(d, chosen).argmin())
        for _ in range(BATCH):
            before = dict(chosen)
            for d in chosen:
                chosen[d] = int(self._seen(d, chosen).argmin())
            if chosen == before:
                break
        cost = float(sum([t[tuple([chosen[d] for d in scope])] for scope, t in self.given]))
        if cost < self.cost:
            self.cost = cost
            for d, k in chosen.items():
                self.best[d] = k

    def _seen(self, d: int, chosen: dict[int, int]) -> np.ndarray:
        """What the choices of a decision cost by the tables that hold it, where those of some others are known."""
        line = self.own[d]
        for scope, _, _ in self.holding[d]:
            rows = self.tables[scope][tuple([slice(None) if e == d else chosen.get(e, slice(None)) for e in scope])]
            open_ = [e for e in scope if e == d or e not in chosen]
            line = line + rows.min(tuple([k for k, e in enumerate(open_) if e != d]))
        return line

    def promising(self) -> list[np.ndarray] | None:
        """The choices of each decision with which something better may be found; None where there are none."""
        most = self.cost + CLOSE * abs(self.cost)
        if self.bound >= self.cost - CLOSE * abs(self.cost):
            return None
        kept = [np.zeros(1, np.intp) for _ in self.sizes]
        for d, line in self.own.items():
            above = line - line.min()
            for scope, others, _ in self.holding[d]:
                least = self.tables[scope].min(others)
                above = above + (least - least.min())
            kept[d] = np.flatnonzero(self.bound + above <= most)
        return kept
