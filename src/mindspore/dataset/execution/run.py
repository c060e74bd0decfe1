"""One pass over a tree of descriptions: which pass it is, its random streams, its workers."""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from mindspore.dataset import config
from mindspore.dataset._settings import cores
from mindspore.dataset.execution.pool import FLUSH, Choice, Mark, ordered
from mindspore.dataset.execution.profile import Profile
from mindspore.dataset.execution.streams import GAMMA, mixed

BLOCK = 2**20  # bytes of a block of a source, about


class Shared:
    """What all passes of an iterator share: worker processes, and what was found out in earlier passes."""

    def __init__(self) -> None:
        self.teams: dict[tuple[int, ...], Any] = {}
        self.choices: dict[tuple[int, ...], Choice] = {}
        self.counts: dict[tuple[int, ...], int] = {}  # rows that passed a place
        self.profile = Profile()
        self.failed = 0  # rows that were left out or replaced
        self.threads: weakref.WeakSet[threading.Thread] = weakref.WeakSet()  # that work for the iterator
        self.reader_waits: Callable[[], bool] = lambda: True
        self.lock = threading.RLock()  # garbage collection may call `close` at any place
        self.closed = False

    def close(self) -> None:
        """End the worker processes."""
        with self.lock:
            self.closed = True
            while self.teams:
                self.teams.popitem()[1].stop()


@dataclasses.dataclass(frozen=True)
class Run:
    """What a description needs to know while it is read.

    Attributes:
        seed: Of the iterator; equal seeds give equal rows in equal order, whatever the number of workers.
        epoch: Number of the pass over this description, repeats included.
        place: Way from the root of the tree to this description, which keeps random streams apart.
        parallel: Whether workers may be used; without, all runs in the thread of the reader.
        block_rows: Rows in a block of a source, None to let the source decide.
        common_seed: As `seed`, but equal in all processes of a distributed training even where none was set.
        fixed: Seed and depth of a node below which the order of rows is the same in every pass of every iterator.
        optimise: Whether steps may be joined and blocks sized to fit; results are the same.
        multiple: Number of rows of which the blocks should be multiples.
        full: Number of rows of which only multiples are wanted: what remains in the end is left out.
        counted: Rows that the batches above join into one, which a 'sync_wait' below counts.
        shared: State of the iterator; without, everything ends with the pass.
    """

    seed: int
    epoch: int = 0
    place: tuple[int, ...] = ()
    parallel: bool = True
    block_rows: int | None = None
    common_seed: int = 0
    fixed: tuple[int, int] | None = None
    optimise: bool = False
    multiple: int = 1
    full: int = 1
    counted: int = 1
    shared: Shared | None = None

    @property
    def forks(self) -> bool:
        """Whether worker processes begin as copies of this one, with all its objects."""
        return config.get_multiprocessing_start_method() == "fork"

    def child(self, index: int = 0) -> Run:
        """The run of the input number `index`."""
        return dataclasses.replace(self, place=(*self.place, index), multiple=1, full=1)

    def during(self, epoch: int) -> Run:
        """The same run in another pass."""
        return dataclasses.replace(self, epoch=epoch)

    def with_fixed_order(self, seed: int) -> Run:
        """The same run with the order of rows fixed from here on down."""
        return self if self.fixed else dataclasses.replace(self, fixed=(seed, len(self.place)))

    def order(self) -> np.random.Generator:
        """The random stream for the order of rows at this place."""
        if self.fixed is None:
            return self.generator()
        seed, depth = self.fixed
        return Run(seed, place=self.place[depth:]).generator()

    def common_order(self) -> np.random.Generator:
        """As `order`, but the same at every place and in all processes, so that shards fit together."""
        if self.fixed is None:
            return Run(self.common_seed, self.epoch).generator()
        return Run(self.fixed[0]).generator()

    def generator(self, *keys: int) -> np.random.Generator:
        """The random stream of this place, pass and `keys`."""
        entropy = [self.seed, self.epoch, len(self.place), *self.place, *keys]
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))

    def key(self, *keys: int) -> int:
        """64 random bits of this place, pass and `keys`."""
        value = mixed(self.seed)
        for part in (self.seed >> 64, self.epoch, len(self.place), *self.place, *keys):
            value = mixed(value + mixed(part + GAMMA))
        return value

    def map(
        self, function: Callable[[Any], Any], items: Iterable[Any], workers: int, program: str = ""
    ) -> Iterator[Any]:
        """`function` of each item, in the order of the items, by `workers` threads where that is allowed.

        `program` names the step if functions of the program take part: those that draw from generators that all threads
        share are called by one thread.
        """
        if not self.parallel or workers == 1:
            return _mapped(function, items)
        if self.shared is None:
            return ordered(function, items, workers, Choice(workers, not program, program))
        made = Choice(workers, program=program, others=self.shared.choices)
        choice = self.shared.choices.setdefault(self.place, made)
        return ordered(function, items, workers, choice, self.shared.threads)

    def mode_of(self, processes: bool, workers: int) -> str:
        """How the pieces of work at this place are done, for reports."""
        choice = None if self.shared is None else self.shared.choices.get(self.place)
        if processes and self.parallel:
            return f"{workers} processes"
        return f"{workers} threads" if choice is not None and choice.threads else "one thread"

    def by_processes(
        self, function: Callable[[Any], Any], items: Iterable[Any], workers: int
    ) -> Iterator[Any]:
        """`function` of each item, in the order of the items, by `workers` processes where that is allowed.

        The processes of an iterator stay for its other passes, which are expected to want the same function.
        """
        if not self.parallel:
            return _mapped(function, items)
        from mindspore.dataset.execution import processes  # more than most programs want

        if self.shared is None:
            return processes.ordered(function, items, workers)
        with self.shared.lock:
            team = self.shared.teams.get(self.place)
            if team is None and not self.shared.closed:
                team = self.shared.teams[self.place] = processes.Team()
                team.start(function, workers)
            if self.shared.closed:
                self.shared.close()
                team = None
        return iter(()) if team is None else team.ordered(items)

    def rows_per_block(self, row_bytes: int, most: int = 256) -> int:
        """Rows that make a block of a source: about a megabyte, so that Python's share is small."""
        if self.block_rows is not None:
            return self.block_rows
        rows = int(max(1, min(most, BLOCK // max(row_bytes, 1))))
        return max(1, rows // self.multiple) * self.multiple


def _mapped(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        if not isinstance(item, Mark):
            yield function(item)
        elif item is not FLUSH:
            yield item


def workers_of(given: int | None) -> int:
    """Threads of a step: its own number, else the one of `config`."""
    if config.get_enable_autotune() or (given is None and config.get_auto_num_workers()):
        return max(given or 1, cores())
    return config.get_num_parallel_workers() if given is None else given
