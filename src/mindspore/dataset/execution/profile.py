"""Times of the stages of a pipeline while it runs."""

from __future__ import annotations

import dataclasses
import time

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


class Profile:
    """Times of the stages of an iterator, and how full its queue was."""

    def __init__(self) -> None:
        self.works: dict[tuple[int, ...], WorkTimes] = {}
        self.waited = 0.0  # seconds that the reader had to wait
        self.fills: list[tuple[float, int]] = []
        self._begin = time.perf_counter()
        self._next = 0.0

    def sample(self, rows: int) -> None:
        """Note how many rows wait in the queue, if it is time to."""
        now = time.perf_counter() - self._begin
        if now >= self._next and len(self.fills) < SAMPLES:
            self.fills.append((now, rows))
            self._next = now + config.get_monitor_sampling_interval() / 1000

    @property
    def elapsed(self) -> float:
        """Seconds since the iterator began."""
        return time.perf_counter() - self._begin
