"""How near operators come to what the machine can do (the roofline model, Williams et al. 2009)."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from .recorded import Event, Peak, Recorded

_ROUNDS = 12         # the best of which counts, as other programs may have the machine meanwhile
_peaks: dict[tuple[str, int], Peak] = {}


def peak() -> Peak:
    """What this machine does at its best with its present number of threads, measured once: a product, and a copy."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    key = device, torch.get_num_threads()
    if key not in _peaks:
        n, size = (8192, 2**28) if device == "cuda" else (512, 2**24)
        with torch.inference_mode():
            a, b = torch.ones(n, n, device=device), torch.ones(n, n, device=device)
            x, y = torch.ones(size, device=device), torch.empty(size, device=device)
            product, copy = _best(lambda: torch.mm(a, a, out=b), device), _best(lambda: y.copy_(x), device)
        _peaks[key] = Peak(2 * n**3 / product, 8 * size / copy)
    return _peaks[key]


def _best(run: Callable[[], object], device: str) -> float:
    """The least seconds that something takes."""
    found: list[float] = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        run()
        if device == "cuda":
            torch.cuda.synchronize()
        found.append(time.perf_counter() - start)
    return min(found)


def table(found: Recorded) -> list[list[Any]]:
    """One row per operator and shapes: what it did in a second, what bounds that, and how near it comes.

    `fraction_of_peak` is the time that the machine would need for its floating-point operations or for moving its
    bytes, whichever is longer, in shares of the time that it took; operands that lie in caches may give more than 1.
    Floating-point operations count where the operator has a cost rule, bytes are of inputs and results, once each.
    """
    rows: list[list[Any]] = [["op_type", "phase", "input_shapes", "count", "total_time(ms)", "flops", "bytes",
                              "flop_per_byte", "gflop_per_s", "gb_per_s", "bound", "fraction_of_peak",
                              "peak_gflop_per_s", "peak_gb_per_s"]]
    groups: dict[Any, list[Event]] = {}
    for e in found.events:
        groups.setdefault((e.name, e.phase, e.shapes), []).append(e)
    best = found.peak
    for (name, phase, shapes), events in sorted(groups.items(), key=lambda g: -sum(e.duration for e in g[1])):
        spent, flops, moved = (sum(column) for column in zip(*[(e.duration, e.flops, e.moved) for e in events],
                                                             strict=True))
        row = [name, phase, ";".join([str(list(s)) for s in shapes]), len(events), f"{spent / 1e6:.6g}", flops, moved,
               f"{flops / moved:.4g}" if moved else "", f"{flops / max(spent, 1):.4g}", f"{moved / max(spent, 1):.4g}"]
        if best is None or not (flops or moved):
            rows.append([*row, "", "", "", ""])
            continue
        compute, memory = 1e9 * flops / best.flops, 1e9 * moved / best.bandwidth
        rows.append([*row, "compute" if compute >= memory else "memory", f"{max(compute, memory) / max(spent, 1):.4f}",
                     f"{best.flops / 1e9:.4g}", f"{best.bandwidth / 1e9:.4g}"])
    return rows
