"""Ordered work by several threads: results leave in the order in which their items came."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


def ordered(function: Callable[[Any], Any], items: Iterable[Any], workers: int) -> Iterator[Any]:
    """`function` of each item by `workers` threads; at most `2 * workers` items are under way.

    The items are taken by the thread that asks for results. An error of the function is raised where its result is
    asked for, with the worker's own traceback. However the reader ends, the threads end with it.
    """
    pool = ThreadPoolExecutor(workers, thread_name_prefix="dataset-worker")
    waiting: deque[Future[Any]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) >= 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
