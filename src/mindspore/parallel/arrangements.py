"""How many devices train a network of blocks: stages, parts of a batch, schedule, recomputation, sharing of states.

A stage of a pipeline is a run of blocks.  For each way to share out the devices (how many compute a block together, how
many stages, how many copies of the pipeline), each size of the parts of a batch, each schedule and each sharing of the
optimizer's states, blocks go to stages, and levels of recomputation to blocks, so that a step takes least and each
stage fits into its devices.  The ways are tried in the order of what they take at least; those that cannot be better
than the best one are left out, so that no way is better than what is found by more than the gap.
"""
from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .blocks import LEVELS, Block, Cluster, Tables
from .chains import Chain, Run

GPIPE, ONE_F_ONE_B, INTERLEAVED, ZERO_BUBBLE = "gpipe", "1f1b", "interleaved", "zero_bubble_v"
KINDS = (GPIPE, ONE_F_ONE_B, INTERLEAVED, ZERO_BUBBLE)
SAMPLES = (1, 2, 4, 8)         # of a part of a batch
ROUNDS = (2, 3, 4, 6)          # how often an interleaved pipeline passes each stage


class Elements(NamedTuple):
    """The bytes of an element of parameters; at first in half precision, with a full copy and two moments.

    Attributes:
        weight: Itself.
        gradient: Its gradient.
        states: The states of the optimizer.
    """

    weight: float = 2.0
    gradient: float = 4.0
    states: float = 12.0


HALF = Elements()


@dataclass(frozen=True)
class Way:
    """A way to share out devices and the batch.

    Attributes:
        shared: How many devices compute each block together.
        stages: The stages of the pipeline.
        copies: The copies of the pipeline, each with its part of the batch.
        samples: Those of a part that goes through the pipeline at once.
        micros: How many of these parts each copy has.
        schedule: In which order stages work on them.
        rounds: How often each part passes each stage.
        optimizer: What copies share: 0 nothing, 1 the optimizer's states, 2 gradients too, 3 weights too.
    """

    shared: int
    stages: int
    copies: int
    samples: int
    micros: int
    schedule: str
    rounds: int
    optimizer: int


@dataclass(frozen=True)
class Arrangement:
    """A way, with what each stage has and what a step takes.

    Attributes:
        way: The way.
        runs: For each stage its blocks and their levels of recomputation.
        seconds: Those of a step.
        held: The bytes that the fullest device holds.
    """

    way: Way
    runs: tuple[Run, ...]
    seconds: float
    held: float


@dataclass(frozen=True)
class Search:
    """What a search found.

    Attributes:
        best: The arrangement of the least time; None if nothing fits.
        bound: No arrangement of these choices takes less.
        ways: How many ways there are.
        tried: How many of them had to be worked out.
        cpu: Seconds of the processor.
    """

    best: Arrangement | None
    bound: float
    ways: int
    tried: int
    cpu: float

    @property
    def gap(self) -> float:
        """By what part of the bound the step may be longer than the shortest one."""
        return self.best.seconds / self.bound - 1 if self.best else 0.0


def arranged(tables: Tables, cluster: Cluster, devices: int, batch: int, levels: Sequence[str] = LEVELS,
             optimizers: Sequence[int] = (0, 1, 2, 3), kinds: Sequence[str] = KINDS,
             elements: Elements = HALF, **only: int) -> Search:
    """The arrangement of the least time.

    Args:
        tables: What the blocks cost, by the devices that share a block and the samples of a part.
        cluster: The devices.
        devices: How many there are.
        batch: The samples of a step.
        levels: The levels of recomputation that may be used.
        optimizers: What copies of the pipeline may share.
        kinds: The schedules that may be used.
        elements: The bytes of an element of parameters.
        **only: Attributes of `Way` that have one value only, as `shared=8`.
    """
    start = time.process_time()
    known: dict[tuple[int, int], Sequence[Block] | None] = {}

    def table(shared: int, samples: int) -> Sequence[Block] | None:
        if (shared, samples) not in known:
            known[shared, samples] = tables(shared, samples)
        return known[shared, samples]
    line = sorted([(least(way, blocks, cluster, elements), k, way, blocks) for k, (way, blocks) in enumerate([
        (way, blocks) for way in ways(table, devices, batch, optimizers)
        if way.schedule in kinds and all([getattr(way, name) == value for name, value in only.items()])
        for blocks in (table(way.shared, way.samples),) if blocks])], key=lambda item: item[:2])
    chains: dict[tuple[int, int, int, int], Chain] = {}
    best, tried, sure = None, 0, math.inf
    for bound, _, way, blocks in line:
        if best is not None and bound >= best.seconds:
            break
        tried += 1
        key = way.shared, way.samples, way.optimizer, way.copies if way.optimizer else 0
        if key not in chains:
            chains[key] = Chain(blocks, levels, weight_bytes(way, elements), cluster.room)
        found = work_out(way, chains[key], cluster, elements, best.seconds if best else math.inf)
        if found is not None:
            sure = min(sure, found[1])
            best = found[0] if best is None or found[0].seconds < best.seconds else best
    gap = max([b.gap for blocks in known.values() for b in blocks or ()], default=0.0)
    bound = min(sure, best.seconds) / (1 + gap) if best else math.inf
    return Search(best, bound, len(line), tried, time.process_time() - start)


