"""What is measured, and what follows from it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.compiler.kernels.speeds import Speeds, measured
from mindspore.operators.choices import Choices, using

from . import candidates
from .timing import Pair, crossing

_ALONE_WITHOUT_GAIN = 1e12          # nanoseconds: threads that bring nothing are never woken
_TIMES = 60                         # that speeds are measured, in some seconds: other programs disturb them
_COMPILED = 20_000.0                # nanoseconds: 20 ms to make a kernel of its own, shared out over 1,000 calls
_WORTH = 1.1                        # times as fast, from which threads are used


def found(threads: int, say: Callable[[str], Any]) -> dict[str, float]:
    """The choices for so many threads; what is measured is said line by line."""
    speeds = quietest([measured.__wrapped__(threads) for _ in range(_TIMES)])
    say(f"one thread: {speeds.flops:.1f} operations per ns; all together {speeds.gain:.2f} times as many; a parallel "
        f"region takes {speeds.region / 1e3:.1f} us, a meeting {speeds.meeting:.0f} ns")
    table: dict[str, float] = dict(zip(("flops", "gain", "region", "meeting"), speeds, strict=True))
    alone = worth_threads(speeds)
    table |= dict.fromkeys(("kernel_alone", "product_alone", "attention_alone", "window_alone"), alone)
    table["lstm_alone"] = worth_threads(speeds._replace(region=2 * speeds.meeting))      # one meeting in a step
    for name in ("product", "attention", "window", "lstm"):
        table |= costs(name, table, say)
    for name in ("product", "tiles", "attention", "window", "window_weight", "norm", "lstm", "costly"):
        if name == "tiles":
            table |= tiles(table, say)
            continue
        with using(Choices(**table)):
            pairs = [case() for case in getattr(candidates, name)()]
        _tell(say, name, pairs, "elements" if name in ("costly", "norm") else "operations")
        made = _COMPILED if name == "costly" else 0.0          # the code of the others serves all sizes
        table[f"{name}_least"] = crossing([p._replace(second=p.second + made) for p in pairs])
    with using(Choices(**table)):
        table |= torchs(threads, say)
    return table


def tiles(table: dict[str, float], say: Callable[[str], Any]) -> dict[str, float]:
    """From which edge, and which number of operations on tiles of 16-bit floats multiply, if there are any."""
    found: dict[str, float] = {}
    for name, cases in (("split_edge", candidates.tiles_by_edge), ("split_least", candidates.tiles)):
        with using(Choices(**{**table, **found})):
            pairs = [case() for case in cases()]
        _tell(say, "tiles of 16-bit floats", pairs, "rows" if name == "split_edge" else "operations")
        if pairs:
            found[name] = crossing(pairs)
    return found


def quietest(measurements: Sequence[Speeds]) -> Speeds:
    """The best of each: what other programs take away is no property of the machine."""
    flops, gain, region, meeting = zip(*measurements, strict=True)
    return Speeds(max(flops), max(gain), min(region), min(meeting))


def worth_threads(speeds: Speeds) -> float:
    """The work from which on all threads do it in less time, with the beginning of a region."""
    left = 1.0 - _WORTH / speeds.gain
    return _WORTH * speeds.region / left if left > 0.0 else _ALONE_WITHOUT_GAIN


def costs(name: str, table: dict[str, float], say: Callable[[str], Any]) -> dict[str, float]:
    """The time of an operation of generated code on one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with using(Choices(**table)):
            pair = getattr(candidates, name)()[candidates.TYPICAL]()
    finally:
        torch.set_num_threads(before)
    value = pair.second / candidates.counted(name, pair.size)
    say(f"{name}: {value:.4f} ns for an operation on one thread")
    return {f"{name}_flop": value}


def torchs(threads: int, say: Callable[[str], Any]) -> dict[str, float]:
    """From which times on torch's kernels are worth all threads: what sleeps must be woken."""
    if threads == 1:
        return {}
    streaming, product = candidates.shared_streaming(threads), candidates.shared_product(threads)
    _tell(say, "streaming on one thread / all", streaming, "elements")
    _tell(say, "product on one thread / all", product)
    per_element = min([p.first / p.size for p in streaming[len(streaming) // 2:]])
    per_flop = min([p.first / p.size for p in product[len(product) // 2:]])
    time = crossing(streaming, streaming[-1].size) * per_element
    return {"torch_streamed": per_element, "torch_flop": per_flop, "torch_short": time,
            "torch_streaming": time / 3, "torch_short_product": crossing(product, product[-1].size) * per_flop}


def _tell(say: Callable[[str], Any], name: str, pairs: list[Pair], what: str = "operations") -> None:
    for p in sorted(pairs):
        say(f"{name}: {p.size:13,.0f} {what}: {p.first / 1e3:9.1f} us, {p.second / 1e3:9.1f} us "
            f"(ratio {p.first / p.second:.2f})")
