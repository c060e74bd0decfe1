"""Which choices of many decisions can be left out, since others of the same decision are never worse."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

ROUNDS = 4                     # of looking for choices that others beat


class Beaten:
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