def ways(table: Tables, devices: int, batch: int, optimizers: Sequence[int]) -> Iterator[Way]:
    """All ways to share out so many devices and samples."""
    for shared in divisors(devices):
        blocks = table(shared, 1)
        if not blocks:
            continue
        for stages in divisors(devices // shared):
            copies = devices // shared // stages
            if stages > len(blocks):
                break
            for samples in [n for n in SAMPLES if batch % (copies * n) == 0]:
                micros = batch // copies // samples
                for schedule, rounds in schedules(stages, micros, len(blocks) - 2):
                    for optimizer in optimizers if copies > 1 else optimizers[:1]:
                        yield Way(shared, stages, copies, samples, micros, schedule, rounds, optimizer)


def schedules(stages: int, micros: int, layers: int) -> Iterator[tuple[str, int]]:
    """The schedules that are possible, with how often a part passes a stage."""
    yield ONE_F_ONE_B, 1
    if stages > 1:
        yield GPIPE, 1
        yield from [(INTERLEAVED, n) for n in ROUNDS if micros % stages == 0 and layers % (stages * n) == 0]
        if layers % (2 * stages) == 0:
            yield ZERO_BUBBLE, 2


def divisors(n: int) -> list[int]:
    """The numbers that divide another one."""
    small = [k for k in range(1, math.isqrt(n) + 1) if n % k == 0]
    return sorted({*small, *[n // k for k in small]})


def weight_bytes(way: Way, elements: Elements) -> float:
    """The bytes that a device holds for an element of its parameters, with gradient and states."""
    n = way.copies
    return (elements.weight / (n if way.optimizer > 2 else 1) + elements.gradient / (n if way.optimizer > 1 else 1)
            + elements.states / (n if way.optimizer else 1))


# ---------------------------------------------------------------------- what a step takes

def least(way: Way, blocks: Sequence[Block], cluster: Cluster, elements: Elements = HALF) -> float:
    """What a step takes at least: nothing computed again, stages that all take the same, nothing sent between them."""
    times = [b.forward + b.backward for b in blocks]
    longest = max(sum(times) / way.stages, *times)
    waits = 0.0 if way.schedule == ZERO_BUBBLE else (sum(times) - longest) / way.rounds
    return way.micros * longest + waits + _after(way, sum([b.weights for b in blocks]) / way.stages, cluster, elements)


def work_out(way: Way, chain: Chain, cluster: Cluster, elements: Elements,
             limit: float) -> tuple[Arrangement, float] | None:
    """An arrangement of a way, and what all others of it take at least; None if none fits or takes less than the limit.

    Its longest stage takes least. What the sum of the stages and the sums of gradients could take less is the gap.
    """
    sent = _passing(way, chain.blocks, cluster)
    flights = [in_flight(way, s) for s in range(way.stages)]
    if way.schedule in (GPIPE, ONE_F_ONE_B):
        runs = chain.shared_out(flights, limit / way.micros)
    else:
        runs = chain.even(flights, way.rounds, way.schedule == ZERO_BUBBLE)
    if runs is None:
        return None
    longest = max([r.forward + r.backward for r in runs]) + sent
    total = sum([r.forward + r.backward for r in runs]) + sent * way.stages
    if way.schedule == ZERO_BUBBLE:
        # the second half of the backward pass fills where stages would wait, once there are parts enough for that
        f, b = max([r.forward for r in runs]) + sent / 2, max([r.backward for r in runs]) + sent / 2
        w = min([r.parameters for r in runs])
        waits = (way.stages - 1) * max(f + b - w - (w if way.micros >= 4 * way.stages else 0.0), 0.0) / 2
        seconds = way.micros * longest + waits
    else:
        seconds = way.micros * longest + (total - longest) / way.rounds
    done = Arrangement(way, tuple(runs), seconds + _after(way, max([r.weights for r in runs]), cluster, elements),
                       max([r.held for r in runs]))
    if way.schedule not in (GPIPE, ONE_F_ONE_B):
        return done, done.seconds
    n = len(chain.blocks)
    total = chain.forward[n] + chain.backward[n] + sent * way.stages
    return done, (way.micros * longest + max(total - longest, 0.0)
                  + _after(way, chain.weights[n] / way.stages, cluster, elements)) * (1 - 1e-9)


def in_flight(way: Way, stage: int) -> float:
    """For how many parts a stage keeps what the backward pass needs, at most."""
    p, m = way.stages, way.micros
    if way.schedule == GPIPE:
        return m
    if way.schedule == ONE_F_ONE_B:
        return min(m, p - stage)
    most = (way.rounds - 1) * p + 2 * (p - stage) - 1 if way.schedule == INTERLEAVED else 3 * p - 1 - stage
    return min(m * way.rounds, most) / way.rounds


def _passing(way: Way, blocks: Sequence[Block], cluster: Cluster) -> float:
    """The seconds that a stage spends with messages to its neighbours for one part, forward and backward."""
    if way.stages == 1:
        return 0.0
    speed, start = cluster.link(way.shared * way.stages)
    return way.rounds * 2 * (max(b.passed for b in blocks) / speed + start)


def _after(way: Way, weights: float, cluster: Cluster, elements: Elements) -> float:
    """The seconds for gradients, states and weights that copies share, and for the optimizer's step."""
    n = way.copies
    span = way.shared * n
    swept = 2 * (elements.weight / 2 + elements.states) + elements.gradient           # bytes read and written
    step = weights / (n if way.optimizer else 1) * swept / cluster.memory
    if n == 1:
        return step
    if not way.optimizer:
        return cluster.summed(weights * elements.gradient, n, span) * (1 - cluster.hidden) + step
    once = cluster.gathered(weights * elements.weight, n, span)
    sums = once * (way.micros if way.optimizer > 1 else 1)
    gathers = once * (2 * way.micros if way.optimizer > 2 else 1)
    return (sums + gathers) * (1 - cluster.hidden) + step


# ---------------------------------------------------------------------- for people

OPTIMIZERS = ("nothing", "the optimizer's states", "states and gradients", "states, gradients and weights")


def told(name: str, devices: int, batch: int, found: Search) -> str:
    """An arrangement as a text: what a step takes, and a line for each stage.

    Raises:
        ValueError: Nothing was found.
    """
    if found.best is None:
        raise ValueError(f"No arrangement of '{name}' with a batch of {batch} over {devices} devices fits into their "
                         "memory. Take more devices, larger ones, or a batch that can be cut into more parts.")
    best, way = found.best, found.best.way
    sure = "no arrangement of these choices takes less" if found.gap < 1e-6 else (
        f"at most {found.gap:.2%} above the best arrangement (not below {found.bound * 1e3:.4g} ms)")
    lines = [f"'{name}' over {devices} devices: {best.seconds * 1e3:.4g} ms by the cost model, {sure}; "
             f"{found.ways} ways, {found.tried} of them worked out in {found.cpu:.2f} s.",
             f"{way.shared} devices compute each block together, {way.stages} stages, {way.copies} copies of the "
             f"pipeline; {way.micros} parts of {way.samples} for each, in the order of {way.schedule!r}"
             + (f", {way.rounds} times through the stages" if way.rounds > 1 else "")
             + f"; copies share {OPTIMIZERS[way.optimizer]}.", "", "stage  blocks  computed again  ms a part  holds MB"]
    for s, run in enumerate(best.runs):
        again = ", ".join([f"{n} {level}" for level, n in run.levels])
        lines.append(f"{s:<5}  {run.blocks:<6}  {again}  {(run.forward + run.backward) * 1e3:.4g}  "
                     f"{run.held / 1e6:.4g}")
    return "\n".join(lines)
