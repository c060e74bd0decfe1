"""Two ways to compute the same, in turns, and the size from which on the second is taken."""
from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mindspore.operators.choices import NEVER

_SECONDS, _FEWEST, _MOST = 0.4, 5, 101
_BETTER = 0.97           # of the time of what is there anyway: less is not worth the code


class Pair(NamedTuple):
    """Both times, in nanoseconds, at a size."""

    size: float
    first: float
    second: float


def timed(size: float, first: Callable[[], Any], second: Callable[[], Any], seconds: float = _SECONDS) -> Pair:
    """The medians of both, called in turns."""
    times: tuple[list[int], list[int]] = ([], [])
    for run in (first, second):
        run()
        run()
    end = time.perf_counter() + seconds
    while len(times[0]) < _FEWEST or (time.perf_counter() < end and len(times[0]) < _MOST):
        for run, taken in zip((first, second), times, strict=True):
            start = time.perf_counter_ns()
            run()
            taken.append(time.perf_counter_ns() - start)
    return Pair(size, *[float(statistics.median(t)) for t in times])


def crossing(pairs: Sequence[Pair], otherwise: float = NEVER) -> float:
    """The size from which on the second way is taken: that with which all of the pairs take the least time together.

    Between two sizes the middle is taken, on a logarithmic scale; `otherwise` if the second way is never worth it.
    The pairs count alike, whatever time they take.
    """
    pairs = sorted(pairs)
    sizes = sorted({p.size for p in pairs})
    costs = [sum([math.log(p.first if p.size < size else p.second / _BETTER) for p in pairs])
             for size in (*sizes, NEVER)]
    at = min(range(len(costs)), key=lambda k: (costs[k], -k))
    if at == len(sizes):
        return otherwise
    return sizes[0] if at == 0 else math.sqrt(sizes[at - 1] * sizes[at])
