"""Steps that work on each block alone, done as one piece of work per block.

A tree is a description; how it runs is decided here. From a node downwards, steps that need no other rows than
those of their block are collected into a chain: maps, renamed columns, batches whose rows come in fitting blocks, and
the reading of a source whose rows have numbers. A block then passes from one thread to another once, and its arrays are
made where they are used.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, runtime_checkable

from mindspore.dataset.block import RowBlock
from mindspore.dataset.execution.pool import FLUSH, PASS_END, PassBegin
from mindspore.dataset.execution.profile import WorkTimes
from mindspore.dataset.execution.run import Run, workers_of


@dataclasses.dataclass(frozen=True)
class Stage:
    """What a node does with one block of rows.

    Attributes:
        name: Of the node, for reports.
        prepare: Function from a run to the function from block to block, which can be sent to another process.
        workers: Number asked for; 0 for steps that cost nothing.
        processes: Worker processes, not threads.
        python: Functions of the user take part.
        size: Rows that become one.
        drops: Rows in the end that are fewer than `size` are left out.
        fewer: Rows may be left out.
        cached: Rows are kept for later passes, by this process.
        notes: What was done to the step to make it faster.
    """

    name: str
    prepare: Callable[[Run], Callable[[RowBlock], RowBlock]]
    workers: int = 0
    processes: bool = False
    python: bool = False
    size: int = 1
    drops: bool = False
    fewer: bool = False
    cached: bool = False
    notes: tuple[str, ...] = ()


@runtime_checkable
class Recalling(Protocol):
    """A step that keeps what it made, and may have all rows of a block already."""

    def __call__(self, block: RowBlock) -> RowBlock:
        """The step itself."""
        ...

    def recalled(self, start: int, numbers: Any) -> RowBlock | None:
        """The rows with these numbers if all were kept, the first of them being row `start` of the pass."""
        ...


@dataclasses.dataclass
class ConstantStep:
    """The same step in every pass."""

    step: Callable[[RowBlock], RowBlock]

    def __call__(self, run: Run) -> Callable[[RowBlock], RowBlock]:
        return self.step


@dataclasses.dataclass
class Chain:
    """Stages, the last one first, and the node that their rows come from."""

    stages: list[Stage]
    bottom: Any
    reads: bool  # whether the workers read the rows of the bottom themselves

    def __getstate__(self) -> dict[str, Any]:
        """For another process, which does not need a source that it does not read."""
        return {**vars(self), "bottom": self.bottom if self.reads else None}

    @property
    def size(self) -> int:
        """Rows of the bottom that become one of the top."""
        size = 1
        for stage in self.stages:
            size *= stage.size
        return size

    @property
    def fewer(self) -> bool:
        """Whether rows may be left out."""
        return any(stage.fewer for stage in self.stages)

    @property
    def full(self) -> int:
        """Number of rows of which only multiples are wanted: the rest of a pass makes no full batch."""
        size = full = 1
        for stage in reversed(self.stages):
            size *= stage.size
            full = size if stage.drops else full
        return full

    @property
    def processes(self) -> bool:
        return any(stage.processes for stage in self.stages)

    @property
    def workers(self) -> int:
        asked = [stage.workers for stage in self.stages]
        if self.reads and self.bottom.threads_help:
            asked.append(workers_of(self.bottom.num_parallel_workers))
        return max(1, *asked)

    def work(self, run: Run) -> BlockTask:
        """The function of one piece of work in the pass of `run`."""
        steps: list[Callable[[RowBlock], RowBlock]] = []
        for stage in self.stages:
            steps.insert(0, stage.prepare(run))
            run = run.child()
        return BlockTask(self.bottom if self.reads else None, steps)

    @property
    def program(self) -> str:
        """The steps in which functions of the program take part, as a text."""
        return ", ".join([f"'{stage.name}'" for stage in reversed(self.stages) if stage.python])

    def names(self) -> list[str]:
        """Of the source and the steps, in the order of the work."""
        source = type(self.bottom).__name__ if self.reads else "waiting for rows"
        return [source, *(stage.name for stage in reversed(self.stages))]

    def items(self, run: Run, skip: int) -> Iterator[Any]:
        """The pieces of work of the pass of `run`, without those of the first `skip` rows of the top."""
        below = run
        for _ in self.stages:
            below = below.child()
        if not self.fewer:
            full = run.full * self.size if run.full > 1 else self.full
            below = dataclasses.replace(below, multiple=run.multiple * self.size, full=full)
        ahead = 0 if self.fewer else skip * self.size
        if self.reads:
            return self.bottom.tasks(below, ahead)
        return self.bottom.blocks_after(below, ahead)


class ChainTask:
    """The work of a chain on a block of any pass; can be sent to another process."""

    def __init__(self, chain: Chain, run: Run):
        self._chain, self._run = chain, dataclasses.replace(run, shared=None)
        self._works: dict[int, BlockTask] = {}

    def __call__(self, item: tuple[int, Any]) -> RowBlock:
        epoch, task = item
        work = self._works.get(epoch)
        if work is None:
            work = self._works[epoch] = self._chain.work(self._run.during(epoch))
            self._works.pop(epoch - 2, None)
        return work(task)


@dataclasses.dataclass
class BlockTask:
    """The steps of a chain on one block, or on the numbers of the rows to read."""

    source: Any
    steps: list[Callable[[RowBlock], RowBlock]]

    def __call__(self, item: Any) -> RowBlock:
        clock = [time.perf_counter()]
        if self.source is None:
            done, block = 0, item
        else:
            done, block = self._recalled(item)
            if block is None:
                block = self.source.block(*item)
        clock += [time.perf_counter()] * (done + 1)
        for step in self.steps[done:]:
            block = step(block)
            clock.append(time.perf_counter())
        block.times = tuple(after - before for before, after in itertools.pairwise(clock))
        return block

    def _recalled(self, item: tuple[int, Any]) -> tuple[int, RowBlock | None]:
        """How many of the steps need not be done, since a cache has what they would give."""
        for place in range(len(self.steps), 0, -1):
            step = self.steps[place - 1]
            if isinstance(step, Recalling) and (block := step.recalled(*item)) is not None:
                return place, block
        return 0, None


def collected(dataset: Any, run: Run) -> Chain:
    """The longest chain that begins with `dataset`, which is a stage itself."""
    stages: list[Stage] = []
    node, processes = dataset, False
    while (stage := node.stage()) is not None and _fits(stage, stages, node, processes, run):
        stages.append(stage)
        processes = processes or stage.processes
        node = node.children[0]
        if not run.optimise:
            break
    return Chain(stages, node, run.optimise and _moves(node, stages, processes, run))


def _fits(stage: Stage, above: list[Stage], node: Any, processes: bool, run: Run) -> bool:
    """Whether a stage may join those above it."""
    if stage.size > 1 and not (run.optimise and numbered(node.children[0])):
        return False
    if not above:
        return True
    if stage.fewer:  # the steps above count rows
        return False
    working = [s for s in above if s.workers]
    if stage.processes:
        return all(s.processes for s in working)
    if processes:
        return not stage.python and run.forks
    return not stage.workers or all(s.python == stage.python for s in working)


def starts(node: Any, run: Run) -> bool:
    """Whether a node is the top of a chain; a batch only if the rows below come in blocks of any wanted length."""
    stage = node.stage()
    return stage is not None and _fits(stage, [], node, False, run)


def numbered(node: Any) -> bool:
    """Whether the rows of a node come in blocks of any wanted length: from a source, one for one."""
    while (stage := node.stage()) is not None:
        if stage.fewer:
            return False
        node = node.children[0]
    return node.is_by_number()


def _moves(node: Any, stages: list[Stage], processes: bool, run: Run) -> bool:
    """Whether the workers may read the source."""
    if not node.is_by_number() or not node.anywhere:
        return False
    if any(s.cached for s in stages):
        return not processes
    if processes and node.cache is not None:
        return False
    return run.forks if processes else any(s.workers and not s.python for s in stages)


def blocks(dataset: Any, run: Run, skip: int = 0) -> Iterator[RowBlock]:
    """The rows of a chain after the first `skip`, which are not computed where that is possible."""
    return (item for item in passes(dataset, run, [(run.epoch, skip)]) if item is not PASS_END)


def passes(dataset: Any, run: Run, turns: Iterable[Any]) -> Iterator[Any]:
    """The rows of several passes, with `PASS_END` after each; the next one begins while workers end the last.

    Args:
        dataset: The top of the chain.
        run: Of any of the passes.
        turns: Number and first row of each pass, and FLUSH where the next one may not begin ahead.
    """
    chain = collected(dataset, run)
    task, items = ChainTask(chain, run), _items(chain, run, turns)
    if chain.processes:
        results = run.by_processes(task, items, chain.workers)
    else:
        results = run.map(task, items, chain.workers, chain.program)
    names = chain.names()
    fresh = WorkTimes(names, [0.0] * len(names))
    start = skip = 0
    for block in results:
        if isinstance(block, PassBegin):
            start, skip = 0, block.skip if chain.fewer else 0
            continue
        if block is PASS_END:
            yield block
            continue
        if run.shared is not None:
            run.shared.failed += block.failed
            work = run.shared.profile.works.setdefault(run.place, fresh)
            work.add(block.count * chain.size, block.times)
            work.mode = run.mode_of(chain.processes, chain.workers)
        if skip:
            skipped = min(skip, block.count)
            block, skip = block.part(skipped, block.count), skip - skipped
        if chain.fewer:
            block.start = start
            start += block.count
        if block.count:
            yield block


def _items(chain: Chain, run: Run, turns: Iterable[Any]) -> Iterator[Any]:
    for turn in turns:
        if turn is FLUSH:
            yield FLUSH
            continue
        epoch, skip = turn
        yield PassBegin(skip)
        for item in chain.items(run.during(epoch), skip):
            yield epoch, item
        yield PASS_END


def without(blocks: Iterator[RowBlock], skip: int) -> Iterator[RowBlock]:
    """Blocks without the first `skip` rows."""
    for block in blocks:
        if skip < block.count:
            yield block.part(skip, block.count) if skip else block
        skip = max(0, skip - block.count)
