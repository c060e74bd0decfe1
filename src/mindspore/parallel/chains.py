"""Blocks in a row, shared out to stages: how many each stage gets, and which of them it computes again.

A stage computes its first blocks again at one level and the others at the next weaker one, as its memory asks.  Of
stages one after the other each takes as many blocks as it can within a time; the least time in which they take all of
them is found by halving.  Since a stage that can take some blocks can take fewer, that is the best way to share out.
"""
from __future__ import annotations

import bisect
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from .blocks import LEVELS, Block

HALVES = 40                    # of the span in which the least time lies


@dataclass(frozen=True)
class Run:
    """The blocks of a stage.

    Attributes:
        blocks: How many.
        levels: How many of them are computed again at which level, by name.
        forward: Seconds of the forward pass of a part.
        backward: Seconds of its backward pass, recomputation included.
        parameters: The seconds of the backward pass for gradients of parameters, for which no other stage waits.
        weights: The elements of parameters on a device.
        held: The bytes that a device holds.
    """

    blocks: int
    levels: tuple[tuple[str, int], ...]
    forward: float
    backward: float
    parameters: float
    weights: float
    held: float


class Chain:
    """Blocks in a row.

    Args:
        blocks: The blocks.
        levels: The levels of recomputation that may be used.
        weight: The bytes that a device holds for an element of parameters.
        room: The bytes of a device.
    """

    def __init__(self, blocks: Sequence[Block], levels: Sequence[str], weight: float, room: float):
        self.blocks, self.weight, self.room = list(blocks), weight, room
        self.levels = [k for k, name in enumerate(LEVELS) if name in levels]
        self.forward = _sums([b.forward for b in blocks])
        self.backward = _sums([b.backward for b in blocks])
        self.weights = _sums([b.weights for b in blocks])
        self.again = [_sums([b.again[k] for b in blocks]) for k in range(len(LEVELS))]
        self.saved = [_sums([b.saved[k] for b in blocks]) for k in range(len(LEVELS))]
        kinds: dict[Block, int] = {}
        self.kinds = [kinds.setdefault(b, len(kinds)) for b in blocks]
        self.alike = [0] * len(self.kinds)                   # until where blocks are of one kind
        for k in reversed(range(len(self.kinds))):
            same = k + 1 < len(self.kinds) and self.kinds[k] == self.kinds[k + 1]
            self.alike[k] = self.alike[k + 1] if same else k + 1
        self.known: dict[tuple[int, ...], Run | None] = {}

    def shared_out(self, flights: Sequence[float], limit: float) -> list[Run] | None:
        """The blocks of each stage, so that the longest takes least; None if they do not fit or all take too long.

        Args:
            flights: For each stage, for how many parts of a batch it keeps what the backward pass needs.
            limit: The time of the longest stage must be less.
        """
        n = len(self.blocks)
        total = self.forward[n] + self.backward[n]
        longest = max([b.forward + b.backward for b in self.blocks])
        low = max(total / len(flights), longest) * (1 - 1e-12)
        high = total + self.again[-1][n] if limit == float("inf") else min(limit, total + self.again[-1][n])
        best = self._within(high, flights)
        if best is None:
            return None
        for _ in range(HALVES):
            high = max([r.forward + r.backward for r in best])
            if high <= low * (1 + 1e-9):
                break
            middle = (low + high) / 2
            found = self._within(middle, flights)
            if found is None:
                low = middle
            else:
                best = found
        return best

    def _within(self, limit: float, flights: Sequence[float]) -> list[Run] | None:
        """Blocks for each stage, as many as it can take within a time; None if some are left."""
        at, n, runs = 0, len(self.blocks), list[Run]()
        for s, flight in enumerate(flights):
            most = n - (len(flights) - 1 - s)                # every stage after it gets one, at least
            low, high, best = at, most, None
            while low < high:
                middle = (low + high + 1) // 2
                run = self.run([(at, middle)], flight)
                if run is not None and run.forward + run.backward <= limit:
                    low, best = middle, run
                else:
                    high = middle - 1
            if best is None:
                return None
            at += best.blocks
            runs.append(best)
        return runs if at == n else None

    def even(self, flights: Sequence[float], rounds: int, bent: bool) -> list[Run] | None:
        """As many layers for each stage in each round; the first block goes with the first one, the last with the last.

        Args:
            bent: Whether every second round goes from the last stage to the first.
        """
        stages = len(flights)
        each = (len(self.blocks) - 2) // (stages * rounds)
        runs: list[Run] = []
        for s, flight in enumerate(flights):
            spans: list[tuple[int, int]] = []
            for r in range(rounds):
                at = r * stages + (stages - 1 - s if bent and r % 2 else s)
                first, last = 1 + at * each, 1 + (at + 1) * each
                spans.append((first - (at == 0), last + (at == stages * rounds - 1)))
            run = self.run(spans, flight)
            if run is None:
                return None
            runs.append(run)
        return runs

    def run(self, spans: Sequence[tuple[int, int]], flight: float) -> Run | None:
        """A stage with the blocks of some spans, computed again as little as its memory allows; None if too full."""
        key = (*[x for a, b in spans for x in ((self.kinds[a], b - a) if self.alike[a] >= b else (-a - 1, b))],
               round(flight * 64))
        if key not in self.known:
            self.known[key] = self._run(spans, flight)
        return self.known[key]

    def _run(self, spans: Sequence[tuple[int, int]], flight: float) -> Run | None:
        weights = sum([self.weights[b] - self.weights[a] for a, b in spans])
        best: Run | None = None
        for weak, strong in itertools.combinations_with_replacement(self.levels, 2):
            working = max([self.blocks[k].working for a, b in spans for k in range(a, b)]) if strong else 0.0
            fixed = weights * self.weight + working
            found = self._split(spans, weak, strong, (self.room - fixed) / flight)
            if found is None:
                continue
            counts, again, saved = found
            run = Run(sum([b - a for a, b in spans]), counts,
                      sum([self.forward[b] - self.forward[a] for a, b in spans]),
                      sum([self.backward[b] - self.backward[a] for a, b in spans]) + again,
                      sum([self.backward[b] - self.backward[a] for a, b in spans]) / 2, weights, fixed + saved * flight)
            if best is None or run.backward < best.backward:
                best = run
        return best

    def _split(self, spans: Sequence[tuple[int, int]], weak: int, strong: int,
               room: float) -> tuple[tuple[tuple[str, int], ...], float, float] | None:
        """The fewest blocks at the stronger level so that what is kept fits: counts, seconds, bytes."""
        order = [k for a, b in spans for k in range(a, b)]
        kept = sum([self.saved[weak][b] - self.saved[weak][a] for a, b in spans])
        if kept <= room:
            return _counts(len(order), 0, weak, strong), sum([self.blocks[k].again[weak] for k in order]), kept
        less = list(itertools.accumulate([self.blocks[k].saved[weak] - self.blocks[k].saved[strong] for k in order]))
        n = bisect.bisect_left(less, kept - room) + 1
        if weak == strong or n > len(order):
            return None
        again = sum([self.blocks[k].again[strong if i < n else weak] for i, k in enumerate(order)])
        return _counts(len(order), n, weak, strong), again, kept - less[n - 1]


def _counts(blocks: int, strong: int, weak_level: int, strong_level: int) -> tuple[tuple[str, int], ...]:
    pairs = ((LEVELS[strong_level], strong), (LEVELS[weak_level], blocks - strong))
    return tuple([(name, n) for name, n in pairs if n])


def _sums(values: Sequence[float]) -> list[float]:
    return [0.0, *itertools.accumulate(values)]
