"""Times of the stages of a pipeline while it runs."""

from __future__ import annotations

import dataclasses
import time
import weakref
from typing import Protocol

from mindspore.dataset import config

SAMPLES = 1000  # most samples of the queue that are kept


@dataclasses.dataclass
class WorkTimes:
    """What the pieces of work at one place of a tree took."""

    names: list[str]
    seconds: list[float]
    rows: int = 0
    pieces: int = 0
    mode: str = ""

    def add(self, rows: int, times: tuple[float, ...]) -> None:
        """One more piece of work."""
        self.rows += rows
        self.pieces += 1
        for i, spent in enumerate(times):
            self.seconds[i] += spent


class Observer(Protocol):
    """Who is told what iterators do, as long as it stands in `observers`; times are those of `time.perf_counter`."""

    def begun(self, profile: Profile) -> None:
        """An iterator begins."""

    def waited(self, profile: Profile, begin: float, end: float) -> None:
        """The reader of an iterator had to wait."""

    def filled(self, profile: Profile, rows: int) -> None:
        """So many rows wait in the queue of an iterator now."""


observers: list[Observer] = []
living: weakref.WeakSet[Profile] = weakref.WeakSet()  # all that nobody has dropped


class Profile:
    """Times of the stages of an iterator, and how full its queue was."""

    def __init__(self) -> None:
        living.add(self)
        for each in observers:
            each.begun(self)
        self.works: dict[tuple[int, ...], WorkTimes] = {}
        self.waited = 0.0  # seconds that the reader had to wait
        self.fills: list[tuple[float, int]] = []
        self._begin = time.perf_counter()
        self._next = 0.0

    def wait(self, begin: float, end: float) -> None:
        """Note that the reader had to wait."""
        self.waited += end - begin
        for each in observers:
            each.waited(self, begin, end)

    def sample(self, rows: int) -> None:
        """Note how many rows wait in the queue, if it is time to."""
        for each in observers:
            each.filled(self, rows)
        now = time.perf_counter() - self._begin
        if now >= self._next and len(self.fills) < SAMPLES:
            self.fills.append((now, rows))
            self._next = now + config.get_monitor_sampling_interval() / 1000

    @property
    def elapsed(self) -> float:
        """Seconds since the iterator began."""
        return time.perf_counter() - self._begin
