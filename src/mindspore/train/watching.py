"""Who wants to know how long callbacks take, and the taking of rows, in trainings and evaluations."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

CALLBACK, ROWS = "callback", "rows"
observers: list[Callable[[str, str, int, int], None]] = []     # get CALLBACK or ROWS, a name, start and end in ns


def told(what: str, name: str, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function, and tell the observers how long that took."""
    start = time.perf_counter_ns()
    try:
        return function(*args)
    finally:
        end = time.perf_counter_ns()
        for each in list(observers):
            each(what, name, start, end)


def rows(source: Iterable[Any]) -> Iterator[Any]:
    """The rows of `source`; the observers are told how long each took."""
    found, none = iter(source), object()
    while True:
        row = told(ROWS, "next", next, found, none) if observers else next(found, none)
        if row is none:
            return
        yield row
